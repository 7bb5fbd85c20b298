//! Advanced ordering over four corners: orders that are changed and cancelled, each answered in its
//! process, linked to its order and held to what was said before.

use quoin_formats::samples;
use quoin_lab::lab::network::{RECEIVER, SENDER};
use reqwest::Method;
use serde_json::{Value, json};

use super::{id, json as post, xml};
use crate::stage::caller::{Answered, Caller};
use crate::stage::{Play, Stage, until};

const SEND: &str = "/api/v1/0106:12345678/purchaseOrder/send";
const ORDERING: &str = "urn:fdc:peppol.eu:poacc:bis:ordering:3";
const ADVANCED: &str = "urn:fdc:peppol.eu:poacc:bis:advanced_ordering:3";
const ORDER_ONLY: &str = "urn:fdc:peppol.eu:poacc:bis:order_only:3";

/// An order of a process.
fn order(number: &str, process: &str) -> String {
    samples::order(SENDER, RECEIVER, number).replace(ORDERING, process)
}

/// The change of an order.
fn change(number: &str, of: &str) -> String {
    order(number, ADVANCED)
        .replace("Order-2\"", "OrderChange-2\"")
        .replace("<Order ", "<OrderChange ")
        .replace("</Order>", "</OrderChange>")
        .replace("trns:order:3", "trns:order_change:3")
        .replace(
            "<cbc:DocumentCurrencyCode>",
            "<cbc:SequenceNumberID>1</cbc:SequenceNumberID><cbc:DocumentCurrencyCode>",
        )
        .replace(
            "<cac:BuyerCustomerParty>",
            &format!(
                "<cac:OrderReference><cbc:ID>{of}</cbc:ID></cac:OrderReference>\
                 <cac:BuyerCustomerParty>"
            ),
        )
        .replace("<cbc:Quantity", "<cbc:LineStatusCode>3</cbc:LineStatusCode><cbc:Quantity")
}

/// The document of this number that came to the seller.
async fn came(seller: &Caller, number: &str) -> String {
    let path = format!("/api/v1/{RECEIVER}/salesOrder?number={number}");
    until("it came", async || {
        let found = seller.get(&path).await.json["items"][0].clone();
        (found["status"] == "Delivered").then(|| found["id"].as_str().unwrap().to_owned())
    })
    .await
}

async fn respond(seller: &Caller, to: &str, body: Value) -> Answered {
    let path = format!("/api/v1/{RECEIVER}/salesOrder/{to}/response");
    post(seller, Method::POST, &path, body).await
}

/// An answer that is taken and delivered: its text, and the event that tells so.
async fn answered(play: &Play, to: &str, body: Value) -> (String, Value) {
    let seller = play.receiver().await;
    let answer = id(&respond(&seller, to, body).await);
    let told = play.told(&answer, &["OrderSent", "OrderSentError"]).await;
    assert_eq!(told.text("topic"), "OrderSent", "{told:?}");
    let path = format!("/api/v1/{RECEIVER}/generic/{answer}/download");
    let text = String::from_utf8(seller.get(&path).await.body.to_vec()).unwrap();
    (text, told.payload["details"].clone())
}

/// The names of the lines on the timeline of a document, once there are so many of this one.
async fn lines(caller: &Caller, place: &str, name: &str, count: usize) -> Vec<Value> {
    until(name, async || {
        let lines = caller.get(&format!("{place}/status")).await.json.as_array()?.clone();
        let found: Vec<Value> = lines.into_iter().filter(|line| line["name"] == name).collect();
        (found.len() == count).then_some(found)
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_answered_is_answered_in_its_process() {
    // The buyer takes answers of advanced ordering alone.
    let play = Stage::set()
        .await
        .play_with(|one, _| {
            for party in &mut one.organisation[0].parties {
                party.capabilities.insert("orderResponse".into(), "off".into());
                party.capabilities.insert("orderResponseAdvanced".into(), "on".into());
            }
        })
        .await;
    let (buyer, seller) = (play.sender().await, play.receiver().await);
    let sent = id(&xml(&buyer, SEND, order("O-1", ADVANCED)).await);
    let arrived = came(&seller, "O-1").await;
    let (text, details) = answered(&play, &arrived, json!({ "status": "AP" })).await;
    assert!(text.contains("trns:order_response_advanced:3<") && text.contains(ADVANCED), "{text}");
    assert!(text.contains("<cac:OrderReference>\n    <cbc:ID>O-1<"), "{text}");
    assert!(!text.contains("OrderChangeDocumentReference"), "{text}");
    let kind = details["targetDocumentTypeId"].as_str().unwrap();
    assert!(kind.ends_with("order_response_advanced:3::2.3"), "{details}");

    let changed = id(&xml(&buyer, SEND, change("C-1", "O-1")).await);
    let told = play.told(&changed, &["OrderSent", "OrderSentError"]).await;
    assert_eq!(told.text("topic"), "OrderSent", "{told:?}");
    let change_came = came(&seller, "C-1").await;
    let told = play.told(&change_came, &["OrderReceived"]).await;
    assert_eq!(told.payload["details"]["answeredDocumentId"], arrived, "{told:?}");
    assert!(told.payload.get("responseDocumentId").is_none(), "{told:?}");
    let at_seller = format!("/api/v1/{RECEIVER}/salesOrder/{arrived}");
    let line = lines(&seller, &at_seller, "Changed", 1).await;
    assert!(line[0]["description"].as_str().unwrap().contains(&change_came), "{line:?}");

    let body = json!({ "status": "CA", "note": "Nails on Friday." });
    let (text, _) = answered(&play, &change_came, body).await;
    assert!(text.contains("trns:order_response_advanced:3<") && text.contains(ADVANCED), "{text}");
    assert!(text.contains("<cac:OrderReference>\n    <cbc:ID>O-1<"), "{text}");
    assert!(text.contains("<cac:OrderChangeDocumentReference>\n    <cbc:ID>C-1<"), "{text}");
    assert_eq!(text.matches("<cac:OrderLine>").count(), 2, "{text}");
    // It is told under the change, and on the timelines of both.
    let told = play.told(&changed, &["OrderReceived"]).await;
    assert_eq!(told.payload["details"]["statusCode"], "CA", "{told:?}");
    assert_eq!(told.payload["details"]["answeredDocumentId"], sent, "{told:?}");
    let list = buyer.get(&format!("/api/v1/{SENDER}/purchaseOrder/{changed}/response")).await;
    assert_eq!(list.json[0]["status"], "CA", "{}", list.json);
    let of = |document: &str| format!("/api/v1/{SENDER}/purchaseOrder/{document}");
    lines(&buyer, &of(&changed), "Answered", 1).await;
    let said = lines(&buyer, &of(&sent), "Answered", 2).await;
    assert!(said[0]["description"].as_str().unwrap().contains("answered AP"), "{said:?}");

    // An order of ordering is answered by the other transaction in its own process: no answer of
    // advanced ordering, which is all that this buyer takes, is made of it.
    xml(&buyer, SEND, order("O-2", ORDERING)).await;
    let ordinary = came(&seller, "O-2").await;
    let answer = id(&respond(&seller, &ordinary, json!({ "status": "AP" })).await);
    let told = play.told(&answer, &["OrderSent", "OrderSentError"]).await;
    assert_eq!(told.text("topic"), "OrderSentError", "{told:?}");
    let message = told.text("message");
    assert!(
        message.contains("another process of business") && message.contains(ADVANCED),
        "{told:?}"
    );
    let kind = told.payload["details"]["sourceDocumentTypeId"].as_str().unwrap();
    assert!(kind.ends_with("order_response:3::2.1"), "{told:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_without_an_answer_in_its_process_is_not_answered() {
    let play = Play::begin().await;
    let (buyer, seller) = (play.sender().await, play.receiver().await);
    xml(&buyer, SEND, order("O-1", ORDER_ONLY)).await;
    let arrived = came(&seller, "O-1").await;
    let refused = respond(&seller, &arrived, json!({ "status": "AP" })).await;
    refused.is_problem(400, "API400.Unanswerable", ORDER_ONLY);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_does_not_contradict_the_one_before() {
    let play = Play::begin().await;
    let (buyer, seller) = (play.sender().await, play.receiver().await);
    xml(&buyer, SEND, order("O-1", ORDERING)).await;
    let arrived = came(&seller, "O-1").await;
    let give = async |status: &str| respond(&seller, &arrived, json!({ "status": status })).await;
    id(&give("CA").await);
    give("AB").await.is_problem(409, "API409.Status", "expected one of AP, CA, RE");
    id(&give("AP").await);
    for status in ["AP", "CA", "AB"] {
        give(status).await.is_problem(409, "API409.Status", "expected one of RE");
    }
    id(&give("RE").await);
    give("AP").await.is_problem(409, "API409.Status", "RE is the last word");
    let listed = seller.get(&format!("/api/v1/{RECEIVER}/salesOrder/{arrived}/response")).await;
    assert_eq!(listed.json.as_array().unwrap().len(), 3, "what was refused is not stored");
}

#[tokio::test(flavor = "multi_thread")]
async fn of_a_cancelled_order_the_cancellation_is_answered() {
    let play = Play::begin().await;
    let (buyer, seller) = (play.sender().await, play.receiver().await);
    let sent = id(&xml(&buyer, SEND, order("O-1", ADVANCED)).await);
    let arrived = came(&seller, "O-1").await;
    xml(&buyer, SEND, change("C-1", "O-1")).await;
    let changed = came(&seller, "C-1").await;
    let cancel = format!("/api/v1/{SENDER}/purchaseOrder/{sent}/cancel");
    let body = json!({ "cancellationNote": "Ordered twice." });
    let number = id(&post(&buyer, Method::POST, &cancel, body).await);
    let cancelled = came(&seller, &number).await;
    let told = play.told(&cancelled, &["OrderReceived"]).await;
    assert_eq!(told.payload["details"]["answeredDocumentId"], arrived, "{told:?}");
    let place = format!("/api/v1/{RECEIVER}/salesOrder/{arrived}");
    lines(&seller, &place, "Cancelled", 1).await;

    // Neither the order nor its change is answered any more.
    for document in [&arrived, &changed] {
        let refused = respond(&seller, document, json!({ "status": "AP" })).await;
        refused.is_problem(409, "API409.Status", &cancelled);
    }
    let conditional = respond(&seller, &cancelled, json!({ "status": "CA" })).await;
    conditional.is_problem(400, "API400.Json", "AB, AP, RE");
    let (text, _) = answered(&play, &cancelled, json!({ "status": "RE" })).await;
    assert!(text.contains("trns:order_response_advanced:3<") && text.contains(ADVANCED), "{text}");
    assert!(text.contains("<cac:OrderReference>\n    <cbc:ID>O-1<"), "{text}");
    assert!(!text.contains("OrderChangeDocumentReference"), "{text}");
    assert!(text.contains("<cbc:DocumentCurrencyCode>EUR<"), "that of the order: {text}");
    let again = respond(&seller, &cancelled, json!({ "status": "AP" })).await;
    again.is_problem(409, "API409.Status", "RE is the last word");
    // The cancellation was refused: the order stands.
    let told = play.told(&number, &["OrderReceived"]).await;
    let details = &told.payload["details"];
    assert_eq!(
        (&details["statusCode"], &details["answeredDocumentId"]),
        (&json!("RE"), &json!(sent))
    );
    for document in [&arrived, &changed] {
        id(&respond(&seller, document, json!({ "status": "AP" })).await);
    }
    let told = play.told(&sent, &["OrderReceived"]).await;
    assert_eq!(told.payload["details"]["statusCode"], "AP", "{told:?}");
    // What is about an order is not cancelled.
    let path = format!("/api/v1/{SENDER}/purchaseOrder/{number}/cancel");
    let body = json!({ "cancellationNote": "After all." });
    let refused = post(&buyer, Method::POST, &path, body).await;
    refused.is_problem(400, "API400.Unanswerable", "cancel the order that it is about, O-1");
}

/// The message names the order alone: at the buyer it is an answer to the cancellation, which was
/// delivered before it came.
#[tokio::test(flavor = "multi_thread")]
async fn the_answer_to_a_cancellation_is_none_to_its_order() {
    let play = Play::begin().await;
    let (buyer, seller) = (play.sender().await, play.receiver().await);
    let sent = id(&xml(&buyer, SEND, order("O-1", ADVANCED)).await);
    let arrived = came(&seller, "O-1").await;
    answered(&play, &arrived, json!({ "status": "AB" })).await;
    let of = |document: &str| format!("/api/v1/{SENDER}/purchaseOrder/{document}");
    lines(&buyer, &of(&sent), "Answered", 1).await;
    let cancel = format!("{}/cancel", of(&sent));
    let body = json!({ "cancellationNote": "Ordered twice." });
    let cancellation = id(&post(&buyer, Method::POST, &cancel, body).await);
    let line = lines(&buyer, &of(&sent), "Cancelled", 1).await;
    assert!(line[0]["description"].as_str().unwrap().contains(&cancellation), "{line:?}");
    let told = play.told(&cancellation, &["OrderSent", "OrderSentError"]).await;
    let details = &told.payload["details"];
    assert_eq!((told.text("topic"), &details["answeredDocumentId"]), ("OrderSent", &json!(sent)));
    assert!(told.payload.get("responseDocumentId").is_none(), "it answers nothing: {told:?}");

    let cancelled = came(&seller, &cancellation).await;
    answered(&play, &cancelled, json!({ "status": "AP" })).await;
    let told = play.told(&cancellation, &["OrderReceived"]).await;
    let details = &told.payload["details"];
    assert_eq!(
        (&details["statusCode"], &details["answeredDocumentId"]),
        (&json!("AP"), &json!(sent))
    );
    for (document, states) in [(&sent, ["AB"]), (&cancellation, ["AP"])] {
        let listed = buyer.get(&format!("{}/response", of(document))).await.json;
        let all = listed.as_array().unwrap().iter().map(|one| one["status"].clone());
        assert_eq!(all.collect::<Vec<_>>(), states, "{listed}");
    }
    let said = lines(&buyer, &of(&cancellation), "Answered", 1).await;
    assert!(said[0]["description"].as_str().unwrap().contains("answered AP"), "{said:?}");
    let said = lines(&buyer, &of(&sent), "Answered", 2).await;
    let said = said[1]["description"].as_str().unwrap();
    assert!(said.contains("answered the cancellation with AP"), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_that_came_before_its_order_is_linked_to_it() {
    let play = Play::begin().await;
    let seller = play.receiver().await;
    let receive = format!("/api/v1/{RECEIVER}/generic/receive");
    let first = id(&xml(&seller, &receive, change("C-9", "O-9")).await);
    came(&seller, "C-9").await;
    let order = id(&xml(&seller, &receive, order("O-9", ADVANCED)).await);
    let place = format!("/api/v1/{RECEIVER}/salesOrder/{order}");
    let line = lines(&seller, &place, "Changed", 1).await;
    assert!(line[0]["description"].as_str().unwrap().contains(&first), "{line:?}");
    // It comes once more: that is a fact, too.
    let second = id(&xml(&seller, &receive, change("C-9", "O-9")).await);
    let line = lines(&seller, &place, "Changed", 2).await;
    assert!(line[1]["description"].as_str().unwrap().contains(&second), "{line:?}");
}
