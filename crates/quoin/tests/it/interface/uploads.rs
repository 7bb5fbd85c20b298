//! Uploads: what is taken and in which wrapping, and what a repeat is told.

use quoin_delivery::Direction;
use quoin_formats::samples;
use quoin_testing::containers::{self, Reference};
use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::world::{As, World, world};

const PARTY: &str = "0106:12345678";
const CII: &str = include_str!("../../../../formats/samples/cii-invoice.xml");

/// Sends a body to a resource; answers status, `Location` and body.
async fn post(
    caller: &As,
    path: &str,
    headers: &[(&str, &str)],
    body: Vec<u8>,
) -> (u16, String, Value) {
    let mut request = caller.request(Method::POST, &format!("/api/v1/{PARTY}/{path}"));
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let response = request.body(body).send().await.unwrap();
    let status = response.status().as_u16();
    let place = response.headers().get("location").map_or("", |place| place.to_str().unwrap());
    let place = place.to_owned();
    (status, place, serde_json::from_slice(&response.bytes().await.unwrap()).unwrap_or_default())
}

/// What is stored of a document that was sent.
async fn stored(world: &World, answer: &Value) -> Vec<u8> {
    let (owner, id) = ("acme".parse().unwrap(), answer["id"].as_str().unwrap().parse().unwrap());
    let found = world.store.transaction_of(&owner, Direction::Outgoing, &id).await.unwrap();
    world.store.document(&found.unwrap()).await.unwrap().unwrap().to_vec()
}

fn form(file: &[u8]) -> Vec<u8> {
    let head = "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"i.pdf\"\r\n\
                Content-Type: application/pdf\r\n\r\n";
    [head.as_bytes(), file, b"\r\n--b--\r\n"].concat()
}

#[tokio::test]
async fn of_a_hybrid_file_the_invoice_in_it_is_sent() {
    let world = world().await;
    let acme = world.acme().await;
    let pdf = containers::pdf("factur-x.xml", CII.as_bytes(), "EN 16931", Reference::Table);
    let multipart = "multipart/form-data; boundary=b";
    for (kind, body) in [("application/pdf", pdf.clone()), (multipart, form(&pdf))] {
        let headers = [("content-type", kind)];
        let (status, _, answer) = post(&acme, "salesInvoice/send", &headers, body.clone()).await;
        assert_eq!(status, 200, "{kind}: {answer}");
        assert_eq!(stored(&world, &answer).await, CII.as_bytes(), "{kind}");
        let (status, _, run) = post(&acme, "salesInvoice/sendDryRun", &headers, body).await;
        assert_eq!(status, 200, "{kind}: {run}");
        assert!(run["number"].is_string(), "{kind}: {run}");
    }
    let bare = b"%PDF-1.7\nno invoice".to_vec();
    for (kind, body) in [("application/pdf", bare.clone()), (multipart, form(&bare))] {
        for path in ["salesInvoice/send", "salesInvoice/sendDryRun"] {
            let headers = [("content-type", kind)];
            let (status, _, problem) = post(&acme, path, &headers, body.clone()).await;
            let found = (status, &problem["code"]);
            assert_eq!(found, (400, &json!("API400.NoInvoice")), "{kind}: {problem}");
        }
    }
    // What is taken is told whole.
    let headers = [("content-type", "image/png")];
    let (status, _, problem) = post(&acme, "salesInvoice/send", &headers, bare).await;
    assert_eq!(status, 415);
    for kind in ["application/xml", "text/xml", "application/json", "application/pdf", "form-data"]
    {
        assert!(problem["message"].as_str().unwrap().contains(kind), "{problem}");
    }
}

#[tokio::test]
async fn the_charset_of_a_request_tells_the_encoding_of_its_document() {
    let world = world().await;
    let acme = world.acme().await;
    let text = samples::invoice(PARTY, "0106:87654321", "LATIN-1").replace("LATIN-1", "Caf\u{e9}");
    let (_, text) = text.split_once("?>").unwrap();
    let latin: Vec<u8> = text.chars().map(|c| u8::try_from(c).unwrap()).collect();
    let headers = [("content-type", "application/xml; charset=ISO-8859-1")];
    let (_, _, run) = post(&acme, "salesInvoice/sendDryRun", &headers, latin.clone()).await;
    assert_eq!(run["number"], "Caf\u{e9}", "{run}");
    let (status, _, answer) = post(&acme, "salesInvoice/send", &headers, latin.clone()).await;
    assert_eq!(status, 200, "{answer}");
    let start = b"<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>".to_vec();
    assert_eq!(stored(&world, &answer).await, [start, latin].concat());
}

#[tokio::test]
async fn a_repeat_is_told_as_one_although_its_channel_is_gone() {
    let world = world().await;
    let boss = world.client("acme-boss", "boss-secret").await;
    let hook = json!({ "id": "out", "action": "https://erp.example.org/o", "topics": ["Send*"] });
    assert_eq!(boss.json(Method::POST, "/api/v1/hook", hook).await.0, 200);
    let path = "salesInvoice/send?channel=out";
    let id = Uuid::new_v4().to_string();
    let headers = [("content-type", "application/xml"), ("x-service-documentid", &id)];
    assert_eq!(post(&boss, path, &headers, b"<Invoice/>".to_vec()).await.0, 200);
    assert_eq!(boss.send(boss.request(Method::DELETE, "/api/v1/hook/out")).await.0, 204);
    for (body, same) in [("<Invoice/>", true), ("<Invoice>2</Invoice>", false)] {
        let (status, _, problem) = post(&boss, path, &headers, body.into()).await;
        assert_eq!((status, &problem["code"]), (409, &json!("API409")), "{problem}");
        assert_eq!(problem["sameContent"], same, "{problem}");
    }
    let other = [("content-type", "application/xml")];
    let (status, _, problem) = post(&boss, path, &other, b"<Invoice/>".to_vec()).await;
    assert_eq!((status, &problem["code"]), (400, &json!("API400.Channel")), "{problem}");
}

#[tokio::test]
async fn a_conflict_leads_to_the_document_that_is_there() {
    let world = world().await;
    let acme = world.acme().await;
    for (first, second) in
        [("salesInvoice/send", "purchaseOrder/send"), ("purchaseOrder/send", "salesInvoice/send")]
    {
        let id = Uuid::new_v4().to_string();
        let headers = [("content-type", "application/xml"), ("x-service-documentid", &id)];
        let (status, place, answer) = post(&acme, first, &headers, b"<a/>".to_vec()).await;
        assert_eq!(status, 200, "{answer}");
        let (status, again, _) = post(&acme, second, &headers, b"<a/>".to_vec()).await;
        assert_eq!((status, &again), (409, &place));
        let path = again.strip_prefix("https://api.example.org").unwrap();
        assert_eq!(acme.get(path).await.0, 200, "{path}");
    }
}

#[tokio::test]
async fn an_invoice_of_a_format_of_its_own_without_a_receiver_is_told_to_name_it() {
    let world = world().await;
    let acme = world.acme().await;
    let samples = [
        include_str!("../../../../formats/samples/ebinterface.xml"),
        include_str!("../../../../formats/samples/svefaktura.xml"),
        include_str!("../../../../formats/samples/setu.xml"),
        include_str!("../../../../formats/samples/cxml.xml"),
    ];
    for sample in samples {
        let headers = [("content-type", "application/xml")];
        let (status, _, run) =
            post(&acme, "salesInvoice/sendDryRun", &headers, sample.into()).await;
        assert_eq!((status, &run["verdict"]), (200, &json!("rejected")), "{run}");
        let reason = run["reason"].as_str().unwrap();
        assert!(reason.contains("receiver") && reason.contains("receiverId"), "{reason}");
    }
}

#[tokio::test]
async fn yes_and_no_are_read_in_one_way() {
    let world = world().await;
    let acme = world.acme().await;
    for yes in ["true", "True", "TRUE", "1", "false", "FALSE", "0"] {
        let query = format!("isCredit={yes}&includeOptions={yes}");
        let path = format!("/api/v1/{PARTY}/salesInvoice/queryRecipientParty?{query}");
        let (status, answer) = acme.json(Method::POST, &path, json!(["0106:44444444"])).await;
        assert_eq!(status, 200, "{yes}: {answer}");
        let path = format!("/api/v1/generic/validate?coming={yes}");
        let request = acme.request(Method::POST, &path).header("content-type", "application/xml");
        let (status, answer) = acme.send(request.body("<Invoice/>")).await;
        assert_eq!(status, 200, "{yes}: {answer}");
        let list = format!("/api/v1/{PARTY}/purchaseInvoice?notDownloaded={yes}");
        assert_eq!(acme.get(&list).await.0, 200, "{yes}");
    }
    let path = format!("/api/v1/{PARTY}/purchaseInvoice?notDownloaded=yes");
    assert_eq!(acme.get(&path).await.0, 400);
}

#[tokio::test]
async fn a_part_of_a_form_is_taken_as_it_was_or_refused() {
    let world = world().await;
    let acme = world.acme().await;
    let kind = [("content-type", "multipart/form-data; boundary=b")];
    let form = |parts: &[(&str, &str)]| {
        let part = |(head, body): &(&str, &str)| format!("--b\r\n{head}\r\n\r\n{body}\r\n");
        let parts: String = parts.iter().map(part).collect();
        format!("{parts}--b--\r\n").into_bytes()
    };
    let file = ("Content-Disposition: Form-Data; Name=\"file\"", "<Invoice/>");
    let attributes = ("content-disposition: form-data; name=\"MetaAttributes\"", "{\"a\":\"b\"}");
    let (status, _, taken) =
        post(&acme, "salesInvoice/send", &kind, form(&[file, attributes])).await;
    assert_eq!(status, 200, "{taken}");
    let path = format!("/api/v1/{PARTY}/salesInvoice/{}", taken["id"].as_str().unwrap());
    let (_, shown) = acme.get(&path).await;
    assert_eq!(shown["metaAttributes"], json!({ "a": "b" }), "{shown}");
    let name = "Content-Disposition: form-data; name=\"file\"";
    let with = |more: &str| format!("{name}\r\n{more}");
    let same = Uuid::new_v4().to_string();
    let named = [kind[0], ("x-service-documentid", &same)];
    let plain = form(&[(name, "<Invoice/>")]);
    assert_eq!(post(&acme, "salesInvoice/send", &named, plain).await.0, 200);
    let coded = with("Content-Transfer-Encoding: base64");
    let coded = form(&[(&coded, "PEludm9p\r\nY2UvPg==")]);
    let (status, _, repeat) = post(&acme, "salesInvoice/send", &named, coded).await;
    assert_eq!((status, &repeat["sameContent"]), (409, &json!(true)), "{repeat}");
    let printable = with("Content-Transfer-Encoding: quoted-printable");
    let packed = with("Content-Encoding: gzip");
    for (parts, word) in [
        (vec![(printable.as_str(), "<a b=3D\"c\"/>")], "quoted-printable"),
        (vec![(packed.as_str(), "<a/>")], "gzip"),
        (vec![file, attributes, attributes], "metaAttributes is given twice"),
        (vec![file, (attributes.0, "{\"a\":\"b\",\"a\":\"c\"}")], "given twice"),
    ] {
        let (status, _, problem) = post(&acme, "salesInvoice/send", &kind, form(&parts)).await;
        assert_eq!((status, &problem["code"]), (400, &json!("API400.Multipart")), "{problem}");
        assert!(problem["detail"].as_str().unwrap().contains(word), "{word}: {problem}");
    }
}
