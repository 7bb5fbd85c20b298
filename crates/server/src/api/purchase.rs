//! Purchase invoices: what arrived for a party, to be listed, downloaded and deleted.

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::http::problem::{Failed, Refused};
use crate::http::{Caller, Problem};

use super::Api;
use super::documents::{Document, DocumentPage, ListQuery, PURCHASES, Side, StatusLine};
use super::party::Right;
use super::paths::{DocumentPath, PartyPath};

/// Lists the purchase invoices of a party.
#[utoipa::path(
    get, path = "/api/v1/{partyId}/purchaseInvoice", tag = "purchaseInvoice",
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
    PURCHASES.list(&api, &caller, &party_id, query).await
}

/// Reads the record of a purchase invoice.
#[utoipa::path(
    get, path = "/api/v1/{partyId}/purchaseInvoice/{documentId}", tag = "purchaseInvoice",
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
    PURCHASES.document(&api, &caller, path).await
}

/// Tells what happened to a purchase invoice, oldest first.
#[utoipa::path(
    get, path = "/api/v1/{partyId}/purchaseInvoice/{documentId}/status", tag = "purchaseInvoice",
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
    PURCHASES.status(&api, &caller, path).await
}

/// How to download.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct DownloadQuery {
    /// Another format to convert to. No conversion is available yet: any other type than the
    /// document's own is refused.
    #[serde(alias = "targetFormat")]
    pub(super) target_document_type_id: Option<String>,
}

/// Downloads a purchase invoice as it came.
#[utoipa::path(
    get, path = "/api/v1/{partyId}/purchaseInvoice/{documentId}/download", tag = "purchaseInvoice",
    params(DocumentPath, DownloadQuery),
    responses(
        (
            status = 200,
            description = "The document.",
            content_type = "application/xml",
            body = String
        ),
        Refused,
        Failed,
    ),
    security(("token" = []))
)]
pub(crate) async fn download(
    State(api): State<Api>,
    caller: Caller,
    Path(path): Path<(String, String)>,
    Query(query): Query<DownloadQuery>,
) -> Result<Response, Problem> {
    let (_, found) = PURCHASES.record(&api, &caller, path).await?;
    PURCHASES.download(&api, &found, query.target_document_type_id.as_deref()).await
}

/// Deletes a purchase invoice for good. The record of its passage stays.
#[utoipa::path(
    delete, path = "/api/v1/{partyId}/purchaseInvoice/{documentId}", tag = "purchaseInvoice",
    params(DocumentPath),
    responses(
        (status = 204, description = "It is deleted."),
        Refused,
        Failed,
    ),
    security(("token" = []))
)]
pub(crate) async fn remove(
    State(api): State<Api>,
    caller: Caller,
    Path(path): Path<(String, String)>,
) -> Result<StatusCode, Problem> {
    let side = Side { right: Right::Remove, ..PURCHASES };
    side.remove(&api, &caller, path).await
}
