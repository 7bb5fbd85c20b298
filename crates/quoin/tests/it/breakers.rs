//! An access point that fails for several documents is left alone, which costs those that wait no
//! attempt; and every failure says where it lies and who can fix it.

use std::time::Duration;

use jiff::SignedDuration;
use quoin_lab::lab::network::{RECEIVER, SENDER, UNREGISTERED};
use serde_json::Value;

use crate::stage::gate::{Act, Gate, OpenGate};
use crate::stage::{Play, Stage, until};

/// Documents in a row that open a breaker in these stories.
const FAILURES: usize = 3;

/// A receiver behind a gate that fails for the first `failing` messages.
async fn play(failing: usize, rest_seconds: f64) -> (Play, OpenGate) {
    let stage = Stage::set().await;
    let gate = Gate::open(&stage, &stage.two.as4_url, &vec![Act::Status(503); failing]).await;
    let url = gate.url.clone();
    let play = stage.play_with(|one, two| {
        one.breaker.failures = FAILURES;
        one.breaker.rest_seconds = rest_seconds;
        // A document that failed comes back long after the story is over.
        one.retry.delivery_seconds = vec![3600.0; 7];
        two.smp.endpoint_exceptions.insert(RECEIVER.to_owned(), url);
    });
    (play.await, gate)
}

async fn endpoint(play: &Play) -> Value {
    let answer = play.sender().await.get(&format!("/api/v1/{SENDER}/endpoint")).await;
    assert_eq!(answer.status, 200, "{}", answer.json);
    answer.json[0].clone()
}

async fn line(play: &Play, id: &str, name: &str) -> Option<Value> {
    let path = format!("/api/v1/{SENDER}/salesInvoice/{id}/status");
    let lines = play.sender().await.get(&path).await.json;
    lines.as_array()?.iter().find(|line| line["name"] == name).cloned()
}

/// Sends so many documents one after the other; each fails once.
async fn fail(play: &Play, count: usize) {
    for number in 0..count {
        let id = play.send(&format!("FAILS-{number}")).await;
        play.told(&id, &["InvoiceSentRetry"]).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_access_point_that_fails_is_left_alone_and_then_probed() {
    let (play, gate) = play(FAILURES, 1800.0).await;
    fail(&play, FAILURES - 1).await;
    assert_eq!(endpoint(&play).await["state"], "closed");
    fail(&play, 1).await;
    let seen = endpoint(&play).await;
    assert_eq!((&seen["state"], &seen["failed"]), (&"open".into(), &FAILURES.into()), "{seen}");
    assert_eq!(seen["lastError"]["code"], "AP-STATUS");
    assert_eq!(seen["lastError"]["cause"]["corner"], "receiver-access-point");
    assert!(seen["restsUntil"].is_string(), "{seen}");
    let waiting = play.send("WAITS").await;
    let line = until("it waits", async || line(&play, &waiting, "Postponed").await).await;
    assert_eq!(line["code"], "AP-RESTING");
    assert_eq!(line["cause"]["whoCanFix"], "time");
    assert!(play.attempts(&waiting).await.is_empty(), "waiting is no attempt");
    assert_eq!(gate.gate.seen().len(), FAILURES, "nobody knocked");
    play.stage.clock.advance(SignedDuration::from_secs(2800));
    let ending = play.ending(&waiting).await;
    assert_eq!(ending.text("topic"), "InvoiceSent");
    assert_eq!(play.attempts(&waiting).await.len(), 1, "the whole schedule was left");
    let seen = endpoint(&play).await;
    assert_eq!((&seen["state"], &seen["delivered"]), (&"closed".into(), &1.into()), "{seen}");
    assert!(seen["medianMs"].is_number(), "{seen}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restart_does_not_hammer_what_was_left_alone() {
    let (play, gate) = play(FAILURES, 1800.0).await;
    fail(&play, FAILURES).await;
    let config = play.one.parts.config.clone();
    let Play { stage, one, two } = play;
    one.stop().await;
    let one = stage.start(config).await;
    let play = Play { stage, one, two };
    let waiting = play.send("AFTER-RESTART").await;
    until("it waits", async || line(&play, &waiting, "Postponed").await).await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(gate.gate.seen().len(), FAILURES, "nobody knocked");
    assert_eq!(endpoint(&play).await["state"], "open");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_probe_that_fails_doubles_the_rest() {
    let (play, gate) = play(FAILURES + 1, 600.0).await;
    fail(&play, FAILURES).await;
    let probe = play.send("PROBE").await;
    until("it waits", async || line(&play, &probe, "Postponed").await).await;
    play.stage.clock.advance(SignedDuration::from_secs(950));
    play.told(&probe, &["InvoiceSentRetry"]).await;
    assert_eq!(gate.gate.seen().len(), FAILURES + 1);
    let seen = endpoint(&play).await;
    assert_eq!(seen["state"], "open");
    let until: jiff::Timestamp = seen["restsUntil"].as_str().unwrap().parse().unwrap();
    let rest = until.duration_since(play.stage.clock.now()).as_secs();
    assert!((1000..=1200).contains(&rest), "{rest} s of 1,200");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_document_that_was_given_up_is_not_said_to_be_tried_again() {
    let stage = Stage::set().await;
    let play = stage
        .play_with(|_, two| {
            let nobody = "https://127.0.0.1:1/as4".to_owned();
            two.smp.endpoint_exceptions.insert(RECEIVER.to_owned(), nobody);
        })
        .await;
    let id = play.send("GIVEN-UP").await;
    let retry = play.told(&id, &["InvoiceSentRetry"]).await;
    assert_eq!(retry.payload["details"]["whoCanFix"], "time");
    let ending = play.ending(&id).await;
    assert_eq!(ending.payload["details"]["code"], "AP-UNREACHABLE");
    assert_eq!(ending.payload["details"]["whoCanFix"], "receivers-provider");
    let line = until("it has failed", async || line(&play, &id, "Failed").await).await;
    assert_eq!(line["cause"]["whoCanFix"], "receivers-provider");
    let remedy = line["cause"]["remedy"].as_str().unwrap();
    assert!(remedy.starts_with("Nothing is tried again."), "{remedy}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failure_names_its_corner_in_the_language_of_the_caller() {
    let play = Play::begin().await;
    let invoice = quoin_formats::samples::invoice(SENDER, UNREGISTERED, "NOBODY-1");
    let id = play.send_document(invoice).await;
    let ending = play.ending(&id).await;
    assert_eq!(ending.payload["details"]["corner"], "sml");
    assert_eq!(ending.payload["details"]["whoCanFix"], "receiver");
    let path = format!("/api/v1/{SENDER}/salesInvoice/{id}/status");
    let sender = play.sender().await;
    let mut titles = Vec::new();
    for language in ["en", "nl", "de", "fr", "pl"] {
        let headers = [("accept-language", language)];
        let body = None::<bytes::Bytes>;
        let answer = sender.call(reqwest::Method::GET, &path, &headers, body).await.unwrap();
        let lines = answer.json.as_array().unwrap().clone();
        let cause = lines.last().unwrap()["cause"].clone();
        assert_eq!(cause["corner"], "sml", "{cause}");
        titles.push(cause["title"].as_str().unwrap().to_owned());
    }
    titles.sort();
    titles.dedup();
    assert_eq!(titles.len(), 5, "{titles:?}");
}
