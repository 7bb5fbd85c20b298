//! A report is written from its invoice, and judged before anybody sends it.

use bytes::Bytes;
use jiff::Timestamp;
use jiff::civil::Date;
use quoin_delivery::tax::{INCOMPLETE, INVALID, TaxAct, TaxReason, TaxRole};
use quoin_delivery::{Direction, FINDINGS_IN_EVENT};
use quoin_formats::ParsedDocument;
use quoin_identity::Announced;
use quoin_model::{ElectronicAddress, Flag, Language, ValidationStep};
use quoin_peppol::identifiers::{DocumentTypeId, ParticipantId};
use quoin_peppol::{as4, sbdh};
use quoin_store::{SubmitOptions, TaxFacts, TaxGathered};
use quoin_taxdata::{
    Assessment, CannotReport, MissingTerm, Regime, ReportableInvoice, TaxEnvelope, TaxSubmission,
    assess, build, taken_back,
};
use uuid::Uuid;

use super::exchanged::opened;
use super::{TaxProfile, TaxProfiles, france, process, reporter_role, utc_day};
use crate::plan::sentence;
use crate::rules::RuleLibrary;

/// The invoice that is reported.
#[derive(Debug, Clone)]
pub struct ReportSource {
    /// As it was uploaded or as it came.
    pub document: Bytes,
    /// The compressed envelope in which it left, where it was converted for its receiver.
    pub travelled: Option<Bytes>,
}

impl ReportSource {
    /// What its receiver has, where that is another document than the one that was uploaded.
    fn sent(&self) -> Option<ParsedDocument> {
        let envelope = as4::gunzip(self.travelled.as_ref()?).ok()?;
        let content = sbdh::read(&envelope).ok()?.content(&envelope).ok()?.into_owned();
        Some(quoin_formats::read(&content))
    }
}

/// What a report is written from, beside its invoice.
#[derive(Debug, Clone)]
pub struct ReportInput {
    /// What was asked beside the invoice when it was uploaded.
    pub wishes: SubmitOptions,
    /// Which way it went.
    pub direction: Direction,
    /// In which corner it is reported.
    pub role: TaxRole,
    /// What the report is to the authority.
    pub act: TaxAct,
    /// The participant that is reported for.
    pub reporter: ParticipantId,
    /// The digits of our seat id.
    pub seat: String,
    /// The instance identifier of the envelope in which the invoice travelled.
    pub envelope: Option<String>,
    /// The process in which the invoice was exchanged, `scheme::value`, where that is known.
    pub process: Option<String>,
    /// The UUID of the report (TDT-003).
    pub uuid: Uuid,
    /// What the switch of the party says; `None` where it says nothing.
    pub switch: Option<bool>,
    /// When it became owed: the invoice was delivered or came.
    pub owed_on: Timestamp,
    /// The day on which it became owed.
    pub day: Date,
    /// When it is written.
    pub now: Timestamp,
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WrittenReport {
    /// No profile asks for it.
    Unasked,
    /// Nothing is to be reported, with the reason.
    NothingOwed(String),
    /// It cannot be written.
    Unwritable(TaxFacts, TaxReason),
    /// It is written.
    Written(TaxFacts, Vec<u8>),
    /// It waits for the file of its period.
    Gathered(TaxFacts, TaxGathered),
}

/// Writes the report of an invoice, and judges it by the rules of its regime. The authority is told
/// of what the receiver has, of which corner 3 tells it as well; the platform of France of what the
/// seller wrote, since its cases (BT-23) are no processes of the network.
pub fn write(
    source: &ReportSource,
    input: &ReportInput,
    profiles: &TaxProfiles,
    rules: &RuleLibrary,
) -> WrittenReport {
    let sent = source.sent();
    if let Some(sent) = sent.as_ref().filter(|_| !france::asks(input, profiles)) {
        return write_of((sent, None), input, profiles, rules);
    }
    let parsed = opened(&source.document, input.direction, &input.wishes);
    write_of((&parsed, sent.as_ref()), input, profiles, rules)
}

/// The same of an invoice that came and was read.
pub(crate) fn write_read(
    parsed: &ParsedDocument,
    input: &ReportInput,
    profiles: &TaxProfiles,
    rules: &RuleLibrary,
) -> WrittenReport {
    write_of((parsed, None), input, profiles, rules)
}

fn write_of(
    (parsed, sent): (&ParsedDocument, Option<&ParsedDocument>),
    input: &ReportInput,
    profiles: &TaxProfiles,
    rules: &RuleLibrary,
) -> WrittenReport {
    let written = ReportableInvoice::of(parsed);
    if let Ok(invoice) = &written
        && france::is_asked(invoice, input, profiles)
    {
        return france::write(invoice, input, profiles);
    }
    let sent = sent.and_then(|sent| ReportableInvoice::of(sent).ok());
    match sent.map_or(written, Ok) {
        Ok(invoice) => {
            let process = input.process.as_deref().and_then(|process| process.split_once("::"));
            let invoice = invoice.exchanged_in(process.map(|(_, process)| process));
            write_tax_data(&invoice, input, profiles, rules)
        }
        Err(error) => WrittenReport::NothingOwed(sentence(&error.to_string())),
    }
}

/// The tax data document of an invoice.
fn write_tax_data(
    invoice: &ReportableInvoice<'_>,
    input: &ReportInput,
    profiles: &TaxProfiles,
    rules: &RuleLibrary,
) -> WrittenReport {
    let Some(profile) = profile(invoice, input, profiles) else {
        return unasked(invoice, input);
    };
    // What was reported once can be repeated and taken back whatever the switch says by now.
    let is_off = input.switch.map_or(profile.chosen_parties, |is_on| !is_on);
    let is_first = matches!(input.act, TaxAct::Submit | TaxAct::Undelivered);
    // Not every authority wants to hear of what could not be transmitted.
    if is_off && is_first || submission(input.act).code(profile.regime).is_none() {
        return WrittenReport::Unasked;
    }
    let mut facts = chosen(profile, input);
    let role = reporter_role(input.role);
    let Assessment { scope, invoice_uuid, .. } = match assess(invoice, profile.regime, role) {
        Ok(assessed) => assessed,
        Err(missing) => return incomplete(facts, &missing),
    };
    facts.scope = Some(scope.code().to_owned());
    facts.invoice_uuid = Some(invoice_uuid.to_string());
    if !profile.reaches(scope) {
        let text = format!(
            "Invoices of the reach {} are not reported to {}.",
            scope.code(),
            profile.country
        );
        return WrittenReport::NothingOwed(text);
    }
    let reporter = ElectronicAddress {
        scheme: input.reporter.icd().to_owned(),
        value: input.reporter.value().to_owned(),
    };
    let envelope = TaxEnvelope {
        uuid: input.uuid,
        issued: input.now,
        submission: submission(input.act),
        authority: &profile.named,
        reporter: &reporter,
        receiver: profile.authority.value(),
        representative: &input.seat,
        transmission: input.envelope.as_deref().and_then(|id| Uuid::try_parse(id).ok()),
        transport_header: input.envelope.as_deref(),
        received: (input.direction == Direction::Incoming).then_some(input.owed_on),
    };
    match build(profile.regime, role, invoice, &envelope) {
        Ok(built) => judged(facts, built.xml, &profile.document_type, (input.day, rules)),
        Err(missing) => incomplete(facts, &missing),
    }
}

/// Writes the report that takes back one which went over the network, from its message and what was
/// chosen for it; `None` where that is no report of a regime.
pub(crate) fn take_back(
    message: &Bytes,
    facts: TaxFacts,
    (uuid, now): (Uuid, Timestamp),
    rules: &RuleLibrary,
) -> Option<WrittenReport> {
    let regime = facts.regime.as_deref().and_then(Regime::named)?;
    let document_type: DocumentTypeId = facts.document_type.as_deref()?.parse().ok()?;
    let report = std::str::from_utf8(message).ok()?;
    let xml = taken_back(report, regime, uuid, now)?.into_bytes();
    let facts = TaxFacts { data_uuid: Some(uuid.to_string()), ..facts };
    Some(judged(facts, xml, &document_type, (utc_day(now), rules)))
}

/// Each term that is missing, by its number and in words.
fn incomplete(facts: TaxFacts, missing: &CannotReport) -> WrittenReport {
    let term = |term: &MissingTerm| format!("{} {}", term.term, term.words(Language::En));
    let findings = missing.missing.iter().take(FINDINGS_IN_EVENT).map(term).collect();
    unwritable(facts, INCOMPLETE, &missing.to_string(), findings)
}

/// The profile of the country whose number the party has; of an invoice outside VAT, which has no
/// number, that of the country which its regime takes. Of several for one country it is the newest
/// whose reach the invoice has; where none has it, the newest, which says so.
fn profile<'p>(
    invoice: &ReportableInvoice<'_>,
    input: &ReportInput,
    profiles: &'p TaxProfiles,
) -> Option<&'p TaxProfile> {
    let role = reporter_role(input.role);
    let assessed = |row: &TaxProfile| assess(invoice, row.regime, role).ok();
    let rows: Vec<&TaxProfile> = match invoice.reporting_country(role) {
        Some(country) => profiles.of_country(&country, input.role, input.owed_on).collect(),
        None => {
            let rows = profiles.rows(input.role, input.owed_on);
            rows.filter(|row| assessed(row).is_some_and(|found| found.country == row.country))
                .collect()
        }
    };
    // One that cannot be judged is told as lacking what its report needs.
    let has_it = |row: &TaxProfile| assessed(row).is_none_or(|found| row.reaches(found.scope));
    rows.iter().find(|row| has_it(row)).or(rows.first()).copied()
}

/// An invoice that no profile is for is forgotten; of one without a number the reason is kept.
fn unasked(invoice: &ReportableInvoice<'_>, input: &ReportInput) -> WrittenReport {
    match invoice.reporting_country(reporter_role(input.role)) {
        Some(_) => WrittenReport::Unasked,
        None => WrittenReport::NothingOwed(
            "The invoice has no VAT number of the party that would be reported for.".to_owned(),
        ),
    }
}

fn chosen(profile: &TaxProfile, input: &ReportInput) -> TaxFacts {
    TaxFacts {
        country: Some(profile.country.clone()),
        regime: Some(profile.regime.as_str().to_owned()),
        scope: None,
        authority: Some(profile.authority.to_string()),
        document_type: Some(profile.document_type.to_string()),
        reporter: Some(input.reporter.to_string()),
        invoice_uuid: None,
        data_uuid: Some(input.uuid.to_string()),
        due_on: Some(profile.due_on(input.role, input.owed_on)),
        channel: None,
    }
}

fn submission(act: TaxAct) -> TaxSubmission {
    match act {
        TaxAct::Submit => TaxSubmission::Submit,
        TaxAct::Resubmit => TaxSubmission::Resubmit,
        TaxAct::Disregard => TaxSubmission::Disregard,
        TaxAct::Undelivered => TaxSubmission::FailedTransmission,
    }
}

/// A report goes out only where no rule of its regime is broken.
fn judged(
    facts: TaxFacts,
    xml: Vec<u8>,
    document_type: &DocumentTypeId,
    (day, rules): (Date, &RuleLibrary),
) -> WrittenReport {
    let parsed: ParsedDocument = quoin_formats::read(&xml);
    let announced = Announced { document_type: Some(document_type.clone()), process: process() };
    let identity = quoin_identity::decide(parsed.detection(), &announced, day);
    let report = rules.validate(&parsed, &identity, day);
    let broken = report
        .findings
        .iter()
        .filter(|finding| finding.flag == Flag::Fatal && finding.step != ValidationStep::Routing);
    let findings: Vec<String> = broken
        .take(FINDINGS_IN_EVENT)
        .map(|finding| {
            let place = finding.location.as_ref().map(|place| place.xpath.as_str());
            format!("{} {} {}", finding.rule, place.unwrap_or_default(), finding.message)
        })
        .collect();
    match findings.first() {
        None => WrittenReport::Written(facts, xml),
        Some(first) => {
            let message = format!("It breaks a rule of its regime: {first}");
            unwritable(facts, INVALID, &message, findings)
        }
    }
}

pub(super) fn unwritable(
    facts: TaxFacts,
    code: &'static str,
    message: &str,
    findings: Vec<String>,
) -> WrittenReport {
    let (code, message) = (Some(code.to_owned()), message.to_owned());
    WrittenReport::Unwritable(facts, TaxReason { code, message, findings })
}
