//! The question whether the hooks of a party are reached: an event that goes to each of them,
//! whatever they listen to.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::Method;
use axum::response::{IntoResponse, Response};
use quoin_delivery::{DocumentId, Notice, Topic};
use quoin_store::EventSubject;
use serde::Serialize;
#[cfg(test)]
use utoipa::ToSchema;
use uuid::Uuid;

#[cfg(test)]
use crate::http::refusals::{Called, OfParty};
use crate::http::{Caller, Problem};

use super::Api;
#[cfg(test)]
use super::paths::PartyPath;
use super::rights::{Right, party};

/// The ping.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub struct Pinged {
    /// The `documentId` of the event `Ping` that the hooks get.
    #[cfg_attr(test, schema(example = "0192f0c1-2b3c-7d4e-8f90-a1b2c3d4e5f6"))]
    pub id: String,
}

/// Sends an event `Ping` to every active hook of the party and of its environment that is called or
/// mailed, whatever its topics. The delivery log tells what they answered. `HEAD` sends none.
#[cfg_attr(test, utoipa::path(
    get, path = "/api/v1/{partyId}/hook/ping", tag = "hook",
    params(PartyPath),
    responses(
        (status = 200, description = "The event is on its way.", body = Pinged),
        Called,
        OfParty,
    ),
    security(("token" = []))
))]
pub(crate) async fn ping(
    State(api): State<Api>,
    caller: Caller,
    Path(party_id): Path<String>,
    method: Method,
) -> Result<Response, Problem> {
    let party = party(&api, &caller, &party_id, Right::ManageHook).await?;
    if method == Method::HEAD {
        return Ok(().into_response());
    }
    let id = DocumentId::from_uuid(Uuid::now_v7());
    let subject = EventSubject {
        organisation: party.organisation,
        party: party.id,
        transaction: None,
        document_id: id.clone(),
        origin: None,
        depth: 0,
    };
    let message = "A caller asks whether this hook is reached.".to_owned();
    let notice = Notice::new(Topic::PING, message, BTreeMap::new());
    api.store.announce(subject, notice, api.clock.now()).await?;
    Ok(Json(Pinged { id: id.into() }).into_response())
}
