//! A status that settles while its limit is looked at.

use std::collections::BTreeMap;

use quoin_delivery::mls::MlsCode;
use quoin_delivery::reporting::Month;
use quoin_delivery::service_level::Figures;
use quoin_delivery::{EventId, Family, Notice, TaskKind, Topic};
use quoin_store::{
    Arrival, Claim, LevelNotice, NewOutgoing, RecordOutcome, SideEffects, StatusGiven, StatusStep,
    Work,
};

use crate::statuses::{exchange, status};
use crate::world::*;

/// A look that came to nothing yet.
async fn look(world: &World, claim: Claim, now: i64) -> StatusStep {
    let Work::Status(document, _) = world.store.load(&claim).await.unwrap() else { panic!() };
    StatusStep {
        claim,
        document: *document,
        given: None,
        closes: false,
        raised: None,
        notices: Vec::new(),
        next: None,
        now: at(now),
    }
}

fn given() -> StatusGiven {
    let family = Family::MessageLevelStatus;
    StatusGiven {
        code: MlsCode::Accepted,
        description: "It was taken.".to_owned(),
        issues: Vec::new(),
        message: NewOutgoing { family, ..outgoing(2, "<ApplicationResponse/>") },
    }
}

/// It left between the look and its commit: it counts once, in time, and no breach is told.
#[tokio::test]
async fn a_status_that_left_meanwhile_is_not_told_as_overdue() {
    let world = world().await;
    let arrival = Arrival { exchange: None, status: Some(status(true, 1_000)) };
    let new = incoming(1, "<Invoice/>");
    let received = world.store.receive_with(new, arrival, Vec::new()).await.unwrap();
    assert!(matches!(received, RecordOutcome::Accepted(_)));
    let claim = world.claim_one(TaskKind::Arrive, 1).await;
    let done = completion(&claim, &world.load(&claim).await, &[valid()], 1);
    world.store.commit(done).await.unwrap();
    world.store.mark_downloaded(&acme(), &document(1), at(2)).await.unwrap();
    let claim = world.claim_one(TaskKind::Status, 2).await;
    let (given, next) = (Some(given()), Some(at(3)));
    let step = StatusStep { given, next, ..look(&world, claim, 2).await };
    world.store.finish_status(step).await.unwrap();

    let claim = world.claim_one(TaskKind::Status, 3).await;
    let late = look(&world, claim, 1_300).await;
    let claim = world.claim_one(TaskKind::Prepare, 4).await;
    let sent = completion(&claim, &world.load(&claim).await, &straight(), 5);
    let exchange = Some(exchange("a", at(5)));
    let beside = SideEffects { exchange, ..SideEffects::default() };
    world.store.commit_with(sent, beside).await.unwrap();
    let notice =
        Notice::new(Topic::SERVICE_LEVEL_BREACHED, "It has not left.".to_owned(), BTreeMap::new());
    let raised = Some(LevelNotice::Breach);
    let late = StatusStep { raised, notices: vec![notice], ..late };
    world.store.finish_status(late).await.unwrap();

    let levels = world.store.service_levels(Month::of(at(0)), None, at(1_300)).await.unwrap();
    let figures: Vec<Figures> = levels.into_iter().map(|level| level.figures).collect();
    assert_eq!(figures, [Figures { due: 1, in_time: 1, late: 0 }]);
    let events = world.store.events_since(&acme(), EventId(0), 100).await.unwrap();
    assert!(events.iter().all(|event| event.topic != Topic::SERVICE_LEVEL_BREACHED), "{events:?}");
}
