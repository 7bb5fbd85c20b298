//! The document in the body of a request: as it is, or as a part of a form with attributes beside
//! it.

use std::collections::BTreeMap;

use axum::body::Body;
use axum::extract::{FromRequest, Multipart, Request};
use axum::http::HeaderMap;
use axum::http::header::CONTENT_TYPE;
use bytes::Bytes;
use quoin_access_point::reading;
use quoin_delivery::OrganisationId;
#[cfg(test)]
use utoipa::ToSchema;

use crate::api::Api;
use crate::http::body::{DocumentBody, StoredBody, read_counted, read_document};
use crate::http::{Problem, codes, sentences};

mod charset;
mod part;

/// The media type of a form.
pub(super) const FORM: &str = "multipart/form-data";
/// The parts of a form that are read, in any case.
const FILE: &str = "file";
const ATTRIBUTES: &str = "metaAttributes";
/// Parts of a multipart body that are looked at.
const PARTS: usize = 8;
/// Bytes of the attributes beside a document, at most.
const ATTRIBUTE_BYTES: usize = 16 * 1024;
/// The media types of XML.
const XML: &[&str] = &["application/xml", "text/xml"];
/// The media type of the JSON form of EN 16931.
pub(super) const JSON: &str = "application/json";
/// The media type of hybrid files (Factur-X, ZUGFeRD).
pub(super) const PDF: &str = "application/pdf";

/// A document that is to be recorded.
pub(in crate::api) enum UploadContent {
    /// In memory.
    Held(Bytes),
    /// In the store, where it came while it was read.
    Stored(StoredBody),
}

impl<T: Into<Bytes>> From<T> for UploadContent {
    fn from(content: T) -> UploadContent {
        UploadContent::Held(content.into())
    }
}

/// What the body of a request holds.
#[derive(Debug, Default)]
pub(in crate::api) struct UploadBody {
    /// The document.
    pub content: Bytes,
    /// Attributes of the caller's own, a JSON object of texts.
    pub meta_attributes: Option<String>,
}

/// The document in the body of a request: XML, one of the other media types, or a part of a form.
pub(in crate::api) async fn content(
    api: &Api,
    request: Request,
    others: &[&str],
) -> Result<Bytes, Problem> {
    Ok(body(api, request, others).await?.content)
}

/// As [`content`], with the attributes beside it.
pub(in crate::api) async fn body(
    api: &Api,
    request: Request,
    others: &[&str],
) -> Result<UploadBody, Problem> {
    let kind = media_type(request.headers());
    let (parts, body) = request.into_parts();
    let limits = api.settings.body;
    let bytes = read_counted(body, limits, &api.settings.uploads, &parts.extensions).await?;
    let found = match kind.as_str() {
        kind if is_plain(kind, others) => {
            let content = charset::declared(&parts.headers, kind, bytes);
            UploadBody { content, meta_attributes: None }
        }
        FORM => file(Request::from_parts(parts, Body::from(bytes))).await?,
        other => {
            let found = if other.is_empty() { "none" } else { other };
            let more: String = others.iter().map(|other| format!(", {other}")).collect();
            let expected = format!("application/xml, text/xml{more} or multipart/form-data");
            let found = format!("{found:.80}");
            let detail = sentences::MEDIA_TYPE.with([("expected", &expected), ("found", &found)]);
            return Err(Problem::new(&codes::MEDIA_TYPE, detail));
        }
    };
    check(&kind, &found.content, found.content.iter().all(u8::is_ascii_whitespace))?;
    Ok(found)
}

/// As [`body`], of a document that is only recorded: a large one goes to the store while it comes.
pub(in crate::api) async fn recorded(
    api: &Api,
    owner: &OrganisationId,
    request: Request,
    others: &[&str],
) -> Result<(UploadContent, Option<String>), Problem> {
    let kind = media_type(request.headers());
    // What has to be changed or opened is held in memory.
    let is_changed = charset::is_needed(request.headers(), &kind);
    if !is_plain(&kind, others) || kind == PDF || is_changed {
        let UploadBody { content, meta_attributes } = body(api, request, others).await?;
        return Ok((content.into(), meta_attributes));
    }
    let (parts, body) = request.into_parts();
    let (limits, room) = (api.settings.body, &api.settings.uploads);
    let to = (&api.store, owner);
    let content = match read_document(body, limits, room, &parts.extensions, to).await? {
        DocumentBody::Held(bytes) => {
            check(&kind, &bytes, bytes.iter().all(u8::is_ascii_whitespace))?;
            UploadContent::Held(bytes)
        }
        DocumentBody::Stored(stored) => {
            check(&kind, &stored.head, stored.is_blank)?;
            UploadContent::Stored(stored)
        }
    };
    Ok((content, None))
}

/// Whether a body of this type is the document itself.
fn is_plain(kind: &str, others: &[&str]) -> bool {
    XML.contains(&kind) || others.contains(&kind)
}

/// Whether a document that begins like this can be one of its media type.
fn check(kind: &str, start: &[u8], is_blank: bool) -> Result<(), Problem> {
    if is_blank {
        return Err(Problem::new(&codes::EMPTY_BODY, sentences::EMPTY_BODY.with([])));
    }
    if kind == JSON && !is_object(start) {
        let detail = format!(
            "the Content-Type is {JSON}, and the document is no object of JSON: it begins with \
             something else than {{; XML is sent as application/xml"
        );
        return Err(Problem::new(&codes::MEDIA_TYPE, detail));
    }
    Ok(())
}

/// Whether the first byte that is no white space opens an object of JSON.
fn is_object(content: &[u8]) -> bool {
    let text = content.strip_prefix(b"\xef\xbb\xbf").unwrap_or(content);
    text.trim_ascii_start().first() == Some(&b'{')
}

/// The media type of a request without its parameters, in lower case.
pub(in crate::api) fn media_type(headers: &HeaderMap) -> String {
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
        let headers = part.headers().clone();
        let own = part::name(&headers).or_else(|| part.name().map(str::to_owned));
        let known = [FILE, ATTRIBUTES].into_iter();
        let name = own.and_then(|own| known.into_iter().find(|k| k.eq_ignore_ascii_case(&own)));
        let bytes = part.bytes().await.map_err(|error| bad(error.body_text()))?;
        let Some(name) = name else { continue };
        let is_there = if name == FILE { file.is_some() } else { meta_attributes.is_some() };
        if is_there {
            return Err(bad(format!("the part {name} is given twice")));
        }
        let bytes = part::decoded(&headers, bytes)
            .map_err(|wrong| bad(format!("the part {name}: {wrong}")))?;
        match name {
            FILE => {
                let kind = media_type(&headers);
                file = Some(charset::declared(&headers, &kind, bytes));
            }
            _ => meta_attributes = Some(attributes(&bytes).map_err(bad)?),
        }
    }
    Err(bad(format!("there are more than {PARTS} parts")))
}

/// The attributes as they are kept.
fn attributes(bytes: &[u8]) -> Result<String, String> {
    let wrong = |error: serde_json::Error| {
        reading::told("metaAttributes is not a JSON object of strings", &error)
    };
    if bytes.len() > ATTRIBUTE_BYTES {
        return Err(format!("metaAttributes has more than {ATTRIBUTE_BYTES} bytes"));
    }
    let read: Option<BTreeMap<String, Option<String>>> = reading::json(bytes).map_err(wrong)?;
    let said = read.into_iter().flatten().filter_map(|(name, value)| Some((name, value?)));
    serde_json::to_string(&said.collect::<BTreeMap<String, String>>()).map_err(wrong)
}
