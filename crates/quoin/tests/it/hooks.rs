//! Hooks are registered over HTTP and called over TLS; what arrives verifies.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use aws_lc_rs::hmac;
use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::post;
use bytes::Bytes;
use data_encoding::{BASE64, HEXLOWER};
use jiff::{SignedDuration, Timestamp};
use quoin_access_point::hooks::call;
use quoin_access_point::net::{Guard, HttpClient, HttpSettings};
use quoin_access_point::tls::{Door, DoorLimits, Shutdown, server_tls};
use quoin_delivery::calls::HookAnswer;
use quoin_delivery::{DocumentId, EventId, Topic, TransactionId};
use quoin_lab::lab::pki::LabPki;
use quoin_store::{EventRecord, Hook, HookCall, HookScope, Secret};
use reqwest::Method;
use rustls::pki_types::CertificateDer;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::world::world;

const PARTY: &str = "0106:12345678";
const LIMIT: Duration = Duration::from_secs(10);

#[tokio::test]
async fn hooks_are_registered_shown_without_secret_and_removed() {
    let world = world().await;
    let acme = world.acme().await;
    let body = json!({
        "id": "erp", "name": "ERP", "action": "https://erp.example.org/e#one",
        "topics": ["Invoice*"], "filter": "sender == \"0106:12345678\"",
    });
    for (place, party) in [("/api/v1/hook", Value::Null)] {
        let (status, hook) = acme.json(Method::POST, place, body.clone()).await;
        assert_eq!(status, 200, "{hook}");
        assert_eq!(hook["action"], "https://erp.example.org/e");
        assert_eq!((&hook["hasSecret"], &hook["partyId"]), (&json!(true), &party));
    }
    let (owner, id) = ("acme".parse().unwrap(), "erp".parse().unwrap());
    let mut again = body.clone();
    again["action"] = json!("https://erp.example.org/e#two");
    assert_eq!(acme.json(Method::PUT, "/api/v1/hook", again).await.0, 200);
    let stored = world.store.hook(&owner, &HookScope::Environment, &id).await.unwrap().unwrap();
    let secrets: Vec<&str> = stored.secrets.iter().map(Secret::reveal).collect();
    assert_eq!(secrets, ["two", "one"], "the old one stays for the rotation");

    let party_place = format!("/api/v1/{PARTY}/hook");
    let no_id = json!({ "action": "https://erp.example.org/p", "topics": ["InvoiceSent"] });
    let (_, hook) = acme.json(Method::POST, &party_place, no_id).await;
    assert_eq!(hook["partyId"], PARTY);
    assert_eq!(acme.get(&party_place).await.1.as_array().unwrap().len(), 1);
    let (_, here) = acme.get("/api/v1/hook").await;
    let ids: Vec<&str> =
        here.as_array().unwrap().iter().map(|h| h["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["peppol", "erp", "events"], "the network's hook is there by itself");

    let (status, log) = acme.get("/api/v1/hook/erp/deliveries").await;
    assert_eq!((status, &log["items"]), (200, &json!([])));
    let missing = acme.request(Method::POST, "/api/v1/hook/erp/deliveries/x/replay");
    assert_eq!(acme.send(missing).await.0, 404);
    let remove = || acme.request(Method::DELETE, "/api/v1/hook/erp");
    assert_eq!(acme.send(remove()).await.0, 204);
    assert_eq!(acme.send(remove()).await.1["code"], "API404.Hook");
}

#[tokio::test]
async fn hooks_that_cannot_work_are_refused() {
    let world = world().await;
    let acme = world.acme().await;
    let hook = |action: &str, topic: &str| json!({ "action": action, "topics": [topic] });
    for (body, code) in [
        (hook("http://erp.example.org/", "Invoice*"), "API400.Hook"),
        (hook("https://127.0.0.1/", "Invoice*"), "API400.Hook"),
        (hook("https://169.254.169.254/latest", "Invoice*"), "API400.Hook"),
        (hook("mailto:a@example.org", "Invoice*"), "API400.Hook"),
        (hook("batch://zip?period=1", "Invoice*"), "API400.Hook"),
        (hook("batch://zip", "HookSent"), "API400.Hook"),
        (hook("peppol", "Send*"), "API400.Hook"),
        (hook("sftp://erp.example.org/", "Send*"), "API400.Hook"),
        (hook("https://erp.example.org/", "Invoise"), "API400.Hook"),
        (json!({ "action": "https://erp.example.org/", "topics": [] }), "API400.Hook"),
        (json!({ "topics": ["InvoiceSent"] }), "API400.Hook"),
        (json!([]), "API400.Json"),
    ] {
        let (status, answer) = acme.json(Method::POST, "/api/v1/hook", body.clone()).await;
        assert_eq!((status, &answer["code"]), (400, &json!(code)), "{body}");
    }
}

type Seen = Arc<Mutex<Vec<(HeaderMap, Bytes)>>>;

async fn receiver(seen: &Seen) -> (String, HttpClient) {
    async fn take(State(seen): State<Seen>, headers: HeaderMap, body: Bytes) -> Response {
        seen.lock().unwrap().push((headers, body));
        "thanks".repeat(1000).into_response()
    }
    let busy = async || (StatusCode::TOO_MANY_REQUESTS, [("retry-after", "120")], "busy");
    let slow = async || tokio::time::sleep(Duration::from_secs(5)).await;
    let routes = Router::new()
        .route("/ok", post(take))
        .route("/busy", post(busy))
        .route("/gone", post(async || StatusCode::GONE))
        .route("/moved", post(async || Redirect::temporary("/ok")))
        .route("/slow", post(slow))
        .with_state(seen.clone());
    let pki = LabPki::generate("http://127.0.0.1:1", Timestamp::now()).unwrap();
    let leaf = pki.server(&["127.0.0.1"]).unwrap();
    let tls = server_tls(leaf.certificate_pem.as_bytes(), leaf.key_pem.as_bytes()).unwrap();
    let address = "127.0.0.1:0".parse().unwrap();
    let limits = DoorLimits::default();
    let door = Door { name: "erp", address, tls: Some(tls), limits };
    let open = door.open(routes, Shutdown::default()).await.unwrap();
    let client = HttpClient::new(&HttpSettings {
        extra_roots: vec![CertificateDer::from(pki.tls.der().to_vec())],
        guard: Guard { any_address: true, ..Guard::default() },
        ..HttpSettings::default()
    });
    (open.url(), client.unwrap())
}

fn owed(action: &str) -> HookCall {
    let now = Timestamp::now();
    HookCall {
        id: "0192f0c1-0000-7000-8000-000000000001".into(),
        hook: Hook {
            organisation: "acme".parse().unwrap(),
            id: "erp".parse().unwrap(),
            key: "erp".parse().unwrap(),
            scope: HookScope::Environment,
            name: String::new(),
            action: action.into(),
            secrets: vec![Secret::new("new"), Secret::new("old")],
            topics: Vec::new(),
            output: Vec::new(),
            publish_topics: Vec::new(),
            filter: None,
            init: Value::Null,
            sealed: Default::default(),
            is_active: true,
            created_on: now,
            changed_on: now,
            rotated_on: Some(now),
            failing_since: None,
        },
        event: EventRecord {
            seq: EventId(1),
            number: 1,
            origin: None,
            depth: 0,
            id: Uuid::now_v7().to_string(),
            organisation: "acme".parse().unwrap(),
            party: PARTY.into(),
            party_id: PARTY.into(),
            topic: Topic::INVOICE_SENT,
            transaction: Some(TransactionId::from_uuid(Uuid::now_v7())),
            document_id: DocumentId::from_uuid(Uuid::now_v7()),
            message: "delivered".into(),
            details: [("protocol".to_owned(), "As4".to_owned())].into(),
            created_on: now,
        },
        reached: Vec::new(),
        tries: 0,
    }
}

#[tokio::test]
async fn a_call_carries_both_signatures_over_the_raw_body() {
    let seen = Seen::default();
    let (base, client) = receiver(&seen).await;
    let now = Timestamp::now();
    let owed = owed(&format!("{base}/ok"));
    for at in [now, now + SignedDuration::from_secs(5)] {
        let tried = call(&client, &owed, "X-Service-", at, LIMIT).await;
        assert_eq!(tried.answer, HookAnswer::Http { status: 200, retry_after: None });
        assert_eq!(tried.tried.status, Some(200));
        assert_eq!(tried.tried.response.len(), 1000, "the answer is cut");
    }
    let seen = seen.lock().unwrap();
    for (headers, body) in seen.iter() {
        let text = |name: &str| headers[name].to_str().unwrap().to_owned();
        let mac = |secret: &str, data: &[u8]| {
            let key = hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes());
            hmac::sign(&key, data).as_ref().to_vec()
        };
        let expected = format!("sha256={}", HEXLOWER.encode(&mac("new", body)));
        assert_eq!(text("x-service-signature"), expected);
        let signed =
            [format!("{}.{}.", text("webhook-id"), text("webhook-timestamp")).as_bytes(), body]
                .concat();
        let one = |secret: &str| format!("v1,{}", BASE64.encode(&mac(secret, &signed)));
        assert_eq!(text("webhook-signature"), format!("{} {}", one("new"), one("old")));
        assert_eq!(text("webhook-id"), owed.id);
        let payload: Value = serde_json::from_slice(body).unwrap();
        assert_eq!((&payload["topic"], &payload["hookId"]), (&json!("InvoiceSent"), &json!("erp")));
        assert_eq!(payload["details"]["protocol"], "As4");
    }
    let sent_on = |n: usize| serde_json::from_slice::<Value>(&seen[n].1).unwrap()["sentOn"].clone();
    assert_ne!(sent_on(0), sent_on(1), "each try has its own time");
}

#[tokio::test]
async fn other_answers_are_told_as_they_are() {
    let seen = Seen::default();
    let (base, client) = receiver(&seen).await;
    let now = Timestamp::now();
    let wait = Some(SignedDuration::from_secs(120));
    for (path, status, retry_after) in
        [("busy", 429, wait), ("gone", 410, None), ("moved", 307, None), ("none", 404, None)]
    {
        let owed = owed(&format!("{base}/{path}"));
        let tried = call(&client, &owed, "X-Service-", now, LIMIT).await;
        assert_eq!(tried.answer, HookAnswer::Http { status, retry_after }, "{path}");
    }
    let slow = owed(&format!("{base}/slow"));
    let tried = call(&client, &slow, "X-Service-", now, Duration::from_millis(200)).await;
    assert!(matches!(tried.answer, HookAnswer::None { .. }), "{tried:?}");
    assert!(tried.tried.error.unwrap().contains("no answer within"));
    assert!(seen.lock().unwrap().is_empty(), "the redirect was not followed");
}
