//! Enrolment: a party is published, users are linked to it and hooks registered, all in one commit
//! (interface specification 2.7, 4.11). Doing it twice changes nothing the second time.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use quoin_delivery::OrganisationId;
use quoin_store::{Hook, HookScope, PartyProfile, Publish, Withdrawal};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
#[cfg(test)]
use utoipa::ToSchema;

use crate::http::body::FullBody;
#[cfg(test)]
use crate::http::refusals::{
    Called, HookBody, JsonBody, OfParty, OfRole, OfUser, Published, Versioned,
};
use crate::http::{Caller, Problem, codes};
use quoin_access_point::config::EndUserVerification;
use quoin_access_point::enrolment::{
    AuthorizationRequest, ChangeRequester, ConfigRequest, PartyPermissions, declared,
    null_is_default, permissions_of,
};

use super::super::hooks::{HookOwner, HookRequest, HookView, derived_id, given, hook};
#[cfg(test)]
use super::super::paths::{PartyPath, VersionHeader};
use super::super::rights::{managed, organisation, participant};
use super::super::users::party as own_party;
use super::super::{Api, json};
use super::config::{change, same_party};
use super::version::{etag, expected};
use super::view::{self, PartyView};

/// Users and hooks of one enrolment at most.
const MOST: usize = 100;

/// What is enrolled.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EnrolRequest {
    /// As it was read; another party than that of the path is refused.
    #[cfg_attr(test, schema(read_only, example = "0106:12345678"))]
    pub id: Option<String>,
    /// What the party can receive, and how it is shown.
    #[serde(default, deserialize_with = "null_is_default")]
    #[cfg_attr(test, schema(nullable))]
    pub services: ServicesRequest,
    /// Users that are linked to the party; it needs at least one of role ApUser.
    #[serde(default, deserialize_with = "null_is_default")]
    #[cfg_attr(test, schema(nullable))]
    pub party_authorizations: Vec<AuthorizationRequest>,
    /// Hooks of the party.
    #[serde(default, deserialize_with = "null_is_default")]
    #[cfg_attr(test, schema(nullable))]
    pub hooks: Vec<HookRequest>,
}

/// The services of an enrolment.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct ServicesRequest {
    /// The Peppol network.
    #[serde(default, deserialize_with = "null_is_default")]
    #[cfg_attr(test, schema(nullable, value_type = ConfigRequest))]
    pub peppol: Map<String, Value>,
}

/// An enrolment as it is shown.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct EnrolView {
    /// The party.
    #[cfg_attr(test, schema(example = "0106:12345678"))]
    pub id: String,
    /// What is published.
    pub services: ServicesView,
    /// Users that are linked to it.
    pub party_authorizations: Vec<AuthorizationView>,
    /// Its hooks.
    pub hooks: Vec<HookView>,
}

/// The services of an enrolment as they are shown.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub struct ServicesView {
    /// The Peppol network.
    pub peppol: PartyView,
}

/// A linked user as it is shown.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct AuthorizationView {
    /// The name of a user, or a client id.
    #[cfg_attr(test, schema(example = "alice@example.org"))]
    pub user_id: String,
    /// What it may do for the party.
    pub permissions: PartyPermissions,
}

/// Beta: may change without notice (specification 9).
///
/// Enrols a party: it is published at once, its entry in the SML follows, and its state is shown
/// with the configuration. The end user must be verified, in this body or before.
#[cfg_attr(test, utoipa::path(
    put, path = "/api/v1-beta/{partyId}/enroll", tag = "enrollment",
    params(
        PartyPath,
        VersionHeader,
    ),
    request_body(
        content = EnrolRequest,
        example = json!({
            "services": { "peppol": {
                "capabilities": { "invoices": "on", "invoiceResponse": "inherited" },
                "businessCard": {
                    "names": "Acme BV", "geoInfo": "Main Street 1, 1000 AA Amsterdam, NL",
                    "email": "tech@example.org",
                },
                "verification": { "notes": "Contract C21345", "verifiedBy": "J. Jansen" },
            } },
            "partyAuthorizations": [{
                "userId": "alice@example.org",
                "permissions": { "canSendDocument": true, "canReceiveDocument": true },
            }],
            "hooks": [{
                "action": "https://erp.example.org/events#a-long-random-secret",
                "topics": ["Invoice*"],
            }],
        })
    ),
    responses(
        (
            status = 200,
            description = "The party is enrolled.",
            headers(("ETag" = String, description = "The version, for If-Match.")),
            body = EnrolView,
            example = json!({
                "id": "0106:12345678",
                "services": { "peppol": PartyView::example() },
                "partyAuthorizations": [{
                    "userId": "alice@example.org", "permissions": {
                    "canSendDocument": true, "canReceiveDocument": true,
                    "canRemoveDocument": false, "canManageHook": false,
                    "canChangeDocumentStatus": true },
                }],
                "hooks": [],
            })
        ),
        Called,
        OfRole,
        OfParty,
        JsonBody,
        Published,
        HookBody,
        OfUser,
        Versioned,
    ),
    security(("token" = []))
))]
pub(crate) async fn enrol(
    State(api): State<Api>,
    caller: Caller,
    Path(party_id): Path<String>,
    headers: HeaderMap,
    FullBody(body): FullBody,
) -> Result<(HeaderMap, Json<EnrolView>), Problem> {
    caller.manager()?;
    let id = participant(&party_id)?;
    let owner = organisation(&caller)?;
    let request: EnrolRequest = json::parsed_as(&codes::BAD_CONFIG, &body)?;
    if request.party_authorizations.len() > MOST || request.hooks.len() > MOST {
        let detail = format!("at most {MOST} users and {MOST} hooks in one enrolment");
        return Err(Problem::new(&codes::BAD_CONFIG, detail));
    }
    let config = ConfigRequest::of(request.services.peppol)?;
    let mut change = change(&api, &caller, &id, &config).await?;
    for named in [&request.id, &config.id] {
        same_party(named.as_deref(), &id, &change)?;
    }
    change.links = permissions_of(&request.party_authorizations, &change.id)?;
    for hook in request.hooks {
        let others = change.hooks.len();
        let made = party_hook(&api, &owner, &change.id, (hook, others)).await?;
        match change.hooks.iter().find(|other| other.id == made.id) {
            None => change.hooks.push(made),
            Some(other) if same(other, &made) => {}
            Some(_) => {
                let named = made.id.as_str();
                let detail = format!("hooks: {named} is named twice, with different members");
                return Err(Problem::new(&codes::BAD_CONFIG, detail));
            }
        }
    }
    if change.verification.is_none() && api.settings.verification == EndUserVerification::Declared {
        let (store, account, now) = (&api.store, caller.client.as_str(), change.now);
        let asker = ChangeRequester { store, organisation: &owner, account, now };
        change.verification = declared(&asker, &change).await?;
    }
    change.publish = Publish::Demanded;
    change.expected = expected(&headers)?;
    let profile = api.store.change_party(change).await?;
    let tag = etag(profile.config.version);
    Ok((tag, Json(shown(&api, &owner, profile).await?)))
}

/// A hook of the party. One without an id gets one that follows from what it does, so that
/// enrolling twice registers it once.
async fn party_hook(
    api: &Api,
    owner: &OrganisationId,
    party: &str,
    (request, others): (HookRequest, usize),
) -> Result<Hook, Problem> {
    let id = match &request.id {
        Some(id) => id.clone(),
        None => derived_id(owner, Some(party), &request)?,
    };
    let scope = HookScope::Party(party.to_owned());
    let place = HookOwner { owner: owner.clone(), scope, party: None };
    let before = api.store.hook(owner, &place.scope, &id).await?;
    place.room(api, before.as_ref(), others).await?;
    let certificates = given(api, owner, &request, before.as_ref()).await?;
    let made = hook(api, place, id, request, before.clone(), certificates)?;
    // A repeat keeps its secrets and times; only a change is a change.
    Ok(before.filter(|before| same(before, &made)).unwrap_or(made))
}

fn same(before: &Hook, made: &Hook) -> bool {
    let newest = |hook: &Hook| hook.secrets.first().cloned();
    let aligned = Hook {
        secrets: before.secrets.clone(),
        key: before.key.clone(),
        scope: before.scope.clone(),
        created_on: before.created_on,
        changed_on: before.changed_on,
        rotated_on: before.rotated_on,
        failing_since: before.failing_since,
        ..made.clone()
    };
    newest(before) == newest(made) && aligned == *before
}

async fn shown(
    api: &Api,
    owner: &OrganisationId,
    profile: PartyProfile,
) -> Result<EnrolView, Problem> {
    let place = HookOwner::of_party(profile.party.clone());
    let links = api.store.permissions_on(owner, &profile.party.id).await?;
    let hooks = api.store.hooks_of(owner).await?.into_iter();
    let hooks = hooks.filter(|hook| hook.scope == place.scope);
    Ok(EnrolView {
        id: profile.party.main(),
        services: ServicesView { peppol: view::party(api, profile, true).await? },
        party_authorizations: links
            .iter()
            .map(|link| AuthorizationView {
                user_id: link.account.clone(),
                permissions: link.into(),
            })
            .collect(),
        hooks: hooks.map(|hook| place.view(api, hook)).collect(),
    })
}

/// Ends the enrolment of a party: services, links and hooks go, and nobody reaches it any more. Its
/// documents stay.
#[cfg_attr(test, utoipa::path(
    delete, path = "/api/v1-beta/{partyId}/enroll", tag = "enrollment",
    params(
        PartyPath,
        VersionHeader,
    ),
    responses(
        (status = 204, description = "The party is not enrolled."),
        Called,
        OfRole,
        OfParty,
        Versioned,
    ),
    security(("token" = []))
))]
pub(crate) async fn withdraw(
    State(api): State<Api>,
    caller: Caller,
    Path(party_id): Path<String>,
    headers: HeaderMap,
) -> Result<StatusCode, Problem> {
    let party = own_party(&api, &managed(&caller)?, &party_id).await?;
    let (by, expected) = ((caller.client.as_str(), api.clock.now()), expected(&headers)?);
    api.store.withdraw_party(party, Withdrawal::Everything, expected, by).await?;
    Ok(StatusCode::NO_CONTENT)
}
