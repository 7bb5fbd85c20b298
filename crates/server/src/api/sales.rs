//! Sales invoices after their upload: record, list and timeline.

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use quoin_delivery::Direction;

use crate::http::problem::{Failed, Refused};
use crate::http::{Caller, Problem};

use super::Api;
use super::documents::{self, Document, DocumentPage, ListQuery, StatusLine};
use super::party::{Right, party};
use super::paths::{DocumentPath, PartyPath};

/// Lists the sales invoices of a party.
#[utoipa::path(
    get, path = "/api/v1/{partyId}/salesInvoice", tag = "salesInvoice",
    params(PartyPath, ListQuery),
    responses(
        (status = 200, description = "A page, oldest first.", body = DocumentPage),
        Refused,
        Failed,
    ),
    security(("token" = []))
)]
pub(crate) async fn list(
    State(api): State<Api>,
    caller: Caller,
    Path(party_id): Path<String>,
    Query(query): Query<ListQuery>,
) -> Result<Json<DocumentPage>, Problem> {
    let party = party(&api, &caller, &party_id, Right::Send).await?;
    documents::list(&api, party, Direction::Outgoing, query).await.map(Json)
}

/// Reads the record of a sales invoice.
#[utoipa::path(
    get, path = "/api/v1/{partyId}/salesInvoice/{documentId}", tag = "salesInvoice",
    params(DocumentPath),
    responses(
        (status = 200, description = "The record.", body = Document),
        Refused,
        Failed,
    ),
    security(("token" = []))
)]
pub(crate) async fn document(
    State(api): State<Api>,
    caller: Caller,
    Path((party_id, document_id)): Path<(String, String)>,
) -> Result<Json<Document>, Problem> {
    let party = party(&api, &caller, &party_id, Right::Send).await?;
    let found = documents::record(&api, &caller, &party, Direction::Outgoing, &document_id).await?;
    Ok(Json(found.into()))
}

/// Tells what happened to a sales invoice, oldest first. The current status is in the header
/// `X-Service-Status` (with the configured prefix).
#[utoipa::path(
    get, path = "/api/v1/{partyId}/salesInvoice/{documentId}/status", tag = "salesInvoice",
    params(DocumentPath),
    responses(
        (
            status = 200,
            description = "The steps so far, oldest first.",
            body = [StatusLine],
            headers(("X-Service-Status" = String, description = "The current status."))
        ),
        Refused,
        Failed,
    ),
    security(("token" = []))
)]
pub(crate) async fn status(
    State(api): State<Api>,
    caller: Caller,
    Path((party_id, document_id)): Path<(String, String)>,
) -> Result<(HeaderMap, Json<Vec<StatusLine>>), Problem> {
    let party = party(&api, &caller, &party_id, Right::Send).await?;
    let found = documents::record(&api, &caller, &party, Direction::Outgoing, &document_id).await?;
    let lines = documents::timeline(&api, &found).await?;
    Ok((status_header(&api, found.transaction.status.as_str()), Json(lines)))
}

/// The current status as a header, with the configured prefix.
pub(super) fn status_header(api: &Api, status: &str) -> HeaderMap {
    let name = format!("{}Status", api.settings.header_prefix);
    let name = HeaderName::from_bytes(name.as_bytes()).ok();
    let value = HeaderValue::from_str(status).ok();
    name.zip(value).into_iter().collect()
}
