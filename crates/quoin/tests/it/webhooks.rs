//! Webhooks in the running service: a destination that fails is called again, with the same
//! delivery id and in order, and the document does not care.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use quoin_access_point::config::ConfigSecret;
use quoin_access_point::tls::{Door, DoorLimits, OpenDoor, Shutdown};
use quoin_lab::lab::network::SENDER;
use serde_json::Value;

use crate::stage::{Play, Stage, until};

/// A destination that answers as written and then 200, and remembers every call.
#[derive(Clone, Default)]
struct Destination {
    answers: Arc<Mutex<VecDeque<u16>>>,
    calls: Arc<Mutex<Vec<Seen>>>,
}

/// A call: delivery id, signature, payload.
#[derive(Debug, Clone, PartialEq)]
struct Seen {
    delivery: String,
    signature: String,
    payload: Value,
}

impl Destination {
    async fn open(answers: &[u16]) -> (Destination, OpenDoor) {
        let destination = Destination::default();
        destination.answers.lock().unwrap().extend(answers);
        let routes = Router::new().route("/", post(take)).with_state(destination.clone());
        let address = "127.0.0.1:0".parse().unwrap();
        let door = Door { name: "hook", address, tls: None, limits: DoorLimits::default() };
        (destination, door.open(routes, Shutdown::default()).await.unwrap())
    }

    fn calls(&self) -> Vec<Seen> {
        self.calls.lock().unwrap().clone()
    }

    async fn called(&self, times: usize) -> Vec<Seen> {
        until("the destination is called", async || {
            Some(self.calls()).filter(|calls| calls.len() >= times)
        })
        .await
    }
}

async fn take(
    State(destination): State<Destination>,
    headers: HeaderMap,
    body: Bytes,
) -> StatusCode {
    let text = |name: &str| headers[name].to_str().unwrap().to_owned();
    destination.calls.lock().unwrap().push(Seen {
        delivery: text("webhook-id"),
        signature: text("x-service-signature"),
        payload: serde_json::from_slice(&body).unwrap(),
    });
    let answer = destination.answers.lock().unwrap().pop_front().unwrap_or(200);
    StatusCode::from_u16(answer).unwrap()
}

/// A play in which the sender's events go to `url`.
async fn play_to(url: &str) -> Play {
    let stage = Stage::set().await;
    let action = ConfigSecret::new(format!("{url}/#a-secret-of-the-story"));
    stage.play_with(|one, _| one.organisation[0].hooks[0].action = action).await
}

async fn delivered(play: &Play, id: &str) {
    let sender = play.sender().await;
    until("the document is delivered", async || {
        let (_, status) = sender.timeline(SENDER, id).await;
        (status == "Delivered").then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failing_destination_is_called_again_under_the_same_id() {
    let (destination, door) = Destination::open(&[500, 302, 404]).await;
    let play = play_to(&door.url()).await;
    let id = play.send("HOOK-1").await;
    delivered(&play, &id).await;
    let calls = destination.called(4).await;
    for call in &calls {
        assert_eq!(call.delivery, calls[0].delivery);
        assert_eq!(call.payload["documentId"], id.as_str());
        assert_eq!(call.payload["createdOn"], calls[0].payload["createdOn"]);
    }
    assert_ne!(calls[0].payload["sentOn"], calls[3].payload["sentOn"], "each try has its time");
    assert_ne!(calls[0].signature, calls[3].signature, "and its signature");
    let log = play.sender().await.get("/api/v1/hook/lab/deliveries").await.json;
    let [entry] = log["items"].as_array().unwrap().as_slice() else { panic!("{log}") };
    assert_eq!(entry["id"], calls[0].delivery.as_str(), "{log}");
    assert!(!log.to_string().contains("a-secret-of-the-story"));
    assert_eq!(destination.calls().len(), 4, "not called once more");
}

#[tokio::test(flavor = "multi_thread")]
async fn events_of_a_party_arrive_in_their_order() {
    let (destination, door) = Destination::open(&[503]).await;
    let play = play_to(&door.url()).await;
    let mut ids = Vec::new();
    for number in 0..5 {
        let id = play.send(&format!("ORDER-{number}")).await;
        delivered(&play, &id).await;
        ids.push(id);
    }
    let calls = destination.called(6).await;
    let order: Vec<&str> =
        calls.iter().map(|call| call.payload["documentId"].as_str().unwrap()).collect();
    let mut expected: Vec<&str> = ids.iter().map(String::as_str).collect();
    expected.insert(0, &ids[0]);
    assert_eq!(order, expected, "the first is repeated before the second is told");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_destination_that_is_gone_is_not_called_again() {
    let (destination, door) = Destination::open(&[410]).await;
    let play = play_to(&door.url()).await;
    let first = play.send("GONE-1").await;
    delivered(&play, &first).await;
    destination.called(1).await;
    let sender = play.sender().await;
    until("the hook is switched off", async || {
        let hook = sender.get("/api/v1/hook/lab").await.json;
        (hook["isActive"] == false).then_some(())
    })
    .await;
    let second = play.send("GONE-2").await;
    delivered(&play, &second).await;
    assert_eq!(destination.calls().len(), 1);
}
