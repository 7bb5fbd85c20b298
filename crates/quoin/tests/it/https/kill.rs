//! A service that is killed between the server's receipt and its own commit: the document is posted
//! again with the same bytes under the same key, so that the server knows it.

use std::time::Duration;

use quoin_formats::samples::invoice;
use quoin_lab::lab::network::{RECEIVER, SENDER};
use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use super::server::{DocumentServer, ServerAct};
use super::{put, text};
use crate::kill::process::Service;
use crate::stage::caller::Caller;
use crate::stage::{Stage, until};

#[tokio::test(flavor = "multi_thread")]
async fn killed_before_its_commit_it_posts_the_same_again() {
    let stage = Stage::set().await;
    let server = DocumentServer::beside(&stage).await;
    let mut config = stage.config_one();
    config.retry.delivery_seconds = vec![0.2; 150];
    config.log.filter = "warn".to_owned();
    let one = Service::new("one", config, stage.one.api_url.clone(), stage.folder.path());
    // The answer comes so late that the service is killed before it.
    server.will(&[ServerAct::Slow(Duration::from_secs(10))]);
    one.start();
    let open = async || {
        let http = stage.around.client().unwrap();
        Caller::at(&one.api_url, http, &stage.sender).await.ok()
    };
    let caller = until("a token", open).await;
    let init = json!({ "document": "json", "bearerToken": "geheim" });
    put(&caller, &format!("{}#s3cret", server.url("/in")), &["Send*"], &init).await;
    let id = Uuid::new_v4().to_string();
    let document = invoice(SENDER, RECEIVER, "KILL-1");
    let path = format!("/api/v1/{SENDER}/salesInvoice/send?channel=posts");
    let headers = [("content-type", "application/xml"), ("x-service-documentid", id.as_str())];
    let answer = caller.call(Method::POST, &path, &headers, Some(document)).await.unwrap();
    assert_eq!(answer.status, 200, "{}", answer.json);
    until("the document", async || server.got().into_iter().next()).await;
    one.kill();
    one.start();
    let caller = until("a token again", open).await;
    let delivered = async || {
        let (names, status) = caller.timeline(SENDER, &id).await;
        (status == "Delivered").then_some(names)
    };
    let names = until("a delivery", delivered).await;
    assert_eq!(names.iter().filter(|name| *name == "Delivered").count(), 1, "{names:?}");
    let got = server.got();
    assert_eq!(got.len(), 2, "at least once");
    for again in &got {
        assert_eq!(again.header("idempotency-key"), id);
        assert_eq!(again.header("webhook-id"), got[0].header("webhook-id"));
        assert_eq!(again.header("authorization"), "Bearer geheim");
        assert_eq!(text(again), text(&got[0]));
    }
    let events = caller.get("/api/v1/events?limit=500").await.json;
    let sent = |event: &&Value| event["topic"] == "InvoiceSent";
    assert_eq!(events["items"].as_array().unwrap().iter().filter(sent).count(), 1, "{events}");
}
