//! What an HTTPS hook asks for, and what is refused.

use serde_json::json;

use super::*;

fn parse(init: &Value) -> Result<HttpsAction, HttpsError> {
    HttpsAction::parse("https://erp.example/in/?code=7", init, true)
}

#[test]
fn an_address_alone_is_posted_to_with_the_document_as_it_is() {
    let action = parse(&Value::Null).unwrap();
    assert_eq!((action.method.clone(), action.document), (Method::POST, None));
    assert_eq!(action.place("a.xml").as_str(), "https://erp.example/in/?code=7");
    assert_eq!(action.endpoint(), "https://erp.example/in/", "a query may hold a secret");
    assert_eq!(DocumentForm::default().as_str(), "raw");
}

#[test]
fn a_file_is_put_under_its_name_into_what_ends_with_a_stroke() {
    let put = json!({ "method": "PUT", "filename": "{{number}} {{id}}{{extension}}" });
    let action = parse(&put).unwrap();
    assert_eq!(action.place("F 1.xml").as_str(), "https://erp.example/in/F%201.xml?code=7");
    let whole = HttpsAction::parse("https://erp.example/in", &put, true).unwrap();
    assert_eq!(whole.place("F 1.xml").as_str(), "https://erp.example/in");
}

#[test]
fn every_field_has_its_place() {
    let action = parse(&json!({
        "method": "POST", "document": "json", "tokenUrl": "https://id.example/token",
        "clientId": "me", "clientAuthentication": "body", "scope": "in", "audience": "erp",
        "clientSecret": "***", "clientCertificate": "a\nb", "clientKey": "***",
        "serverAuthorities": "c\nd",
    }))
    .unwrap();
    assert_eq!(action.document, Some(DocumentForm::Json));
    let token = action.token.unwrap();
    assert!(token.in_body && token.client_id == "me");
    assert_eq!((token.scope.as_deref(), token.audience.as_deref()), (Some("in"), Some("erp")));
    assert_eq!(action.client_certificate.as_deref(), Some("a\nb"));
    let basic = parse(&json!({ "user": "me", "password": "***" })).unwrap();
    assert_eq!(basic.user.as_deref(), Some("me"));
}

#[test]
fn what_cannot_be_meant_is_refused_with_what_can() {
    for (init, word) in [
        (json!({ "pasword": "x" }), "\"pasword\"; there are method"),
        (json!({ "method": "GET" }), "expected POST or PUT"),
        (json!({ "method": "post" }), "expected POST or PUT"),
        (json!({ "document": "xml" }), "expected raw, multipart or json"),
        (json!({ "document": true }), "document is no text"),
        (json!({ "user": "" }), "user is no text"),
        (json!({ "user": "a\r\nb" }), "user is no text"),
        (json!({ "scope": "x".repeat(FIELD + 1) }), "scope is no text"),
        (json!({ "scope": "x" }), "scope says nothing without tokenUrl"),
        (json!({ "tokenUrl": "https://id.example" }), "tokenUrl says nothing without clientId"),
        (
            json!({ "tokenUrl": "https://id.example", "clientId": "a", "clientAuthentication": "x" }),
            "expected basic or body",
        ),
        (json!({ "filename": "a.xml" }), "lacks {{id}}"),
        (json!({ "clientCertificate": "x".repeat(CERTIFICATES + 1) }), "clientCertificate is no"),
    ] {
        let error = parse(&init).expect_err(word).of_hook();
        assert!(error.starts_with("the HTTPS hook: ") && error.contains(word), "{error}");
    }
}

#[test]
fn a_webhook_may_have_an_init_of_its_own_unless_it_may_be_a_mistake() {
    let read = |init: Value| HttpsAction::parse("https://erp.example/", &init, false);
    assert!(read(json!({ "key1": "v" })).is_ok());
    assert!(read(json!({ "key1": "v", "user": "a" })).is_err());
    assert!(HttpsAction::parse("https://erp.example/", &json!({ "key1": "v" }), true).is_err());
}

#[test]
fn a_field_that_is_nearly_one_is_refused_on_any_hook() {
    for (name, meant) in [
        ("bearerTokn", "did you mean bearerToken?"),
        ("BearerToken", "did you mean bearerToken?"),
        ("client_secret", "did you mean clientSecret?"),
        ("PASSWORD", "did you mean password?"),
        ("Method", "did you mean method?"),
    ] {
        let told = check_names(&json!({ name: "geheim" })).expect_err(name).of_hook();
        assert!(told.contains(meant) && !told.contains("geheim"), "{told}");
    }
    for name in ["bearerToken", "method", "key1", "apiKey", "x", "userAgent"] {
        assert_eq!(check_names(&json!({ name: "v" })), Ok(()), "{name}");
    }
    assert_eq!(check_names(&Value::Null), Ok(()));
}
