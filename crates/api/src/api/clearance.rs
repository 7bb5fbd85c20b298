//! Where a sales invoice is with the authority that registers it before it leaves, and what that
//! gave: its own form of the document, the official receipt, the page with its codes.

use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::HeaderValue;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::Response;
use axum::routing::get;
use axum::{Json, Router};
use jiff::Timestamp;
use jiff::civil::Date;
use quoin_access_point::ksef::NAME;
use quoin_store::{ClearanceRecord, EvidenceKind, TransactionRecord};
use serde::Serialize;
#[cfg(test)]
use utoipa::ToSchema;

#[cfg(test)]
use super::bodies::{AuthorityXml, PagePdf};
#[cfg(test)]
use crate::http::refusals::{Called, OfDocument, OfParty};
use crate::http::{Caller, Problem, codes};

use super::Api;
use super::documents::SALES;
#[cfg(test)]
use super::paths::DocumentPath;

/// The routes.
pub(super) fn routes() -> Router<Api> {
    let one = "/api/v1/{partyId}/salesInvoice/{documentId}/clearance";
    Router::new()
        .route(one, get(read))
        .route(&format!("{one}/form"), get(form))
        .route(&format!("{one}/upo"), get(upo))
        .route(&format!("{one}/page"), get(page))
}

/// Where a document is with its authority.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub(crate) struct ClearanceView {
    /// The authority.
    #[cfg_attr(test, schema(example = "KSeF"))]
    authority: &'static str,
    /// `waiting`, `offline` (issued without the authority, to be registered later), `registered` or
    /// `failed`.
    #[cfg_attr(test, schema(example = "registered"))]
    state: &'static str,
    /// The number that the authority gave it.
    #[cfg_attr(test, schema(example = "5265877635-20250916-010040741B3E-46"))]
    authority_number: Option<String>,
    /// The number that the seller gave it.
    #[cfg_attr(test, schema(example = "FV/2026/11/7"))]
    number: String,
    /// The seller as the authority knows it.
    #[cfg_attr(test, schema(example = "5265877635"))]
    seller: String,
    /// The day of issue.
    #[cfg_attr(test, schema(value_type = String, format = Date, example = "2026-11-26"))]
    issued_on: Date,
    /// Why it was issued without the authority: `offline24`, `unavailability`, `emergency` or
    /// `total-failure`.
    #[cfg_attr(test, schema(example = json!(null)))]
    mode: Option<String>,
    /// Until when it has to be registered then.
    #[cfg_attr(test, schema(value_type = Option<String>, format = DateTime, example = json!(null)))]
    due_on: Option<Timestamp>,
}

async fn found(
    api: &Api,
    caller: &Caller,
    path: (String, String),
) -> Result<(TransactionRecord, ClearanceRecord), Problem> {
    let (_, record) = SALES.record(api, caller, path).await?;
    let clearance = api.store.clearance_of(&record.transaction.id).await?;
    let missing = || {
        let detail = "no authority has this document: it came to its end before it was handed \
                      over, as its status tells, or no hook of its party registers it";
        Problem::new(&codes::NO_DOCUMENT, detail)
    };
    Ok((record, clearance.ok_or_else(missing)?))
}

/// Where a sales invoice is with the authority that registers it before it leaves.
#[cfg_attr(test, utoipa::path(
    get, path = "/api/v1/{partyId}/salesInvoice/{documentId}/clearance", tag = "salesInvoice",
    params(DocumentPath),
    responses(
        (status = 200, description = "Where it is.", body = ClearanceView),
        Called,
        OfParty,
        OfDocument,
    ),
    security(("token" = []))
))]
pub(crate) async fn read(
    State(api): State<Api>,
    caller: Caller,
    Path(path): Path<(String, String)>,
) -> Result<Json<ClearanceView>, Problem> {
    let (_, record) = found(&api, &caller, path).await?;
    Ok(Json(ClearanceView {
        authority: NAME,
        state: record.state.as_str(),
        authority_number: record.authority_number,
        number: record.number,
        seller: record.seller,
        issued_on: record.issued,
        mode: record.mode,
        due_on: record.due_on,
    }))
}

/// The operation that downloads what an authority has or gave.
macro_rules! gives {
    (
        $name:ident,
        $verb:literal,
        $kind:ident,
        $body:ident = $media:literal,
        $file:literal,
        $summary:literal
    ) => {
        #[cfg_attr(test, utoipa::path(
                    get,
                    path = concat!("/api/v1/{partyId}/salesInvoice/{documentId}/clearance/", $verb),
                    tag = "salesInvoice",
                    summary = $summary,
                    params(DocumentPath),
                    responses(
                        (status = 200, description = "The file.", content(($body = $media))),
                        Called,
                        OfParty,
                        OfDocument,
                    ),
                    security(("token" = []))
                ))]
        pub(crate) async fn $name(
            State(api): State<Api>,
            caller: Caller,
            Path(path): Path<(String, String)>,
        ) -> Result<Response, Problem> {
            file(&api, &caller, path, (EvidenceKind::$kind, $media, $file)).await
        }
    };
}

gives!(
    form,
    "form",
    Form,
    AuthorityXml = "application/xml",
    "form.xml",
    "Downloads a sales invoice as the authority has it."
);
gives!(
    upo,
    "upo",
    Upo,
    AuthorityXml = "application/xml",
    "upo.xml",
    "Downloads the official receipt of a sales invoice."
);
gives!(
    page,
    "page",
    CodedPage,
    PagePdf = "application/pdf",
    "page.pdf",
    "Downloads the page of a sales invoice with the codes that the authority asks for."
);

/// The newest file of a kind.
async fn file(
    api: &Api,
    caller: &Caller,
    path: (String, String),
    (kind, media, name): (EvidenceKind, &'static str, &'static str),
) -> Result<Response, Problem> {
    let (record, _) = found(api, caller, path).await?;
    let own = &record.transaction;
    let pieces = api.store.evidence_of(&own.id).await?;
    let newest =
        pieces.into_iter().filter(|piece| piece.kind == kind).max_by_key(|one| one.attempt);
    let bytes = match newest {
        Some(piece) => api.store.blob(&own.organisation, piece.blob).await?,
        None => None,
    };
    let missing = || {
        let detail = "the authority has not given this yet, or it is no longer kept";
        Problem::new(&codes::NO_DOCUMENT, detail)
    };
    let mut response = Response::new(Body::from(bytes.ok_or_else(missing)?));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(media));
    let text = format!("attachment; filename=\"{}-{name}\"", own.document_id);
    headers.extend(HeaderValue::from_str(&text).map(|text| (CONTENT_DISPOSITION, text)));
    Ok(response)
}
