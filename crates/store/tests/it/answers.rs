//! Answers: which document they are about, and one after the other.

use quoin_delivery::{Direction, Family, TaskKind, TransactionId};
use quoin_store::{Claim, NewAnswer, SubjectSearch, SubmitOptions, Submitted, TransactionRecord};

use crate::world::*;

/// An answer to a document, as document `number`.
async fn give(world: &World, number: u32, to: &TransactionRecord, status: &str) -> TransactionId {
    let mut new = outgoing(number, "<ApplicationResponse/>");
    new.family = Family::InvoiceResponse;
    new.now = at(i64::from(number));
    let answer =
        NewAnswer { status: Some(status.to_owned()), ..NewAnswer::to(to.transaction.id.clone()) };
    let given = world.store.submit_with(new, SubmitOptions::default(), Some(answer), None).await;
    let Ok(Submitted::Accepted { transaction, .. }) = given else { panic!("{given:?}") };
    transaction
}

/// The claims of the steps that are due, in the order of `of`.
async fn claims(world: &World, of: &[&TransactionId], now: i64) -> Vec<Option<Claim>> {
    let mut due = world.store.claim(&[TaskKind::Prepare], at(now), LEASE, 100).await.unwrap();
    let mut of_one = |id: &&TransactionId| {
        let found = due.iter().position(|claim| claim.subject == id.as_str());
        found.map(|at| due.remove(at))
    };
    of.iter().map(&mut of_one).collect()
}

#[tokio::test]
async fn an_answer_leaves_when_the_one_before_it_has_ended() {
    let world = world().await;
    let (invoice, other) = (world.arrive(1).await, world.arrive(2).await);
    let first = give(&world, 11, &invoice, "AB").await;
    let second = give(&world, 12, &invoice, "AP").await;
    let third = give(&world, 13, &invoice, "PD").await;
    let apart = give(&world, 14, &other, "AP").await;
    let all = [&first, &second, &third, &apart];
    let due = claims(&world, &all, 20).await;
    let mut waits = Vec::new();
    for claim in due.iter().flatten() {
        waits.push(world.store.waits_for_earlier(claim, at(600)).await.unwrap());
    }
    assert_eq!(waits, [false, true, true, false], "only those to the same document");
    assert!(claims(&world, &all, 21).await.iter().all(Option::is_none), "nobody looks for them");

    // One that is tried again is on its way still, and one that has ended lets the next one go.
    let record = world.store.transaction(&first).await.unwrap().unwrap();
    let claim = due.into_iter().next().unwrap().unwrap();
    world.store.commit(completion(&claim, &record, &[valid()], 22)).await.unwrap();
    assert!(claims(&world, &[&second], 23).await[0].is_none());
    let claim = world.store.claim(&[TaskKind::Route], at(24), LEASE, 9).await.unwrap();
    let [claim] = &claim[..] else { panic!("{claim:?}") };
    let record = world.load(claim).await;
    let straight = straight();
    world.store.commit(completion(claim, &record, &straight[1..], 25)).await.unwrap();
    let due = claims(&world, &[&second, &third], 26).await;
    let [Some(next), None] = &due[..] else { panic!("{due:?}") };
    assert_eq!(next.claims, 1, "it was not handed out before");
    assert!(!world.store.waits_for_earlier(next, at(600)).await.unwrap());
    let record = world.load(next).await;
    world.store.commit(completion(next, &record, &straight, 27)).await.unwrap();
    let due = claims(&world, &[&third], 28).await;
    assert!(!world.store.waits_for_earlier(due[0].as_ref().unwrap(), at(600)).await.unwrap());
}

/// An answer whose sender wrote it himself is filed once it was read.
#[tokio::test]
async fn an_answer_that_was_read_later_is_filed_behind_the_one_that_is_on_its_way() {
    let world = world().await;
    let invoice = world.arrive(1).await;
    let to = |status: &str| NewAnswer {
        status: Some(status.to_owned()),
        ..NewAnswer::to(invoice.transaction.id.clone())
    };
    let first = give(&world, 11, &invoice, "AB").await;
    let mut new = outgoing(12, "<ApplicationResponse/>");
    (new.family, new.now) = (Family::InvoiceResponse, at(12));
    let submitted = world.store.submit_with(new, SubmitOptions::default(), None, None).await;
    let Ok(Submitted::Accepted { transaction: own, .. }) = submitted else { panic!() };
    let due = claims(&world, &[&first, &own], 20).await;
    let [Some(before), Some(claim)] = &due[..] else { panic!("{due:?}") };
    assert!(!world.store.waits_for_earlier(claim, at(600)).await.unwrap(), "nobody knows of it");
    let (answer, times) = (to("IP"), (at(20), at(600)));
    assert!(world.store.files_behind(claim, (&own, &answer), times).await.unwrap());
    assert!(claims(&world, &[&own], 21).await[0].is_none(), "it waits");
    let third = give(&world, 13, &invoice, "AP").await;
    let record = world.load(before).await;
    world.store.commit(completion(before, &record, &straight(), 22)).await.unwrap();
    // They go in the order in which they were given.
    let due = claims(&world, &[&own, &third], 23).await;
    let [Some(next), Some(last)] = &due[..] else { panic!("{due:?}") };
    assert!(world.store.waits_for_earlier(last, at(600)).await.unwrap());
    assert!(!world.store.waits_for_earlier(next, at(600)).await.unwrap());
    // It is not filed where nothing is before it.
    let other = world.arrive(2).await;
    let alone = NewAnswer::to(other.transaction.id);
    assert!(!world.store.files_behind(next, (&own, &alone), times).await.unwrap());
}

#[tokio::test]
async fn an_answer_is_about_the_document_whose_day_and_type_it_names() {
    let world = world().await;
    // One that was sent before either was kept, and three of one number.
    let sent = [
        (1, None, None),
        (2, Some("2026-05-15"), Some("380")),
        (3, Some("2026-05-20"), Some("380")),
        (4, Some("2026-05-15"), Some("381")),
    ];
    for (number, day, code) in sent {
        let mut new = outgoing(number, "<Invoice/>");
        new.facts.number = Some("F-1".to_owned());
        new.facts.receiver = Some(RECEIVER.to_owned());
        new.facts.issued_on = day.map(str::to_owned);
        new.facts.type_code = code.map(str::to_owned);
        new.now = at(i64::from(number));
        world.store.submit(new).await.unwrap();
    }
    let asked = [
        (Some("2026-05-15"), Some("380"), 2),
        (Some("2026-05-20"), Some("380"), 3),
        (Some("2026-05-20"), None, 3),
        (Some("2026-05-15"), Some("381"), 4),
        // What says nothing more is about the last one; what fits none but an old one, about that.
        (None, None, 4),
        (None, Some("380"), 3),
        (Some("2026-06-01"), Some("380"), 1),
    ];
    for (day, code, expected) in asked {
        let question = SubjectSearch {
            organisation: acme(),
            party: SENDER.to_owned(),
            direction: Direction::Outgoing,
            numbers: vec!["F-1".to_owned()],
            from: RECEIVER.to_owned(),
            family: Family::Invoice,
            only: None,
            without: [None; 2],
            issued_on: day.map(str::to_owned),
            type_code: code.map(str::to_owned),
            not_after: None,
        };
        let found = world.store.answered(question).await.unwrap().unwrap();
        assert_eq!(found.transaction.document_id, document(expected), "{day:?} {code:?}");
    }
}

/// One that was asked for first and recorded last, since it was longer in the making, is the last.
#[tokio::test]
async fn answers_are_in_the_order_in_which_they_were_recorded() {
    let world = world().await;
    let invoice = world.arrive(1).await;
    for (number, time, status) in [(11, 14, "AB"), (12, 12, "IP"), (13, 12, "AP")] {
        let mut new = outgoing(number, "<ApplicationResponse/>");
        (new.family, new.now) = (Family::InvoiceResponse, at(time));
        let to = NewAnswer::to(invoice.transaction.id.clone());
        let answer = NewAnswer { status: Some(status.to_owned()), ..to };
        let given =
            world.store.submit_with(new, SubmitOptions::default(), Some(answer), None).await;
        assert!(matches!(given, Ok(Submitted::Accepted { .. })), "{given:?}");
    }
    let answers = world.store.answers_to(&invoice.transaction.id).await.unwrap();
    let states: Vec<_> = answers.iter().filter_map(|answer| answer.status.as_deref()).collect();
    assert_eq!(states, ["AB", "IP", "AP"]);
    let ids: Vec<TransactionId> =
        answers.into_iter().map(|answer| answer.transaction.transaction.id).collect();
    let due = claims(&world, &ids.iter().collect::<Vec<_>>(), 20).await;
    let mut waits = Vec::new();
    for claim in due.iter().flatten() {
        waits.push(world.store.waits_for_earlier(claim, at(600)).await.unwrap());
    }
    assert_eq!(waits, [false, true, true]);
}
