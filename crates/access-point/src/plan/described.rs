//! An invoice in JSON that names its specification (BT-24), judged as the document that it
//! describes: what breaks the rules of that is refused, whatever else its receiver would take.

use jiff::civil::Date;
use quoin_delivery::{Event, FindingLine};
use quoin_formats::convert::{ConversionRequest, ConversionTarget, convert_at};
use quoin_formats::profiles::Profile;
use quoin_formats::{ParsedDocument, Syntax};
use quoin_identity::{Announced, processes};
use quoin_model::text::cut;
use quoin_peppol::identifiers::{ParticipantId, ProcessId};
use quoin_rules::{Report, Verdict};

use super::converted::{addressed, findings};
use super::{PlanInput, listed};
use crate::rules::RuleLibrary;

/// Characters of a specification that are repeated.
const TOLD: usize = 200;

/// Why an invoice in JSON is not valid as the document of the specification that it names.
pub(super) fn broken(
    ask: &PlanInput<'_>,
    (parsed, on): (&ParsedDocument, Date),
    receiver: Option<&str>,
    rules: &RuleLibrary,
) -> Option<Box<Event>> {
    if parsed.detection().syntax != Some(Syntax::InvoiceJson) {
        return None;
    }
    let specification = parsed.detection().customization_id.as_deref()?;
    let receiver = receiver?.parse::<ParticipantId>().ok()?;
    let report = described(ask, (parsed, on), (specification, &receiver), rules)?;
    if report.verdict() != Verdict::NotValid {
        return None;
    }
    let lines: Vec<FindingLine> = findings(&report, parsed.root()?);
    let summary = format!(
        "The invoice names the specification {} (BT-24) and breaks its rules. {}",
        cut(specification, TOLD),
        listed(&lines)
    );
    Some(Box::new(Event::Rejected { summary, findings: lines }))
}

/// What the rules say of the document that an invoice describes; `None` where no rules that are
/// here judge it, or it cannot be written: its conversion says why.
fn described(
    ask: &PlanInput<'_>,
    (parsed, on): (&ParsedDocument, Date),
    (specification, receiver): (&str, &ParticipantId),
    rules: &RuleLibrary,
) -> Option<Report> {
    let (root, source) = (parsed.root()?, parsed.detection());
    let (profile, _) = Profile::of_chain(specification)?;
    let is_in = |syntax| profile.syntaxes.contains(&syntax);
    let target = match (is_in(Syntax::UblInvoice), is_in(Syntax::Cii)) {
        (true, _) => ConversionTarget::UBL,
        (false, true) => ConversionTarget::CII,
        (false, false) => return None,
    };
    if profile.packages.is_empty() {
        return None;
    }
    // Where the invoice names none, it is in the process that its specification is exchanged in.
    let process = match source.profile_id {
        Some(_) => None,
        None => processes(specification, source).unwrap_or_default().into_iter().next(),
    };
    let request = ConversionRequest {
        process: process.as_ref().map(ProcessId::value),
        ends_follow: true,
        ..ConversionRequest::from(target)
    };
    let converted = convert_at(root, request).ok()?;
    let converted = addressed(converted, ask, (root, receiver)).ok()?;
    let document = quoin_formats::read(converted.document.as_bytes());
    let identity = quoin_identity::decide(document.detection(), &Announced::default(), on);
    Some(rules.validate(&document, &identity, on))
}
