//! A document in the form that its receiver takes: converted to each of the best offers, judged
//! again, and the one that loses least.

use bytes::Bytes;
use quoin_delivery::{Event, FINDINGS_IN_EVENT, FindingLine};
use quoin_formats::convert::{
    ConversionRequest, ConversionTally, Converted, Loss, LossKind, LossPolicy, convert_at,
};
use quoin_formats::routing::{RoutingEnd, with_endpoint};
use quoin_identity::{ProcessOffer, profile_of};
use quoin_model::ElectronicAddress;
use quoin_peppol::identifiers::{DocumentTypeId, ParticipantId};
use quoin_store::SubmitOptions;
use serde::Serialize;

use super::{OutboundPayload, Plan, PlanInput, judged, rejection, sentence};
use crate::rules::RuleLibrary;

/// Under which name it is told that a document was not converted.
pub const CONVERSION: &str = "QUOIN-CONVERSION";
/// Under which name it is told what would be lost.
pub const LOSS: &str = "QUOIN-LOSS";
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
    let mut reasons = Vec::new();
    let mut best: Option<(usize, usize, ConvertedPlan)> = None;
    let forms = forms(offers);
    for form in forms.iter().take(FORMS) {
        match one(ask, (form, receiver), rules) {
            Err(reason) => {
                let name = form.first().map(|one| one.offer.document_type.to_string());
                reasons.push(format!("{}: {}", name.unwrap_or_default(), sentence(&reason)));
            }
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
        None => Err(not_converted(receiver, forms.len(), &reasons)),
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

/// The document in one form, and of which of its types it is.
fn one<'o>(
    ask: &PlanInput<'_>,
    (form, receiver): (&[&'o ProcessOffer], &ParticipantId),
    rules: &RuleLibrary,
) -> Result<(&'o ProcessOffer, Plan, Bytes, Vec<Loss>, ConversionTally), String> {
    let parsed = quoin_formats::read(ask.document);
    let root = parsed.root().ok_or("it is no XML")?;
    let first = *form.first().ok_or("it is no form")?;
    let elsewhere = profile_of(&first.offer.document_type).is_some_and(|own| own.process_elsewhere);
    let request = ConversionRequest {
        target: first.offer.target,
        profile: None,
        specification: Some(&first.offer.specification),
        process: Some(first.process.value()).filter(|_| !elsewhere),
        ends_follow: true,
        files_beside: false,
    };
    let Converted { document, losses, tally } =
        convert_at(root, request).map_err(|refusal| refusal.to_string())?;
    let document = addressed(document, ask, receiver)?;
    // Where none of them is its type, the plan says which one it is.
    let wanted = typed(form, &document).unwrap_or(first);
    let wishes = SubmitOptions {
        document_type: Some(wanted.offer.document_type.to_string()),
        process: Some(wanted.process.to_string()),
        receiver: Some(receiver.to_string()),
        ..ask.wishes.clone()
    };
    let again = PlanInput { document: document.as_bytes(), wishes: &wishes, ..*ask };
    let plan = judged(&again, rules).plan.map_err(|event| match *event {
        Event::Rejected { summary, .. } => {
            format!("converted to it, it would not be valid: {summary}")
        }
        _ => "converted to it, it would not be valid".to_owned(),
    })?;
    if plan.document_type != wanted.offer.document_type {
        return Err(format!("converted to it, it would be a {}", plan.document_type));
    }
    if plan.payload != OutboundPayload::Document {
        return Err("it is in an envelope".to_owned());
    }
    Ok((wanted, plan, Bytes::from(document), losses, tally))
}

/// The document with both ends in it: a national format often does not name them.
fn addressed(
    mut document: String,
    ask: &PlanInput<'_>,
    receiver: &ParticipantId,
) -> Result<String, String> {
    let sender = ask.wishes.sender.as_deref().and_then(|id| id.parse().ok());
    let sender: Option<ParticipantId> = sender.or_else(|| ask.own.first().cloned());
    let routing = quoin_formats::read(document.as_bytes()).routing();
    // A sender who is named is left alone: whether it may send is looked at like in any document.
    let is_named = routing.is_some_and(|routing| routing.sender.endpoint.is_some());
    let sender = sender.filter(|_| !is_named);
    for (end, id) in [(RoutingEnd::Sender, sender), (RoutingEnd::Receiver, Some(receiver.clone()))]
    {
        let Some(id) = id else { continue };
        let (scheme, value) = (id.icd().to_owned(), id.value().to_owned());
        let parsed = quoin_formats::read(document.as_bytes());
        let written = with_endpoint(&parsed, end, &ElectronicAddress { scheme, value });
        if let Some(bytes) = written.map_err(|error| error.to_string())? {
            document = String::from_utf8(bytes).map_err(|error| error.to_string())?;
        }
    }
    Ok(document)
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

fn not_converted(receiver: &ParticipantId, forms: usize, reasons: &[String]) -> Box<Event> {
    let more = match forms.saturating_sub(FORMS) {
        0 => String::new(),
        more => format!(" (and {more} more that were not tried)"),
    };
    let text = format!(
        "{receiver} does not take the document as it is, and it cannot be converted to what it \
         does take{more}: {}",
        reasons.join(" ")
    );
    rejection(CONVERSION, text)
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
