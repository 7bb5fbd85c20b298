//! The upload of a sales invoice: recorded in one commit, answered once it is on the disk
//! (interface specification 4.1). What is in it is looked at by the worker.

use std::sync::Arc;

use axum::Json;
use axum::body::Body;
use axum::extract::{FromRequest, Multipart, Path, Query, Request, State};
use axum::http::header::{CONTENT_TYPE, LOCATION};
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use hyper::body::Body as _;
use quoin_delivery::ids::{as4_message_id, sbdh_instance_id};
use quoin_delivery::{DocumentId, Family};
use quoin_peppol::identifiers::ParticipantId;
use quoin_store::{Facts, NewOutgoing, Party, Submitted};
use serde::{Deserialize, Serialize};
use tokio::sync::{Semaphore, SemaphorePermit};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::http::body::read;
use crate::http::problem::{Failed, ProblemBody, Refused};
use crate::http::{Caller, Problem, codes};

use super::Api;
use super::channels::{Which, channels};
use super::party::{Right, party};
use super::paths::PartyPath;

/// Parts of a multipart body that are looked at.
const PARTS: usize = 8;

/// Memory for bodies that are being read, in KiB: ten of the largest at a time, or many small ones.
const ROOM_KIB: u32 = 256 * 1024;

/// Keeps the memory of uploads in flight within bounds: a body waits until there is room for the
/// size that it declares, or for the largest size where it declares none.
#[derive(Debug, Clone)]
pub struct UploadRoom(Arc<Semaphore>);

impl Default for UploadRoom {
    fn default() -> UploadRoom {
        UploadRoom(Arc::new(Semaphore::new(ROOM_KIB as usize)))
    }
}

impl UploadRoom {
    async fn enter(&self, declared: Option<u64>, largest: u64) -> Option<SemaphorePermit<'_>> {
        let size = declared.unwrap_or(largest).min(largest);
        let room = u32::try_from(size / 1024 + 1).unwrap_or(ROOM_KIB).min(ROOM_KIB);
        // The semaphore is never closed.
        self.0.acquire_many(room).await.ok()
    }
}

/// The answer to an upload.
#[derive(Debug, Serialize, ToSchema)]
pub struct Uploaded {
    /// The document id: the caller's own, or a new one.
    pub id: String,
}

/// How to send.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct SendQuery {
    /// The hook whose channel is used, instead of the one that would be chosen.
    channel: Option<String>,
    /// The receiver, `scheme:identifier`, instead of the one that the document names.
    receiver_id: Option<String>,
}

/// Sends a sales invoice. Answers once it is stored durably; delivery follows.
#[utoipa::path(
    post, path = "/api/v1/{partyId}/salesInvoice/send", tag = "salesInvoice",
    params(
        PartyPath,
        SendQuery,
        ("X-Service-DocumentId" = Option<String>, Header,
         description = "A UUID of the caller's choice, by which a repeat is recognised."),
    ),
    request_body(content((String = "application/xml"), (String = "text/xml"),
        (UploadForm = "multipart/form-data"))),
    responses(
        (status = 200, description = "Stored.", body = Uploaded),
        (
            status = 409,
            description = "A document with this id was taken before: `id` and `Location` name it.",
            body = ProblemBody,
            content_type = "application/problem+json"
        ),
        Refused,
        Failed,
    ),
    security(("token" = []))
)]
pub(crate) async fn send(
    State(api): State<Api>,
    caller: Caller,
    Path(party_id): Path<String>,
    Query(query): Query<SendQuery>,
    request: Request,
) -> Result<Response, Problem> {
    let party = party(&api, &caller, &party_id, Right::Send).await?;
    let document_id = document_id(request.headers(), &api.settings.header_prefix)?;
    let channel = query.channel;
    if let Some(forced) = &channel {
        let owner = &party.organisation;
        let forced = Which::Forced(forced);
        channels(&api, owner, &party.id, Family::Invoice, forced).await?;
    }
    let receiver = query.receiver_id.map(|id| receiver(&id)).transpose()?;
    let content = content(&api, request, &[]).await?;
    let facts = Facts { receiver, ..Facts::default() };
    let new = outgoing(&api, &party, &document_id, facts, channel, content)?;
    let submitted = api.store.submit(new).await?;
    let place = format!(
        "{}/api/v1/{}/salesInvoice/{document_id}/status",
        api.settings.public_url, party.id
    );
    match submitted {
        Submitted::Accepted(_) => {
            let place: Option<HeaderValue> = place.parse().ok();
            let location: HeaderMap = place.map(|place| (LOCATION, place)).into_iter().collect();
            let body = Json(Uploaded { id: document_id.as_str().to_owned() });
            Ok((location, body).into_response())
        }
        Submitted::Duplicate { same_content, .. } => {
            let same = if same_content { "the same" } else { "another" };
            let detail = format!("a document {document_id} with {same} content was taken before");
            Err(Problem::new(&codes::CONFLICT, detail)
                .with("id", document_id.as_str())
                .with("sameContent", same_content)
                .header(LOCATION, &place))
        }
    }
}

fn outgoing(
    api: &Api,
    party: &Party,
    document_id: &DocumentId,
    facts: Facts,
    channel: Option<String>,
    content: Bytes,
) -> Result<NewOutgoing, Problem> {
    let organisation = party.organisation.clone();
    let domain = &api.settings.as4_domain;
    let message_id = as4_message_id(&organisation, document_id, domain).map_err(Problem::fault)?;
    Ok(NewOutgoing {
        instance_id: sbdh_instance_id(&organisation, document_id),
        organisation,
        party: party.id.clone(),
        document_id: document_id.clone(),
        family: Family::Invoice,
        facts,
        channel,
        message_id,
        content,
        now: api.clock.now(),
    })
}

fn document_id(headers: &HeaderMap, prefix: &str) -> Result<DocumentId, Problem> {
    let bad = |detail: String| Problem::new(&codes::BAD_DOCUMENT_ID, detail);
    let name =
        HeaderName::from_bytes(format!("{prefix}DocumentId").as_bytes()).map_err(Problem::fault)?;
    let mut values = headers.get_all(&name).iter();
    let Some(value) = values.next() else {
        return Ok(DocumentId::from_uuid(Uuid::now_v7()));
    };
    if values.next().is_some() {
        return Err(bad(format!("the header {name} is given twice")));
    }
    let text = value.to_str().map_err(|_| bad(format!("the header {name} is not ASCII")))?;
    text.parse().map_err(|error| bad(format!("the header {name}: {error}")))
}

fn receiver(id: &str) -> Result<String, Problem> {
    let id: ParticipantId = id
        .parse()
        .map_err(|error| Problem::new(&codes::BAD_PARTY_ID, format!("receiverId: {error}")))?;
    Ok(id.as_str().to_owned())
}

/// The document in the body of a request: XML, one of the other media types, or a part of a form.
pub(super) async fn content(
    api: &Api,
    request: Request,
    others: &[&str],
) -> Result<Bytes, Problem> {
    let kind = media_type(request.headers());
    let (parts, body) = request.into_parts();
    let limits = api.settings.body;
    let _room = api.settings.uploads.enter(body.size_hint().upper(), limits.bytes).await;
    let bytes = read(body, limits).await?;
    let content = match kind.as_str() {
        "application/xml" | "text/xml" => bytes,
        kind if others.contains(&kind) => bytes,
        "multipart/form-data" => file(Request::from_parts(parts, Body::from(bytes))).await?,
        other => {
            let found = if other.is_empty() { "none" } else { other };
            let more: String = others.iter().map(|other| format!(" or {other}")).collect();
            let detail = format!("expected application/xml{more}, found {found:.80}");
            return Err(Problem::new(&codes::MEDIA_TYPE, detail));
        }
    };
    if content.iter().all(u8::is_ascii_whitespace) {
        return Err(Problem::new(&codes::EMPTY_BODY, "expected an XML document, found nothing"));
    }
    Ok(content)
}

/// The media type of a request without its parameters, in lower case.
fn media_type(headers: &HeaderMap) -> String {
    let value = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or("");
    value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// The parts of a multipart upload.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the form; its parts are read by name")]
pub(crate) struct UploadForm {
    /// The XML document.
    #[schema(format = Binary)]
    file: String,
    /// A JSON object of strings; checked, and not used yet.
    #[schema(rename = "metaAttributes")]
    meta_attributes: Option<String>,
}

async fn file(request: Request) -> Result<Bytes, Problem> {
    let bad = |detail: String| Problem::new(&codes::BAD_MULTIPART, detail);
    let mut form =
        Multipart::from_request(request, &()).await.map_err(|error| bad(error.body_text()))?;
    let mut file = None;
    for _ in 0..PARTS {
        let Some(part) = form.next_field().await.map_err(|error| bad(error.body_text()))? else {
            return file.ok_or_else(|| bad("there is no part named file".to_owned()));
        };
        let name = part.name().unwrap_or_default().to_owned();
        let bytes = part.bytes().await.map_err(|error| bad(error.body_text()))?;
        match name.as_str() {
            "file" if file.is_some() => return Err(bad("the part file is given twice".to_owned())),
            "file" => file = Some(bytes),
            "metaAttributes" => attributes(&bytes).map_err(bad)?,
            _ => {}
        }
    }
    Err(bad(format!("there are more than {PARTS} parts")))
}

fn attributes(bytes: &[u8]) -> Result<(), String> {
    serde_json::from_slice::<std::collections::BTreeMap<String, String>>(bytes)
        .map(|_| ())
        .map_err(|error| format!("metaAttributes is not a JSON object of strings: {error}"))
}
