//! The collaboration platform: documents for its members, and what it is to do with them.

use quoin_lab::lab::partner::PartnerAct;
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
    let path = format!("/api/v1/{SENDER}/salesInvoice/send?sendInstruction=a%20b");
    let headers = [("content-type", "application/xml")];
    let answer = sender.call(Method::POST, &path, &headers, Some(invoice("CP-2"))).await.unwrap();
    assert_eq!(answer.status, 400, "{}", answer.json);
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
