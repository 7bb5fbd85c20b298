//! Answers and cancellations that a party writes itself and sends like any document: what comes
//! after them is held to them, as to those that the service writes (interface specification 3.2).

use jiff::civil::{DateTime, datetime};
use quoin_formats::samples;
use quoin_formats::ubl::write::{
    CancelledOrder, Explained, InvoiceReference, InvoiceResponse, ORDER_STATUSES, OrderAnswer,
    OrderAnswerForm, Participant, REASONS, STATUSES, invoice_response, order_cancellation,
    order_response,
};
use quoin_lab::lab::network::{RECEIVER, SENDER};
use quoin_model::ElectronicAddress;
use reqwest::Method;
use serde_json::{Value, json};

use super::{id, json as post, xml};
use crate::stage::caller::{Answered, Caller};
use crate::stage::{Play, until};

const ORDERING: &str = "urn:fdc:peppol.eu:poacc:bis:ordering:3";
const ADVANCED: &str = "urn:fdc:peppol.eu:poacc:bis:advanced_ordering:3";
const NOW: DateTime = datetime(2026, 5, 20, 9, 0, 0, 0);

fn participant(id: &str) -> Participant {
    let (scheme, value) = id.split_once(':').unwrap();
    let endpoint = ElectronicAddress { scheme: scheme.to_owned(), value: value.to_owned() };
    Participant { endpoint, name: "Somebody".to_owned(), country: Some("NL".to_owned()) }
}

/// What the buyer says of an invoice.
fn response(to: &str, status: &str) -> String {
    let code = REASONS.iter().find(|row| row.code == "OTH").unwrap();
    let reason = Explained { code, text: Some("Not ours.".to_owned()) };
    invoice_response(&InvoiceResponse {
        id: format!("R-{to}-{status}"),
        issued: NOW,
        sender: participant(RECEIVER),
        receiver: participant(SENDER),
        invoice: InvoiceReference {
            number: to.to_owned(),
            issue_date: None,
            type_code: "380".to_owned(),
        },
        status: STATUSES.iter().find(|row| row.code == status).unwrap(),
        reasons: if status == "RE" { vec![reason] } else { Vec::new() },
        actions: Vec::new(),
        note: None,
    })
}

/// What the seller says of an order.
fn answer(form: OrderAnswerForm, order: &str, status: &str) -> String {
    order_response(&OrderAnswer {
        form,
        id: format!("A-{order}-{status}"),
        issued: NOW,
        status: ORDER_STATUSES.iter().find(|row| row.code == status).unwrap(),
        note: None,
        currency: "EUR".to_owned(),
        order: order.to_owned(),
        change: None,
        seller: participant(RECEIVER),
        buyer: participant(SENDER),
        lines: Vec::new(),
    })
}

fn order(number: &str, process: &str) -> String {
    samples::order(SENDER, RECEIVER, number).replace(ORDERING, process)
}

fn cancellation(of: &str, issued: DateTime) -> String {
    order_cancellation(&CancelledOrder {
        id: format!("C-{of}"),
        issued,
        note: None,
        reason: "Ordered twice.".to_owned(),
        order: of.to_owned(),
        buyer: participant(SENDER),
        seller: participant(RECEIVER),
    })
}

/// Sends a document that is delivered: its id, and the event that tells so.
async fn sent(play: &Play, (caller, path): (&Caller, &str), text: String) -> (String, Value) {
    let own = id(&xml(caller, path, text).await);
    let topics = ["OrderSent", "OrderSentError", "InvoiceResponseSent", "InvoiceResponseSentError"];
    let told = play.told(&own, &topics).await;
    assert!(told.text("topic").ends_with("Sent"), "{told:?}");
    (own, told.payload)
}

/// What came to the receiver under a number, once it was looked at.
async fn came(caller: &Caller, list: &str, number: &str) -> String {
    let path = format!("/api/v1/{RECEIVER}/{list}?number={number}");
    until("it came", async || {
        let found = caller.get(&path).await.json["items"][0].clone();
        (found["status"] == "Delivered").then(|| found["id"].as_str().unwrap().to_owned())
    })
    .await
}

async fn respond(caller: &Caller, place: &str, status: &str) -> Answered {
    post(caller, Method::POST, &format!("{place}/response"), json!({ "status": status })).await
}

/// The states that were given to a document.
async fn states(caller: &Caller, place: &str) -> Value {
    let all = caller.get(&format!("{place}/response")).await.json;
    all.as_array().unwrap().iter().map(|one| one["status"].clone()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_follows_the_last_word_on_an_invoice_whichever_way_it_went() {
    let play = Play::begin().await;
    let receiver = play.receiver().await;
    let generic = format!("/api/v1/{RECEIVER}/generic/send");
    for number in ["F-1", "F-2"] {
        let own = play.send_document(samples::invoice(SENDER, RECEIVER, number)).await;
        play.ending(&own).await;
    }
    let first = came(&receiver, "purchaseInvoice", "F-1").await;
    let second = came(&receiver, "purchaseInvoice", "F-2").await;
    let (own, told) = sent(&play, (&receiver, &generic), response("F-1", "RE")).await;
    assert_eq!(told["details"]["answeredDocumentId"], first, "{told}");
    assert_eq!(told["details"]["responseDocumentId"], own, "{told}");
    let place = format!("/api/v1/{RECEIVER}/purchaseInvoice/{first}");
    for status in ["AB", "IP", "AP", "PD"] {
        let refused = respond(&receiver, &place, status).await;
        refused.is_problem(409, "API409.Status", "final status RE");
    }
    assert_eq!(states(&receiver, &place).await, json!(["RE"]));
    // The other one is answered as ever.
    let place = format!("/api/v1/{RECEIVER}/purchaseInvoice/{second}");
    id(&respond(&receiver, &place, "AB").await);
    sent(&play, (&receiver, &generic), response("F-2", "AP")).await;
    assert_eq!(states(&receiver, &place).await, json!(["AB", "AP"]));
    respond(&receiver, &place, "IP").await.is_problem(409, "API409.Status", "does not follow");
    id(&respond(&receiver, &place, "PD").await);
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_follows_the_last_word_on_an_order_whichever_way_it_went() {
    let play = Play::begin().await;
    let (buyer, seller) = (play.sender().await, play.receiver().await);
    let send = format!("/api/v1/{SENDER}/purchaseOrder/send");
    let generic = format!("/api/v1/{RECEIVER}/generic/send");
    xml(&buyer, &send, order("O-1", ORDERING)).await;
    let arrived = came(&seller, "salesOrder", "O-1").await;
    let text = answer(OrderAnswerForm::Ordering, "O-1", "RE");
    let (_, told) = sent(&play, (&seller, &generic), text).await;
    assert_eq!(told["details"]["answeredDocumentId"], arrived, "{told}");
    let place = format!("/api/v1/{RECEIVER}/salesOrder/{arrived}");
    respond(&seller, &place, "AP").await.is_problem(409, "API409.Status", "RE is the last word");
    assert_eq!(states(&seller, &place).await, json!(["RE"]));
    // What names an order that nobody sent is filed with none.
    let text = answer(OrderAnswerForm::Ordering, "O-99", "RE");
    let (_, told) = sent(&play, (&seller, &generic), text).await;
    assert!(told["details"].get("answeredDocumentId").is_none(), "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_is_cancelled_once_whichever_way_until_that_is_refused() {
    let play = Play::begin().await;
    let (buyer, seller) = (play.sender().await, play.receiver().await);
    let send = format!("/api/v1/{SENDER}/purchaseOrder/send");
    let own = id(&xml(&buyer, &send, order("O-1", ADVANCED)).await);
    let arrived = came(&seller, "salesOrder", "O-1").await;
    let place = format!("/api/v1/{SENDER}/purchaseOrder/{own}");
    let cancel = async || {
        let body = json!({ "cancellationNote": "Ordered twice." });
        post(&buyer, Method::POST, &format!("{place}/cancel"), body).await
    };
    let (first, told) = sent(&play, (&buyer, &send), cancellation("O-1", NOW)).await;
    assert_eq!(told["details"]["answeredDocumentId"], own, "{told}");
    assert!(told.get("responseDocumentId").is_none(), "it answers nothing: {told}");
    let steps = buyer.get(&format!("{place}/status")).await.json;
    let steps = steps.as_array().unwrap().iter();
    let lines: Vec<&Value> = steps.filter(|line| line["name"] == "Cancelled").collect();
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(lines[0]["description"].as_str().unwrap().contains(&first), "{lines:?}");
    cancel().await.is_problem(409, "API409.Status", &first);

    let cancelled = came(&seller, "salesOrder", "C-O-1").await;
    let at_seller = |document: &str| format!("/api/v1/{RECEIVER}/salesOrder/{document}");
    id(&respond(&seller, &at_seller(&cancelled), "RE").await);
    let told = play.told(&first, &["OrderReceived"]).await;
    assert_eq!(told.payload["details"]["statusCode"], "RE", "{told:?}");
    // It was refused: the order stands, and may be cancelled once more.
    let second = id(&cancel().await);
    cancel().await.is_problem(409, "API409.Status", &second);
    let cancelled = came(&seller, "salesOrder", &second).await;
    let refused = respond(&seller, &at_seller(&arrived), "AP").await;
    refused.is_problem(409, "API409.Status", &cancelled);
    // An answer that names the order is one to the cancellation, this way as well.
    let text = answer(OrderAnswerForm::Advanced, "O-1", "AP");
    let generic = format!("/api/v1/{RECEIVER}/generic/send");
    let (_, told) = sent(&play, (&seller, &generic), text).await;
    assert_eq!(told["details"]["answeredDocumentId"], cancelled, "{told}");
    assert_eq!(states(&seller, &at_seller(&cancelled)).await, json!(["AP"]));
    let refused = respond(&seller, &at_seller(&cancelled), "RE").await;
    refused.is_problem(409, "API409.Status", "AP is the last word");
    // Accepted, it is cancelled for good.
    play.told(&second, &["OrderReceived"]).await;
    cancel().await.is_problem(409, "API409.Status", &second);
}

/// The network keeps no order of messages; who dates a cancellation before the order means another
/// order of that number.
#[tokio::test(flavor = "multi_thread")]
async fn a_cancellation_that_is_older_than_the_order_is_about_an_earlier_one() {
    let play = Play::begin().await;
    let seller = play.receiver().await;
    let receive = format!("/api/v1/{RECEIVER}/generic/receive");
    let text = order("O-8", ADVANCED);
    let day = text.split("<cbc:IssueDate>").nth(1).unwrap().split('<').next().unwrap();
    let day: jiff::civil::Date = day.parse().unwrap();
    for (number, issued, is_cancelled) in [
        ("O-8", day.yesterday().unwrap(), false),
        ("O-9", day, true),
        ("O-10", day.tomorrow().unwrap(), true),
    ] {
        let text = cancellation(number, issued.to_datetime(jiff::civil::Time::midnight()));
        let early = id(&xml(&seller, &receive, text).await);
        came(&seller, "salesOrder", &format!("C-{number}")).await;
        let order = id(&xml(&seller, &receive, order(number, ADVANCED)).await);
        came(&seller, "salesOrder", number).await;
        let place = format!("/api/v1/{RECEIVER}/salesOrder/{order}");
        let answered = respond(&seller, &place, "AP").await;
        match is_cancelled {
            true => answered.is_problem(409, "API409.Status", &early),
            false => drop(id(&answered)),
        }
    }
}
