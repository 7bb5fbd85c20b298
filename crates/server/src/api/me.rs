//! Who the caller is, and whether the service is well.

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

use crate::http::problem::{Failed, Refused};
use crate::http::{Caller, Problem, codes};

use super::Api;
use super::party::organisation;

/// The caller.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Me {
    /// The client id.
    pub client_id: String,
    /// `ApUser` or `ApManager`.
    pub role: String,
    /// The organisation's id.
    pub organisation_id: String,
    /// The organisation's name.
    pub organisation_name: String,
    /// Its parties.
    pub parties: Vec<MyParty>,
}

/// A party of the caller's organisation.
#[derive(Debug, Serialize, ToSchema)]
pub struct MyParty {
    /// The main identifier.
    pub id: String,
    /// All identifiers, `scheme:identifier`, in lower case.
    pub identifiers: Vec<String>,
    /// Its name.
    pub name: String,
    /// Its country, ISO 3166-1 alpha-2.
    pub country: String,
}

/// Tells who the caller is.
#[utoipa::path(
    get, path = "/api/v1/me", tag = "me",
    responses(
        (status = 200, description = "The caller.", body = Me),
        Refused,
        Failed,
    ),
    security(("token" = []))
)]
pub(crate) async fn me(State(api): State<Api>, caller: Caller) -> Result<Json<Me>, Problem> {
    let id = organisation(&caller)?;
    let organisations = api.store.organisations().await?;
    let own = organisations.into_iter().find(|organisation| organisation.id == id);
    let parties = api.store.parties_of(&id).await?.into_iter().map(|party| MyParty {
        id: party.id,
        identifiers: party.identifiers,
        name: party.name,
        country: party.country,
    });
    Ok(Json(Me {
        client_id: caller.client,
        role: format!("{:?}", caller.role),
        organisation_id: id.as_str().to_owned(),
        organisation_name: own.map(|organisation| organisation.name).unwrap_or_default(),
        parties: parties.collect(),
    }))
}

/// Tells whether the service can store documents.
#[utoipa::path(
    get, path = "/health", tag = "me",
    responses(
        (status = 200, description = "It can.", body = Object),
        Failed,
    )
)]
pub(crate) async fn health(State(api): State<Api>) -> Result<Json<Value>, Problem> {
    api.store.check().await.map_err(|error| {
        tracing::error!(%error, "the store is not well");
        Problem::new(&codes::UNAVAILABLE, "the store does not answer")
    })?;
    Ok(Json(json!({ "status": "ok", "version": env!("CARGO_PKG_VERSION") })))
}
