//! Mail hooks in the running service: told of events by real mail, with the document where it is
//! asked for, and telling in turn how that went.

use quoin_lab::lab::mailbox::ReceivedMail;
use quoin_lab::lab::network::RECEIVER;
use quoin_lab::lab::sink::ReceivedCall;
use reqwest::Method;
use serde_json::json;

use crate::stage::{PATIENCE, Play};

async fn register(play: &Play, action: &str) {
    let hook = json!({ "id": "mail", "action": action, "topics": ["InvoiceReceived"] });
    let receiver = play.receiver().await;
    let path = format!("/api/v1/{RECEIVER}/hook");
    let headers = [("content-type", "application/json")];
    let answer = receiver.call(Method::POST, &path, &headers, Some(hook.to_string())).await;
    let answer = answer.unwrap();
    assert_eq!(answer.status, 200, "{}", answer.json);
}

async fn mailed(play: &Play, to: &str) -> ReceivedMail {
    let holds = |mail: &ReceivedMail| mail.to.contains(&to.to_owned());
    play.stage.around.mailbox.wait_for(PATIENCE, holds).await.expect("a mail")
}

async fn told(play: &Play, topic: &str) -> ReceivedCall {
    let holds = |told: &ReceivedCall| told.text("topic") == topic;
    let told = play.stage.around.sink.wait_for(PATIENCE, holds).await;
    told.unwrap_or_else(|| panic!("{topic} was not told"))
}

/// Mail has the document as it is: a hook that asks for another format would never send one.
#[tokio::test(flavor = "multi_thread")]
async fn a_mail_hook_that_asks_for_a_format_is_refused() {
    let play = Play::begin().await;
    let action = "mailto:a@example.org?targetDocumentTypeId=cii&includeAttachment=true";
    let hook = json!({ "id": "mail", "action": action, "topics": ["InvoiceReceived"] });
    let receiver = play.receiver().await;
    let path = format!("/api/v1/{RECEIVER}/hook");
    let headers = [("content-type", "application/json")];
    let answer = receiver.call(Method::POST, &path, &headers, Some(hook.to_string())).await;
    answer.unwrap().is_problem(400, "API400.Hook", "mail has a document as it is");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_is_told_by_mail_with_the_document() {
    let play = Play::begin().await;
    register(
        &play,
        "mailto:books@example.org?includeAttachment=true&filename=in-{{number}}{{extension}}\
         &replyTo=reply@example.org&bcc=audit@example.org",
    )
    .await;
    let document = quoin_formats::samples::invoice("0106:12345678", RECEIVER, "MAIL-1");
    play.send_document(document.clone()).await;
    let mail = mailed(&play, "books@example.org").await;
    assert_eq!(mail.to, ["books@example.org", "audit@example.org"]);
    assert_eq!(mail.header("Reply-To").as_deref(), Some("reply@example.org"));
    assert!(mail.header("Subject").unwrap().starts_with("InvoiceReceived MAIL-1"), "{mail:?}");
    assert_eq!(mail.files()[0].0, "in-MAIL-1.xml");
    // What travels in an envelope has no XML declaration.
    let travelled = document[document.find("<Invoice").unwrap()..].trim_end();
    let attached = String::from_utf8(mail.files()[0].1.clone()).unwrap();
    assert_eq!(attached.trim_end(), travelled);
    assert!(!mail.text.contains("audit@example.org"), "a blind copy");
    let sent = told(&play, "HookSent").await;
    assert_eq!(sent.payload["details"]["hook"], "mail");
    assert_eq!(sent.payload["details"]["hookTopic"], "InvoiceReceived");
    assert_eq!(sent.payload["details"]["id"], "MAIL-1");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_busy_server_is_tried_again_and_told_of() {
    let play = Play::begin().await;
    register(&play, "mailto:busy@example.org").await;
    play.send("MAIL-2").await;
    let mail = mailed(&play, "busy@example.org").await;
    assert!(mail.files().is_empty(), "nothing was asked for");
    let sent = told(&play, "HookSent").await;
    assert_eq!(sent.payload["details"]["hookAttempt"], "3");
    let document = sent.text("documentId").to_owned();
    assert_eq!(play.times(&document, "HookSentRetry"), 2);
    let log = play.receiver().await.get(&format!("/api/v1/{RECEIVER}/hook/mail/deliveries")).await;
    let tries = log.json["items"][0]["tries"].as_array().unwrap().clone();
    let statuses: Vec<u64> = tries.iter().map(|t| t["status"].as_u64().unwrap()).collect();
    assert_eq!(statuses, [450, 450, 250], "{}", log.json);
    assert_eq!(log.json["items"][0]["state"], "delivered");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_address_is_given_up_at_once_unless_there_is_another() {
    let play = Play::begin().await;
    register(&play, "mailto:refused@example.org").await;
    play.send("MAIL-3").await;
    let error = told(&play, "HookSentError").await;
    assert!(error.text("message").contains("no such user"), "{error:#?}");
    assert_eq!(play.times(error.text("documentId"), "HookSentRetry"), 0);
    register(&play, "mailto:refused@example.org?fallbackEmail=other@example.org").await;
    play.send("MAIL-4").await;
    mailed(&play, "other@example.org").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hook_without_address_takes_the_one_of_the_document() {
    let play = Play::begin().await;
    register(&play, "mailto:?fallbackEmail=nobody@example.org&excludePrimaryAttachment=true").await;
    let plain = quoin_formats::samples::invoice("0106:12345678", RECEIVER, "MAIL-5");
    play.send_document(plain.clone()).await;
    mailed(&play, "nobody@example.org").await;
    let contact = "<cac:Contact><cbc:ElectronicMail>buyer@example.org</cbc:ElectronicMail>\
         </cac:Contact></cac:Party></cac:AccountingCustomerParty>";
    let end = plain.find("</cac:AccountingCustomerParty>").unwrap();
    let start = plain[..end].rfind("</cac:Party>").unwrap();
    let named = format!(
        "{}{contact}{}",
        &plain[..start],
        &plain[end + "</cac:AccountingCustomerParty>".len()..]
    );
    play.send_document(named.replace("MAIL-5", "MAIL-6")).await;
    let mail = mailed(&play, "buyer@example.org").await;
    assert!(mail.files().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn each_address_of_an_event_gets_its_mail_once() {
    let play = Play::begin().await;
    register(&play, "mailto:good@example.org,busy@example.org,refused@example.org").await;
    play.send("MAIL-7").await;
    let sent = told(&play, "HookSent").await;
    assert_eq!(sent.payload["details"]["hookAttempt"], "3");
    for to in ["good@example.org", "busy@example.org"] {
        let mails = play.stage.around.mailbox.mails();
        let got = mails.iter().filter(|mail| mail.to.contains(&to.to_owned())).count();
        assert_eq!(got, 1, "{to}");
    }
    let log = play.receiver().await.get(&format!("/api/v1/{RECEIVER}/hook/mail/deliveries")).await;
    let tries = log.json["items"][0]["tries"].as_array().unwrap();
    let last = tries.last().unwrap()["response"].as_str().unwrap();
    assert!(last.contains("not for refused@example.org: 550"), "{last}");
}
