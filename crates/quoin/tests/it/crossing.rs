//! An invoice crosses four corners: two whole services, DNS, SMP, TLS and AS4 between them.

use quoin_lab::lab::network::{RECEIVER, SENDER};
use quoin_store::AttemptOutcome;

use crate::stage::{Play, until};

/// Documents above this size lie in files, in bytes.
const INLINE_LIMIT: usize = 100_000;

#[tokio::test(flavor = "multi_thread")]
async fn an_invoice_crosses_four_corners() {
    let play = Play::begin().await;
    let invoice = quoin_formats::samples::invoice(SENDER, RECEIVER, "INV-1");
    let id = play.send_document(invoice.clone()).await;

    let sent = play.ending(&id).await;
    assert_eq!(sent.text("topic"), "InvoiceSent", "{sent:?}");
    assert!(sent.signed, "both signatures of the sender's webhook");
    assert_eq!(sent.text("partyId"), SENDER);
    let detail = |name: &str| sent.payload["details"][name].as_str().unwrap_or_default();
    assert_eq!((detail("sender"), detail("recipient")), (SENDER, RECEIVER));
    assert_eq!((detail("id"), detail("protocol")), ("INV-1", "As4"));
    let record = play.record(&id).await;
    assert_eq!(Some(detail("messageId")), record.message_id.as_deref());

    // The receipt was verified, and is kept as evidence.
    let attempts = play.attempts(&id).await;
    let [attempt] = attempts.as_slice() else { panic!("one attempt: {attempts:?}") };
    assert_eq!(attempt.outcome, AttemptOutcome::Delivered);
    assert!(attempt.receipt_blob.is_some());
    let report = &attempt.report["send"];
    assert_eq!(report["receiptId"].as_str(), Some(detail("returnedMessageId")));
    assert_eq!(report["accessPoint"], "POP000002");
    assert_eq!(report["httpStatus"], 200);

    let (timeline, status) = play.sender().await.timeline(SENDER, &id).await;
    assert_eq!(timeline, ["Pending", "Validated", "Routed", "Delivered"]);
    assert_eq!(status, "Delivered");

    let receiver = play.receiver().await;
    let items = until("the invoice is listed", async || {
        receiver.purchases(RECEIVER).await.ok().filter(|items| !items.is_empty())
    })
    .await;
    let [item] = items.as_slice() else { panic!("one invoice: {items:?}") };
    let arrived = item["id"].as_str().unwrap();
    let received = play.told(arrived, &["InvoiceReceived"]).await;
    assert!(received.signed, "both signatures of the receiver's webhook");
    assert_eq!(received.text("partyId"), RECEIVER);
    assert_ne!(received.delivery, sent.delivery);
    let download = receiver.download(RECEIVER, arrived).await;
    assert_eq!(download.status, 200);
    let bare = invoice.split_once("?>").unwrap().1.trim();
    let got = String::from_utf8(download.body.to_vec()).unwrap();
    assert_eq!(got.trim(), bare, "the document is the same byte by byte");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_large_invoice_crosses_as_well() {
    let play = Play::begin().await;
    let kind = quoin_formats::samples::SampleKind::Invoice;
    let invoice = quoin_formats::samples::document(kind, SENDER, RECEIVER, "LARGE", 1_000);
    assert!(invoice.len() > INLINE_LIMIT, "it lies in a file: {}", invoice.len());
    let id = play.send_document(invoice.clone()).await;
    assert_eq!(play.ending(&id).await.text("topic"), "InvoiceSent");
    let [arrived] = &play.arrived().await[..] else { panic!("one invoice") };
    let got = play.two.parts.store.document(arrived).await.unwrap().unwrap();
    assert!(invoice.trim().ends_with(std::str::from_utf8(&got).unwrap().trim()));
}
