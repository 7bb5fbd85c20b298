//! Sales invoices after their upload: record, list and timeline.

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::HeaderMap;

use crate::http::problem::{Failed, Refused};
use crate::http::{Caller, Problem};

use super::Api;
use super::documents::{Document, DocumentPage, ListQuery, SALES, StatusLine};
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
    SALES.list(&api, &caller, &party_id, query).await
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
    Path(path): Path<(String, String)>,
) -> Result<Json<Document>, Problem> {
    SALES.document(&api, &caller, path).await
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
    Path(path): Path<(String, String)>,
) -> Result<(HeaderMap, Json<Vec<StatusLine>>), Problem> {
    SALES.status(&api, &caller, path).await
}
