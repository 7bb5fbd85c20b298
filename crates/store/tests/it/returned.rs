//! Mail that came back: found by the id of the mail, and told once for each recipient and word.

use bytes::Bytes;
use quoin_delivery::{
    Event, EventId, MailFate, MailWord, RetryPolicy, Status, TaskKind, Topic, Transaction, decide,
};
use quoin_store::{MailReturned, TransactionRecord};
use uuid::Uuid;

use crate::world::{World, acme, at, attempt, completion, outgoing, straight, world};

/// Sends a document under a message id.
async fn sent(world: &World, number: u32, id: Uuid) -> TransactionRecord {
    let new = quoin_store::NewOutgoing {
        message_id: format!("{id}@example.org"),
        ..outgoing(number, "<Invoice/>")
    };
    world.store.submit(new).await.unwrap();
    let claim = world.claim_one(TaskKind::Prepare, i64::from(number)).await;
    let record = world.load(&claim).await;
    let mut done = completion(&claim, &record, &straight(), i64::from(number));
    done.attempt = Some(attempt("<receipt/>"));
    world.store.commit(done).await.unwrap();
    world.store.transaction(&record.transaction.id).await.unwrap().unwrap()
}

fn returned(transaction: &Transaction, recipient: &str, late: bool, report: &str) -> MailReturned {
    let word = MailWord {
        recipient: recipient.to_owned(),
        fate: if late { MailFate::Late } else { MailFate::CameBack },
        status: "5.1.1".to_owned(),
        said: String::new(),
    };
    let policy = RetryPolicy::default();
    MailReturned {
        transaction: transaction.clone(),
        recipient: recipient.to_owned(),
        word: if late { "delayed" } else { "failed" },
        report: Bytes::from(report.to_owned()),
        decision: decide(transaction, &Event::Returned(word), &policy, at(50)),
        now: at(50),
    }
}

#[tokio::test]
async fn the_same_is_told_once_and_the_status_stays() {
    let world = world().await;
    let (own, other) = (Uuid::from_u128(7), Uuid::from_u128(8));
    let record = sent(&world, 1, own).await;
    assert_eq!(record.transaction.status, Status::Delivered);
    sent(&world, 2, other).await;
    let found = world.store.sent_as(own).await.unwrap().unwrap();
    assert_eq!(found.transaction.id, record.transaction.id);
    assert!(world.store.sent_as(Uuid::from_u128(9)).await.unwrap().is_none());
    let tx = &found.transaction;
    // Longer than what lies in the database, so that its file is a matter, too.
    let long = "x".repeat(100_000);
    for (recipient, late, report, expected) in [
        ("a@example.org", true, "late", true),
        ("a@example.org", false, long.as_str(), true),
        ("a@example.org", false, long.as_str(), false),
        ("a@example.org", false, "another report", false),
        ("b@example.org", false, long.as_str(), true),
    ] {
        let is_new = world.store.mail_returned(returned(tx, recipient, late, report)).await;
        assert_eq!(is_new.unwrap(), expected, "{recipient} {late}");
    }
    let after = world.store.transaction(&tx.id).await.unwrap().unwrap();
    assert_eq!((after.transaction.status, after.transaction.version), (tx.status, tx.version));
    let lines = world.store.timeline_of(&tx.id).await.unwrap();
    let names: Vec<&str> = lines.iter().rev().take(3).map(|line| line.name.as_str()).collect();
    assert_eq!(names, ["Bounced", "Bounced", "Delayed"]);
    let events = world.store.events_since(&acme(), EventId(0), 100).await.unwrap();
    let errors = events.iter().filter(|event| event.topic == Topic::INVOICE_SENT_ERROR);
    assert_eq!(errors.count(), 2);
    let reports = world.store.mail_reports_of(&tx.id).await.unwrap();
    assert_eq!(reports.len(), 2, "each report once");
    for blob in reports {
        assert!(world.store.blob(&acme(), blob).await.unwrap().is_some());
    }
}
