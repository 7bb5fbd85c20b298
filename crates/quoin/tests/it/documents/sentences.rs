//! Sentences of the contract that stand in no table: aliases everywhere, the lines of a timeline,
//! what an event tells, whose hook comes first, channels for every kind, what a hook publishes
//! (interface specification 2.1, 2.6, 3.3, 6).

use quoin_formats::samples;
use quoin_formats::samples::SampleKind;
use quoin_lab::lab::network::{RECEIVER, SENDER};
use reqwest::Method;
use serde_json::{Value, json};

use super::{id, json as post, only, xml};
use crate::stage::caller::Caller;
use crate::stage::{PATIENCE, Play, until};

/// The sender and the receiver by letters.
const SENDER_ALIAS: &str = "NL:KVK:12345678";
const RECEIVER_ALIAS: &str = "NL:KVK:87654321";

/// The same request with identifiers in numbers and in letters; the answers must be one.
async fn same(caller: &Caller, numbers: (&str, Value), letters: (&str, Value)) -> Value {
    let ask = async |(path, body): (&str, Value)| match body {
        Value::Null => caller.get(path).await,
        body => post(caller, Method::POST, path, body).await,
    };
    let (one, other) = (ask(numbers).await, ask(letters).await);
    assert_eq!(one.status, 200, "{}", one.json);
    assert_eq!(one.json, other.json);
    one.json
}

#[tokio::test(flavor = "multi_thread")]
async fn r2_1_numbers_and_letters_name_the_same_party_in_paths_queries_and_bodies() {
    let play = Play::begin().await;
    let sender = play.sender().await;
    let sent = play.send("ALIAS-1").await;
    assert_eq!(play.ending(&sent).await.text("topic"), "InvoiceSent");
    let pair = |path: &dyn Fn(&str, &str) -> String| {
        (path(SENDER, RECEIVER), path(SENDER_ALIAS, RECEIVER_ALIAS))
    };
    for path in [
        &|own: &str, _: &str| format!("/api/v1/{own}/salesInvoice/{sent}") as String,
        &|own: &str, _: &str| format!("/api/v1/{own}/salesInvoice/{sent}/status"),
        &|own: &str, to: &str| format!("/api/v1/{own}/salesInvoice?counterparty={to}"),
        &|_: &str, to: &str| format!("/api/v1/queryRecipientParty?identifier={to}"),
        &|_: &str, to: &str| {
            format!("/api/v1/peppol/deliveryOption?partyIds={to}&documentFamily=Invoice")
        },
        &|own: &str, _: &str| format!("/api/v1/events?topic=InvoiceSent&partyId={own}"),
        &|own: &str, _: &str| format!("/api/v1/{own}/hook"),
        &|own: &str, _: &str| format!("/api/v1/peppol/config/party/{own}"),
    ] as [&dyn Fn(&str, &str) -> String; 8]
    {
        let (numbers, letters) = pair(path);
        let found = same(&sender, (&numbers, Value::Null), (&letters, Value::Null)).await;
        assert!(!found.is_null(), "{numbers}");
    }
    let query = |own: &str| format!("/api/v1/{own}/salesInvoice/queryRecipientParty");
    let (numbers, letters) = (query(SENDER), query(SENDER_ALIAS));
    let bodies = [
        (json!([RECEIVER]), json!([RECEIVER_ALIAS])),
        (json!({ "partyIds": [RECEIVER] }), json!({ "partyIds": [RECEIVER_ALIAS] })),
    ];
    for (one, other) in bodies {
        same(&sender, (&numbers, one), (&letters, other)).await;
    }
    let path = format!("/api/v1/{SENDER_ALIAS}/salesInvoice/send?receiverId={RECEIVER_ALIAS}");
    let invoice = samples::invoice(SENDER, "0106:11112222", "ALIAS-2");
    let sent = id(&xml(&sender, &path, invoice).await);
    assert_eq!(play.ending(&sent).await.payload["details"]["recipient"], RECEIVER);
}

#[tokio::test(flavor = "multi_thread")]
async fn r3_3_the_lines_of_a_timeline_and_the_details_of_its_event() {
    let play = Play::begin().await;
    let sent = play.send("LINES-1").await;
    let told = play.ending(&sent).await;
    for name in
        ["topic", "partyId", "hookId", "documentId", "message", "details", "createdOn", "sentOn"]
    {
        assert!(!told.payload[name].is_null(), "{name}: {told:?}");
    }
    for (name, expected) in [
        ("sender", Some(SENDER)),
        ("recipient", Some(RECEIVER)),
        ("id", Some("LINES-1")),
        ("protocol", Some("As4")),
        ("attempt", Some("1")),
        ("sourceDocumentTypeId", None),
        ("targetDocumentTypeId", None),
        ("endpoint", None),
        ("messageId", None),
        ("returnedMessageId", None),
    ] {
        let found = told.payload["details"][name].as_str();
        assert!(found.is_some() && (expected.is_none() || found == expected), "{name}: {told:?}");
    }
    let path = format!("/api/v1/{SENDER}/salesInvoice/{sent}/status");
    let lines = play.sender().await.get(&path).await;
    let names: Vec<&str> =
        lines.json.as_array().unwrap().iter().map(|line| line["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["Pending", "Validated", "Routed", "Delivered"]);
    for line in lines.json.as_array().unwrap() {
        for name in ["id", "name", "description", "createdOn"] {
            assert!(!line[name].is_null(), "{name}: {line}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn r2_6_a_rejection_without_a_code_has_the_reason_other() {
    let play = Play::begin().await;
    let sent = play.send("BARE-1").await;
    assert_eq!(play.ending(&sent).await.text("topic"), "InvoiceSent");
    let receiver = play.receiver().await;
    let arrived = only(&receiver, &format!("/api/v1/{RECEIVER}/purchaseInvoice")).await;
    let place =
        format!("/api/v1/{RECEIVER}/purchaseInvoice/{}/response", arrived["id"].as_str().unwrap());
    let body = json!({ "status": "RE", "note": "not ours" });
    let response = id(&post(&receiver, Method::POST, &place, body).await);
    let told = play.told(&response, &["InvoiceResponseSent", "InvoiceResponseSentError"]).await;
    assert_eq!(told.text("topic"), "InvoiceResponseSent", "it keeps the rules: {told:?}");
    play.told(&sent, &["InvoiceResponseReceived"]).await;
    let path = format!("/api/v1/{SENDER}/salesInvoice/{sent}/response");
    let listed = only(&play.sender().await, &path).await;
    assert_eq!(listed["clarifications"][0]["code"], "OTH");
    assert_eq!(listed["clarifications"][0]["text"], "not ours");
}

async fn register(caller: &Caller, place: &str, hook: Value) {
    let made = post(caller, Method::POST, place, hook).await;
    assert_eq!(made.status, 200, "{}", made.json);
}

#[tokio::test(flavor = "multi_thread")]
async fn r6_2_a_hook_of_the_party_goes_before_one_of_the_environment() {
    let play = Play::begin().await;
    let sender = play.sender().await;
    let mail = |id: &str, topic: &str| json!({ "id": id, "action": format!("mailto:{id}@example.org"), "topics": [topic] });
    register(&sender, "/api/v1/hook", mail("1", "SendInvoice")).await;
    let own = format!("/api/v1/{SENDER}/hook");
    register(&sender, &own, mail("30", "Send*")).await;
    register(&sender, &own, mail("4", "Send*")).await;
    let path = format!("/api/v1/{SENDER}/salesInvoice/queryRecipientParty");
    let found = post(&sender, Method::POST, &path, json!([RECEIVER])).await.json;
    assert_eq!(found["channel"], "4", "party before environment, then the smaller number");
    assert_eq!(found["alternatives"], json!(["30", "1", "peppol"]), "a topic by name goes first");
    let sent = play.send("FIRST-1").await;
    let told = play.ending(&sent).await;
    assert_eq!(told.payload["details"]["endpoint"], "mailto:4@example.org", "{told:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn r6_4_credit_notes_orders_and_their_answers_take_other_channels_too() {
    let play = Play::begin().await;
    let (sender, receiver) = (play.sender().await, play.receiver().await);
    let order = samples::order(SENDER, RECEIVER, "CH-1");
    let sent = id(&xml(&sender, &format!("/api/v1/{SENDER}/purchaseOrder/send"), order).await);
    play.told(&sent, &["OrderSent"]).await;
    let arrived = only(&receiver, &format!("/api/v1/{RECEIVER}/salesOrder")).await;
    for (caller, to) in [(&sender, "buyer@example.org"), (&receiver, "seller@example.org")] {
        let hook = json!({ "id": "1", "action": format!("mailto:{to}"), "topics": ["Send*"] });
        register(caller, "/api/v1/hook", hook).await;
    }
    let by_mail = async |document: &str, topic: &str, to: &str| {
        let told = play.told(document, &[topic, &format!("{topic}Error")]).await;
        assert_eq!(told.text("topic"), topic, "{told:?}");
        assert_eq!(told.payload["details"]["protocol"], "Smtp", "{told:?}");
        let name = format!("{document}.xml");
        let holds = |mail: &quoin_lab::lab::mailbox::ReceivedMail| {
            mail.to.contains(&to.to_owned()) && mail.files().iter().any(|file| file.0 == name)
        };
        assert!(play.stage.around.mailbox.wait_for(PATIENCE, holds).await.is_some(), "{topic}");
    };
    let credit = samples::document(SampleKind::CreditNote, SENDER, RECEIVER, "CH-2", 1);
    let path = format!("/api/v1/{SENDER}/salesInvoice/send");
    by_mail(&id(&xml(&sender, &path, credit).await), "InvoiceSent", "buyer@example.org").await;
    let order = samples::order(SENDER, RECEIVER, "CH-3");
    let path = format!("/api/v1/{SENDER}/purchaseOrder/send");
    by_mail(&id(&xml(&sender, &path, order).await), "OrderSent", "buyer@example.org").await;
    let path =
        format!("/api/v1/{RECEIVER}/salesOrder/{}/response", arrived["id"].as_str().unwrap());
    let answer = post(&receiver, Method::POST, &path, json!({ "status": "AP" })).await;
    by_mail(&id(&answer), "OrderSent", "seller@example.org").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn r6_5_a_hook_publishes_the_topic_of_the_status_that_it_ended_with() {
    let play = Play::begin().await;
    let sender = play.sender().await;
    let hooks = sender.get("/api/v1/hook").await;
    let named = |hook: &&Value| hook["action"].as_str().unwrap().starts_with("http");
    let mut hook = hooks.json.as_array().unwrap().iter().find(named).unwrap().clone();
    hook["output"] = json!([
        { "when": "500", "topic": "InvoiceClearedError" },
        { "when": "2xx", "topic": "InvoiceCleared" },
    ]);
    let changed = post(&sender, Method::PUT, "/api/v1/hook", hook.clone()).await;
    assert_eq!(changed.status, 200, "{}", changed.json);
    let sent = play.send("OUTPUT-1").await;
    assert_eq!(play.ending(&sent).await.text("topic"), "InvoiceSent");
    let published = async |topic: &str| {
        let feed = sender.get(&format!("/api/v1/events?topic={topic}")).await;
        let about = |event: &&Value| event["documentId"] == sent.as_str();
        feed.json["items"].as_array().unwrap().iter().filter(about).count()
    };
    until("the topic is published", async || (published("InvoiceCleared").await > 0).then_some(()))
        .await;
    assert_eq!(published("InvoiceClearedError").await, 0);
}
