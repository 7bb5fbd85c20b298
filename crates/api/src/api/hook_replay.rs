//! Calls that are made again: one by its delivery id, or all of a period.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use jiff::Timestamp;
use quoin_access_point::enrolment::null_is_default;
use quoin_access_point::reading::time;
use quoin_delivery::hook::ActionKind;
use quoin_store::ReplayPeriod;
use serde::{Deserialize, Serialize};
#[cfg(test)]
use utoipa::ToSchema;

use crate::http::body::FullBody;
#[cfg(test)]
use crate::http::refusals::{Called, HookBody, JsonBody, OfHook, OfParty, OfRole};
use crate::http::{Caller, Problem, codes};

use super::hooks::HookOwner;
#[cfg(test)]
use super::paths::{CallPath, HookPath, PartyHookPath};
use super::{Api, json};

/// Which calls to make again.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(test, schema(example = json!({
    "from": "2026-11-21T00:00:00Z", "to": "2026-11-22T00:00:00Z", "undelivered": true
})))]
pub struct ReplayRequest {
    /// Events from this time on.
    #[serde(deserialize_with = "time::given")]
    #[cfg_attr(test, schema(value_type = String, format = DateTime))]
    pub from: Timestamp,
    /// Events before this time; until now where it is left out.
    #[serde(default, deserialize_with = "time::optional")]
    #[cfg_attr(test, schema(value_type = Option<String>, format = DateTime))]
    pub to: Option<Timestamp>,
    /// Leave out what was delivered.
    #[serde(default, deserialize_with = "null_is_default")]
    #[cfg_attr(test, schema(nullable))]
    pub undelivered: bool,
}

/// How much is made again.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[cfg_attr(test, schema(example = json!({"count": 17})))]
pub struct Replayed {
    /// Calls that will be made.
    #[cfg_attr(test, schema(example = 17))]
    pub count: usize,
}

async fn period(
    api: &Api,
    place: HookOwner,
    id: &str,
    body: &[u8],
) -> Result<(StatusCode, Json<Replayed>), Problem> {
    let hook = place.find(api, id).await?;
    let request: ReplayRequest = json::parsed(body)?;
    let called = ActionKind::of(&hook.action).is_some_and(ActionKind::is_called);
    if !called {
        let detail = "only the calls of hooks that are called can be made again: of https, mail, \
                      SFTP and the like";
        return Err(Problem::new(&codes::BAD_HOOK, detail));
    }
    if !hook.is_active {
        let detail = format!(
            "the hook {id:.64} is off, so that none of its calls is made: put it with isActive true, \
             and then make them again"
        );
        return Err(Problem::new(&codes::BAD_HOOK, detail));
    }
    if let Some(to) = &request.to {
        super::paging::in_order(&request.from, to)
            .map_err(|detail| Problem::new(&codes::BAD_JSON, detail))?;
    }
    let now = api.clock.now();
    let period = ReplayPeriod {
        organisation: place.owner,
        hook: hook.key,
        scope: place.scope,
        from: request.from,
        until: request.to.unwrap_or(now),
        undelivered: request.undelivered,
    };
    let count = api.store.replay_period(period, now).await?;
    Ok((StatusCode::ACCEPTED, Json(Replayed { count })))
}

async fn one(api: &Api, place: HookOwner, id: &str, call: &str) -> Result<StatusCode, Problem> {
    let hook = place.find(api, id).await?;
    let missing = |detail: String| Problem::new(&codes::NO_HOOK, detail);
    if !api.store.has_call(&place.owner, &hook.key, &place.scope, call).await? {
        return Err(missing(format!("hook {id} has no call {call:.64}")));
    }
    api.store.replay_call(&place.owner, call, api.clock.now()).await.map_err(|e| match e {
        quoin_store::Error::Refusal(refusal) => missing(refusal.to_string()),
        fault => fault.into(),
    })?;
    Ok(StatusCode::ACCEPTED)
}

/// Makes a finished call of a hook of the environment again, under the same delivery id.
#[cfg_attr(test, utoipa::path(
    post, path = "/api/v1/hook/{hookId}/deliveries/{deliveryId}/replay", tag = "hook",
    params(HookPath, CallPath),
    responses(
        (status = 202, description = "It will be made again."),
        Called,
        OfRole,
        OfHook,
    ),
    security(("token" = []))
))]
pub(crate) async fn environment_call(
    State(api): State<Api>,
    caller: Caller,
    Path((id, call)): Path<(String, String)>,
) -> Result<StatusCode, Problem> {
    let place = HookOwner::environment(&api, &caller).await?;
    one(&api, place, &id, &call).await
}

/// Makes a finished call of a hook of a party again, under the same delivery id.
#[cfg_attr(test, utoipa::path(
    post, path = "/api/v1/{partyId}/hook/{hookId}/deliveries/{deliveryId}/replay", tag = "hook",
    params(PartyHookPath, CallPath),
    responses(
        (status = 202, description = "It will be made again."),
        Called,
        OfParty,
        OfHook,
    ),
    security(("token" = []))
))]
pub(crate) async fn party_call(
    State(api): State<Api>,
    caller: Caller,
    Path((party_id, id, call)): Path<(String, String, String)>,
) -> Result<StatusCode, Problem> {
    let place = HookOwner::party(&api, &caller, &party_id).await?;
    one(&api, place, &id, &call).await
}

/// Makes the calls of a period of a hook of the environment again, in the order of their events;
/// also those that it was never owed, because it was switched off or did not exist yet.
#[cfg_attr(test, utoipa::path(
    post, path = "/api/v1/hook/{hookId}/replay", tag = "hook", request_body = ReplayRequest,
    params(HookPath),
    responses(
        (status = 202, description = "They will be made.", body = Replayed),
        Called,
        OfRole,
        OfHook,
        JsonBody,
        HookBody,
    ),
    security(("token" = []))
))]
pub(crate) async fn environment(
    State(api): State<Api>,
    caller: Caller,
    Path(id): Path<String>,
    FullBody(body): FullBody,
) -> Result<(StatusCode, Json<Replayed>), Problem> {
    let place = HookOwner::environment(&api, &caller).await?;
    period(&api, place, &id, &body).await
}

/// Makes the calls of a period of a hook of a party again, in the order of their events.
#[cfg_attr(test, utoipa::path(
    post, path = "/api/v1/{partyId}/hook/{hookId}/replay", tag = "hook",
    request_body = ReplayRequest, params(PartyHookPath),
    responses(
        (status = 202, description = "They will be made.", body = Replayed),
        Called,
        OfParty,
        OfHook,
        JsonBody,
        HookBody,
    ),
    security(("token" = []))
))]
pub(crate) async fn party(
    State(api): State<Api>,
    caller: Caller,
    Path((party_id, id)): Path<(String, String)>,
    FullBody(body): FullBody,
) -> Result<(StatusCode, Json<Replayed>), Problem> {
    let place = HookOwner::party(&api, &caller, &party_id).await?;
    period(&api, place, &id, &body).await
}
