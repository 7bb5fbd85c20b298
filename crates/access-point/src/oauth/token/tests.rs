//! What is read of a token endpoint's answer, and how it is asked.

use hyper::header::HeaderMap;
use serde_json::json;

use super::super::action::HttpsAction;
use super::*;

fn login() -> HttpsLogin {
    let init = json!({ "tokenUrl": "https://id.example/", "clientId": "me" });
    let action = HttpsAction::parse("https://erp.example/", &init, true).unwrap();
    let sealed = [("clientSecret".to_owned(), Secret::new("geheim"))];
    HttpsLogin::parse(&action, &sealed.into()).unwrap()
}

fn read_body(status: u16, body: &str) -> Result<FetchedToken, HttpsFault> {
    let answer = HttpAnswer {
        status,
        headers: HeaderMap::new(),
        body: Bytes::copy_from_slice(body.as_bytes()),
        elapsed: Duration::ZERO,
        repeated: false,
    };
    read(&answer, &login(), Timestamp::UNIX_EPOCH)
}

#[test]
fn a_token_is_used_until_shortly_before_its_end() {
    for (lasts, least, most) in [
        (json!(3_600), 3_530, 3_541),
        (json!("3600"), 3_530, 3_541),
        (json!(10), 8, 10),
        (json!(0), 0, 1),
        (json!(null), 260, 271),
        (json!(-5), 260, 271),
        (json!(u64::MAX), 86_330, 86_341),
    ] {
        let body = json!({ "access_token": "abc", "token_type": "bearer", "expires_in": lasts });
        let token = read_body(200, &body.to_string()).unwrap();
        assert_eq!(token.token.reveal(), "abc");
        let left = token.until.saturating_duration_since(Instant::now()).as_secs();
        assert!((least..=most).contains(&left), "{lasts}: {left}");
    }
}

#[test]
fn what_is_no_token_is_told_without_our_secret() {
    use HttpsFaultKind::{Login, Unavailable};
    let long = format!(r#"{{"access_token":"{}"}}"#, "x".repeat(TOKEN + 1));
    for (status, body, kind, word) in [
        (200, "", Login, "without access_token"),
        (200, "<html>", Login, "without access_token"),
        (200, r#"{"access_token":""}"#, Login, "printable ASCII"),
        (200, r#"{"access_token":"a b"}"#, Login, "printable ASCII"),
        (200, &long, Login, "printable ASCII"),
        (200, r#"{"access_token":"a","token_type":"mac"}"#, Login, "another kind"),
        (400, r#"{"error":"invalid_scope"}"#, Login, "invalid_scope"),
        (401, r#"{"error":"invalid_client: geheim"}"#, Login, "invalid_client: ***"),
        (302, "", Login, "302"),
        (429, "", Unavailable, "429"),
        (503, "", Unavailable, "503"),
    ] {
        let fault = read_body(status, body).err().unwrap();
        assert_eq!(fault.kind, kind, "{body}");
        assert!(fault.cause.contains(word) && !fault.cause.contains("geheim"), "{}", fault.cause);
    }
}

#[test]
fn a_client_shows_itself_in_the_head_or_in_the_body() {
    let request = |in_body| TokenRequest {
        url: "https://id.example/".to_owned(),
        client_id: "a:b c".to_owned(),
        in_body,
        scope: Some("in out".to_owned()),
        audience: None,
    };
    let (headers, body) = asked(&request(false), &Secret::new("ä+1")).unwrap();
    assert_eq!(body, "grant_type=client_credentials&scope=in+out");
    let shown = headers.iter().find(|(name, _)| *name == AUTHORIZATION).unwrap();
    let expected = format!("Basic {}", basic("a%3Ab+c", "%C3%A4%2B1"));
    assert_eq!(shown.1.to_str().unwrap(), expected, "RFC 6749, section 2.3.1");
    let (headers, body) = asked(&request(true), &Secret::new("ä+1")).unwrap();
    assert!(headers.iter().all(|(name, _)| *name != AUTHORIZATION));
    let body = String::from_utf8(body.to_vec()).unwrap();
    assert!(body.ends_with("&client_id=a%3Ab+c&client_secret=%C3%A4%2B1"), "{body}");
}
