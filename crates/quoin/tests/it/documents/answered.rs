//! Answers on the wire: in the order in which they were given, about the document that they name;
//! which of them are told, and to whom (interface specification 2.6, 4.7, 4.8).

use quoin_formats::samples::{self, SampleKind};
use quoin_lab::lab::network::{RECEIVER, SENDER};
use reqwest::Method;
use serde_json::{Value, json};

use super::{id, json as post};
use crate::stage::gate::{Act, Gate};
use crate::stage::{Play, Stage, until};

fn place(arrived: &str) -> String {
    format!("/api/v1/{RECEIVER}/purchaseInvoice/{arrived}/response")
}

/// Sends a document that is delivered; its id at the sender and at the receiver.
async fn delivered(play: &Play, document: String, before: &[&str]) -> (String, String) {
    let sent = play.send_document(document).await;
    let ending = play.ending(&sent).await;
    assert_eq!(ending.text("topic"), "InvoiceSent", "{}", ending.text("message"));
    let receiver = play.receiver().await;
    let arrived = until("it arrives", async || {
        let all = receiver.purchases(RECEIVER).await.ok()?;
        let is_new = |item: &&Value| {
            !before.contains(&item["id"].as_str().unwrap()) && item["status"] != "Pending"
        };
        Some(all.iter().find(is_new)?["id"].as_str()?.to_owned())
    })
    .await;
    (sent, arrived)
}

/// Answers an invoice; the id of the answer.
async fn give(play: &Play, arrived: &str, status: &str) -> String {
    let body = json!({ "status": status });
    id(&post(&play.receiver().await, Method::POST, &place(arrived), body).await)
}

/// The answers that came to a sent invoice, once there are so many.
async fn came(play: &Play, sent: &str, many: usize) -> Vec<Value> {
    let sender = play.sender().await;
    let list = format!("/api/v1/{SENDER}/salesInvoice/{sent}/response");
    until("the answers come", async || {
        let all = sender.get(&list).await.json.as_array()?.clone();
        (all.len() >= many).then_some(all)
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_to_one_document_arrive_in_the_order_in_which_they_were_given() {
    let stage = Stage::set().await;
    // The first answer is put off once, and the second one, too.
    let acts = [Act::Status(503), Act::Pass, Act::Status(503)];
    let gate = Gate::open(&stage, &stage.one.as4_url, &acts).await;
    let play = stage
        .play_with(|one, two| {
            one.smp.endpoint_exceptions.insert(SENDER.to_owned(), gate.url.clone());
            two.retry.delivery_seconds = vec![1.0; 7];
        })
        .await;
    let invoice = samples::invoice(SENDER, RECEIVER, "ORDERED-1");
    let (sent, arrived) = delivered(&play, invoice, &[]).await;
    let other = samples::invoice(SENDER, RECEIVER, "ORDERED-2");
    let (apart, second) = delivered(&play, other, &[&arrived]).await;
    give(&play, &arrived, "AB").await;
    until("the first one is tried", async || (gate.gate.seen().len() == 1).then_some(())).await;
    for status in ["IP", "UQ", "AP", "PD"] {
        give(&play, &arrived, status).await;
    }
    let states = |all: Vec<Value>| -> Vec<String> {
        all.iter().map(|one| one["status"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(states(came(&play, &sent, 5).await), ["AB", "IP", "UQ", "AP", "PD"]);
    let seen = gate.gate.seen();
    assert_eq!((seen.len(), &seen[0], &seen[2]), (7, &seen[1], &seen[3]), "nobody passed");
    // An answer to another document waits for none of them.
    give(&play, &second, "AP").await;
    assert_eq!(states(came(&play, &apart, 1).await), ["AP"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_is_linked_to_the_document_of_its_number_that_it_means() {
    let play = Play::begin().await;
    let invoice = samples::invoice(SENDER, RECEIVER, "TWICE");
    let day = invoice.split("<cbc:IssueDate>").nth(1).unwrap().split('<').next().unwrap();
    let later = invoice.replacen(day, "2026-05-29", 1);
    let credit = samples::document(SampleKind::CreditNote, SENDER, RECEIVER, "TWICE", 2);
    let first = delivered(&play, invoice.clone(), &[]).await;
    let second = delivered(&play, later, &[&first.1]).await;
    let third = delivered(&play, credit, &[&first.1, &second.1]).await;
    for ((sent, arrived), status) in [(&first, "AP"), (&third, "AB"), (&second, "RE")] {
        let body = json!({ "status": status, "clarificationCode": "REF", "actionCode": "NIN" });
        let body = if status == "RE" { body } else { json!({ "status": status }) };
        id(&post(&play.receiver().await, Method::POST, &place(arrived), body).await);
        let told = play.told(sent, &["InvoiceResponseReceived"]).await;
        assert_eq!(told.payload["details"]["statusCode"], status);
    }
    for ((sent, _), status) in [(&first, "AP"), (&third, "AB"), (&second, "RE")] {
        let all = came(&play, sent, 1).await;
        assert_eq!((all.len(), &all[0]["status"]), (1, &json!(status)));
        assert_eq!(play.times(sent, "InvoiceResponseReceived"), 1);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_is_told_below_its_own_document_and_not_once_it_is_deleted() {
    let play = Play::begin().await;
    let invoice = samples::invoice(SENDER, RECEIVER, "BELOW-1");
    let (sent, arrived) = delivered(&play, invoice, &[]).await;
    let other = samples::invoice(SENDER, RECEIVER, "BELOW-2");
    let (_, second) = delivered(&play, other, &[&arrived]).await;
    let answer = give(&play, &arrived, "AP").await;
    let received = came(&play, &sent, 1).await[0]["id"].as_str().unwrap().to_owned();

    let receiver = play.receiver().await;
    let status = async |document: &str, answer: &str| {
        receiver.get(&format!("{}/{answer}/status", place(document))).await
    };
    assert_eq!(status(&arrived, &answer).await.status, 200);
    status("garbage", &answer).await.is_problem(400, "API400.DocumentId", "garbage");
    status(&arrived, "garbage").await.is_problem(400, "API400.DocumentId", "garbage");
    let nobody = uuid::Uuid::new_v4().to_string();
    status(&nobody, &answer).await.is_problem(404, "API404", &nobody);
    status(&second, &answer).await.is_problem(404, "API404", "has no answer");
    status(&arrived, &nobody).await.is_problem(404, "API404", "has no answer");

    let sender = play.sender().await;
    let path = format!("/api/v1/{SENDER}/generic/{received}");
    let gone = sender.call(Method::DELETE, &path, &[], None::<bytes::Bytes>).await.unwrap();
    assert_eq!(gone.status, 204, "{}", gone.json);
    let list = format!("/api/v1/{SENDER}/salesInvoice/{sent}/response");
    assert_eq!(sender.get(&list).await.json, json!([]));
    sender.get(&format!("{list}/{received}/download")).await.is_problem(404, "API404", "");
}
