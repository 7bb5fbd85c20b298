//! Documents that wait for a place at a destination.

use quoin_delivery::TaskKind;
use quoin_store::{Claim, Refusal, TaskState};

use super::{lane, next};
use crate::world::{World, at, completion, refusal, valid, world};

/// Documents for a full destination wait in its lane; only the first of them is handed out, and
/// they go in the order of their recording.
#[tokio::test]
async fn a_destination_without_room_is_waited_for_in_turn() {
    let world = world().await;
    for number in 1..=4 {
        world.upload(number).await;
    }
    let claims = world.claim(TaskKind::Prepare, 0, 9).await;
    let tasks: Vec<i64> = claims.iter().map(|claim| claim.task).collect();
    for claim in &claims[1..] {
        world.store.queue_up(claim.clone(), "host", at(2)).await.unwrap();
    }
    // It comes later, and is older than the others.
    world.store.queue_up(claims[0].clone(), "host", at(2)).await.unwrap();
    let stale = world.store.queue_up(claims[0].clone(), "host", at(2)).await;
    assert!(matches!(refusal(stale), Refusal::StaleClaim { .. }));
    let queue = world.store.queue(at(9)).await.unwrap();
    let count = |state| queue.iter().find(|one| one.state == state).map_or(0, |one| one.count);
    assert_eq!((count(TaskState::Due), count(TaskState::Waiting)), (1, 3));
    let mut order = Vec::new();
    for round in 0..4 {
        let found = world.claim(TaskKind::Prepare, 10, 9).await;
        let [claim] = &found[..] else { panic!("{found:?} in round {round}") };
        assert_eq!((claim.claims, claim.lane.as_deref()), (1, Some("to host")));
        // There is no room yet: whose turn it is keeps it.
        world.store.queue_up(claim.clone(), "host", at(10)).await.unwrap();
        let again = world.claim(TaskKind::Prepare, 10, 9).await;
        let [claim] = &again[..] else { panic!("{again:?} in round {round}") };
        order.push(claim.task);
        world.store.drop_task(claim.clone()).await.unwrap();
    }
    assert_eq!(order, [tasks[1], tasks[0], tasks[2], tasks[3]]);
}

/// The tasks of so many documents, which somebody has in hand.
async fn in_hand(world: &World, many: u32) -> Vec<Claim> {
    for number in 1..=many {
        world.upload(number).await;
    }
    world.claim(TaskKind::Prepare, 0, 9).await
}

async fn queue_up(world: &World, claim: &Claim, host: &str, again: i64) {
    world.store.queue_up(claim.clone(), host, at(again)).await.unwrap();
}

/// An answer that takes a minute and a half keeps its own document only.
#[tokio::test]
async fn who_got_a_place_lets_the_next_one_go() {
    let world = world().await;
    let claims = in_hand(&world, 3).await;
    for claim in &claims {
        queue_up(&world, claim, "host", 2).await;
    }
    let first = world.claim_one(TaskKind::Prepare, 2).await;
    world.store.extend(&first, at(90)).await.unwrap();
    let second = world.claim_one(TaskKind::Prepare, 2).await;
    assert_eq!(second.task, claims[1].task);
    // It found no place, and would be looked at in a while: the first one is done, so it is now.
    queue_up(&world, &second, "host", 60).await;
    assert!(world.claim(TaskKind::Prepare, 3, 9).await.is_empty());
    world.store.drop_task(first).await.unwrap();
    let again = world.claim_one(TaskKind::Prepare, 3).await;
    assert_eq!((again.task, again.claims), (claims[1].task, 1));
    // And so it is handed over where somebody has room.
    queue_up(&world, &again, "host", 60).await;
    let third = world.claim_one(TaskKind::Prepare, 60).await;
    assert_eq!(third.task, claims[1].task);
    let mut hands = lane(&world, 1).await;
    world.store.extend(&third, at(200)).await.unwrap();
    assert_eq!(next(&mut hands).await.task, claims[2].task);
}

/// Some were prepared before they found no place, others were not: whoever goes lets go whoever is
/// next, as what it is, and a worker that sleeps is told.
#[tokio::test]
async fn steps_of_different_kinds_wait_in_one_line() {
    let world = world().await;
    let claims = in_hand(&world, 2).await;
    let record = world.load(&claims[1]).await;
    world.store.commit(completion(&claims[1], &record, &[valid()], 0)).await.unwrap();
    let routed = world.claim_one(TaskKind::Route, 0).await;
    world.upload(3).await;
    let last = world.claim_one(TaskKind::Prepare, 0).await;
    for claim in [&claims[0], &routed, &last] {
        queue_up(&world, claim, "host", 2).await;
    }
    let first = world.claim_one(TaskKind::Prepare, 2).await;
    assert!(world.claim(TaskKind::Route, 3, 9).await.is_empty());
    assert_eq!(world.store.sleeps_until(&[TaskKind::Route]), None);
    world.store.extend(&first, at(90)).await.unwrap();
    assert!(world.store.sleeps_until(&[TaskKind::Route]).is_some_and(|due| due <= at(3)));
    let second = world.claim_one(TaskKind::Route, 3).await;
    assert_eq!(second.task, routed.task);
    // Where somebody has room it is handed over as what it is, too.
    let mut hands = lane(&world, 1).await;
    world.store.drop_task(second).await.unwrap();
    let third = next(&mut hands).await;
    assert_eq!((third.task, third.kind), (last.task, TaskKind::Prepare));
}

/// The receiver has moved to another access point, which is full as well.
#[tokio::test]
async fn who_goes_elsewhere_keeps_nobody_waiting() {
    let world = world().await;
    let claims = in_hand(&world, 2).await;
    for claim in &claims {
        queue_up(&world, claim, "host", 2).await;
    }
    let first = world.claim_one(TaskKind::Prepare, 2).await;
    queue_up(&world, &first, "other", 60).await;
    assert_eq!(world.claim_one(TaskKind::Prepare, 2).await.task, claims[1].task);
    assert_eq!(world.claim_one(TaskKind::Prepare, 60).await.lane.as_deref(), Some("to other"));
}

#[tokio::test]
async fn who_fails_on_our_side_keeps_nobody_waiting() {
    let world = world().await;
    let claims = in_hand(&world, 2).await;
    for claim in &claims {
        queue_up(&world, claim, "host", 2).await;
    }
    let first = world.claim_one(TaskKind::Prepare, 2).await;
    world.store.failed(first, at(20), "no disk".to_owned()).await.unwrap();
    assert_eq!(world.claim_one(TaskKind::Prepare, 2).await.task, claims[1].task);
    let again = world.claim_one(TaskKind::Prepare, 20).await;
    assert_eq!((again.task, again.lane), (claims[0].task, None));
}
