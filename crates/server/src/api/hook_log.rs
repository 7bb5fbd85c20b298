//! The delivery log of a hook: every call with every try, and the repeat of a finished call.

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use jiff::Timestamp;
use quoin_delivery::EventId;
use quoin_store::{HookCallRecord, HookTryRecord};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::http::problem::{Failed, Refused};
use crate::http::{Caller, Problem, codes};

use super::Api;
use super::hooks::Place;

/// Calls in a page unless told otherwise.
const PAGE: usize = 100;

/// A call of a hook.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Delivery {
    /// The delivery id: the header `webhook-id`, the same on every try.
    pub id: String,
    /// The topic of the event.
    pub topic: String,
    /// The party that it concerns.
    pub party_id: String,
    /// The document that it concerns.
    pub document_id: String,
    /// `pending`, `delivered` or `stopped`.
    pub state: String,
    /// When the event happened.
    #[schema(value_type = String, format = DateTime)]
    pub created_on: Timestamp,
    /// When it is tried next.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub next_on: Option<Timestamp>,
    /// The tries, oldest first.
    pub tries: Vec<Try>,
}

/// A try of a call.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Try {
    /// From 1.
    pub attempt: u32,
    /// When it began.
    #[schema(value_type = String, format = DateTime)]
    pub started_on: Timestamp,
    /// How long it took, in milliseconds.
    pub duration_ms: i64,
    /// The HTTP status, if an answer came.
    pub status: Option<u16>,
    /// The beginning of the answer.
    pub response: String,
    /// Why no answer came.
    pub error: Option<String>,
}

/// A page of the log, oldest first.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeliveryPage {
    /// Give this as `continuationToken` for the next page; absent at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub continuation_token: Option<String>,
    /// The calls.
    pub items: Vec<Delivery>,
}

/// Which calls to list.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct LogQuery {
    /// Calls in a page, 1 to 500; 100 unless told otherwise.
    limit: Option<usize>,
    /// The token of the page before.
    continuation_token: Option<String>,
}

impl From<HookCallRecord> for Delivery {
    fn from(call: HookCallRecord) -> Delivery {
        Delivery {
            id: call.id,
            topic: call.event.topic.as_str().to_owned(),
            party_id: call.event.party,
            document_id: call.event.document_id.as_str().to_owned(),
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
    place: Place,
    id: &str,
    query: LogQuery,
) -> Result<Json<DeliveryPage>, Problem> {
    let hook = place.find(api, id).await?;
    let after = match query.continuation_token {
        None => 0,
        Some(token) => token.parse().map_err(|_| {
            Problem::new(&codes::BAD_QUERY, "continuationToken is not one of this list")
        })?,
    };
    let limit = query.limit.unwrap_or(PAGE).clamp(1, quoin_store::hook_calls::LOG_LIMIT);
    let calls = api.store.hook_log(&place.owner, &hook.id, EventId(after), limit).await?;
    let last = calls.last().filter(|_| calls.len() == limit);
    let continuation_token = last.map(|call| call.event.seq.0.to_string());
    let items = calls.into_iter().map(Delivery::from).collect();
    Ok(Json(DeliveryPage { continuation_token, items }))
}

/// Lists the calls of a hook of the environment.
#[utoipa::path(
    get, path = "/api/v1/hook/{hookId}/deliveries", tag = "hook",
    params(("hookId" = String, Path, description = "The hook."), LogQuery),
    responses(
        (status = 200, description = "A page, oldest first.", body = DeliveryPage),
        Refused,
        Failed,
    ),
    security(("token" = []))
)]
pub(crate) async fn environment(
    State(api): State<Api>,
    caller: Caller,
    Path(id): Path<String>,
    Query(query): Query<LogQuery>,
) -> Result<Json<DeliveryPage>, Problem> {
    let place = Place::environment(&caller)?;
    log(&api, place, &id, query).await
}

/// Lists the calls of a hook of a party.
#[utoipa::path(
    get, path = "/api/v1/{partyId}/hook/{hookId}/deliveries", tag = "hook",
    params(
        ("partyId" = String, Path, description = "The party, `scheme:identifier`."),
        ("hookId" = String, Path, description = "The hook."),
        LogQuery,
    ),
    responses(
        (status = 200, description = "A page, oldest first.", body = DeliveryPage),
        Refused,
        Failed,
    ),
    security(("token" = []))
)]
pub(crate) async fn party(
    State(api): State<Api>,
    caller: Caller,
    Path((party_id, id)): Path<(String, String)>,
    Query(query): Query<LogQuery>,
) -> Result<Json<DeliveryPage>, Problem> {
    let place = Place::party(&api, &caller, &party_id).await?;
    log(&api, place, &id, query).await
}

/// Makes a finished call of a hook of the environment again, under the same delivery id.
#[utoipa::path(
    post, path = "/api/v1/hook/{hookId}/deliveries/{deliveryId}/replay", tag = "hook",
    params(
        ("hookId" = String, Path, description = "The hook."),
        ("deliveryId" = String, Path, description = "The call."),
    ),
    responses(
        (status = 202, description = "It will be made again."),
        Refused,
        Failed,
    ),
    security(("token" = []))
)]
pub(crate) async fn replay(
    State(api): State<Api>,
    caller: Caller,
    Path((id, call)): Path<(String, String)>,
) -> Result<StatusCode, Problem> {
    let place = Place::environment(&caller)?;
    place.find(&api, &id).await?;
    api.store.replay_call(&place.owner, &call, api.clock.now()).await.map_err(|e| match e {
        quoin_store::Error::Refusal(refusal) => Problem::new(&codes::NO_HOOK, refusal.to_string()),
        fault => fault.into(),
    })?;
    Ok(StatusCode::ACCEPTED)
}
