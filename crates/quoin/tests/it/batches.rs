//! Batch hooks in the running service: documents are collected, zipped and fetched.

use std::collections::BTreeSet;

use jiff::SignedDuration;
use quoin_formats::unwrap;
use quoin_formats::unwrap::UnwrapLimits;
use quoin_lab::lab::network::{RECEIVER, SENDER};
use quoin_lab::lab::sink::ReceivedCall;
use reqwest::Method;
use serde_json::json;

use crate::documents::{id, json as post, only};
use crate::stage::{PATIENCE, Play};

const TOPIC: &str = "InvoiceReceivedBatched";

async fn register(play: &Play, action: &str) {
    let hook = json!({ "id": "zip", "action": action, "topics": ["InvoiceReceived"] });
    let path = format!("/api/v1/{RECEIVER}/hook");
    let headers = [("content-type", "application/json")];
    let receiver = play.receiver().await;
    let answer = receiver.call(Method::POST, &path, &headers, Some(hook.to_string())).await;
    let answer = answer.unwrap();
    assert_eq!(answer.status, 200, "{}", answer.json);
}

async fn batched(play: &Play) -> ReceivedCall {
    let holds = |told: &ReceivedCall| told.text("topic") == TOPIC;
    play.stage.around.sink.wait_for(PATIENCE, holds).await.expect("a batch")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_batch_is_told_of_and_can_be_fetched() {
    let play = Play::begin().await;
    register(&play, "batch://zip?period=00:15:00&maxBatchSize=2").await;
    let mut sent = BTreeSet::new();
    for number in ["BATCH-1", "BATCH-2"] {
        let invoice = quoin_formats::samples::invoice(SENDER, RECEIVER, number);
        play.send_document(invoice.clone()).await;
        // What travels in an envelope has no XML declaration.
        sent.insert(invoice[invoice.find("<Invoice").unwrap()..].trim_end().to_owned());
    }
    let told = batched(&play).await;
    let details = &told.payload["details"];
    assert_eq!((&details["count"], &details["hook"]), (&json!("2"), &json!("zip")));
    assert_eq!(details["batchId"], told.text("documentId"));
    let receiver = play.receiver().await;
    let base = play.two.api.as_ref().unwrap().url();
    let path = details["url"].as_str().unwrap().strip_prefix(&base).unwrap();
    let archive = receiver.get(path).await;
    assert_eq!(
        (archive.status, &archive.headers["content-type"]),
        (200, &"application/zip".parse().unwrap())
    );
    let found = unwrap(&archive.body, &UnwrapLimits::default());
    let xml = |name: &Option<String>| name.as_deref().is_some_and(|name| name.ends_with(".xml"));
    let documents = found.documents.iter().filter(|inner| xml(&inner.name));
    let documents: BTreeSet<String> = documents
        .map(|inner| String::from_utf8_lossy(&inner.bytes).trim_end().to_owned())
        .collect();
    assert_eq!(documents, sent);
    let none = path.replace(told.text("documentId"), "0192f0c1-2b3c-7d4e-8f90-a1b2c3d4e5f6");
    assert_eq!(receiver.get(&none).await.status, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_batch_is_closed_when_its_period_is_over() {
    let play = Play::begin().await;
    register(&play, "batch://zip?period=00:15:00").await;
    let id = play.send("BATCH-3").await;
    play.ending(&id).await;
    let receiver = play.receiver().await;
    let log = format!("/api/v1/{RECEIVER}/hook/zip/deliveries");
    crate::stage::until("it is collected", async || {
        let found = receiver.get(&log).await.json;
        (found["items"][0]["state"] == "pending").then_some(())
    })
    .await;
    assert_eq!(play.times(&id, TOPIC), 0);
    play.stage.clock.advance(SignedDuration::from_mins(16));
    // Whatever happens next makes the worker look at the clock.
    receiver.get(&format!("/api/v1/{RECEIVER}/hook/ping")).await;
    let told = batched(&play).await;
    assert_eq!(told.payload["details"]["count"], "1");
    let found = receiver.get(&log).await.json;
    assert_eq!(found["items"][0]["state"], "delivered", "{found}");
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_to_one_invoice_are_each_in_the_archive() {
    let play = Play::begin().await;
    let hook = json!({ "id": "zip", "action": "batch://zip?period=00:15:00&maxBatchSize=3",
                       "topics": ["InvoiceResponseReceived"] });
    let headers = [("content-type", "application/json")];
    let sender = play.sender().await;
    let path = format!("/api/v1/{SENDER}/hook");
    let made = sender.call(Method::POST, &path, &headers, Some(hook.to_string())).await.unwrap();
    assert_eq!(made.status, 200, "{}", made.json);
    let sent = play.send("BATCH-4").await;
    play.ending(&sent).await;
    let receiver = play.receiver().await;
    let arrived = only(&receiver, &format!("/api/v1/{RECEIVER}/purchaseInvoice")).await;
    let arrived = arrived["id"].as_str().unwrap();
    let place = format!("/api/v1/{RECEIVER}/purchaseInvoice/{arrived}/response");
    for status in ["AB", "IP", "AP"] {
        id(&post(&receiver, Method::POST, &place, json!({ "status": status })).await);
    }
    let holds = |told: &ReceivedCall| told.text("topic") == "InvoiceResponseReceivedBatched";
    let told = play.stage.around.sink.wait_for(PATIENCE, holds).await.expect("a batch");
    let base = play.one.api.as_ref().unwrap().url();
    let path = told.payload["details"]["url"].as_str().unwrap().strip_prefix(&base).unwrap();
    let archive = sender.get(path).await;
    let found = unwrap(&archive.body, &UnwrapLimits::default());
    let xml = |name: &Option<String>| name.as_deref().is_some_and(|name| name.ends_with(".xml"));
    let answers: Vec<_> = found.documents.iter().filter(|inner| xml(&inner.name)).collect();
    let codes: BTreeSet<&str> = answers
        .iter()
        .filter_map(|inner| std::str::from_utf8(&inner.bytes).ok()?.split("ResponseCode>").nth(1))
        .map(|rest| &rest[..2])
        .collect();
    assert_eq!((answers.len(), codes), (3, BTreeSet::from(["AB", "AP", "IP"])));
    let of_invoice = |name: &Option<String>| name.as_deref() == Some(&format!("{sent}.xml"));
    assert!(!answers.iter().any(|inner| of_invoice(&inner.name)), "it is no document of this hook");
}
