//! The upload of a sales invoice: recorded in one commit, answered once it is on the disk
//! (interface specification 4.1). What is in it is looked at by the worker.

use std::collections::BTreeMap;

use axum::Json;
use axum::body::Body;
use axum::extract::{FromRequest, Multipart, Path, Request, State};
use axum::http::header::{CONTENT_TYPE, LOCATION};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use quoin_delivery::ids::{as4_message_id, sbdh_instance_id};
use quoin_delivery::{DocumentId, Family, HookId};
use quoin_peppol::identifiers::ParticipantId;
use quoin_store::{
    NewAnswer, NewOutgoing, PartyRecord, SubmitOptions, Submitted, TransactionFacts,
};
use serde::{Deserialize, Serialize};
#[cfg(test)]
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::http::body::read_counted;
use crate::http::headers::{DOCUMENT_ID, PREFIX, foreign_document_id, own};
use crate::http::query::Query;
#[cfg(test)]
use crate::http::refusals::{Called, Channelled, DocumentBody, Identified, OfSender, Recorded};
use crate::http::{Caller, Problem, codes, sentences};

use super::Api;
#[cfg(test)]
use super::bodies::InvoiceXml;
use super::channels::{Which, channels};
use super::enveloped;
use super::party::{Right, Speaker, speaker};
#[cfg(test)]
use super::paths::{DocumentHeader, HookIdText, PartyId, PartyPath};
use super::refused;

/// Parts of a multipart body that are looked at.
const PARTS: usize = 8;
/// Bytes of the attributes beside a document, at most.
const ATTRIBUTE_BYTES: usize = 16 * 1024;

/// The answer to an upload.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub struct Uploaded {
    /// The document id: the caller's own, or a new one.
    #[cfg_attr(test, schema(example = "0192f0c1-2b3c-7d4e-8f90-a1b2c3d4e5f6"))]
    pub id: String,
}

/// How to send.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(test, derive(IntoParams))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub(crate) struct SendQuery {
    /// The hook whose channel is used, instead of the one that would be chosen.
    #[cfg_attr(test, param(value_type = Option<HookIdText>, example = "peppol"))]
    pub(super) channel: Option<String>,
    /// The receiver, `scheme:identifier`, instead of the one that the document names. It is
    /// written into the document.
    #[cfg_attr(test, param(value_type = Option<PartyId>))]
    pub(super) receiver_id: Option<String>,
}

/// Sends a sales invoice. Answers once it is stored durably; delivery follows.
///
/// An invoice in a StandardBusinessDocument of the caller's own is sent as it is, with its own
/// identifiers.
#[cfg_attr(test, utoipa::path(
    post, path = "/api/v1/{partyId}/salesInvoice/send", tag = "salesInvoice",
    params(
        PartyPath,
        SendQuery,
        DocumentHeader,
    ),
    request_body(content((InvoiceXml = "application/xml"), (InvoiceXml = "text/xml"),
        (UploadForm = "multipart/form-data"))),
    responses(
        (status = 200, description = "Stored.", body = Uploaded),
        Called,
        OfSender,
        Identified,
        Channelled,
        DocumentBody,
        Recorded,
    ),
    security(("token" = []))
))]
pub(crate) async fn send(
    State(api): State<Api>,
    caller: Caller,
    Path(party_id): Path<String>,
    Query(query): Query<SendQuery>,
    request: Request,
) -> Result<Response, Problem> {
    SALES_INVOICE.take(&api, &caller, &party_id, query, request).await
}

/// A kind of upload.
#[derive(Debug, Clone, Copy)]
pub(super) struct Upload<'a> {
    /// The part of the path under which its documents are.
    pub resource: &'a str,
    /// What its documents are.
    pub family: Family,
}

/// A sales invoice.
pub(super) const SALES_INVOICE: Upload<'static> =
    Upload { resource: "salesInvoice", family: Family::Invoice };

/// A document that is to be recorded.
pub(super) struct NewUpload {
    /// For whom.
    pub party: Speaker,
    /// Under which id.
    pub document_id: DocumentId,
    /// What it is.
    pub family: Family,
    /// What is asked beside it.
    pub wishes: SubmitOptions,
    /// The channel that is forced.
    pub channel: Option<String>,
    /// What it answers.
    pub answer: Option<NewAnswer>,
    /// The document.
    pub content: Bytes,
}

impl Upload<'_> {
    /// Takes the document in a request.
    pub(super) async fn take(
        self,
        api: &Api,
        caller: &Caller,
        party_id: &str,
        query: SendQuery,
        request: Request,
    ) -> Result<Response, Problem> {
        let party = speaker(api, caller, party_id, Right::Send).await?;
        let document_id = document_id(request.headers(), &api.settings.header_prefix)?;
        let channel = query.channel.map(|id| channel(&id)).transpose()?;
        let receiver = query.receiver_id.map(|id| participant("receiverId", &id)).transpose()?;
        let body = body(api, request, &[]).await?;
        let wishes = SubmitOptions {
            receiver,
            meta_attributes: body.meta_attributes,
            ..SubmitOptions::default()
        };
        let family = self.family;
        let content = body.content;
        let parcel =
            NewUpload { party, document_id, family, wishes, channel, answer: None, content };
        self.record(api, parcel).await
    }

    /// Records a document and tells its id. A channel that is forced has to be there.
    pub(super) async fn record(self, api: &Api, parcel: NewUpload) -> Result<Response, Problem> {
        if let Some(forced) = &parcel.channel {
            let PartyRecord { organisation, id, .. } = &*parcel.party;
            channels(api, organisation, id, parcel.family, Which::Forced(forced)).await?;
        }
        refused::room(&api.settings.disk)?;
        let package = super::usage::check_room(api, &parcel).await?;
        let most = package.as_ref().and_then(|package| package.documents);
        let (document_id, party) = (parcel.document_id.clone(), parcel.party.id.clone());
        let place = format!(
            "{}/api/v1/{party}/{}/{document_id}/status",
            api.settings.public_url, self.resource
        );
        let (wishes, answer) = (parcel.wishes.clone(), parcel.answer.clone());
        let own = enveloped::instance(api, &parcel).await?;
        let new = outgoing(api, parcel, own)?;
        let submitted = api.store.submit_with(new, wishes, answer, most).await;
        match submitted.map_err(|error| super::usage::refused(api, package.as_ref(), error))? {
            Submitted::EnvelopeTaken => Err(enveloped::taken()),
            Submitted::Accepted(_) => {
                let place: Option<HeaderValue> = place.parse().ok();
                let location: HeaderMap =
                    place.map(|place| (LOCATION, place)).into_iter().collect();
                let body = Json(Uploaded { id: document_id.as_str().to_owned() });
                Ok((location, body).into_response())
            }
            Submitted::Duplicate { existing, same_content } => {
                let taken = api.store.transaction(&existing).await?;
                if taken.is_some_and(|taken| taken.transaction.party != party) {
                    // Ids are one for the organisation; more is not told of another party's.
                    let detail = format!("a document {document_id} was taken before");
                    let problem = Problem::new(&codes::CONFLICT, detail);
                    return Err(problem.with("id", document_id.as_str()));
                }
                let sentence = match same_content {
                    true => &sentences::TAKEN_SAME,
                    false => &sentences::TAKEN_OTHER,
                };
                let detail = sentence.with([("id", &document_id)]);
                Err(Problem::new(&codes::CONFLICT, detail)
                    .with("id", document_id.as_str())
                    .with("sameContent", same_content)
                    .header(LOCATION, &place))
            }
        }
    }
}

/// A parcel as it is recorded; `own` is the identifier of the envelope that its caller made.
fn outgoing(api: &Api, parcel: NewUpload, own: Option<String>) -> Result<NewOutgoing, Problem> {
    let organisation = parcel.party.organisation.clone();
    let (domain, document_id) = (&api.settings.as4_domain, parcel.document_id);
    let message_id = as4_message_id(&organisation, &document_id, domain).map_err(Problem::fault)?;
    let SubmitOptions { sender, receiver, .. } = parcel.wishes;
    Ok(NewOutgoing {
        is_own_envelope: own.is_some(),
        instance_id: own.unwrap_or_else(|| sbdh_instance_id(&organisation, &document_id)),
        organisation,
        party: parcel.party.id.clone(),
        document_id,
        family: parcel.family,
        facts: TransactionFacts { sender, receiver, ..TransactionFacts::default() },
        channel: parcel.channel,
        message_id,
        content: parcel.content,
        now: api.clock.now(),
    })
}

/// The id that the caller gave, or a new one.
pub(super) fn document_id(headers: &HeaderMap, prefix: &str) -> Result<DocumentId, Problem> {
    let bad = |detail: String| Problem::new(&codes::BAD_DOCUMENT_ID, detail);
    if let Some(name) = foreign_document_id(headers, prefix) {
        let also =
            if prefix.eq_ignore_ascii_case(PREFIX) { "" } else { " or X-Service-DocumentId" };
        return Err(bad(format!(
            "the header {name:.100} is not read here, and a repeat would be a second document: the \
             id goes into {prefix}{DOCUMENT_ID}{also} (setting api.header_prefix)"
        )));
    }
    match own(headers, prefix, DOCUMENT_ID)[..] {
        [] => Ok(DocumentId::from_uuid(Uuid::now_v7())),
        [(ref name, value)] => {
            let text = value.to_str();
            let text = text.map_err(|_| bad(format!("the header {name} is not ASCII")))?;
            text.parse().map_err(|error| bad(format!("in the header {name}, {error}")))
        }
        [(ref name, _), (ref other, _), ..] if name == other => {
            Err(bad(format!("the header {name} is given twice")))
        }
        [(ref name, _), (ref other, _), ..] => {
            Err(bad(format!("the document id is given twice, in {name} and in {other}")))
        }
    }
}

/// A channel that a caller forces: the id of a hook.
pub(super) fn channel(id: &str) -> Result<String, Problem> {
    let id: HookId = id.parse().map_err(|error| {
        Problem::new(&codes::BAD_QUERY, format!("channel names no hook: {error}"))
    })?;
    Ok(id.as_str().to_owned())
}

/// A participant in a query, in its canonical form.
pub(super) fn participant(name: &str, id: &str) -> Result<String, Problem> {
    let id: ParticipantId = id
        .parse()
        .map_err(|error| Problem::new(&codes::BAD_PARTY_ID, format!("{name}: {error}")))?;
    Ok(id.as_str().to_owned())
}

/// What the body of a request holds.
#[derive(Debug, Default)]
pub(super) struct UploadBody {
    /// The document.
    pub content: Bytes,
    /// Attributes of the caller's own, a JSON object of texts.
    pub meta_attributes: Option<String>,
}

/// The document in the body of a request: XML, one of the other media types, or a part of a form.
pub(super) async fn content(
    api: &Api,
    request: Request,
    others: &[&str],
) -> Result<Bytes, Problem> {
    Ok(body(api, request, others).await?.content)
}

/// As [`content`], with the attributes beside it.
pub(super) async fn body(
    api: &Api,
    request: Request,
    others: &[&str],
) -> Result<UploadBody, Problem> {
    let kind = media_type(request.headers());
    let (parts, body) = request.into_parts();
    let limits = api.settings.body;
    let bytes = read_counted(body, limits, &api.settings.uploads, &parts.extensions).await?;
    let plain = |content| UploadBody { content, meta_attributes: None };
    let found = match kind.as_str() {
        "application/xml" | "text/xml" => plain(bytes),
        kind if others.contains(&kind) => plain(bytes),
        "multipart/form-data" => file(Request::from_parts(parts, Body::from(bytes))).await?,
        other => {
            let found = if other.is_empty() { "none" } else { other };
            let more: String = others.iter().map(|other| format!(" or {other}")).collect();
            let expected = format!("application/xml{more}");
            let found = format!("{found:.80}");
            let detail = sentences::MEDIA_TYPE.with([("expected", &expected), ("found", &found)]);
            return Err(Problem::new(&codes::MEDIA_TYPE, detail));
        }
    };
    if found.content.iter().all(u8::is_ascii_whitespace) {
        return Err(Problem::new(&codes::EMPTY_BODY, sentences::EMPTY_BODY.with([])));
    }
    Ok(found)
}

/// The media type of a request without its parameters, in lower case.
fn media_type(headers: &HeaderMap) -> String {
    let value = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or("");
    value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// The parts of a multipart upload.
#[cfg(test)]
#[cfg_attr(test, derive(ToSchema))]
#[expect(dead_code, reason = "describes the form; its parts are read by name")]
pub(crate) struct UploadForm {
    /// The XML document.
    #[cfg_attr(test, schema(format = Binary, example = json!(quoin_formats::samples::INVOICE)))]
    file: String,
    /// A JSON object of strings, kept with the document.
    #[cfg_attr(test, schema(
        rename = "metaAttributes", value_type = BTreeMap<String, String>, required = false,
        example = json!({ "costCentre": "4711" })
    ))]
    meta_attributes: Option<String>,
}

async fn file(request: Request) -> Result<UploadBody, Problem> {
    let bad = |detail: String| Problem::new(&codes::BAD_MULTIPART, detail);
    let mut form =
        Multipart::from_request(request, &()).await.map_err(|error| bad(error.body_text()))?;
    let (mut file, mut meta_attributes) = (None, None);
    for _ in 0..=PARTS {
        let Some(part) = form.next_field().await.map_err(|error| bad(error.body_text()))? else {
            let content = file.ok_or_else(|| bad("there is no part named file".to_owned()))?;
            return Ok(UploadBody { content, meta_attributes });
        };
        let name = part.name().unwrap_or_default().to_owned();
        let bytes = part.bytes().await.map_err(|error| bad(error.body_text()))?;
        match name.as_str() {
            "file" if file.is_some() => return Err(bad("the part file is given twice".to_owned())),
            "file" => file = Some(bytes),
            "metaAttributes" => meta_attributes = Some(attributes(&bytes).map_err(bad)?),
            _ => {}
        }
    }
    Err(bad(format!("there are more than {PARTS} parts")))
}

/// The attributes as they are kept.
fn attributes(bytes: &[u8]) -> Result<String, String> {
    let wrong = |error| format!("metaAttributes is not a JSON object of strings: {error}");
    if bytes.len() > ATTRIBUTE_BYTES {
        return Err(format!("metaAttributes has more than {ATTRIBUTE_BYTES} bytes"));
    }
    let read: BTreeMap<String, String> = serde_json::from_slice(bytes).map_err(wrong)?;
    serde_json::to_string(&read).map_err(wrong)
}
