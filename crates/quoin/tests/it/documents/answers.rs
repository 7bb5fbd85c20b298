//! Invoice Responses over four corners (interface specification 2.6, 3.2, 4.7, 4.8).

use quoin_lab::lab::network::{RECEIVER, SENDER};
use reqwest::Method;
use serde_json::json;

use super::{id, json as post, only};
use crate::stage::Play;

/// An invoice that arrived: its id at the sender and at the receiver.
async fn invoice(play: &Play) -> (String, String) {
    let sent = play.send("ANSWERED-1").await;
    assert_eq!(play.ending(&sent).await.text("topic"), "InvoiceSent");
    let receiver = play.receiver().await;
    let arrived = only(&receiver, &format!("/api/v1/{RECEIVER}/purchaseInvoice")).await;
    (sent, arrived["id"].as_str().unwrap().to_owned())
}

fn place(arrived: &str) -> String {
    format!("/api/v1/{RECEIVER}/purchaseInvoice/{arrived}/response")
}

#[tokio::test(flavor = "multi_thread")]
async fn r4_7_an_invoice_response_reaches_the_sender_and_is_linked() {
    let play = Play::begin().await;
    let (sent, arrived) = invoice(&play).await;
    let receiver = play.receiver().await;
    let body = json!({ "status": "Reject", "reasons": { "REF": "no order number" },
                       "actions": { "NIN": null }, "note": "see our terms" });
    let response = id(&post(&receiver, Method::POST, &place(&arrived), body).await);
    let told = play.told(&response, &["InvoiceResponseSent", "InvoiceResponseSentError"]).await;
    assert_eq!(told.text("topic"), "InvoiceResponseSent", "{told:?}");
    assert_eq!(told.text("responseDocumentId"), response);
    assert_eq!(told.payload["details"]["answeredDocumentId"], arrived);

    // The event names both: the invoice and the response.
    let told = play.told(&sent, &["InvoiceResponseReceived"]).await;
    let received = told.text("responseDocumentId").to_owned();
    assert_ne!(received, sent);
    assert_eq!(told.payload["details"]["statusCode"], "RE");
    assert_eq!(told.text("partyId"), SENDER);

    let sender = play.sender().await;
    let list = only(&sender, &format!("/api/v1/{SENDER}/salesInvoice/{sent}/response")).await;
    assert_eq!((list["id"].as_str(), &list["status"]), (Some(&*received), &json!("RE")));
    assert_eq!(list["statusName"], "Reject");
    assert_eq!(list["clarifications"][0]["text"], "no order number");
    assert_eq!(
        (&list["clarifications"][1]["code"], &list["note"]),
        (&json!("NIN"), &json!("see our terms"))
    );

    // 4.8: the message itself.
    let path = format!("/api/v1/{SENDER}/salesInvoice/{sent}/response/{received}/download");
    let message = sender.get(&path).await;
    let text = String::from_utf8(message.body.to_vec()).unwrap();
    assert!(text.contains("<cbc:ResponseCode>RE</cbc:ResponseCode>"), "{text}");
    assert!(text.contains("<cbc:ID>ANSWERED-1</cbc:ID>"), "{text}");
    let headers = [("accept", "application/json")];
    let says = sender.call(Method::GET, &path, &headers, None::<bytes::Bytes>).await.unwrap();
    assert_eq!(says.json["status"], "RE");

    // What the receiver gave, and how far it is.
    let given = receiver.get(&place(&arrived)).await;
    assert_eq!(given.json[0]["deliveryStatus"], "Delivered");
    let status = receiver.get(&format!("{}/{response}/status", place(&arrived))).await;
    assert_eq!(status.headers["x-service-status"], "Delivered");
}

#[tokio::test(flavor = "multi_thread")]
async fn r3_2_the_order_of_states_is_kept_and_told() {
    let play = Play::begin().await;
    let (_, arrived) = invoice(&play).await;
    let receiver = play.receiver().await;
    let give = async |body| post(&receiver, Method::POST, &place(&arrived), body).await;
    for status in ["AB", "IP", "AP"] {
        id(&give(json!({ "status": status })).await);
    }
    let back = give(json!({ "status": "UQ", "clarificationCode": "PRI" })).await;
    back.is_problem(409, "API409.Status", "AB, IP, UQ");
    id(&give(json!({ "status": "RE", "clarificationCode": "REF", "actionCode": "CNF" })).await);
    let after = give(json!({ "status": "PD" })).await;
    after.is_problem(409, "API409.Status", "final");
    let listed = receiver.get(&place(&arrived)).await;
    assert_eq!(listed.json.as_array().unwrap().len(), 4, "what was refused is not stored");
}

#[tokio::test(flavor = "multi_thread")]
async fn r3_2_any_order_where_the_operator_allows_it() {
    let play = crate::stage::Stage::set()
        .await
        .play_with(|_, two| {
            two.documents.invoice_response_order = quoin_delivery::responses::ResponseOrder::Any;
        })
        .await;
    let (_, arrived) = invoice(&play).await;
    let receiver = play.receiver().await;
    for status in ["AP", "AB"] {
        id(&post(&receiver, Method::POST, &place(&arrived), json!({ "status": status })).await);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn r4_7_requires_the_capability_invoice_response() {
    let play = crate::stage::Stage::set()
        .await
        .play_with(|_, two| {
            for party in &mut two.organisation[0].parties {
                party.capabilities.insert("invoiceResponse".into(), "off".into());
            }
        })
        .await;
    let (_, arrived) = invoice(&play).await;
    let receiver = play.receiver().await;
    let answer = post(&receiver, Method::POST, &place(&arrived), json!({ "status": "AP" })).await;
    answer.is_problem(403, "API403.Capability", "invoiceResponse");
}

#[tokio::test(flavor = "multi_thread")]
async fn r6_7_a_sender_without_the_capability_gets_no_responses() {
    let play = crate::stage::Stage::set()
        .await
        .play_with(|one, _| {
            for party in &mut one.organisation[0].parties {
                party.capabilities.insert("invoiceResponse".into(), "off".into());
            }
        })
        .await;
    let (sent, arrived) = invoice(&play).await;
    let receiver = play.receiver().await;
    let response =
        id(&post(&receiver, Method::POST, &place(&arrived), json!({ "status": "AP" })).await);
    let told = play.told(&response, &["InvoiceResponseSent", "InvoiceResponseSentError"]).await;
    assert_eq!(told.text("topic"), "InvoiceResponseSentError");
    assert_eq!(told.payload["details"]["code"], "unsupported-document-type");
    assert!(told.text("message").contains(" It takes: Peppol "), "{told:?}");
    assert_eq!(play.times(&sent, "InvoiceResponseReceived"), 0);
    // It said nothing to anybody: the same state may be given again.
    let again = post(&receiver, Method::POST, &place(&arrived), json!({ "status": "AP" })).await;
    assert_eq!(again.status, 200, "{}", again.json);
}

#[tokio::test(flavor = "multi_thread")]
async fn r2_6_bodies_that_are_wrong_say_what_is_expected() {
    let play = Play::begin().await;
    let (_, arrived) = invoice(&play).await;
    let receiver = play.receiver().await;
    let give = async |body| post(&receiver, Method::POST, &place(&arrived), body).await;
    give(json!({ "status": "XX" })).await.is_problem(400, "API400.Json", "expected one of AB");
    let part = json!({ "status": "PD", "clarificationCode": "PPD" });
    give(part).await.is_problem(400, "API400.Json", "what was paid");
    give(json!({})).await.is_problem(400, "API400.Json", "status");
    let nobody = place("0192f0c1-2b3c-7d4e-8f90-a1b2c3d4e5f6");
    let missing = post(&receiver, Method::POST, &nobody, json!({ "status": "AP" })).await;
    missing.is_problem(404, "API404", "no document");
    let mine = format!("{}/nothing/status", place(&arrived));
    assert_eq!(receiver.get(&mine).await.status, 400);
}

/// The answer to it is told where its `Location` said, also once the invoice is deleted; what was
/// sent is deleted nowhere, and it is said what it is.
#[tokio::test(flavor = "multi_thread")]
async fn an_answer_outlives_what_it_answers() {
    let play = Play::begin().await;
    let (sent, arrived) = invoice(&play).await;
    let (sender, receiver) = (play.sender().await, play.receiver().await);
    let given = post(&receiver, Method::POST, &place(&arrived), json!({ "status": "AP" })).await;
    let location = given.headers["location"].to_str().unwrap().to_owned();
    let path = &location[location.find("/api/").unwrap()..];
    let answer = given.json["id"].as_str().unwrap();
    play.told(answer, &["InvoiceResponseSent", "InvoiceResponseSentError"]).await;
    let gone = format!("/api/v1/{RECEIVER}/purchaseInvoice/{arrived}");
    let removed = receiver.call(Method::DELETE, &gone, &[], None::<bytes::Bytes>).await.unwrap();
    assert_eq!(removed.status, 204);
    let told = receiver.get(path).await;
    assert_eq!(told.status, 200, "{path}: {}", told.json);
    assert_eq!(told.headers["x-service-status"], "Delivered");
    assert_eq!(receiver.get(&gone).await.status, 404);
    let kept = format!("/api/v1/{SENDER}/generic/{sent}");
    let kept = sender.call(Method::DELETE, &kept, &[], None::<bytes::Bytes>).await.unwrap();
    kept.is_problem(404, "API404", "is one that was sent (Invoice)");
}

/// 6.6: a corrected invoice is a new document, and idempotency works per document id.
#[tokio::test(flavor = "multi_thread")]
async fn r6_6_a_response_id_is_taken_once() {
    let play = Play::begin().await;
    let (_, arrived) = invoice(&play).await;
    let receiver = play.receiver().await;
    let own = uuid::Uuid::new_v4().to_string();
    let headers = [("content-type", "application/json"), ("x-service-documentid", own.as_str())];
    for (status, body) in [(200, r#"{"status":"AB"}"#), (409, r#"{"status":"IP"}"#)] {
        let answer =
            receiver.call(Method::POST, &place(&arrived), &headers, Some(body)).await.unwrap();
        assert_eq!((answer.status, answer.json["id"].as_str()), (status, Some(&*own)));
    }
}
