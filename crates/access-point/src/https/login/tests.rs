//! What a hook may show to its server, and that it is not seen.

use serde_json::json;

use super::*;

fn parse(init: &serde_json::Value, sealed: &[(&str, &str)]) -> Result<HttpsLogin, HttpsError> {
    let action = HttpsAction::parse("https://erp.example/", init, true)?;
    let sealed = sealed.iter().map(|(name, text)| ((*name).to_owned(), Secret::new(*text)));
    HttpsLogin::parse(&action, &sealed.collect())
}

#[test]
fn each_way_to_authenticate_is_known() {
    let token = json!({ "tokenUrl": "https://id.example/", "clientId": "me" });
    for (init, sealed, kind) in [
        (json!({}), vec![], "none"),
        (json!({ "user": "me" }), vec![("password", "geheim")], "basic"),
        (json!({}), vec![("bearerToken", "abc.def")], "bearer"),
        (token, vec![("clientSecret", "geheim")], "oauth2"),
    ] {
        let login = parse(&init, &sealed).unwrap();
        assert_eq!((login.kind(), login.tls_mark), (kind, None));
        assert_eq!(format!("{login:?}"), format!("HttpsLogin({kind} ***)"));
    }
}

#[test]
fn what_is_half_or_twofold_is_refused_without_repeating_it() {
    let token = json!({ "tokenUrl": "https://id.example/", "clientId": "me" });
    let user = json!({ "user": "me" });
    for (init, sealed, word) in [
        (user.clone(), vec![], "user says nothing without password"),
        (json!({}), vec![("password", "geheim")], "password says nothing without user"),
        (token.clone(), vec![], "tokenUrl says nothing without clientSecret"),
        (json!({}), vec![("clientSecret", "geheim")], "clientSecret says nothing"),
        (user, vec![("password", "a"), ("bearerToken", "geheim")], "two ways to authenticate"),
        (token, vec![("clientSecret", "geheim"), ("bearerToken", "b")], "two ways"),
        (json!({}), vec![("bearerToken", "geheim mit Leerzeichen")], "without blanks"),
        (json!({ "user": "a:b" }), vec![("password", "geheim")], "a colon"),
        (json!({ "user": "a" }), vec![("password", "geheim\n")], "password is no text"),
        (json!({}), vec![("clientKey", "geheim")], "clientKey says nothing"),
        (json!({ "clientCertificate": "x" }), vec![], "clientCertificate says nothing"),
        (json!({ "clientCertificate": "x" }), vec![("clientKey", "geheim")], "no certificate"),
        (json!({ "serverAuthorities": "x" }), vec![], "no certificate"),
    ] {
        let error = parse(&init, &sealed).expect_err(word).of_hook();
        assert!(error.contains(word) && !error.contains("geheim"), "{error}");
    }
}

#[test]
fn a_server_that_repeats_what_it_was_shown_is_not_quoted() {
    let login = parse(&json!({ "user": "me" }), &[("password", "geheim")]).unwrap();
    let said = format!("no: Basic {} is me with geheim", basic("me", "geheim"));
    assert_eq!(login.secrets_shown().hidden(&said, 100), "no: Basic *** is me with ***");
    let login = parse(&json!({}), &[("bearerToken", "abc.def")]).unwrap();
    assert_eq!(login.secrets_shown().hidden("Bearer abc.def", 100), "Bearer ***");
}
