//! Hooks of a process that is killed without warning while events happen at a steady pace: one
//! receiver is dead, and every other one is told of every event, in the order of its party.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::routing::post;
use futures::future::try_join_all;
use quoin_access_point::config::ConfigSecret;
use quoin_access_point::tls::{Door, DoorLimits, Shutdown};
use quoin_lab::lab::network::{Customer, LabAccessPoint, Surroundings};
use reqwest::Method;
use serde_json::{Value, json};

use super::process::Service;
use super::{PATIENCE, PAUSE, SEED, patient};
use crate::stage::Folder;
use crate::stage::caller::Caller;
use quoin_access_point::clock::Clock;
use quoin_testing::dice::Dice;

/// Parties, with a hook each besides that of the environment.
const PARTIES: usize = 40;
/// Events, and the time from one to the next.
const EVENTS: usize = 400;
const PACE: Duration = Duration::from_millis(10);
/// How often the process is killed meanwhile.
const KILLS: usize = 3;
/// The hook that takes connections and never answers.
const DEAD: &str = "of-0";
/// The hook of the environment.
const ALL: &str = "all";

/// What each hook was told: delivery id and document, as it came.
type Calls = Arc<Mutex<BTreeMap<String, Vec<(String, String)>>>>;

async fn take(
    State(calls): State<Calls>,
    Path(hook): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) {
    if hook == DEAD {
        std::future::pending::<()>().await;
    }
    let event: Value = serde_json::from_slice(&body).unwrap();
    let document = event["documentId"].as_str().unwrap().to_owned();
    let delivery = headers["webhook-id"].to_str().unwrap().to_owned();
    calls.lock().unwrap().entry(hook).or_default().push((delivery, document));
}

/// Asks for an event until the service, when it is back, says that it is recorded.
async fn ping(caller: &Caller, party: &str) -> String {
    let begun = Instant::now();
    loop {
        let path = format!("/api/v1/{party}/hook/ping");
        match caller.call(Method::GET, &path, &[], None::<Bytes>).await {
            Ok(answer) if answer.status == 200 => {
                return answer.json["id"].as_str().unwrap().to_owned();
            }
            Ok(answer) => panic!("{}: {}", answer.status, answer.json),
            Err(why) => assert!(begun.elapsed() < PATIENCE, "no ping: {why}"),
        }
        tokio::time::sleep(PACE).await;
    }
}

async fn kill_and_start(service: Arc<Service>, mut dice: Dice) {
    for _ in 0..KILLS {
        tokio::time::sleep(Duration::from_millis(500 + dice.below(1_000))).await;
        service.kill();
        service.start();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_event_reaches_every_hook_in_order_over_kills_and_a_dead_receiver() {
    let calls = Calls::default();
    let routes = Router::new().route("/{hook}", post(take)).with_state(calls.clone());
    let address = "127.0.0.1:0".parse().unwrap();
    let door = Door { name: "hooks", address, tls: None, limits: DoorLimits::default() };
    let door = door.open(routes, Shutdown::default()).await.unwrap();
    let folder = Folder::new();
    let around = Surroundings::start(folder.path(), Clock::default()).await.unwrap();
    let corner = LabAccessPoint::new(&around, "one", "POP000001").unwrap();
    let parties: Vec<String> = (0..PARTIES).map(|n| format!("0106:{}", 30_000_000 + n)).collect();
    let named: Vec<&str> = parties.iter().map(String::as_str).collect();
    let customer = Customer::new("busy", &named).unwrap();
    let mut config = patient(corner.config(&around, &customer));
    config.limits.hook_timeout_seconds = 30;
    config.organisation[0].hooks[0].id = ALL.to_owned();
    config.organisation[0].hooks[0].action = ConfigSecret::new(format!("{}/{ALL}", door.url()));
    let service = Service::new("busy", config, corner.api_url.clone(), folder.path());
    let service = Arc::new(service);
    service.start();
    let caller = super::caller_at(&around, &service, &customer).await;
    let hooks = parties.iter().enumerate().map(|(number, party)| {
        let hook = json!({ "id": format!("of-{number}"), "topics": ["Invoice*"],
            "action": format!("{}/of-{number}", door.url()) });
        let (caller, path) = (&caller, format!("/api/v1/{party}/hook"));
        async move {
            let headers = [("content-type", "application/json")];
            caller.call(Method::PUT, &path, &headers, Some(hook.to_string())).await
        }
    });
    let made = try_join_all(hooks).await.unwrap();
    assert!(made.iter().all(|answer| answer.status == 200));

    let killer = tokio::spawn(kill_and_start(service.clone(), Dice::new(SEED)));
    let mut told: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    let mut pace = tokio::time::interval(PACE);
    for number in 0..EVENTS {
        pace.tick().await;
        let party = number % PARTIES;
        told.entry(party).or_default().push(ping(&caller, &parties[party]).await);
    }
    killer.await.unwrap();
    let begun = Instant::now();
    loop {
        service.stays_up();
        let missing = missing(&calls.lock().unwrap(), &told);
        if missing == 0 {
            break;
        }
        assert!(begun.elapsed() < PATIENCE, "{missing} calls were not made\n{}", service.log());
        tokio::time::sleep(PAUSE).await;
    }
    let calls = calls.lock().unwrap();
    assert!(!calls.contains_key(DEAD));
    for (party, expected) in &told {
        for hook in [format!("of-{party}"), ALL.to_owned()] {
            if hook != DEAD {
                in_order(&hook, &calls[&hook], expected);
            }
        }
    }
    println!("{EVENTS} events told over {KILLS} kills, the last {:?} after", begun.elapsed());
}

/// How many calls that are owed were not made.
fn missing(
    calls: &BTreeMap<String, Vec<(String, String)>>,
    told: &BTreeMap<usize, Vec<String>>,
) -> usize {
    let seen = |hook: &str| -> BTreeSet<&str> {
        calls.get(hook).into_iter().flatten().map(|(_, document)| document.as_str()).collect()
    };
    let all = seen(ALL);
    let of_party = |(party, expected): (&usize, &Vec<String>)| {
        let own = seen(&format!("of-{party}"));
        let lost = |seen: &BTreeSet<&str>| {
            expected.iter().filter(|document| !seen.contains(document.as_str())).count()
        };
        lost(&all) + if *party == 0 { 0 } else { lost(&own) }
    };
    told.iter().map(of_party).sum()
}

/// What was told of a party came in its order, repeats under the id of the first time.
fn in_order(hook: &str, calls: &[(String, String)], expected: &[String]) {
    let mut firsts: Vec<&String> = Vec::new();
    let mut deliveries: BTreeMap<&String, &String> = BTreeMap::new();
    for (delivery, document) in calls.iter().filter(|(_, document)| expected.contains(document)) {
        let known = deliveries.entry(document).or_insert(delivery);
        assert_eq!(*known, delivery, "{hook}: a repeat has the id of the first time");
        if !firsts.contains(&document) {
            firsts.push(document);
        }
    }
    // A ping whose answer was lost with the process is on record too; it is in nobody's list.
    assert_eq!(firsts, expected.iter().collect::<Vec<_>>(), "{hook}");
}
