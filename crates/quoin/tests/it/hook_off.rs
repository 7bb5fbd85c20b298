//! A destination that fails for days: its hook is switched off with a notice, everything it missed
//! is on record, and once it is back it is told of all of it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU16, Ordering};

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::post;
use jiff::SignedDuration;
use quoin_access_point::tls::{Door, DoorLimits, OpenDoor, Shutdown};
use quoin_lab::lab::network::RECEIVER;
use reqwest::Method;
use serde_json::{Value, json};

use crate::documents::json as put;
use crate::stage::{Play, Stage, until};

/// A destination whose answer can be changed, and that counts what it took.
#[derive(Clone, Default)]
struct Destination {
    answer: Arc<AtomicU16>,
    taken: Arc<AtomicU16>,
}

async fn take(State(destination): State<Destination>) -> StatusCode {
    let answer = StatusCode::from_u16(destination.answer.load(Ordering::SeqCst)).unwrap();
    if answer.is_success() {
        destination.taken.fetch_add(1, Ordering::SeqCst);
    }
    answer
}

impl Destination {
    async fn open(answer: u16) -> (Destination, OpenDoor) {
        let destination = Destination::default();
        destination.answer.store(answer, Ordering::SeqCst);
        let routes = Router::new().route("/", post(take)).with_state(destination.clone());
        let address = "127.0.0.1:0".parse().unwrap();
        let door = Door { name: "erp", address, tls: None, limits: DoorLimits::default() };
        (destination, door.open(routes, Shutdown::default()).await.unwrap())
    }
}

const HOOK: &str = "/api/v1/0106:87654321/hook";

async fn hook(play: &Play) -> Value {
    let found = play.receiver().await.get(&format!("{HOOK}/erp")).await;
    assert_eq!(found.status, 200, "{}", found.json);
    found.json
}

async fn ping(play: &Play) -> String {
    let answer = play.receiver().await.get(&format!("{HOOK}/ping")).await;
    answer.json["id"].as_str().unwrap().to_owned()
}

/// The call of an event in the delivery log, once it was tried so often or is in that state.
async fn call(play: &Play, document: &str, holds: impl Fn(&Value) -> bool) -> Value {
    until("the call is made", async || {
        let log = play.receiver().await.get(&format!("{HOOK}/erp/deliveries?limit=100")).await;
        let items = log.json["items"].as_array()?.clone();
        items.into_iter().find(|call| call["documentId"] == document && holds(call))
    })
    .await
}

fn tried(call: &Value) -> bool {
    !call["tries"].as_array().unwrap().is_empty()
}

async fn failing(answer: u16) -> (Play, Destination, OpenDoor) {
    let (destination, door) = Destination::open(answer).await;
    let play = Stage::set()
        .await
        .play_with(|_, two| {
            two.retry.hook_seconds = quoin_access_point::config::Retry::default().hook_seconds
        })
        .await;
    let body = json!({ "id": "erp", "action": format!("{}/", door.url()), "topics": ["Invoice*"] });
    let made = put(&play.receiver().await, Method::PUT, HOOK, body).await;
    assert_eq!(made.status, 200, "{}", made.json);
    (play, destination, door)
}

#[tokio::test(flavor = "multi_thread")]
async fn r6_a_hook_is_switched_off_after_days_of_failure_with_a_notice_and_misses_nothing() {
    let (play, destination, _door) = failing(500).await;
    let mut missed = vec![ping(&play).await];
    let first = call(&play, &missed[0], tried).await;
    assert_eq!((&first["state"], &first["tries"][0]["status"]), (&json!("pending"), &json!(500)));
    let began = hook(&play).await["failingSince"].as_str().unwrap().to_owned();

    play.stage.clock.advance(SignedDuration::from_hours(3 * 24));
    missed.push(ping(&play).await);
    call(&play, &missed[1], tried).await;
    let shown = hook(&play).await;
    assert_eq!((&shown["isActive"], &shown["failingSince"]), (&json!(true), &json!(began)));

    play.stage.clock.advance(SignedDuration::from_hours(2 * 24 + 1));
    missed.push(ping(&play).await);
    let off = until("the hook is switched off", async || {
        Some(hook(&play).await).filter(|hook| hook["isActive"] == false)
    })
    .await;
    assert_eq!(off["id"], "erp");
    let notice = until("the notice", async || {
        let told = play.stage.around.sink.told();
        told.into_iter().find(|told| told.text("topic") == "HookDisabled")
    })
    .await;
    assert!(notice.text("message").contains("5 days"), "{notice:#?}");
    assert!(notice.text("message").starts_with("No call"), "{notice:#?}");
    assert_eq!(notice.payload["details"]["hook"], "erp");
    let endpoint = notice.payload["details"]["endpoint"].as_str().unwrap();
    let action = off["action"].as_str().unwrap();
    assert!(action.starts_with(endpoint) && !endpoint.is_empty(), "{endpoint}: {action}");
    let period = json!({ "from": "2020-01-01T00:00:00Z" });
    let path = format!("{HOOK}/erp/replay");
    let asleep = put(&play.receiver().await, Method::POST, &path, period).await;
    asleep.is_problem(400, "API400.Hook", "is off");
    let feed = play.receiver().await.get("/api/v1/events?topic=HookDisabled").await;
    assert_eq!(feed.json["items"].as_array().unwrap().len(), 1, "the feed has it too");
    for document in &missed {
        let stopped = call(&play, document, |call| call["state"] != "pending").await;
        assert_eq!(stopped["state"], "stopped", "{stopped}");
    }

    missed.push(ping(&play).await);
    destination.answer.store(204, Ordering::SeqCst);
    let body = json!({ "id": "erp", "action": off["action"], "topics": ["Invoice*"] });
    let receiver = play.receiver().await;
    let back = put(&receiver, Method::PUT, HOOK, body).await;
    assert_eq!((&back.json["isActive"], &back.json["failingSince"]), (&json!(true), &Value::Null));
    let period = json!({ "from": "2020-01-01T00:00:00Z", "to": "2100-01-01T00:00:00Z",
        "undelivered": true });
    let replayed = put(&receiver, Method::POST, &format!("{HOOK}/erp/replay"), period).await;
    assert_eq!(replayed.status, 202, "{}", replayed.json);
    for document in &missed[..3] {
        let taken = call(&play, document, |call| call["state"] == "delivered").await;
        let last = taken["tries"].as_array().unwrap().last().unwrap();
        assert_eq!(last["status"], 204, "{taken}");
    }
    assert!(destination.taken.load(Ordering::SeqCst) >= 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn r6_a_hook_whose_destination_is_gone_is_switched_off_at_once() {
    let (play, _destination, _door) = failing(410).await;
    ping(&play).await;
    until("the hook is switched off", async || {
        Some(hook(&play).await).filter(|hook| hook["isActive"] == false)
    })
    .await;
    let notice = until("the notice", async || {
        let told = play.stage.around.sink.told();
        told.into_iter().find(|told| told.text("topic") == "HookDisabled")
    })
    .await;
    assert!(notice.text("message").contains("410"), "{notice:#?}");
    assert_eq!(notice.text("partyId"), RECEIVER);
}
