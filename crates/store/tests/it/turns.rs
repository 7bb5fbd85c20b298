//! Whose turn it is: tasks that are handed over in memory, tasks that wait for a destination, and
//! what a sender is told of that.

mod any_order;
mod destinations;

use quoin_delivery::{Direction, TaskKind};
use quoin_store::{
    Claim, Handover, Organisation, Outlook, Refusal, SIDE_BY_SIDE, Store, Submitted, Work,
};

use crate::world::{
    LEASE, World, acme, at, completion, document, options, outgoing, refusal, valid, world,
};

const OUT: [TaskKind; 3] = [TaskKind::Prepare, TaskKind::Route, TaskKind::Deliver];

/// A worker that has claimed all there is, and has room for so many.
async fn lane(world: &World, room: usize) -> Handover {
    assert!(world.store.claim(&OUT, at(0), LEASE, 32).await.unwrap().is_empty());
    let lane = world.store.take_over(&OUT, LEASE);
    lane.offer(room, at(0));
    lane
}

/// A worker that has no room, and says what time it is.
async fn lane_at(world: &World, now: i64) -> Handover {
    let lane = world.store.take_over(&OUT, LEASE);
    lane.offer(0, at(now));
    lane
}

async fn next(lane: &mut Handover) -> Claim {
    let patience = std::time::Duration::from_secs(30);
    tokio::time::timeout(patience, lane.next()).await.expect("one is handed over").unwrap()
}

#[tokio::test]
async fn a_task_is_handed_over_as_it_is_recorded() {
    let world = world().await;
    let mut lane = lane(&world, 2).await;
    let record = world.upload(1).await;
    let claim = next(&mut lane).await;
    assert_eq!((claim.subject.as_str(), claim.claims), (record.transaction.id.as_str(), 1));
    assert!(world.claim(TaskKind::Prepare, 1, 9).await.is_empty(), "nobody else gets it");
    // What follows at once comes the same way, in the place that is left.
    world.store.commit(completion(&claim, &record, &[valid()], 0)).await.unwrap();
    assert_eq!(next(&mut lane).await.kind, TaskKind::Route);
    world.upload(2).await;
    assert_eq!(lane.take(), None, "there is no more room");
    let left = world.claim_one(TaskKind::Prepare, 1).await;
    assert_eq!(left.claims, 1);
}

/// Who begins with a claim that was handed over has what it is about without a question, once.
#[tokio::test]
async fn what_a_claim_is_about_comes_with_it() {
    let world = world().await;
    world.store.read_ahead();
    let mut lane = lane(&world, 2).await;
    let record = world.upload(1).await;
    let claim = next(&mut lane).await;
    let asked = async |claim: &Claim| {
        let before = world.store.work_done();
        let Work::Transaction(found) = world.store.load(claim).await.unwrap() else { panic!() };
        (*found, world.store.work_done().since(&before).statements)
    };
    assert_eq!(asked(&claim).await, (record.clone(), 0));
    assert_eq!(asked(&claim).await, (record.clone(), 1), "it may have changed since");
    // Of the step that follows it is what the step before left.
    world.store.commit(completion(&claim, &record, &[valid()], 0)).await.unwrap();
    let (found, statements) = asked(&next(&mut lane).await).await;
    assert_eq!((found.transaction.version, statements), (record.transaction.version + 1, 0));
}

#[tokio::test]
async fn what_was_due_before_comes_first() {
    let world = world().await;
    let mut lane = lane(&world, 0).await;
    world.upload(1).await;
    lane.offer(5, at(0));
    world.upload(2).await;
    assert_eq!(lane.take(), None, "it would overtake the one before it");
    assert_eq!(lane.withdraw(9), 5);
    assert_eq!(lane.withdraw(9), 0);
    assert_eq!(world.claim(TaskKind::Prepare, 0, 9).await.len(), 2);
    lane.offer(1, at(0));
    world.upload(3).await;
    next(&mut lane).await;
}

/// A crash between the commit and the step: it is a lease that ends with the process.
#[tokio::test]
async fn what_was_handed_over_and_lost_is_due_again() {
    let world = world().await;
    let mut lane = lane(&world, 1).await;
    let record = world.upload(1).await;
    next(&mut lane).await;
    let World { store, folder } = world;
    store.close().await;
    drop((store, lane));
    let store = Store::open(options(&folder)).await.unwrap();
    let world = World { store, folder };
    assert!(world.claim(TaskKind::Prepare, 1, 1).await.is_empty(), "its lease goes on");
    assert_eq!(world.store.end_leases().await.unwrap(), 1);
    let claim = world.claim_one(TaskKind::Prepare, 1).await;
    assert_eq!((claim.subject.as_str(), claim.claims), (record.transaction.id.as_str(), 2));
}

#[tokio::test]
async fn what_is_not_recorded_is_not_handed_over() {
    let world = world().await;
    let mut lane = lane(&world, 1).await;
    let record = world.upload(1).await;
    let claim = next(&mut lane).await;
    lane.offer(1, at(0));
    let mut moved = completion(&claim, &record, &[valid()], 0);
    moved.transaction.version += 1;
    let refused = refusal(world.store.commit(moved).await);
    assert!(matches!(refused, Refusal::VersionMoved { .. }), "{refused:?}");
    assert_eq!(lane.take(), None);
    assert_eq!(lane.withdraw(9), 1, "its place is free again");
}

/// A document of another organisation; answers its transaction.
async fn upload_of_another(world: &World, when: i64) -> String {
    upload_for(world, "other", 900, when).await
}

/// A document of an organisation; answers its transaction.
async fn upload_for(world: &World, organisation: &str, number: u32, when: i64) -> String {
    let mut other = outgoing(number, "<Invoice/>");
    (other.organisation, other.now) = (organisation.parse().unwrap(), at(when));
    let organisation = Organisation {
        id: other.organisation.clone(),
        name: organisation.to_owned(),
        created_on: at(0),
    };
    world.store.put_organisation(organisation).await.unwrap();
    let submitted = world.store.submit(other).await.unwrap();
    let Submitted::Accepted { transaction: id, .. } = submitted else { panic!("{submitted:?}") };
    id.to_string()
}

/// Somebody uploads two hundred documents, somebody else one: it waits for a part of them at most.
#[tokio::test]
async fn the_backlog_of_one_is_no_others() {
    let world = world().await;
    let many = usize::try_from(SIDE_BY_SIDE).unwrap();
    for number in 1..=200 {
        world.upload(number).await;
    }
    let other = upload_of_another(&world, 0).await;
    let first = world.store.claim(&OUT, at(0), LEASE, 300).await.unwrap();
    assert_eq!(first.len(), many + 1);
    assert_eq!(first.last().map(|claim| claim.subject.clone()), Some(other));
    // Each that is sent, that ends, that fails on our side or that comes again later lets one go.
    let store = &world.store;
    store.extend(&first[0], at(50)).await.unwrap();
    store.drop_task(first[1].clone()).await.unwrap();
    store.put_back(first[2].clone(), at(40)).await.unwrap();
    store.failed(first[3].clone(), at(40), "no disk".to_owned()).await.unwrap();
    store.queue_up(first[4].clone(), "host", at(40)).await.unwrap();
    let second = store.claim(&OUT, at(1), LEASE, 300).await.unwrap();
    assert_eq!(second.len(), 5);
    assert!(second.iter().all(|claim| claim.lane == first[0].lane));
    // Who goes on waiting for an answer, and what was sent, have let their follower go already.
    store.extend(&first[0], at(60)).await.unwrap();
    store.drop_task(first[0].clone()).await.unwrap();
    assert!(store.claim(&OUT, at(1), LEASE, 300).await.unwrap().is_empty());
    let alone = store.claim(&OUT, at(40), LEASE, 300).await.unwrap();
    let lanes: Vec<Option<&str>> = alone.iter().map(|claim| claim.lane.as_deref()).collect();
    assert_eq!(lanes, [Some("to host"), None, None]);
}

/// Who is let go comes behind what is due by then, where the places are taken by backlogs.
#[tokio::test]
async fn who_is_let_go_comes_behind_what_is_due() {
    let world = world().await;
    for number in 1..=100 {
        world.upload(number).await;
    }
    let first = world.store.claim(&OUT, at(0), LEASE, 300).await.unwrap();
    let _lane = lane_at(&world, 5).await;
    let other = upload_of_another(&world, 3).await;
    world.store.drop_task(first[0].clone()).await.unwrap();
    let next = world.store.claim(&OUT, at(6), LEASE, 1).await.unwrap();
    assert_eq!(next[0].subject, other);
    assert_eq!(world.store.claim(&OUT, at(6), LEASE, 9).await.unwrap().len(), 1);
}

#[tokio::test]
async fn who_waits_is_told_how_many_come_before() {
    let world = world().await;
    let mut ids = Vec::new();
    for number in 1..=3u32 {
        let mut new = outgoing(number, "<Invoice/>");
        new.now = at(i64::from(number));
        world.store.submit(new).await.unwrap();
        let found =
            world.store.transaction_of(&acme(), Direction::Outgoing, &document(number)).await;
        ids.push(found.unwrap().unwrap().transaction.id);
    }
    let outlook = async |number: usize| world.store.outlook(&ids[number], at(10)).await.unwrap();
    assert_eq!(outlook(2).await, Some(Outlook { ahead: 2, expected_on: None }));
    // One is taken, so that there is a pace.
    let claim = world.claim_one(TaskKind::Prepare, 10).await;
    assert_eq!(outlook(0).await, None, "it is in hand");
    let last = outlook(2).await.unwrap();
    assert_eq!(last.ahead, 1);
    assert!(last.expected_on.is_some_and(|on| on > at(10)), "{last:?}");
    world.store.reschedule(claim, at(300)).await.unwrap();
    assert_eq!(outlook(0).await, Some(Outlook { ahead: 0, expected_on: Some(at(300)) }));
}

/// Takes what is due, so many at a time, and ends it; answers whose it was, in order.
async fn work_off(world: &World, most: usize) -> Vec<String> {
    let mut whose = Vec::new();
    for now in 1.. {
        let _lane = lane_at(world, now).await;
        let found = world.store.claim(&OUT, at(now), LEASE, most).await.unwrap();
        if found.is_empty() {
            break;
        }
        for claim in found {
            let lane = claim.lane.clone().unwrap_or_default();
            whose.push(lane.trim_start_matches("of ").to_owned());
            world.store.drop_task(claim).await.unwrap();
        }
    }
    whose
}

fn count(whose: &[String], of: &str) -> usize {
    whose.iter().filter(|one| *one == of).count()
}

/// Two have a backlog of the same length, and one of them weighs three times as much: it has three
/// steps while the other has one. Nothing is left, and who is alone has all the places.
#[tokio::test]
async fn backlogs_are_worked_off_by_weight() {
    let world = world().await;
    world.store.weigh([("heavy".parse().unwrap(), 3)].into());
    for number in 0..300 {
        upload_for(&world, "light", number, 0).await;
        upload_for(&world, "heavy", 1_000 + number, 0).await;
    }
    let whose = work_off(&world, 8).await;
    assert_eq!((count(&whose, "light"), count(&whose, "heavy")), (300, 300));
    // Both begin with what they found room for; from then on it goes by weight.
    let part = &whose[200..300];
    let (light, heavy) = (count(part, "light"), count(part, "heavy"));
    assert!((20..=30).contains(&light), "{light} and {heavy} of a hundred");
    // Each place that the one leaves is taken by the other.
    let end = whose.iter().rposition(|one| one == "heavy").unwrap();
    assert!(count(&whose[..end], "light") < 200, "the heavier one was done first");
    assert!(whose[end + 1..].iter().all(|one| one == "light"));
}

/// A hundred with a backlog beside one that weighs as much as all of them: each has its steps.
#[tokio::test]
async fn nobody_starves_beside_a_heavy_one() {
    let world = world().await;
    world.store.weigh([("heavy".parse().unwrap(), 100)].into());
    for number in 0..200 {
        upload_for(&world, "heavy", 10_000 + number, 0).await;
    }
    for number in 0..60 {
        upload_for(&world, &format!("small{}", number % 20), number, 0).await;
    }
    let whose = work_off(&world, 16).await;
    assert_eq!(whose.len(), 260);
    let last = whose.iter().rposition(|one| one == "heavy").unwrap();
    for small in 0..20 {
        let small = format!("small{small}");
        assert!(count(&whose[..last], &small) > 0, "{small} waited for all of the heavy one");
    }
}

/// Who is alone after all has the places of the others, too.
#[tokio::test]
async fn who_is_alone_again_has_all_places() {
    let world = world().await;
    for number in 0..150 {
        upload_for(&world, "one", number, 0).await;
    }
    for number in 0..150 {
        upload_for(&world, "two", 1_000 + number, 0).await;
    }
    let places = usize::try_from(SIDE_BY_SIDE).unwrap();
    let first = world.store.claim(&OUT, at(0), LEASE, 300).await.unwrap();
    let of = |claims: &[Claim], lane: &str| {
        claims.iter().filter(|claim| claim.lane.as_deref() == Some(lane)).count()
    };
    assert_eq!((of(&first, "of one"), of(&first, "of two")), (places, places / 2));
    // All of two is done, step by step; one keeps what it has in hand.
    for round in 1.. {
        let mut mine = world.store.claim(&OUT, at(round), LEASE, 300).await.unwrap();
        mine.extend(first.iter().filter(|_| round == 1).cloned());
        mine.retain(|claim| claim.lane.as_deref() == Some("of two"));
        if mine.is_empty() {
            break;
        }
        for claim in mine {
            world.store.drop_task(claim).await.unwrap();
        }
    }
    // Each of one that is done now lets one go.
    for claim in first.iter().filter(|claim| claim.lane.as_deref() == Some("of one")).take(10) {
        world.store.drop_task(claim.clone()).await.unwrap();
    }
    let next = world.store.claim(&OUT, at(20), LEASE, 300).await.unwrap();
    assert_eq!(of(&next, "of one"), 10);
}

/// Steps of the engine for the end of each of some documents while so many more wait.
async fn steps_beside(waiting: u32) -> u64 {
    const DONE: u64 = 20;
    let world = world().await;
    for number in 1..=u32::try_from(SIDE_BY_SIDE).unwrap() + waiting {
        world.upload(number).await;
    }
    let taken = world.store.claim(&OUT, at(0), LEASE, 300).await.unwrap();
    assert_eq!(taken.len(), usize::try_from(SIDE_BY_SIDE).unwrap());
    let before = world.store.work_done();
    for claim in taken.into_iter().take(usize::try_from(DONE).unwrap()) {
        world.store.drop_task(claim).await.unwrap();
    }
    assert_eq!(world.claim(TaskKind::Prepare, 0, 300).await.len(), 20, "each let one go");
    world.store.work_done().since(&before).steps / DONE
}

/// Who is let go is found without looking at all that wait.
#[tokio::test]
async fn one_is_let_go_at_the_same_cost_however_many_wait() {
    let (few, many) = (steps_beside(40).await, steps_beside(2_000).await);
    assert!(many <= few + few / 10, "{many} steps with 2,000 that wait, {few} with 40");
}
