//! Orders over four corners: sent, answered, cancelled.

use quoin_formats::samples;
use quoin_lab::lab::network::{RECEIVER, SENDER};
use reqwest::Method;
use serde_json::json;

use super::{id, json as post, only, xml};
use crate::stage::Play;

const SEND: &str = "/api/v1/0106:12345678/purchaseOrder/send";

#[tokio::test(flavor = "multi_thread")]
async fn an_order_is_sent_answered_and_cancelled() {
    let play = Play::begin().await;
    let (buyer, seller) = (play.sender().await, play.receiver().await);
    let sent = id(&xml(&buyer, SEND, samples::order(SENDER, RECEIVER, "O-1")).await);
    let told = play.told(&sent, &["OrderSent", "OrderSentError"]).await;
    assert_eq!(told.text("topic"), "OrderSent", "{told:?}");
    assert_eq!(told.payload["details"]["id"], "O-1");
    let arrived = only(&seller, &format!("/api/v1/{RECEIVER}/salesOrder")).await;
    let place = format!("/api/v1/{RECEIVER}/salesOrder/{}", arrived["id"].as_str().unwrap());
    assert_eq!((&arrived["number"], &arrived["sender"]), (&json!("O-1"), &json!(SENDER)));
    let download = seller.get(&format!("{place}/download")).await;
    assert!(String::from_utf8_lossy(&download.body).contains("<cbc:ID>O-1</cbc:ID>"));
    assert_eq!(
        seller.get(&format!("{place}/status")).await.headers["x-service-status"],
        "Delivered"
    );

    let body = json!({ "status": "ConditionallyAccepted", "note": "Nails later." });
    let answer = id(&post(&seller, Method::POST, &format!("{place}/response"), body).await);
    let told = play.told(&answer, &["OrderSent", "OrderSentError"]).await;
    assert_eq!(told.text("topic"), "OrderSent", "{told:?}");
    let status = seller.get(&format!("{place}/response/{answer}/status")).await;
    assert_eq!(status.headers["x-service-status"], "Delivered", "{}", status.json);
    // Below another document, or as the answer to it, nothing is told of any document.
    for path in [
        format!("/api/v1/{RECEIVER}/salesOrder/{sent}/response/{answer}/status"),
        format!("{place}/response/{sent}/status"),
    ] {
        assert_eq!(seller.get(&path).await.status, 404, "{path}");
    }
    let told = play.told(&sent, &["OrderReceived"]).await;
    assert_eq!(told.payload["details"]["statusCode"], "CA");
    let order = format!("/api/v1/{SENDER}/purchaseOrder/{sent}");
    let came = only(&buyer, &format!("{order}/response")).await;
    assert_eq!((&came["status"], &came["note"]), (&json!("CA"), &json!("Nails later.")));
    let path = format!("{order}/response/{}/download", came["id"].as_str().unwrap());
    let message = String::from_utf8(buyer.get(&path).await.body.to_vec()).unwrap();
    assert_eq!(message.matches("<cac:OrderLine>").count(), 2, "CA repeats the lines: {message}");

    let body = json!({ "cancellationNote": "Ordered twice." });
    let cancelled = id(&post(&buyer, Method::POST, &format!("{order}/cancel"), body).await);
    assert_eq!(
        play.told(&cancelled, &["OrderSent", "OrderSentError"]).await.text("topic"),
        "OrderSent"
    );
    // It is cancelled once; the same request, repeated, is the same cancellation.
    let again = json!({ "cancellationNote": "Ordered twice." });
    let twice = post(&buyer, Method::POST, &format!("{order}/cancel"), again).await;
    twice.is_problem(409, "API409.Status", &cancelled);
    assert_eq!(
        seller.call(Method::DELETE, &place, &[], None::<bytes::Bytes>).await.unwrap().status,
        204
    );
    let left = only(&seller, &format!("/api/v1/{RECEIVER}/salesOrder")).await;
    assert!(left["sourceDocumentTypeId"].as_str().unwrap().contains("OrderCancellation"), "{left}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_order_is_refused_as_one() {
    let play = Play::begin().await;
    let buyer = play.sender().await;
    let invoice = samples::invoice(SENDER, RECEIVER, "F-1");
    let sent = id(&xml(&buyer, SEND, invoice).await);
    let told = play.told(&sent, &["OrderSent", "OrderSentError"]).await;
    assert_eq!(told.text("topic"), "OrderSentError");
    assert!(told.text("message").contains("uploaded as Order, and it is Invoice"), "{told:?}");
    let cancel = format!("/api/v1/{SENDER}/purchaseOrder/{sent}/cancel");
    let note = json!({ "cancellationNote": "Ordered twice." });
    let nothing = post(&buyer, Method::POST, &cancel, note).await;
    nothing.is_problem(409, "API409.Status", "it was not delivered");
    let order = id(&xml(
        &buyer,
        &SEND.replace("purchaseOrder", "salesInvoice"),
        samples::order(SENDER, RECEIVER, "O-2"),
    )
    .await);
    assert_eq!(play.ending(&order).await.text("topic"), "InvoiceSentError");
}

#[tokio::test(flavor = "multi_thread")]
async fn bodies_that_are_wrong_say_what_is_expected() {
    let play = Play::begin().await;
    let (buyer, seller) = (play.sender().await, play.receiver().await);
    let sent = id(&xml(&buyer, SEND, samples::order(SENDER, RECEIVER, "O-3")).await);
    let cancel = format!("/api/v1/{SENDER}/purchaseOrder/{sent}/cancel");
    let empty = json!({ "cancellationNote": " " });
    post(&buyer, Method::POST, &cancel, empty).await.is_problem(400, "API400.Json", "why");
    let arrived = only(&seller, &format!("/api/v1/{RECEIVER}/salesOrder")).await;
    let path =
        format!("/api/v1/{RECEIVER}/salesOrder/{}/response", arrived["id"].as_str().unwrap());
    let wrong = post(&seller, Method::POST, &path, json!({ "status": "IP" })).await;
    wrong.is_problem(400, "API400.Json", "expected one of AB, AP, CA, RE");
}
