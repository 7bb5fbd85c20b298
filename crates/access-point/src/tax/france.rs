//! What France is told: by a registered platform, to which a hook hands an extract of each domestic
//! invoice (flux 1), and for each period a file about sales and purchases across the border and
//! sales to consumers (flux 10).

use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp};
use quoin_delivery::FINDINGS_IN_EVENT;
use quoin_delivery::tax::{INCOMPLETE, INVALID, TaxAct, TaxReason, TaxRole};
use quoin_model::Language;
use quoin_store::{TaxFacts, TaxGathered, TaxReportRecord};
use quoin_taxdata::assumed::FLUX_1_HOURS;
use quoin_taxdata::flux1::{ExtractLevel, NoExtract, extract};
use quoin_taxdata::flux10::{
    DOCUMENT_TYPE, EReportBreach, FilePeriod, FilePlatform, FileTerms, FrenchFlux, GatheredInvoice,
    NotEReportable, NotGathered, write_gathered,
};
use quoin_taxdata::{MissingTerm, ReportableInvoice};
use serde::{Deserialize, Serialize};

use super::writing::{ReportInput, WrittenReport, unwritable};
use super::{TaxProfiles, reporter_role};
use crate::config::TaxProfileRow;
use crate::plan::sentence;

/// The country.
pub const FRANCE: &str = "FR";
/// The scheme of registered platforms.
const PLATFORM: &str = "0238";

/// By which text of France something is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FrenchText {
    /// An extract of each domestic invoice, by the seller.
    Flux1(ExtractLevel),
    /// A file about a period.
    Flux10(FilePeriod),
}

impl FrenchText {
    /// Its stable name.
    pub fn as_str(self) -> &'static str {
        match self {
            FrenchText::Flux1(_) => "flux1",
            FrenchText::Flux10(_) => "flux10",
        }
    }

    /// What it tells of.
    fn flux(self) -> FrenchFlux {
        match self {
            FrenchText::Flux1(_) => FrenchFlux::Extract,
            FrenchText::Flux10(_) => FrenchFlux::File,
        }
    }

    fn document_type(self) -> String {
        match self {
            FrenchText::Flux1(level) => level.document_type(),
            FrenchText::Flux10(_) => DOCUMENT_TYPE.to_owned(),
        }
    }
}

/// What is told to the platform of France.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FrenchProfile {
    roles: Vec<TaxRole>,
    /// By which text.
    pub text: FrenchText,
    /// The id of the hook that hands it over: of the party, else of its organisation.
    pub channel: String,
    platform: String,
    platform_name: String,
    pub(super) from: Option<Date>,
    term: Option<SignedDuration>,
    chosen_parties: bool,
}

/// What is kept of an invoice until the file of its period is written.
#[derive(Debug, Serialize, Deserialize)]
struct FileEntry {
    first: Date,
    last: Date,
    invoice: GatheredInvoice,
}

impl FrenchProfile {
    /// What is wrong was told when the configuration was read.
    pub(super) fn of(row: &TaxProfileRow) -> Option<FrenchProfile> {
        let level = if row.lines { ExtractLevel::Full } else { ExtractLevel::Base };
        let period = row.period.as_deref().map_or(Some(FilePeriod::TenDays), FilePeriod::named)?;
        let text = match row.regime.as_str() {
            "flux1" => FrenchText::Flux1(level),
            "flux10" => FrenchText::Flux10(period),
            _ => return None,
        };
        let roles = row.roles.iter().filter_map(|role| TaxRole::named(role));
        let hours = |hours: u64| SignedDuration::from_hours(i64::try_from(hours).unwrap_or(0));
        Some(FrenchProfile {
            roles: roles.filter(|role| text.flux().is_told_by(reporter_role(*role))).collect(),
            text,
            channel: row.channel.clone()?,
            platform: row.platform.clone()?,
            platform_name: row.platform_name.clone().or_else(|| row.platform.clone())?,
            from: row.from.as_deref().and_then(|day| day.parse().ok()),
            term: row.term_hours.map(hours),
            chosen_parties: row.chosen_parties,
        })
    }

    pub(super) fn is_for(&self, role: TaxRole, on: Date) -> bool {
        self.roles.contains(&role) && self.from.is_none_or(|from| from <= on)
    }

    fn due_on(&self, owed_on: Timestamp) -> Timestamp {
        let within = |term| owed_on.saturating_add(term).unwrap_or(Timestamp::MAX);
        match (self.text, self.term) {
            (FrenchText::Flux1(_), term) => {
                within(term.unwrap_or(SignedDuration::from_hours(FLUX_1_HOURS)))
            }
            (FrenchText::Flux10(period), None) => period.at(owed_on).due,
            (FrenchText::Flux10(period), Some(term)) => {
                period.at(owed_on).written.saturating_add(term).unwrap_or(Timestamp::MAX)
            }
        }
    }

    fn facts(&self, input: &ReportInput, scope: &str) -> TaxFacts {
        TaxFacts {
            country: Some(FRANCE.to_owned()),
            regime: Some(self.text.as_str().to_owned()),
            scope: Some(scope.to_owned()),
            authority: Some(format!("{PLATFORM}:{}", self.platform)),
            document_type: Some(self.text.document_type()),
            reporter: Some(input.reporter.to_string()),
            invoice_uuid: None,
            data_uuid: Some(input.uuid.to_string()),
            due_on: Some(self.due_on(input.owed_on)),
            channel: Some(self.channel.clone()),
        }
    }
}

/// Whether there is a row of France for this corner.
pub(super) fn asks(input: &ReportInput, profiles: &TaxProfiles) -> bool {
    profiles.french.iter().any(|row| row.is_for(input.role, input.day))
}

/// Whether France wants to hear of an invoice from this corner: its client has a French VAT number,
/// and there is a row.
pub(super) fn is_asked(
    invoice: &ReportableInvoice<'_>,
    input: &ReportInput,
    profiles: &TaxProfiles,
) -> bool {
    asks(input, profiles)
        && FrenchFlux::of(invoice, reporter_role(input.role)) != FrenchFlux::Untold
}

/// Writes the extract of an invoice, or what of it waits for the file of its period.
pub(super) fn write(
    invoice: &ReportableInvoice<'_>,
    input: &ReportInput,
    profiles: &TaxProfiles,
) -> WrittenReport {
    let flux = FrenchFlux::of(invoice, reporter_role(input.role));
    let mut rows = profiles.french.iter().filter(|row| row.is_for(input.role, input.day));
    let Some(profile) = rows.find(|row| row.text.flux() == flux) else {
        return WrittenReport::Unasked;
    };
    if input.switch.map_or(profile.chosen_parties, |is_on| !is_on) {
        return WrittenReport::Unasked;
    }
    match input.act {
        TaxAct::Submit | TaxAct::Resubmit => {}
        TaxAct::Undelivered => return WrittenReport::Unasked,
        TaxAct::Disregard => {
            let why = "The portal of France has no message that takes back what it was told: a \
                       credit note or a correction of the invoice tells it.";
            return WrittenReport::NothingOwed(why.to_owned());
        }
    }
    match profile.text {
        FrenchText::Flux1(level) => {
            let facts = profile.facts(input, "D");
            match extract(invoice, level) {
                Ok(xml) => WrittenReport::Written(facts, xml),
                Err(NoExtract::NotReportable(error)) => lacking(facts, &error),
                Err(NoExtract::Refused(breaches)) => refused(facts, &breaches),
                Err(error @ NoExtract::NotDomestic) => {
                    WrittenReport::NothingOwed(sentence(&error.to_string()))
                }
            }
        }
        FrenchText::Flux10(period) => gathered(profile, invoice, input, period.at(input.owed_on)),
    }
}

fn gathered(
    profile: &FrenchProfile,
    invoice: &ReportableInvoice<'_>,
    input: &ReportInput,
    terms: FileTerms,
) -> WrittenReport {
    let found = GatheredInvoice::of(invoice, reporter_role(input.role));
    let facts = profile.facts(input, "INTL");
    let invoice = match found {
        Ok(invoice) => invoice,
        Err(NotGathered::NotReportable(error)) => return lacking(facts, &error),
        Err(NotGathered::Refused(breaches)) => return refused(facts, &breaches),
    };
    let facts = match invoice.is_of_consumer() {
        true => TaxFacts { scope: Some("B2C".to_owned()), ..facts },
        false => facts,
    };
    let declarant = format!("{} {}", invoice.role.code(), invoice.siren);
    let entry = FileEntry { first: terms.first, last: terms.last, invoice };
    match serde_json::to_string(&entry) {
        Ok(told) => {
            WrittenReport::Gathered(facts, TaxGathered { declarant, until: terms.written, told })
        }
        Err(error) => unwritable(facts, INVALID, &error.to_string(), Vec::new()),
    }
}

/// The period and what is told of an invoice, as a report kept it.
pub(super) fn kept_of(report: &TaxReportRecord) -> Option<(Date, Date, GatheredInvoice)> {
    let kept = report.gathered.as_ref()?;
    let FileEntry { first, last, invoice } = serde_json::from_str(&kept.told).ok()?;
    Some((first, last, invoice))
}

fn lacking(facts: TaxFacts, error: &NotEReportable) -> WrittenReport {
    let finding = |term: &MissingTerm| format!("{} {}", term.term, term.words(Language::En));
    let findings = match error {
        NotEReportable::Lacks(term) => vec![finding(term)],
        NotEReportable::Domestic => Vec::new(),
    };
    unwritable(facts, INCOMPLETE, &sentence(&error.to_string()), findings)
}

fn refused(facts: TaxFacts, breaches: &[EReportBreach]) -> WrittenReport {
    let findings: Vec<String> =
        breaches.iter().take(FINDINGS_IN_EVENT).map(EReportBreach::line).collect();
    let first = findings.first().cloned().unwrap_or_default();
    unwritable(facts, INVALID, &format!("The portal would refuse it: {first}."), findings)
}

/// The file of a period.
///
/// # Errors
/// Why it cannot be written.
pub fn write_file(
    members: &[TaxReportRecord],
    profile: &FrenchProfile,
    now: Timestamp,
) -> Result<Vec<u8>, TaxReason> {
    let mut entries = Vec::new();
    for member in members {
        let told = member.gathered.as_ref().map(|gathered| gathered.told.as_str());
        match serde_json::from_str::<FileEntry>(told.unwrap_or_default()) {
            Ok(entry) => entries.push(entry),
            Err(error) => return Err(unfiled(&format!("{}: {error}", member.invoice), Vec::new())),
        }
    }
    let Some((first, last)) = entries.first().map(|entry| (entry.first, entry.last)) else {
        return Err(unfiled("There is nothing to be told.", Vec::new()));
    };
    let invoices: Vec<GatheredInvoice> = entries.into_iter().map(|entry| entry.invoice).collect();
    let leader = members.first().map(|member| member.id.as_str()).unwrap_or_default();
    let siren = invoices.first().map(|invoice| invoice.siren.as_str()).unwrap_or_default();
    // The same file again has the same identifier.
    let short: String = leader.chars().filter(|own| *own != '-').skip(16).collect();
    let id = format!("{siren}-{}-{short}", last.strftime("%Y%m%d"));
    let platform = FilePlatform { number: &profile.platform, name: &profile.platform_name };
    write_gathered(&id, &invoices, (first, last), platform, now).map_err(|breaches| {
        let findings: Vec<String> =
            breaches.iter().take(FINDINGS_IN_EVENT).map(EReportBreach::line).collect();
        let first = findings.first().cloned().unwrap_or_default();
        unfiled(&format!("The portal would refuse the file: {first}."), findings)
    })
}

fn unfiled(message: &str, findings: Vec<String>) -> TaxReason {
    TaxReason { code: Some(INVALID.to_owned()), message: message.to_owned(), findings }
}
