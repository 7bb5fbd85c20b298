//! The delivery dossier of a document, as an archive.

use axum::Router;
use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::HeaderValue;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::Response;
use axum::routing::get;
use quoin_store::TransactionRecord;

use crate::dossier::{Maker, make};
use crate::http::refusals::{Called, Kept, OfDocument, OfParty};
use crate::http::{Caller, Problem, codes};

use super::Api;
use super::documents::{ANY_RECEIVED, ANY_SENT, PURCHASES, SALES, Side};
use super::paths::DocumentPath;

/// The routes.
pub(super) fn routes() -> Router<Api> {
    Router::new()
        .route("/api/v1/{partyId}/salesInvoice/{documentId}/dossier", get(of_sales_invoice))
        .route("/api/v1/{partyId}/purchaseInvoice/{documentId}/dossier", get(of_purchase_invoice))
        .merge(any("/api/v1"))
        // Where clients know documents of any kind under the path of the beta as well.
        .merge(any("/api/v1-beta"))
}

fn any(base: &str) -> Router<Api> {
    let one = format!("{base}/{{partyId}}/generic/{{documentId}}");
    Router::new()
        .route(&format!("{one}/dossier"), get(of_received))
        .route(&format!("{one}/sentDossier"), get(of_sent))
}

/// Downloads what proves the passage of a sales invoice: a signed archive with document, envelope,
/// signed message, receipt, the answer of the SMP, certificates and times. `quoin verify` checks
/// it.
#[utoipa::path(
    get, path = "/api/v1/{partyId}/salesInvoice/{documentId}/dossier", tag = "salesInvoice",
    params(DocumentPath),
    responses(
        (status = 200, description = "The archive.", content_type = "application/zip"),
        Called,
        OfParty,
        OfDocument,
        Kept,
    ),
    security(("token" = []))
)]
pub(crate) async fn of_sales_invoice(
    State(api): State<Api>,
    caller: Caller,
    Path(path): Path<(String, String)>,
) -> Result<Response, Problem> {
    dossier(&api, &caller, SALES, path).await
}

/// Downloads what proves the passage of a purchase invoice.
#[utoipa::path(
    get, path = "/api/v1/{partyId}/purchaseInvoice/{documentId}/dossier", tag = "purchaseInvoice",
    params(DocumentPath),
    responses(
        (status = 200, description = "The archive.", content_type = "application/zip"),
        Called,
        OfParty,
        OfDocument,
        Kept,
    ),
    security(("token" = []))
)]
pub(crate) async fn of_purchase_invoice(
    State(api): State<Api>,
    caller: Caller,
    Path(path): Path<(String, String)>,
) -> Result<Response, Problem> {
    dossier(&api, &caller, PURCHASES, path).await
}

/// Downloads what proves the passage of a document that arrived, of any kind.
#[utoipa::path(
    get, path = "/api/v1/{partyId}/generic/{documentId}/dossier", tag = "generic",
    params(DocumentPath),
    responses(
        (status = 200, description = "The archive.", content_type = "application/zip"),
        Called,
        OfParty,
        OfDocument,
        Kept,
    ),
    security(("token" = []))
)]
pub(crate) async fn of_received(
    State(api): State<Api>,
    caller: Caller,
    Path(path): Path<(String, String)>,
) -> Result<Response, Problem> {
    dossier(&api, &caller, ANY_RECEIVED, path).await
}

/// Downloads what proves the passage of a document that was sent, of any kind.
#[utoipa::path(
    get, path = "/api/v1/{partyId}/generic/{documentId}/sentDossier", tag = "generic",
    params(DocumentPath),
    responses(
        (status = 200, description = "The archive.", content_type = "application/zip"),
        Called,
        OfParty,
        OfDocument,
        Kept,
    ),
    security(("token" = []))
)]
pub(crate) async fn of_sent(
    State(api): State<Api>,
    caller: Caller,
    Path(path): Path<(String, String)>,
) -> Result<Response, Problem> {
    dossier(&api, &caller, ANY_SENT, path).await
}

async fn dossier(
    api: &Api,
    caller: &Caller,
    side: Side,
    path: (String, String),
) -> Result<Response, Problem> {
    let (_, record) = side.record(api, caller, path).await?;
    let archive = archive(api, &record).await?;
    let mut response = Response::new(Body::from(archive));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/zip"));
    let id = &record.transaction.document_id;
    let name = HeaderValue::from_str(&format!("attachment; filename=\"{id}-dossier.zip\""));
    headers.extend(name.map(|name| (CONTENT_DISPOSITION, name)));
    Ok(response)
}

async fn archive(api: &Api, record: &TransactionRecord) -> Result<Vec<u8>, Problem> {
    let now = api.clock.now();
    let (Some(own), Some(trust)) = (&api.network.own, &api.network.trust) else {
        let detail = "this process has no access point certificate to sign dossiers with";
        return Err(Problem::new(&codes::UNAVAILABLE, detail));
    };
    let maker = Maker { own: own.at(now), trust: trust.authorities(), now };
    make(&api.store, &maker, record).await.map_err(Problem::fault)
}
