//! A thousand hooks at a hundred events a second: one dead receiver delays nobody else, not even
//! the other hook of its own party; order holds for each hook and party; nothing is lost.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::routing::post;
use futures::future::try_join_all;
use quoin_access_point::tls::{Door, DoorLimits, Shutdown};
use quoin_delivery::{DocumentId, Notice, OrganisationId, Topic};
use quoin_store::{EventSubject, Hook, HookScope};
use serde_json::Value;
use uuid::Uuid;

use crate::stage::{Stage, until};

/// Parties, with two hooks each.
const PARTIES: usize = 500;
/// Parties to which something happens.
const BUSY: usize = 60;
/// Events in all, one every ten milliseconds.
const EVENTS: usize = 300;
/// The hook that takes connections and never answers.
const DEAD: &str = "0-b";
/// How late a call of any other hook may be: half of what the dead one is given to answer.
const LATE: Duration = Duration::from_secs(15);

type Calls = Arc<Mutex<BTreeMap<String, Vec<(String, Instant)>>>>;

async fn take(State(calls): State<Calls>, Path(hook): Path<String>, body: Bytes) {
    if hook == DEAD {
        std::future::pending::<()>().await;
    }
    let event: Value = serde_json::from_slice(&body).unwrap();
    let document = event["documentId"].as_str().unwrap().to_owned();
    calls.lock().unwrap().entry(hook).or_default().push((document, Instant::now()));
}

fn party(number: usize) -> String {
    format!("0106:{:08}", 30_000_000 + number)
}

fn hook(owner: &OrganisationId, number: usize, letter: char, base: &str) -> Hook {
    let now = jiff::Timestamp::now();
    Hook {
        organisation: owner.clone(),
        id: format!("{number}-{letter}").parse().unwrap(),
        key: format!("{number}-{letter}").parse().unwrap(),
        scope: HookScope::Party(party(number)),
        name: String::new(),
        action: format!("{base}/{number}-{letter}"),
        secrets: Vec::new(),
        topics: vec!["Invoice*".parse().unwrap()],
        output: Vec::new(),
        publish_topics: Vec::new(),
        filter: None,
        init: Value::Null,
        sealed: Default::default(),
        is_active: true,
        created_on: now,
        changed_on: now,
        rotated_on: None,
        failing_since: None,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_dead_receiver_among_a_thousand_hooks_delays_nobody_else() {
    let calls = Calls::default();
    let routes = Router::new().route("/{hook}", post(take)).with_state(calls.clone());
    let address = "127.0.0.1:0".parse().unwrap();
    let door = Door { name: "hooks", address, tls: None, limits: DoorLimits::default() };
    let door = door.open(routes, Shutdown::default()).await.unwrap();
    let stage = Stage::set().await;
    let mut config = stage.config_one();
    config.limits.hook_timeout_seconds = 30;
    config.organisation[0].hooks.clear();
    let service = stage.start(config).await;
    let store = &service.parts.store;
    let owner: OrganisationId = stage.sender.organisation.parse().unwrap();
    let hooks = (0..PARTIES).flat_map(|n| ['a', 'b'].map(|letter| (n, letter)));
    let hooks = hooks.map(|(n, letter)| store.put_hook(hook(&owner, n, letter, &door.url())));
    try_join_all(hooks).await.unwrap();

    let mut told: BTreeMap<usize, Vec<(String, Instant)>> = BTreeMap::new();
    let mut pace = tokio::time::interval(Duration::from_millis(10));
    for number in 0..EVENTS {
        pace.tick().await;
        let document = DocumentId::from_uuid(Uuid::now_v7());
        let subject = EventSubject {
            organisation: owner.clone(),
            party: party(number % BUSY),
            transaction: None,
            document_id: document.clone(),
            origin: None,
            depth: 0,
        };
        let message = "It happened.".to_owned();
        let notice = Notice::new(Topic::INVOICE_SENT, message, BTreeMap::new());
        told.entry(number % BUSY).or_default().push((document.to_string(), Instant::now()));
        store.announce(subject, notice, stage.clock.now()).await.unwrap().unwrap();
    }
    let all = EVENTS * 2 - EVENTS / BUSY;
    let count = || calls.lock().unwrap().values().map(Vec::len).sum::<usize>();
    until("every call but those of the dead one", async || (count() >= all).then_some(())).await;

    let calls = calls.lock().unwrap();
    assert!(!calls.contains_key(DEAD));
    let mut waits = Vec::new();
    for (number, expected) in &told {
        for letter in ['a', 'b'] {
            let id = format!("{number}-{letter}");
            if id == DEAD {
                continue;
            }
            let seen = &calls[&id];
            let order: Vec<&str> = seen.iter().map(|(document, _)| document.as_str()).collect();
            let wanted: Vec<&str> = expected.iter().map(|(id, _)| id.as_str()).collect();
            assert_eq!(order, wanted, "hook {id}");
            waits.extend(seen.iter().zip(expected).map(|((_, at), (_, from))| *at - *from));
        }
    }
    waits.sort();
    let (median, worst) = (waits[waits.len() / 2], waits[waits.len() - 1]);
    println!("{} calls of {all}: median {median:.1?}, worst {worst:.1?}", waits.len());
    assert!(worst < LATE, "{worst:?}");
}
