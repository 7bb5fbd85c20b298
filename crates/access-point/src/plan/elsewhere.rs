//! A document in a form that the network of participants does not have: where it goes over a
//! channel beside it, which carries it as it is or in a form of its own.

use quoin_delivery::{Event, Family};
use quoin_formats::orders::order_syntax_at;
use quoin_formats::profiles::EN16931;
use quoin_formats::{Detection, Syntax, readers};
use quoin_identity::Disagreement;
use quoin_model::order::OrderSyntax;
use quoin_peppol::identifiers::{DocumentTypeId, ParticipantId, ProcessId};
use quoin_rules::{Report, Verdict};

use super::address::country;
use super::{
    DocumentSummary, OpenedUpload, OutboundPayload, Plan, PlanInput, PlannedContent, not_judged,
    rejection, summary,
};
use crate::rules::RuleLibrary;

/// How the process of what two parties agreed upon is written.
const BILATERAL: &str = "bilateral";
/// The version of a form that has none.
const VERSION: &str = "1";

/// The version of a form as an identifier may say it, which has no blanks: `FA(3)` of `FA (3)`.
fn version(written: Option<&str>) -> String {
    let own: String = written.unwrap_or_default().chars().filter(char::is_ascii_graphic).collect();
    if own.is_empty() { VERSION.to_owned() } else { own }
}

/// The name of the form of a document.
fn form(report: &Report) -> String {
    report.detection.format.as_deref().unwrap_or(BILATERAL).to_owned()
}

/// Why a document of which nobody knows the receiver goes nowhere.
pub(super) fn no_receiver(report: &Report) -> Box<Event> {
    let text = format!(
        "This document in {} does not name its receiver as the interface knows receivers; say it \
         beside the document, with receiverId.",
        form(report)
    );
    rejection("QUOIN-RECEIVER", text)
}

/// What keeps a document in a syntax of the network from being exchanged as it is: its sender can
/// change that. A form that is none of the network is told by its name alone.
pub fn not_as_it_is(plan: &Plan, rejected: &Event) -> Option<String> {
    let is_of_network = plan.content.syntax.is_some_and(|syntax| syntax.has_identifiers());
    let Event::Rejected { summary, .. } = rejected else { return None };
    is_of_network.then(|| format!("As it is, it is not exchanged there: {summary}"))
}

/// The family of a document that can be read as an invoice or as a message about an order, and that
/// is in none of the syntaxes of the network. One in a syntax of the network says itself by which
/// specification it is exchanged, unless that is the core invoice, whose use is not only in the
/// network, or a profile of Factur-X.
pub(super) fn convertible(
    opened: &OpenedUpload,
    report: &Report,
    disagreements: &[Disagreement],
) -> Option<Family> {
    let root = opened.parsed.root()?;
    let family = match (readers::syntax_at(root), order_syntax_at(root)) {
        (Some(Syntax::UblInvoice | Syntax::UblCreditNote | Syntax::Cii), _) => {
            Some(Family::Invoice).filter(|_| is_core(opened.detection(), disagreements))
        }
        (_, Some(OrderSyntax::Ubl)) => None,
        (Some(_), _) => Some(Family::Invoice),
        (None, Some(_)) => Some(Family::Order),
        (None, None) => None,
    };
    let is_free =
        opened.payload == OutboundPayload::Document && report.verdict() != Verdict::NotValid;
    family.filter(|_| is_free)
}

/// Whether a document is the core invoice of EN 16931, and only its process or a specification of
/// Factur-X keeps it from being exchanged as it is.
fn is_core(detection: &Detection, disagreements: &[Disagreement]) -> bool {
    let profile = detection.profile.as_deref().unwrap_or_default();
    let is_hybrid = profile.starts_with("facturx-");
    let is_plain = detection.customization_id.as_deref() == Some(EN16931);
    let is_no_reason = |reason: &Disagreement| match reason {
        Disagreement::Process { .. } => is_plain || is_hybrid,
        Disagreement::Unknown { .. } => is_hybrid,
        _ => false,
    };
    !disagreements.is_empty() && disagreements.iter().all(is_no_reason)
}

/// The plan of a document that can be read, and that is none of the network.
///
/// # Errors
/// [`Event::Rejected`]: nobody judged it and that is asked for, it was uploaded as something else,
/// or it is not said who receives it.
pub(super) fn elsewhere(
    ask: &PlanInput<'_>,
    family: Family,
    known: &DocumentSummary,
    (report, rules): (&Report, &RuleLibrary),
) -> Result<Plan, Box<Event>> {
    if rules.refuses(report) {
        return Err(not_judged(report));
    }
    let content = PlannedContent::of(&report.detection);
    let form = form(report);
    if ask.family != Family::Document && ask.family != family {
        let (is, was) = (family.row().name, ask.family.row().name);
        let text = format!(
            "The document was uploaded as {was}, and it is {is}; upload it at the endpoint of its \
             kind, or at generic/send."
        );
        return Err(rejection("QUOIN-KIND", text));
    }
    let receiver = known.receiver.as_deref().map(str::parse::<ParticipantId>);
    let Some(Ok(receiver)) = receiver else { return Err(no_receiver(report)) };
    let named = known.sender.as_deref().and_then(|id| id.parse::<ParticipantId>().ok());
    let own = named.filter(|named| ask.own.contains(named)).or_else(|| ask.own.first().cloned());
    let Some(sender) = own else {
        let text = "The party that uploads has no identifier under which it may send.";
        return Err(rejection("QUOIN-ENDPOINT-SENDER", text.to_owned()));
    };
    let root = report.detection.root.as_ref();
    let namespace = root.map(|root| root.namespace.as_str()).filter(|name| !name.is_empty());
    let local = root.map_or("document", |root| root.local.as_str());
    let version = version(report.detection.version.as_deref());
    let unusable = |error: String| rejection("QUOIN-DOCUMENT-TYPE", format!("{form}: {error}."));
    Ok(Plan {
        document_type: DocumentTypeId::of_document(
            namespace.unwrap_or(&form),
            local,
            &form,
            &version,
        )
        .map_err(|error| unusable(error.to_string()))?,
        process: ProcessId::new(BILATERAL, &form).map_err(|error| unusable(error.to_string()))?,
        sender,
        receiver,
        family,
        country: country(known.country.as_deref(), ask.country)?,
        number: known.number.clone(),
        issued_on: known.issued_on.clone(),
        type_code: known.type_code.clone(),
        summary: summary(report),
        rewritten: None,
        statuses: (None, None),
        payload: OutboundPayload::Document,
        content,
    })
}
