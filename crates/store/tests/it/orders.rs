//! Changes and cancellations of orders, and answers to them: linked in any order of arrival, and
//! held to what was said.

use quoin_delivery::responses::orders::OrderSubject;
use quoin_delivery::responses::{AnswerRule, OutOfOrder};
use quoin_delivery::{Direction, Family, TaskKind, TransactionId};
use quoin_store::{
    EarlyMessage, Error, NewAnswer, RecordOutcome, Refusal, SideEffects, SubjectSearch,
    SubmitOptions, Submitted, TransactionFacts, TransactionRecord,
};

use crate::world::*;

const ORDER: &str = "busdox-docid-qns::x:Order-2::Order##y::2.1";
const CHANGE: &str = "busdox-docid-qns::x:OrderChange-2::OrderChange##y::2.3";
const CANCELLATION: &str = "busdox-docid-qns::x:OrderCancellation-2::OrderCancellation##y::2.3";

const RESPONSE: &str = "busdox-docid-qns::x:OrderResponse-2::OrderResponse##y::2.3";

/// The question about the order that a message is about.
fn question(record: &TransactionRecord, number: &str) -> SubjectSearch {
    SubjectSearch {
        direction: Direction::Incoming,
        without: [Some("::OrderC"), Some("::OrderResponse")],
        ..SubjectSearch::sent(&record.transaction, Family::Order, vec![number.to_owned()])
    }
}

/// Lets a message about orders arrive, which is looked at and recorded with what is beside it.
async fn arrive(
    world: &World,
    number: u32,
    (kind, own, issued_on): (&str, &str, Option<&str>),
    beside: impl FnOnce(&TransactionRecord) -> SideEffects,
) -> TransactionRecord {
    let mut new = incoming(number, &format!("<Order n='{number}'/>"));
    new.family = Family::Order;
    new.facts.sender = Some(SENDER.to_owned());
    new.facts.source_document_type = Some(kind.to_owned());
    let received = world.store.receive(new).await.unwrap();
    let RecordOutcome::Accepted(id) = received else { panic!("{received:?}") };
    let record = world.store.transaction(&id).await.unwrap().unwrap();
    let now = at(i64::from(number));
    let due = world.store.claim(&[TaskKind::Arrive], now, LEASE, 1).await.unwrap();
    let [claim] = &due[..] else { panic!("{due:?}") };
    let mut done = completion(claim, &record, &[valid()], i64::from(number));
    done.facts = TransactionFacts {
        number: Some(own.to_owned()),
        issued_on: issued_on.map(str::to_owned),
        ..TransactionFacts::default()
    };
    world.store.commit_with(done, beside(&record)).await.unwrap();
    world.store.transaction(&id).await.unwrap().unwrap()
}

async fn order(world: &World, number: u32, own: &str) -> TransactionRecord {
    let beside = SideEffects { order: Some(own.to_owned()), ..SideEffects::default() };
    arrive(world, number, (ORDER, own, None), |_| beside).await
}

/// An order of a day.
async fn order_of(world: &World, number: u32, own: &str, day: &str) -> TransactionRecord {
    let beside = SideEffects { order: Some(own.to_owned()), ..SideEffects::default() };
    arrive(world, number, (ORDER, own, Some(day)), |_| beside).await
}

/// A message that comes before its order, or was looked at before that.
async fn early(world: &World, number: u32, kind: &str, of: &str) -> TransactionRecord {
    early_of(world, number, (kind, None), of).await
}

/// The same with its day of issue.
async fn early_of(
    world: &World,
    number: u32,
    (kind, day): (&str, Option<&str>),
    of: &str,
) -> TransactionRecord {
    let own = format!("M-{number}");
    let cancels = kind == CANCELLATION;
    arrive(world, number, (kind, &own, day), |record| {
        let order = SubjectSearch { not_after: day.map(str::to_owned), ..question(record, of) };
        SideEffects { early: Some(EarlyMessage { order, cancels }), ..SideEffects::default() }
    })
    .await
}

async fn give(
    world: &World,
    number: u32,
    (to, status, subject): (&TransactionRecord, &str, OrderSubject),
) -> Result<TransactionId, OutOfOrder> {
    let mut new = outgoing(number, "<OrderResponse/>");
    new.family = Family::Order;
    new.party = RECEIVER.to_owned();
    new.now = at(i64::from(number));
    let answer = NewAnswer {
        status: Some(status.to_owned()),
        held_to: Some(AnswerRule::Order(subject)),
        ..NewAnswer::to(to.transaction.id.clone())
    };
    match world.store.submit_with(new, SubmitOptions::default(), Some(answer), None).await {
        Ok(Submitted::Accepted { transaction, .. }) => Ok(transaction),
        Err(Error::Refusal(Refusal::OutOfOrder(why))) => Err(why),
        other => panic!("{other:?}"),
    }
}

async fn lines(world: &World, of: &TransactionRecord) -> Vec<String> {
    let lines = world.store.timeline_of(&of.transaction.id).await.unwrap();
    let told = |name: &String| !matches!(name.as_str(), "Pending" | "Validated");
    lines.into_iter().map(|line| line.name).filter(told).collect()
}

#[tokio::test]
async fn what_came_before_its_order_is_linked_once_that_is_there() {
    let world = world().await;
    let change = early(&world, 1, CHANGE, "O-1").await;
    let cancellation = early(&world, 2, CANCELLATION, "O-1").await;
    let other = early(&world, 3, CANCELLATION, "O-2").await;
    assert_eq!(world.store.answered_by(&cancellation.transaction.id).await.unwrap(), None);
    let order = order(&world, 4, "O-1").await;
    for message in [&change, &cancellation] {
        let about = world.store.answered_by(&message.transaction.id).await.unwrap().unwrap();
        assert_eq!(about.transaction.id, order.transaction.id);
    }
    assert_eq!(world.store.answered_by(&other.transaction.id).await.unwrap(), None);
    assert_eq!(lines(&world, &order).await, ["Delivered", "Changed", "Cancelled"]);
    let refused = give(&world, 5, (&order, "AP", OrderSubject::AdvancedOrder)).await.unwrap_err();
    let by = document(2).to_string();
    assert_eq!(refused, OutOfOrder::CancelledByBuyer { by });
    // An order of the same number, which somebody sends anew, is another one.
    let again = self::order(&world, 6, "O-1").await;
    assert_eq!(lines(&world, &again).await, ["Delivered"]);
    // One whose order came while it was looked for is linked at once.
    early(&world, 7, CHANGE, "O-1").await;
    assert_eq!(lines(&world, &again).await, ["Delivered", "Changed"]);
}

#[tokio::test]
async fn a_cancelled_order_is_answered_again_once_the_cancellation_is_refused() {
    let world = world().await;
    let order = order(&world, 1, "O-1").await;
    let change = early(&world, 2, CHANGE, "O-1").await;
    let cancellation = early(&world, 3, CANCELLATION, "O-1").await;
    for (number, of, subject) in
        [(4, &order, OrderSubject::Order), (5, &change, OrderSubject::Change)]
    {
        let refused = give(&world, number, (of, "RE", subject)).await.unwrap_err();
        assert!(matches!(refused, OutOfOrder::CancelledByBuyer { .. }), "{refused}");
    }
    let subject = OrderSubject::Cancellation;
    give(&world, 6, (&cancellation, "AB", subject)).await.unwrap();
    assert!(give(&world, 7, (&order, "AP", OrderSubject::Order)).await.is_err());
    give(&world, 8, (&cancellation, "RE", subject)).await.unwrap();
    give(&world, 9, (&order, "AP", OrderSubject::Order)).await.unwrap();
    give(&world, 10, (&change, "AP", OrderSubject::Change)).await.unwrap();
    let refused = give(&world, 11, (&order, "AP", OrderSubject::Order)).await.unwrap_err();
    assert!(matches!(refused, OutOfOrder::Answered { .. }), "{refused}");
}

/// A number is used again: what was issued before an order is not about that one.
#[tokio::test]
async fn what_was_issued_before_an_order_is_not_about_it() {
    let world = world().await;
    let about = async |message: &TransactionRecord| {
        let found = world.store.answered_by(&message.transaction.id).await.unwrap();
        found.map(|found| found.transaction.id)
    };
    let old = early_of(&world, 1, (CANCELLATION, Some("2026-05-19")), "O-1").await;
    let change = early_of(&world, 2, (CHANGE, Some("2026-05-19")), "O-1").await;
    let same_day = early_of(&world, 3, (CANCELLATION, Some("2026-05-20")), "O-1").await;
    let undated = early(&world, 4, CHANGE, "O-1").await;
    let order = order_of(&world, 5, "O-1", "2026-05-20").await;
    for (message, expected) in [
        (&old, None),
        (&change, None),
        (&same_day, Some(order.transaction.id.clone())),
        (&undated, Some(order.transaction.id.clone())),
    ] {
        assert_eq!(about(message).await, expected);
    }
    // The order that it is about comes last.
    let first = order_of(&world, 6, "O-1", "2026-05-18").await;
    assert_eq!(about(&old).await, Some(first.transaction.id.clone()));
    // One whose order came while it was looked for is held to the same.
    let late = early_of(&world, 7, (CANCELLATION, Some("2026-05-01")), "O-1").await;
    assert_eq!(about(&late).await, None);
    // Of orders that are there one is meant that was issued by then.
    for (day, expected) in
        [(Some("2026-05-17"), None), (Some("2026-05-19"), Some(&first)), (None, Some(&first))]
    {
        let asked = question(&late, "O-1");
        let asked = SubjectSearch { not_after: day.map(str::to_owned), ..asked };
        let found = world.store.answered(asked).await.unwrap().map(|own| own.transaction.id);
        assert_eq!(found.as_ref(), expected.map(|own| &own.transaction.id), "{day:?}");
    }
}

#[tokio::test]
async fn an_order_whose_cancellation_was_refused_is_cancelled_again() {
    let world = world().await;
    let send = async |number: u32, answer: Option<NewAnswer>| {
        let mut new = outgoing(number, "<Order/>");
        (new.family, new.now) = (Family::Order, at(i64::from(number)));
        match world.store.submit_with(new, SubmitOptions::default(), answer, None).await {
            Ok(Submitted::Accepted { transaction, .. }) => Ok(transaction),
            Err(Error::Refusal(Refusal::OutOfOrder(why))) => Err(why),
            other => panic!("{other:?}"),
        }
    };
    let order = send(1, None).await.unwrap();
    let cancels = || Some(NewAnswer { cancels: true, ..NewAnswer::to(order.clone()) });
    let answers = async |number: u32, to: &TransactionId, status: &str| {
        let answer = NewAnswer { status: Some(status.to_owned()), ..NewAnswer::to(to.clone()) };
        let own = format!("A-{number}");
        let beside = SideEffects { answer: Some(answer), ..SideEffects::default() };
        arrive(&world, number, (RESPONSE, &own, None), |_| beside).await
    };
    let first = send(2, cancels()).await.unwrap();
    answers(3, &first, "AB").await;
    let by = document(2).to_string();
    assert_eq!(send(4, cancels()).await.unwrap_err(), OutOfOrder::Cancelled { by });
    answers(5, &first, "RE").await;
    let second = send(6, cancels()).await.unwrap();
    answers(7, &second, "AP").await;
    let by = document(6).to_string();
    assert_eq!(send(8, cancels()).await.unwrap_err(), OutOfOrder::Cancelled { by });
}

/// What came about an order lies between the answers that are given to it, and none of them waits
/// for it or overtakes another one because of it.
#[tokio::test]
async fn answers_leave_one_after_the_other_whatever_comes_between_them() {
    let world = world().await;
    let order = order(&world, 1, "O-1").await;
    let first = give(&world, 2, (&order, "AB", OrderSubject::Order)).await.unwrap();
    early(&world, 3, CHANGE, "O-1").await;
    let second = give(&world, 4, (&order, "AP", OrderSubject::Order)).await.unwrap();
    let due = world.store.claim(&[TaskKind::Prepare], at(20), LEASE, 100).await.unwrap();
    let of = |id: &TransactionId| due.iter().find(|claim| claim.subject == id.as_str()).unwrap();
    assert!(!world.store.waits_for_earlier(of(&first), at(600)).await.unwrap());
    assert!(world.store.waits_for_earlier(of(&second), at(600)).await.unwrap());
    let record = world.load(of(&first)).await;
    world.store.commit(completion(of(&first), &record, &straight(), 22)).await.unwrap();
    let due = world.store.claim(&[TaskKind::Prepare], at(23), LEASE, 9).await.unwrap();
    let due: Vec<&str> = due.iter().map(|claim| claim.subject.as_str()).collect();
    assert_eq!(due, [second.as_str()], "the one before it has ended");
}

#[tokio::test]
async fn an_order_is_meant_and_not_what_is_about_it() {
    let world = world().await;
    let order = order(&world, 1, "O-1").await;
    // A change under the number of its order.
    let change = arrive(&world, 2, (CHANGE, "O-1", None), |_| SideEffects::default()).await;
    let asked = question(&change, "O-1");
    let found = world.store.answered(asked.clone()).await.unwrap().unwrap();
    assert_eq!(found.transaction.id, order.transaction.id);
    let changes = SubjectSearch { only: Some("::OrderChange"), without: [None; 2], ..asked };
    let found = world.store.answered(changes.clone()).await.unwrap().unwrap();
    assert_eq!(found.transaction.id, change.transaction.id);
    let stranger = SubjectSearch { from: "0106:99999999".to_owned(), ..changes };
    assert_eq!(world.store.answered(stranger).await.unwrap(), None);
}
