//! What providers say about a document: Message Level Statuses that came to what was sent, and the
//! one that was given about what arrived.

use axum::Json;
use axum::extract::{Path, State};
use jiff::Timestamp;
use quoin_delivery::Direction;
use quoin_store::{StatusMessage, StatusRecord};
use serde::Serialize;
#[cfg(test)]
use utoipa::ToSchema;

#[cfg(test)]
use crate::http::refusals::{Called, OfDocument, OfParty};
use crate::http::{Caller, Problem};

use super::Api;
use super::exchange::either;
#[cfg(test)]
use super::paths::DocumentPath;

/// How a document stands between the two providers.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, schema(example = json!({
    "documentId": "0f8fad5b-d9cb-469f-a165-70867728950e",
    "direction": "outgoing",
    "provider": "POP000002",
    "status": "RE",
    "wantsPositive": true,
    "sentOn": "2026-11-21T12:00:00Z",
    "settledOn": "2026-11-21T12:00:04Z",
    "messages": [{
        "id": "7c9e6679-7425-40de-944b-e07fc1f90ae7",
        "provider": "POP000002",
        "status": "RE",
        "description": "The document was rejected.",
        "issues": [{ "reason": "BV", "place": "/Invoice[1]", "text": "[BR-01] no number" }],
        "counts": true,
        "deliveryStatus": "Delivered",
        "createdOn": "2026-11-21T12:00:04Z"
    }]
})))]
pub(super) struct MessageLevelStatuses {
    /// The document.
    #[cfg_attr(test, schema(example = "0192f0c1-2b3c-7d4e-8f90-a1b2c3d4e5f6"))]
    pub document_id: String,
    /// Which way the document went: about `outgoing` ones a status is awaited, about `incoming`
    /// ones it is owed.
    #[cfg_attr(test, schema(example = "outgoing"))]
    pub direction: &'static str,
    /// The provider at the other end, by its seat id; absent before there was an exchange.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(example = "POP000002"))]
    pub provider: Option<String>,
    /// `AP`, `AB` or `RE`, once it is said.
    #[cfg_attr(test, schema(example = "RE"))]
    pub status: Option<&'static str>,
    /// Whether a status was asked for also where nothing is wrong.
    pub wants_positive: bool,
    /// The time in the message that carried the document, from which the limits run.
    #[cfg_attr(test, schema(value_type = Option<String>, format = DateTime))]
    pub sent_on: Option<Timestamp>,
    /// When the status arrived, or left with a receipt.
    #[cfg_attr(test, schema(value_type = Option<String>, format = DateTime))]
    pub settled_on: Option<Timestamp>,
    /// Every status about it, oldest first.
    pub messages: Vec<MessageLevelStatusView>,
}

/// One status.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub(super) struct MessageLevelStatusView {
    /// The document id of the message that carries it.
    #[cfg_attr(test, schema(example = "7c9e6679-7425-40de-944b-e07fc1f90ae7"))]
    pub id: String,
    /// The provider at the other end, by its seat id.
    #[cfg_attr(test, schema(example = "POP000002"))]
    pub provider: String,
    /// `AP`, `AB` or `RE`, as it was written.
    #[cfg_attr(test, schema(example = "RE"))]
    pub status: Option<String>,
    /// The same in words.
    #[cfg_attr(test, schema(example = "The document was rejected."))]
    pub description: String,
    /// What is wrong.
    pub issues: Vec<IssueView>,
    /// Whether it settles the document's status: the first one of the provider that the document
    /// was sent to.
    pub counts: bool,
    /// How far the message itself is: `Delivered` for one that arrived.
    #[cfg_attr(test, schema(example = "Delivered"))]
    pub delivery_status: &'static str,
    /// When it came, or was given.
    #[cfg_attr(test, schema(value_type = String, format = DateTime))]
    pub created_on: Timestamp,
}

/// An issue in a status.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub(super) struct IssueView {
    /// `SV` structure, `BV` rule, `BW` warning, `FD` not delivered.
    #[cfg_attr(test, schema(example = "BV"))]
    pub reason: Option<String>,
    /// Where in the document.
    #[cfg_attr(test, schema(example = "/Invoice[1]"))]
    pub place: Option<String>,
    /// What is wrong.
    #[cfg_attr(test, schema(example = "[BR-01] no number"))]
    pub text: Option<String>,
}

/// Tells what the providers say about a document.
#[cfg_attr(test, utoipa::path(
    get, path = "/api/v1/{partyId}/generic/{documentId}/messageLevelStatus", tag = "generic",
    params(DocumentPath),
    responses(
        (status = 200, description = "The statuses.", body = MessageLevelStatuses),
        Called,
        OfParty,
        OfDocument,
    ),
    security(("token" = []))
))]
pub(crate) async fn of_document(
    State(api): State<Api>,
    caller: Caller,
    Path(path): Path<(String, String)>,
) -> Result<Json<MessageLevelStatuses>, Problem> {
    let side = either(&api, &caller, &path).await?;
    let (_, found) = side.record(&api, &caller, path).await?;
    let own = found.transaction;
    let status = api.store.status_of(&own.id).await?;
    let messages = api.store.status_messages(&own.id).await?;
    Ok(Json(view(own.document_id.to_string(), own.direction, status, messages)))
}

fn view(
    document_id: String,
    direction: Direction,
    status: Option<StatusRecord>,
    messages: Vec<StatusMessage>,
) -> MessageLevelStatuses {
    let status = status.as_ref();
    MessageLevelStatuses {
        document_id,
        direction: direction.as_str(),
        provider: status.map(|status| status.new.provider.clone()),
        status: status.and_then(|status| status.code).map(|code| code.as_str()),
        wants_positive: status.is_some_and(|status| status.new.wants_positive),
        sent_on: status.map(|status| status.new.sent_on),
        settled_on: status.and_then(|status| status.settled_on),
        messages: messages.into_iter().map(message).collect(),
    }
}

fn message(message: StatusMessage) -> MessageLevelStatusView {
    let issue = |issue: quoin_store::IssueRecord| IssueView {
        reason: issue.reason,
        place: issue.place,
        text: issue.text,
    };
    let record = message.transaction;
    MessageLevelStatusView {
        id: record.transaction.document_id.to_string(),
        provider: message.provider,
        status: message.code,
        description: message.description,
        issues: message.issues.into_iter().map(issue).collect(),
        counts: message.counts,
        delivery_status: record.transaction.status.as_str(),
        created_on: record.created_on,
    }
}
