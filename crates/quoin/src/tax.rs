//! `quoin tax`: the reports to tax authorities in the store of a service that is stopped: which
//! there are, and having one made once more or taken back, which the service does when it starts. A
//! running service does the same over the interface (`/api/v1/{partyId}/taxReport`).

mod france;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand};
use quoin_access_point::clock::Clock;
use quoin_access_point::config::Config;
use quoin_delivery::OrganisationId;
use quoin_delivery::tax::{TaxAct, TaxState, why_not};
use quoin_peppol::identifiers::ParticipantId;
use quoin_server::start::open_existing;
use quoin_store::{Fault, Store, TaxChange, TaxFilter, TaxReportRecord};

use super::{CommandResult, print, run as run_async, say};

/// Reports to tax authorities.
#[derive(Debug, Args)]
pub struct TaxArguments {
    /// The configuration file of the service.
    #[arg(long, value_name = "FILE")]
    config: PathBuf,
    /// The organisation whose invoices they are about.
    #[arg(long, value_name = "ID")]
    organisation: OrganisationId,
    #[command(subcommand)]
    verb: TaxCommand,
}

#[derive(Debug, Subcommand)]
enum TaxCommand {
    /// List the reports about the invoices of a party, or of all parties of the organisation.
    List {
        /// The party, as in 0106:12345678.
        party: Option<String>,
        /// Only those that no authority has taken.
        #[arg(long)]
        unreported: bool,
    },
    /// Show a report, and why it is where it is.
    Show {
        /// The id of the report.
        report: String,
    },
    /// Write the files of France about a period: flux 10 about invoices across the border and
    /// sales to consumers, and an extract of flux 1 of each domestic invoice. Ends with 1 where an
    /// invoice has to be told and is in none of them.
    Flux10(france::FranceFiles),
    /// Have a report made once more that was rejected, did not get there, or was never answered;
    /// one of a file of France with all of its file.
    Resubmit {
        /// The id of the report.
        report: String,
    },
    /// Have the authority told that what was reported does not count.
    Disregard {
        /// The id of the report.
        report: String,
    },
}

/// Runs the verb.
///
/// # Errors
/// The configuration or the store cannot be used, there is no such report, or it is not in a state
/// in which that can be asked.
pub fn run(arguments: &TaxArguments) -> CommandResult {
    let config = Config::load(&arguments.config).map_err(|error| error.to_string())?;
    run_async(async {
        let store = open_existing(&config).await.map_err(|error| match error {
            quoin_server::start::StartError::Store(Fault::InUse { path }) => format!(
                "{path} is in use by a running service; ask that for /api/v1/PARTY/taxReport"
            ),
            error => error.to_string(),
        })?;
        let lines = told(&store, &arguments.organisation, &arguments.verb).await;
        store.close().await;
        let VerbAnswer { lines, remark, code } = lines?;
        print(&lines.into_iter().map(|line| line + "\n").collect::<String>())?;
        if let Some(remark) = remark {
            say(&remark);
        }
        Ok(code)
    })
}

/// What a verb prints, says beside that, and ends with.
struct VerbAnswer {
    lines: Vec<String>,
    remark: Option<String>,
    code: ExitCode,
}

impl From<Vec<String>> for VerbAnswer {
    fn from(lines: Vec<String>) -> VerbAnswer {
        VerbAnswer { lines, remark: None, code: ExitCode::SUCCESS }
    }
}

impl From<france::WrittenFiles> for VerbAnswer {
    fn from(written: france::WrittenFiles) -> VerbAnswer {
        let france::WrittenFiles { lines, files, missing } = written;
        let (remark, code) = match (missing, files) {
            (0, 0) => (Some("there is nothing to tell".to_owned()), ExitCode::SUCCESS),
            (0, _) => (None, ExitCode::SUCCESS),
            (1, _) => {
                (Some("1 invoice has to be told and is in no file".to_owned()), ExitCode::from(1))
            }
            (many, _) => (
                Some(format!("{many} invoices have to be told and are in no file")),
                ExitCode::from(1),
            ),
        };
        VerbAnswer { lines, remark, code }
    }
}

async fn told(
    store: &Store,
    owner: &OrganisationId,
    verb: &TaxCommand,
) -> Result<VerbAnswer, String> {
    is_known(store, owner).await?;
    match verb {
        TaxCommand::List { party, unreported } => {
            let mut lines = Vec::new();
            for party in parties(store, owner, party.as_deref()).await? {
                lines.extend(list(store, owner, &party, *unreported).await?);
            }
            Ok(lines.into())
        }
        TaxCommand::Show { report } => {
            let found = store.tax_report(owner, report).await.map_err(|error| error.to_string())?;
            let found = found.ok_or_else(|| format!("{owner} has no tax report {report}"))?;
            let findings = found.reason.findings.iter().map(|finding| format!("  {finding}"));
            let reason = Some(found.reason.message.clone()).filter(|text| !text.is_empty());
            let lines: Vec<String> =
                std::iter::once(line(&found)).chain(reason).chain(findings).collect();
            Ok(lines.into())
        }
        TaxCommand::Flux10(asked) => {
            let of = parties(store, owner, Some(&asked.party)).await?;
            let of = of.first().map(String::as_str).unwrap_or_default();
            let now = Clock::default().now();
            Ok(france::files(store, (owner, of), asked, now).await?.into())
        }
        TaxCommand::Resubmit { report } => {
            Ok(change(store, owner, report, TaxAct::Resubmit).await?.into())
        }
        TaxCommand::Disregard { report } => {
            Ok(change(store, owner, report, TaxAct::Disregard).await?.into())
        }
    }
}

/// Whether there is such an organisation.
pub(super) async fn is_known(store: &Store, owner: &OrganisationId) -> Result<(), String> {
    let all = store.organisations().await.map_err(|error| error.to_string())?;
    if all.iter().any(|known| known.id == *owner) {
        return Ok(());
    }
    let known: Vec<&str> = all.iter().map(|known| known.id.as_str()).collect();
    Err(format!("--organisation {owner}: expected one of {}", known.join(", ")))
}

/// The keys of the parties of an organisation, or of the one that has this identifier.
async fn parties(
    store: &Store,
    owner: &OrganisationId,
    named: Option<&str>,
) -> Result<Vec<String>, String> {
    let Some(name) = named else {
        let all = store.parties_of(owner).await.map_err(|error| error.to_string())?;
        return Ok(all.into_iter().map(|party| party.id).collect());
    };
    let id: ParticipantId = name.parse().map_err(|error| format!("{name}: {error}"))?;
    let found = store.party_of_identifier(owner, &id.folded()).await;
    match found.map_err(|error| error.to_string())? {
        Some(party) => Ok(vec![party.id]),
        None => Err(format!("{owner} has no party {name}")),
    }
}

async fn list(
    store: &Store,
    owner: &OrganisationId,
    party: &str,
    unreported: bool,
) -> Result<Vec<String>, String> {
    let wanted = TaxState::ALL.into_iter().filter(|state| unreported && state.is_unreported());
    let mut filter = TaxFilter {
        organisation: owner.clone(),
        party: party.to_owned(),
        states: wanted.collect(),
        directions: Vec::new(),
        due_before: None,
        limit: 500,
        continuation: None,
    };
    let mut lines = Vec::new();
    loop {
        let page = store.tax_reports(filter.clone()).await.map_err(|error| error.to_string())?;
        lines.extend(page.items.iter().map(line));
        match page.continuation {
            Some(token) => filter.continuation = Some(token),
            None => return Ok(lines),
        }
    }
}

async fn change(
    store: &Store,
    owner: &OrganisationId,
    report: &str,
    wish: TaxAct,
) -> Result<Vec<String>, String> {
    let changed = store.change_tax_report(owner, report, wish, Clock::default().now()).await;
    match changed.map_err(|error| error.to_string())? {
        TaxChange::Made(made) => Ok(vec![line(&made)]),
        TaxChange::Unfitting(state) => {
            let word = if wish == TaxAct::Disregard { "taken back" } else { "made once more" };
            let found = store.tax_report(owner, report).await.map_err(|error| error.to_string())?;
            let act = found.map_or(TaxAct::Submit, |found| found.act);
            let (act_is, state, why) = (act.as_str(), state.as_str(), why_not(wish, act));
            Err(format!(
                "the tax report {report} ({act_is}) is {state} and cannot be {word}: {why}"
            ))
        }
        TaxChange::Replaced(by) => {
            Err(format!("the tax report {by} took the place of {report}; ask about that"))
        }
        TaxChange::Gone => Err(format!(
            "the invoice of the tax report {report} is not kept any more, so that no other one can \
             be written; tell the authority by the means that it has for that"
        )),
        TaxChange::Unknown => Err(format!("{owner} has no tax report {report}")),
    }
}

/// A report in one line: id, state, role, act, country, term, document, number.
fn line(report: &TaxReportRecord) -> String {
    let due = report.facts.due_on.map_or_else(|| "-".to_owned(), |due| due.to_string());
    [
        report.id.as_str(),
        report.state.as_str(),
        report.role.as_str(),
        report.act.as_str(),
        report.facts.country.as_deref().unwrap_or("-"),
        &due,
        report.invoice.as_str(),
        report.number.as_deref().unwrap_or("-"),
    ]
    .join("\t")
}
