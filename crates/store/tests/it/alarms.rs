//! Alarms: told once when they begin, remembered as long as they go on, bounded.

use std::collections::BTreeMap;

use quoin_delivery::alarms::MOST_AN_HOUR;
use quoin_delivery::{AlarmKind, DocumentId, EventId, Topic};
use quoin_store::{Alarm, EventSubject};
use uuid::Uuid;

use crate::world::*;

const LASTS: AlarmKind = AlarmKind { code: "lasts", lasts: true, meaning: "It lasts." };

fn alarm(kind: AlarmKind, subject: &str) -> Alarm {
    let details = BTreeMap::from([("provider".to_owned(), "facts".to_owned())]);
    Alarm { kind, subject: subject.to_owned(), message: "Look at it.".to_owned(), details }
}

fn hears() -> Option<EventSubject> {
    Some(EventSubject {
        organisation: acme(),
        party: String::new(),
        transaction: None,
        document_id: DocumentId::from_uuid(Uuid::new_v4()),
        origin: None,
        depth: 0,
    })
}

#[tokio::test]
async fn an_alarm_is_told_when_it_begins_and_when_it_begins_anew() {
    let world = world().await;
    let store = &world.store;
    let raise = |at_| store.raise_alarm(alarm(LASTS, "x"), hears(), at(at_));
    assert!(raise(1).await.unwrap());
    assert!(!raise(2).await.unwrap());
    let open = store.open_alarms(10).await.unwrap();
    assert_eq!((open.len(), open[0].times, open[0].raised_on), (1, 2, at(1)));
    assert!(store.end_alarm(LASTS, "x", at(3)).await.unwrap());
    assert!(!store.end_alarm(LASTS, "x", at(4)).await.unwrap());
    assert!(store.open_alarms(10).await.unwrap().is_empty());
    assert!(raise(5).await.unwrap(), "it began anew");
    let open = store.open_alarms(10).await.unwrap();
    assert_eq!((open[0].times, open[0].raised_on), (1, at(5)));
    let events = store.events_since(&acme(), EventId(0), 10).await.unwrap();
    assert_eq!(events.len(), 2);
    assert_eq!(events[0].topic, Topic::SERVICE_ALARM);
    assert_eq!((&*events[0].details["code"], &*events[0].details["subject"]), ("lasts", "x"));
    assert_eq!(events[0].details["provider"], "facts");
}

#[tokio::test]
async fn what_only_happens_is_over_at_once_and_told_so_often_an_hour() {
    let world = world().await;
    let store = &world.store;
    let mut told = 0;
    for number in 0..MOST_AN_HOUR + 20 {
        let alarm = alarm(AlarmKind::INSTANCE_REUSED, &format!("POP{number:06}"));
        told += u32::from(store.raise_alarm(alarm, hears(), at(number.into())).await.unwrap());
    }
    assert_eq!(told, MOST_AN_HOUR);
    assert!(store.open_alarms(10).await.unwrap().is_empty());
    assert_eq!(store.alarms(1_000).await.unwrap().len(), MOST_AN_HOUR as usize + 20);
    // After a month they are forgotten.
    let later = at(31 * 24 * 3_600);
    store.raise_alarm(alarm(AlarmKind::INSTANCE_REUSED, "n"), None, later).await.unwrap();
    store.forget_alarms(later).await.unwrap();
    assert_eq!(store.alarms(1_000).await.unwrap().len(), 1);
}
