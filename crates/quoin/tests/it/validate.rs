//! Validation over real HTTP: verdicts with their assertions, and requests that are refused.

use quoin_formats::samples;
use quoin_testing::containers::{Entry, zip};
use reqwest::Method;
use serde_json::{Value, json};

use crate::stage::Folder;
use crate::world::{As, answer, world};

const PATH: &str = "/api/v1/generic/validate";

async fn post(
    caller: &As,
    query: &str,
    kind: &str,
    body: impl Into<reqwest::Body>,
) -> (u16, Value) {
    let request = caller.request(Method::POST, &format!("{PATH}{query}"));
    caller.send(request.header("content-type", kind).body(body)).await
}

async fn xml(caller: &As, query: &str, body: &str) -> (u16, Value) {
    post(caller, query, "application/xml", body.to_owned()).await
}

fn wrong() -> String {
    samples::INVOICE.replace(">79.21</cbc:Pay", ">79.20</cbc:Pay")
}

#[tokio::test]
async fn a_valid_document_has_no_assertion() {
    let world = world().await;
    let (status, body) = xml(&world.acme().await, "?on=2026-05-20", samples::INVOICE).await;
    assert_eq!((status, &body["isValid"], &body["assertions"]), (200, &json!(true), &json!([])));
    assert_eq!(body["source"]["format"], "ublInvoice");
    assert_eq!(body["source"]["profile"], "peppol-bis3");
    let type_id = body["source"]["typeId"].as_str().unwrap();
    assert!(type_id.contains("Invoice-2::Invoice##urn:cen.eu:en16931:2017#"), "{type_id}");
    assert!(type_id.ends_with("::2.1"), "{type_id}");
    assert_eq!(body["on"], "2026-05-20");
    assert!(body["ruleSets"].as_array().unwrap().len() >= 2, "{body}");
}

#[tokio::test]
async fn what_is_wrong_is_told_with_its_place() {
    let world = world().await;
    let (status, body) = xml(&world.acme().await, "", &wrong()).await;
    assert_eq!((status, &body["isValid"]), (200, &json!(false)), "{body}");
    let [found] = &body["assertions"].as_array().unwrap()[..] else { panic!("{body}") };
    assert_eq!((&found["artifact"], &found["flag"]), (&json!("business-rules"), &json!("error")));
    assert_eq!((&found["rule"], &found["value"]), (&json!("BR-CO-16"), &json!("79.20")));
    assert_eq!(found["location"], "/Invoice[1]/cac:LegalMonetaryTotal[1]/cbc:PayableAmount[1]");
    assert!(found["line"].as_u64().unwrap() > 1 && found["column"].as_u64().unwrap() > 1);
    assert!(found["text"].as_str().unwrap().contains("Expected 79.21, found 79.20"));
    assert_eq!(found["fixBy"], "sourceSystem");

    let order = samples::INVOICE.replace("<cbc:ID>", "<cbc:Nonsense/><cbc:ID>");
    let (_, body) = xml(&world.acme().await, "", &order).await;
    assert_eq!(body["assertions"][0]["artifact"], "schema", "{body}");
}

#[tokio::test]
async fn a_document_that_cannot_be_read_is_an_answer() {
    let world = world().await;
    let acme = world.acme().await;
    let bomb = "<!DOCTYPE a [<!ENTITY b \"bb\"><!ENTITY c \"&b;&b;\">]><a>&c;</a>";
    for (body, rule) in [
        (bomb, "QUOIN-XML-DTD"),
        ("hello", "QUOIN-XML-SYNTAX"),
        ("<unknown/>", "QUOIN-FORMAT-UNKNOWN"),
    ] {
        let (status, found) = xml(&acme, "", body).await;
        assert_eq!((status, &found["isValid"]), (200, &json!(false)), "{found}");
        assert_eq!(found["assertions"][0]["rule"], rule, "{found}");
        assert_eq!(found["assertions"][0]["artifact"], "schema");
    }
}

#[tokio::test]
async fn what_stands_beside_a_document_in_a_container_is_a_remark() {
    let world = world().await;
    let archive = zip(&[
        Entry("readme.txt", b"hello", 8, 0),
        Entry("a.xml", samples::INVOICE.as_bytes(), 8, 0),
        Entry("x.png", b"\x89PNG", 8, 0),
    ]);
    let acme = world.acme().await;
    let (status, body) = post(&acme, "?on=2026-05-20", "application/octet-stream", archive).await;
    assert_eq!((status, &body["isValid"]), (200, &json!(true)), "{body}");
    assert_eq!(body["source"]["format"], "ublInvoice", "{body}");
    let [beside] = &body["assertions"].as_array().unwrap()[..] else { panic!("{body}") };
    assert_eq!(
        (&beside["rule"], &beside["flag"]),
        (&json!("QUOIN-ATTACHMENTS"), &json!("success"))
    );
    assert_eq!(beside["value"], "readme.txt, x.png");
}

#[tokio::test]
async fn options_are_listed_and_taken() {
    let world = world().await;
    let acme = world.acme().await;
    let (status, options) = acme.get(&format!("{PATH}/options")).await;
    let ids: Vec<_> = options.as_array().unwrap().iter().map(|option| &option["id"]).collect();
    assert_eq!(
        (status, &ids[..]),
        (200, &[&json!("builtin"), &json!("official"), &json!("both")][..])
    );
    for option in options.as_array().unwrap() {
        assert_eq!(option["state"], "active");
        assert!(option["name"].is_string() && option.get("createdOn").is_some(), "{option}");
        let query = format!("?optionId={}", option["id"].as_str().unwrap());
        let (status, body) = xml(&acme, &query, &wrong()).await;
        assert_eq!((status, &body["isValid"]), (200, &json!(false)), "{body}");
    }
    for (query, word) in [
        ("?optionId=eu.peppol.bis3:invoice:1999.1", "optionId"),
        ("?sourceFormat=papyrus", "sourceFormat"),
        ("?on=tomorrow", "on"),
        ("?unknown=1", "unknown"),
    ] {
        let (status, body) = xml(&acme, query, samples::INVOICE).await;
        assert_eq!(status, 400, "{query}: {body}");
        assert!(body["message"].as_str().unwrap().contains(word), "{query}: {body}");
    }
}

#[tokio::test]
async fn another_format_than_the_caller_says_is_an_error() {
    let world = world().await;
    let acme = world.acme().await;
    let (_, body) = xml(&acme, "?sourceFormat=ublInvoice", samples::INVOICE).await;
    assert_eq!(body["isValid"], true, "{body}");
    let (_, body) = xml(&acme, "?sourceFormat=cii", samples::INVOICE).await;
    assert_eq!(
        (&body["isValid"], &body["assertions"][0]["flag"]),
        (&json!(false), &json!("error"))
    );
}

#[tokio::test]
async fn containers_and_forms_are_opened() {
    let world = world().await;
    let acme = world.acme().await;
    let form = format!(
        "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.xml\"\r\n\r\n{}\r\n--b--\r\n",
        wrong()
    );
    let (status, body) = post(&acme, "", "multipart/form-data; boundary=b", form).await;
    assert_eq!((status, &body["assertions"][0]["rule"]), (200, &json!("BR-CO-16")), "{body}");
    let part = |text: &str| format!("--b\r\nContent-Type: application/xml\r\n\r\n{text}\r\n");
    let mime = format!(
        "Content-Type: multipart/mixed; boundary=b\r\n\r\n{}{}--b--\r\n",
        part(samples::INVOICE),
        part(&wrong())
    );
    let (status, body) = post(&acme, "", "application/octet-stream", mime).await;
    assert_eq!((status, &body["isValid"]), (200, &json!(false)), "{body}");
    assert_eq!(body["source"]["format"], "ublInvoice");
    let broken = b"PK\x03\x04nothing".to_vec();
    let (status, body) = post(&acme, "", "application/zip", broken).await;
    assert_eq!((status, &body["isValid"]), (200, &json!(false)), "{body}");
}

#[tokio::test]
async fn requests_that_are_wrong_are_refused() {
    let world = world().await;
    let acme = world.acme().await;
    let (status, body) = post(&acme, "", "text/plain", "<a/>").await;
    assert_eq!((status, &body["code"]), (415, &json!("API415")), "{body}");
    let (status, body) = xml(&acme, "", " \n ").await;
    assert_eq!((status, &body["code"]), (400, &json!("API400.EmptyBody")), "{body}");
    let url = format!("{}{PATH}", world.base);
    let bare = world.http.post(&url).header("content-type", "application/xml").body("<a/>");
    let (status, body) = answer(bare).await;
    assert_eq!((status, &body["code"]), (401, &json!("API401")), "{body}");
    let (status, body) = answer(world.http.get(format!("{url}/options"))).await;
    assert_eq!((status, &body["code"]), (401, &json!("API401")), "{body}");
    let (status, body) = acme.get(PATH).await;
    assert_eq!((status, &body["code"]), (405, &json!("API405")), "{body}");
}

#[tokio::test]
async fn a_request_that_is_too_large_is_refused_before_the_application() {
    let world = world().await;
    let acme = world.acme().await;
    let large = vec![b' '; usize::try_from(crate::world::REQUEST_BYTES).unwrap() + 1];
    let request = acme.request(Method::POST, PATH).header("content-type", "application/xml");
    let answered = request.body(large).send().await;
    // The service may close before all of the body is on its way.
    if let Ok(response) = answered {
        assert_eq!(response.status(), 500);
    }
}

#[tokio::test]
async fn findings_speak_the_language_that_is_asked_for() {
    let world = world().await;
    let acme = world.acme().await;
    let wrong = samples::INVOICE.replace(">79.21</cbc:Pay", ">79.20</cbc:Pay");
    for (name, asked, code, word) in [
        ("X-Service-Language", "nl", "nl", "Verwacht 79.21"),
        ("Accept-Language", "es, de-AT;q=0.9, en;q=0.5", "de", "Erwartet 79.21"),
        ("Accept-Language", "es", "en", "Expected 79.21"),
    ] {
        let request = acme.request(Method::POST, PATH).header("content-type", "application/xml");
        let response = request.header(name, asked).body(wrong.clone()).send().await.unwrap();
        assert_eq!(response.headers()["content-language"], code);
        let answer = response.text().await.unwrap();
        assert!(answer.contains(word), "{word} is not in {answer}");
    }
}

#[test]
fn a_reader_of_the_output_may_have_seen_enough() {
    use std::process::{Command, Stdio};
    let folder = Folder::new();
    std::fs::create_dir_all(folder.path()).unwrap();
    for number in 0..64 {
        std::fs::write(folder.path().join(format!("{number}.xml")), wrong()).unwrap();
    }
    let mut quoin = Command::new(env!("CARGO_BIN_EXE_quoin"));
    quoin.args(["validate", "--format", "json"]).arg(folder.path());
    let mut child = quoin.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(1), "the verdict is the same: {ended:?}");
    assert!(ended.stderr.is_empty(), "{ended:?}");
}
