//! HTTPS in the running service, against a web server over TLS: documents that are posted,
//! documents that arrived and are handed on, and everything that can go wrong between.

mod credentials;
mod failing;
mod hanging;
mod kill;
mod nginx;
mod received;
mod resting;
mod seen;
pub mod server;
mod succeeded;

use std::collections::BTreeMap;

use aws_lc_rs::digest::{SHA256, digest};
use aws_lc_rs::hmac;
use data_encoding::{BASE64, HEXLOWER};
use quoin_access_point::dossier::unzip;
use quoin_formats::samples::{SampleKind, document};
use quoin_lab::lab::network::{RECEIVER, SENDER, UNREGISTERED};
use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::stage::caller::Caller;
use crate::stage::{Play, Stage};
use server::{DocumentServer, GotRequest, ServerAct};

/// Services with a server beside them that they believe. The sender tries again and again, and
/// waits two seconds for an answer.
async fn play() -> (Play, DocumentServer) {
    let stage = Stage::set().await;
    let server = DocumentServer::beside(&stage).await;
    let play = stage
        .play_with(|one, two| {
            one.retry.delivery_seconds = vec![0.2; 150];
            for config in [one, two] {
                config.limits.hook_timeout_seconds = 2;
            }
        })
        .await;
    (play, server)
}

/// Registers the hook `posts`; the answer.
async fn put(caller: &Caller, action: &str, topics: &[&str], init: &Value) -> Value {
    let hook = json!({ "id": "posts", "action": action, "topics": topics, "init": init });
    let headers = [("content-type", "application/json")];
    let body = Some(hook.to_string());
    let answer = caller.call(Method::PUT, "/api/v1/hook", &headers, body).await.unwrap();
    assert_eq!(answer.status, 200, "{}", answer.json);
    answer.json
}

/// Uploads an invoice of so many lines for a channel.
async fn send(play: &Play, lines: usize, query: &str) -> (String, String) {
    let document = document(SampleKind::Invoice, SENDER, RECEIVER, "F-1", lines);
    upload(play, document, query).await
}

/// An invoice with a picture of so many bytes in it.
pub fn with_picture(bytes: usize) -> String {
    let document = document(SampleKind::Invoice, SENDER, RECEIVER, "F-1", 2);
    let picture: Vec<u8> = (0..bytes).map(|at| (at * 31 % 251) as u8).collect();
    let reference = format!(
        "<cac:AdditionalDocumentReference><cbc:ID>A-1</cbc:ID><cac:Attachment>\
         <cbc:EmbeddedDocumentBinaryObject mimeCode=\"image/png\" filename=\"a.png\">{}\
         </cbc:EmbeddedDocumentBinaryObject></cac:Attachment></cac:AdditionalDocumentReference>",
        BASE64.encode(&picture)
    );
    document.replacen(
        "<cac:AccountingSupplierParty>",
        &format!("{reference}<cac:AccountingSupplierParty>"),
        1,
    )
}

/// Documents side by side need as many connections as a destination has places; some more where
/// one was begun while another one became free.
#[tokio::test(flavor = "multi_thread")]
async fn many_documents_need_few_connections() {
    let (play, server) = play().await;
    put(&play.sender().await, &server.url("/in"), &["Send*"], &Value::Null).await;
    let count: usize = std::env::var("QUOIN_HTTPS_DOCUMENTS").map_or(100, |n| n.parse().unwrap());
    let mut sent = Vec::new();
    for _ in 0..count {
        sent.push(send(&play, 2, "?channel=posts").await.0);
    }
    for id in &sent {
        assert_eq!(play.ending(id).await.text("topic"), "InvoiceSent");
    }
    let used = server.connections();
    println!("{count} documents over {used} connections");
    assert_eq!(server.kept().len(), count, "each came once");
    assert!(used <= 16, "{used} connections");
}

/// Uploads a document for a channel.
async fn upload(play: &Play, document: String, query: &str) -> (String, String) {
    let id = Uuid::new_v4().to_string();
    let path = format!("/api/v1/{SENDER}/salesInvoice/send{query}");
    let headers = [("content-type", "application/xml"), ("x-service-documentid", id.as_str())];
    let body = Some(document.clone());
    let answer = play.sender().await.call(Method::POST, &path, &headers, body).await.unwrap();
    assert_eq!(answer.status, 200, "{}", answer.json);
    (id, document)
}

/// The document is delivered; the report of its last attempt.
async fn is_delivered(play: &Play, id: &str) -> Value {
    let told = play.ending(id).await;
    assert_eq!(told.text("topic"), "InvoiceSent", "{told:#?}");
    play.attempts(id).await.last().unwrap().report["https"].clone()
}

/// Code and reason of each attempt that failed.
async fn faults(play: &Play, id: &str) -> Vec<(String, String)> {
    let attempts = play.attempts(id).await;
    let fault = |report: &Value| report["https"]["fault"].as_str().unwrap_or_default().to_owned();
    let failed = attempts.iter().filter(|attempt| attempt.code.is_some());
    failed.map(|a| (a.code.clone().unwrap(), fault(&a.report))).collect()
}

fn sha256(bytes: &[u8]) -> Vec<u8> {
    digest(&SHA256, bytes).as_ref().to_vec()
}

fn text(got: &GotRequest) -> String {
    String::from_utf8_lossy(&got.body).into_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_document_is_posted_as_it_is_with_its_key_and_its_digest() {
    let (play, server) = play().await;
    server.will(&[ServerAct::Answer(201, "location: /in/4711\r\nset-cookie: a=b\r\n", "thanks")]);
    let action = format!("{}#a-long-random-secret", server.url("/in?code=hidden-key"));
    let hook = put(&play.sender().await, &action, &["Send*"], &Value::Null).await;
    assert_eq!((&hook["hasSecret"], &hook["init"]), (&json!(true), &Value::Null));
    let (id, document) = send(&play, 2, "?channel=posts").await;
    let report = is_delivered(&play, &id).await;
    let all = server.got();
    let got = &all[0];
    assert_eq!(
        (all.len(), got.method.as_str(), got.path.as_str()),
        (1, "POST", "/in?code=hidden-key")
    );
    assert_eq!(text(got), document);
    let digest = format!("sha-256=:{}:", BASE64.encode(&sha256(document.as_bytes())));
    for (name, value) in [
        ("content-type", "application/xml"),
        ("idempotency-key", id.as_str()),
        ("content-digest", &digest),
        ("content-disposition", &format!("attachment; filename=\"{id}.xml\"")),
        ("x-service-documentid", &id),
        ("x-service-partyid", SENDER),
        ("x-service-topic", "SendInvoice"),
        ("x-service-sender", SENDER),
        ("x-service-recipient", RECEIVER),
        ("authorization", ""),
    ] {
        assert_eq!(got.header(name), value, "{name}");
    }
    is_signed(got, "a-long-random-secret");
    let details = &play.ending(&id).await.payload["details"];
    let endpoint = server.url("/in");
    assert_eq!((&details["protocol"], &details["endpoint"]), (&json!("Https"), &json!(endpoint)));
    assert_eq!(details["returnedMessageId"], "/in/4711");
    for (name, value) in [
        ("url", json!(endpoint)),
        ("method", json!("POST")),
        ("form", json!("raw")),
        ("authentication", json!("none")),
        ("signed", json!(true)),
        ("idempotencyKey", json!(id)),
        ("bytes", json!(document.len())),
        ("contentDigest", json!(digest)),
        ("sha256", json!(HEXLOWER.encode(&sha256(document.as_bytes())))),
        ("status", json!(201)),
        ("headers", json!({ "location": "/in/4711", "content-length": "6" })),
        ("answer", json!("thanks")),
    ] {
        assert_eq!(report[name], value, "{name}");
    }
    let sender = play.sender().await;
    let (timeline, _) = sender.timeline(SENDER, &id).await;
    assert_eq!(timeline, ["Pending", "Validated", "Routed", "Delivered"]);
    let dossier = sender.get(&format!("/api/v1/{SENDER}/salesInvoice/{id}/dossier")).await;
    assert_eq!(dossier.status, 200, "{}", dossier.json);
    let entries = unzip(&dossier.body).unwrap();
    let all: String = entries.values().map(|file| String::from_utf8_lossy(file)).collect();
    assert!(all.contains(&digest) && all.contains("/in/4711"));
    assert!(!all.contains("hidden-key") && !all.contains("a-long-random-secret"));
}

/// Both signatures of a call are right under a secret.
fn is_signed(got: &GotRequest, secret: &str) {
    let key = hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes());
    let plain = format!("sha256={}", HEXLOWER.encode(hmac::sign(&key, &got.body).as_ref()));
    assert_eq!(got.header("x-service-signature"), plain);
    let (id, time) = (got.header("webhook-id"), got.header("webhook-timestamp"));
    let signed = [format!("{id}.{time}.").as_bytes(), &got.body].concat();
    let standard = format!("v1,{}", BASE64.encode(hmac::sign(&key, &signed).as_ref()));
    assert_eq!(got.header("webhook-signature"), standard);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_document_stands_in_a_form_in_json_or_is_put_as_a_file() {
    let (play, server) = play().await;
    let sender = play.sender().await;
    put(&sender, &server.url("/in"), &["Send*"], &json!({ "document": "json" })).await;
    let (id, document) = send(&play, 2, "?channel=posts").await;
    assert_eq!(is_delivered(&play, &id).await["form"], "json");
    let got = server.got().pop().unwrap();
    let body: Value = serde_json::from_slice(&got.body).unwrap();
    assert_eq!(got.header("content-type"), "application/json");
    let content = BASE64.decode(body["content"].as_str().unwrap().as_bytes()).unwrap();
    assert_eq!(String::from_utf8(content).unwrap(), document);
    for (name, value) in [
        ("documentId", json!(id)),
        ("number", json!("F-1")),
        ("recipient", json!(RECEIVER)),
        ("topic", json!("SendInvoice")),
        ("fileName", json!(format!("{id}.xml"))),
        ("size", json!(document.len())),
        ("sha256", json!(HEXLOWER.encode(&sha256(document.as_bytes())))),
    ] {
        assert_eq!(body[name], value, "{name}");
    }
    put(&sender, &server.url("/in"), &["Send*"], &json!({ "document": "multipart" })).await;
    let (id, document) = send(&play, 2, "?channel=posts").await;
    assert_eq!(is_delivered(&play, &id).await["form"], "multipart");
    let got = server.got().pop().unwrap();
    assert!(got.header("content-type").starts_with("multipart/form-data; boundary="));
    let body = text(&got);
    assert!(body.contains("name=\"metaAttributes\"") && body.contains(&document));
    assert!(body.contains(&format!("name=\"file\"; filename=\"{id}.xml\"")));
    let name = "{{family}}-{{number}}-{{id}}{{extension}}";
    let file = json!({ "method": "PUT", "filename": name });
    put(&sender, &server.url("/in/"), &["Send*"], &file).await;
    let (id, document) = send(&play, 2, "?channel=posts").await;
    let report = is_delivered(&play, &id).await;
    let got = server.got().pop().unwrap();
    let path = format!("/in/Invoice-F-1-{id}.xml");
    assert_eq!((got.method.as_str(), got.path.as_str()), ("PUT", path.as_str()));
    assert_eq!(text(&got), document);
    assert_eq!(report["url"], server.url(&path));
}

#[tokio::test(flavor = "multi_thread")]
async fn it_is_chosen_forced_and_falls_back_as_any_channel() {
    let (play, server) = play().await;
    let sender = play.sender().await;
    put(&sender, &server.url("/in"), &["Send*", "Send*Fallback"], &Value::Null).await;
    let found = sender.get(&format!("/api/v1/queryRecipientParty?identifier={RECEIVER}")).await;
    assert_eq!(found.json["alternatives"], json!(["peppol-fallback"]), "{}", found.json);
    for (to, query, channel) in [
        (RECEIVER, "", "peppol"),
        (RECEIVER, "?channel=peppol-fallback", "peppol-fallback"),
        (RECEIVER, "?channel=posts", "peppol-fallback"),
        (UNREGISTERED, "", "peppol-fallback"),
    ] {
        let path = format!("/api/v1/{SENDER}/salesInvoice/sendDryRun{query}");
        let body = Some(quoin_formats::samples::invoice(SENDER, to, "F-2"));
        let headers = [("content-type", "application/xml")];
        let run = sender.call(Method::POST, &path, &headers, body).await.unwrap().json;
        let found = (&run["verdict"], &run["route"]["channel"]);
        assert_eq!(found, (&json!("deliverable"), &json!(channel)), "{to} {query}");
    }
    let invoice = quoin_formats::samples::invoice(SENDER, UNREGISTERED, "F-3");
    let id = play.send_document(invoice.clone()).await;
    is_delivered(&play, &id).await;
    assert_eq!(text(&server.got()[0]), invoice);
    let (timeline, _) = sender.timeline(SENDER, &id).await;
    assert_eq!(timeline, ["Pending", "Validated", "Fallback", "Routed", "Delivered"]);
    let (over_peppol, _) = send(&play, 2, "?channel=peppol").await;
    let told = play.ending(&over_peppol).await;
    assert_eq!(told.payload["details"]["protocol"], "As4", "{told:#?}");
    assert_eq!(server.got().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hook_on_both_kinds_of_topics_is_both() {
    let (play, server) = play().await;
    let action = format!("{}#s3cret", server.url("/in"));
    put(&play.sender().await, &action, &["Send*", "InvoiceSent"], &Value::Null).await;
    let (id, document) = send(&play, 2, "?channel=posts").await;
    is_delivered(&play, &id).await;
    let event = || server.got().into_iter().find(|got| got.header("idempotency-key").is_empty());
    let event = crate::stage::until("the event", async || event()).await;
    let payload: Value = serde_json::from_slice(&event.body).unwrap();
    assert_eq!((&payload["topic"], &payload["documentId"]), (&json!("InvoiceSent"), &json!(id)));
    is_signed(&event, "s3cret");
    let documents: Vec<GotRequest> =
        server.got().into_iter().filter(|got| got.header("idempotency-key") == id).collect();
    assert_eq!((documents.len(), text(&documents[0])), (1, document));
    let topics: BTreeMap<String, usize> =
        server.got().iter().fold(BTreeMap::new(), |mut all, got| {
            *all.entry(got.header("content-type").to_owned()).or_default() += 1;
            all
        });
    assert_eq!(topics.len(), 2, "nobody is told of the command: {topics:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn documents_in_a_row_need_one_connection() {
    let (play, server) = play().await;
    put(&play.sender().await, &server.url("/in"), &["Send*"], &Value::Null).await;
    for _ in 0..20 {
        let (id, _) = send(&play, 2, "?channel=posts").await;
        is_delivered(&play, &id).await;
        assert_eq!(play.attempts(&id).await.len(), 1);
    }
    assert_eq!(server.got().len(), 20);
    // One that was not used for four seconds is made anew, which a busy machine may see.
    assert!(server.connections() <= 5, "{} connections", server.connections());
}

#[tokio::test(flavor = "multi_thread")]
async fn documents_side_by_side_do_not_mix_and_need_few_connections() {
    let (play, server) = play().await;
    let count: usize = std::env::var("QUOIN_HTTPS_DOCUMENTS").map_or(100, |n| n.parse().unwrap());
    put(&play.sender().await, &server.url("/in"), &["Send*"], &Value::Null).await;
    let began = std::time::Instant::now();
    let mut sent = BTreeMap::new();
    for _ in 0..count {
        let (id, document) = send(&play, 2, "?channel=posts").await;
        sent.insert(id, document);
    }
    let uploaded = began.elapsed();
    for id in sent.keys() {
        is_delivered(&play, id).await;
    }
    let got = server.got();
    assert_eq!(got.len(), count);
    for got in &got {
        assert_eq!(text(got), sent[got.header("idempotency-key")]);
    }
    let used = server.connections();
    println!("{count}: uploaded {uploaded:.1?}, sent {:.1?}, {used} connections", began.elapsed());
    assert!(used <= 8 + count / 4, "{used} connections");
}
