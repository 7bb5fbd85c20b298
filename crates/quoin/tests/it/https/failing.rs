//! What a server can answer and do besides taking a document: what is tried again, with the same
//! bytes under the same key, and what is final.

use std::time::Duration;

use quoin_lab::lab::network::SENDER;
use serde_json::{Value, json};

use super::server::ServerAct::{Answer, Close, Silent, Slow};
use super::{faults, is_delivered, play, put, send, text, upload, with_picture};
use crate::sftp::server::{Cable, CableAct};
use crate::stage::until;

#[tokio::test(flavor = "multi_thread")]
async fn what_may_pass_is_tried_again_with_the_same_bytes_under_the_same_key() {
    let (play, server) = play().await;
    server.will(&[
        Answer(503, "", "busy"),
        Answer(429, "retry-after: 1\r\n", ""),
        Answer(507, "", "the disk is full"),
        Answer(500, "", ""),
        Silent,
        Slow(Duration::from_millis(500)),
    ]);
    put(&play.sender().await, &server.url("/in"), &["Send*"], &json!({ "document": "json" })).await;
    let (id, _) = send(&play, 2, "?channel=posts").await;
    is_delivered(&play, &id).await;
    let got = server.got();
    assert_eq!(got.len(), 6);
    for again in &got {
        assert_eq!(again.header("idempotency-key"), id);
        assert_eq!(again.header("webhook-id"), got[0].header("webhook-id"));
        assert_eq!(again.header("content-digest"), got[0].header("content-digest"));
        assert_eq!(again.body, got[0].body);
    }
    let faults = faults(&play, &id).await;
    assert!(faults.iter().all(|(code, _)| code == "https-unavailable"), "{faults:?}");
    for (fault, words) in faults.iter().zip([
        "answered 503: \"busy\"",
        "answered 429",
        "answered 507: \"the disk is full\"",
        "answered 500",
        "no answer within",
    ]) {
        assert!(fault.1.contains(words), "{fault:?}");
    }
    assert_eq!(faults.len(), 5);
    let told = play.told(&id, &["InvoiceSentRetry"]).await;
    let details = &told.payload["details"];
    assert_eq!((&details["corner"], &details["httpStatus"]), (&json!("https"), &json!("503")));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wait_that_the_server_asks_for_is_kept() {
    let (play, server) = play().await;
    server.will(&[Answer(503, "retry-after: 3600\r\n", "")]);
    put(&play.sender().await, &server.url("/in"), &["Send*"], &Value::Null).await;
    let (id, _) = send(&play, 2, "?channel=posts").await;
    let told = play.told(&id, &["InvoiceSentRetry"]).await;
    let at: jiff::Timestamp =
        told.payload["details"]["nextAttempt"].as_str().unwrap().parse().unwrap();
    let wait = at.duration_since(play.stage.clock.now()).as_secs();
    assert!((3_000..=3_600).contains(&wait), "{wait} s, and not a fifth of a second");
    assert_eq!(server.got().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_no_is_final_and_is_told_as_the_server_said_it() {
    let (play, server) = play().await;
    put(&play.sender().await, &server.url("/in"), &["Send*"], &Value::Null).await;
    for (act, words) in [
        (
            Answer(422, "", "{\"why\":\"no\u{1b}[31m PO\"}"),
            "answered 422: \"{\\\"why\\\":\\\"no [31m PO",
        ),
        (Answer(400, "", ""), "answered 400"),
        (Answer(401, "", ""), "answered 401"),
        (Answer(404, "", ""), "answered 404"),
        (Answer(410, "", ""), "answered 410"),
        (Answer(302, "location: https://127.0.0.1:1/other\r\n", ""), "redirects are not followed"),
    ] {
        server.will(&[act]);
        let before = server.got().len();
        let (id, _) = send(&play, 2, "?channel=posts").await;
        let told = play.ending(&id).await;
        assert_eq!(told.text("topic"), "InvoiceSentError", "{words}");
        assert_eq!(told.payload["details"]["code"], "https-refused");
        assert!(told.text("message").contains(words), "{words}: {told:#?}");
        assert_eq!((play.attempts(&id).await.len(), server.got().len()), (1, before + 1));
        let (timeline, status) = play.sender().await.timeline(SENDER, &id).await;
        assert_eq!((timeline.last().unwrap().as_str(), status.as_str()), ("Failed", "Failed"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_that_is_cut_before_the_server_had_it_delivers_once() {
    let (play, server) = play().await;
    let cuts = [0, 300, 1_500, 40_000, 900_000].map(CableAct::Cut);
    let cable = Cable::lay(server.port, &cuts).await;
    put(&play.sender().await, &server.at(cable.port, "/in"), &["Send*"], &Value::Null).await;
    let (id, document) = send(&play, 2_000, "?channel=posts").await;
    assert!(document.len() > 1_000_000, "{}", document.len());
    is_delivered(&play, &id).await;
    let got = server.got();
    assert_eq!((got.len(), text(&got[0])), (1, document));
    let faults = faults(&play, &id).await;
    let known = |(code, _): &(String, String)| code == "https-unavailable" || code == "https-tls";
    assert!(faults.iter().all(known), "{faults:?}");
    assert_eq!((faults.len(), cable.planned()), (5, 0), "{faults:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_that_ends_after_the_server_had_it_brings_the_same_again() {
    let (play, server) = play().await;
    put(&play.sender().await, &server.url("/in"), &["Send*"], &Value::Null).await;
    server.will(&[Close]);
    let (id, document) = send(&play, 2, "?channel=posts").await;
    is_delivered(&play, &id).await;
    let got = server.got();
    assert_eq!(got.len(), 2, "at least once, and told apart by the key");
    assert!(got.iter().all(|got| got.header("idempotency-key") == id && text(got) == document));
    let sent = |topic| play.times(&id, topic);
    assert_eq!(
        (sent("InvoiceSent"), sent("InvoiceSentError")),
        (1, 0),
        "nobody else sees it twice"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_not_there_is_tried_again() {
    let (play, server) = play().await;
    put(&play.sender().await, &server.at(1, "/in"), &["Send*"], &Value::Null).await;
    let (id, _) = send(&play, 2, "?channel=posts").await;
    let look = async || faults(&play, &id).await.into_iter().next();
    let (code, fault) = until("an attempt", look).await;
    assert_eq!(code, "https-unavailable");
    assert!(fault.contains("no connection"), "{fault}");
    put(&play.sender().await, &server.url("/in"), &["Send*"], &Value::Null).await;
    is_delivered(&play, &id).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_large_document_arrives_whole() {
    let (play, server) = play().await;
    put(&play.sender().await, &server.url("/in"), &["Send*"], &json!({ "document": "multipart" }))
        .await;
    let (id, document) = upload(&play, with_picture(15 << 20), "?channel=posts").await;
    assert!(document.len() > 20 << 20, "{}", document.len());
    is_delivered(&play, &id).await;
    assert!(text(&server.got()[0]).contains(&document));
}
