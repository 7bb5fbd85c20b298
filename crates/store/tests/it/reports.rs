//! Statistics reports whose making was switched off for a while.

use jiff::{SignedDuration, Timestamp};
use quoin_delivery::TaskKind;
use quoin_delivery::reporting::Month;
use quoin_store::{Claim, ReportKey, ReportStep};

use crate::world::*;

/// A look that came to nothing, after which nothing is due.
fn look(claim: Claim, missed: bool, now: Timestamp) -> ReportStep {
    let (kind, month) = claim.subject.split_once(' ').unwrap();
    let kind = quoin_delivery::reporting::ReportKind::named(kind).unwrap();
    ReportStep {
        key: ReportKey { month: month.parse().unwrap(), kind },
        claim: Some(claim),
        made: None,
        warned: false,
        missed,
        notices: Vec::new(),
        next: None,
        now,
    }
}

/// What fell due while reports were off is taken up when they are on again; what is settled is not.
#[tokio::test]
async fn what_fell_due_while_reports_were_off_is_taken_up() {
    let world = world().await;
    let (store, month) = (&world.store, Month::of(at(0)));
    let due = async |now: Timestamp| {
        store.claim(&[TaskKind::Report], now, SignedDuration::from_mins(1), 10).await.unwrap()
    };
    let about = |claims: &[Claim]| {
        let mut about: Vec<String> = claims.iter().map(|claim| claim.subject.clone()).collect();
        about.sort_unstable();
        about
    };
    let of = |month: Month| [format!("EUSR {month}"), format!("TSR {month}")];
    store.plan_reports(at(0)).await.unwrap();
    let made_on = month.end() + SignedDuration::from_hours(25);
    for claim in due(made_on).await {
        store.commit_report(look(claim, false, made_on)).await.unwrap();
    }
    // The month that runs then was planned with it, and waits for its end.
    let next = due(made_on).await;
    assert_eq!(about(&next), of(month.next()));
    for claim in next {
        store.put_back(claim, month.next().end() + SignedDuration::from_hours(24)).await.unwrap();
    }
    assert!(due(made_on).await.is_empty());

    store.plan_reports(made_on).await.unwrap();
    let taken_up = due(made_on).await;
    assert_eq!(about(&taken_up), of(month));
    store.plan_reports(made_on).await.unwrap();
    assert!(due(made_on).await.is_empty(), "each is looked at once");
    for claim in taken_up {
        store.commit_report(look(claim, true, month.deadline())).await.unwrap();
    }
    store.plan_reports(month.deadline()).await.unwrap();
    assert!(due(month.deadline()).await.is_empty(), "that they are missed was told");
}

const FIRST: &str = "0106:00000011";
const SECOND: &str = "0088:8712345678937";
const OTHER: &str = "0106:00000022";

/// A month is that of all organisations of the service: a company that moved from one to another is
/// the same one, known by its participant identifier.
#[tokio::test]
async fn a_company_that_moved_is_one_end_user() {
    let world = world().await;
    let exchange = |number: u32, whose: &str, participant: &str| {
        let exchange = quoin_store::Exchange {
            participant: participant.to_owned(),
            ..crate::statuses::exchange(whose, at(i64::from(number)))
        };
        let arrival = quoin_store::Arrival { exchange: Some(exchange), status: None };
        let store = world.store.clone();
        async move {
            let new = incoming(number, &format!("<Invoice n='{number}'/>"));
            store.receive_with(new, arrival, Vec::new()).await.unwrap();
        }
    };
    let beta = "beta";
    // The same participant in two organisations, one of which has it beside another one.
    exchange(1, &format!("acme {FIRST}"), FIRST).await;
    exchange(2, &format!("{beta} {SECOND}"), FIRST).await;
    exchange(3, &format!("{beta} {SECOND}"), SECOND).await;
    exchange(4, &format!("{beta} {OTHER}"), OTHER).await;
    let month = quoin_delivery::reporting::Month::of(at(0));
    let users = world.store.exchange_users(month).await.unwrap();
    let names: Vec<&str> = users.iter().map(|user| user.end_user.as_str()).collect();
    assert_eq!(names, [&*format!("acme {FIRST}"), &*format!("{beta} {OTHER}")]);
}
