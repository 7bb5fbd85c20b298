//! Hooks: where events go (interface specification 2.4 and 4.10). A hook belongs to the whole
//! organisation (the environment) or to one party; the same functions serve both places.

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use jiff::Timestamp;
use quoin_delivery::filter::Filter;
use quoin_delivery::{HookId, OrganisationId, Topic, TopicPattern};
use quoin_store::{Hook, HookScope, Output};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::hooks::Action;
use crate::http::problem::{Failed, Refused};
use crate::http::{Caller, Problem, codes};

use super::Api;
use super::party::{Right, organisation, party};
use super::paths::PartyPath;

/// Topics that one hook may listen to.
const TOPICS: usize = 64;

/// A hook as it is registered.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct HookRequest {
    /// Its id; one is made where there is none. An existing id is changed.
    #[schema(value_type = Option<String>)]
    pub id: Option<HookId>,
    /// Display name.
    #[serde(default)]
    pub name: String,
    /// An https address; behind `#`, the secret that signs the calls.
    #[schema(example = "https://erp.example.org/events#a-long-random-secret")]
    pub action: String,
    /// What it listens to; `*` at either end stands for anything.
    #[schema(value_type = Vec<String>, example = json!(["Invoice*"]))]
    pub topics: Vec<TopicPattern>,
    /// Topics published when its own processing ends with a status code.
    #[serde(default)]
    #[schema(value_type = Vec<Object>)]
    pub output: Vec<Output>,
    /// Topics that it may publish besides.
    #[serde(default)]
    #[schema(value_type = Vec<String>)]
    pub publish_topics: Vec<Topic>,
    /// Condition on the details of an event, as in `sender == "0106:12345678"`.
    pub filter: Option<String>,
    /// Configuration of its own.
    #[serde(default)]
    #[schema(value_type = Object)]
    pub init: Value,
    /// Whether it is called.
    #[serde(default = "yes")]
    pub is_active: bool,
}

fn yes() -> bool {
    true
}

/// A hook as it is shown; its secret never is.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct HookView {
    /// Its id.
    pub id: String,
    /// The party; absent for a hook of the environment.
    pub party_id: Option<String>,
    /// Display name.
    pub name: String,
    /// The destination, without its secret.
    pub action: String,
    /// Whether calls are signed.
    pub has_secret: bool,
    /// What it listens to.
    #[schema(value_type = Vec<String>)]
    pub topics: Vec<TopicPattern>,
    /// Topics published when its own processing ends with a status code.
    #[schema(value_type = Vec<Object>)]
    pub output: Vec<Output>,
    /// Topics that it may publish besides.
    #[schema(value_type = Vec<String>)]
    pub publish_topics: Vec<Topic>,
    /// Condition on the details of an event.
    pub filter: Option<String>,
    /// Configuration of its own.
    #[schema(value_type = Object)]
    pub init: Value,
    /// Whether it is called.
    pub is_active: bool,
    /// When it was registered.
    #[schema(value_type = String, format = DateTime)]
    pub created_on: Timestamp,
    /// When it last changed.
    #[schema(value_type = String, format = DateTime)]
    pub changed_on: Timestamp,
}

impl From<Hook> for HookView {
    fn from(hook: Hook) -> HookView {
        HookView {
            id: hook.id.as_str().to_owned(),
            party_id: match hook.scope {
                HookScope::Environment => None,
                HookScope::Party(party) => Some(party),
            },
            name: hook.name,
            action: hook.action,
            has_secret: !hook.secrets.is_empty(),
            topics: hook.topics,
            output: hook.output,
            publish_topics: hook.publish_topics,
            filter: hook.filter.map(|filter| filter.as_str().to_owned()),
            init: hook.init,
            is_active: hook.is_active,
            created_on: hook.created_on,
            changed_on: hook.changed_on,
        }
    }
}

/// Where a hook belongs: whose it is, and its scope.
pub(super) struct Place {
    pub owner: OrganisationId,
    pub scope: HookScope,
}

impl Place {
    /// The environment. A client that is held to parties has no say there.
    pub fn environment(caller: &Caller) -> Result<Place, Problem> {
        let held = caller.role != crate::config::ClientRole::ApManager && !caller.all_parties;
        if held {
            let detail = format!("client {} may manage hooks of its parties only", caller.client);
            return Err(Problem::new(&codes::FORBIDDEN_ROLE, detail));
        }
        Ok(Place { owner: organisation(caller)?, scope: HookScope::Environment })
    }

    /// A party.
    pub async fn party(api: &Api, caller: &Caller, party_id: &str) -> Result<Place, Problem> {
        let party = party(api, caller, party_id, Right::ManageHook).await?;
        Ok(Place { owner: party.organisation, scope: HookScope::Party(party.id) })
    }

    /// The hook with this id in this place.
    pub async fn find(&self, api: &Api, id: &str) -> Result<Hook, Problem> {
        let missing = || Problem::new(&codes::NO_HOOK, format!("there is no hook {id:.64} here"));
        let id: HookId = id.parse().map_err(|_| missing())?;
        let found = api.store.hook(&self.owner, &id).await?;
        found.filter(|hook| hook.scope == self.scope).ok_or_else(missing)
    }

    async fn list(&self, api: &Api) -> Result<Json<Vec<HookView>>, Problem> {
        let hooks = api.store.hooks_of(&self.owner).await?;
        let here = hooks.into_iter().filter(|hook| hook.scope == self.scope);
        Ok(Json(here.map(HookView::from).collect()))
    }

    async fn put(self, api: &Api, body: &[u8]) -> Result<Json<HookView>, Problem> {
        let request: HookRequest = serde_json::from_slice(body)
            .map_err(|error| Problem::new(&codes::BAD_JSON, error.to_string()))?;
        let id = request.id.clone().map_or_else(new_id, Ok)?;
        let before = api.store.hook(&self.owner, &id).await?;
        if before.as_ref().is_some_and(|hook| hook.scope != self.scope) {
            let detail = format!("the id {} belongs to a hook of another place", id.as_str());
            return Err(Problem::new(&codes::BAD_HOOK, detail));
        }
        let hook = hook(api, self, id, request, before)?;
        api.store.put_hook(hook.clone()).await?;
        Ok(Json(hook.into()))
    }

    async fn remove(self, api: &Api, id: &str) -> Result<StatusCode, Problem> {
        let hook = self.find(api, id).await?;
        api.store.remove_hook(&self.owner, &hook.id, api.clock.now()).await?;
        Ok(StatusCode::NO_CONTENT)
    }
}

fn new_id() -> Result<HookId, Problem> {
    Uuid::now_v7().to_string().parse().map_err(Problem::fault)
}

/// A new secret goes in front; the one before stays behind it and signs along for a day.
pub(super) fn hook(
    api: &Api,
    place: Place,
    id: HookId,
    request: HookRequest,
    before: Option<Hook>,
) -> Result<Hook, Problem> {
    let bad = |detail: String| Problem::new(&codes::BAD_HOOK, detail);
    let action = Action::parse(&request.action, &api.settings.hook_guard)
        .map_err(|error| bad(error.to_string()))?;
    if request.topics.is_empty() || request.topics.len() > TOPICS {
        return Err(bad(format!("expected 1 to {TOPICS} topics, found {}", request.topics.len())));
    }
    let filter: Option<Filter> = request
        .filter
        .map(|filter| filter.parse())
        .transpose()
        .map_err(|error| bad(format!("filter: {error}")))?;
    let now = api.clock.now();
    let mut secrets: Vec<_> = action.secret.into_iter().collect();
    let created_on = before.as_ref().map_or(now, |hook| hook.created_on);
    if let (Some(newest), Some(before)) = (secrets.first().cloned(), before) {
        secrets.extend(before.secrets.into_iter().filter(|secret| *secret != newest).take(1));
    }
    Ok(Hook {
        organisation: place.owner,
        id,
        scope: place.scope,
        name: request.name,
        action: action.url,
        secrets,
        topics: request.topics,
        output: request.output,
        publish_topics: request.publish_topics,
        filter,
        init: request.init,
        is_active: request.is_active,
        created_on,
        changed_on: now,
    })
}

/// Lists the hooks of the environment.
#[utoipa::path(
    get, path = "/api/v1/hook", tag = "hook",
    responses(
        (status = 200, description = "The hooks.", body = [HookView]),
        Refused,
        Failed,
    ),
    security(("token" = []))
)]
pub(crate) async fn list_environment(
    State(api): State<Api>,
    caller: Caller,
) -> Result<Json<Vec<HookView>>, Problem> {
    Place::environment(&caller)?.list(&api).await
}

/// Registers a hook of the environment, or changes it. `PUT` does the same.
#[utoipa::path(
    post, path = "/api/v1/hook", tag = "hook", request_body = HookRequest,
    responses(
        (status = 200, description = "The hook.", body = HookView),
        Refused,
        Failed,
    ),
    security(("token" = []))
)]
pub(crate) async fn put_environment(
    State(api): State<Api>,
    caller: Caller,
    body: Bytes,
) -> Result<Json<HookView>, Problem> {
    Place::environment(&caller)?.put(&api, &body).await
}

/// Reads a hook of the environment.
#[utoipa::path(
    get, path = "/api/v1/hook/{hookId}", tag = "hook",
    params(("hookId" = String, Path, description = "The hook.")),
    responses(
        (status = 200, description = "The hook.", body = HookView),
        Refused,
        Failed,
    ),
    security(("token" = []))
)]
pub(crate) async fn get_environment(
    State(api): State<Api>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<HookView>, Problem> {
    let hook = Place::environment(&caller)?.find(&api, &id).await?;
    Ok(Json(hook.into()))
}

/// Removes a hook of the environment; calls that it is still owed are not made.
#[utoipa::path(
    delete, path = "/api/v1/hook/{hookId}", tag = "hook",
    params(("hookId" = String, Path, description = "The hook.")),
    responses(
        (status = 204, description = "It is removed."),
        Refused,
        Failed,
    ),
    security(("token" = []))
)]
pub(crate) async fn remove_environment(
    State(api): State<Api>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<StatusCode, Problem> {
    Place::environment(&caller)?.remove(&api, &id).await
}

/// Lists the hooks of a party.
#[utoipa::path(
    get, path = "/api/v1/{partyId}/hook", tag = "hook",
    params(PartyPath),
    responses(
        (status = 200, description = "The hooks.", body = [HookView]),
        Refused,
        Failed,
    ),
    security(("token" = []))
)]
pub(crate) async fn list_party(
    State(api): State<Api>,
    caller: Caller,
    Path(party_id): Path<String>,
) -> Result<Json<Vec<HookView>>, Problem> {
    Place::party(&api, &caller, &party_id).await?.list(&api).await
}

/// Registers a hook of a party, or changes it. `PUT` does the same.
#[utoipa::path(
    post, path = "/api/v1/{partyId}/hook", tag = "hook", request_body = HookRequest,
    params(PartyPath),
    responses(
        (status = 200, description = "The hook.", body = HookView),
        Refused,
        Failed,
    ),
    security(("token" = []))
)]
pub(crate) async fn put_party(
    State(api): State<Api>,
    caller: Caller,
    Path(party_id): Path<String>,
    body: Bytes,
) -> Result<Json<HookView>, Problem> {
    Place::party(&api, &caller, &party_id).await?.put(&api, &body).await
}

/// Reads a hook of a party.
#[utoipa::path(
    get, path = "/api/v1/{partyId}/hook/{hookId}", tag = "hook",
    params(
        ("partyId" = String, Path, description = "The party, `scheme:identifier`."),
        ("hookId" = String, Path, description = "The hook."),
    ),
    responses(
        (status = 200, description = "The hook.", body = HookView),
        Refused,
        Failed,
    ),
    security(("token" = []))
)]
pub(crate) async fn get_party(
    State(api): State<Api>,
    caller: Caller,
    Path((party_id, id)): Path<(String, String)>,
) -> Result<Json<HookView>, Problem> {
    let hook = Place::party(&api, &caller, &party_id).await?.find(&api, &id).await?;
    Ok(Json(hook.into()))
}

/// Removes a hook of a party; calls that it is still owed are not made.
#[utoipa::path(
    delete, path = "/api/v1/{partyId}/hook/{hookId}", tag = "hook",
    params(
        ("partyId" = String, Path, description = "The party, `scheme:identifier`."),
        ("hookId" = String, Path, description = "The hook."),
    ),
    responses(
        (status = 204, description = "It is removed."),
        Refused,
        Failed,
    ),
    security(("token" = []))
)]
pub(crate) async fn remove_party(
    State(api): State<Api>,
    caller: Caller,
    Path((party_id, id)): Path<(String, String)>,
) -> Result<StatusCode, Problem> {
    Place::party(&api, &caller, &party_id).await?.remove(&api, &id).await
}
