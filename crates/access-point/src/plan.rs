//! From an uploaded document to what will be sent: checked, addressed and enveloped.
//!
//! Everything here is derived from the document and what was asked beside it, so that every
//! attempt, today or after a crash, builds the same envelope with the same identifiers. Which kind
//! of document names its two ends where is a table ([`quoin_formats::routing::ADDRESSES`]); which
//! type and process it has is decided by [`quoin_identity`].

mod address;
mod carried;
mod converted;
mod courses;
mod described;
mod elsewhere;
mod known;
mod opened;
mod shown;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use quoin_delivery::{Event, FINDINGS_IN_EVENT, Family, FindingLine};
use quoin_formats::Syntax;
use quoin_formats::routing::{InjectError, Routing, with_receiver};
use quoin_formats::{Detection, ParsedDocument};
use quoin_identity::{Announced, Disagreement, ExchangeTerms};
use quoin_model::{ElectronicAddress, Flag, ValidationStep};
use quoin_peppol::identifiers::{DocumentTypeId, ParticipantId, ProcessId};
use quoin_peppol::sbdh::{CountryC1, MlsType, Sbdh};
use quoin_rules::{Report, Verdict, own};
use quoin_store::SubmitOptions;

use address::address;
pub(crate) use address::is_another_sender;
pub use carried::{CarriedForm, NotCarried, carried};
pub use converted::{CONVERSION, ConversionRecord, ConvertedPlan, LOSS, converted};
pub use courses::other_course;
pub use elsewhere::not_as_it_is;
pub use known::DocumentSummary;
pub use opened::OutboundPayload;
pub use opened::{OpenedUpload, open};
pub use shown::{may_show_a_secret, shown_secret};

use crate::rules::RuleLibrary;

/// Under which name it is told that nobody judged a document.
pub(crate) const NOT_JUDGED: &str = "QUOIN-NOT-JUDGED";

/// What the clauses of XML Schema begin with.
const CLAUSE: &str = "cvc-";

/// What there is to plan.
#[derive(Debug, Clone, Copy)]
pub struct PlanInput<'a> {
    /// The document as it was uploaded.
    pub document: &'a [u8],
    /// The identifiers of the party that it was uploaded for.
    pub own: &'a [ParticipantId],
    /// The country of that party, where the document has none.
    pub country: Option<&'a str>,
    /// What was asked beside it.
    pub wishes: &'a SubmitOptions,
    /// What it was uploaded as; [`Family::Document`] for anything.
    pub family: Family,
    /// The day whose rules apply.
    pub on: Timestamp,
}

/// An outgoing document that can be routed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// Corner 1.
    pub sender: ParticipantId,
    /// Corner 4.
    pub receiver: ParticipantId,
    /// What it is.
    pub document_type: DocumentTypeId,
    /// The kind of business.
    pub family: Family,
    /// In which process it is exchanged.
    pub process: ProcessId,
    /// The country of corner 1.
    pub country: CountryC1,
    /// The document's own number.
    pub number: Option<String>,
    /// Its day of issue.
    pub issued_on: Option<String>,
    /// Its type code.
    pub type_code: Option<String>,
    /// One line for the timeline: what was checked.
    pub summary: String,
    /// The document with another receiver in it, where one was asked for.
    pub rewritten: Option<Vec<u8>>,
    /// Which statuses are asked for, and where they are wanted.
    pub statuses: (Option<MlsType>, Option<ParticipantId>),
    /// What travels.
    pub payload: OutboundPayload,
    /// What corner 4 takes out of it.
    pub content: PlannedContent,
}

/// What a look at a document told of its bytes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlannedContent {
    /// Its syntax, if it is a known one.
    pub syntax: Option<Syntax>,
    /// Its format by name.
    pub format: Option<String>,
}

/// What a look at a document came to.
#[derive(Debug)]
pub struct Planned {
    /// What was found in it.
    pub report: Report,
    /// The family of an invoice or order of a format of its own, which the network does not take
    /// and which can be converted.
    pub convertible: Option<Family>,
    /// Of such a one: where it goes over a channel beside the network, or why it does not.
    pub elsewhere: Option<Result<Plan, Box<Event>>>,
    /// What is known of it, whether it can be sent or not.
    pub known: DocumentSummary,
    /// Where it goes, or [`Event::Rejected`] with the findings: it is wrong, or addressed wrongly.
    pub plan: Result<Plan, Box<Event>>,
}

impl PlannedContent {
    /// What was seen of a document.
    pub fn of(detection: &Detection) -> PlannedContent {
        let format = detection.format.as_deref().map(str::to_owned);
        PlannedContent { syntax: detection.syntax, format }
    }
}

impl Plan {
    /// What it says about itself.
    pub fn known(&self) -> DocumentSummary {
        DocumentSummary::of(self)
    }

    /// What the filters of channels look at.
    pub fn facts(&self, family: Family) -> BTreeMap<String, String> {
        self.known().facts(family)
    }
}

/// Checks a document and derives where it goes.
///
/// # Errors
/// [`Event::Rejected`] with the findings: the document is wrong, or addressed wrongly.
pub fn plan(ask: &PlanInput<'_>, rules: &RuleLibrary) -> Result<Plan, Box<Event>> {
    judged(ask, rules).plan
}

/// As [`plan`], with the report on which it stands and what is known of the document anyway.
pub fn judged(ask: &PlanInput<'_>, rules: &RuleLibrary) -> Planned {
    let mut opened = open(ask.document, ask.wishes);
    let rewritten = match opened.payload {
        OutboundPayload::Document => rewritten(&opened.parsed, ask.wishes),
        // What is around or in place of a document is not ours to change.
        _ => Ok(None),
    };
    if let Ok(Some(bytes)) = &rewritten {
        opened.parsed = quoin_formats::read(bytes);
    }
    let on = ask.on.to_zoned(TimeZone::UTC).date();
    let announced = opened.announced(ask.wishes);
    let parsed = &opened.parsed;
    // What was asked beside a document that is to be sent never changes by what it is judged.
    let own = quoin_identity::decide(parsed.detection(), &Announced::default(), on);
    let mut report = rules.validate(parsed, &own, on);
    let identity = quoin_identity::decide(opened.detection(), &announced, on);
    let routing = opened.routing();
    let other_receiver = routing.as_ref().and_then(|routing| opened.other_receiver(routing));
    report.findings.extend(other_receiver.filter(|own| !report.has(&own.rule)));
    // One that is refused because it cannot be read says who it is all the same.
    let glimpse = opened.parsed.glimpse();
    let seen = glimpse.as_ref().or(routing.as_ref());
    let known = DocumentSummary::seen(ask, opened.payload.header(), seen, &identity);
    let disagreements = identity.exchange.as_ref().err().map_or(&[][..], Vec::as_slice);
    let convertible = elsewhere::convertible(&opened, &report, disagreements);
    let foreign = routing.as_ref().filter(|_| convertible.is_some()).and_then(|routing| {
        let is_self_billing = opened.detection().self_billing;
        address::own_sender_of_source(ask, routing, is_self_billing).err()
    });
    let convertible = convertible.filter(|_| foreign.is_none());
    let broken = convertible.and_then(|_| {
        described::broken(ask, (&opened.parsed, on), known.receiver.as_deref(), rules)
    });
    let convertible = convertible.filter(|_| broken.is_none());
    let lacks_receiver = convertible.is_some() && known.receiver.is_none();
    // Who takes it in which form cannot be asked, and that is what its sender can mend.
    let exchange = identity.exchange.map_err(|reasons| match lacks_receiver {
        true => elsewhere::no_receiver(&report),
        false => disagreeing(&reasons),
    });
    let plan = rewritten.and_then(|rewritten| {
        foreign.or(broken).map_or(Ok(()), Err)?;
        opened.check(ask.wishes)?;
        let mut plan = planned(ask, routing.as_ref(), (&report, rules), exchange, &opened.payload)?;
        plan.rewritten = rewritten;
        plan.content = PlannedContent::of(opened.detection());
        Ok(plan)
    });
    let beside = convertible.filter(|_| plan.is_err());
    let beside = beside.map(|family| elsewhere::elsewhere(ask, family, &known, (&report, rules)));
    Planned { report, convertible, elsewhere: beside, known, plan }
}

/// What was asked beside a document. What cannot be read was refused when it was taken.
pub(crate) fn announced(wishes: &SubmitOptions) -> Announced {
    let document_type = wishes.document_type.as_deref().and_then(|text| text.parse().ok());
    let process = wishes.process.as_deref().and_then(|text| text.parse().ok());
    Announced { document_type, process }
}

fn planned(
    ask: &PlanInput<'_>,
    routing: Option<&Routing>,
    (report, rules): (&Report, &RuleLibrary),
    exchange: Result<ExchangeTerms, Box<Event>>,
    payload: &OutboundPayload,
) -> Result<Plan, Box<Event>> {
    let Some(routing) = routing else { return Err(rejected(report)) };
    match report.verdict() {
        Verdict::NotValid => return Err(rejected(report)),
        Verdict::Unroutable if !lacks_places(ask, report) => return Err(rejected(report)),
        Verdict::NotJudged if rules.refuses(report) => return Err(not_judged(report)),
        _ => {}
    }
    let plan = address(ask, routing, exchange?, payload)?;
    Ok(Plan { summary: summary(report), ..plan })
}

/// Whether the addresses that a document lacks are known beside it: one in CII often has none,
/// since a hybrid is written to be read by people.
fn lacks_places(ask: &PlanInput<'_>, report: &Report) -> bool {
    let mut routing = report.fatal().filter(|finding| finding.step == ValidationStep::Routing);
    report.detection.syntax == Some(Syntax::Cii)
        && !ask.own.is_empty()
        && routing.all(|finding| finding.rule == own::ENDPOINT_MISSING.id)
}

/// Why a document that nobody judged is not sent.
fn not_judged(report: &Report) -> Box<Event> {
    let what = named(report);
    let text = format!(
        "No rules that are here judge {what}, and this service does not send what nobody judged. \
         Register the official rules (quoin rules add), or have the operator set \
         validation.unjudged."
    );
    rejection(NOT_JUDGED, text)
}

/// Why a document has no type or process on the network.
fn disagreeing(reasons: &[Disagreement]) -> Box<Event> {
    let text = |reason: &Disagreement| sentence(&reason.to_string());
    let findings = reasons
        .iter()
        .map(|reason| FindingLine {
            rule: reason.rule().to_owned(),
            path: String::new(),
            text: text(reason),
        })
        .collect();
    let summary = reasons.iter().map(text).collect::<Vec<_>>().join(" ");
    Box::new(Event::Rejected { summary, findings })
}

/// A reason as a sentence.
pub(crate) fn sentence(reason: &str) -> String {
    let mut letters = reason.chars();
    let first = letters.next().map(char::to_uppercase);
    let end = if reason.ends_with(['.', '?']) { "" } else { "." };
    first.into_iter().flatten().chain(letters).chain(end.chars()).collect()
}

/// The document with the receiver that was asked for.
fn rewritten(
    parsed: &ParsedDocument,
    wishes: &SubmitOptions,
) -> Result<Option<Vec<u8>>, Box<Event>> {
    let Some(receiver) = &wishes.receiver else { return Ok(None) };
    let Ok(receiver) = receiver.parse::<ParticipantId>() else { return Ok(None) };
    if !receiver.is_of_peppol() {
        // The document keeps the receiver that it has in the network.
        return Ok(None);
    }
    let (scheme, value) = (receiver.icd().to_owned(), receiver.value().to_owned());
    match with_receiver(parsed, &ElectronicAddress { scheme, value }) {
        // The envelope names the receiver all the same.
        Err(InjectError::NoPlace) => Ok(None),
        Err(error) => Err(rejection("QUOIN-RECEIVER", format!("receiverId: {error}."))),
        Ok(written) => Ok(written),
    }
}

/// What a document is called in sentences.
fn named(report: &Report) -> &str {
    let profile = report.profile.as_deref().or(report.detection.profile.as_deref());
    let local = report.detection.root.as_ref().map(|root| root.local.as_str());
    profile.or(local).unwrap_or("document")
}

fn summary(report: &Report) -> String {
    let sets: Vec<&str> = report.rule_sets.iter().map(AsRef::as_ref).collect();
    let warnings = report.findings.iter().filter(|f| f.flag == Flag::Warning).count();
    let what = named(report);
    let mut text = match report.verdict() {
        Verdict::NotJudged => format!("Not judged: this service has no rules for {what}"),
        _ if sets.is_empty() => format!("Valid {what}"),
        _ => format!("Valid {what} by the rules {}", sets.join(", ")),
    };
    text.push_str(&match warnings {
        0 => ".".to_owned(),
        1 => "; 1 warning.".to_owned(),
        many => format!("; {many} warnings."),
    });
    // Who gets it is nobody's guess.
    if let Some(other) = report.findings.iter().find(|own| own.rule == opened::OTHER_RECEIVER) {
        text.push_str(&format!(" {}: {}", other.rule, other.message));
    }
    text
}

/// The findings of a report that an event tells. A clause of XML Schema says less than a rule about
/// the same place, and stands behind it.
pub(crate) fn told(report: &Report) -> Vec<FindingLine> {
    let found = report.fatal().take(FINDINGS_IN_EVENT).map(FindingLine::from);
    let (clauses, mut told): (Vec<FindingLine>, Vec<FindingLine>) =
        found.partition(|line| line.rule.starts_with(CLAUSE));
    let is_said = |line: &FindingLine| told.iter().any(|own| own.path == line.path);
    let (behind, before): (Vec<_>, Vec<_>) = clauses.into_iter().partition(is_said);
    told.splice(0..0, before);
    told.extend(behind);
    told
}

fn rejected(report: &Report) -> Box<Event> {
    let findings = told(report);
    let summary = listed(&findings);
    Box::new(Event::Rejected { summary, findings })
}

/// Findings in a sentence: the first one, and how many there are. A clause of XML Schema says less
/// than the words about it, and stands behind them.
fn listed(findings: &[FindingLine]) -> String {
    let Some((first, rest)) = findings.split_first() else {
        return "The document is not valid.".to_owned();
    };
    let FindingLine { rule, text, .. } = first;
    let said = match rule.starts_with(CLAUSE) {
        true => format!("{text} ({rule})"),
        false => format!("{rule}: {text}"),
    };
    if rest.is_empty() { said } else { format!("{said} (and {} more)", rest.len()) }
}

/// A finding about the document as a whole.
pub(crate) fn rejection(rule: &str, text: String) -> Box<Event> {
    let path = String::new();
    let finding = FindingLine { rule: rule.to_owned(), path, text: text.clone() };
    Box::new(Event::Rejected { summary: text, findings: vec![finding] })
}

impl Plan {
    /// The header of the envelope: that of the caller's own, or one of ours.
    pub fn sbdh(&self, instance: String, created: Timestamp) -> Sbdh {
        if let Some(header) = self.payload.header() {
            return header.clone();
        }
        Sbdh {
            sender: self.sender.clone(),
            receiver: self.receiver.clone(),
            document_type: self.document_type.clone(),
            process: self.process.clone(),
            instance,
            created,
            country: self.country,
            mls_to: self.statuses.1.clone(),
            mls_type: self.statuses.0,
            others: Vec::new(),
        }
    }
}
