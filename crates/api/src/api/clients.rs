//! The clients of an organisation: machines that fetch tokens with an id and a secret.
//! Administration, for the role ApManager. The id and the secret of a client are made here and the
//! secret is shown once; what is kept of it is a digest. Clients that the configuration of the
//! service declares are shown with them, and changed there.

mod view;

use axum::extract::{Path, State};
use axum::http::header::{CACHE_CONTROL, LOCATION};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::routing::{get, post};
use axum::{Json, Router};
use data_encoding::HEXLOWER;
use jiff::{SignedDuration, Timestamp};
use quoin_delivery::OrganisationId;
use quoin_store::{AccountRole, Client, ClientChange, NewSecret, secret_digest};
use serde::Deserialize;
use serde::de::IgnoredAny;
#[cfg(test)]
use utoipa::{IntoParams, ToSchema};

use crate::http::body::FullBody;
use crate::http::query::{NoQuery, Query};
#[cfg(test)]
use crate::http::refusals::{
    Called, ChangedClient, ClientBody, JsonBody, Linked, OfClient, OfRole, Queried, Rotating,
};
use crate::http::{Caller, Problem, codes, names};
use quoin_access_point::config::ClientRole;

use super::rights::managed;
use super::{Api, bool_param, json};

pub use view::{ClientView, ClientWithSecret};

/// Random bytes of a secret, and of an id.
const SECRET: usize = 32;
const ID: usize = 12;
/// Characters of a name at most.
const NAME: usize = 128;
/// A replaced secret is taken beside the new one for so long.
const OVERLAP: SignedDuration = SignedDuration::from_hours(24);

/// A client as it is made or changed; what is left out stays, or has its default. What only the
/// service sets (`clientId`, `createdOn` and the like) may be given as it was read and is ignored.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(test, schema(example = json!({ "name": "ERP", "role": "ApUser" })))]
pub struct ClientRequest {
    /// Its name for people, up to 128 characters.
    #[cfg_attr(test, schema(example = "ERP"))]
    pub name: Option<String>,
    /// `ApUser` or `ApManager`; a new client is `ApUser`.
    #[cfg_attr(
        test,
        schema(value_type = Option<String>, pattern = "^Ap(User|Manager)$", example = "ApUser")
    )]
    pub role: Option<ClientRole>,
    /// Whether it gets tokens at all, and whether those that it has are taken; a new client does.
    pub is_active: Option<bool>,
    /// Whether it acts for every party of the organisation; a new client acts for those that it is
    /// linked to, as a user does.
    pub all_parties: Option<bool>,
    /// Ignored.
    #[cfg_attr(test, schema(ignore))]
    pub client_id: Option<IgnoredAny>,
    /// Ignored.
    #[cfg_attr(test, schema(ignore))]
    pub is_declared: Option<IgnoredAny>,
    /// Ignored.
    #[cfg_attr(test, schema(ignore))]
    pub previous_secret_until: Option<IgnoredAny>,
    /// Ignored.
    #[cfg_attr(test, schema(ignore))]
    pub created_on: Option<IgnoredAny>,
}

/// How a secret is replaced.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(test, derive(IntoParams))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub(crate) struct RotateQuery {
    /// `true` ends the secret before at once, as for one that became known; without it both are
    /// taken for 24 hours.
    #[serde(default, deserialize_with = "bool_param::given")]
    immediately: bool,
}

/// A path that names a client.
#[cfg(test)]
#[cfg_attr(test, derive(IntoParams))]
#[cfg_attr(test, into_params(parameter_in = Path))]
#[expect(dead_code, reason = "describes the path; axum reads it by place")]
pub(crate) struct ClientPath {
    /// The client.
    #[cfg_attr(test, param(rename = "clientId", example = "client-5d1f0c9be27a4e80b6c93d12"))]
    client_id: String,
}

pub(super) fn routes() -> Router<Api> {
    Router::new()
        .route("/api/v1/client", get(list).post(create))
        .route("/api/v1/client/{clientId}", get(client).put(change).delete(remove))
        .route("/api/v1/client/{clientId}/rotate", post(rotate))
}

impl ClientRequest {
    fn change(self) -> Result<ClientChange, Problem> {
        let long = |name: &String| name.chars().count() > NAME || !names::is_visible(name);
        if self.name.as_ref().is_some_and(long) {
            let detail =
                format!("a name has up to {NAME} characters, none of them control or invisible");
            return Err(Problem::new(&codes::BAD_CLIENT, detail));
        }
        Ok(ClientChange {
            name: self.name,
            role: self.role.map(|role| match role {
                ClientRole::ApUser => AccountRole::ApUser,
                ClientRole::ApManager => AccountRole::ApManager,
            }),
            active: self.is_active,
            all_parties: self.all_parties,
            secret: None,
        })
    }
}

fn random<const N: usize>() -> Result<String, Problem> {
    let mut bytes = [0; N];
    aws_lc_rs::rand::fill(&mut bytes).map_err(|_| Problem::fault("no random bytes"))?;
    Ok(HEXLOWER.encode(&bytes))
}

/// A secret is not for caches.
fn no_store() -> [(HeaderName, HeaderValue); 1] {
    [(CACHE_CONTROL, HeaderValue::from_static("no-store"))]
}

async fn find(api: &Api, owner: &OrganisationId, id: &str) -> Result<Client, Problem> {
    let found = api.store.client(id).await?.filter(|client| client.organisation == *owner);
    found.ok_or_else(|| {
        Problem::new(&codes::NO_CLIENT, format!("organisation {owner} has no client {id:.128}"))
    })
}

/// A client that may be changed here.
async fn changeable(api: &Api, owner: &OrganisationId, id: &str) -> Result<Client, Problem> {
    let client = find(api, owner, id).await?;
    if !client.declared {
        return Ok(client);
    }
    let detail = format!("client {id:.128} is declared in the configuration of the service");
    Err(Problem::new(&codes::FIXED_CLIENT, detail))
}

/// Who locks itself out cannot let itself in again.
fn not_itself(caller: &Caller, id: &str) -> Result<(), Problem> {
    if caller.client != id {
        return Ok(());
    }
    let detail =
        "a client does not switch off, demote or remove itself; let another ApManager do it";
    Err(Problem::new(&codes::FIXED_CLIENT, detail))
}

/// Lists the clients of the organisation.
#[cfg_attr(test, utoipa::path(
    get, path = "/api/v1/client", tag = "client",
    responses(
        (
            status = 200,
            description = "By id.",
            body = [ClientView],
            example = json!([{ "clientId": "client-5d1f0c9be27a4e80b6c93d12", "name": "ERP",
                "role": "ApUser", "isActive": true, "allParties": false, "isDeclared": false,
                "previousSecretUntil": null, "createdOn": "2026-02-28T16:02:52Z" }])
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
) -> Result<Json<Vec<ClientView>>, Problem> {
    let owner = managed(&caller)?;
    let now = api.clock.now();
    let found = api.store.clients_of(&owner).await?;
    Ok(Json(found.into_iter().map(|client| ClientView::of(client, now)).collect()))
}

/// Makes a client. The answer is the only place where its secret is ever shown.
#[cfg_attr(test, utoipa::path(
    post, path = "/api/v1/client", tag = "client", request_body = ClientRequest,
    responses(
        (
            status = 200,
            description = "The client with its secret, shown this once.",
            body = ClientWithSecret,
            example = json!(ClientWithSecret::example())
        ),
        Called,
        OfRole,
        JsonBody,
        ClientBody,
    ),
    security(("token" = []))
))]
pub(crate) async fn create(
    State(api): State<Api>,
    caller: Caller,
    FullBody(body): FullBody,
) -> Result<(HeaderMap, Json<ClientWithSecret>), Problem> {
    let owner = managed(&caller)?;
    let request: ClientRequest = json::parsed(&body)?;
    // The id is made here: one of the caller's choice would tell of clients of others.
    if request.client_id.is_some() {
        let detail = "clientId is given by the service: leave it out, the answer has it";
        return Err(Problem::new(&codes::BAD_JSON, detail));
    }
    let change = request.change()?;
    let client_id = format!("client-{}", random::<ID>()?);
    let client_secret = random::<SECRET>()?;
    let now = api.clock.now();
    let client = Client {
        client_id,
        organisation: owner,
        name: change.name.unwrap_or_default(),
        secret_sha256: secret_digest(&client_secret),
        previous: None,
        role: change.role.unwrap_or(AccountRole::ApUser),
        active: change.active.unwrap_or(true),
        all_parties: change.all_parties.unwrap_or(false),
        declared: false,
        created_on: now,
        tokens_since: now,
    };
    api.store.put_client(client.clone()).await?;
    let mut headers = HeaderMap::from_iter(no_store());
    let place = format!("{}/api/v1/client/{}", api.settings.public_url, client.client_id);
    headers.extend(place.parse().ok().map(|place| (LOCATION, place)));
    Ok((headers, Json(ClientWithSecret { client: ClientView::of(client, now), client_secret })))
}

/// Reads a client.
#[cfg_attr(test, utoipa::path(
    get, path = "/api/v1/client/{clientId}", tag = "client", params(ClientPath),
    responses(
        (status = 200, description = "The client.", body = ClientView),
        Called,
        OfRole,
        OfClient,
    ),
    security(("token" = []))
))]
pub(crate) async fn client(
    State(api): State<Api>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<ClientView>, Problem> {
    let owner = managed(&caller)?;
    Ok(Json(ClientView::of(find(&api, &owner, &id).await?, api.clock.now())))
}

/// Changes what is given about a client. One that is switched off gets no tokens, and those that
/// it has are of no use from then on.
#[cfg_attr(test, utoipa::path(
    put, path = "/api/v1/client/{clientId}", tag = "client", params(ClientPath),
    request_body = ClientRequest,
    responses(
        (status = 200, description = "The client.", body = ClientView),
        Called,
        OfRole,
        OfClient,
        JsonBody,
        ClientBody,
        ChangedClient,
        Linked,
    ),
    security(("token" = []))
))]
pub(crate) async fn change(
    State(api): State<Api>,
    caller: Caller,
    Path(id): Path<String>,
    FullBody(body): FullBody,
) -> Result<Json<ClientView>, Problem> {
    let owner = managed(&caller)?;
    changeable(&api, &owner, &id).await?;
    let change = json::parsed::<ClientRequest>(&body)?.change()?;
    if change.active == Some(false) || change.role == Some(AccountRole::ApUser) {
        not_itself(&caller, &id)?;
    }
    let now = api.clock.now();
    let client = api.store.change_client(&owner, &id, change, now).await?;
    Ok(Json(ClientView::of(client, now)))
}

/// Gives a client a new secret. The one before is taken for 24 hours more, so that machines can be
/// changed one after the other; or it ends at once, with all tokens of the client.
#[cfg_attr(test, utoipa::path(
    post, path = "/api/v1/client/{clientId}/rotate", tag = "client",
    params(ClientPath, RotateQuery),
    responses(
        (
            status = 200,
            description = "The client with its new secret, shown this once.",
            body = ClientWithSecret,
            example = json!(ClientWithSecret::example())
        ),
        Called,
        OfRole,
        OfClient,
        Queried,
        ChangedClient,
        Rotating,
    ),
    security(("token" = []))
))]
pub(crate) async fn rotate(
    State(api): State<Api>,
    caller: Caller,
    Path(id): Path<String>,
    Query(query): Query<RotateQuery>,
) -> Result<(HeaderMap, Json<ClientWithSecret>), Problem> {
    let owner = managed(&caller)?;
    changeable(&api, &owner, &id).await?;
    let now = api.clock.now();
    let client_secret = random::<SECRET>()?;
    let until = now.saturating_add(OVERLAP).unwrap_or(Timestamp::MAX);
    let sha256 = secret_digest(&client_secret);
    let secret = NewSecret { sha256, overlap: (!query.immediately).then_some(until) };
    let change = ClientChange { secret: Some(secret), ..ClientChange::default() };
    let client = api.store.change_client(&owner, &id, change, now).await?;
    let client = ClientView::of(client, now);
    let headers = HeaderMap::from_iter(no_store());
    Ok((headers, Json(ClientWithSecret { client, client_secret })))
}

/// Removes a client with its links. Tokens that it has are of no use from then on.
#[cfg_attr(test, utoipa::path(
    delete, path = "/api/v1/client/{clientId}", tag = "client", params(ClientPath),
    responses(
        (status = 204, description = "It is removed."),
        Called,
        OfRole,
        OfClient,
        ChangedClient,
        Linked,
    ),
    security(("token" = []))
))]
pub(crate) async fn remove(
    State(api): State<Api>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<StatusCode, Problem> {
    let owner = managed(&caller)?;
    changeable(&api, &owner, &id).await?;
    not_itself(&caller, &id)?;
    api.store.remove_client(&owner, &id).await?;
    Ok(StatusCode::NO_CONTENT)
}
