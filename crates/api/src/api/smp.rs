//! Management of what our SMP publishes, with the paths and XML bodies that SMP tools use (network
//! digest 2.7): service groups, service metadata and redirects, business cards, lists. Callers sign
//! in by HTTP basic or with a token, are managers, and see what their organisation publishes. Every
//! change is one commit with its line in a log.

mod bodies;
mod cards;
#[cfg(test)]
mod examples;
mod groups;
mod records;

use std::sync::Arc;

use axum::extract::{FromRequestParts, Path};
use axum::http::header::CONTENT_TYPE;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Extension, Router};
use jiff::Timestamp;
use quoin_delivery::OrganisationId;
use quoin_peppol::identifiers::{DocumentTypeId, ParticipantId};
use quoin_store::{Publication, PublicationNote};
use serde::Deserialize;
#[cfg(test)]
use utoipa::IntoParams;

use super::Api;
#[cfg(test)]
use super::paths::{DocumentTypeText, PartyId};
use super::rights::{managed, participant};
use crate::http::connect::SignedIn;
use crate::http::{Caller, Problem, codes};
use quoin_access_point::smp_publisher::SmpPublisher;

#[cfg(test)]
pub(crate) use cards::{__path_card, __path_push, __path_put_card, __path_remove_card};
pub(crate) use cards::{card, push, put_card, remove_card};
#[cfg(test)]
pub(crate) use groups::{
    __path_changes, __path_complete, __path_group, __path_list, __path_put_group,
    __path_remove_group,
};
pub(crate) use groups::{changes, complete, group, list, put_group, remove_group};
#[cfg(test)]
pub(crate) use records::{__path_put_record, __path_record, __path_remove_record};
pub(crate) use records::{put_record, record, remove_record};

/// The SMP of this process, if it has one.
#[derive(Clone)]
pub(crate) struct LocalSmp(pub Option<Arc<SmpPublisher>>);

impl LocalSmp {
    fn publisher(&self) -> Result<&SmpPublisher, Problem> {
        let none = || Problem::new(&codes::NO_PATH, "this process has no SMP to manage");
        self.0.as_deref().ok_or_else(none)
    }
}

/// The routes, for the SMP of this process.
pub(super) fn routes(publisher: Option<Arc<SmpPublisher>>) -> Router<Api> {
    Router::new()
        .route("/smp/list", get(list))
        .route("/smp/complete/{partyId}", get(complete))
        .route("/smp/businesscard/{partyId}", get(card).put(put_card).delete(remove_card))
        .route("/smp/businesscard/{partyId}/push", post(push))
        .route("/smp/{partyId}", get(group).put(put_group).delete(remove_group))
        .route("/smp/{partyId}/changes", get(changes))
        .route(
            "/smp/{partyId}/services/{*documentTypeId}",
            get(record).put(put_record).delete(remove_record),
        )
        .layer(Extension(LocalSmp(publisher)))
}

/// A participant in a path.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(IntoParams))]
#[cfg_attr(test, into_params(parameter_in = Path))]
#[serde(rename_all = "camelCase")]
pub(crate) struct ParticipantPath {
    /// The participant, with or without `iso6523-actorid-upis::`, percent-encoded.
    #[cfg_attr(test, param(value_type = PartyId))]
    pub party_id: String,
}

/// A record of a participant in a path.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(IntoParams))]
#[cfg_attr(test, into_params(parameter_in = Path))]
#[serde(rename_all = "camelCase")]
pub(crate) struct RecordPath {
    /// The document type with its scheme, percent-encoded.
    #[cfg_attr(test, param(value_type = DocumentTypeText))]
    pub document_type_id: String,
}

/// Who manages, and which participant of the path.
pub(crate) struct Managed {
    caller: Caller,
    owner: OrganisationId,
    id: ParticipantId,
    now: Timestamp,
}

/// API401, API403.Role, API400.PartyId.
impl FromRequestParts<Api> for Managed {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, api: &Api) -> Result<Managed, Response> {
        let SignedIn(caller) =
            SignedIn::from_request_parts(parts, api).await.map_err(IntoResponse::into_response)?;
        let path = Path::<ParticipantPath>::from_request_parts(parts, api).await;
        let Path(path) = path.map_err(IntoResponse::into_response)?;
        Managed::new(api, caller, &path.party_id).map_err(IntoResponse::into_response)
    }
}

impl Managed {
    fn new(api: &Api, caller: Caller, party_id: &str) -> Result<Managed, Problem> {
        let owner = managed(&caller)?;
        Ok(Managed { caller, owner, id: participant(party_id)?, now: api.clock.now() })
    }

    /// What the organisation publishes of the participant; another one's is not told of.
    async fn publication(&self, api: &Api) -> Result<Publication, Problem> {
        let found = api.store.publication(&self.id.folded()).await?;
        let own = found.filter(|found| found.group.organisation == self.owner);
        own.ok_or_else(|| self.nothing("service group"))
    }

    fn nothing(&self, what: &str) -> Problem {
        let detail = format!("your organisation publishes no {what} of {}", self.id);
        Problem::new(&codes::NO_RECORD, detail)
    }

    fn note(&self, action: &'static str, subject: &str) -> PublicationNote {
        let whose = (&self.owner, &*self.id.folded());
        PublicationNote::new(whose, &self.caller.client, (action, subject), self.now)
    }
}

fn document_type(text: &str) -> Result<DocumentTypeId, Problem> {
    text.parse().map_err(|error| Problem::new(&codes::BAD_RECORD, format!("{error}")))
}

/// An XML body of an answer.
fn xml(text: String) -> Response {
    ([(CONTENT_TYPE, "text/xml; charset=utf-8")], text).into_response()
}

impl FromRequestParts<Api> for LocalSmp {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _api: &Api) -> Result<LocalSmp, Problem> {
        Ok(parts.extensions.get::<LocalSmp>().cloned().unwrap_or(LocalSmp(None)))
    }
}
