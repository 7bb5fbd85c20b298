//! What a client meets besides its documents: limits on requests, packages, languages, help.

use bytes::Bytes;
use futures::future::join_all;
use quoin_delivery::{Direction, DocumentId, Event, Family, RetryPolicy, TaskKind, decide};
use quoin_lab::lab::network::{RECEIVER, SENDER};
use quoin_store::{Completion, NewIncoming, TransactionFacts, Work};
use reqwest::Method;
use serde_json::json;
use uuid::Uuid;

use super::{id, json as post, only};
use crate::stage::Play;
use crate::world::{World, world};

const PARTY: &str = "0106:12345678";

#[tokio::test]
async fn a_client_that_asks_too_often_waits() {
    let world = world().await;
    let slow = world.client("other-slow", "slow-secret").await;
    for left in ["2", "1", "0"] {
        let response = slow.request(Method::GET, "/api/v1/me").send().await.unwrap();
        assert_eq!(response.status(), 200);
        assert_eq!(response.headers()["ratelimit-policy"], "\"client\";q=3;w=60");
        let limit = response.headers()["ratelimit"].to_str().unwrap();
        assert!(limit.starts_with(&format!("\"client\";r={left};t=")), "{limit}");
    }
    let response = slow.request(Method::GET, "/api/v1/me").send().await.unwrap();
    assert_eq!(response.status(), 429);
    let wait: i64 = response.headers()["retry-after"].to_str().unwrap().parse().unwrap();
    assert!((1..=60).contains(&wait), "{wait}");
    // 8: look-ups are unlimited.
    let path = "/api/v1/queryRecipientParty?identifier=0106:44444444";
    assert_eq!(slow.get(path).await.0, 200);
    let path = "/api/v1/peppol/deliveryOption?partyIds=0106:44444444&documentFamily=Invoice";
    for _ in 0..10 {
        assert_eq!(slow.get(path).await.0, 200);
    }
    assert_eq!(slow.get("/api/v1/me").await.1["code"], "API429.Rate");
    assert_eq!(world.acme().await.get("/api/v1/me").await.0, 200, "each client has its own");
    world.clock.advance(jiff::SignedDuration::from_secs(61));
    assert_eq!(slow.get("/api/v1/me").await.0, 200);
}

#[tokio::test]
async fn errors_speak_the_language_of_the_caller() {
    let world = world().await;
    let acme = world.acme().await;
    for (header, value, language, title) in [
        ("accept-language", "en", "en", "There is no such document"),
        ("accept-language", "nl-BE, en;q=0.5", "nl", "Dit document bestaat niet"),
        ("accept-language", "de", "de", "Dieses Dokument gibt es nicht"),
        ("x-service-language", "fr", "fr", "Ce document n'existe pas"),
        ("x-service-language", "pl", "pl", "Nie ma takiego dokumentu"),
        ("accept-language", "ja", "en", "There is no such document"),
    ] {
        let path = format!("/api/v1/{PARTY}/salesInvoice/{}", Uuid::new_v4());
        let request = acme.request(Method::GET, &path).header(header, value);
        let response = request.send().await.unwrap();
        assert_eq!(response.headers()["content-language"], language);
        let bytes = response.bytes().await.unwrap();
        let body: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
        assert_eq!(body["title"], title);
        let english = body["detail"].as_str().unwrap().contains("has no document");
        assert_eq!(english, language == "en", "{body}");
        let message = body["message"].as_str().unwrap();
        assert!(message.starts_with(title) || language == "en", "{message}");
    }
}

#[tokio::test]
async fn every_help_link_leads_to_a_page() {
    let world = world().await;
    for code in quoin_api::http::codes::CODES {
        let url = format!("{}/docs/errors/{}", world.base, code.id);
        let response = world.http.get(url).send().await.unwrap();
        assert_eq!(response.status(), 200, "{}", code.id);
        let page = String::from_utf8(response.bytes().await.unwrap().to_vec()).unwrap();
        assert!(page.starts_with(&format!("# {}: ", code.id)), "{page}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn usage_counts_what_is_delivered_and_statuses_are_free() {
    let play = Play::begin().await;
    let sent = play.send("USED-1").await;
    assert_eq!(play.ending(&sent).await.text("topic"), "InvoiceSent");
    let receiver = play.receiver().await;
    let arrived = only(&receiver, &format!("/api/v1/{RECEIVER}/purchaseInvoice")).await;
    let place =
        format!("/api/v1/{RECEIVER}/purchaseInvoice/{}/response", arrived["id"].as_str().unwrap());
    let response = id(&post(&receiver, Method::POST, &place, json!({ "status": "AP" })).await);
    play.told(&response, &["InvoiceResponseSent"]).await;
    play.told(&sent, &["InvoiceResponseReceived"]).await;
    let wrong = quoin_formats::samples::invoice(SENDER, RECEIVER, "X").replace(">EUR<", ">XXQ<");
    let failed = play.send_document(wrong).await;
    assert_eq!(play.ending(&failed).await.text("topic"), "InvoiceSentError");
    for caller in [&play.sender().await, &receiver] {
        let usage = caller.get("/api/v1/usage").await;
        let month = &usage.json["months"][0];
        assert_eq!((&month["billable"], &month["free"]), (&json!(1), &json!(1)), "{}", usage.json);
        assert_eq!(usage.json["package"]["name"], "unlimited");
    }
    let past = receiver.get("/api/v1/usage?from=2020-01&to=2020-12").await;
    assert_eq!(past.json["months"], json!([]));
    receiver.get("/api/v1/usage?from=2020-13").await.is_problem(400, "API400.Query", "month");
}

/// Lets so many invoices arrive and be looked at.
async fn fill(world: &World, numbers: std::ops::Range<u32>) {
    let store = &world.store;
    let arrive = |number: u32| NewIncoming {
        organisation: "acme".parse().unwrap(),
        party: PARTY.into(),
        document_id: DocumentId::from_uuid(Uuid::now_v7()),
        family: Family::Invoice,
        facts: TransactionFacts::default(),
        envelope_sender: "0208:0123456749".into(),
        message_id: format!("{number}@peer.example"),
        instance_id: format!("instance-{number}"),
        access_point: "POP000002".into(),
        content: Bytes::from(format!("<Invoice>{number}</Invoice>")),
        now: world.clock.now(),
    };
    join_all(numbers.map(|number| store.receive(arrive(number)))).await;
    let lease = jiff::SignedDuration::from_secs(60);
    loop {
        let claims = store
            .claim(&[TaskKind::Prepare, TaskKind::Arrive], world.clock.now(), lease, 500)
            .await
            .unwrap();
        if claims.is_empty() {
            return;
        }
        join_all(claims.into_iter().map(async |claim| {
            let Work::Transaction(record) = store.load(&claim).await.unwrap() else { panic!() };
            let transaction = record.transaction;
            if transaction.direction == Direction::Outgoing {
                return;
            }
            let event = Event::Validated { summary: String::new() };
            let now = world.clock.now();
            let decision = decide(&transaction, &event, &RetryPolicy::default(), now);
            let completion = Completion {
                claim,
                transaction,
                decision,
                facts: TransactionFacts::default(),
                attempt: None,
                report: None,
                now,
            };
            store.commit(completion).await.unwrap();
        }))
        .await;
    }
}

#[tokio::test]
async fn a_full_package_takes_no_more_documents_until_the_next_month() {
    let world = world().await;
    let acme = world.acme().await;
    let owner = "acme".parse().unwrap();
    world.store.put_package(&owner, Some("1K")).await.unwrap();
    fill(&world, 0..999).await;
    let usage = acme.get("/api/v1/usage").await.1;
    assert_eq!(
        usage["package"],
        json!({ "name": "1K", "documents": 1000, "left": 1, "transformation": false })
    );
    assert_eq!(acme.send(acme.xml(PARTY, "<Invoice/>")).await.0, 200);
    // The upload waits for a worker that this world does not have.
    fill(&world, 999..1000).await;
    let (status, body) = acme.send(acme.xml(PARTY, "<Invoice/>")).await;
    assert_eq!((status, &body["code"]), (403, &json!("API403.Package")), "{body}");
    world.clock.advance(jiff::SignedDuration::from_hours(24 * 32));
    let acme = world.acme().await;
    assert_eq!(acme.send(acme.xml(PARTY, "<Invoice/>")).await.0, 200);
}
