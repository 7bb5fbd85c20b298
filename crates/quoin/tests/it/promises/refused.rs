//! A document that was refused is found by what it says of itself (item 8).

use quoin_lab::lab::network::{RECEIVER, SENDER};
use reqwest::Method;

use crate::stage::Play;

#[tokio::test(flavor = "multi_thread")]
async fn a_8_a_refused_document_keeps_number_sender_and_recipient() {
    let play = Play::begin().await;
    let broken = quoin_formats::samples::invoice(SENDER, RECEIVER, "A-8").replace("EUR", "EUX");
    let id = play.send_document(broken.clone()).await;
    let ending = play.ending(&id).await;
    assert_eq!(ending.text("topic"), "InvoiceSentError", "{ending:?}");
    let details = &ending.payload["details"];
    assert_eq!(details["sender"], SENDER, "{details}");
    assert_eq!(details["recipient"], RECEIVER, "{details}");
    assert_eq!(details["id"], "A-8", "{details}");
    assert!(details["sourceDocumentTypeId"].as_str().unwrap().contains("Invoice-2::Invoice"));
    let transaction = play.record(&id).await.transaction;
    assert_eq!(transaction.number.as_deref(), Some("A-8"));
    assert_eq!(transaction.sender.as_deref(), Some(SENDER));
    assert_eq!(transaction.receiver.as_deref(), Some(RECEIVER));
    // In the list, and found by the filters of the list.
    let sender = play.sender().await;
    let path = format!("/api/v1/{SENDER}/salesInvoice?counterparty={RECEIVER}&number=A-8");
    let listed = sender.get(&path).await.json.to_string();
    assert!(listed.contains(&id), "{listed}");
    // The dry run says the same.
    let path = format!("/api/v1/{SENDER}/salesInvoice/sendDryRun");
    let headers = [("content-type", "application/xml")];
    let run = sender.call(Method::POST, &path, &headers, Some(broken)).await.unwrap().json;
    assert_eq!(run["verdict"], "rejected", "{run}");
    assert_eq!(run["number"], "A-8", "{run}");
    assert_eq!((&run["sender"], &run["recipient"]), (&SENDER.into(), &RECEIVER.into()), "{run}");
}
