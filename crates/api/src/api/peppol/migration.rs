//! Moving a participant to another SMP: the key that the next provider shows to the SML.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use quoin_access_point::enrolment::new_key;
use serde::Serialize;
#[cfg(test)]
use utoipa::ToSchema;

#[cfg(test)]
use crate::http::refusals::{Called, OfParty, OfRole, Registered};
use crate::http::{Caller, Problem};

use super::super::Api;
#[cfg(test)]
use super::super::paths::PartyPath;
use super::super::rights::{managed, participant};
use super::super::users::party as own_party;

/// A migration key.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct MigrationKey {
    /// What the next provider needs.
    #[cfg_attr(test, schema(example = "Xb7#q2Lm$9Tk4-Wr8@Zc1+Ye"))]
    pub migration_key: String,
}

/// Prepares a participant for leaving to another SMP. Asking again gives the same key; how far the
/// SML is with it is shown with the configuration of the party. While the SML has refused it, or
/// not answered, no key is given out, and asking again has the SML asked once more. `HEAD` prepares
/// nothing.
#[cfg_attr(test, utoipa::path(
    get, path = "/api/v1/peppol/{partyId}/prepareToMigrate", tag = "peppol", params(PartyPath),
    responses(
        (
            status = 200,
            description = "The key.",
            body = MigrationKey,
            example = json!({ "migrationKey": "Xb7#Lm2$Tk9%Wr4*Zc1-Ye8+" })
        ),
        Called,
        OfRole,
        OfParty,
        Registered,
    ),
    security(("token" = []))
))]
pub(crate) async fn prepare(
    State(api): State<Api>,
    caller: Caller,
    Path(party_id): Path<String>,
    method: Method,
) -> Result<Response, Problem> {
    let owner = managed(&caller)?;
    own_party(&api, &owner, &party_id).await?;
    let id = participant(&party_id)?.folded();
    if method == Method::HEAD {
        return Ok(().into_response());
    }
    let key = api.store.let_leave(&owner, &id, new_key()?, api.clock.now()).await?;
    Ok(Json(MigrationKey { migration_key: key.reveal().to_owned() }).into_response())
}

/// Takes back that a participant may leave to another SMP: the key is worthless from then on. Where
/// nothing was prepared, nothing changes.
#[cfg_attr(test, utoipa::path(
    delete, path = "/api/v1/peppol/{partyId}/prepareToMigrate", tag = "peppol", params(PartyPath),
    responses(
        (status = 204, description = "It stays."),
        Called,
        OfRole,
        OfParty,
    ),
    security(("token" = []))
))]
pub(crate) async fn take_back(
    State(api): State<Api>,
    caller: Caller,
    Path(party_id): Path<String>,
) -> Result<StatusCode, Problem> {
    let owner = managed(&caller)?;
    own_party(&api, &owner, &party_id).await?;
    let id = participant(&party_id)?.folded();
    api.store.let_stay(&owner, &id, api.clock.now()).await?;
    Ok(StatusCode::NO_CONTENT)
}
