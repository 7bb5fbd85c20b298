//! A thousand hooks at a hundred events a second, one of them dead: how late the calls of all
//! others are, from the commit of the event to the call. One whole service in one process on
//! loopback, with full durability; the receivers are in the same process.
//!
//! Writes `target/bench/hooks.json`. `QUOIN_BENCH_SECONDS` sets for how long events happen
//! (default 15).

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::routing::post;
use futures::future::try_join_all;
use quoin_access_point::clock::Clock;
use quoin_access_point::tls::{Door, DoorLimits, Shutdown};
use quoin_delivery::{DocumentId, Notice, OrganisationId, Topic};
use quoin_lab::lab::network::{Customer, LabAccessPoint, Surroundings};
use quoin_server::start::start;
use quoin_store::{EventSubject, Hook, HookScope};
use serde_json::{Value, json};
use uuid::Uuid;

/// Parties, with two hooks each.
const PARTIES: usize = 500;
/// The time from one event to the next.
const PACE: Duration = Duration::from_millis(10);
/// The hook that takes connections and never answers.
const DEAD: &str = "0-b";
/// How long the last calls may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// When each hook was told of each document.
type Calls = Arc<Mutex<BTreeMap<String, Vec<(String, Instant)>>>>;

fn main() {
    let seconds = std::env::var("QUOIN_BENCH_SECONDS").ok().and_then(|n| n.parse().ok());
    let events = seconds.unwrap_or(15) * 100;
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let folder = std::env::temp_dir().join(format!("quoin-hooks-{}", std::process::id()));
    let (mut waits, rate) = runtime.block_on(run(&folder, events));
    let _ = std::fs::remove_dir_all(&folder);
    waits.sort_unstable();
    let at = |part: f64| {
        let index = ((waits.len() as f64 * part) as usize).min(waits.len() - 1);
        waits[index].as_secs_f64() * 1000.0
    };
    println!("{} hooks, one of them dead; {events} events at {rate:.0} a second", PARTIES * 2);
    println!("{:<42}{:>10}", "calls of the others, none lost, in order", waits.len());
    println!("{:<42}{:>10.1} ms", "event to call, median", at(0.5));
    println!("{:<42}{:>10.1} ms", "event to call, p99", at(0.99));
    println!("{:<42}{:>10.1} ms", "event to call, worst", at(1.0));
    let row = |name: &str, value: f64, unit: &str| json!({"name": name, "value": value, "unit": unit, "peer": null, "ratio": null});
    let rows = [
        row("hooks-events", rate, "events/s"),
        row("hooks-p50", at(0.5), "ms"),
        row("hooks-p99", at(0.99), "ms"),
        row("hooks-worst", at(1.0), "ms"),
    ];
    let target = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/bench");
    std::fs::create_dir_all(&target).expect("a folder");
    let text = serde_json::to_string_pretty(&rows).expect("json");
    std::fs::write(target.join("hooks.json"), text).expect("written");
}

async fn take(
    State(calls): State<Calls>,
    axum::extract::Path(hook): axum::extract::Path<String>,
    body: Bytes,
) {
    if hook == DEAD {
        std::future::pending::<()>().await;
    }
    let event: Value = serde_json::from_slice(&body).expect("json");
    let document = event["documentId"].as_str().expect("an id").to_owned();
    calls.lock().expect("calls").entry(hook).or_default().push((document, Instant::now()));
}

fn party(number: usize) -> String {
    format!("0106:{:08}", 30_000_000 + number)
}

fn hook(owner: &OrganisationId, number: usize, letter: char, base: &str) -> Hook {
    let now = jiff::Timestamp::now();
    Hook {
        organisation: owner.clone(),
        id: format!("{number}-{letter}").parse().expect("an id"),
        key: format!("{number}-{letter}").parse().expect("an id"),
        scope: HookScope::Party(party(number)),
        name: String::new(),
        action: format!("{base}/{number}-{letter}"),
        secrets: Vec::new(),
        topics: vec!["Invoice*".parse().expect("a topic")],
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

/// How late each call was, and how many events happened in a second.
async fn run(folder: &Path, events: usize) -> (Vec<Duration>, f64) {
    let calls = Calls::default();
    let routes = Router::new().route("/{hook}", post(take)).with_state(calls.clone());
    let address = "127.0.0.1:0".parse().expect("an address");
    let door = Door { name: "hooks", address, tls: None, limits: DoorLimits::default() };
    let door = door.open(routes, Shutdown::default()).await.expect("a door");
    let clock = Clock::default();
    let around = Surroundings::start(folder, clock.clone()).await.expect("surroundings");
    let corner = LabAccessPoint::new(&around, "one", "POP000001").expect("a corner");
    let customer = Customer::new("busy", &["0106:12345678"]).expect("a customer");
    let mut config = corner.config(&around, &customer);
    config.limits.hook_timeout_seconds = 30;
    config.organisation[0].hooks.clear();
    let service = start(config, clock.clone()).await.expect("a service");
    let store = &service.parts.store;
    let owner: OrganisationId = customer.organisation.parse().expect("an id");
    let hooks = (0..PARTIES).flat_map(|number| ['a', 'b'].map(|letter| (number, letter)));
    let url = door.url();
    let hooks = hooks.map(|(number, letter)| store.put_hook(hook(&owner, number, letter, &url)));
    try_join_all(hooks).await.expect("hooks");

    let mut told: HashMap<usize, Vec<(String, Instant)>> = HashMap::new();
    let begun = Instant::now();
    let mut pace = tokio::time::interval(PACE);
    for number in 0..events {
        pace.tick().await;
        let document_id = DocumentId::from_uuid(Uuid::now_v7());
        told.entry(number % PARTIES).or_default().push((document_id.to_string(), Instant::now()));
        let subject = EventSubject {
            organisation: owner.clone(),
            party: party(number % PARTIES),
            transaction: None,
            document_id,
            origin: None,
            depth: 0,
        };
        let message = "It happened.".to_owned();
        let notice = Notice::new(Topic::INVOICE_SENT, message, BTreeMap::new());
        store.announce(subject, notice, clock.now()).await.expect("recorded").expect("an event");
    }
    let rate = events as f64 / begun.elapsed().as_secs_f64();
    let waits = waits(&calls, &told).await;
    service.stop().await;
    (waits, rate)
}

/// Waits for every call but those of the dead hook, and asserts their order.
async fn waits(calls: &Calls, told: &HashMap<usize, Vec<(String, Instant)>>) -> Vec<Duration> {
    let mut waits = Vec::new();
    for (number, expected) in told {
        for letter in ['a', 'b'] {
            let id = format!("{number}-{letter}");
            if id == DEAD {
                continue;
            }
            let begun = Instant::now();
            let seen = loop {
                let seen = calls.lock().expect("calls").get(&id).cloned().unwrap_or_default();
                if seen.len() >= expected.len() {
                    break seen;
                }
                assert!(begun.elapsed() < PATIENCE, "{id}: {} calls", seen.len());
                tokio::time::sleep(PACE).await;
            };
            assert!(seen.iter().map(|(id, _)| id).eq(expected.iter().map(|(id, _)| id)), "{id}");
            waits.extend(seen.iter().zip(expected).map(|((_, at), (_, from))| *at - *from));
        }
    }
    waits
}
