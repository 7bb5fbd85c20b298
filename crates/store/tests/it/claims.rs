//! Claims: a task is one worker's for as long as its lease lasts, and never lost.

use std::collections::BTreeSet;

use jiff::{SignedDuration, Timestamp};
use proptest::prelude::*;
use quoin_delivery::TaskKind;
use quoin_store::{Refusal, TaskState};

use crate::world::*;

#[tokio::test]
async fn a_lease_holds_until_it_ends_and_then_the_old_claim_is_stale() {
    let world = world().await;
    let record = world.upload(1).await;
    let first = world.claim_one(TaskKind::Prepare, 0).await;
    assert_eq!((first.claims, first.lease_until), (1, at(60)));
    assert!(world.claim(TaskKind::Prepare, 59, 10).await.is_empty());
    let second = world.claim_one(TaskKind::Prepare, 60).await;
    assert_eq!((second.task, second.claims), (first.task, 2));
    let late = world.store.commit(completion(&first, &record, &[valid()], 61)).await;
    assert_eq!(refusal(late), Refusal::StaleClaim { task: first.task });
    world.store.commit(completion(&second, &record, &[valid()], 62)).await.unwrap();
    let twice = world.store.commit(completion(&second, &record, &[valid()], 63)).await;
    assert_eq!(refusal(twice), Refusal::StaleClaim { task: first.task });
    let timeline = world.store.timeline_of(&record.transaction.id).await.unwrap();
    assert_eq!(timeline.len(), 2, "the late commit left nothing");
}

#[tokio::test]
async fn what_is_in_hand_is_claimed_by_nobody_however_far_the_clock_jumps() {
    let world = world().await;
    let record = world.upload(1).await;
    let first = world.claim_one(TaskKind::Prepare, 0).await;
    let hand = world.store.in_hand(&first);
    for jumped in [900, 1_000, 90_000] {
        assert!(world.claim(TaskKind::Prepare, jumped, 10).await.is_empty(), "{jumped}");
    }
    world.store.commit(completion(&first, &record, &[valid()], 90_001)).await.unwrap();
    drop(hand);
    // One that is left without an end is due when its last lease is over.
    let next = world.claim_one(TaskKind::Route, 90_001).await;
    let hand = world.store.in_hand(&next);
    assert!(world.claim(TaskKind::Route, 95_000, 10).await.is_empty());
    drop(hand);
    assert!(world.claim(TaskKind::Route, 95_059, 10).await.is_empty());
    assert_eq!(world.claim_one(TaskKind::Route, 95_060).await.task, next.task);
}

#[tokio::test]
async fn a_task_that_was_given_back_is_claimed_while_its_last_step_ends() {
    let world = world().await;
    world.upload(1).await;
    let first = world.claim_one(TaskKind::Prepare, 0).await;
    let old = world.store.in_hand(&first);
    world.store.reschedule(first.clone(), at(10)).await.unwrap();
    let second = world.claim_one(TaskKind::Prepare, 100).await;
    let new = world.store.in_hand(&second);
    // The end of the first is not that of the second.
    drop(old);
    assert!(world.claim(TaskKind::Prepare, 900, 1).await.is_empty());
    drop(new);
    assert_eq!(world.claim_one(TaskKind::Prepare, 960).await.task, first.task);
}

#[tokio::test]
async fn what_a_clock_planned_that_was_ahead_comes_earlier_by_as_much() {
    let world = world().await;
    for (number, planned) in [(1, 5_000), (2, 7_300), (3, 12_000)] {
        world.upload(number).await;
        let claim = world.claim_one(TaskKind::Prepare, 0).await;
        world.store.reschedule(claim, at(planned)).await.unwrap();
    }
    world.upload(4).await;
    let in_hand = world.claim_one(TaskKind::Prepare, 7_250).await;
    // At 0 the clock showed 7,200, and at 60 it is back.
    let ahead = (at(7_200), SignedDuration::from_secs(7_200));
    assert_eq!(world.store.plan_back(ahead, LEASE, at(60)).await.unwrap(), 3);
    for (due, claimed) in [(99, 0), (100, 1), (119, 0), (120, 1), (4_799, 0), (4_800, 1)] {
        let found = world.claim(TaskKind::Prepare, due, 9).await;
        assert_eq!(found.len(), claimed, "{due}");
        if let Some(claim) = found.into_iter().next() {
            assert_eq!(claim.task == in_hand.task, due == 120, "its lease ended");
            world.store.drop_task(claim).await.unwrap();
        }
    }
    assert_eq!(world.claim(TaskKind::Prepare, 5_000, 9).await.len(), 1, "planned before");
}

#[tokio::test]
async fn an_ended_lease_that_nobody_took_is_still_good() {
    let world = world().await;
    let record = world.upload(1).await;
    let claim = world.claim_one(TaskKind::Prepare, 0).await;
    world.store.commit(completion(&claim, &record, &[valid()], 999)).await.unwrap();
}

#[tokio::test]
async fn a_task_can_be_given_back_and_kept_for_longer() {
    let world = world().await;
    world.upload(1).await;
    let claim = world.claim_one(TaskKind::Prepare, 0).await;
    world.store.extend(&claim, at(500)).await.unwrap();
    assert!(world.claim(TaskKind::Prepare, 499, 1).await.is_empty());
    world.store.reschedule(claim.clone(), at(700)).await.unwrap();
    assert!(world.claim(TaskKind::Prepare, 699, 1).await.is_empty());
    assert_eq!(world.store.next_due(TaskKind::ALL).await.unwrap(), Some(at(700)));
    assert!(matches!(
        refusal(world.store.reschedule(claim.clone(), at(1)).await),
        Refusal::StaleClaim { .. }
    ));
    assert!(matches!(refusal(world.store.extend(&claim, at(1)).await), Refusal::StaleClaim { .. }));
    assert_eq!(world.claim_one(TaskKind::Prepare, 700).await.run_at, at(700));
}

#[tokio::test]
async fn a_task_that_is_put_back_was_not_handed_out() {
    let world = world().await;
    world.upload(1).await;
    let claim = world.claim_one(TaskKind::Prepare, 0).await;
    world.store.put_back(claim.clone(), at(700)).await.unwrap();
    assert!(matches!(
        refusal(world.store.put_back(claim, at(1)).await),
        Refusal::StaleClaim { .. }
    ));
    assert_eq!(world.claim_one(TaskKind::Prepare, 700).await.claims, 1);
}

#[tokio::test]
async fn what_follows_a_step_that_was_lost_once_knows_that() {
    let world = world().await;
    let record = world.upload(1).await;
    world.claim_one(TaskKind::Prepare, 0).await;
    world.store.end_leases().await.unwrap();
    let again = world.claim_one(TaskKind::Prepare, 1).await;
    world.store.commit(completion(&again, &record, &[valid()], 2)).await.unwrap();
    let next = world.claim_one(TaskKind::Route, 2).await;
    assert_eq!(next.claims, 2, "the document may have left with the first one");
    let record = world.upload(2).await;
    let only = world.claim_one(TaskKind::Prepare, 3).await;
    world.store.commit(completion(&only, &record, &[valid()], 4)).await.unwrap();
    assert_eq!(world.claim_one(TaskKind::Route, 4).await.claims, 1);
}

#[tokio::test]
async fn a_fresh_process_ends_the_leases_of_the_one_before() {
    let world = world().await;
    world.upload(1).await;
    world.upload(2).await;
    let old = world.claim_one(TaskKind::Prepare, 0).await;
    assert_eq!(world.store.end_leases().await.unwrap(), 1);
    assert!(matches!(refusal(world.store.drop_task(old).await), Refusal::StaleClaim { .. }));
    let again = world.claim(TaskKind::Prepare, 1, 10).await;
    assert_eq!(again.len(), 2);
    for claim in again {
        world.store.drop_task(claim).await.unwrap();
    }
    assert!(world.claim(TaskKind::Prepare, 9_999, 10).await.is_empty());
}

#[tokio::test]
async fn work_available_wakes_a_worker_that_asked_before() {
    let world = world().await;
    let wake = world.store.work_available(&[TaskKind::Prepare]);
    assert!(world.claim(TaskKind::Prepare, 0, 1).await.is_empty());
    assert_eq!(world.store.next_due(TaskKind::ALL).await.unwrap(), None);
    world.upload(1).await;
    tokio::time::timeout(std::time::Duration::from_secs(5), wake).await.unwrap();
    assert_eq!(world.store.next_due(TaskKind::ALL).await.unwrap(), Some(at(0)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn many_workers_never_hold_the_same_task() {
    let world = world().await;
    for number in 0..200 {
        world.upload(number).await;
    }
    let workers: Vec<_> = (0..8)
        .map(|_| {
            let store = world.store.clone();
            tokio::spawn(async move {
                let mut mine = Vec::new();
                loop {
                    let kinds = [TaskKind::Deliver, TaskKind::Prepare];
                    let claims = store.claim(&kinds, at(0), LEASE, 7).await.unwrap();
                    if claims.is_empty() {
                        return mine;
                    }
                    for claim in claims {
                        mine.push(claim.task);
                        store.drop_task(claim).await.unwrap();
                    }
                }
            })
        })
        .collect();
    let mut all = Vec::new();
    for worker in workers {
        all.extend(worker.await.unwrap());
    }
    let distinct: BTreeSet<i64> = all.iter().copied().collect();
    assert_eq!((all.len(), distinct.len()), (200, 200));
}

#[derive(Debug, Clone)]
enum Move {
    Upload,
    Claim { max: usize },
    Wait { seconds: i64 },
    Finish { which: usize },
    GiveBack { which: usize, seconds: i64 },
}

fn moves() -> impl Strategy<Value = Vec<Move>> {
    let one = prop_oneof![
        2 => Just(Move::Upload),
        3 => (1..4usize).prop_map(|max| Move::Claim { max }),
        2 => (1..90i64).prop_map(|seconds| Move::Wait { seconds }),
        2 => (0..8usize).prop_map(|which| Move::Finish { which }),
        1 => (0..8usize, 0..90i64)
            .prop_map(|(which, seconds)| Move::GiveBack { which, seconds }),
    ];
    prop::collection::vec(one, 1..60)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    /// Against a model: a task is handed out only when it is due and nobody's lease on it lasts;
    /// whoever lost it cannot finish it; in the end every task is finished exactly once.
    #[test]
    fn claims_agree_with_the_model(moves in moves()) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(play(moves))?;
    }
}

/// What the model knows of a task: from when on it may be handed out, and the latest token.
struct Known {
    task: i64,
    from: i64,
    token: String,
}

async fn play(moves: Vec<Move>) -> Result<(), TestCaseError> {
    let world = world().await;
    let (mut clock, mut uploads, mut finished) = (0, 0, 0);
    let mut held: Vec<quoin_store::Claim> = Vec::new();
    let mut known: Vec<Known> = Vec::new();
    for step in moves {
        match step {
            Move::Upload => {
                uploads += 1;
                world.upload(uploads).await;
            }
            Move::Wait { seconds } => clock += seconds,
            Move::Claim { max } => {
                for claim in world.claim(TaskKind::Prepare, clock, max).await {
                    if let Some(known) = known.iter_mut().find(|k| k.task == claim.task) {
                        prop_assert!(known.from <= clock, "handed out twice within a lease");
                        (known.from, known.token) = (clock + 60, claim.token.clone());
                    } else {
                        let (task, token) = (claim.task, claim.token.clone());
                        known.push(Known { task, from: clock + 60, token });
                    }
                    held.push(claim);
                }
            }
            Move::Finish { which } if which < held.len() => {
                let claim = held.swap_remove(which);
                let record = world.load(&claim).await;
                let done = world.store.commit(completion(&claim, &record, &[valid()], clock)).await;
                let place =
                    known.iter().position(|k| k.token == claim.token && k.task == claim.task);
                prop_assert_eq!(done.is_ok(), place.is_some());
                if let Some(place) = place {
                    known.swap_remove(place);
                    finished += 1;
                }
            }
            Move::GiveBack { which, seconds } if which < held.len() => {
                let claim = held.swap_remove(which);
                let back = world.store.reschedule(claim.clone(), at(clock + seconds)).await;
                let found =
                    known.iter_mut().find(|k| k.token == claim.token && k.task == claim.task);
                prop_assert_eq!(back.is_ok(), found.is_some());
                if let Some(found) = found {
                    (found.from, found.token) = (clock + seconds, String::new());
                }
            }
            Move::Finish { .. } | Move::GiveBack { .. } => {}
        }
    }
    let late = clock + SignedDuration::from_hours(1).as_secs();
    let left = world.claim(TaskKind::Prepare, late, 500).await.len();
    prop_assert_eq!(left + finished, usize::try_from(uploads).unwrap(), "every task is somewhere");
    Ok(())
}

#[tokio::test]
async fn the_queue_is_counted_by_kind_and_state() {
    let world = world().await;
    for number in 1..=4 {
        world.upload(number).await;
    }
    assert_eq!(queue(&world, 0).await, [(TaskState::Due, 4, Some(at(0)))]);
    let given_back = world.claim_one(TaskKind::Prepare, 0).await;
    world.store.reschedule(given_back, at(700)).await.unwrap();
    world.claim_one(TaskKind::Prepare, 0).await;
    let states = [
        (TaskState::Claimed, 1, Some(at(60))),
        (TaskState::Due, 2, Some(at(0))),
        (TaskState::Later, 1, Some(at(700))),
    ];
    assert_eq!(queue(&world, 1).await, states);
    // An ended lease is due again.
    let states = [(TaskState::Due, 3, Some(at(0))), (TaskState::Later, 1, Some(at(700)))];
    assert_eq!(queue(&world, 60).await, states);
}

async fn queue(world: &World, now: i64) -> Vec<(TaskState, u64, Option<Timestamp>)> {
    let queue = world.store.queue(at(now)).await.unwrap();
    assert!(queue.iter().all(|one| one.kind == TaskKind::Prepare), "{queue:?}");
    queue.into_iter().map(|one| (one.state, one.count, one.oldest)).collect()
}
