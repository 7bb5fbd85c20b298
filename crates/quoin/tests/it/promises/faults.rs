//! Faults of our own (item A9): a missing file or a broken row is tried a few times, then held and
//! told; it neither goes on for ever nor keeps others waiting.

use quoin_delivery::TaskKind;
use quoin_lab::lab::network::SENDER;
use quoin_server::start::Running;
use quoin_store::TaskState;

use super::duplicates::alarms;
use crate::stage::{Play, Stage, until};

/// Both services; where the sender's fails by itself, it tries twice more.
async fn play() -> Play {
    let stage = Stage::set().await;
    stage.register(SILENT, "https://127.0.0.1:9");
    let play = stage.play_with(|one, _| {
        // Long enough for any machine to do something between two attempts.
        one.retry.delivery_seconds = vec![1.0; 30];
        one.retry.fault_seconds = vec![0.1, 0.1];
    });
    play.await
}

/// A receiver whose SMP does not answer.
const SILENT: &str = "0106:66666666";

/// An invoice to the silent receiver.
fn to_the_silent(number: &str) -> String {
    quoin_formats::samples::invoice(SENDER, SILENT, number)
}

/// The same, kept in a file of its own.
fn large(number: &str) -> String {
    let invoice = to_the_silent(number);
    let filler = format!("<!--{}--></Invoice>", "x".repeat(100_000));
    invoice.replace("</Invoice>", &filler)
}

async fn held(service: &Running, kind: TaskKind) -> u64 {
    let queue = service.parts.store.queue(service.parts.clock.now()).await.unwrap();
    let of = |one: &&quoin_store::Queued| one.kind == kind && one.state == TaskState::Held;
    queue.iter().find(of).map_or(0, |one| one.count)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_9_a_missing_file_is_held_and_told_and_goes_on_when_it_is_back() {
    let play = play().await;
    let mut config = play.one.parts.config.clone();
    // The document lies in a file that goes between two attempts.
    let id = play.send_document(large("FAULT-1")).await;
    until("an attempt was made", async || (!play.attempts(&id).await.is_empty()).then_some(()))
        .await;
    let (blobs, aside) = (config.data_dir.join("blobs"), config.data_dir.join("aside"));
    std::fs::rename(blobs.join("sender"), &aside).unwrap();
    until("it is held", async || (held(&play.one, TaskKind::Route).await == 1).then_some(())).await;

    let told = alarms(&play.one, "step-held").await;
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].message.contains("failed 3 times on our own side"), "{told:?}");
    let caller = play.sender().await;
    let (words, _) = caller.timeline(SENDER, &id).await;
    assert_eq!(words.last().map(String::as_str), Some("Held"), "{words:?}");
    let health = caller.get("/health").await;
    assert_eq!(health.json["alarms"], serde_json::json!(["step-held"]), "{}", health.json);
    assert_eq!(health.json["status"], "ok", "others are served");

    // Others go on meanwhile, and it goes on itself from the next start.
    let other = play.send("FAULT-2").await;
    assert_eq!(play.ending(&other).await.text("topic"), "InvoiceSent");
    std::fs::rename(&aside, blobs.join("sender")).unwrap();
    let Play { stage, one, two } = play;
    one.stop().await;
    config.retry.delivery_seconds = vec![0.1];
    let one = stage.start(config).await;
    let play = Play { stage, one, two };
    play.ending(&id).await;
    assert!(play.one.parts.store.open_alarms(10).await.unwrap().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_9_a_broken_row_is_held_and_told() {
    let play = play().await;
    let id = play.send_document(to_the_silent("FAULT-3")).await;
    until("an attempt was made", async || (!play.attempts(&id).await.is_empty()).then_some(()))
        .await;
    let path = play.one.parts.config.data_dir.join("quoin.db");
    let db = rusqlite::Connection::open(path).unwrap();
    let broken = "UPDATE transactions SET family = 'Nonsense' WHERE document_id = ?1";
    assert_eq!(db.execute(broken, [&id]).unwrap(), 1);
    until("it is told", async || (alarms(&play.one, "step-held").await.len() == 1).then_some(()))
        .await;
    let told = alarms(&play.one, "step-held").await;
    assert!(told[0].details["fault"].contains("Nonsense"), "{told:?}");
    // Nothing else is kept waiting.
    let other = play.send("FAULT-4").await;
    assert_eq!(play.ending(&other).await.text("topic"), "InvoiceSent");
}
