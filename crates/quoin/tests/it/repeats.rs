//! What may pass is tried again, with the same identifiers, and what arrived twice is there once
//! (interface specification 3.3; checklist C-04, C-05, C-10).

use bytes::Bytes;
use jiff::{SignedDuration, Timestamp};
use quoin_access_point::config::{RequestedStatuses, ServiceRole};
use quoin_delivery::TaskKind;
use quoin_lab::lab::network::{RECEIVER, SENDER, ZONE};
use quoin_peppol::sml::dns_name;
use quoin_store::AttemptOutcome;
use reqwest::Method;

use crate::stage::gate::{Act, Gate};
use crate::stage::{Play, Stage, until};

/// A play with a gate before corner 3.
pub async fn with_gate(acts: &[Act]) -> (Play, Gate) {
    let stage = Stage::set().await;
    let gate = Gate::open(&stage, &stage.two.as4_url, acts).await;
    let play = stage
        .play_with(|_, two| {
            two.smp.endpoint_exceptions.insert(RECEIVER.to_owned(), gate.url.clone());
        })
        .await;
    (play, gate.gate)
}

/// All attempts carry the same AS4 message id and the same envelope id; answers how they ended.
pub async fn same_ids(play: &Play, id: &str) -> Vec<AttemptOutcome> {
    let record = play.record(id).await;
    let attempts = play.attempts(id).await;
    for (attempt, number) in attempts.iter().zip(1..) {
        assert_eq!(attempt.attempt, number);
        // An attempt that ended in the look-up has sent nothing.
        let Some(report) = attempt.report.get("send") else { continue };
        assert_eq!(report["messageId"].as_str(), record.message_id.as_deref(), "{report}");
        assert_eq!(report["instanceIdentifier"].as_str(), record.instance_id.as_deref());
    }
    attempts.iter().map(|attempt| attempt.outcome).collect()
}

pub async fn arrives_once(play: &Play) {
    let arrived = play.arrived().await;
    assert_eq!(arrived.len(), 1, "{arrived:#?}");
    let id = arrived[0].transaction.document_id.to_string();
    play.told(&id, &["InvoiceReceived"]).await;
    assert_eq!(play.times(&id, "InvoiceReceived"), 1);
}

const LATER: AttemptOutcome = AttemptOutcome::Later;
const DELIVERED: AttemptOutcome = AttemptOutcome::Delivered;

#[tokio::test(flavor = "multi_thread")]
async fn c_10_a_busy_recipient_is_tried_until_it_takes_the_message() {
    let (play, gate) = with_gate(&[Act::Status(503), Act::Status(503)]).await;
    let id = play.send("BUSY-1").await;
    assert_eq!(play.ending(&id).await.text("topic"), "InvoiceSent");
    assert_eq!(same_ids(&play, &id).await, [LATER, LATER, DELIVERED]);
    assert_eq!(play.times(&id, "InvoiceSentRetry"), 2);
    let seen = gate.seen();
    assert!(seen.len() == 3 && seen.iter().all(|id| *id == seen[0]), "{seen:?}");
    let retry = play.told(&id, &["InvoiceSentRetry"]).await;
    let details = &retry.payload["details"];
    assert_eq!((&details["attempt"], &details["httpStatus"]), (&"1".into(), &"503".into()));
    assert!(details["nextAttempt"].is_string(), "{details}");
    let (timeline, _) = play.sender().await.timeline(SENDER, &id).await;
    assert_eq!(timeline, ["Pending", "Validated", "Routed", "Retry", "Retry", "Delivered"]);
    arrives_once(&play).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn c_04_a_broken_connection_is_tried_again_with_the_same_ids() {
    let (play, _) = with_gate(&[Act::Break]).await;
    let id = play.send("BROKEN-1").await;
    assert_eq!(play.ending(&id).await.text("topic"), "InvoiceSent");
    assert_eq!(same_ids(&play, &id).await, [LATER, DELIVERED]);
    arrives_once(&play).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn c_04_a_page_instead_of_a_signal_is_no_answer() {
    let page = Act::Answer("text/html".to_owned(), b"<html>welcome</html>".to_vec());
    let empty = Act::Answer("application/soap+xml".to_owned(), Vec::new());
    let (play, _) = with_gate(&[page, empty]).await;
    let id = play.send("HTML-1").await;
    assert_eq!(play.ending(&id).await.text("topic"), "InvoiceSent");
    assert_eq!(same_ids(&play, &id).await, [LATER, LATER, DELIVERED]);
    let retry = play.told(&id, &["InvoiceSentRetry"]).await;
    assert_eq!(retry.payload["details"]["ebmsErrorCode"], "EBMS:0301", "missing receipt");
    arrives_once(&play).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn c_05_a_lost_answer_is_repeated_and_delivered_once() {
    let (play, gate) = with_gate(&[Act::LoseAnswer, Act::LoseAnswer]).await;
    let id = play.send("LOST-1").await;
    assert_eq!(play.ending(&id).await.text("topic"), "InvoiceSent");
    assert_eq!(same_ids(&play, &id).await, [LATER, LATER, DELIVERED]);
    assert_eq!(gate.seen().len(), 3);
    arrives_once(&play).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn c_04_an_access_point_that_is_down_gets_the_message_when_it_is_back() {
    let stage = Stage::set().await;
    let play = stage
        .play_with(|one, two| {
            one.retry.delivery_seconds = vec![0.1; 400];
            // The SMP names an address at which nobody listens.
            two.listen.as4.address.set_port(0);
        })
        .await;
    let id = play.send("DOWN-1").await;
    let retry = play.told(&id, &["InvoiceSentRetry"]).await;
    assert!(retry.text("message").contains("no connection"), "{retry:?}");
    assert!(play.arrived().await.is_empty());
    let Play { stage, one, two } = play;
    two.stop().await;
    let two = stage.start(stage.config_two()).await;
    let play = Play { stage, one, two };
    assert_eq!(play.ending(&id).await.text("topic"), "InvoiceSent");
    let outcomes = same_ids(&play, &id).await;
    assert!(outcomes.len() > 1 && outcomes.ends_with(&[DELIVERED]), "{outcomes:?}");
    arrives_once(&play).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn dns_that_fails_is_asked_again() {
    let play = Play::begin().await;
    let name = dns_name(&RECEIVER.parse().unwrap(), ZONE);
    let zone = &play.stage.around.sml.zone;
    zone.fail(&name).unwrap();
    let id = play.send("SERVFAIL-1").await;
    let retry = play.told(&id, &["InvoiceSentRetry"]).await;
    assert_eq!(retry.payload["details"]["code"], "dns-trouble");
    assert!(retry.text("message").contains("DNS"), "{retry:?}");
    zone.register(&name, &play.stage.two.smp_url).unwrap();
    assert_eq!(play.ending(&id).await.text("topic"), "InvoiceSent");
    arrives_once(&play).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_schedule_ends_after_eight_attempts() {
    let (play, gate) = with_gate(&[const { Act::Status(500) }; 20]).await;
    let id = play.send("GIVEN-UP-1").await;
    let ending = play.ending(&id).await;
    assert_eq!(ending.text("topic"), "InvoiceSentError");
    assert!(ending.text("message").contains("Given up after 8 attempts"), "{ending:?}");
    assert!(ending.text("message").contains("HTTP 500"), "{ending:?}");
    assert_eq!(same_ids(&play, &id).await, [LATER; 8]);
    assert_eq!(gate.seen().len(), 8);
    assert_eq!(play.times(&id, "InvoiceSentRetry"), 7);
    let (_, status) = play.sender().await.timeline(SENDER, &id).await;
    assert_eq!(status, "Failed");
    assert!(play.arrived().await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_asked_for_in_retry_after_is_kept() {
    // The schedule would be over in two seconds; the gate asks for one, on each attempt.
    let (play, _) = with_gate(&[Act::Wait(1)]).await;
    let id = play.send("WAIT-1").await;
    assert_eq!(play.ending(&id).await.text("topic"), "InvoiceSent");
    let attempts = play.attempts(&id).await;
    let [first, second] = attempts.as_slice() else { panic!("two attempts: {attempts:?}") };
    let pause = second.started_on.duration_since(first.ended_on);
    assert!(pause.as_secs_f64() >= 0.99, "{pause}");
}

#[tokio::test(flavor = "multi_thread")]
async fn c_03_a_receipt_that_does_not_hold_proves_nothing() {
    let (play, gate) = with_gate(&[Act::DamageReceipt]).await;
    let id = play.send("DAMAGED-RECEIPT-1").await;
    assert_eq!(play.ending(&id).await.text("topic"), "InvoiceSent");
    assert_eq!(same_ids(&play, &id).await, [LATER, DELIVERED]);
    let retry = play.told(&id, &["InvoiceSentRetry"]).await;
    assert_eq!(retry.payload["details"]["ebmsErrorCode"], "EBMS:0302", "invalid receipt");
    assert_eq!(gate.seen().len(), 2);
    let attempts = play.attempts(&id).await;
    assert!(attempts[0].receipt_blob.is_none() && attempts[1].receipt_blob.is_some());
    arrives_once(&play).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn c_10_errors_that_may_pass_are_told_from_those_that_do_not() {
    let cases: [(&str, &[AttemptOutcome], &str); 6] = [
        ("EBMS:0202", &[LATER, DELIVERED], "InvoiceSent"),
        ("EBMS:0301", &[LATER, DELIVERED], "InvoiceSent"),
        ("EBMS:4001", &[AttemptOutcome::Never], "InvoiceSentError"),
        ("EBMS:0101", &[AttemptOutcome::Never], "InvoiceSentError"),
        ("EBMS:0103", &[AttemptOutcome::Never], "InvoiceSentError"),
        ("EBMS:0009", &[AttemptOutcome::Never], "InvoiceSentError"),
    ];
    for (code, outcomes, topic) in cases {
        let (play, gate) = with_gate(&[Act::Error(code)]).await;
        let id = play.send("ERROR-1").await;
        let ending = play.ending(&id).await;
        assert_eq!(ending.text("topic"), topic, "{code}: {ending:?}");
        assert_eq!(same_ids(&play, &id).await, outcomes, "{code}");
        assert_eq!(gate.seen().len(), outcomes.len(), "{code}");
        if topic == "InvoiceSentError" {
            assert_eq!(ending.payload["details"]["ebmsErrorCode"], code);
            assert!(ending.text("message").contains(code), "{ending:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_document_deleted_before_it_was_looked_at_leaves_no_work() {
    let stage = Stage::set().await;
    let play = stage
        .play_with(|one, two| {
            one.provider.ask_for_statuses = RequestedStatuses::Always;
            two.roles.retain(|role| *role != ServiceRole::Worker);
        })
        .await;
    let sent = play.send("DELETED-EARLY").await;
    play.told(&sent, &["InvoiceSent"]).await;
    let arrived = play.arrived().await[0].transaction.clone();
    let path = format!("/api/v1/{RECEIVER}/purchaseInvoice/{}", arrived.document_id);
    let gone = play.receiver().await.call(Method::DELETE, &path, &[], None::<Bytes>).await.unwrap();
    assert_eq!(gone.status, 204, "{}", gone.json);
    let waiting = [TaskKind::Arrive];
    assert!(play.two.parts.store.next_due(&waiting).await.unwrap().is_some());
    let Play { stage, one, two } = play;
    two.stop().await;
    let two = stage.start(stage.config_two()).await;
    let store = &two.parts.store;
    until("the task is finished", async || {
        store.next_due(&waiting).await.unwrap().is_none().then_some(())
    })
    .await;
    until("its status is given", async || {
        store.status_of(&arrived.id).await.unwrap().unwrap().code.map(|_| ())
    })
    .await;
    // What is left is to watch the limit of that status.
    until("nothing is due", async || {
        let due = store.next_due(&[TaskKind::Arrive, TaskKind::Status]).await.unwrap();
        let soon = Timestamp::now() + SignedDuration::from_mins(1);
        due.is_none_or(|due| due > soon).then_some(())
    })
    .await;
    one.stop().await;
}
