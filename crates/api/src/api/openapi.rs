//! The interface as OpenAPI 3.1: `docs/reference/openapi.json`, which is made of the types and
//! handlers by a test, and is part of the program.

#[cfg(test)]
mod describe;
#[cfg(test)]
mod tests;

use std::io::Write;
use std::sync::{Arc, OnceLock};

use axum::Extension;
use axum::http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use quoin_access_point::budget::in_place;

use crate::http::headers::PREFIX;
#[cfg(test)]
use crate::http::refusals::Open;

/// The document as indented JSON, with a line end.
pub const JSON: &str = include_str!("../../../../docs/reference/openapi.json");

/// The document as a service shows it: with its own prefix of headers. Made when it is asked for.
#[derive(Clone)]
pub(crate) struct Served {
    prefix: Arc<str>,
    base: Arc<str>,
    made: Arc<OnceLock<ServedText>>,
}

/// The document in both codings, and the tag of what is in it.
struct ServedText {
    plain: Bytes,
    packed: Bytes,
    tag: HeaderValue,
}

/// Where the interface begins where nothing stands before it.
const ROOT: &str = "/";

impl ServedText {
    fn of(plain: String) -> ServedText {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        // Nothing can go wrong in memory; without the packed form the plain one is served.
        let packed = encoder.write_all(plain.as_bytes()).and_then(|()| encoder.finish());
        let mut sum = flate2::Crc::new();
        sum.update(plain.as_bytes());
        let tag = format!("W/\"{:08x}-{:x}\"", sum.sum(), plain.len());
        let tag = HeaderValue::try_from(tag).unwrap_or(HeaderValue::from_static("*"));
        ServedText { plain: plain.into(), packed: packed.unwrap_or_default().into(), tag }
    }
}

impl Served {
    /// The document of a service with a prefix of its headers, at its address: where that has a
    /// path, as behind a proxy, callers begin there.
    pub(super) fn with(prefix: &str, address: &str) -> Served {
        let path = url::Url::parse(address).map(|address| address.path().to_owned());
        let base = path.unwrap_or_else(|_| ROOT.to_owned()).into();
        Served { prefix: prefix.into(), base, made: Arc::default() }
    }

    /// The document with the prefix of the service and the path at which it begins.
    fn document(&self) -> String {
        let text = JSON.replace(PREFIX, &self.prefix);
        let server = |path: &str| format!("\"url\": {}", serde_json::Value::from(path));
        match text.rsplit_once(&server(ROOT)) {
            Some((head, tail)) if &*self.base != ROOT => {
                format!("{head}{}{tail}", server(&self.base))
            }
            _ => text,
        }
    }

    fn text(&self) -> &ServedText {
        let make = || in_place(|| ServedText::of(self.document()));
        self.made.get_or_init(make)
    }
}

/// The members of a list in a header.
fn named(asked: &HeaderMap, header: HeaderName) -> impl Iterator<Item = &str> {
    let values = asked.get_all(header).into_iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|list| list.split(',')).map(str::trim)
}

/// Whether a caller has what has this tag: it names it, strong or weak, or anything that is there
/// (RFC 9110 section 13.1.2).
fn is_kept(asked: &HeaderMap, tag: &str) -> bool {
    let opaque = |tag: &'_ str| tag.strip_prefix("W/").unwrap_or(tag).to_owned();
    named(asked, IF_NONE_MATCH).any(|given| given == "*" || opaque(given) == opaque(tag))
}

/// This description.
#[cfg_attr(test, utoipa::path(
    get, path = "/openapi.json", tag = "about",
    responses(
        (
            status = 200,
            description = "The description of the interface, OpenAPI 3.1.",
            content_type = "application/json",
            body = Object,
            example = json!({
                "openapi": "3.1.0", "info": { "title": "Quoin", "version": "0.1.0" }, "paths": {}
            })
        ),
        (status = 304, description = "The caller has it: the tag of `If-None-Match` is its own."),
        Open,
    )
))]
pub(crate) async fn serve(Extension(served): Extension<Served>, asked: HeaderMap) -> Response {
    let text = served.text();
    let kept = [
        (ETAG, text.tag.clone()),
        (CACHE_CONTROL, HeaderValue::from_static("no-cache")),
        (VARY, HeaderValue::from_static("accept-encoding")),
    ];
    if is_kept(&asked, text.tag.to_str().unwrap_or_default()) {
        return (StatusCode::NOT_MODIFIED, kept).into_response();
    }
    let json = [(CONTENT_TYPE, HeaderValue::from_static("application/json"))];
    if named(&asked, ACCEPT_ENCODING).any(|coding| coding == "gzip") && !text.packed.is_empty() {
        let coding = [(CONTENT_ENCODING, HeaderValue::from_static("gzip"))];
        return (kept, json, coding, text.packed.clone()).into_response();
    }
    (kept, json, text.plain.clone()).into_response()
}
