//! The main job as a customer sees it: everything over the interface of two whole services.

use std::time::{Duration, Instant};

use quoin_access_point::clock::Clock;
use quoin_lab::lab::network::{LabNetwork, RECEIVER, SENDER, UNREGISTERED};
use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::world::As;

/// How long a step of the service may take before the test gives up.
const PATIENCE: Duration = Duration::from_secs(20);

async fn until(what: &str, mut ask: impl AsyncFnMut() -> Option<Value>) -> Value {
    let started = Instant::now();
    loop {
        if let Some(found) = ask().await {
            return found;
        }
        assert!(started.elapsed() < PATIENCE, "{what}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invoice_is_sent_followed_received_and_downloaded() {
    let folder = std::env::temp_dir().join(format!("quoin-lab-api-{}", std::process::id()));
    let network = LabNetwork::start(&folder, Clock::default()).await.unwrap();
    let url = |door: &Option<quoin_access_point::tls::OpenDoor>| door.as_ref().unwrap().url();
    let (one, two) = (url(&network.one.api), url(&network.two.api));
    let sender = As::fetch(&one, &network.sender.client, &network.sender.secret).await;
    let receiver = As::fetch(&two, &network.receiver.client, &network.receiver.secret).await;

    let ask =
        async |id: &str| sender.get(&format!("/api/v1/queryRecipientParty?identifier={id}")).await;
    let (status, found) = ask(RECEIVER).await;
    assert_eq!((status, &found["channel"]), (200, &json!("peppol")), "{found}");
    assert!(found["accessPoint"]["seatId"].as_str().unwrap().starts_with('P'), "{found}");
    assert!(!found["documentTypeIds"].as_array().unwrap().is_empty());
    let (status, missing) = ask(UNREGISTERED).await;
    assert_eq!((status, &missing["reason"]), (200, &json!("not-registered")), "{missing}");

    let id = Uuid::new_v4().to_string();
    let invoice = quoin_formats::samples::invoice(SENDER, RECEIVER, "INV-API-1");
    let upload = || sender.xml(SENDER, &invoice).header("X-Service-DocumentId", &id);
    assert_eq!(sender.send(upload()).await, (200, json!({ "id": id })));
    let path = format!("/api/v1/{SENDER}/salesInvoice/{id}");
    let sent = until("the invoice is delivered", async || {
        let record = sender.get(&path).await.1;
        (record["status"] == "Delivered").then_some(record)
    })
    .await;
    assert_eq!(sent["number"], "INV-API-1");
    assert_eq!(sender.send(upload()).await.0, 409);

    let list = format!("/api/v1/{RECEIVER}/purchaseInvoice?status=Delivered");
    let page = until("the invoice is there", async || {
        let page = receiver.get(&list).await.1;
        (page["items"].as_array().map(Vec::len) == Some(1)).then_some(page)
    })
    .await;
    let item = &page["items"][0];
    assert_eq!(item["sender"], SENDER);
    let id = item["id"].as_str().unwrap();
    let path = format!("/api/v1/{RECEIVER}/purchaseInvoice/{id}/download");
    let response = receiver.request(Method::GET, &path).send().await.unwrap();
    // The declaration is not part of an envelope's content; everything else is byte for byte.
    let (_, content) = invoice.split_once("?>\n").unwrap();
    assert!(response.bytes().await.unwrap() == content.trim_end());

    let log = until("the hook was called", async || {
        let log = sender.get("/api/v1/hook/lab/deliveries").await.1;
        let topic = |call: &Value| call["topic"] == "InvoiceSent" && call["state"] == "delivered";
        log["items"].as_array().is_some_and(|calls| calls.iter().any(topic)).then_some(log)
    })
    .await;
    let call = log["items"][0]["id"].as_str().unwrap();
    let replay = format!("/api/v1/hook/lab/deliveries/{call}/replay");
    assert_eq!(sender.send(sender.request(Method::POST, &replay)).await.0, 202);
    network.stop().await;
    let _ = std::fs::remove_dir_all(&folder);
}
