//! Tests of `api`.

use super::*;

/// Every example of an answer in the description is read, and written again as the same value.
#[test]
fn the_examples_of_the_description_are_read() {
    let Some(text) = quoin_testing::shared_text("ksef-data/openapi/open-api-2.6.0.json") else {
        return;
    };
    let description: serde_json::Value = serde_json::from_str(&text).unwrap();
    let example = |method: &str, path: &str, status: &str| {
        let content = &description["paths"][path][method]["responses"][status]["content"];
        let content = &content["application/json"];
        let named = content["examples"].as_object().and_then(|all| all.values().next());
        named.map_or(&content["example"], |one| &one["value"]).to_string()
    };
    fn same<T: serde::Serialize + for<'de> Deserialize<'de>>(text: &str) {
        let value: T = read(text.as_bytes()).unwrap_or_else(|error| panic!("{error}: {text}"));
        let again: T = read(&serde_json::to_vec(&value).unwrap()).unwrap();
        assert_eq!(serde_json::to_value(&again).unwrap(), serde_json::to_value(&value).unwrap());
    }
    same::<AuthChallenge>(&example("post", "/auth/challenge", "200"));
    same::<AuthStarted>(&example("post", "/auth/xades-signature", "202"));
    same::<AuthOperation>(&example("get", "/auth/{referenceNumber}", "200"));
    same::<AuthTokens>(&example("post", "/auth/token/redeem", "200"));
    same::<RefreshedToken>(&example("post", "/auth/token/refresh", "200"));
    same::<Vec<PublicKeyCertificate>>(&example("get", "/security/public-key-certificates", "200"));
    same::<BatchOpened>(&example("post", "/sessions/batch", "201"));
    same::<OnlineOpened>(&example("post", "/sessions/online", "201"));
    same::<SentInvoice>(&example("post", "/sessions/online/{referenceNumber}/invoices", "202"));
    same::<SessionStatus>(&example("get", "/sessions/{referenceNumber}", "200"));
    same::<SessionInvoices>(&example("get", "/sessions/{referenceNumber}/invoices", "200"));
    same::<Sessions>(&example("get", "/sessions", "200"));
    same::<InvoiceMetadataPage>(&example("post", "/invoices/query/metadata", "200"));
    let request = |path: &str| {
        let body = &description["paths"][path]["post"]["requestBody"]["content"];
        body["application/json"]["example"].to_string()
    };
    same::<BatchSessionRequest>(&request("/sessions/batch"));
    same::<OnlineSessionRequest>(&request("/sessions/online"));
    same::<SendInvoiceRequest>(&request("/sessions/online/{referenceNumber}/invoices"));
    same::<InvoiceQuery>(&request("/invoices/query/metadata"));
}

#[test]
fn errors_in_both_forms() {
    let old = br#"{"exception":{"exceptionDetailList":[{"exceptionCode":21405,
        "exceptionDescription":"B","details":["d1","d2"]}],"serviceCode":"00-c",
        "timestamp":"2026-01-01T00:00:00Z"}}"#;
    let new = br#"{"title":"Bad Request","status":400,"detail":"x","instance":"/v2/a",
        "errors":[{"code":21405,"description":"B","details":["d1","d2"]}],
        "timestamp":"2026-01-01T00:00:00Z","traceId":"00-c"}"#;
    for body in [old.as_slice(), new] {
        let problem = read_problem(body).unwrap();
        assert!(problem.has(21_405) && !problem.has(1));
        assert_eq!(problem.line(), "21405 B: d1; d2");
        assert_eq!(problem.trace_id.as_deref(), Some("00-c"));
    }
    let forbidden = br#"{"title":"Forbidden","status":403,"detail":"Brak","reasonCode":
        "missing-permissions","timestamp":"2026-01-01T00:00:00Z"}"#;
    let problem = read_problem(forbidden).unwrap();
    assert_eq!(problem.line(), "Brak · missing-permissions");
    let limited =
        br#"{"status":{"code":429,"description":"Too Many Requests","details":["30 s"]}}"#;
    assert_eq!(read_problem(limited).unwrap().line(), "30 s");
    assert_eq!(read_problem(b"<html>"), None);
    assert_eq!(read_problem(b"[]"), None);
    assert_eq!(read_problem(br#"{"message": "Not Found", "traceId": "1"}"#), None);
}

#[test]
fn the_key_that_is_good_now() {
    let one = |from: &str, to: &str, usage: &str, id: &str| PublicKeyCertificate {
        certificate: String::new(),
        certificate_id: String::new(),
        public_key_id: id.to_owned(),
        valid_from: from.parse().unwrap(),
        valid_to: to.parse().unwrap(),
        usage: vec![usage.to_owned()],
    };
    let usage = "SymmetricKeyEncryption";
    let all = [
        one("2025-01-01T00:00:00Z", "2027-01-01T00:00:00Z", usage, "old"),
        one("2026-01-01T00:00:00Z", "2028-01-01T00:00:00Z", usage, "new"),
        one("2026-06-01T00:00:00Z", "2028-01-01T00:00:00Z", "KsefTokenEncryption", "token"),
        one("2027-06-01T00:00:00Z", "2028-01-01T00:00:00Z", usage, "later"),
    ];
    let at = |now: &str| {
        symmetric_key_certificate(&all, now.parse().unwrap()).map(|one| one.public_key_id.as_str())
    };
    assert_eq!(at("2026-11-26T00:00:00Z"), Some("new"));
    assert_eq!(at("2025-12-31T23:59:59Z"), Some("old"));
    assert_eq!(at("2028-01-01T00:00:00Z"), None);
}

/// However much the system says, what is kept of it is short; its codes stay.
#[test]
fn what_the_system_says_is_cut() {
    let long = "ż".repeat(1_000_000);
    let is_short = |text: &str| (1..=SAID + 1).contains(&text.chars().count());
    for (description, details) in [(&*long, None), ("Opis", Some(vec![long.clone(); 3]))] {
        let description = description.to_owned();
        let status = StatusInfo { code: 400, description, details };
        assert!(is_short(&status.line()));
    }
    let error = serde_json::json!({ "code": 21_405, "description": long, "details": [long, long] });
    let exception = serde_json::json!({ "exceptionDetailList": [
        { "exceptionCode": 21_178, "exceptionDescription": long, "details": [long] },
    ] });
    let body = serde_json::json!({ "errors": [error], "exception": exception, "detail": long,
        "reasonCode": long, "traceId": long });
    let problem = read_problem(body.to_string().as_bytes()).unwrap();
    assert!(problem.has(21_405) && problem.has(21_178));
    assert!(is_short(&problem.line()));
    assert!(format!("{problem:?}").chars().count() < 2 * SAID);
    let many = serde_json::json!({ "errors": vec![serde_json::json!({ "code": 1 }); 100_000] });
    let problem = read_problem(many.to_string().as_bytes()).unwrap();
    assert!(format!("{problem:?}").len() < 10 * SAID);
}
