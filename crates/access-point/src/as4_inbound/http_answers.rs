//! What the door answers, beside what the protocol has signals for.

use axum::body::Body;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use quoin_model::text::quoted;
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

/// The type of a body that is read as it is.
///
/// # Errors
/// What is expected. A body in a content coding is none of AS4, which packs each part by itself
/// (AS4 profile 3.1): opened as it came, it would be refused for good, for a reason that is none.
pub(super) fn content_type(headers: &HeaderMap) -> Result<String, String> {
    let codings = headers.get_all(header::CONTENT_ENCODING).iter();
    let mut codings = codings.map(|coding| String::from_utf8_lossy(coding.as_bytes()));
    if let Some(coding) = codings.find(|coding| !coding.trim().eq_ignore_ascii_case("identity")) {
        return Err(format!(
            "expected a body without Content-Encoding, found {coding}: in AS4 a part is packed by \
             itself, and its properties say so",
            coding = quoted(&coding, 40)
        ));
    }
    let kind = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    kind.map(str::to_owned).ok_or_else(|| "expected multipart/related".to_owned())
}

/// Not now: without a signal, which its sender would take for a verdict on the message.
pub(super) fn later(why: &str) -> Response {
    let wait = [(header::RETRY_AFTER, RETRY_AFTER)];
    (StatusCode::SERVICE_UNAVAILABLE, wait, why.to_owned()).into_response()
}

/// Larger than any message may be.
pub(super) fn too_large(most: u64) -> Response {
    let text = format!("the body is larger than {most} bytes");
    (StatusCode::PAYLOAD_TOO_LARGE, text).into_response()
}

pub(super) fn signal(signal: HttpMessage, status: StatusCode) -> Response {
    let headers = [(header::CONTENT_TYPE, signal.content_type)];
    (status, headers, Body::from(signal.body)).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_in_a_content_coding_is_told_apart() {
        let read = |coding: Option<&'static str>| {
            let mut headers = HeaderMap::new();
            headers.insert(
                header::CONTENT_TYPE,
                header::HeaderValue::from_static("multipart/related"),
            );
            let value = coding.map(header::HeaderValue::from_static);
            headers.extend(value.map(|value| (header::CONTENT_ENCODING, value)));
            content_type(&headers)
        };
        for plain in [None, Some("identity"), Some("Identity ")] {
            assert_eq!(read(plain).as_deref(), Ok("multipart/related"));
        }
        for coding in ["gzip", "br", "", "gzip, identity"] {
            let refused = read(Some(coding)).unwrap_err();
            assert!(refused.contains("Content-Encoding") && refused.contains(coding), "{refused}");
        }
        assert!(content_type(&HeaderMap::new()).unwrap_err().contains("multipart/related"));
    }
}
