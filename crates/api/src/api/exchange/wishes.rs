//! What is asked beside a document of any kind, and whether it fits the document.

use quoin_delivery::Family;
use quoin_identity::{ConversionOffer, Disagreement, is_base};
use quoin_model::text::quoted;
use quoin_peppol::identifiers::ProcessId;
use quoin_store::SubmitOptions;

use super::ExchangeQuery;
use crate::api::import::InspectedImport;
use crate::api::upload::{allowed_losses, participant};
use crate::api::{Api, format};
use crate::http::{Problem, codes};

pub(super) fn wishes(query: &ExchangeQuery) -> Result<SubmitOptions, Problem> {
    let bad = |name: &str, error: &dyn std::fmt::Display| {
        Problem::new(&codes::BAD_QUERY, format!("{name}: {error}"))
    };
    let id =
        |name: &str, id: &Option<String>| id.as_deref().map(|id| participant(name, id)).transpose();
    let kind = query
        .source_format
        .as_deref()
        .filter(|text| !format::is_customization(text))
        .map(|text| format::document_type(text).map_err(|error| bad("sourceFormat", &error)));
    let process = query
        .process_id
        .as_deref()
        .map(|text| text.parse::<ProcessId>().map_err(|error| bad("processId", &error)));
    Ok(SubmitOptions {
        sender: id("senderId", &query.sender_id)?,
        receiver: id("receiverId", &query.receiver_id)?,
        document_type: kind.transpose()?.map(|id| id.to_string()),
        process: process.transpose()?.map(|id| id.to_string()),
        allowed_losses: query.allow_losses.clone().map(allowed_losses).transpose()?,
        ..SubmitOptions::default()
    })
}

/// The format that a document is to become, where that is not its own.
pub(super) fn another<'q>(query: &'q ExchangeQuery, seen: &InspectedImport) -> Option<&'q str> {
    let own = seen.document_type.as_ref();
    query.target_format.as_deref().filter(|text| !format::is(own, text))
}

/// The format that a document is to be converted to, as it is recorded.
pub(super) fn target(
    api: &Api,
    query: &ExchangeQuery,
    seen: &InspectedImport,
) -> Result<Option<String>, Problem> {
    let Some(text) = another(query, seen) else { return Ok(None) };
    let no = |why: &str| {
        let detail = format!("targetFormat is {text:.500}; {why}");
        Err(Problem::new(&codes::CONVERSION, detail))
    };
    if api.settings.conversion.is_none() {
        return no("this service converts nothing (conversion.enabled)");
    }
    if !matches!(seen.family, Family::Invoice | Family::Order) {
        return no("only invoices and orders are converted on their way");
    }
    let named = format::document_type(text).map(|named| named.to_string());
    if is_base(named.as_deref().unwrap_or(text)) {
        return no("it is only the base of others: name its jurisdiction behind it, as in @eu-1");
    }
    let offer = match format::document_type(text) {
        Ok(named) => ConversionOffer::of(&named).map(|offer| offer.document_type.to_string()),
        Err(_) => Some(text.to_owned()).filter(|text| format::is_customization(text)),
    };
    offer.map_or_else(|| no("no conversion to it is available"), |found| Ok(Some(found)))
}

pub(super) fn check_query(query: &ExchangeQuery, seen: &InspectedImport) -> Result<(), Problem> {
    if let [first, ..] = &seen.contradictions[..] {
        let (name, code) = match first {
            Disagreement::OtherProcess { .. } => ("processId", &codes::BAD_QUERY),
            _ => ("sourceFormat", &codes::CONVERSION),
        };
        return Err(Problem::new(code, format!("{name}: {first:.1000}")));
    }
    let customization = seen.routing.customization_id.as_deref();
    let other = |text: &&String| format::is_customization(text) && customization != Some(*text);
    if let Some(source) = query.source_format.as_ref().filter(other) {
        let found = customization.unwrap_or("none");
        let detail = format!("sourceFormat is {source:.500}, the document has {found:.500}");
        return Err(Problem::new(&codes::CONVERSION, detail));
    }
    let Some(topic) = &query.topic else { return Ok(()) };
    let named = seen.family.row().name;
    let kinds = ["InvoiceResponse", "MessageLevelStatus", "Invoice", "Order", "Document"];
    let meant = kinds.into_iter().find(|kind| topic.contains(kind));
    if meant.is_some_and(|meant| meant == named || named == "Document") {
        return Ok(());
    }
    if meant.is_none() {
        let detail = format!(
            "topic is {topic}, which no document is told under; expected Send{named} or \
             {named}Received, or leave it out",
            topic = quoted(topic, 60)
        );
        return Err(Problem::new(&codes::NO_TOPIC, detail));
    }
    let detail = format!(
        "topic is {topic}, but the document is of the family {named}",
        topic = quoted(topic, 60)
    );
    Err(Problem::new(&codes::NO_TOPIC, detail))
}
