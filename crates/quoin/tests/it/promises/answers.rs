//! What an answer of the receiver's access point means, as the field gives answers: a lost receipt
//! that is answered by "duplicate", a 5xx around an error, a gateway that is busy, a receiver that
//! moved behind a kept look-up, a connection that ends at the wrong moment.

use jiff::SignedDuration;
use quoin_delivery::BreakerState;
use quoin_delivery::fate::UNANSWERED;
use quoin_lab::lab::network::{RECEIVER, SENDER};
use quoin_store::{AttemptOutcome, EvidenceKind};
use reqwest::Method;
use serde_json::json;
use uuid::Uuid;

use crate::repeats::{arrives_once, same_ids, with_gate};
use crate::stage::gate::{Act, Gate};
use crate::stage::{Play, Stage, until};

const LATER: AttemptOutcome = AttemptOutcome::Later;
const DELIVERED: AttemptOutcome = AttemptOutcome::Delivered;
const NEVER: AttemptOutcome = AttemptOutcome::Never;
/// What phase4 says of a message id that it knows.
const HANDLED: &str = "Message with ID 'x' was already handled (this is a duplicate)";

#[tokio::test(flavor = "multi_thread")]
async fn pe_4_a_duplicate_after_a_lost_receipt_is_a_delivery_without_a_receipt() {
    for duplicate in [Act::Says(200, "EBMS:0004", HANDLED), Act::Error("EBMS:4001")] {
        let (play, _) = with_gate(&[Act::LoseAnswer, duplicate]).await;
        let id = play.send("PE-4").await;
        let ending = play.ending(&id).await;
        assert_eq!(ending.text("topic"), "InvoiceSent", "{ending:?}");
        assert!(ending.text("message").contains("no receipt is in hand"), "{ending:?}");
        assert_eq!(ending.payload["details"]["code"], "NO-RECEIPT-IN-HAND");
        assert_eq!(same_ids(&play, &id).await, [LATER, DELIVERED]);
        let attempts = play.attempts(&id).await;
        assert!(UNANSWERED.contains(&attempts[0].code.as_deref().unwrap()), "{attempts:?}");
        assert_eq!(attempts[1].receipt_blob, None);
        // Both answers are kept: what was said is evidence.
        let transaction = play.record(&id).await.transaction.id;
        let kept = play.one.parts.store.evidence_of(&transaction).await.unwrap();
        let kinds: Vec<EvidenceKind> = kept.iter().map(|piece| piece.kind).collect();
        assert!(kinds.contains(&EvidenceKind::Word) && kinds.contains(&EvidenceKind::Message));
        let path = format!("/api/v1/{SENDER}/salesInvoice/{id}/status");
        let lines = play.sender().await.get(&path).await.json;
        let last = lines.as_array().unwrap().last().unwrap().clone();
        assert_eq!(
            (&last["name"], &last["code"]),
            (&"Delivered".into(), &"NO-RECEIPT-IN-HAND".into())
        );
        arrives_once(&play).await;
    }
}

/// The signature of a receipt says whether it is whole, not the end of its connection.
#[tokio::test(flavor = "multi_thread")]
async fn a_receipt_that_verifies_is_one_however_its_connection_ends() {
    let (play, _) = with_gate(&[Act::EndsUntidily(100), Act::EndsUntidily(50)]).await;
    let id = play.send("UNTIDY").await;
    let ending = play.ending(&id).await;
    assert_eq!(ending.text("topic"), "InvoiceSent", "{ending:?}");
    let attempts = play.attempts(&id).await;
    assert_eq!((attempts.len(), attempts[0].outcome), (1, DELIVERED), "{attempts:?}");
    assert!(attempts[0].receipt_blob.is_some(), "it is in hand");
    // Half of one proves nothing.
    let id = play.send("UNTIDY-HALF").await;
    play.ending(&id).await;
    assert_eq!(same_ids(&play, &id).await, [LATER, DELIVERED]);
    assert_eq!(play.attempts(&id).await[0].code.as_deref(), Some("NO-ANSWER"));
}

#[tokio::test(flavor = "multi_thread")]
async fn pe_4_the_same_holds_of_an_attempt_that_a_crash_kept_from_being_recorded() {
    let handled = Act::Says(200, "EBMS:0004", HANDLED);
    let disk = Act::Says(500, "EBMS:0004", "No space left on device");
    let (play, gate) = with_gate(&[Act::KeepAnswer, disk, handled]).await;
    let id = play.send("PE-4-CRASH").await;
    until("it arrives", async || (play.arrived().await.len() == 1).then_some(())).await;
    // The end of the process: whatever it had in hand is due again.
    play.one.parts.store.end_leases().await.unwrap();
    let ending = play.ending(&id).await;
    assert_eq!(ending.text("topic"), "InvoiceSent", "{ending:?}");
    assert_eq!(ending.payload["details"]["code"], "NO-RECEIPT-IN-HAND");
    assert_eq!(same_ids(&play, &id).await, [LATER, DELIVERED]);
    assert_eq!(gate.seen().len(), 3);
    arrives_once(&play).await;
}

/// The word that it was taken before counts after an attempt that left that open, as a 5xx of a
/// gateway does, and not after answers by which nothing was taken.
#[tokio::test(flavor = "multi_thread")]
async fn a_duplicate_after_an_answer_by_which_nothing_was_taken_is_no_delivery() {
    for (first, topic, last) in [
        (Act::Busy(429, 0), "InvoiceSentError", NEVER),
        (Act::Busy(408, 0), "InvoiceSentError", NEVER),
        (Act::Error("EBMS:0202"), "InvoiceSentError", NEVER),
        (Act::Busy(503, 0), "InvoiceSent", DELIVERED),
    ] {
        let (play, _) = with_gate(&[first.clone(), Act::Error("EBMS:4001")]).await;
        let id = play.send("OPEN-OR-NOT").await;
        let ending = play.ending(&id).await;
        assert_eq!(ending.text("topic"), topic, "{first:?}: {ending:?}");
        assert_eq!(same_ids(&play, &id).await, [LATER, last], "{first:?}");
        assert!(play.arrived().await.is_empty());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn d_4_a_duplicate_on_the_first_attempt_is_no_delivery() {
    for duplicate in [Act::Says(200, "EBMS:0004", HANDLED), Act::Error("EBMS:4001")] {
        let (play, _) = with_gate(&[duplicate]).await;
        let id = play.send("D-4").await;
        let ending = play.ending(&id).await;
        assert_eq!(ending.text("topic"), "InvoiceSentError", "{ending:?}");
        assert_eq!(same_ids(&play, &id).await, [NEVER]);
        assert!(play.arrived().await.is_empty());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn pe_6_a_5xx_around_an_error_is_tried_again_unless_it_is_not_serviced() {
    let disk = Act::Says(500, "EBMS:0004", "No space left on device");
    let (play, _) = with_gate(&[disk]).await;
    let id = play.send("PE-6-A").await;
    assert_eq!(play.ending(&id).await.text("topic"), "InvoiceSent");
    assert_eq!(same_ids(&play, &id).await, [LATER, DELIVERED]);
    arrives_once(&play).await;
    let (play, _) = with_gate(&[Act::Says(500, "EBMS:0004", "PEPPOL:NOT_SERVICED")]).await;
    let id = play.send("PE-6-B").await;
    let ending = play.ending(&id).await;
    assert_eq!(ending.payload["details"]["code"], "NOT-SERVICED", "{ending:?}");
    assert_eq!(same_ids(&play, &id).await, [NEVER]);
}

#[tokio::test(flavor = "multi_thread")]
async fn bo_9_a_gateway_that_is_busy_is_tried_again_when_it_asks_for_it() {
    let (play, _) = with_gate(&[Act::Busy(429, 1), Act::Busy(425, 0), Act::Busy(408, 0)]).await;
    let id = play.send("BO-9").await;
    assert_eq!(play.ending(&id).await.text("topic"), "InvoiceSent");
    assert_eq!(same_ids(&play, &id).await, [LATER, LATER, LATER, DELIVERED]);
    let attempts = play.attempts(&id).await;
    let pause = attempts[1].started_on.duration_since(attempts[0].ended_on);
    assert!(attempts[..3].iter().all(|busy| busy.code.as_deref() == Some("AP-STATUS")));
    assert!(pause.as_secs_f64() >= 0.99, "Retry-After was not heard: {pause}");
    arrives_once(&play).await;
}

/// The receiver's services behind a gate; the look-up of the sender is warm.
async fn warm(acts: &[Act]) -> (Play, Gate) {
    let mut all = vec![Act::Pass];
    all.extend_from_slice(acts);
    let (play, gate) = with_gate(&all).await;
    let id = play.send("WARM").await;
    assert_eq!(play.ending(&id).await.text("topic"), "InvoiceSent");
    (play, gate)
}

#[tokio::test(flavor = "multi_thread")]
async fn pe_5_a_receiver_that_moved_behind_a_kept_look_up_gets_its_document() {
    for gone in [
        Act::Status(404),
        Act::Says(200, "EBMS:0004", "PEPPOL:NOT_SERVICED"),
        Act::Error("EBMS:0101"),
        Act::Error("EBMS:0102"),
        Act::Error("EBMS:0010"),
    ] {
        let (play, gate) = warm(std::slice::from_ref(&gone)).await;
        // The SMP names another address from now on.
        let Play { stage, one, two } = play;
        two.stop().await;
        let two = stage.start(stage.config_two()).await;
        let play = Play { stage, one, two };
        let id = play.send("MOVED").await;
        let ending = play.ending(&id).await;
        assert_eq!(ending.text("topic"), "InvoiceSent", "{gone:?}: {ending:?}");
        assert_eq!(same_ids(&play, &id).await, [DELIVERED], "it costs no attempt");
        assert_eq!(gate.seen().len(), 2, "the former access point was asked once");
        let report = &play.attempts(&id).await[0].report;
        assert!(report["refused"]["problem"].is_string(), "what it said is kept: {report}");
        assert_eq!(play.arrived().await.len(), 2);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn pe_5_a_receiver_that_moved_to_an_address_that_is_left_alone_is_not_called_there() {
    let (Play { stage, one, two }, _) = warm(&[Act::Status(404)]).await;
    two.stop().await;
    let mut config = stage.config_two();
    let there = Gate::open(&stage, &stage.two.as4_url, &[]).await;
    config.smp.endpoint_exceptions.insert(RECEIVER.to_owned(), there.url.clone());
    let two = stage.start(config).await;
    let play = Play { stage, one, two };
    let (breakers, now) = (&play.one.parts.breakers, play.one.parts.clock.now());
    for document in 0..10 {
        breakers.note(&there.url, &document.to_string(), Some("AP-TIMEOUT"), now);
    }
    assert_eq!(breakers.state(&there.url, now).0, BreakerState::Open);
    let id = play.send("MOVED-AWAY").await;
    let path = format!("/api/v1/{SENDER}/salesInvoice/{id}/status");
    let line = until("it waits", async || {
        let lines = play.sender().await.get(&path).await.json;
        lines.as_array()?.iter().find(|line| line["name"] == "Postponed").cloned()
    })
    .await;
    assert_eq!(line["code"], "AP-RESTING");
    assert!(line["description"].as_str().unwrap().contains(&there.url), "{line}");
    assert!(there.gate.seen().is_empty() && play.attempts(&id).await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn pe_5_a_receiver_that_did_not_move_refuses_for_good() {
    let (play, gate) = warm(&[Act::Status(404)]).await;
    let id = play.send("STAYED").await;
    assert_eq!(play.ending(&id).await.text("topic"), "InvoiceSentError");
    assert_eq!(same_ids(&play, &id).await, [NEVER]);
    assert_eq!(gate.seen().len(), 2, "nothing moved, so it is not asked twice");
}

#[tokio::test(flavor = "multi_thread")]
async fn item_5_a_kept_connection_that_ends_costs_no_attempt() {
    let (play, gate) = warm(&[Act::Break]).await;
    let id = play.send("KEPT").await;
    assert_eq!(play.ending(&id).await.text("topic"), "InvoiceSent");
    assert_eq!(same_ids(&play, &id).await, [DELIVERED]);
    assert_eq!(play.times(&id, "InvoiceSentRetry"), 0);
    let seen = gate.seen();
    assert_eq!(seen.len(), 3);
    assert_eq!(seen[1], seen[2], "under the same id");
    assert_eq!(play.arrived().await.len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn gr_13_a_refused_connection_is_tried_again_within_seconds() {
    let stage = Stage::set().await;
    let play = stage
        .play_with(|one, two| {
            one.retry.delivery_seconds = vec![3600.0; 7];
            one.retry.reconnect_seconds = vec![0.2; 200];
            // The SMP names an address at which nobody listens.
            two.listen.as4.address.set_port(0);
        })
        .await;
    let id = play.send("GR-13").await;
    let path = format!("/api/v1/{SENDER}/salesInvoice/{id}/status");
    let line = until("it waits", async || {
        let lines = play.sender().await.get(&path).await.json;
        lines.as_array()?.iter().find(|line| line["name"] == "Postponed").cloned()
    })
    .await;
    assert_eq!(line["code"], "AP-UNREACHABLE");
    let Play { stage, one, two } = play;
    two.stop().await;
    let two = stage.start(stage.config_two()).await;
    let play = Play { stage, one, two };
    assert_eq!(play.ending(&id).await.text("topic"), "InvoiceSent");
    assert_eq!(same_ids(&play, &id).await, [DELIVERED], "no attempt was used");
    assert_eq!(play.times(&id, "InvoiceSentRetry"), 0);
    arrives_once(&play).await;
    assert_eq!(play.arrived().await[0].transaction.receiver.as_deref(), Some(RECEIVER));
}

/// An answer that is asked for once more is the same document, and found where the first one is.
#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_is_asked_for_again_is_the_same() {
    let play = Play::begin().await;
    let sent = play.send("AGAIN-1").await;
    play.ending(&sent).await;
    let receiver = play.receiver().await;
    let list = receiver.get(&format!("/api/v1/{RECEIVER}/purchaseInvoice")).await.json;
    let arrived = list["items"][0]["id"].as_str().unwrap();
    let place = format!("/api/v1/{RECEIVER}/purchaseInvoice/{arrived}/response");
    let id = Uuid::new_v4().to_string();
    let headers = [("content-type", "application/json"), ("x-service-documentid", id.as_str())];
    let ask = async |status: &str| {
        let body = json!({ "status": status }).to_string();
        receiver.call(Method::POST, &place, &headers, Some(body)).await.unwrap()
    };
    let first = ask("AP").await;
    assert_eq!(first.status, 200, "{}", first.json);
    play.stage.clock.advance(SignedDuration::from_secs(90));
    for (status, same) in [("AP", true), ("RE", false)] {
        let again = ask(status).await;
        assert_eq!((again.status, &again.json["sameContent"]), (409, &same.into()), "{status}");
        assert_eq!(again.headers["location"], first.headers["location"]);
    }
}
