//! Hooks: where events go (interface specification 2.4 and 4.10). A hook belongs to the whole
//! organisation (the environment) or to one party; the same functions serve both places.

mod certificates;
mod record;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use quoin_access_point::budget::bytes::WEIGHT;
use quoin_delivery::ids::PEPPOL;
use quoin_delivery::{HookId, OrganisationId};
use quoin_store::{Hook, HookChange, HookScope, PartyRecord};
use uuid::Uuid;

use crate::http::body::{self, FullBody};
use crate::http::query::{NoQuery, Query};
#[cfg(test)]
use crate::http::refusals::{Called, HookBody, JsonBody, OfHook, OfParty, OfRole, Queried};
use crate::http::{Caller, Problem, codes, held, sentences};

#[cfg(test)]
use super::paths::{HookPath, PartyHookPath, PartyPath};
use super::rights::{Right, participant, party, whole};
use super::{Api, json};

pub(super) use certificates::given;
pub use record::{HookRequest, HookView};
pub(super) use record::{derived_id, hook};

/// Hooks of one organisation at most, those of its parties aside, and of one party.
const MOST: u64 = 1_000;

/// Where a hook belongs: whose it is, its scope, and the identifier by which its party is known,
/// where it is one's.
#[derive(Clone)]
pub(super) struct HookOwner {
    pub owner: OrganisationId,
    pub scope: HookScope,
    pub party: Option<String>,
}

impl HookOwner {
    /// The environment. An account that may not manage the hooks of one of its parties has no say
    /// there: such a hook hears of every party.
    pub(super) async fn environment(api: &Api, caller: &Caller) -> Result<HookOwner, Problem> {
        let owner = whole(api, caller, &[Right::ManageHook]).await?;
        Ok(HookOwner { owner, scope: HookScope::Environment, party: None })
    }

    /// A party.
    pub(super) async fn party(
        api: &Api,
        caller: &Caller,
        party_id: &str,
    ) -> Result<HookOwner, Problem> {
        let party = party(api, caller, party_id, Right::ManageHook).await?;
        Ok(HookOwner::of_party(party))
    }

    /// That of a party on record.
    pub(super) fn of_party(party: PartyRecord) -> HookOwner {
        let main = Some(party.main());
        HookOwner { owner: party.organisation, scope: HookScope::Party(party.id), party: main }
    }

    /// The hook with this id in this place.
    pub(super) async fn find(&self, api: &Api, id: &str) -> Result<Hook, Problem> {
        let known: HookId = id.parse().map_err(|_| no_hook(id))?;
        api.store.hook(&self.owner, &self.scope, &known).await?.ok_or_else(|| no_hook(id))
    }

    /// The hooks of this place; the answer holds what it needs of the memory of its organisation.
    async fn list(&self, api: &Api) -> Result<Response, Problem> {
        let needed = api.store.hook_bytes(&self.owner, &self.scope).await?;
        let (room, owner) = (&api.settings.uploads, self.owner.as_str());
        let room = body::memory(room, owner, needed.saturating_mul(WEIGHT as u64)).await?;
        let here: Vec<Hook> = api.store.hooks_in(&self.owner, &self.scope).await?;
        let known = here.iter().any(|hook| hook.id.as_str() == PEPPOL);
        let mut views: Vec<HookView> = Vec::new();
        if self.scope == HookScope::Environment && !known {
            // It is there without being registered.
            views.push(self.view(api, record::peppol(self.owner.clone())));
        }
        views.extend(here.into_iter().map(|hook| self.view(api, hook)));
        Ok(held::held(Json(views).into_response(), room))
    }

    /// A hook of this place as it is shown.
    pub(super) fn view(&self, api: &Api, hook: Hook) -> HookView {
        HookView::of(hook, self.party.clone(), api.clock.now())
    }

    /// The key of the party that the path names, if it names one.
    fn party_here(&self) -> Option<&str> {
        match &self.scope {
            HookScope::Environment => None,
            HookScope::Party(party) => Some(party),
        }
    }

    /// Who names another party than the path does means another hook.
    async fn is_meant(&self, api: &Api, request: &HookRequest) -> Result<(), Problem> {
        let Some(named) = request.party_id.as_ref().filter(|named| !named.is_null()) else {
            return Ok(());
        };
        if let (Some(here), Some(text)) = (self.party_here(), named.as_str()) {
            let id = participant(text)?.folded();
            let found = api.store.party_of_identifier(&self.owner, &id).await?;
            if found.is_some_and(|found| found.id == here) {
                return Ok(());
            }
        }
        let whole = || "the whole environment".to_owned();
        let place = self.party.as_ref().map_or_else(whole, |party| format!("party {party}"));
        let detail = format!(
            "partyId is {:.100}, but this path is for hooks of {place}: a hook of a party is \
             registered at /api/v1/{{partyId}}/hook",
            named.to_string()
        );
        Err(Problem::new(&codes::BAD_HOOK, detail))
    }

    /// Registers a hook or changes it. One without an id is a new one with `POST`; with `PUT` it is
    /// the one that does the same in the same place.
    async fn put(self, api: &Api, method: &Method, body: &[u8]) -> Result<Json<HookView>, Problem> {
        let request: HookRequest = json::parsed_as(&codes::BAD_HOOK, body)?;
        self.is_meant(api, &request).await?;
        let id = match request.id.clone() {
            Some(id) => id,
            None if *method == Method::PUT => derived_id(&self.owner, self.party_here(), &request)?,
            None => new_id()?,
        };
        // What stays of the hook before is that of the one on record when this one is recorded:
        // nobody's rotation is undone.
        loop {
            let (request, place) = (request.clone(), self.clone());
            let before = api.store.hook(&self.owner, &self.scope, &id).await?;
            let given = certificates::given(api, &self.owner, &request, before.as_ref()).await?;
            let hook = record::hook(api, place, id.clone(), request, before.clone(), given)?;
            match api.store.change_hook(before, hook.clone(), MOST).await? {
                HookChange::Done => return Ok(Json(self.view(api, hook))),
                HookChange::Moved => {}
                HookChange::Full => return Err(self.full()),
            }
        }
    }

    /// Whether there is room for one more hook here, where it is a new one, beside those that come
    /// with it.
    ///
    /// # Errors
    /// API400.Hook.
    pub(super) async fn room(
        &self,
        api: &Api,
        before: Option<&Hook>,
        others: usize,
    ) -> Result<(), Problem> {
        if before.is_some() {
            return Ok(());
        }
        let there = api.store.count_hooks(&self.owner, &self.scope).await?;
        match there.saturating_add(others as u64) < MOST {
            true => Ok(()),
            false => Err(self.full()),
        }
    }

    /// Why there is no room for one more.
    fn full(&self) -> Problem {
        let whose = match &self.scope {
            HookScope::Environment => "an organisation",
            HookScope::Party(_) => "a party",
        };
        let detail = format!(
            "{whose} has {MOST} hooks of its own at most, and as many are there: remove one that \
             is not needed, or have one hook hear of more topics"
        );
        Problem::new(&codes::BAD_HOOK, detail)
    }

    async fn remove(self, api: &Api, id: &str) -> Result<StatusCode, Problem> {
        let hook = self.find(api, id).await?;
        let now = api.clock.now();
        match api.store.remove_hook(&self.owner, &self.scope, &hook.id, now).await? {
            true => Ok(StatusCode::NO_CONTENT),
            // Somebody else has removed it since.
            false => Err(no_hook(id)),
        }
    }
}

fn no_hook(id: &str) -> Problem {
    let id = format!("{id:.64}");
    Problem::new(&codes::NO_HOOK, sentences::NO_HOOK.with([("id", &id)]))
}

fn new_id() -> Result<HookId, Problem> {
    Uuid::now_v7().to_string().parse().map_err(Problem::fault)
}

/// Lists the hooks of the environment.
#[cfg_attr(test, utoipa::path(
    get, path = "/api/v1/hook", tag = "hook",
    responses(
        (status = 200, description = "The hooks.", body = [HookView]),
        Called,
        OfRole,
        Queried,
    ),
    security(("token" = []))
))]
pub(crate) async fn list_environment(
    State(api): State<Api>,
    caller: Caller,
    Query(NoQuery {}): Query<NoQuery>,
) -> Result<Response, Problem> {
    HookOwner::environment(&api, &caller).await?.list(&api).await
}

/// Registers a hook of the environment, or changes it. A hook without an id is a new one with
/// `POST`; with `PUT` it is the one that already does the same.
#[cfg_attr(test, utoipa::path(
    method(post, put), path = "/api/v1/hook", tag = "hook", request_body = HookRequest,
    responses(
        (status = 200, description = "The hook.", body = HookView),
        Called,
        OfRole,
        JsonBody,
        HookBody,
    ),
    security(("token" = []))
))]
pub(crate) async fn put_environment(
    State(api): State<Api>,
    caller: Caller,
    method: Method,
    FullBody(body): FullBody,
) -> Result<Json<HookView>, Problem> {
    HookOwner::environment(&api, &caller).await?.put(&api, &method, &body).await
}

/// Reads a hook of the environment.
#[cfg_attr(test, utoipa::path(
    get, path = "/api/v1/hook/{hookId}", tag = "hook",
    params(HookPath),
    responses(
        (status = 200, description = "The hook.", body = HookView),
        Called,
        OfRole,
        OfHook,
    ),
    security(("token" = []))
))]
pub(crate) async fn get_environment(
    State(api): State<Api>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<HookView>, Problem> {
    let place = HookOwner::environment(&api, &caller).await?;
    let hook = match place.find(&api, &id).await {
        // It is in the list without being registered.
        Err(problem) if id == PEPPOL && problem.code.id == codes::NO_HOOK.id => {
            record::peppol(place.owner.clone())
        }
        found => found?,
    };
    Ok(Json(place.view(&api, hook)))
}

/// Removes a hook of the environment; calls that it is still owed are not made.
#[cfg_attr(test, utoipa::path(
    delete, path = "/api/v1/hook/{hookId}", tag = "hook",
    params(HookPath),
    responses(
        (status = 204, description = "It is removed."),
        Called,
        OfRole,
        OfHook,
    ),
    security(("token" = []))
))]
pub(crate) async fn remove_environment(
    State(api): State<Api>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<StatusCode, Problem> {
    HookOwner::environment(&api, &caller).await?.remove(&api, &id).await
}

/// Lists the hooks of a party.
#[cfg_attr(test, utoipa::path(
    get, path = "/api/v1/{partyId}/hook", tag = "hook",
    params(PartyPath),
    responses(
        (status = 200, description = "The hooks.", body = [HookView]),
        Called,
        OfParty,
        Queried,
    ),
    security(("token" = []))
))]
pub(crate) async fn list_party(
    State(api): State<Api>,
    caller: Caller,
    Path(party_id): Path<String>,
    Query(NoQuery {}): Query<NoQuery>,
) -> Result<Response, Problem> {
    HookOwner::party(&api, &caller, &party_id).await?.list(&api).await
}

/// Registers a hook of a party, or changes it. A hook without an id is a new one with
/// `POST`; with `PUT` it is the one that already does the same.
#[cfg_attr(test, utoipa::path(
    method(post, put), path = "/api/v1/{partyId}/hook", tag = "hook", request_body = HookRequest,
    params(PartyPath),
    responses(
        (status = 200, description = "The hook.", body = HookView),
        Called,
        OfParty,
        JsonBody,
        HookBody,
    ),
    security(("token" = []))
))]
pub(crate) async fn put_party(
    State(api): State<Api>,
    caller: Caller,
    Path(party_id): Path<String>,
    method: Method,
    FullBody(body): FullBody,
) -> Result<Json<HookView>, Problem> {
    HookOwner::party(&api, &caller, &party_id).await?.put(&api, &method, &body).await
}

/// Reads a hook of a party.
#[cfg_attr(test, utoipa::path(
    get, path = "/api/v1/{partyId}/hook/{hookId}", tag = "hook",
    params(PartyHookPath),
    responses(
        (status = 200, description = "The hook.", body = HookView),
        Called,
        OfParty,
        OfHook,
    ),
    security(("token" = []))
))]
pub(crate) async fn get_party(
    State(api): State<Api>,
    caller: Caller,
    Path((party_id, id)): Path<(String, String)>,
) -> Result<Json<HookView>, Problem> {
    let place = HookOwner::party(&api, &caller, &party_id).await?;
    let hook = place.find(&api, &id).await?;
    Ok(Json(place.view(&api, hook)))
}

/// Removes a hook of a party; calls that it is still owed are not made.
#[cfg_attr(test, utoipa::path(
    delete, path = "/api/v1/{partyId}/hook/{hookId}", tag = "hook",
    params(PartyHookPath),
    responses(
        (status = 204, description = "It is removed."),
        Called,
        OfParty,
        OfHook,
    ),
    security(("token" = []))
))]
pub(crate) async fn remove_party(
    State(api): State<Api>,
    caller: Caller,
    Path((party_id, id)): Path<(String, String)>,
) -> Result<StatusCode, Problem> {
    HookOwner::party(&api, &caller, &party_id).await?.remove(&api, &id).await
}
