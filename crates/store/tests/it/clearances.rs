//! Documents at an authority: what a step of their batch may change of those that are on their way,
//! and what follows where one is refused.

use std::collections::BTreeSet;

use bytes::Bytes;
use jiff::SignedDuration;
use quoin_delivery::{Decision, Event, RetryPolicy, Status, TaskKind, decide};
use quoin_store::{
    Claim, ClearanceAgain, ClearanceBatch, ClearanceRecord, ClearanceResult, ClearanceState,
    ClearanceStep, Keep, NewClearance, Refusal, SideEffects, TransactionRecord, Work,
};

use crate::world::{World, acme, at, completion, keep_for, refusal, straight, valid, world};

fn new_clearance() -> NewClearance {
    NewClearance {
        hook: "ksef".parse().unwrap(),
        form: Bytes::from_static(b"<Faktura/>"),
        number: "F/1".to_owned(),
        seller: "5265877635".to_owned(),
        issued: "2026-05-28".parse().unwrap(),
        sets_off: at(5),
    }
}

/// A document that is at its authority, and the batch that it is in.
async fn cleared(world: &World) -> (TransactionRecord, Claim, ClearanceBatch) {
    let record = world.upload(1).await;
    let claim = world.claim_one(TaskKind::Prepare, 1).await;
    let done = completion(&claim, &world.load(&claim).await, &[valid()], 1);
    let beside = SideEffects { clearance: Some(new_clearance()), ..SideEffects::default() };
    world.store.commit_with(done, beside).await.unwrap();
    let claim = world.claim_one(TaskKind::Clear, 5).await;
    let Work::Clearance(batch) = world.store.load(&claim).await.unwrap() else {
        panic!("{claim:?}")
    };
    let record = world.store.transaction(&record.transaction.id).await.unwrap().unwrap();
    (record, claim, *batch)
}

/// A document that is to go to its authority with others; answers its clearance.
async fn joined(world: &World, number: u32, now: i64) -> ClearanceRecord {
    let record = world.upload(number).await;
    let claim = world.claim_one(TaskKind::Prepare, now).await;
    let done = completion(&claim, &world.load(&claim).await, &[valid()], now);
    let beside = SideEffects { clearance: Some(new_clearance()), ..SideEffects::default() };
    world.store.commit_with(done, beside).await.unwrap();
    world.store.clearance_of(&record.transaction.id).await.unwrap().unwrap()
}

/// A document that comes while the task of its batch is in hand goes along as long as the batch is
/// open, and gets another batch after that: a batch has one task.
#[tokio::test]
async fn an_open_batch_that_is_in_hand_takes_what_comes_along() {
    let world = world().await;
    let first = joined(&world, 1, 1).await;
    let claim = world.claim_one(TaskKind::Clear, 5).await;
    assert_eq!(claim.subject, first.batch);
    let second = joined(&world, 2, 5).await;
    assert_eq!(second.batch, first.batch, "it is not closed yet");
    assert!(world.claim(TaskKind::Clear, 6, 10).await.is_empty(), "one task");
    let batch = world.store.close_clearance(&first.batch).await.unwrap().unwrap();
    let taken: BTreeSet<_> = batch.documents.iter().map(|one| &one.transaction).collect();
    assert_eq!(taken, BTreeSet::from([&first.transaction, &second.transaction]));

    let third = joined(&world, 3, 6).await;
    assert_ne!(third.batch, first.batch);
    let later = world.claim_one(TaskKind::Clear, 6).await;
    assert_eq!(later.subject, third.batch, "what comes after that is taken, too");
    world.store.advance_clearance(claim, &batch, ClearanceStep::default(), at(7)).await.unwrap();
    assert_eq!(joined(&world, 4, 7).await.batch, third.batch, "that one is open");
}

/// A step counts for the batch as it was loaded: who took it a second time took it for nothing.
#[tokio::test]
async fn a_step_is_committed_at_the_step_it_was_loaded_at() {
    let world = world().await;
    let (_, claim, batch) = cleared(&world).await;
    let next = |word: &str, polls| ClearanceStep {
        next: Some((word.to_owned(), at(7))),
        polls,
        ..ClearanceStep::default()
    };
    for (word, polls) in [("status", 0), ("status", 1)] {
        let claim = match polls {
            0 => claim.clone(),
            _ => world.claim_one(TaskKind::Clear, 8).await,
        };
        let Work::Clearance(now) = world.store.load(&claim).await.unwrap() else { panic!() };
        world.store.advance_clearance(claim, &now, next(word, polls), at(7)).await.unwrap();
        let late = world.claim_one(TaskKind::Clear, 8).await;
        for seen in [&batch, &now] {
            let late = late.clone();
            let stale = world.store.advance_clearance(late, seen, next("upload", 0), at(8)).await;
            assert!(matches!(refusal(stale), Refusal::StaleClaim { .. }), "{word} {polls}");
        }
        world.store.put_back(late, at(8)).await.unwrap();
    }
}

/// The last step of a batch, with this decision about its document.
fn last_step(record: &TransactionRecord, decision: Decision) -> ClearanceStep {
    let result = ClearanceResult {
        transaction: record.transaction.clone(),
        decision: Some(decision),
        state: ClearanceState::Registered,
        authority_number: None,
        mode: None,
        evidence: Vec::new(),
    };
    ClearanceStep { results: vec![result], ..ClearanceStep::default() }
}

fn decided(record: &TransactionRecord, event: &Event) -> Decision {
    decide(&record.transaction, event, &RetryPolicy::default(), at(6))
}

/// What was issued without the authority leaves while it is registered: what is told of it takes
/// nothing from whoever has it in hand.
#[tokio::test]
async fn what_is_only_told_leaves_the_delivery_alone() {
    let world = world().await;
    let (_, batch_claim, batch) = cleared(&world).await;
    let claim = world.claim_one(TaskKind::Route, 6).await;
    let record = world.load(&claim).await;
    let told = decided(&record, &Event::Clearing { authority: "KSeF" });
    assert_eq!((told.status, told.tasks.len()), (Status::Validated, 0));
    let step = last_step(&record, told);
    world.store.advance_clearance(batch_claim, &batch, step, at(7)).await.unwrap();
    let lines = world.store.timeline_of(&record.transaction.id).await.unwrap();
    assert!(lines.iter().any(|line| line.name == "Clearing"), "{lines:?}");

    let sent = completion(&claim, &record, &straight()[1..], 8);
    world.store.commit(sent).await.unwrap();
    let record = world.store.transaction(&record.transaction.id).await.unwrap().unwrap();
    assert_eq!(record.transaction.status, Status::Delivered);
}

/// One that the authority refuses has reached its end as any other that failed: its place in the
/// package is free, and its bytes go when their time is over.
#[tokio::test]
async fn what_is_refused_has_ended() {
    let world = world().await;
    world.store.put_package(&acme(), Some("10K")).await.unwrap();
    keep_for(&world.store, Keep::default()).await;
    let (record, claim, batch) = cleared(&world).await;
    assert_eq!(world.store.package_of(&acme(), at(6)).await.unwrap().1, 1);
    let refused = Event::Unroutable {
        code: "ksef-refused".to_owned(),
        message: "It was refused.".to_owned(),
        cause: String::new(),
    };
    let step = last_step(&record, decided(&record, &refused));
    world.store.advance_clearance(claim, &batch, step, at(7)).await.unwrap();
    assert_eq!(world.store.package_of(&acme(), at(8)).await.unwrap().1, 0);
    let day = 24 * 3_600;
    assert_eq!(world.store.expire(at(89 * day)).await.unwrap(), 0);
    assert_eq!(world.store.expire(at(91 * day)).await.unwrap(), 1);
}

/// Documents that go again with what is remembered of them are in a batch of their own: what comes
/// meanwhile is not counted with them.
#[tokio::test]
async fn what_goes_again_is_remembered_by_itself() {
    let world = world().await;
    let (record, claim, batch) = cleared(&world).await;
    let again = ClearanceAgain {
        offline: false,
        at: at(20),
        memory: Some(b"once".to_vec()),
        documents: vec![record.transaction.id.clone()],
    };
    let step = ClearanceStep { again: vec![again], ..ClearanceStep::default() };
    world.store.advance_clearance(claim, &batch, step, at(7)).await.unwrap();

    world.upload(2).await;
    let other = world.claim_one(TaskKind::Prepare, 8).await;
    let done = completion(&other, &world.load(&other).await, &[valid()], 8);
    let beside = SideEffects { clearance: Some(new_clearance()), ..SideEffects::default() };
    world.store.commit_with(done, beside).await.unwrap();
    let mut found = Vec::new();
    for seconds in [9, 21] {
        let claim = world.claim_one(TaskKind::Clear, seconds).await;
        let Work::Clearance(batch) = world.store.load(&claim).await.unwrap() else {
            panic!("{claim:?}")
        };
        found.push((batch.is_closed, batch.memory.clone(), batch.documents.len()));
        assert_eq!(batch.step, "upload");
    }
    assert_eq!(found, [(false, Vec::new(), 1), (true, b"once".to_vec(), 1)]);
}

/// What is tried in vain is told by party, and so is what waits for days since it was issued
/// without the authority; what is done is not.
#[tokio::test]
async fn what_waits_for_long_is_told() {
    let world = world().await;
    let (record, claim, batch) = cleared(&world).await;
    let waiting = async |failed, issued_by| {
        let all = world.store.clearances_waiting((failed, 63), at(issued_by)).await.unwrap();
        all.into_iter().map(|one| (one.party, one.documents, one.since)).collect::<Vec<_>>()
    };
    assert_eq!(waiting(7, 100).await, []);
    let next = Some(("upload".to_owned(), at(10)));
    let step = ClearanceStep { next, failed: 7, ..ClearanceStep::default() };
    world.store.advance_clearance(claim, &batch, step, at(7)).await.unwrap();
    assert_eq!(waiting(7, 0).await, [(batch.party.clone(), 1, at(1))]);
    assert_eq!(waiting(8, 100).await, []);
    // Where the authority only says that it works on them, the questions are counted.
    let mut claim = world.claim_one(TaskKind::Clear, 11).await;
    for (polls, waits) in [(62, false), (63, true)] {
        let Work::Clearance(batch) = world.store.load(&claim).await.unwrap() else {
            panic!("{claim:?}")
        };
        let next = Some(("status".to_owned(), at(11)));
        let step = ClearanceStep { next, polls, ..ClearanceStep::default() };
        world.store.advance_clearance(claim, &batch, step, at(11)).await.unwrap();
        assert_eq!(!waiting(7, 0).await.is_empty(), waits, "{polls}");
        claim = world.claim_one(TaskKind::Clear, 11).await;
    }
    let Work::Clearance(batch) = world.store.load(&claim).await.unwrap() else {
        panic!("{claim:?}")
    };
    let again = ClearanceAgain {
        offline: true,
        at: at(500),
        memory: None,
        documents: vec![record.transaction.id.clone()],
    };
    let step = ClearanceStep { again: vec![again], ..ClearanceStep::default() };
    world.store.advance_clearance(claim, &batch, step, at(12)).await.unwrap();
    assert_eq!(waiting(7, 11).await, []);
    assert_eq!(waiting(7, 12).await, [(batch.party.clone(), 1, at(12))]);
}

/// What was issued without the authority is kept until that has it, however short documents are
/// kept; what is lost all the same is known.
#[tokio::test]
async fn what_an_authority_is_owed_is_kept() {
    let world = world().await;
    let (day, hour) = (24 * 3_600, SignedDuration::from_hours(1));
    keep_for(&world.store, Keep { sent: Some(hour), failed: hour, ..Keep::default() }).await;
    let (record, batch_claim, batch) = cleared(&world).await;
    let claim = world.claim_one(TaskKind::Route, 6).await;
    let told = decided(&record, &Event::Clearing { authority: "KSeF" });
    let mut step = last_step(&record, told);
    step.results[0].state = ClearanceState::Offline;
    step.next = Some(("upload".to_owned(), at(8)));
    world.store.advance_clearance(batch_claim, &batch, step, at(7)).await.unwrap();
    let sent = completion(&claim, &world.load(&claim).await, &straight()[1..], 8);
    world.store.commit(sent).await.unwrap();
    assert_eq!(world.store.expire(at(day)).await.unwrap(), 0, "it is still owed");
    assert!(world.store.clearances_without_form(&batch.id).await.unwrap().is_empty());

    let claim = world.claim_one(TaskKind::Clear, day).await;
    let Work::Clearance(batch) = world.store.load(&claim).await.unwrap() else { panic!() };
    let record = world.store.transaction(&record.transaction.id).await.unwrap().unwrap();
    let mut step = last_step(&record, decided(&record, &Event::Uploaded));
    step.results[0].decision = None;
    world.store.advance_clearance(claim, &batch, step, at(day + 1)).await.unwrap();
    assert_eq!(world.store.expire(at(day + 2)).await.unwrap(), 1, "registered, it may go");
}
