//! The delivery log of a hook: every call with its body, and every try with its answer.

use axum::Json;
use axum::extract::{Path, State};
use jiff::Timestamp;
use quoin_delivery::{HookId, HookPayload};
use quoin_store::{HookCallRecord, HookTryRecord};
use serde::{Deserialize, Serialize};
#[cfg(test)]
use utoipa::{IntoParams, ToSchema};

use crate::http::query::Query;
#[cfg(test)]
use crate::http::refusals::{Called, OfHook, OfParty, OfRole, Paged};
use crate::http::{Caller, Problem, codes};

use super::Api;
use super::hooks::HookOwner;
#[cfg(test)]
use super::paths::{HookPath, PartyHookPath};

/// A call of a hook.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Delivery {
    /// The delivery id: the header `webhook-id`, the same on every try.
    #[cfg_attr(test, schema(example = "0192f0c9-7a10-7b3e-8f21-5d0e9c4b1a72"))]
    pub id: String,
    /// The topic of the event.
    #[cfg_attr(test, schema(example = "InvoiceSent"))]
    pub topic: String,
    /// The party that it concerns; left out of what is about the organisation.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(example = "0106:12345678"))]
    pub party_id: Option<String>,
    /// The document that it concerns; left out of what is about none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(example = "0192f0c1-2b3c-7d4e-8f90-a1b2c3d4e5f6"))]
    pub document_id: Option<String>,
    /// `pending`, `delivered` or `stopped`.
    #[cfg_attr(test, schema(example = "delivered"))]
    pub state: String,
    /// When the event happened.
    #[cfg_attr(test, schema(value_type = String, format = DateTime))]
    pub created_on: Timestamp,
    /// When it is tried next.
    #[cfg_attr(test, schema(value_type = Option<String>, format = DateTime))]
    pub next_on: Option<Timestamp>,
    /// The body of the last try, or of the next one where there was none; `sentOn` differs from try
    /// to try.
    #[cfg_attr(test, schema(value_type = std::collections::BTreeMap<String, serde_json::Value>))]
    pub body: HookPayload,
    /// The tries, oldest first.
    pub tries: Vec<Try>,
}

/// A try of a call.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Try {
    /// From 1.
    #[cfg_attr(test, schema(example = 1))]
    pub attempt: u32,
    /// When it began.
    #[cfg_attr(test, schema(value_type = String, format = DateTime))]
    pub started_on: Timestamp,
    /// How long it took, in milliseconds.
    #[cfg_attr(test, schema(example = 42))]
    pub duration_ms: i64,
    /// The HTTP status, if an answer came.
    #[cfg_attr(test, schema(example = 200))]
    pub status: Option<u16>,
    /// The beginning of the answer.
    #[cfg_attr(test, schema(example = "ok"))]
    pub response: String,
    /// Why no answer came.
    #[cfg_attr(test, schema(example = json!(null)))]
    pub error: Option<String>,
}

/// A page of the log, oldest first.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct DeliveryPage {
    /// Give this as `continuationToken` for the next page; absent at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(example = "412"))]
    pub continuation_token: Option<String>,
    /// The calls.
    pub items: Vec<Delivery>,
}

/// Which calls to list.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(IntoParams))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub(crate) struct LogQuery {
    /// Calls in a page, 1 to 500; 100 unless told otherwise.
    #[cfg_attr(test, param(minimum = 1, maximum = 500, example = 100))]
    limit: Option<usize>,
    /// The token of the page before.
    #[cfg_attr(test, param(example = "412"))]
    continuation_token: Option<String>,
}

impl Delivery {
    /// A call of a hook with an id.
    fn of(call: HookCallRecord, hook: &HookId) -> Delivery {
        let sent_on = match (call.tries.last(), call.next_on) {
            (Some(last), _) => last.tried.started_on,
            (None, next) => next.unwrap_or(call.event.created_on),
        };
        Delivery {
            body: call.event.payload(hook, sent_on),
            topic: call.event.topic.as_str().to_owned(),
            id: call.id,
            party_id: call.event.about_party().map(str::to_owned),
            document_id: call.event.about_document().map(ToString::to_string),
            state: call.state.as_str().to_owned(),
            created_on: call.event.created_on,
            next_on: call.next_on,
            tries: call.tries.into_iter().map(Try::from).collect(),
        }
    }
}

impl From<HookTryRecord> for Try {
    fn from(record: HookTryRecord) -> Try {
        Try {
            attempt: record.attempt,
            started_on: record.tried.started_on,
            duration_ms: i64::try_from(record.tried.duration.as_millis()).unwrap_or(i64::MAX),
            status: record.tried.status,
            response: record.tried.response,
            error: record.tried.error,
        }
    }
}

async fn log(
    api: &Api,
    place: HookOwner,
    id: &str,
    query: LogQuery,
) -> Result<Json<DeliveryPage>, Problem> {
    let hook = place.find(api, id).await?;
    let after = match query.continuation_token {
        None => 0,
        Some(token) => token.parse::<u64>().map_err(|_| {
            Problem::new(&codes::BAD_TOKEN, "continuationToken is not one of this list")
        })?,
    };
    let limit = super::paging::size(query.limit)?;
    let calls = api.store.hook_log(&place.owner, &hook.key, &place.scope, after, limit).await?;
    let last = calls.last().filter(|_| calls.len() == limit);
    let continuation_token = last.map(|call| call.event.number.to_string());
    let items = calls.into_iter().map(|call| Delivery::of(call, &hook.id)).collect();
    Ok(Json(DeliveryPage { continuation_token, items }))
}

/// Lists the calls of a hook of the environment.
#[cfg_attr(test, utoipa::path(
    get, path = "/api/v1/hook/{hookId}/deliveries", tag = "hook",
    params(HookPath, LogQuery),
    responses(
        (status = 200, description = "A page, oldest first.", body = DeliveryPage),
        Called,
        OfRole,
        OfHook,
        Paged,
    ),
    security(("token" = []))
))]
pub(crate) async fn environment(
    State(api): State<Api>,
    caller: Caller,
    Path(id): Path<String>,
    Query(query): Query<LogQuery>,
) -> Result<Json<DeliveryPage>, Problem> {
    let place = HookOwner::environment(&api, &caller).await?;
    log(&api, place, &id, query).await
}

/// Lists the calls of a hook of a party.
#[cfg_attr(test, utoipa::path(
    get, path = "/api/v1/{partyId}/hook/{hookId}/deliveries", tag = "hook",
    params(PartyHookPath, LogQuery),
    responses(
        (status = 200, description = "A page, oldest first.", body = DeliveryPage),
        Called,
        OfParty,
        OfHook,
        Paged,
    ),
    security(("token" = []))
))]
pub(crate) async fn party(
    State(api): State<Api>,
    caller: Caller,
    Path((party_id, id)): Path<(String, String)>,
    Query(query): Query<LogQuery>,
) -> Result<Json<DeliveryPage>, Problem> {
    let place = HookOwner::party(&api, &caller, &party_id).await?;
    log(&api, place, &id, query).await
}
