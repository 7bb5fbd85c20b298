//! The rotation of a hook's secret: a new one signs, and the one before signs along for a day.

use axum::Json;
use axum::extract::{Path, State};
use data_encoding::BASE64;
use jiff::Timestamp;
use quoin_delivery::hook::ActionKind;
use quoin_store::{Hook, HookChange};
use serde::{Deserialize, Serialize};
#[cfg(test)]
use utoipa::ToSchema;

use crate::http::body::FullBody;
#[cfg(test)]
use crate::http::refusals::{Called, HookBody, JsonBody, OfHook, OfParty, OfRole, Rotating};
use crate::http::{Caller, Problem, codes};
use quoin_access_point::hooks::{checked_secret, previous_until, rotated};

use super::hooks::HookOwner;
#[cfg(test)]
use super::paths::{HookPath, PartyHookPath};
use super::{Api, json};

/// Bytes of a secret that is made here.
const SECRET: usize = 32;

/// The new secret.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Rotation {
    /// Of the caller's choice; one is made where there is none.
    #[cfg_attr(test, schema(example = "a-long-random-secret"))]
    pub secret: Option<String>,
}

/// What signs from now on. The secret is shown this once.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Rotated {
    /// The new secret.
    #[cfg_attr(test, schema(example = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3"))]
    pub secret: String,
    /// Until when the one before signs along; absent where there was none.
    #[cfg_attr(test, schema(value_type = Option<String>, format = DateTime))]
    pub previous_secret_until: Option<Timestamp>,
}

async fn rotate(
    api: &Api,
    place: HookOwner,
    id: &str,
    body: &[u8],
) -> Result<Json<Rotated>, Problem> {
    let mut before = place.find(api, id).await?;
    let request: Rotation = match body.trim_ascii() {
        [] => Rotation::default(),
        body => json::parsed::<Option<Rotation>>(body)?.unwrap_or_default(),
    };
    let now = api.clock.now();
    // Nothing but the secret changes, of the hook as it is on record then: who comes second finds
    // a secret that was changed, or no hook.
    loop {
        may_rotate(&before, now)?;
        let secret = match &request.secret {
            Some(secret) => secret.clone(),
            None => new_secret()?,
        };
        let newest = checked_secret(&secret)
            .map_err(|error| Problem::new(&codes::BAD_HOOK, error.to_string()))?;
        let (secrets, rotated_on) = rotated(Some(&before), newest, now);
        let hook = Hook { secrets, rotated_on, changed_on: now, ..before.clone() };
        let previous_secret_until = previous_until(&hook, now);
        let most = u64::MAX;
        if api.store.change_hook(Some(before), hook, most).await? == HookChange::Done {
            return Ok(Json(Rotated { secret, previous_secret_until }));
        }
        before = place.find(api, id).await?;
    }
}

/// Whether the secret of a hook may be changed now.
fn may_rotate(hook: &Hook, now: Timestamp) -> Result<(), Problem> {
    if ActionKind::of(&hook.action) != Some(ActionKind::Web) {
        let detail = "only the calls of an https address are signed";
        return Err(Problem::new(&codes::BAD_HOOK, detail));
    }
    if let Some(until) = previous_until(hook, now) {
        let detail = format!("the secret was changed before; both sign until {until}");
        return Err(Problem::new(&codes::ROTATING, detail));
    }
    Ok(())
}

fn new_secret() -> Result<String, Problem> {
    let mut key = [0; SECRET];
    aws_lc_rs::rand::fill(&mut key).map_err(|_| Problem::fault("no random bytes"))?;
    Ok(format!("whsec_{}", BASE64.encode(&key)))
}

/// Gives a hook of the environment a new secret; the one before signs along for 24 hours.
#[cfg_attr(test, utoipa::path(
    post, path = "/api/v1/hook/{hookId}/rotate", tag = "hook", request_body = Option<Rotation>,
    params(HookPath),
    responses(
        (status = 200, description = "The new secret, shown this once.", body = Rotated),
        Called,
        OfRole,
        OfHook,
        JsonBody,
        HookBody,
        Rotating,
    ),
    security(("token" = []))
))]
pub(crate) async fn environment(
    State(api): State<Api>,
    caller: Caller,
    Path(id): Path<String>,
    FullBody(body): FullBody,
) -> Result<Json<Rotated>, Problem> {
    let place = HookOwner::environment(&api, &caller).await?;
    rotate(&api, place, &id, &body).await
}

/// Gives a hook of a party a new secret; the one before signs along for 24 hours.
#[cfg_attr(test, utoipa::path(
    post, path = "/api/v1/{partyId}/hook/{hookId}/rotate", tag = "hook",
    request_body = Option<Rotation>, params(PartyHookPath),
    responses(
        (status = 200, description = "The new secret, shown this once.", body = Rotated),
        Called,
        OfParty,
        OfHook,
        JsonBody,
        HookBody,
        Rotating,
    ),
    security(("token" = []))
))]
pub(crate) async fn party(
    State(api): State<Api>,
    caller: Caller,
    Path((party_id, id)): Path<(String, String)>,
    FullBody(body): FullBody,
) -> Result<Json<Rotated>, Problem> {
    let place = HookOwner::party(&api, &caller, &party_id).await?;
    rotate(&api, place, &id, &body).await
}
