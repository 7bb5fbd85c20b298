//! The collaboration platform: documents for its members, and what it is to do with them.

use quoin_access_point::net::HttpCall;
use quoin_delivery::Direction;
use quoin_lab::lab::partner::PartnerAct;
use quoin_store::ListFilter;
use reqwest::header::{HeaderName, HeaderValue};
use serde_json::json;

use super::*;

const MEMBER: &str = "-0003:XC4711";

fn action(play: &Play, more: &str) -> String {
    let around = &play.stage.around;
    format!(
        "collaboration://{}/collaboration?from=-0003:XC1{more}#{}",
        around.partner_host, around.partner_secret
    )
}

async fn send_with(play: &Play, query: &str) -> (String, String) {
    let (id, document) = (Uuid::new_v4().to_string(), invoice("CP-1"));
    let path = format!("/api/v1/{SENDER}/salesInvoice/send?{query}");
    let headers = [("content-type", "application/xml"), ("x-service-documentid", id.as_str())];
    let body = Some(document.clone());
    let answer = play.sender().await.call(Method::POST, &path, &headers, body).await.unwrap();
    assert_eq!(answer.status, 200, "{}", answer.json);
    (id, document)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_document_goes_to_a_member_as_it_is() {
    let play = play().await;
    put(&play.sender().await, &action(&play, "")).await;
    let (id, document) = send_with(&play, &format!("channel=net&receiverId={MEMBER}")).await;
    let told = play.ending(&id).await;
    assert_eq!(told.text("topic"), "InvoiceSent", "{told:#?}");
    let details = &told.payload["details"];
    assert_eq!(
        (&details["protocol"], &details["recipient"]),
        (&json!("Collaboration"), &json!(MEMBER))
    );
    let post = partner(&play).posts().pop().unwrap();
    assert_eq!(post.ends, ("-0003:XC1".to_owned(), MEMBER.to_owned()));
    assert_eq!((post.text(), post.mode.as_str()), (document, ""));
    assert!(!everything_told(&play, &id).await.contains(&play.stage.around.partner_secret));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_platform_is_told_what_to_do() {
    let play = play().await;
    let sender = play.sender().await;
    put(&sender, &action(&play, "")).await;
    let (id, _) = send_with(&play, "channel=net&sendInstruction=Peppol").await;
    assert_eq!(play.ending(&id).await.text("topic"), "InvoiceSent");
    let post = partner(&play).posts().pop().unwrap();
    assert_eq!((post.mode.as_str(), post.ends.1.as_str()), ("peppol", RECEIVER));
    // Without an instruction nobody there knows a participant of the network.
    let (id, _) = send_with(&play, "channel=net").await;
    let told = play.ending(&id).await;
    assert_eq!(told.payload["details"]["code"], "partner-relationship", "{told:#?}");
    assert!(told.text("message").contains("sendInstruction"), "{told:#?}");
    assert_eq!(partner(&play).posts().len(), 1);
    // The hook may say it for all.
    put(&sender, &action(&play, "&sendInstruction=portal")).await;
    let (id, _) = send_with(&play, "channel=net").await;
    assert_eq!(play.ending(&id).await.text("topic"), "InvoiceSent");
    assert_eq!(partner(&play).posts().pop().unwrap().mode, "portal");
    let headers = [("content-type", "application/xml")];
    for wrong in ["send?sendInstruction=a%20b", "sendDryRun?sendInstruction="] {
        let path = format!("/api/v1/{SENDER}/salesInvoice/{wrong}");
        let body = Some(invoice("CP-2"));
        let answer = sender.call(Method::POST, &path, &headers, body).await.unwrap();
        assert_eq!(answer.json["code"], "API400.Query", "{wrong} {}", answer.json);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_member_is_never_looked_up_in_the_network() {
    let play = play().await;
    let (id, _) = send_with(&play, &format!("channel=peppol&receiverId={MEMBER}")).await;
    let told = play.ending(&id).await;
    assert_eq!(told.payload["details"]["code"], "not-registered", "{told:#?}");
    for wrong in ["-0003:12", "-0003:", "-0003:XC", "-0004:XC1"] {
        let path = format!("/api/v1/{SENDER}/salesInvoice/send?receiverId={wrong}");
        let headers = [("content-type", "application/xml")];
        let sender = play.sender().await;
        let body = Some(invoice("CP-3"));
        let answer = sender.call(Method::POST, &path, &headers, body).await.unwrap();
        assert_eq!(answer.status, 400, "{wrong}: {}", answer.json);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn it_refuses_and_waits_as_other_networks_do() {
    let play = play().await;
    put(&play.sender().await, &action(&play, "")).await;
    partner(&play).plan(&[PartnerAct::Http(503), PartnerAct::Silent, PartnerAct::Lost]);
    let (id, _) = send_with(&play, &format!("channel=net&receiverId={MEMBER}")).await;
    assert_eq!(play.ending(&id).await.text("topic"), "InvoiceSent");
    assert_eq!(partner(&play).taken().len(), 1);
    partner(&play).believe("another one");
    let (id, _) = send_with(&play, &format!("channel=net&receiverId={MEMBER}")).await;
    assert_eq!(play.ending(&id).await.payload["details"]["code"], "partner-secret");
}

/// Hands a document in at the door of the hook; the status and the answer.
async fn hand_in(play: &Play, headers: &[(&'static str, &str)], body: &str) -> (u16, Value) {
    let url = format!("{}/networks/sender/net/documents", play.stage.one.api_url);
    let header = |(name, value): &(&'static str, &str)| {
        (HeaderName::from_static(name), HeaderValue::from_str(value).unwrap())
    };
    let call = HttpCall {
        method: Method::POST,
        headers: headers.iter().map(header).collect(),
        body: Some(body.to_owned().into()),
        ..HttpCall::get(&url, std::time::Duration::from_secs(30), 1 << 20)
    };
    let answer = play.stage.around.client().unwrap().call(call).await.unwrap();
    (answer.status, serde_json::from_slice(&answer.body).unwrap_or_default())
}

#[tokio::test(flavor = "multi_thread")]
async fn guessing_the_token_of_a_hook_is_slowed_down() {
    let play = play().await;
    put(&play.sender().await, &action(&play, "")).await;
    let most = play.one.parts.config.api.token_failures_per_minute;
    let guess = [("authorization", "Bearer guess")];
    for _ in 0..most {
        assert_eq!(hand_in(&play, &guess, "<a/>").await.0, 401);
    }
    let token = format!("Bearer {}", play.stage.around.partner_secret);
    let (status, answer) = hand_in(&play, &[("authorization", &token)], "<a/>").await;
    assert_eq!((status, &answer["code"]), (429, &json!("API429")), "{answer}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_document_of_a_member_comes_in_once() {
    let play = play().await;
    put(&play.sender().await, &action(&play, "")).await;
    let token = format!("Bearer {}", play.stage.around.partner_secret);
    let document = samples::invoice(RECEIVER, SENDER, "CP-IN-1");
    let good = [
        ("authorization", token.as_str()),
        ("x-message-id", "m-1"),
        ("x-sender-id", MEMBER),
        ("x-receiver-id", SENDER),
    ];
    for (at, (name, value), body, status) in [
        (0, ("authorization", "Bearer guess"), document.as_str(), 401),
        (0, ("authorization", ""), document.as_str(), 401),
        (1, ("x-message-id", ""), document.as_str(), 400),
        (2, ("x-sender-id", "-0003:"), document.as_str(), 400),
        (3, ("x-receiver-id", "0208:0123456749"), document.as_str(), 404),
        (3, ("x-receiver-id", SENDER), "no document", 400),
    ] {
        let mut headers = good;
        headers[at] = (name, value);
        let (found, answer) = hand_in(&play, &headers, body).await;
        assert_eq!((found, &answer["status"]), (status, &json!("rejected")), "{name}: {answer}");
    }
    let (status, first) = hand_in(&play, &good, &document).await;
    assert_eq!((status, &first["status"]), (200, &json!("accepted")), "{first}");
    let (_, again) = hand_in(&play, &good, &document).await;
    assert_eq!(again, first, "a repeat is the same document");
    let token = token.replace("Bearer", "bearer");
    let mut lower = good;
    lower[0] = ("authorization", token.as_str());
    assert_eq!(hand_in(&play, &lower, &document).await.1, first, "whatever the case of the scheme");
    let (status, _) = hand_in(&play, &good, &samples::invoice(RECEIVER, SENDER, "CP-IN-2")).await;
    assert_eq!(status, 409);
    let id = first["id"].as_str().unwrap();
    let told = play.told(id, &["InvoiceReceived"]).await;
    assert_eq!(told.payload["details"]["sender"], MEMBER, "{told:#?}");
    let owner = play.stage.sender.organisation.parse().unwrap();
    let filter = ListFilter { limit: 10, ..ListFilter::new(owner, Direction::Incoming) };
    assert_eq!(play.one.parts.store.list(filter).await.unwrap().items.len(), 1);
    let path = format!("/api/v1/{SENDER}/purchaseInvoice/{id}/download");
    let got = play.sender().await.get(&path).await;
    assert_eq!(String::from_utf8_lossy(&got.body), document);
}
