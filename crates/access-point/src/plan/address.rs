//! Who sends a document to whom, as what and from which country.

use quoin_delivery::{Event, Family, FindingLine};
use quoin_formats::routing::Routing;
use quoin_identity::ExchangeTerms;
use quoin_model::ElectronicAddress;
use quoin_peppol::countries;
use quoin_peppol::identifiers::{DocumentTypeId, ParticipantId};
use quoin_peppol::sbdh::CountryC1;

use super::{OutboundPayload, Plan, PlanInput, PlannedContent, rejection};

/// The rule that whoever sends is the party that uploads.
const ENDPOINT_SENDER: &str = "QUOIN-ENDPOINT-SENDER";

/// Whether a document was refused for who sends it.
pub(crate) fn is_another_sender(findings: &[FindingLine]) -> bool {
    findings.iter().any(|finding| finding.rule == ENDPOINT_SENDER)
}

/// The plan of a document that may be sent, without its summary.
pub(super) fn address(
    ask: &PlanInput<'_>,
    routing: &Routing,
    exchange: ExchangeTerms,
    payload: &OutboundPayload,
) -> Result<Plan, Box<Event>> {
    let ExchangeTerms { document_type, process, .. } = exchange;
    let family = family(&document_type, ask.family)?;
    let plan = |(sender, receiver), country, statuses| Plan {
        sender,
        receiver,
        document_type,
        family,
        process,
        country,
        number: routing.number.clone(),
        issued_on: routing.issue_date.map(|date| date.to_string()),
        type_code: routing.type_code.clone(),
        summary: String::new(),
        rewritten: None,
        statuses,
        payload: payload.clone(),
        content: PlannedContent::default(),
    };
    if let Some(header) = payload.header() {
        own_sender(ask, routing, &header.sender)?;
        let statuses = (header.mls_type, header.mls_to.clone());
        let plan = plan((header.sender.clone(), header.receiver.clone()), header.country, statuses);
        // The code list and the envelope may write the same process in two ways.
        return Ok(Plan { process: header.process.clone(), ..plan });
    }
    let ends = ends(ask, routing, payload)?;
    own_sender(ask, routing, &ends.0)?;
    let country = country(routing.sender.country.as_deref(), ask.country)?;
    Ok(plan(ends, country, (None, None)))
}

/// Who sends and who receives a document.
fn ends(
    ask: &PlanInput<'_>,
    routing: &Routing,
    payload: &OutboundPayload,
) -> Result<(ParticipantId, ParticipantId), Box<Event>> {
    let wishes = ask.wishes;
    let named = routing.sender.endpoint.as_ref();
    // A file, or a document in CII, that names nobody is sent by the party that uploads it.
    let is_file = matches!(payload, OutboundPayload::File { .. });
    let silent = named.is_none() && (is_file || routing.root_local.starts_with("CrossIndustry"));
    let sender = match ask.own.first() {
        Some(own) if silent && wishes.sender.is_none() => own.clone(),
        _ => participant(wishes.sender.as_deref(), named, "sender")?,
    };
    let receiver = routing.receiver.endpoint.as_ref();
    Ok((sender, participant(wishes.receiver.as_deref(), receiver, "receiver")?))
}

/// The country of the sender, which the envelope needs: the document's, or that of the party where
/// the document has none.
pub(super) fn country(named: Option<&str>, party: Option<&str>) -> Result<CountryC1, Box<Event>> {
    let refused = |text: String| rejection("QUOIN-COUNTRY-C1", text);
    let named = named.map(str::trim).filter(|code| !code.is_empty());
    let code = named.or(party).map(str::trim).filter(|code| !code.is_empty());
    let Some(code) = code else {
        let text = "The sender's address has no country code, which the envelope needs.";
        return Err(refused(text.to_owned()));
    };
    CountryC1::new(countries::canonical(code)).ok_or_else(|| {
        let meant = countries::suggestion(code);
        let meant = meant.map(|meant| format!("; {meant} is probably meant")).unwrap_or_default();
        let whose = if named.is_some() { "address" } else { "entry in the configuration" };
        refused(format!(
            "The country code in the sender's {whose}, {code}, is none of ISO 3166-1 alpha-2{meant}."
        ))
    })
}

/// The kind of business, which must be the one that the document was uploaded as.
fn family(document_type: &DocumentTypeId, uploaded_as: Family) -> Result<Family, Box<Event>> {
    let family = Family::of(document_type);
    if uploaded_as == Family::Document || uploaded_as == family {
        return Ok(family);
    }
    let (is, was) = (family.row().name, uploaded_as.row().name);
    let text = format!(
        "The document was uploaded as {was}, and it is {is} by its type {document_type}; upload it \
         at the endpoint of its kind, or at generic/send."
    );
    Err(rejection("QUOIN-KIND", text))
}

/// Whoever is named as the sender of a document that is to be converted is the party that uploads
/// it: what it becomes would name another one.
pub(super) fn own_sender_of_source(
    ask: &PlanInput<'_>,
    routing: &Routing,
    is_self_billing: bool,
) -> Result<(), Box<Event>> {
    let asked = ask.wishes.sender.as_deref().and_then(|id| id.parse::<ParticipantId>().ok());
    let named = || {
        let named = routing.sender.endpoint.as_ref()?;
        ParticipantId::new(&named.scheme, &named.value).ok()
    };
    let Some(sender) = asked.or_else(named) else { return Ok(()) };
    let refused = own_sender(ask, routing, &sender);
    refused.map_err(|event| match (*event, routing.type_code.as_deref()) {
        (Event::Rejected { summary, mut findings }, Some(code)) if is_self_billing => {
            let summary = format!(
                "{summary} It is a document of self-billing (type code {code}), which the buyer \
                 sends to the seller."
            );
            findings.iter_mut().for_each(|line| line.text.clone_from(&summary));
            Box::new(Event::Rejected { summary, findings })
        }
        (event, _) => Box::new(event),
    })
}

/// The sender is the party that uploads, whatever senderId says of a document that names another.
fn own_sender(
    ask: &PlanInput<'_>,
    routing: &Routing,
    sender: &ParticipantId,
) -> Result<(), Box<Event>> {
    let named = routing.sender.endpoint.as_ref();
    let named = named.and_then(|named| ParticipantId::new(&named.scheme, &named.value).ok());
    let Some(foreign) = [Some(sender), named.as_ref()]
        .into_iter()
        .flatten()
        .find(|sender| !ask.own.contains(sender))
    else {
        return Ok(());
    };
    let known: Vec<String> = ask.own.iter().map(ToString::to_string).collect();
    let text = match known.is_empty() {
        false => format!(
            "The sender's EndpointID is {foreign}, but the document was uploaded for {}.",
            known.join(", ")
        ),
        // What was recorded while the party had it.
        true => format!(
            "{foreign} is no identifier of the party any more: the party was withdrawn, or the \
             identifier is verified for another organisation of this service, so nothing is sent \
             under it here."
        ),
    };
    Err(rejection(ENDPOINT_SENDER, text))
}

/// One end of a document: the one that was asked for, or the one that it names.
fn participant(
    asked: Option<&str>,
    endpoint: Option<&ElectronicAddress>,
    role: &str,
) -> Result<ParticipantId, Box<Event>> {
    if let Some(asked) = asked {
        let wrong = |error| rejection("QUOIN-ENDPOINT", format!("{role}Id: {error}"));
        return asked.parse().map_err(wrong);
    }
    let Some(endpoint) = endpoint else {
        let text = format!(
            "The {role} has no single EndpointID with a scheme and a value; where this kind of \
             document has no place for one, give {role}Id."
        );
        return Err(rejection("QUOIN-ENDPOINT", text));
    };
    ParticipantId::new(&endpoint.scheme, &endpoint.value)
        .map_err(|error| rejection("QUOIN-ENDPOINT", format!("EndpointID of the {role}: {error}")))
}
