//! The delivery dossier of a document, as an archive.

use axum::Router;
use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::HeaderValue;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::Response;
use axum::routing::get;
use quoin_store::TransactionRecord;

#[cfg(test)]
use crate::http::refusals::{Called, Kept, OfDocument, OfParty};
use crate::http::{Caller, Problem, body, codes, held};
use quoin_access_point::dossier::{DossierError, DossierMaker, make};

use super::Api;
use super::documents::{ANY_RECEIVED, ANY_SENT, PURCHASES, SALES, Side};
#[cfg(test)]
use super::paths::DocumentPath;

/// As which a document lies in memory while its dossier is made: itself, its envelope, the message,
/// and the archive.
const PIECES: u64 = 4;

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

/// The operation that downloads the dossier of a document of a side.
macro_rules! proves {
    ($name:ident, $side:ident, $resource:literal, $verb:literal, $one:literal) => {
        #[cfg_attr(test, utoipa::path(
            get, path = concat!("/api/v1/{partyId}/", $resource, "/{documentId}/", $verb),
            tag = $resource,
            summary = concat!("Downloads what proves the passage of ", $one, "."),
            description = "A signed archive with document, envelope, signed message, receipt, \
                answer of the SMP, certificates and times. `quoin verify` checks it.",
            params(DocumentPath),
            responses(
                (status = 200, description = "The archive.", content_type = "application/zip"),
                Called,
                OfParty,
                OfDocument,
                Kept,
            ),
            security(("token" = []))
        ))]
        pub(crate) async fn $name(
            State(api): State<Api>,
            caller: Caller,
            Path(path): Path<(String, String)>,
        ) -> Result<Response, Problem> {
            dossier(&api, &caller, $side, path).await
        }
    };
}

proves!(of_sales_invoice, SALES, "salesInvoice", "dossier", "a sales invoice");
proves!(of_purchase_invoice, PURCHASES, "purchaseInvoice", "dossier", "a purchase invoice");
proves!(of_received, ANY_RECEIVED, "generic", "dossier", "a document of any kind that arrived");
proves!(of_sent, ANY_SENT, "generic", "sentDossier", "a document of any kind that was sent");

async fn dossier(
    api: &Api,
    caller: &Caller,
    side: Side,
    path: (String, String),
) -> Result<Response, Problem> {
    let (_, record) = side.record(api, caller, path).await?;
    let owner = record.transaction.organisation.as_str();
    let size = record.size.saturating_mul(PIECES);
    let room = body::memory(&api.settings.uploads, owner, size).await?;
    let archive = archive(api, &record).await?;
    let mut response = Response::new(Body::from(archive));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/zip"));
    let id = &record.transaction.document_id;
    let name = HeaderValue::from_str(&format!("attachment; filename=\"{id}-dossier.zip\""));
    headers.extend(name.map(|name| (CONTENT_DISPOSITION, name)));
    Ok(held::held(response, room))
}

async fn archive(api: &Api, record: &TransactionRecord) -> Result<Vec<u8>, Problem> {
    let now = api.clock.now();
    let (Some(own), Some(trust)) = (&api.network.own, &api.network.trust) else {
        let detail = "this process has no access point certificate to sign dossiers with";
        return Err(Problem::new(&codes::UNAVAILABLE, detail));
    };
    let pool = &api.settings.judges.0;
    let maker = DossierMaker { own: own.at(now), trust: trust.authorities(), pool, now };
    make(&api.store, &maker, record).await.map_err(|error| match error {
        DossierError::Busy(busy) => busy.into(),
        error => Problem::fault(error),
    })
}
