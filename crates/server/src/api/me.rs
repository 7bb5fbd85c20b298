//! Who the caller is, and whether the service is well.

use axum::Json;
use axum::extract::State;
use quoin_store::Party;
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

use crate::config::ClientRole;
use crate::http::refusals::{Called, Open};
use crate::http::{Caller, Problem, codes};

use super::Api;
use super::party::organisation;
use super::permissions::{PartyPermissions, UserParty};

/// The caller.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Me {
    /// The account: a client id or the name of a user.
    #[schema(example = "alice@example.org")]
    pub name: String,
    /// The same, by another name.
    #[schema(example = "alice@example.org")]
    pub client_id: String,
    /// `ApUser` or `ApManager`.
    #[schema(example = "ApUser")]
    pub role: String,
    /// The organisation's id.
    #[schema(example = "acme")]
    pub organisation_id: String,
    /// The organisation's name.
    #[schema(example = "Acme BV")]
    pub organisation_name: String,
    /// The parties that the caller may act for.
    pub parties: Vec<MyParty>,
}

/// A party that the caller may act for.
#[derive(Debug, Serialize, ToSchema)]
pub struct MyParty {
    /// The main identifier.
    #[schema(example = "0106:12345678")]
    pub id: String,
    /// All identifiers, `scheme:identifier`, in lower case.
    #[schema(example = json!(["0106:12345678", "9944:nl123456789b01"]))]
    pub identifiers: Vec<String>,
    /// Its name.
    #[schema(example = "Acme BV")]
    pub name: String,
    /// Its country, ISO 3166-1 alpha-2.
    #[schema(example = "NL")]
    pub country: String,
}

/// The parties that a caller may act for, with its rights.
async fn mine(api: &Api, caller: &Caller) -> Result<Vec<(Party, PartyPermissions)>, Problem> {
    let owner = organisation(caller)?;
    let links = api.store.permissions_of(&owner, &caller.client).await?;
    let manager = caller.role == ClientRole::ApManager;
    let rights = |party: &Party| match links.iter().find(|link| link.party == party.id) {
        _ if manager => Some(PartyPermissions::ALL),
        Some(link) => Some(link.into()),
        None => caller.all_parties.then_some(PartyPermissions::ALL),
    };
    let parties = api.store.parties_of(&owner).await?.into_iter();
    Ok(parties.filter_map(|party| rights(&party).map(|rights| (party, rights))).collect())
}

/// Tells who the caller is.
#[utoipa::path(
    get, path = "/api/v1/me", tag = "me",
    responses(
        (status = 200, description = "The caller.", body = Me),
        Called,
    ),
    security(("token" = []))
)]
pub(crate) async fn me(State(api): State<Api>, caller: Caller) -> Result<Json<Me>, Problem> {
    let id = organisation(&caller)?;
    let organisations = api.store.organisations().await?;
    let own = organisations.into_iter().find(|organisation| organisation.id == id);
    let parties = mine(&api, &caller).await?.into_iter().map(|(party, _)| MyParty {
        id: party.id,
        identifiers: party.identifiers,
        name: party.name,
        country: party.country,
    });
    Ok(Json(Me {
        name: caller.client.clone(),
        client_id: caller.client,
        role: format!("{:?}", caller.role),
        organisation_id: id.as_str().to_owned(),
        organisation_name: own.map(|organisation| organisation.name).unwrap_or_default(),
        parties: parties.collect(),
    }))
}

/// Lists the parties that the caller may act for, with its rights on each.
#[utoipa::path(
    get, path = "/api/v1/me/party", tag = "me",
    responses(
        (
            status = 200,
            description = "The parties.",
            body = [UserParty],
            example = json!([{ "id": "0106:12345678", "name": "Acme BV", "permissions": {
                    "canSendDocument": true, "canReceiveDocument": true,
                    "canRemoveDocument": false, "canManageHook": false,
                    "canChangeDocumentStatus": true } }])
        ),
        Called,
    ),
    security(("token" = []))
)]
pub(crate) async fn parties(
    State(api): State<Api>,
    caller: Caller,
) -> Result<Json<Vec<UserParty>>, Problem> {
    let mine = mine(&api, &caller).await?;
    Ok(Json(mine.iter().map(|(party, rights)| UserParty::new(party, *rights)).collect()))
}

/// Tells whether the service can store documents.
#[utoipa::path(
    get, path = "/health", tag = "me",
    responses(
        (status = 200, description = "It can.", body = Object),
        Open,
    )
)]
pub(crate) async fn health(State(api): State<Api>) -> Result<Json<Value>, Problem> {
    api.store.check().await.map_err(|error| {
        tracing::error!(%error, "the store is not well");
        Problem::new(&codes::UNAVAILABLE, "the store does not answer")
    })?;
    Ok(Json(json!({ "status": "ok", "version": env!("CARGO_PKG_VERSION") })))
}
