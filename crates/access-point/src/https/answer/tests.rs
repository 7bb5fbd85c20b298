//! What each answer means, and what is kept of it.

use bytes::Bytes;
use hyper::header::HeaderValue;
use jiff::SignedDuration;
use serde_json::json;

use super::super::action::HttpsAction;
use super::super::login::HttpsLogin;
use super::*;

fn shown() -> ShownLogin {
    let action = HttpsAction::parse("https://erp.example/", &json!({}), true).unwrap();
    let sealed = [("bearerToken".to_owned(), quoin_store::Secret::new("top.secret"))];
    HttpsLogin::parse(&action, &sealed.into()).unwrap().secrets_shown()
}

fn answer(status: u16, headers: &[(&'static str, &str)], body: &str) -> HttpAnswer {
    let line = |(name, value): &(&'static str, &str)| {
        let name = hyper::header::HeaderName::from_static(name);
        (name, HeaderValue::from_bytes(value.as_bytes()).unwrap())
    };
    HttpAnswer {
        status,
        headers: headers.iter().map(line).collect(),
        body: Bytes::copy_from_slice(body.as_bytes()),
        cut: None,
        elapsed: std::time::Duration::ZERO,
        repeated: false,
        shown: Vec::new(),
    }
}

fn judge(status: u16, headers: &[(&'static str, &str)], body: &str) -> Result<String, HttpsFault> {
    judged(&answer(status, headers, body), &shown(), Timestamp::UNIX_EPOCH)
}

#[test]
fn any_2xx_is_a_delivery_and_names_the_document_where_it_can() {
    for (status, headers, body, name) in [
        (200, vec![], "", "HTTP 200"),
        (204, vec![], "", "HTTP 204"),
        (201, vec![("location", "/in/7")], r#"{"id":"8"}"#, "/in/7"),
        (202, vec![], r#"{"id":"8"}"#, "8"),
        (200, vec![], r#"{"id":8}"#, "8"),
        (200, vec![], r#"{"id":["8"]}"#, "HTTP 200"),
        (200, vec![], r#"{"id":""}"#, "HTTP 200"),
        (200, vec![], "thanks", "HTTP 200"),
    ] {
        assert_eq!(judge(status, &headers, body).unwrap(), name, "{status} {body}");
    }
}

#[test]
fn a_certificate_that_is_not_taken_is_no_word_about_the_document() {
    let page = |words: &str| format!("<html><head><title>400 {words}</title></head></html>");
    for (status, body) in [
        (400, page("The SSL certificate error")),
        (400, page("No required SSL certificate was sent")),
        (495, String::new()),
        (496, String::new()),
    ] {
        let fault = judge(status, &[], &body).unwrap_err();
        assert_eq!((fault.kind, fault.status), (HttpsFaultKind::Tls, Some(status)), "{body}");
        assert!(!fault.kind.is_final() && fault.cause.contains("clientCertificate"), "{fault}");
    }
    // Any other 400 is about the document.
    let fault = judge(400, &[], "the certificate of origin is missing").unwrap_err();
    assert_eq!(fault.kind, HttpsFaultKind::Refused);
}

#[test]
fn only_what_passes_is_tried_again() {
    for status in [300, 301, 302, 307, 308, 400, 401, 403, 404, 409, 410, 413, 422, 428, 451] {
        let fault = judge(status, &[("retry-after", "9")], "").unwrap_err();
        assert_eq!((fault.kind, fault.retry_after), (HttpsFaultKind::Refused, None), "{status}");
        assert_eq!(fault.status, Some(status));
        assert!(fault.cause.contains(&status.to_string()), "{}", fault.cause);
    }
    for status in [408, 425, 429, 500, 501, 502, 503, 504, 507, 511, 599] {
        let fault = judge(status, &[("retry-after", "9")], "").unwrap_err();
        let asked = Some(SignedDuration::from_secs(9));
        assert_eq!((fault.kind, fault.retry_after), (HttpsFaultKind::Unavailable, asked));
    }
}

#[test]
fn a_wait_is_seconds_or_a_date_and_never_the_past() {
    let asked = |text: &str| judge(503, &[("retry-after", text)], "").unwrap_err().retry_after;
    assert_eq!(asked("120"), Some(SignedDuration::from_secs(120)));
    assert_eq!(asked("Thu, 01 Jan 1970 00:01:00 GMT"), Some(SignedDuration::from_secs(60)));
    for text in ["Wed, 31 Dec 1969 23:59:00 GMT", "-1", "soon", ""] {
        assert_eq!(asked(text), None, "{text:?}");
    }
}

#[test]
fn a_redirect_says_where_it_leads_and_that_it_is_not_followed() {
    let fault = judge(301, &[("location", "https://other.example/in")], "").unwrap_err();
    for word in ["https://other.example/in", "not followed"] {
        assert!(fault.cause.contains(word), "{}", fault.cause);
    }
}

#[test]
fn what_is_kept_is_bounded_plain_and_without_our_secrets() {
    let body = format!("token top.secret\u{1b}[31m\r\n{}", "x".repeat(5_000));
    let text = excerpt(body.as_bytes(), &shown());
    assert!(
        text.starts_with("token ***  [31m") || text.starts_with("token *** [31m"),
        "{text:.40}"
    );
    assert_eq!(text.chars().count(), EXCERPT);
    assert!(!excerpt(&[0xff, 0xfe, b'a'], &shown()).is_empty());
    let fault = judge(422, &[], &body).unwrap_err();
    assert!(fault.cause.len() < 2 * QUOTED && !fault.cause.contains("top.secret"));
    let long = "y".repeat(900);
    let many = [("x-request-id", "7"), ("set-cookie", "a=b"), ("x-long", long.as_str())];
    let headers = kept(&answer(200, &many, "").headers, &shown());
    assert_eq!(headers.keys().collect::<Vec<_>>(), ["x-long", "x-request-id"]);
    assert_eq!(headers["x-long"].len(), HEADER);
    let mut crowd = HeaderMap::new();
    for number in 0..100 {
        let name = format!("x-{number}").parse::<hyper::header::HeaderName>().unwrap();
        crowd.insert(name, HeaderValue::from_static("1"));
    }
    assert_eq!(kept(&crowd, &shown()).len(), HEADERS);
}
