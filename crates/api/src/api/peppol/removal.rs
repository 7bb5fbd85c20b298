//! Ending what a party has in the network: its configuration, or one of its identifiers.

use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use quoin_store::Withdrawal;
#[cfg(test)]
use serde::Deserialize;
#[cfg(test)]
use utoipa::IntoParams;

#[cfg(test)]
use crate::http::refusals::{Called, HeldRecord, OfParty, OfRole, Versioned};
use crate::http::{Caller, Problem, codes};

use super::super::Api;
#[cfg(test)]
use super::super::paths::{PartyId, PartyPath, VersionHeader};
use super::super::rights::{managed, organisation as owner, participant};
use super::super::users::party as own_party;
use super::version::expected;

/// Removes the configuration of a party: it is no longer published. Its links and hooks stay.
#[cfg_attr(test, utoipa::path(
    delete, path = "/api/v1/peppol/config/party/{partyId}", tag = "peppol",
    params(PartyPath, VersionHeader),
    responses(
        (status = 204, description = "It is removed."),
        Called,
        OfRole,
        OfParty,
        Versioned,
    ),
    security(("token" = []))
))]
pub(crate) async fn remove_party(
    State(api): State<Api>,
    caller: Caller,
    Path(party_id): Path<String>,
    headers: HeaderMap,
) -> Result<StatusCode, Problem> {
    caller.manager()?;
    let party = own_party(&api, &owner(&caller)?, &party_id).await?;
    let (by, expected) = ((caller.client.as_str(), api.clock.now()), expected(&headers)?);
    api.store.withdraw_party(party, Withdrawal::Config, expected, by).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// An identifier of a party in a path.
#[cfg(test)]
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(IntoParams))]
#[cfg_attr(test, into_params(parameter_in = Path))]
#[expect(dead_code, reason = "describes a path; its parts are read by position")]
pub(crate) struct IdentifierPath {
    /// The identifier.
    #[cfg_attr(test, param(value_type = PartyId, example = "9944:NL123456782B01"))]
    identifier: String,
}

/// Takes an identifier off a party: it is no longer published, nothing is sent under it, and it is
/// free for whoever verifies it. The party keeps at least one.
#[cfg_attr(test, utoipa::path(
    delete, path = "/api/v1/peppol/config/party/{partyId}/identifier/{identifier}", tag = "peppol",
    params(PartyPath, IdentifierPath),
    responses(
        (status = 204, description = "The party does not have it any more."),
        Called,
        OfRole,
        OfParty,
        HeldRecord,
    ),
    security(("token" = []))
))]
pub(crate) async fn take_off(
    State(api): State<Api>,
    caller: Caller,
    Path((party_id, identifier)): Path<(String, String)>,
) -> Result<StatusCode, Problem> {
    let party = own_party(&api, &managed(&caller)?, &party_id).await?;
    let gone = participant(&identifier)?.folded();
    if !api.store.take_off(&party, &gone, (&caller.client, api.clock.now())).await? {
        let detail = format!("{} has no identifier {gone}", party.main());
        return Err(Problem::new(&codes::BAD_PARTY_ID, detail));
    }
    Ok(StatusCode::NO_CONTENT)
}
