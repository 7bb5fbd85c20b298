//! What was done is recorded however long the store cannot be written to, and not done again.

use std::time::Duration;

use quoin_lab::lab::network::{RECEIVER, SENDER};
use quoin_server::start::Running;
use quoin_store::AttemptOutcome;

use crate::repeats::{arrives_once, with_gate};
use crate::stage::until;

/// Holds the database of a service as another program does that writes to it.
fn hold(service: &Running) -> rusqlite::Connection {
    let path = service.parts.config.data_dir.join("quoin.db");
    let db = rusqlite::Connection::open(path).unwrap();
    db.busy_timeout(Duration::from_secs(10)).unwrap();
    db.execute_batch("BEGIN IMMEDIATE").unwrap();
    db
}

#[tokio::test(flavor = "multi_thread")]
async fn what_arrived_while_the_store_was_held_is_recorded_and_not_sent_again() {
    let (play, gate) = with_gate(&[]).await;
    let id = play.send("HELD-1").await;
    let db = hold(&play.one);
    assert!(play.attempts(&id).await.is_empty(), "this machine was too slow to hold the store");
    until("it arrived", async || (gate.seen().len() == 1).then_some(())).await;

    // Its commit has waited as long as a statement does, and failed.
    let store = &play.one.parts.store;
    until("the commit fails", async || store.write_fault()).await;
    let caller = play.sender().await;
    assert_eq!(caller.get("/health/ready").await.status, 503);
    let other = quoin_formats::samples::invoice(SENDER, RECEIVER, "HELD-2");
    let answer = caller.send(SENDER, &uuid::Uuid::new_v4().to_string(), other).await;
    answer.is_problem(503, "API503", "the store of the service cannot be reached");
    assert_eq!(gate.seen().len(), 1);

    db.execute_batch("ROLLBACK").unwrap();
    assert_eq!(play.ending(&id).await.text("topic"), "InvoiceSent");
    let attempts = play.attempts(&id).await;
    assert_eq!(attempts.len(), 1);
    assert_eq!(attempts[0].outcome, AttemptOutcome::Delivered);
    arrives_once(&play).await;
    assert_eq!(gate.seen().len(), 1, "it was sent once");
    // All goes on.
    let next = play.send("HELD-3").await;
    assert_eq!(play.ending(&next).await.text("topic"), "InvoiceSent");
}
