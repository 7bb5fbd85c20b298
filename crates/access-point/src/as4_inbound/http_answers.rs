//! What the door answers, beside what the protocol has signals for.

use axum::body::Body;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use quoin_peppol::as4::HttpMessage;

/// Seconds after which a sender may try again when we failed or have no room: few, since there are
/// clients that hold a thread for so long.
pub(super) const RETRY_AFTER: &str = "5";
/// For how many seconds an unused connection is kept, as others are told.
const KEPT: &str = "timeout=10";

/// Tells how long an unused connection is kept, less than it is, so that none is used while it
/// ends.
pub(super) async fn told(mut response: Response) -> Response {
    let kept = header::HeaderValue::from_static(KEPT);
    response.headers_mut().insert(header::HeaderName::from_static("keep-alive"), kept);
    response
}

/// Not now: without a signal, which its sender would take for a verdict on the message.
pub(super) fn later(why: &str) -> Response {
    let wait = [(header::RETRY_AFTER, RETRY_AFTER)];
    (StatusCode::SERVICE_UNAVAILABLE, wait, why.to_owned()).into_response()
}

pub(super) fn signal(signal: HttpMessage, status: StatusCode) -> Response {
    let headers = [(header::CONTENT_TYPE, signal.content_type)];
    (status, headers, Body::from(signal.body)).into_response()
}
