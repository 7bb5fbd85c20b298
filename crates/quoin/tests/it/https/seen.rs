//! What can be seen of channels: what they are and need, how their destinations do, what is used,
//! and what a dry run says without saying a secret.

use quoin_access_point::config::ListenerSection;
use quoin_delivery::channel::PROTOCOLS;
use quoin_lab::lab::network::{RECEIVER, SENDER};
use reqwest::Method;
use serde_json::{Value, json};

use super::server::{DocumentServer, ServerAct};
use super::{is_delivered, put, send};
use crate::stage::{Play, Stage, until};
use crate::world::plain_client;

/// Documents in a row that open a breaker in these stories.
const FAILURES: usize = 3;

async fn play() -> (Play, DocumentServer) {
    let stage = Stage::set().await;
    let server = DocumentServer::beside(&stage).await;
    let play = stage
        .play_with(|one, _| {
            one.breaker.failures = FAILURES;
            one.breaker.rest_seconds = 1800.0;
            one.listen.metrics = Some(ListenerSection::default());
            // A document that failed comes back long after the story is over.
            one.retry.delivery_seconds = vec![3600.0; 7];
        })
        .await;
    (play, server)
}

async fn destinations(play: &Play) -> Value {
    let answer = play.sender().await.get(&format!("/api/v1/{SENDER}/destination")).await;
    assert_eq!(answer.status, 200, "{}", answer.json);
    answer.json
}

#[tokio::test(flavor = "multi_thread")]
async fn every_channel_says_what_it_needs() {
    let (play, _) = play().await;
    let channels = play.sender().await.get("/api/v1/channels").await.json;
    let channels = channels.as_array().unwrap();
    let protocols: Vec<&str> =
        channels.iter().map(|channel| channel["protocol"].as_str().unwrap()).collect();
    assert_eq!(protocols, PROTOCOLS);
    let meta = play.sender().await.get("/meta").await.json;
    assert_eq!(meta["channels"].as_array().unwrap(), channels);
    let https = channels.iter().find(|channel| channel["protocol"] == "Https").unwrap();
    let needs = https["needs"].as_array().unwrap();
    let key = needs.iter().find(|need| need["name"] == "clientKey").unwrap();
    assert_eq!((&key["place"], &key["isSecret"]), (&json!("init"), &json!(true)));
    assert!(https["topics"].as_array().unwrap().contains(&json!("SendInvoiceFallback")));
    assert!(https["families"].as_array().unwrap().contains(&json!("Order")));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_destination_is_seen_and_what_was_sent_there_is_counted() {
    let (play, server) = play().await;
    let init = json!({ "user": "me", "password": "geheim-7" });
    let action = format!("{}#s3cret-s3cret", server.url("/in?code=hidden"));
    put(&play.sender().await, &action, &["Send*"], &init).await;
    let path = format!("/api/v1/{SENDER}/salesInvoice/sendDryRun?channel=posts");
    let body = Some(quoin_formats::samples::invoice(SENDER, RECEIVER, "F-2"));
    let headers = [("content-type", "application/xml")];
    let sender = play.sender().await;
    let run = sender.call(Method::POST, &path, &headers, body).await.unwrap().json;
    let route = &run["route"];
    assert_eq!(
        (&route["protocol"], &route["channel"]),
        (&json!("Https"), &json!("posts")),
        "{run}"
    );
    assert_eq!(route["destination"], server.url("/in"));
    let shown = ["password of me (basic authentication)", "signature (HMAC) under the secret"];
    assert_eq!(route["credentials"], json!(shown));
    for secret in ["geheim-7", "s3cret-s3cret", "hidden"] {
        assert!(!run.to_string().contains(secret), "{run}");
    }
    let (id, document) = send(&play, 2, "?channel=posts").await;
    is_delivered(&play, &id).await;
    let (over_peppol, _) = send(&play, 2, "?channel=peppol").await;
    play.ending(&over_peppol).await;
    let seen = destinations(&play).await;
    let of = |protocol: &str| {
        let all = seen.as_array().unwrap().iter();
        all.filter(|one| one["protocol"] == protocol).cloned().collect::<Vec<_>>()
    };
    assert_eq!((of("Https").len(), of("As4").len()), (1, 1), "{seen}");
    let https = &of("Https")[0];
    assert_eq!(
        (&https["destination"], &https["state"]),
        (&json!(server.url("/in")), &json!("closed"))
    );
    assert_eq!((&https["delivered"], &https["failed"]), (&json!(1), &json!(0)));
    assert!(https["lastDeliveredOn"].is_string() && https["medianMs"].is_number());
    let access_points = sender.get(&format!("/api/v1/{SENDER}/endpoint")).await.json;
    assert_eq!(access_points.as_array().unwrap().len(), 1, "no web server is an access point");
    let usage = sender.get("/api/v1/usage").await.json;
    let channels = usage["months"][0]["channels"].as_array().unwrap();
    let https = channels.iter().find(|line| line["protocol"] == "Https").unwrap();
    assert_eq!((&https["family"], &https["count"]), (&json!("Invoice"), &json!(1)), "{usage}");
    assert_eq!(https["bytes"], json!(document.len()));
    assert!(channels.iter().any(|line| line["protocol"] == "As4"), "{usage}");
    let door = play.one.metrics.as_ref().unwrap();
    let page = plain_client().get(format!("{}/metrics", door.url())).send().await.unwrap();
    let page = page.text().await.unwrap();
    for line in [
        "quoin_channel_attempts_total{channel=\"Https\",outcome=\"delivered\"} 1",
        "quoin_channel_attempts_total{channel=\"As4\",outcome=\"delivered\"} 1",
        "quoin_channel_attempts_total{channel=\"Sftp\",outcome=\"never\"} 0",
    ] {
        assert!(page.lines().any(|own| own == line), "{line}: {page}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_destination_that_fails_for_several_documents_is_left_alone() {
    let (play, server) = play().await;
    server.always(Some(ServerAct::Answer(503, "", "")));
    put(&play.sender().await, &server.url("/in"), &["Send*"], &Value::Null).await;
    for _ in 0..FAILURES {
        let (id, _) = send(&play, 2, "?channel=posts").await;
        play.told(&id, &["InvoiceSentRetry"]).await;
    }
    let seen = destinations(&play).await[0].clone();
    assert_eq!((&seen["state"], &seen["failed"]), (&json!("open"), &json!(FAILURES)), "{seen}");
    assert!(seen["restsUntil"].is_string());
    assert_eq!(seen["lastError"]["code"], "https-unavailable");
    assert_eq!(seen["lastError"]["cause"]["corner"], "https");
    let (id, _) = send(&play, 2, "?channel=posts").await;
    let path = format!("/api/v1/{SENDER}/salesInvoice/{id}/status");
    let waits = async || {
        let lines = play.sender().await.get(&path).await.json;
        lines.as_array()?.iter().find(|line| line["name"] == "Postponed").cloned()
    };
    let line = until("it waits", waits).await;
    assert_eq!((line["code"].as_str(), server.got().len()), (Some("https-resting"), FAILURES));
    assert_eq!(play.attempts(&id).await.len(), 0, "it costs no attempt");
    // Another address of the same server is another destination.
    server.always(None);
    put(&play.sender().await, &server.url("/other"), &["Send*"], &Value::Null).await;
    let (id, _) = send(&play, 2, "?channel=posts").await;
    is_delivered(&play, &id).await;
}
