//! Purchase invoices: what arrived for a party, to be listed, downloaded and deleted.

use axum::Json;
use axum::body::Body;
use axum::extract::{Path, Query, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::Response;
use quoin_delivery::Direction;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::http::problem::{Failed, Refused};
use crate::http::{Caller, Problem, codes};

use super::Api;
use super::documents::{self, Document, DocumentPage, ListQuery, PURCHASES, StatusLine};
use super::party::{Right, party};
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
    target_document_type_id: Option<String>,
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
    Path((party_id, document_id)): Path<(String, String)>,
    Query(query): Query<DownloadQuery>,
) -> Result<Response, Problem> {
    let party = party(&api, &caller, &party_id, Right::Receive).await?;
    let found = documents::record(&api, &caller, &party, Direction::Incoming, &document_id).await?;
    let own = &found.transaction.source_document_type;
    if query.target_document_type_id.is_some() && query.target_document_type_id != *own {
        let own = own.as_deref().unwrap_or("unknown");
        let detail = format!("targetDocumentTypeId: the document is of type {own}, no other yet");
        return Err(Problem::new(&codes::BAD_QUERY, detail));
    }
    let id = &found.transaction.document_id;
    let bytes = api.store.document(&found).await?;
    let gone = || Problem::new(&codes::NO_DOCUMENT, format!("document {id} was deleted"));
    let bytes = bytes.ok_or_else(gone)?;
    api.store.mark_downloaded(&party.organisation, id, api.clock.now()).await?;
    let mut response = Response::new(Body::from(bytes));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/xml"));
    let name = HeaderValue::from_str(&format!("attachment; filename=\"{id}.xml\""));
    headers.extend(name.map(|name| (CONTENT_DISPOSITION, name)));
    Ok(response)
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
    Path((party_id, document_id)): Path<(String, String)>,
) -> Result<StatusCode, Problem> {
    let party = party(&api, &caller, &party_id, Right::Remove).await?;
    let found = documents::record(&api, &caller, &party, Direction::Incoming, &document_id).await?;
    let id = &found.transaction.document_id;
    api.store.delete_incoming(&party.organisation, id, api.clock.now()).await?;
    Ok(StatusCode::NO_CONTENT)
}
