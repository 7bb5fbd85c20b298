//! What cannot pass is told once and is not tried again (interface specification 3.3).

use quoin_access_point::clock::Clock;
use quoin_lab::lab::network::{BUSY, LabNetwork, RECEIVER, REFUSING, SENDER, UNREGISTERED, ZONE};
use quoin_peppol::sml::dns_name;
use quoin_store::AttemptOutcome;

use crate::stage::gate::{Act, Gate};
use crate::stage::{Folder, PATIENCE, Play, Stage, unpublish, until};

#[tokio::test(flavor = "multi_thread")]
async fn an_unregistered_recipient_is_told_without_an_attempt() {
    let play = Play::begin().await;
    let invoice = quoin_formats::samples::invoice(SENDER, UNREGISTERED, "NOBODY-1");
    let id = play.send_document(invoice).await;
    let ending = play.ending(&id).await;
    assert_eq!(ending.text("topic"), "InvoiceSentError");
    assert_eq!(ending.payload["details"]["code"], "not-registered");
    let message = ending.text("message");
    assert!(message.contains(UNREGISTERED) && message.contains("NXDOMAIN"), "{message}");
    assert!(play.attempts(&id).await.is_empty());
    assert_eq!(play.times(&id, "InvoiceSentRetry"), 0);
    let (timeline, status) = play.sender().await.timeline(SENDER, &id).await;
    assert_eq!((timeline.last().unwrap().as_str(), status.as_str()), ("Failed", "Failed"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_document_type_that_is_not_registered_is_told_without_an_attempt() {
    let play = Play::begin().await;
    let own = &play.stage.receiver.organisation.parse().unwrap();
    unpublish(&play.two, own, RECEIVER).await;
    let id = play.send("UNKNOWN-TO-SMP-1").await;
    let ending = play.ending(&id).await;
    assert_eq!(ending.text("topic"), "InvoiceSentError");
    assert!(ending.text("message").contains("SMP that does not know it"), "{ending:?}");
    assert!(play.attempts(&id).await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_without_an_smp_is_told_without_an_attempt() {
    let play = Play::begin().await;
    let name = dns_name(&RECEIVER.parse().unwrap(), ZONE);
    play.stage.around.sml.zone.empty(&name).unwrap();
    let id = play.send("EMPTY-1").await;
    let ending = play.ending(&id).await;
    assert_eq!(ending.payload["details"]["code"], "not-registered");
    assert!(ending.text("message").contains("no NAPTR record"), "{ending:?}");
    assert!(play.attempts(&id).await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn c_10_a_status_of_the_callers_fault_is_final() {
    for status in [400, 403, 404, 413] {
        let stage = Stage::set().await;
        let gate = Gate::open(&stage, &stage.two.as4_url, &[Act::Status(status)]).await;
        let play = stage
            .play_with(|_, two| {
                two.smp.endpoint_exceptions.insert(RECEIVER.to_owned(), gate.url.clone());
            })
            .await;
        let id = play.send("REFUSED-1").await;
        let ending = play.ending(&id).await;
        assert_eq!(ending.text("topic"), "InvoiceSentError");
        assert_eq!(ending.payload["details"]["httpStatus"], status.to_string());
        assert!(ending.text("message").contains(&format!("HTTP {status}")), "{ending:?}");
        let attempts = play.attempts(&id).await;
        assert_eq!(attempts.len(), 1);
        assert_eq!(attempts[0].outcome, AttemptOutcome::Never);
        assert_eq!(play.times(&id, "InvoiceSentRetry"), 0);
        assert_eq!(gate.gate.seen().len(), 1);
    }
}

/// The magic recipients of the lab do what is written about them.
#[tokio::test(flavor = "multi_thread")]
async fn the_recipients_of_the_lab_behave_as_written() {
    let folder = Folder::new();
    let network = LabNetwork::start(folder.path(), Clock::default()).await.unwrap();
    let http = network.around.client().unwrap();
    let base = network.one.api.as_ref().unwrap().url();
    let caller = crate::stage::caller::Caller::at(&base, http, &network.sender).await.unwrap();
    let cases = [
        (RECEIVER, "InvoiceSent", 0, 1, ""),
        (BUSY, "InvoiceSent", 2, 3, ""),
        (UNREGISTERED, "InvoiceSentError", 0, 0, "not-registered"),
        (REFUSING, "InvoiceSentError", 0, 1, "NOT-SERVICED"),
    ];
    for (recipient, topic, retries, attempts, code) in cases {
        let id = uuid::Uuid::new_v4().to_string();
        let invoice = quoin_formats::samples::invoice(SENDER, recipient, "MAGIC-1");
        assert_eq!(caller.send(SENDER, &id, invoice).await.status, 200);
        let sink = &network.around.sink;
        let ending = sink.wait_for(PATIENCE, |told| {
            told.text("documentId") == id && told.text("topic") != "InvoiceSentRetry"
        });
        let ending = ending.await.unwrap();
        assert_eq!(ending.text("topic"), topic, "{recipient}: {ending:?}");
        let found = ending.payload["details"]["code"].as_str().unwrap_or_default();
        assert_eq!(found, code, "{recipient}: {ending:?}");
        let told = sink.told();
        let retried = told.iter().filter(|told| {
            told.text("documentId") == id && told.text("topic") == "InvoiceSentRetry"
        });
        assert_eq!(retried.count(), retries, "{recipient}");
        let record = caller.get(&format!("/api/v1/{SENDER}/salesInvoice/{id}")).await;
        assert_eq!(record.json["attempts"], attempts, "{recipient}");
    }
    let delivered = until("both are announced", async || {
        let told = network.around.sink.told();
        let received = told.iter().filter(|told| told.text("topic") == "InvoiceReceived");
        Some(received.count()).filter(|count| *count >= 2)
    });
    assert_eq!(delivered.await, 2, "each delivered once");
    network.stop().await;
}
