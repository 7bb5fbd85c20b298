//! The users of an organisation and the parties they are linked to: administration, for the role
//! ApManager. A user is a person with a password, or a name that signs in at another issuer; the
//! clients of the configuration are listed with them, since they are linked the same way.

pub(super) mod linked;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::routing::{delete, get};
use axum::{Json, Router};
use jiff::Timestamp;
use quoin_delivery::OrganisationId;
use quoin_store::{AccountRole, Client, PartyRecord, User, UserChange};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
#[cfg(test)]
use utoipa::ToSchema;

use crate::http::body::FullBody;
use crate::http::names::{self, NAME};
use crate::http::password::LENGTH;
use crate::http::query::{NoQuery, Query};
#[cfg(test)]
use crate::http::refusals::{Called, JsonBody, Linked, OfParty, OfRole, OfUser, Queried, UserBody};
use crate::http::{Caller, Problem, codes, sentences};
use quoin_access_point::config::ClientRole;

#[cfg(test)]
use super::paths::{PartyPath, UserPath};
use super::permissions::UserParty;
use super::rights::{managed, participant};
use super::{Api, json};
use quoin_access_point::enrolment::{PartyPermissions, null_is_default};

/// A user as it is written. What only the service sets (`kind`, `hasPassword`, `createdOn`) may be
/// given as it was read and is ignored.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UserRequest {
    /// Its name, up to 128 characters without `/`.
    #[cfg_attr(test, schema(example = "alice@example.org"))]
    pub name: String,
    /// A new password, 8 to 256 characters; left out, the one before stays. A user that never had
    /// one signs in at another issuer.
    #[cfg_attr(test, schema(example = "correct horse battery"))]
    pub password: Option<String>,
    /// `ApUser` or `ApManager`; a new user is `ApUser`.
    #[cfg_attr(
        test,
        schema(value_type = Option<String>, pattern = "^Ap(User|Manager)$", example = "ApUser")
    )]
    pub role: Option<ClientRole>,
    /// Whether it may do anything at all.
    pub is_active: Option<bool>,
    /// Ignored.
    #[cfg_attr(test, schema(ignore))]
    pub kind: Option<IgnoredAny>,
    /// Ignored.
    #[cfg_attr(test, schema(ignore))]
    pub has_password: Option<IgnoredAny>,
    /// Ignored.
    #[cfg_attr(test, schema(ignore))]
    pub created_on: Option<IgnoredAny>,
}

/// A user as it is shown; its password never is.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct UserView {
    /// Its name, or a client id.
    #[cfg_attr(test, schema(example = "alice@example.org"))]
    pub name: String,
    /// `user` or `client`.
    #[cfg_attr(test, schema(example = "user"))]
    pub kind: &'static str,
    /// `ApUser` or `ApManager`.
    #[cfg_attr(test, schema(example = "ApUser"))]
    pub role: &'static str,
    /// Whether it may do anything at all.
    pub is_active: bool,
    /// Whether it signs in here.
    pub has_password: bool,
    /// When it was recorded.
    #[cfg_attr(test, schema(value_type = String, format = DateTime))]
    pub created_on: Timestamp,
}

impl From<User> for UserView {
    fn from(user: User) -> UserView {
        UserView {
            name: user.name,
            kind: "user",
            role: user.role.as_str(),
            is_active: user.active,
            has_password: user.password_hash.is_some(),
            created_on: user.created_on,
        }
    }
}

impl From<Client> for UserView {
    fn from(client: Client) -> UserView {
        UserView {
            name: client.client_id,
            kind: "client",
            role: client.role.as_str(),
            is_active: client.active,
            has_password: false,
            created_on: client.created_on,
        }
    }
}

/// A link of a user to a party, as it is written.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UserPartyRequest {
    /// The party: `scheme:identifier`, or with a letter alias.
    #[cfg_attr(test, schema(example = "0106:12345678"))]
    pub id: String,
    /// Its name; not changed here.
    #[serde(default)]
    #[expect(dead_code, reason = "clients write back what they read")]
    #[cfg_attr(test, schema(example = "Acme BV"))]
    name: Option<String>,
    /// What the user may do for it; what is not named is not allowed.
    #[serde(default, deserialize_with = "null_is_default")]
    #[cfg_attr(test, schema(nullable))]
    pub permissions: PartyPermissions,
}

pub(super) fn routes() -> Router<Api> {
    Router::new()
        .route("/api/v1/user", get(list).put(put))
        .route("/api/v1/user/{name}", delete(remove))
        .route("/api/v1/user/{name}/party", get(linked::parties).put(link))
        .route("/api/v1/user/{name}/party/{partyId}", delete(unlink))
}

fn check_name(name: &str) -> Result<(), Problem> {
    if names::is_account(name) {
        return Ok(());
    }
    let detail = format!(
        "a name has 1 to {NAME} characters without / and outer spaces, none of them control or \
         invisible, and is neither . nor .."
    );
    Err(Problem::new(&codes::BAD_USER, detail))
}

async fn hashed(api: &Api, password: Option<String>) -> Result<Option<String>, Problem> {
    let Some(password) = password else { return Ok(None) };
    let length = password.chars().count();
    if !LENGTH.contains(&length) {
        let (least, most) = (LENGTH.start(), LENGTH.end());
        let detail = format!("a password has {least} to {most} characters, found {length}");
        return Err(Problem::new(&codes::BAD_USER, detail));
    }
    Ok(Some(api.auth.passwords.hash(&password).await?))
}

/// Lists the users and clients of the organisation.
#[cfg_attr(test, utoipa::path(
    get, path = "/api/v1/user", tag = "user",
    responses(
        (
            status = 200,
            description = "By name, users first.",
            body = [UserView],
            example = json!([{ "name": "alice@example.org", "kind": "user",
                "role": "ApUser", "isActive": true,
                "hasPassword": true, "createdOn": "2026-02-28T16:02:52Z" }])
        ),
        Called,
        OfRole,
        Queried,
    ),
    security(("token" = []))
))]
pub(crate) async fn list(
    State(api): State<Api>,
    caller: Caller,
    Query(NoQuery {}): Query<NoQuery>,
) -> Result<Json<Vec<UserView>>, Problem> {
    let owner = managed(&caller)?;
    let users = api.store.users_of(&owner).await?.into_iter().map(UserView::from);
    let clients = api.store.clients_of(&owner).await?.into_iter().map(UserView::from);
    Ok(Json(users.chain(clients).collect()))
}

/// Records a user, or changes what is given about it.
#[cfg_attr(test, utoipa::path(
    put, path = "/api/v1/user", tag = "user", request_body = UserRequest,
    responses(
        (
            status = 200,
            description = "The user.",
            body = UserView,
            example = json!({ "name": "alice@example.org", "kind": "user",
                "role": "ApUser", "isActive": true,
                "hasPassword": true, "createdOn": "2026-02-28T16:02:52Z" })
        ),
        Called,
        OfRole,
        JsonBody,
        UserBody,
        Linked,
    ),
    security(("token" = []))
))]
pub(crate) async fn put(
    State(api): State<Api>,
    caller: Caller,
    FullBody(body): FullBody,
) -> Result<Json<UserView>, Problem> {
    let owner = managed(&caller)?;
    let request: UserRequest = json::parsed(&body)?;
    check_name(&request.name)?;
    let change = UserChange {
        password_hash: hashed(&api, request.password).await?,
        role: request.role.map(|role| match role {
            ClientRole::ApUser => AccountRole::ApUser,
            ClientRole::ApManager => AccountRole::ApManager,
        }),
        active: request.is_active,
    };
    let user = api.store.put_user(&owner, &request.name, change, api.clock.now()).await?;
    Ok(Json(user.into()))
}

/// Removes a user with its links. Tokens that it has are of no use from then on.
#[cfg_attr(test, utoipa::path(
    delete, path = "/api/v1/user/{name}", tag = "user",
    params(UserPath),
    responses(
        (status = 204, description = "It is removed."),
        Called,
        OfRole,
        OfUser,
        Linked,
    ),
    security(("token" = []))
))]
pub(crate) async fn remove(
    State(api): State<Api>,
    caller: Caller,
    Path(name): Path<String>,
) -> Result<StatusCode, Problem> {
    let owner = managed(&caller)?;
    if api.store.remove_user(&owner, &name).await? {
        return Ok(StatusCode::NO_CONTENT);
    }
    let detail = format!("there is no user {name:.128}; a client is removed at /api/v1/client");
    Err(Problem::new(&codes::NO_USER, detail))
}

/// The account of this name in the organisation.
async fn account(api: &Api, owner: &OrganisationId, name: &str) -> Result<(), Problem> {
    let found = api.store.account(owner, name).await?;
    let missing = || {
        let name = format!("{name:.128}");
        Problem::new(&codes::NO_USER, sentences::NO_USER.with([("name", &name)]))
    };
    found.map(|_| ()).ok_or_else(missing)
}

/// The party of the organisation with this identifier.
pub(super) async fn party(
    api: &Api,
    owner: &OrganisationId,
    identifier: &str,
) -> Result<PartyRecord, Problem> {
    let id = participant(identifier)?;
    let missing = || {
        let detail = format!("organisation {owner} has no party {id}");
        Problem::new(&codes::FORBIDDEN_PARTY, detail)
    };
    api.store.party_of_identifier(owner, &id.folded()).await?.ok_or_else(missing)
}

/// Links a user to a party, or changes what it may do for it.
#[cfg_attr(test, utoipa::path(
    put, path = "/api/v1/user/{name}/party", tag = "user", request_body = UserPartyRequest,
    params(UserPath),
    responses(
        (
            status = 200,
            description = "The link.",
            body = UserParty,
            example = json!({ "id": "0106:12345678", "name": "Acme BV", "permissions": {
                    "canSendDocument": true, "canReceiveDocument": true,
                    "canRemoveDocument": false, "canManageHook": false,
                    "canChangeDocumentStatus": true } })
        ),
        Called,
        OfRole,
        OfUser,
        OfParty,
        JsonBody,
        Linked,
    ),
    security(("token" = []))
))]
pub(crate) async fn link(
    State(api): State<Api>,
    caller: Caller,
    Path(name): Path<String>,
    FullBody(body): FullBody,
) -> Result<Json<UserParty>, Problem> {
    let owner = managed(&caller)?;
    let request: UserPartyRequest = json::parsed(&body)?;
    account(&api, &owner, &name).await?;
    let party = party(&api, &owner, &request.id).await?;
    let permission = request.permissions.of(&name, &party.id);
    api.store.put_permission(&owner, permission).await?;
    Ok(Json(UserParty::new(&party, request.permissions)))
}

/// Takes a user's rights on a party away. A client that acts for all parties keeps a link without
/// permissions, since without a link it may do everything.
#[cfg_attr(test, utoipa::path(
    delete, path = "/api/v1/user/{name}/party/{partyId}", tag = "user",
    params(UserPath, PartyPath),
    responses(
        (status = 204, description = "It has no rights on the party."),
        Called,
        OfRole,
        OfUser,
        OfParty,
        Linked,
    ),
    security(("token" = []))
))]
pub(crate) async fn unlink(
    State(api): State<Api>,
    caller: Caller,
    Path((name, party_id)): Path<(String, String)>,
) -> Result<StatusCode, Problem> {
    let owner = managed(&caller)?;
    account(&api, &owner, &name).await?;
    let party = party(&api, &owner, &party_id).await?;
    api.store.remove_permission(&owner, &name, &party.id).await?;
    Ok(StatusCode::NO_CONTENT)
}
