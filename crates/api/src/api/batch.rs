//! The archive of a batch: fetched under the address that the event names.

use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::HeaderValue;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::Response;
use quoin_delivery::DocumentId;

#[cfg(test)]
use crate::http::refusals::{Called, OfDocument, OfParty};
use crate::http::{Caller, Problem, body, codes, held};

use super::Api;
#[cfg(test)]
use super::paths::BatchPath;
use super::rights::{Right, party};

/// Downloads the archive of a batch: each event as JSON, and its document. It is kept for 30 days.
#[cfg_attr(test, utoipa::path(
    get, path = "/api/v1/{partyId}/batch/{batchId}/download", tag = "hook",
    params(
        BatchPath,
    ),
    responses(
        (
            status = 200,
            description = "The archive.",
            content_type = "application/zip",
            body = Vec<u8>
        ),
        Called,
        OfParty,
        OfDocument,
    ),
    security(("token" = []))
))]
pub(crate) async fn download(
    State(api): State<Api>,
    caller: Caller,
    Path((party_id, batch_id)): Path<(String, String)>,
) -> Result<Response, Problem> {
    let party = party(&api, &caller, &party_id, Right::Receive).await?;
    let id: DocumentId = batch_id
        .parse()
        .map_err(|error| Problem::new(&codes::BAD_DOCUMENT_ID, format!("{error}")))?;
    let missing =
        || Problem::new(&codes::NO_DOCUMENT, format!("{} has no batch {id}", party.main()));
    let batch = api.store.batch(&party.organisation, &party.id, &id).await?.ok_or_else(missing)?;
    let blob = batch.blob.ok_or_else(missing)?;
    let size = api.store.blob_size(&party.organisation, blob).await?.ok_or_else(missing)?;
    let room = body::memory(&api.settings.uploads, party.organisation.as_str(), size).await?;
    let bytes = api.store.blob(&party.organisation, blob).await?.ok_or_else(missing)?;
    let mut response = Response::new(Body::from(bytes));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/zip"));
    let name = HeaderValue::from_str(&format!("attachment; filename=\"{id}.zip\""));
    headers.extend(name.map(|name| (CONTENT_DISPOSITION, name)));
    Ok(held::held(response, room))
}
