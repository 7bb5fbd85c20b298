//! What is on record between providers: exchanges that outlive their documents, one status a
//! document, service levels, and reports with their documents.

use jiff::{SignedDuration, Timestamp};
use quoin_delivery::mls::MlsCode;
use quoin_delivery::repeats::{Repeat, RepeatedIdentifier};
use quoin_delivery::reporting::{Month, ReportKind};
use quoin_delivery::service_level::{Figures, Level};
use quoin_delivery::{Direction, Family, Status, TaskKind};
use quoin_store::{
    Arrival, Exchange, Handed, IssueRecord, Keep, LevelNotice, NewOutgoing, NewStatus,
    RecordOutcome, ReportDocument, ReportKey, ReportStep, SideEffects, StatusGiven, StatusStep,
    StatusTold, SubmitOptions, TransactionRecord, Work,
};

use crate::world::{
    World, acme, at, completion, incoming, keep_for, outgoing, straight, valid, world,
};

const TYPE: &str = "busdox-docid-qns::urn:x::Invoice##c::2.1";
const PROCESS: &str = "cenbii-procid-ubl::urn:p";

pub fn exchange(user: &str, on: Timestamp) -> Exchange {
    Exchange {
        exchanged_on: on,
        own: "POP000001".to_owned(),
        provider: "POP000002".to_owned(),
        document_type: TYPE.to_owned(),
        process: PROCESS.to_owned(),
        transport: "peppol-transport-as4-v2_0".to_owned(),
        country_c1: Some("NL".to_owned()),
        country_c4: Some("BE".to_owned()),
        end_user: user.to_owned(),
        participant: format!("0106:{user}"),
        end_user_country: Some("BE".to_owned()),
        payload_bytes: 1_000,
    }
}

pub fn status(wants_positive: bool, payload_bytes: u64) -> NewStatus {
    NewStatus {
        provider: "POP000002".to_owned(),
        envelope: "instance".to_owned(),
        sent_on: at(0),
        payload_bytes,
        wants_positive,
        reply_to: Some("0242:000002".to_owned()),
    }
}

async fn arrive(world: &World, number: u32, arrival: Arrival) -> TransactionRecord {
    let received =
        world.store.receive_with(incoming(number, "<Invoice/>"), arrival, Vec::new()).await;
    let RecordOutcome::Accepted(id) = received.unwrap() else { panic!("it is new") };
    let claim = world.claim_one(TaskKind::Prepare, i64::from(number)).await;
    let record = world.load(&claim).await;
    let done = completion(&claim, &record, &[valid()], i64::from(number));
    world.store.commit(done).await.unwrap();
    world.store.transaction(&id).await.unwrap().unwrap()
}

fn message(number: u32) -> NewOutgoing {
    NewOutgoing { family: Family::MessageLevelStatus, ..outgoing(number, "<ApplicationResponse/>") }
}

fn given(number: u32, code: MlsCode) -> StatusGiven {
    StatusGiven {
        code,
        description: "It was rejected.".to_owned(),
        issues: vec![IssueRecord { text: Some("wrong".to_owned()), ..IssueRecord::default() }],
        message: message(number),
    }
}

fn month() -> Month {
    Month::of(at(0))
}

#[tokio::test]
async fn an_exchange_is_counted_once_and_outlives_its_document() {
    let world = world().await;
    let arrival = |user: &str, on| Arrival { exchange: Some(exchange(user, on)), status: None };
    arrive(&world, 1, arrival("a", at(1))).await;
    arrive(&world, 2, arrival("a", at(2))).await;
    arrive(&world, 3, arrival("b", at(3))).await;
    // The same message again, and one of another month by its own time.
    let again =
        world.store.receive_with(incoming(1, "<Invoice/>"), arrival("a", at(9)), Vec::new()).await;
    assert!(matches!(
        again.unwrap(),
        RecordOutcome::Known { by: RepeatedIdentifier::Message, repeat: Repeat::Same, .. }
    ));
    arrive(&world, 4, arrival("c", month().end())).await;
    let much_later = at(200 * 24 * 3_600);
    keep_for(&world.store, Keep::default()).await;
    while world.store.expire(much_later).await.unwrap() > 0 {}

    let counts = world.store.exchange_counts(month()).await.unwrap();
    let [count] = &counts[..] else { panic!("{counts:?}") };
    assert_eq!((count.direction, count.count), (Direction::Incoming, 3));
    assert_eq!(
        (count.country_c1.as_deref(), count.country_c4.as_deref()),
        (Some("NL"), Some("BE"))
    );
    let users = world.store.exchange_users(month()).await.unwrap();
    let names: Vec<&str> = users.iter().map(|user| user.end_user.as_str()).collect();
    assert_eq!(names, ["a", "b"]);
    assert_eq!(world.store.exchange_users(month().next()).await.unwrap().len(), 1);
}

/// Months go when their time is over; one whose reports are not settled stays, however old.
#[tokio::test]
async fn exchanges_are_forgotten_by_month_unless_a_report_needs_them() {
    let world = world().await;
    let months = [month(), month().next(), month().next().next()];
    for (number, month) in (1..).zip(months) {
        let exchange = exchange("a", month.start());
        arrive(&world, number, Arrival { exchange: Some(exchange), status: None }).await;
    }
    let left = async || {
        let mut left = Vec::new();
        for month in months {
            left.push(!world.store.exchange_counts(month).await.unwrap().is_empty());
        }
        left
    };
    world.store.plan_reports(at(1)).await.unwrap();
    assert_eq!(world.store.forget_exchanges(months[2]).await.unwrap(), 1);
    assert_eq!(
        left().await,
        [true, false, true],
        "a report of the first month is still to be made"
    );
    for claim in world.claim(TaskKind::Report, 9_999_999, 10).await {
        world.store.drop_task(claim).await.unwrap();
    }
    assert_eq!(world.store.forget_exchanges(months[2]).await.unwrap(), 1);
    assert_eq!(world.store.forget_exchanges(months[2]).await.unwrap(), 0);
    assert_eq!(left().await, [false, false, true]);
}

/// An end user that moved in the course of a month is still one, with its newest country.
#[tokio::test]
async fn an_end_user_has_one_country_in_a_month() {
    let world = world().await;
    for (number, country) in [(1, Some("BE")), (2, Some("NL")), (3, None)] {
        let moved = Exchange {
            end_user_country: country.map(str::to_owned),
            process: format!("cenbii-procid-ubl::{number}"),
            ..exchange("a", at(i64::from(number)))
        };
        arrive(&world, number, Arrival { exchange: Some(moved), status: None }).await;
    }
    let users = world.store.exchange_users(month()).await.unwrap();
    assert_eq!(users.len(), 3, "three datasets");
    assert!(users.iter().all(|user| user.country.as_deref() == Some("NL")), "{users:?}");
}

#[tokio::test]
async fn a_status_is_given_once() {
    let world = world().await;
    let open = Arrival { exchange: None, status: Some(status(false, 1_000)) };
    let received =
        world.store.receive_with(incoming(1, "<Invoice/>"), open, Vec::new()).await.unwrap();
    let RecordOutcome::Accepted(id) = received else { panic!("{received:?}") };
    let claim = world.claim_one(TaskKind::Prepare, 1).await;
    let record = world.load(&claim).await;
    let (given_now, look) = (Some(given(50, MlsCode::Rejected)), Some(at(2)));
    let beside = SideEffects { given: given_now, look, ..SideEffects::default() };
    let done = completion(&claim, &record, &[valid()], 1);
    world.store.commit_with(done, beside).await.unwrap();
    let on_record = world.store.status_of(&id).await.unwrap().unwrap();
    assert_eq!((on_record.code, on_record.settled_on), (Some(MlsCode::Rejected), None));

    // A later look has another opinion, and comes too late.
    let claim = world.claim_one(TaskKind::Status, 2).await;
    let Work::Status(document, _) = world.store.load(&claim).await.unwrap() else { panic!() };
    let step = StatusStep {
        claim,
        document: *document,
        given: Some(given(51, MlsCode::Accepted)),
        closes: false,
        raised: None,
        notices: Vec::new(),
        next: Some(at(900)),
        now: at(2),
    };
    world.store.finish_status(step).await.unwrap();
    let messages = world.store.status_messages(&id).await.unwrap();
    let [only] = &messages[..] else { panic!("{messages:?}") };
    assert_eq!((only.code.as_deref(), &only.provider[..]), (Some("RE"), "POP000002"));
    assert_eq!(only.issues[0].text.as_deref(), Some("wrong"));
    let family = |record: &TransactionRecord| record.transaction.family;
    assert_eq!(family(&only.transaction), Family::MessageLevelStatus);
    let second = message(51).document_id;
    let none = world.store.transaction_of(&acme(), Direction::Outgoing, &second).await;
    assert!(none.unwrap().is_none());

    // Its message leaves, and that is when the status was given.
    let claim = world.claim_one(TaskKind::Prepare, 3).await;
    let record = world.load(&claim).await;
    let carried = world.store.status_carried_by(&record.transaction.id).await.unwrap().unwrap();
    assert_eq!(carried.transaction, id);
    let left =
        SideEffects { exchange: Some(exchange("provider", at(300))), ..SideEffects::default() };
    world.store.commit_with(completion(&claim, &record, &straight(), 3), left).await.unwrap();
    assert_eq!(world.store.status_of(&id).await.unwrap().unwrap().settled_on, Some(at(300)));
    let looks = world.claim(TaskKind::Status, 2_000, 9).await;
    assert!(looks.is_empty(), "nobody looks at the limit of what has left: {looks:?}");
}

#[tokio::test]
async fn only_the_first_status_that_counts_settles() {
    let world = world().await;
    let sent = world.upload(1).await;
    let claim = world.claim_one(TaskKind::Prepare, 1).await;
    let awaited = SideEffects { awaited: Some(status(true, 1_000)), ..SideEffects::default() };
    world.store.commit_with(completion(&claim, &sent, &straight(), 1), awaited).await.unwrap();
    let id = sent.transaction.id;
    for (number, code, counts) in [(10, "RE", false), (11, "AP", true), (12, "RE", true)] {
        let arrived = world.arrive(number).await;
        let claim = world.claim_one(TaskKind::Prepare, i64::from(number)).await;
        let told = StatusTold {
            subject: id.clone(),
            provider: "POP000002".to_owned(),
            code: Some(code.to_owned()),
            description: String::new(),
            issues: Vec::new(),
            counts,
            told_on: at(i64::from(number)),
        };
        let beside = SideEffects { told: Some(told), ..SideEffects::default() };
        let done = completion(&claim, &arrived, &[valid()], i64::from(number));
        world.store.commit_with(done, beside).await.unwrap();
    }
    let status = world.store.status_of(&id).await.unwrap().unwrap();
    assert_eq!((status.code, status.settled_on), (Some(MlsCode::Accepted), Some(at(11))));
    let messages = world.store.status_messages(&id).await.unwrap();
    let counted: Vec<bool> = messages.iter().map(|message| message.counts).collect();
    assert_eq!(counted, [false, true, false]);
}

/// What is due, in time, late and open, each at its limit.
#[tokio::test]
async fn service_levels_count_what_is_due() {
    let world = world().await;
    let limit = 20 * 60;
    // In time, late, still open, too large, and not asked for.
    let rows = [
        (1, true, 1_000, Some(limit)),
        (2, true, 9_999_999, Some(limit + 1)),
        (3, true, 1_000, None),
        (4, true, 10_000_000, Some(1)),
        (5, false, 1_000, None),
    ];
    for (number, wants, bytes, left) in rows {
        let arrival = Arrival { exchange: None, status: Some(status(wants, bytes)) };
        let received =
            world.store.receive_with(incoming(number, "<x/>"), arrival, Vec::new()).await.unwrap();
        let RecordOutcome::Accepted(_) = received else { panic!("{received:?}") };
        let claim = world.claim_one(TaskKind::Prepare, i64::from(number)).await;
        let record = world.load(&claim).await;
        let code = left.map(|_| given(number + 100, MlsCode::Accepted));
        let beside = SideEffects { given: code, ..SideEffects::default() };
        let done = completion(&claim, &record, &[valid()], i64::from(number));
        world.store.commit_with(done, beside).await.unwrap();
        let Some(left) = left else { continue };
        let claim = world.claim_one(TaskKind::Prepare, i64::from(number)).await;
        let record = world.load(&claim).await;
        let beside =
            SideEffects { exchange: Some(exchange("p", at(left))), ..SideEffects::default() };
        world.store.commit_with(completion(&claim, &record, &straight(), 9), beside).await.unwrap();
    }
    let levels = async |now| {
        let all = world.store.service_levels(month(), Some(&acme()), now).await.unwrap();
        let [one] = &all[..] else { panic!("{all:?}") };
        assert_eq!((one.level, one.provider.as_str()), (Level::Sent, "POP000002"));
        one.figures
    };
    assert_eq!(levels(at(limit)).await, Figures { due: 3, in_time: 1, late: 1 });
    assert_eq!(levels(at(limit + 1)).await, Figures { due: 3, in_time: 1, late: 2 });
    let other = "other".parse().unwrap();
    assert!(world.store.service_levels(month(), Some(&other), at(0)).await.unwrap().is_empty());
    assert!(world.store.service_levels(month().next(), None, at(0)).await.unwrap().is_empty());
}

/// One that was told as overdue is late from then on, and counts once, whatever comes afterwards.
#[tokio::test]
async fn what_was_told_as_overdue_counts_once() {
    let world = world().await;
    let limit = 25 * 60;
    let record = arrived_status_open(&world).await;
    let levels = async |now: i64| {
        let all = world.store.service_levels(month(), None, at(now)).await.unwrap();
        all.first().map(|one| (one.level, one.figures))
    };
    let figures = |due, in_time, late| Some((Level::Sent, Figures { due, in_time, late }));
    assert_eq!(levels(1).await, figures(1, 0, 0));
    let step = |claim, raised, now| StatusStep {
        claim,
        document: record.clone(),
        given: None,
        closes: false,
        raised,
        notices: Vec::new(),
        next: Some(at(limit)),
        now: at(now),
    };
    let id = &record.transaction.document_id;
    world.store.mark_downloaded(&acme(), id, at(20)).await.unwrap();
    let claim = world.claim_one(TaskKind::Status, 20).await;
    world.store.finish_status(step(claim, Some(LevelNotice::Warning), 20)).await.unwrap();
    assert_eq!(levels(21).await, figures(1, 0, 0));
    let claim = world.claim_one(TaskKind::Status, limit).await;
    world.store.finish_status(step(claim, Some(LevelNotice::Breach), limit)).await.unwrap();
    assert_eq!(levels(21).await, figures(1, 0, 1), "however early it is asked");
    let claim = world.claim_one(TaskKind::Status, limit).await;
    let closes = StatusStep { closes: true, next: None, ..step(claim, None, limit) };
    world.store.finish_status(closes).await.unwrap();
    assert_eq!(levels(limit).await, figures(1, 0, 1), "it was late");
}

/// A document about which a status is owed.
async fn arrived_status_open(world: &World) -> TransactionRecord {
    let open = Arrival { exchange: None, status: Some(status(true, 1_000)) };
    arrive(world, 1, open).await
}

#[tokio::test]
async fn what_happens_to_a_document_has_its_status_looked_at() {
    let world = world().await;
    let record = arrived_status_open(&world).await;
    assert!(world.claim(TaskKind::Status, 10, 1).await.is_empty());
    assert_eq!(world.store.handed(&record).await.unwrap(), Handed::default());
    let id = &record.transaction.document_id;
    world.store.mark_downloaded(&acme(), id, at(20)).await.unwrap();
    let claim = world.claim_one(TaskKind::Status, 20).await;
    assert!(world.store.handed(&record).await.unwrap().is_downloaded);
    // Another event while the look is in hand is not lost.
    world.store.mark_downloaded(&acme(), id, at(21)).await.unwrap();
    let step = StatusStep {
        claim,
        document: record.clone(),
        given: None,
        closes: true,
        raised: None,
        notices: Vec::new(),
        next: None,
        now: at(21),
    };
    world.store.finish_status(step).await.unwrap();
    let again = world.claim_one(TaskKind::Status, 21).await;
    world.store.drop_task(again).await.unwrap();
    // Once nothing is owed any more, nothing is looked at.
    world.store.delete_incoming(&acme(), id, at(30)).await.unwrap();
    assert!(world.claim(TaskKind::Status, 30, 1).await.is_empty());
}

#[tokio::test]
async fn a_report_is_planned_once_and_remembers_its_documents() {
    let world = world().await;
    for _ in 0..2 {
        world.store.plan_reports(at(0)).await.unwrap();
    }
    let claims = world.claim(TaskKind::Report, 0, 10).await;
    assert_eq!(claims.len(), 2, "{claims:?}");
    let key = ReportKey { month: month(), kind: ReportKind::EndUsers };
    let found = world.store.report(key).await.unwrap().unwrap();
    assert_eq!((found.made, found.progress.made, found.document), (0, None, None));
    let later = month().end() + SignedDuration::from_hours(25);
    let step = |number: u32, claim| ReportStep {
        claim,
        key,
        made: Some(ReportDocument {
            document: NewOutgoing { family: Family::Document, ..outgoing(number, "<Report/>") },
            wishes: SubmitOptions {
                receiver: Some("9925:x".to_owned()),
                ..SubmitOptions::default()
            },
        }),
        warned: number == 2,
        missed: false,
        notices: Vec::new(),
        next: None,
        now: later + SignedDuration::from_secs(i64::from(number)),
    };
    world.store.commit_report(step(1, claims.into_iter().next())).await.unwrap();
    world.store.commit_report(step(2, None)).await.unwrap();
    let found = world.store.report(key).await.unwrap().unwrap();
    let last = found.document.unwrap();
    assert_eq!((found.made, found.progress.is_warned, found.progress.is_taken), (2, true, false));
    assert_eq!(last.wishes.receiver.as_deref(), Some("9925:x"));
    assert_eq!(found.progress.made.unwrap().0, Status::Pending);
    // The month that runs meanwhile was planned with it.
    let all = world.store.reports((month(), month().next())).await.unwrap();
    let months: Vec<String> = all.iter().map(|report| report.key.month.to_string()).collect();
    assert_eq!(months, ["2026-06", "2026-06", "2026-05", "2026-05"]);
}
