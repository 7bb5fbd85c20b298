//! A document in the form that its receiver takes: converted to each of the best offers, judged
//! again, and the one that loses least.

use bytes::Bytes;
use quoin_delivery::{Event, FINDINGS_IN_EVENT, FindingLine};
use quoin_formats::convert::{
    ConversionRequest, ConversionTally, Converted, Loss, LossKind, LossPolicy, convert_at,
};
use quoin_formats::readers::TermPlaces;
use quoin_formats::routing::{RoutingEnd, with_endpoint};
use quoin_formats::{DocumentKind, ParsedDocument};
use quoin_identity::{ProcessOffer, profile_of};
use quoin_model::{ElectronicAddress, Finding};
use quoin_peppol::identifiers::{DocumentTypeId, ParticipantId};
use quoin_rules::Report;
use quoin_store::SubmitOptions;
use quoin_xml::tree::Element;
use serde::Serialize;

use super::{OutboundPayload, Plan, PlanInput, Planned, judged, sentence};
use crate::rules::RuleLibrary;

/// Under which name it is told that a document was not converted.
pub const CONVERSION: &str = "QUOIN-CONVERSION";
/// Under which name it is told what would be lost.
pub const LOSS: &str = "QUOIN-LOSS";
/// Why a document names another receiver than its source.
const ASKED_RECEIVER: &str = "another receiver was asked for beside the document (receiverId)";
/// Forms that a document is converted to at most.
const FORMS: usize = 4;

/// What was converted, as it is kept with the document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ConversionRecord {
    /// The type of the document as it was uploaded, where it has one.
    pub source_document_type_id: Option<String>,
    /// The type that its receiver takes.
    pub target_document_type_id: String,
    /// How many values are in the target as they were.
    pub carried: usize,
    /// Everything that is not in it as it was.
    pub losses: Vec<Loss>,
}

/// A document that was converted, and where it goes.
#[derive(Debug)]
pub struct ConvertedPlan {
    /// Where it goes.
    pub plan: Plan,
    /// The document in the form that the receiver takes.
    pub document: Bytes,
    /// What became of what it says.
    pub record: ConversionRecord,
}

/// Converts a document to what its receiver takes.
///
/// # Errors
/// [`Event::Rejected`]: with the losses that the policy does not allow, or with the reason for each
/// offer why there is no document of it.
pub fn converted(
    ask: &PlanInput<'_>,
    source: Option<&DocumentTypeId>,
    (offers, receiver): (&[ProcessOffer], &ParticipantId),
    (policy, rules): (&LossPolicy, &RuleLibrary),
) -> Result<ConvertedPlan, Box<Event>> {
    let mut refusals = Vec::new();
    let mut best: Option<(usize, usize, ConvertedPlan)> = None;
    let forms = forms(offers);
    for form in forms.iter().take(FORMS) {
        match one(ask, (form, receiver), rules) {
            Err(refusal) => refusals.push(refusal),
            Ok((wanted, plan, document, losses, tally)) => {
                let refused = losses.iter().filter(|loss| policy.refuses(loss)).count();
                let rank = (refused, losses.len());
                if best.as_ref().is_none_or(|(refused, rows, _)| rank < (*refused, *rows)) {
                    let record = record(source, wanted, losses, tally);
                    best = Some((rank.0, rank.1, ConvertedPlan { plan, document, record }));
                }
            }
        }
    }
    match best {
        None => Err(not_converted(receiver, forms.len(), refusals)),
        Some((0, _, found)) => Ok(found),
        Some((_, _, found)) => Err(losing(&found.record, policy, "The receiver takes")),
    }
}

/// The offers by what a document is written as: whether that is an invoice or a credit note is
/// said by the document.
fn forms(offers: &[ProcessOffer]) -> Vec<Vec<&ProcessOffer>> {
    let mut forms: Vec<Vec<&ProcessOffer>> = Vec::new();
    for offer in offers {
        let is_same = |form: &&mut Vec<&ProcessOffer>| {
            form.first().is_some_and(|one| {
                one.offer.target == offer.offer.target
                    && one.offer.specification == offer.offer.specification
                    && one.process == offer.process
            })
        };
        match forms.iter_mut().find(is_same) {
            Some(form) => form.push(offer),
            None => forms.push(vec![offer]),
        }
    }
    forms
}

/// Why there is no document of a form.
struct UnmadeForm {
    /// The type of the form that the document would be.
    document_type: String,
    reason: String,
    /// What is wrong with what it would be, by the places of the document itself.
    findings: Vec<FindingLine>,
}

impl UnmadeForm {
    fn of(offer: &ProcessOffer, reason: impl Into<String>) -> UnmadeForm {
        let document_type = offer.offer.document_type.to_string();
        UnmadeForm { document_type, reason: reason.into(), findings: Vec::new() }
    }
}

/// The type of a form that a document is likely to have: of an invoice, or of a credit note.
fn likely<'o>(form: &[&'o ProcessOffer], kind: Option<DocumentKind>) -> Option<&'o ProcessOffer> {
    let is_credit = kind == Some(DocumentKind::CreditNote);
    let is_such = |one: &&&ProcessOffer| {
        let local = one.offer.document_type.parts().local_name;
        local.is_some_and(|local| local.starts_with("CreditNote") == is_credit)
    };
    form.iter().find(is_such).or(form.first()).copied()
}

/// The type of a document among those of its form.
fn typed<'o>(form: &[&'o ProcessOffer], document: &str) -> Option<&'o ProcessOffer> {
    let root = quoin_formats::detect(document.as_bytes()).root?;
    form.iter().copied().find(|one| {
        let parts = one.offer.document_type.parts();
        parts.root_namespace == root.namespace && parts.local_name == Some(&root.local)
    })
}

fn record(
    source: Option<&DocumentTypeId>,
    wanted: &ProcessOffer,
    losses: Vec<Loss>,
    tally: ConversionTally,
) -> ConversionRecord {
    ConversionRecord {
        source_document_type_id: source.map(ToString::to_string),
        target_document_type_id: wanted.offer.document_type.to_string(),
        carried: tally.carried + tally.derived,
        losses,
    }
}

/// What a document is in one form: of which of its types, and what is not as it was.
type InForm<'o> = (&'o ProcessOffer, Plan, Bytes, Vec<Loss>, ConversionTally);

/// The document in one form.
fn one<'o>(
    ask: &PlanInput<'_>,
    (form, receiver): (&[&'o ProcessOffer], &ParticipantId),
    rules: &RuleLibrary,
) -> Result<InForm<'o>, UnmadeForm> {
    let nothing = || UnmadeForm {
        document_type: String::new(),
        reason: "it is no form".to_owned(),
        findings: Vec::new(),
    };
    let parsed = quoin_formats::read(ask.document);
    let first = likely(form, parsed.detection().kind).ok_or_else(nothing)?;
    let refused = |reason: String| UnmadeForm::of(first, reason);
    let root = parsed.root().ok_or_else(|| refused("it is no XML".to_owned()))?;
    let elsewhere = profile_of(&first.offer.document_type).is_some_and(|own| own.process_elsewhere);
    let request = ConversionRequest {
        target: first.offer.target,
        profile: None,
        specification: Some(&first.offer.specification),
        process: Some(first.process.value()).filter(|_| !elsewhere),
        ends_follow: true,
        files_beside: false,
    };
    let converted = convert_at(root, request).map_err(|refusal| refused(refusal.to_string()))?;
    let Converted { document, losses, tally } =
        addressed(converted, ask, (root, receiver)).map_err(refused)?;
    // Where none of them is its type, the plan says which one it is.
    let wanted = typed(form, &document).unwrap_or(first);
    let wishes = SubmitOptions {
        document_type: Some(wanted.offer.document_type.to_string()),
        process: Some(wanted.process.to_string()),
        receiver: Some(receiver.to_string()),
        ..ask.wishes.clone()
    };
    let again = PlanInput { document: document.as_bytes(), wishes: &wishes, ..*ask };
    let Planned { report, plan, .. } = judged(&again, rules);
    let plan = plan.map_err(|event| match *event {
        Event::Rejected { summary, .. } => UnmadeForm {
            findings: findings(&report, root),
            ..UnmadeForm::of(wanted, format!("converted to it, it would not be valid: {summary}"))
        },
        _ => UnmadeForm::of(wanted, "converted to it, it would not be valid"),
    })?;
    if plan.document_type != wanted.offer.document_type {
        let text = format!("converted to it, it would be a {}", plan.document_type);
        return Err(UnmadeForm::of(wanted, text));
    }
    if plan.payload != OutboundPayload::Document {
        return Err(UnmadeForm::of(wanted, "it is in an envelope"));
    }
    Ok((wanted, plan, Bytes::from(document), losses, tally))
}

/// What is wrong with the document in a form, by the places of the source.
pub(super) fn findings(report: &Report, source: Element<'_>) -> Vec<FindingLine> {
    let places = TermPlaces::of(source);
    let line = |finding: &Finding| {
        let number = finding.location.as_ref().and_then(|place| line_number(&place.xpath));
        let path = places.place(&finding.terms, number).unwrap_or_default();
        FindingLine { path, ..FindingLine::from(finding) }
    };
    report.fatal().take(FINDINGS_IN_EVENT).map(line).collect()
}

/// The number of the line that an XPath of UBL or CII is in: 3 of `/Invoice[1]/cac:InvoiceLine[3]`.
fn line_number(path: &str) -> Option<usize> {
    let names = ["InvoiceLine", "CreditNoteLine", "IncludedSupplyChainTradeLineItem"];
    path.split('/').find_map(|step| {
        let (name, number) = step.strip_suffix(']')?.split_once('[')?;
        let local = name.rsplit(':').next().filter(|local| names.contains(local));
        local.and_then(|_| number.parse().ok())
    })
}

/// The document with both ends in it: a national format often does not name them. An address that
/// is there stays, unless another receiver was asked for beside the document.
pub(super) fn addressed(
    mut converted: Converted,
    ask: &PlanInput<'_>,
    (source, receiver): (Element<'_>, &ParticipantId),
) -> Result<Converted, String> {
    let sender = ask.wishes.sender.as_deref().and_then(|id| id.parse().ok());
    let sender: Option<ParticipantId> = sender.or_else(|| ask.own.first().cloned());
    let read = quoin_formats::read(converted.document.as_bytes());
    let routing = read.routing().unwrap_or_default();
    // A sender who is named is left alone: whether it may send is looked at like in any document.
    let sender = sender.filter(|_| routing.sender.endpoint.is_none());
    if let Some(named) = routing.receiver.endpoint.filter(|named| !is_of(named, receiver)) {
        if ask.wishes.receiver.is_none() {
            let ElectronicAddress { scheme, value } = named;
            return Err(format!(
                "converted to it, its receiver would be {scheme}:{value}, and the document goes \
                 to {receiver}"
            ));
        }
        let term = if read.detection().self_billing { "BT-34" } else { "BT-49" };
        let source_path = TermPlaces::of(source).place(&[term], None).unwrap_or_default();
        let (kind, reason) = (LossKind::Changed, ASKED_RECEIVER);
        let target_path = Some(term_path(&read, term));
        let value = named.value;
        let row = Loss { source_path, term: Some(term), value, kind, target_path, reason };
        converted.losses.push(row);
        converted.tally.carried = converted.tally.carried.saturating_sub(1);
        converted.tally.listed += 1;
    }
    for (end, id) in [(RoutingEnd::Sender, sender), (RoutingEnd::Receiver, Some(receiver.clone()))]
    {
        let Some(id) = id else { continue };
        let (scheme, value) = (id.icd().to_owned(), id.value().to_owned());
        let parsed = quoin_formats::read(converted.document.as_bytes());
        let written = with_endpoint(&parsed, end, &ElectronicAddress { scheme, value });
        if let Some(bytes) = written.map_err(|error| error.to_string())? {
            converted.document = String::from_utf8(bytes).map_err(|error| error.to_string())?;
        }
    }
    Ok(converted)
}

/// Whether an address is that of a participant.
fn is_of(named: &ElectronicAddress, receiver: &ParticipantId) -> bool {
    let named = ParticipantId::new(&named.scheme, &named.value);
    named.is_ok_and(|named| named.folded() == receiver.folded())
}

/// Where a term stands in a document.
fn term_path(document: &ParsedDocument, term: &str) -> String {
    document.root().and_then(|root| TermPlaces::of(root).place(&[term], None)).unwrap_or_default()
}

pub(super) fn losing(
    record: &ConversionRecord,
    policy: &LossPolicy,
    who_takes: &str,
) -> Box<Event> {
    let refused: Vec<&Loss> = record.losses.iter().filter(|loss| policy.refuses(loss)).collect();
    let target = &record.target_document_type_id;
    let line = |loss: &&Loss| FindingLine {
        rule: LOSS.to_owned(),
        path: loss.source_path.clone(),
        text: format!("{} has no place in {target}: {}.", named(loss), loss.reason),
    };
    let findings: Vec<FindingLine> = refused.iter().take(FINDINGS_IN_EVENT).map(line).collect();
    let first = refused.first().map(named).unwrap_or_default();
    let more = match refused.len() {
        0 | 1 => String::new(),
        many => format!(" and {} more", many - 1),
    };
    let summary = format!(
        "{who_takes} {target}, and what was uploaded says more than has a place in that: \
         {first}{more}. Leave it out, allow it with the document (allowLosses), or have the \
         operator allow it (conversion.allowed)."
    );
    Box::new(Event::Rejected { summary, findings })
}

/// A value that has no place, in a sentence.
fn named(loss: &&Loss) -> String {
    let value: String = loss.value.chars().take(80).collect();
    match loss.term {
        Some(term) => format!("{term} ({value:?})"),
        None => format!("{} ({value:?})", loss.source_path),
    }
}

fn not_converted(receiver: &ParticipantId, forms: usize, refusals: Vec<UnmadeForm>) -> Box<Event> {
    let more = match forms.saturating_sub(FORMS) {
        0 => String::new(),
        more => format!(" (and {more} more that were not tried)"),
    };
    let reason = |own: &UnmadeForm| format!("{}: {}", own.document_type, sentence(&own.reason));
    let reasons: Vec<String> = refusals.iter().map(reason).collect();
    let summary = format!(
        "{receiver} does not take the document as it is, and it cannot be converted to what it \
         does take{more}: {}",
        reasons.join(" ")
    );
    // What is wrong with the best of them, the forms being in that order.
    let wrong = refusals.into_iter().map(|own| own.findings).find(|found| !found.is_empty());
    let (rule, text) = (CONVERSION.to_owned(), summary.clone());
    let whole = FindingLine { rule, path: String::new(), text };
    let findings = [whole].into_iter().chain(wrong.into_iter().flatten());
    Box::new(Event::Rejected { summary, findings: findings.take(FINDINGS_IN_EVENT).collect() })
}

impl ConversionRecord {
    /// One line for the timeline.
    pub fn summary(&self) -> String {
        let count = |kind| self.losses.iter().filter(|loss| loss.kind == kind).count();
        let told = LossKind::ALL.into_iter().filter(|kind| count(*kind) > 0);
        let told: Vec<String> =
            told.map(|kind| format!("{} {}", count(kind), kind.as_str())).collect();
        let rows = if told.is_empty() { "nothing is lost".to_owned() } else { told.join(", ") };
        format!("Converted to {}: {rows}.", self.target_document_type_id)
    }
}
