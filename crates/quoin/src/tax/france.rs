//! `quoin tax … flux10`: the files of France about a period, from the store of a service that is
//! stopped: one of flux 10 about the invoices across the border, and an extract of flux 1 of each
//! domestic one. A registered platform sends them.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use quoin_delivery::{Direction, Family, OrganisationId, Status};
use quoin_store::{ListFilter, Store, TransactionRecord};
use quoin_taxdata::ReportableInvoice;
use quoin_taxdata::flux1::{ExtractLevel, extract};
use quoin_taxdata::flux10::{
    DeclarantRole, EReport, EReportContent, EReportInvoice, EReportKind, NotEReportable, write,
};

/// What a file is about, and who tells it.
#[derive(Debug, Args)]
pub(super) struct FranceFiles {
    /// The party that declares, as in 0009:73282932000074.
    pub(super) party: String,
    /// Whether it sold or bought.
    #[arg(long, value_enum, default_value = "seller")]
    role: FrenchSide,
    /// The first day of the period, in UTC.
    #[arg(long, value_name = "DAY")]
    from: Date,
    /// The last day of the period.
    #[arg(long, value_name = "DAY")]
    to: Date,
    /// The SIREN of the declarant, nine digits.
    #[arg(long)]
    siren: String,
    /// The name of the declarant.
    #[arg(long)]
    name: String,
    /// The registered number of the platform, four characters.
    #[arg(long)]
    platform: String,
    /// The name of the platform.
    #[arg(long)]
    platform_name: String,
    /// The file replaces what was told of the period before.
    #[arg(long)]
    rectifying: bool,
    /// Extracts of flux 1 have the lines, too.
    #[arg(long)]
    lines: bool,
    /// The folder for the files.
    #[arg(long, default_value = ".", value_name = "FOLDER")]
    out: PathBuf,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum FrenchSide {
    Seller,
    Buyer,
}

/// Writes the files about the party of a key; answers a line for each, and for each invoice that is
/// in none of them.
///
/// # Errors
/// The store or the folder cannot be used, or the portal would refuse the file.
pub(super) async fn files(
    store: &Store,
    of: (&OrganisationId, &str),
    asked: &FranceFiles,
    now: Timestamp,
) -> Result<Vec<String>, String> {
    let (mut lines, mut abroad) = (Vec::new(), Vec::new());
    for record in invoices(store, of, asked).await? {
        let document = record.transaction.document_id.to_string();
        let bytes = store.document(&record).await.map_err(|error| error.to_string())?;
        let bytes = bytes.ok_or_else(|| format!("{document} is no longer kept"))?;
        let parsed = quoin_formats::read(&bytes);
        let invoice = match ReportableInvoice::of(&parsed) {
            Ok(invoice) => invoice,
            Err(error) => {
                lines.push(format!("{document}: {error}"));
                continue;
            }
        };
        match EReportInvoice::of(&invoice) {
            Ok(invoice) => abroad.push(invoice),
            Err(NotEReportable::Domestic) => lines.push(domestic(&document, &invoice, asked)?),
            Err(error) => lines.push(format!("{document}: {error}")),
        }
    }
    if !abroad.is_empty() {
        let name = format!("flux10-{}-{}-{}.xml", asked.siren, asked.from, asked.to);
        let report = report(asked, abroad, now);
        let text = write(&report).map_err(|breaches| {
            let told: Vec<String> = breaches.iter().map(ToString::to_string).collect();
            format!("the portal would refuse the file:\n{}", told.join("\n"))
        })?;
        lines.push(put(&asked.out, &name, &text)?);
    }
    Ok(lines)
}

/// The invoices of the period that were delivered.
async fn invoices(
    store: &Store,
    (owner, party): (&OrganisationId, &str),
    asked: &FranceFiles,
) -> Result<Vec<TransactionRecord>, String> {
    let direction = match asked.role {
        FrenchSide::Seller => Direction::Outgoing,
        FrenchSide::Buyer => Direction::Incoming,
    };
    let start = |day: Date| day.to_zoned(TimeZone::UTC).map(|day| day.timestamp());
    let end = asked.to.tomorrow().map_err(|error| error.to_string())?;
    let mut filter = ListFilter::new(owner.clone(), direction);
    filter.party = Some(party.to_owned());
    filter.family = Some(Family::Invoice);
    filter.statuses = vec![Status::Delivered];
    filter.from = Some(start(asked.from).map_err(|error| error.to_string())?);
    filter.until = Some(start(end).map_err(|error| error.to_string())?);
    filter.limit = 500;
    let mut found = Vec::new();
    loop {
        let page = store.list(filter.clone()).await.map_err(|error| error.to_string())?;
        found.extend(page.items);
        match page.continuation {
            Some(token) => filter.continuation = Some(token),
            None => return Ok(found),
        }
    }
}

fn domestic(
    document: &str,
    invoice: &ReportableInvoice<'_>,
    asked: &FranceFiles,
) -> Result<String, String> {
    let level = if asked.lines { ExtractLevel::Full } else { ExtractLevel::Base };
    match extract(invoice, level) {
        Ok(text) => put(&asked.out, &format!("flux1-{document}.xml"), &text),
        Err(error) => Ok(format!("{document}: {error}")),
    }
}

fn report(asked: &FranceFiles, invoices: Vec<EReportInvoice>, now: Timestamp) -> EReport {
    let (kind, word) = match asked.rectifying {
        true => (EReportKind::Rectifying, "RE"),
        false => (EReportKind::Initial, "IN"),
    };
    let made = now.to_zoned(TimeZone::UTC).datetime();
    EReport {
        id: format!("{}-{word}-{}", asked.siren, made.strftime("%Y%m%d%H%M%S")),
        name: None,
        created: made,
        kind,
        platform: asked.platform.clone(),
        platform_name: asked.platform_name.clone(),
        siren: asked.siren.clone(),
        declarant_name: asked.name.clone(),
        role: match asked.role {
            FrenchSide::Seller => DeclarantRole::Seller,
            FrenchSide::Buyer => DeclarantRole::Buyer,
        },
        period: (asked.from, asked.to),
        content: EReportContent::Transactions { invoices, totals: Vec::new() },
    }
}

fn put(folder: &Path, name: &str, text: &[u8]) -> Result<String, String> {
    let path = folder.join(name);
    std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(path.display().to_string())
}
