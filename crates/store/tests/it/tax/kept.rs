//! What a report is written from is kept as long as one is owed.

use jiff::SignedDuration;
use quoin_store::Keep;

use super::*;
use crate::world::keep_for;

/// Until when what is delivered at second 10 is kept here; what is delivered later is kept longer.
const OVER: i64 = 111;

async fn short() -> World {
    let world = world().await;
    let sent = Some(SignedDuration::from_secs(100));
    keep_for(&world.store, Keep { sent, ..Keep::default() }).await;
    world
}

/// An invoice whose report is sent, with the message of that.
async fn reported(world: &World) -> (TransactionId, TransactionId) {
    let invoice = delivered(world, 1).await.transaction.id;
    written(world, 11).await;
    let message = left(world, 12).await.transaction.id;
    (invoice, message)
}

async fn over(world: &World) -> usize {
    world.store.expire(at(OVER)).await.unwrap()
}

#[tokio::test]
async fn what_an_authority_has_not_taken_is_kept() {
    let world = short().await;
    let invoice = delivered(&world, 1).await.transaction.id;
    assert_eq!(over(&world).await, 0, "it is due");
    let (claim, report) = work(&world, 11).await;
    let reason = TaxReason { message: "BT-48".to_owned(), ..TaxReason::default() };
    let outcome = TaxOutcome::Unwritable(facts(), reason);
    world.store.finish_tax(step(claim, report.clone(), outcome, 11)).await.unwrap();
    assert_eq!(one(&world, &invoice).await.state, TaxState::Failed);
    assert_eq!(over(&world).await, 0, "it failed");
    let again = world.store.change_tax_report(&acme(), &report.id, TaxAct::Resubmit, at(12)).await;
    assert!(matches!(again.unwrap(), TaxChange::Made(_)));
    // The one before is looked at because another one takes its place.
    for claim in world.claim(TaskKind::Tax, 13, 5).await {
        let Work::Tax(report, _) = world.store.load(&claim).await.unwrap() else { panic!("one") };
        let outcome = match report.state {
            TaxState::Due => TaxOutcome::Written(facts(), message(&report)),
            _ => TaxOutcome::Nothing,
        };
        world.store.finish_tax(step(claim, *report, outcome, 13)).await.unwrap();
    }
    assert_eq!(one(&world, &invoice).await.state, TaxState::Sending);
    assert_eq!(over(&world).await, 0, "it is on its way");
    let sent = left(&world, 14).await.transaction.id;
    assert_eq!(over(&world).await, 0, "nobody answered");
    answered(&world, 20, &sent, MlsCode::Rejected).await;
    assert_eq!(one(&world, &invoice).await.state, TaxState::Rejected);
    assert_eq!(over(&world).await, 0, "it was rejected");
}

#[tokio::test]
async fn what_was_taken_is_taken_back_by_its_message_and_then_no_more() {
    for is_gone in [false, true] {
        let world = short().await;
        let (invoice, message) = reported(&world).await;
        answered(&world, 20, &message, MlsCode::Accepted).await;
        assert_eq!(over(&world).await, 1, "the authority has it");
        let gone = world.store.transaction(&invoice).await.unwrap().unwrap();
        assert!(gone.blob.is_none());
        if is_gone {
            assert_eq!(world.store.expire(at(OVER + 1)).await.unwrap(), 1, "its message");
        }
        let report = one(&world, &invoice).await;
        let (owner, store) = (acme(), &world.store);
        let back = store.change_tax_report(&owner, &report.id, TaxAct::Disregard, at(200)).await;
        match back.unwrap() {
            TaxChange::Made(made) => {
                assert!(!is_gone);
                let found = world.store.tax_message_before(&made).await.unwrap().unwrap();
                assert_eq!(found.transaction.id, message);
            }
            other => {
                assert!(is_gone, "{other:?}");
                assert_eq!(other, TaxChange::Gone);
                assert_eq!(one(&world, &invoice).await.id, report.id, "none is made");
            }
        }
    }
}
