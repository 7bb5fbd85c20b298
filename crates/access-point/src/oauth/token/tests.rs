//! What is read of a token endpoint's answer, and how it is asked.

use hyper::header::HeaderMap;
use serde_json::json;

use super::*;

fn request(in_body: bool) -> TokenRequest {
    TokenRequest {
        url: "https://id.example/".to_owned(),
        client_id: "a:b c".to_owned(),
        in_body,
        scope: Some("in out".to_owned()),
        audience: None,
    }
}

fn secrets(client: Option<&str>, refresh: Option<&str>) -> TokenSecrets {
    TokenSecrets { client: client.map(Secret::new), refresh: refresh.map(Secret::new) }
}

fn read_body(status: u16, body: &str) -> Result<FetchedToken, TokenFault> {
    let answer = HttpAnswer {
        status,
        headers: HeaderMap::new(),
        body: Bytes::copy_from_slice(body.as_bytes()),
        cut: None,
        elapsed: Duration::ZERO,
        repeated: false,
        shown: Vec::new(),
    };
    let (request, secrets) = (request(false), secrets(Some("geheim"), Some("erlaubt")));
    let (request, secrets) = (&request, &secrets);
    let question = TokenQuestion { owner: "a", request, secrets, mark: [0; 32], refused: None };
    read(&answer, (&question, None), Timestamp::UNIX_EPOCH)
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
    let long = format!(r#"{{"access_token":"{}"}}"#, "x".repeat(TOKEN + 1));
    for (status, body, is_temporary, word) in [
        (200, "", false, "without access_token"),
        (200, "<html>", false, "without access_token"),
        (200, r#"{"error":"invalid_client: geheim"}"#, false, "invalid_client: ***"),
        (200, r#"{"access_token":""}"#, false, "printable ASCII"),
        (200, r#"{"access_token":"a b"}"#, false, "printable ASCII"),
        (200, &long, false, "printable ASCII"),
        (200, r#"{"access_token":"a","token_type":"mac"}"#, false, "another kind"),
        (400, r#"{"error":"invalid_scope"}"#, false, "invalid_scope"),
        (401, r#"{"error":"invalid_client: geheim"}"#, false, "invalid_client: ***"),
        (400, r#"{"error":"invalid_grant: erlaubt"}"#, false, "invalid_grant: ***"),
        (400, "client_secret=%67eheim&refresh_token=erl%61ubt", false, "client_secret=***&"),
        (302, "", false, "302"),
        (429, "", true, "429"),
        (503, "", true, "503"),
    ] {
        let fault = read_body(status, body).err().unwrap();
        assert_eq!(fault.is_temporary, is_temporary, "{body}");
        let is_hidden = !fault.cause.contains("geheim") && !fault.cause.contains("erlaubt");
        assert!(fault.cause.contains(word) && is_hidden, "{}", fault.cause);
    }
}

#[test]
fn a_client_shows_itself_in_the_head_or_in_the_body() {
    let own = secrets(Some("\u{e4}+1"), None);
    let (headers, body) = asked(&request(false), &own, None).unwrap();
    assert_eq!(body, "grant_type=client_credentials&scope=in+out");
    let shown = headers.iter().find(|(name, _)| *name == AUTHORIZATION).unwrap();
    let expected = format!("Basic {}", BASE64.encode(b"a%3Ab+c:%C3%A4%2B1"));
    assert_eq!(shown.1.to_str().unwrap(), expected, "RFC 6749, section 2.3.1");
    let (headers, body) = asked(&request(true), &own, None).unwrap();
    assert!(headers.iter().all(|(name, _)| *name != AUTHORIZATION));
    let body = String::from_utf8(body.to_vec()).unwrap();
    assert!(body.ends_with("&client_id=a%3Ab+c&client_secret=%C3%A4%2B1"), "{body}");
}

#[test]
fn a_refresh_token_is_asked_with_and_the_one_after_it() {
    let own = secrets(None, Some("r0"));
    let (headers, body) = asked(&request(false), &own, None).unwrap();
    assert!(headers.iter().all(|(name, _)| *name != AUTHORIZATION), "a public client");
    let body = String::from_utf8(body.to_vec()).unwrap();
    assert!(body.starts_with("grant_type=refresh_token&refresh_token=r0&"), "{body}");
    assert!(body.ends_with("&client_id=a%3Ab+c"), "{body}");
    let (_, body) = asked(&request(false), &own, Some(&Secret::new("r1"))).unwrap();
    assert!(String::from_utf8(body.to_vec()).unwrap().contains("refresh_token=r1&"));
    let given = read_body(200, r#"{"access_token":"a","refresh_token":"r2"}"#).unwrap();
    assert_eq!(given.refresh.unwrap().reveal(), "r2");
}
