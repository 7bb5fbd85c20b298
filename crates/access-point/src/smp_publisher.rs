//! The SMP's door: what our participants can receive, signed, in the form of Peppol SMP 1.4 and in
//! those of OASIS, and their business cards. Answers have validators, so that who has one asks
//! whether it still holds.

mod byte_lru;
mod card;
mod published;
mod publisher;

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{OriginalUri, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_MODIFIED_SINCE, IF_NONE_MATCH, LAST_MODIFIED,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use jiff::fmt::rfc2822;
use jiff::{SignedDuration, Timestamp};
use quoin_peppol::sml::SmpBase;
use quoin_peppol::smp::{self, RequestRefusal};

pub use published::Published;
pub use publisher::{PublisherFault, PublisherSetup, ServedAnswer, SmpPublisher};

use crate::clock::Clock;

/// Whoever keeps an answer asks whether it still holds: a change is published at once.
const KEPT: HeaderValue = HeaderValue::from_static("public, no-cache");
/// The media type of every answer.
const XML: HeaderValue = HeaderValue::from_static("text/xml; charset=utf-8");
/// A change becomes `Last-Modified` when no other one can carry the same second.
const SECOND: SignedDuration = SignedDuration::from_secs(1);

struct SmpDoor {
    publisher: Arc<SmpPublisher>,
    /// The path of the base address.
    prefix: String,
    clock: Clock,
}

/// The routes of the door.
pub fn router(publisher: Arc<SmpPublisher>, clock: Clock) -> Router {
    let prefix = path_of(publisher.base());
    let door = SmpDoor { publisher, prefix, clock };
    Router::new().fallback(get(answer)).with_state(Arc::new(door))
}

fn path_of(base: &SmpBase) -> String {
    let url = url::Url::parse(base.as_str());
    url.map_or_else(|_| String::new(), |url| url.path().trim_end_matches('/').to_owned())
}

/// The path is taken as it was sent: an encoded slash belongs to a document type.
async fn answer(
    State(door): State<Arc<SmpDoor>>,
    uri: OriginalUri,
    headers: HeaderMap,
) -> Response {
    let path = uri.path().strip_prefix(door.prefix.as_str());
    let Some(path) = path.filter(|rest| rest.starts_with('/')) else {
        return refused(StatusCode::NOT_FOUND, "nothing is published under this address");
    };
    let (form, resource) = match smp::request(path) {
        Ok(asked) => asked,
        Err(refusal) => {
            let status = match refusal {
                RequestRefusal::Unknown => StatusCode::NOT_FOUND,
                RequestRefusal::Malformed(_) => StatusCode::BAD_REQUEST,
            };
            return refused(status, refusal.to_string());
        }
    };
    match door.publisher.answer(form, resource).await {
        Ok(Some(found)) => serve(found, &headers, door.clock.now()),
        Ok(None) => {
            let why = "this participant or document type is not registered here";
            refused(StatusCode::NOT_FOUND, why)
        }
        Err(fault) => {
            tracing::error!(%fault, "the SMP could not answer");
            let why = "the publisher failed; try again";
            refused(StatusCode::INTERNAL_SERVER_ERROR, why)
        }
    }
}

fn refused(status: StatusCode, why: impl Into<String>) -> Response {
    (status, why.into()).into_response()
}

/// The answer, or that the caller's own still holds (RFC 9110, section 13).
fn serve(answer: ServedAnswer, asked: &HeaderMap, now: Timestamp) -> Response {
    let modified = answer.modified.filter(|at| now.duration_since(*at) > SECOND);
    let mut headers = HeaderMap::with_capacity(4);
    headers.insert(CACHE_CONTROL, KEPT);
    headers.insert(ETAG, answer.etag.clone());
    if let Some(date) = modified.and_then(http_date) {
        headers.insert(LAST_MODIFIED, date);
    }
    if holds(&answer, modified, asked) {
        return (StatusCode::NOT_MODIFIED, headers).into_response();
    }
    headers.insert(CONTENT_TYPE, XML);
    (headers, Body::from(answer.body)).into_response()
}

/// Whether the caller has this very answer. A tag that is given decides alone.
fn holds(answer: &ServedAnswer, modified: Option<Timestamp>, asked: &HeaderMap) -> bool {
    let texts =
        |name: HeaderName| asked.get_all(name).into_iter().filter_map(|value| value.to_str().ok());
    if asked.contains_key(IF_NONE_MATCH) {
        let own = answer.etag.to_str().unwrap_or_default();
        let matches = |tag: &str| tag == "*" || tag.trim_start_matches("W/") == own;
        return texts(IF_NONE_MATCH).flat_map(|list| list.split(',')).map(str::trim).any(matches);
    }
    let since = texts(IF_MODIFIED_SINCE).next().and_then(|date| rfc2822::parse(date).ok());
    match (since, modified) {
        (Some(since), Some(modified)) => modified.as_second() <= since.timestamp().as_second(),
        _ => false,
    }
}

/// A date as HTTP writes it (RFC 9110, section 5.6.7).
fn http_date(at: Timestamp) -> Option<HeaderValue> {
    let text = rfc2822::DateTimePrinter::new().timestamp_to_rfc9110_string(&at).ok()?;
    HeaderValue::try_from(text).ok()
}
