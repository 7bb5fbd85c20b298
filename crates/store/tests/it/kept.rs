//! What is kept of documents and for how long: answers and their order, retention, counts.

use jiff::SignedDuration;
use quoin_delivery::responses::{AnswerRule, ResponseOrder};
use quoin_delivery::{Direction, Event, TaskKind};
use quoin_store::{
    Error, Keep, ListFilter, NewAnswer, Refusal, SubjectSearch, SubmitOptions, Submitted,
    TransactionRecord,
};

use crate::world::{World, acme, at, completion, document, keep_for, outgoing, world};

/// Lets a document arrive and be looked at.
async fn arrived(world: &World, number: u32) -> TransactionRecord {
    let record = world.arrive(number).await;
    let claim = world.claim_one(TaskKind::Prepare, i64::from(number)).await;
    let event = Event::Validated { summary: "fine".to_owned() };
    let done = completion(&claim, &record, &[event], i64::from(number));
    world.store.commit(done).await.unwrap();
    world.store.transaction(&record.transaction.id).await.unwrap().unwrap()
}

fn answer(subject: &TransactionRecord, status: &str) -> NewAnswer {
    NewAnswer {
        status: Some(status.to_owned()),
        held_to: Some(AnswerRule::Invoice(ResponseOrder::Strict)),
        ..NewAnswer::to(subject.transaction.id.clone())
    }
}

#[tokio::test]
async fn an_answer_out_of_order_leaves_nothing_behind() {
    let world = world().await;
    let invoice = arrived(&world, 1).await;
    let submit = async |number: u32, status: &str| {
        let new = outgoing(number, "<ApplicationResponse/>");
        world
            .store
            .submit_with(new, SubmitOptions::default(), Some(answer(&invoice, status)), None)
            .await
    };
    assert!(matches!(submit(2, "AP").await.unwrap(), Submitted::Accepted { .. }));
    let refused = submit(3, "AB").await.unwrap_err();
    assert!(matches!(refused, Error::Refusal(Refusal::OutOfOrder(_))), "{refused}");
    let found = world.store.transaction_of(&acme(), Direction::Outgoing, &document(3)).await;
    assert!(found.unwrap().is_none());
    let answers = world.store.answers_to(&invoice.transaction.id).await.unwrap();
    let [only] = &answers[..] else { panic!("{answers:?}") };
    assert_eq!(only.status.as_deref(), Some("AP"));
    let own = &only.transaction.transaction.id;
    let subject = world.store.answered_by(own).await.unwrap().unwrap();
    assert_eq!(subject.transaction.id, invoice.transaction.id);
    // Two at a time: one of them is too late.
    let (one, two) = tokio::join!(submit(4, "RE"), submit(5, "RE"));
    assert_eq!(usize::from(one.is_ok()) + usize::from(two.is_ok()), 1);
}

#[tokio::test]
async fn the_last_document_of_a_number_is_the_one_that_is_answered() {
    let world = world().await;
    for number in [1, 2] {
        let mut new = outgoing(number, "<Invoice/>");
        new.facts.number = Some("F-1".to_owned());
        new.facts.receiver = Some("0106:AbC".to_owned());
        new.now = at(i64::from(number));
        world.store.submit(new).await.unwrap();
    }
    let question = |from: &str, number: &str| SubjectSearch {
        organisation: acme(),
        party: crate::world::SENDER.to_owned(),
        direction: Direction::Outgoing,
        numbers: vec!["other".to_owned(), number.to_owned()],
        from: from.to_owned(),
        family: quoin_delivery::Family::Invoice,
        only: None,
        without: [None; 2],
        issued_on: None,
        type_code: None,
        not_after: None,
    };
    let found = world.store.answered(question("0106:aBc", "F-1")).await.unwrap().unwrap();
    assert_eq!(found.transaction.document_id, document(2));
    for (from, number) in [("0106:else", "F-1"), ("0106:abc", "F-2")] {
        assert_eq!(world.store.answered(question(from, number)).await.unwrap(), None);
    }
}

#[tokio::test]
async fn bytes_go_when_their_time_is_over_and_the_record_stays() {
    let world = world().await;
    let (kept, read) = (arrived(&world, 1).await, arrived(&world, 2).await);
    let sent = world.upload(3).await;
    let day = 86_400;
    world.store.mark_downloaded(&acme(), &document(2), at(10 * day)).await.unwrap();
    let keep = Keep::default();
    keep_for(&world.store, keep).await;
    let expire = async |seconds: i64| world.store.expire(at(seconds)).await.unwrap();
    assert_eq!(expire(17 * day - 1).await, 0);
    assert_eq!(expire(17 * day).await, 1, "seven days after the download");
    assert_eq!(expire(17 * day).await, 0, "once");
    assert_eq!(expire(90 * day).await, 0);
    assert_eq!(expire(90 * day + 1).await, 1, "ninety days after its receipt");
    assert_eq!(expire(1_000 * day).await, 0, "what is on its way stays");
    for (record, is_there) in [(&kept, false), (&read, false), (&sent, true)] {
        let id = &record.transaction.id;
        let now = world.store.transaction(id).await.unwrap().unwrap();
        assert_eq!(world.store.document(&now).await.unwrap().is_some(), is_there);
        assert_eq!(now.expired_on.is_none(), is_there);
        let last = world.store.timeline_of(id).await.unwrap().pop().unwrap();
        assert_eq!(last.name == "Expired", !is_there, "{last:?}");
    }
    let forever = Keep { received: SignedDuration::MAX, ..Keep::default() };
    keep_for(&world.store, forever).await;
    assert_eq!(world.store.expire(at(0)).await.unwrap(), 0);
}

#[tokio::test]
async fn a_document_is_counted_once_in_its_month() {
    let world = world().await;
    for number in 1..=3 {
        arrived(&world, number).await;
    }
    world.upload(4).await;
    let month = quoin_store::usage::month(at(3));
    let lines = world.store.usage(&acme(), (month.clone(), month)).await.unwrap();
    let [line] = &lines[..] else { panic!("{lines:?}") };
    assert_eq!((line.documents, line.is_billable, line.direction), (3, true, Direction::Incoming));
    assert!(line.bytes > 0);
    let (package, used) = world.store.package_of(&acme(), at(3)).await.unwrap();
    assert_eq!((package, used), (None, 0), "nobody counts where there is no limit");
    world.store.put_package(&acme(), Some("10K")).await.unwrap();
    let (_, used) = world.store.package_of(&acme(), at(3)).await.unwrap();
    assert_eq!(used, 4, "what is under way counts");
    let next = at(40 * 86_400);
    let (package, used) = world.store.package_of(&acme(), next).await.unwrap();
    assert_eq!((package.as_deref(), used), (Some("10K"), 1));
}

#[tokio::test]
async fn lists_are_narrowed_by_number_counterparty_and_type() {
    let world = world().await;
    for number in 1..=3u32 {
        let mut new = outgoing(number, "<Invoice/>");
        new.facts.number = Some(format!("F-{number}"));
        new.facts.receiver = Some(format!("0106:{}", number % 2));
        new.facts.source_document_type = Some(format!("x::{number}"));
        world.store.submit(new).await.unwrap();
    }
    let count = async |change: &dyn Fn(&mut ListFilter)| {
        let mut filter = ListFilter::new(acme(), Direction::Outgoing);
        change(&mut filter);
        world.store.list(filter).await.unwrap().items.len()
    };
    assert_eq!(count(&|_| ()).await, 3);
    assert_eq!(count(&|filter| filter.number = Some("F-2".to_owned())).await, 1);
    assert_eq!(count(&|filter| filter.counterparty = Some("0106:1".to_owned())).await, 2);
    assert_eq!(count(&|filter| filter.without = Some("::2")).await, 2);
    let order = Some(quoin_delivery::Family::Order);
    assert_eq!(count(&|filter| filter.family = order).await, 0);
}
