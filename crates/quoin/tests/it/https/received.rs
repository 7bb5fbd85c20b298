//! Documents that arrived are handed on with the document itself where the hook asks for it.

use data_encoding::BASE64;
use quoin_lab::lab::network::{RECEIVER, SENDER};
use reqwest::Method;
use serde_json::{Value, json};

use super::server::{GotRequest, ServerAct};
use super::{is_signed, play, text};
use crate::stage::{Play, until};

async fn put(play: &Play, action: &str, topics: &[&str], init: &Value) {
    let hook = json!({ "id": "posts", "action": action, "topics": topics, "init": init });
    let path = format!("/api/v1/{RECEIVER}/hook");
    let headers = [("content-type", "application/json")];
    let receiver = play.receiver().await;
    let answer = receiver.call(Method::PUT, &path, &headers, Some(hook.to_string())).await.unwrap();
    assert_eq!(answer.status, 200, "{}", answer.json);
}

async fn calls(play: &Play) -> Value {
    let path = format!("/api/v1/{RECEIVER}/hook/posts/deliveries");
    play.receiver().await.get(&path).await.json["items"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_document_itself_is_handed_on_where_the_hook_asks_for_it() {
    let (play, server) = play().await;
    let action = format!("{}#s3cret", server.url("/in"));
    for (form, number) in [("raw", "IN-1"), ("json", "IN-2"), ("multipart", "IN-3"), ("", "IN-4")] {
        let init = if form.is_empty() { json!({}) } else { json!({ "document": form }) };
        put(&play, &action, &["*Received"], &init).await;
        let before = server.got().len();
        let invoice = quoin_formats::samples::invoice(SENDER, RECEIVER, number);
        // What travels in an envelope has no XML declaration.
        let travelled = invoice[invoice.find("<Invoice").unwrap()..].trim_end().to_owned();
        play.send_document(invoice).await;
        let got: GotRequest = until(number, async || server.got().get(before).cloned()).await;
        is_signed(&got, "s3cret");
        let (kind, key) = (got.header("content-type"), got.header("idempotency-key"));
        let body = text(&got);
        match form {
            "raw" => {
                assert_eq!((kind, body.trim_end()), ("application/xml", travelled.as_str()));
                assert_eq!(got.header("x-service-topic"), "InvoiceReceived");
                assert_eq!(got.header("x-service-partyid"), RECEIVER);
                assert_eq!(got.header("x-service-sender"), SENDER);
            }
            "json" => {
                let body: Value = serde_json::from_str(&body).unwrap();
                let content = BASE64.decode(body["content"].as_str().unwrap().as_bytes()).unwrap();
                assert_eq!(String::from_utf8(content).unwrap().trim_end(), travelled);
                assert_eq!(
                    (&body["topic"], &body["number"]),
                    (&json!("InvoiceReceived"), &json!(number))
                );
                assert_eq!(
                    (&body["documentId"], &body["details"]["id"]),
                    (&json!(key), &json!(number))
                );
            }
            "multipart" => {
                assert!(kind.starts_with("multipart/form-data"), "{kind}");
                assert!(body.contains(&travelled) && body.contains("InvoiceReceived"));
            }
            _ => {
                let body: Value = serde_json::from_str(&body).unwrap();
                assert_eq!((key, &body["topic"]), ("", &json!("InvoiceReceived")), "the event");
            }
        }
        assert_eq!(server.got().len(), before + 1, "once");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_taken_is_handed_on_again_and_can_be_replayed() {
    let (play, server) = play().await;
    server.will(&[
        ServerAct::Answer(503, "", "busy"),
        ServerAct::Close,
        ServerAct::Answer(200, "", "thanks"),
    ]);
    put(&play, &server.url("/in"), &["InvoiceReceived"], &json!({ "document": "raw" })).await;
    play.send("IN-5").await;
    let taken = async || {
        let call = calls(&play).await[0].clone();
        (call["state"] == "delivered").then_some(call)
    };
    let call = until("it is taken", taken).await;
    let got = server.got();
    assert!(got.len() >= 3, "{}", got.len());
    let key = got[0].header("idempotency-key");
    assert!(got.iter().all(|one| one.body == got[0].body && one.header("idempotency-key") == key));
    let tries = call["tries"].as_array().unwrap();
    assert_eq!((&tries[0]["status"], &tries[0]["response"]), (&json!(503), &json!("busy")));
    let path =
        format!("/api/v1/{RECEIVER}/hook/posts/deliveries/{}/replay", call["id"].as_str().unwrap());
    let before = server.got().len();
    let answer =
        play.receiver().await.call(Method::POST, &path, &[], None::<String>).await.unwrap();
    assert!(answer.status < 300, "{}", answer.json);
    until("it is replayed", async || server.got().get(before).cloned()).await;
    let again = server.got().pop().unwrap();
    assert_eq!(again.header("idempotency-key"), key);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_whether_the_server_is_reached_carries_no_document() {
    let (play, server) = play().await;
    let init = json!({ "document": "raw", "bearerToken": "geheim" });
    put(&play, &server.url("/in"), &["*Received"], &init).await;
    let answer = play.receiver().await.get(&format!("/api/v1/{RECEIVER}/hook/ping")).await;
    assert_eq!(answer.status, 200, "{}", answer.json);
    let got = until("the ping", async || server.got().into_iter().next()).await;
    let body: Value = serde_json::from_slice(&got.body).unwrap();
    assert_eq!(body["topic"], "Ping");
    assert_eq!(got.header("authorization"), "Bearer geheim", "events are authorised, too");
}
