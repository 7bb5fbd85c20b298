//! Documents that are taken out of a mailbox.

use std::time::Duration;

use data_encoding::BASE64;
use quoin_formats::samples::invoice;
use quoin_lab::lab::mailbox::ReceivedMail;
use quoin_lab::lab::network::{RECEIVER, SENDER};
use reqwest::Method;
use serde_json::{Value, json};

use super::servers::{Dovecot, PASSWORD};
use crate::foreign::hybrid_pdf;
use crate::stage::caller::Answered;
use crate::stage::{Play, Stage, until};

/// Services that look into mailboxes each second, and a mailbox.
async fn play() -> Option<(Play, Dovecot)> {
    let stage = Stage::set().await;
    let dovecot = Dovecot::start(stage.folder.path(), &stage.around.pki)?;
    let play = stage.play_with(|one, _| one.network.folder_seconds = 1).await;
    Some((play, dovecot))
}

async fn put(play: &Play, place: &str, action: &str, topics: &[&str]) -> Answered {
    let hook = json!({ "id": "post", "action": action, "topics": topics });
    let headers = [("content-type", "application/json")];
    let body = Some(hook.to_string());
    play.sender().await.call(Method::PUT, place, &headers, body).await.unwrap()
}

pub(super) async fn register(play: &Play, action: &str, topics: &[&str]) {
    let answer = put(play, &format!("/api/v1/{SENDER}/hook"), action, topics).await;
    assert_eq!(answer.status, 200, "{}", answer.json);
    assert_eq!(answer.json["hasSecret"], true);
    assert!(!answer.json.to_string().contains("secret #"), "{}", answer.json);
}

/// A mail with these headers beside its own, and files as a mail program attaches them.
pub(super) fn mail(head: &str, files: &[(&str, &str, &str)]) -> String {
    let part = |(kind, name, text): &(&str, &str, &str)| {
        let text = BASE64.encode(text.as_bytes());
        let lines: Vec<&str> =
            text.as_bytes().chunks(76).map(|line| std::str::from_utf8(line).unwrap()).collect();
        format!(
            "--b\r\nContent-Type: {kind}; name=\"{name}\"\r\nContent-Transfer-Encoding: base64\r\n\
             Content-Disposition: attachment; filename=\"{name}\"\r\n\r\n{}\r\n",
            lines.join("\r\n")
        )
    };
    let parts: String = files.iter().map(part).collect();
    format!(
        "{head}Subject: Invoice\r\nMIME-Version: 1.0\r\n\
         Content-Type: multipart/mixed; boundary=b\r\n\r\n\
         --b\r\nContent-Type: text/plain\r\n\r\nPlease find attached.\r\n{parts}--b--\r\n"
    )
}

/// The head of a mail of somebody, with this id.
pub(super) fn head(from: &str, id: &str) -> String {
    format!("From: Somebody <{from}>\r\nTo: box@story.test\r\nMessage-ID: <{id}@story.test>\r\n")
}

pub(super) async fn trouble(play: &Play) -> Vec<Value> {
    let events = play.sender().await.get("/api/v1/events?topic=FolderError").await;
    events.json["items"].as_array().cloned().unwrap_or_default()
}

pub(super) async fn numbers(play: &Play) -> Vec<String> {
    let arrived = play.arrived().await.into_iter();
    let mut numbers: Vec<String> = arrived.filter_map(|a| a.transaction.number).collect();
    numbers.sort();
    numbers
}

fn answers(play: &Play, to: &str) -> Vec<ReceivedMail> {
    let mails = play.stage.around.mailbox.mails().into_iter();
    mails.filter(|mail| mail.to == [to.to_owned()]).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mail_brings_its_document_once() {
    let Some((play, dovecot)) = play().await else { return };
    register(&play, &dovecot.action("from=books@shop.test,trusted.test"), &["Send*"]).await;
    let one = ("application/xml", "one.xml", &*invoice(SENDER, RECEIVER, "POST-1"));
    let picture = ("application/pdf", "one.pdf", "%PDF-1.7 for people");
    let first = mail(&head("Books@Shop.test", "1"), &[picture, one]);
    dovecot.deliver(&first);
    until("a document", async || (numbers(&play).await == ["POST-1"]).then_some(())).await;
    until("it is moved", async || (dovecot.mails("done").len() == 1).then_some(())).await;
    // As if the service had ended between recording and moving; and the same mail by another way.
    dovecot.deliver(&first);
    dovecot.deliver(&format!("Received: by another server\r\n{first}"));
    until("they are moved", async || (dovecot.mails("done").len() == 3).then_some(())).await;
    // Another document of the same sender, in a mail that is the document.
    let two = invoice(SENDER, RECEIVER, "POST-2");
    let bare = format!(
        "{}Content-Type: application/xml\r\nContent-Transfer-Encoding: base64\r\n\r\n{}\r\n",
        head("anybody@trusted.test", "2"),
        BASE64.encode(two.as_bytes())
    );
    dovecot.deliver(&bare);
    let both = async || (numbers(&play).await == ["POST-1", "POST-2"]).then_some(());
    until("the second document", both).await;
    until("it is moved", async || (dovecot.mails("done").len() == 4).then_some(())).await;
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert_eq!(play.arrived().await.len(), 2);
    assert!(dovecot.mails("").is_empty() && dovecot.mails("failed").is_empty());
    assert!(trouble(&play).await.is_empty());
    assert!(play.stage.around.mailbox.mails().is_empty(), "nobody is answered");
}

#[tokio::test(flavor = "multi_thread")]
async fn of_a_pdf_in_a_mail_the_invoice_in_it_is_sent() {
    let Some((play, dovecot)) = play().await else { return };
    register(&play, &dovecot.action("from=shop.test"), &["SendInvoice"]).await;
    let hybrid = String::from_utf8(hybrid_pdf(&invoice(SENDER, RECEIVER, "POST-9"))).unwrap();
    let hybrid = ("application/pdf", "invoice.pdf", &*hybrid);
    dovecot.deliver(&mail(&head("books@shop.test", "1"), &[hybrid]));
    until("a document", async || (numbers(&play).await == ["POST-9"]).then_some(())).await;
    let arrived = play.arrived().await;
    let document = play.two.parts.store.document(&arrived[0]).await.unwrap().unwrap();
    assert!(document.starts_with(b"<"), "the invoice travels, not the PDF around it");
    // A picture of an invoice holds none.
    let scan = ("application/pdf", "scan.pdf", "%PDF-1.7\nscan");
    dovecot.deliver(&mail(&head("books@shop.test", "2"), &[scan]));
    until("it is set aside", async || (dovecot.mails("failed").len() == 1).then_some(())).await;
    let told = trouble(&play).await;
    assert!(told[0]["message"].as_str().unwrap().contains("A PDF is sent as the e-invoice in it"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mail_that_is_refused_is_answered_and_starts_no_loop() {
    let Some((play, dovecot)) = play().await else { return };
    let action = dovecot.action("from=shop.test&language=nl");
    register(&play, &action, &["SendInvoice"]).await;
    let wrong = invoice(SENDER, RECEIVER, "POST-3").replace("<cbc:IssueDate>", "<cbc:IssueDate>x");
    let wrong = ("application/xml", "wrong.xml", &*wrong);
    dovecot.deliver(&mail(&head("wrong@shop.test", "3"), &[wrong]));
    dovecot.deliver(&mail(&head("none@shop.test", "4"), &[]));
    dovecot.deliver(&mail(&head("two@shop.test", "5"), &[wrong, wrong]));
    let robot = format!("Auto-Submitted: auto-generated\r\n{}", head("robot@shop.test", "6"));
    dovecot.deliver(&mail(&robot, &[]));
    dovecot.deliver(&mail(&format!("Return-Path: <>\r\n{}", head("bounce@shop.test", "7")), &[]));
    dovecot.deliver(&mail(&head("x@evil.test", "8"), &[wrong]));
    until("all are moved", async || (dovecot.mails("failed").len() == 6).then_some(())).await;
    for (who, word) in [
        ("wrong@shop.test", "IssueDate"),
        ("none@shop.test", "no attachment"),
        ("two@shop.test", "2 documents"),
    ] {
        let answer = until("an answer", async || answers(&play, who).into_iter().next()).await;
        assert!(answer.text.contains(word), "{}", answer.text);
        assert_eq!(answer.from, "", "nothing comes back of an answer");
        assert_eq!(answer.header("Auto-Submitted").as_deref(), Some("auto-replied"));
        assert!(answer.header("Subject").unwrap().starts_with("Niet verzonden"), "{answer:?}");
        assert!(answer.header("In-Reply-To").is_some());
    }
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert_eq!(play.stage.around.mailbox.mails().len(), 3, "and nobody else");
    let told = trouble(&play).await;
    assert_eq!(told.len(), 6, "{told:?}");
    let strangers = told.iter().filter(|event| event["details"]["code"] == "sender-not-allowed");
    let stranger: Vec<&Value> = strangers.collect();
    assert_eq!(stranger.len(), 1, "{told:?}");
    assert!(stranger[0]["message"].as_str().unwrap().contains("x@evil.test"));
    assert!(play.arrived().await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_word_of_the_mail_server_is_asked_for() {
    let Some((play, dovecot)) = play().await else { return };
    let action = dovecot.action("from=shop.test&authenticated=mx.story.test");
    register(&play, &action, &["Send*"]).await;
    let document = invoice(SENDER, RECEIVER, "POST-4");
    let file = ("application/xml", "a.xml", &*document);
    let own = head("a@shop.test", "9");
    let result = |word: &str| format!("Authentication-Results: mx.story.test; {word}\r\n{own}");
    dovecot.deliver(&mail(&own, &[file]));
    dovecot.deliver(&mail(&result("dmarc=fail header.from=shop.test"), &[file]));
    dovecot.deliver(&mail(&result("dkim=pass header.d=evil.test"), &[file]));
    until("they are moved", async || (dovecot.mails("failed").len() == 3).then_some(())).await;
    assert!(play.arrived().await.is_empty());
    assert!(play.stage.around.mailbox.mails().is_empty(), "a forged sender is not answered");
    dovecot.deliver(&mail(&result("spf=fail; dkim=pass header.d=shop.test"), &[file]));
    until("a document", async || (numbers(&play).await == ["POST-4"]).then_some(())).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_cannot_move_keeps_mails_that_are_marked() {
    let stage = Stage::set().await;
    // Neither MOVE nor UIDPLUS.
    let plain = "imap_capability = IMAP4rev1\n";
    let Some(dovecot) = Dovecot::with(stage.folder.path(), &stage.around.pki, plain) else {
        return;
    };
    let play = stage.play_with(|one, _| one.network.folder_seconds = 1).await;
    register(&play, &dovecot.action("from=shop.test"), &["Send*"]).await;
    let document = invoice(SENDER, RECEIVER, "POST-7");
    let file = ("application/xml", "a.xml", document.as_str());
    dovecot.deliver(&mail(&head("a@shop.test", "12"), &[file]));
    until("it is copied", async || (dovecot.mails("done").len() == 1).then_some(())).await;
    until("a document", async || (numbers(&play).await == ["POST-7"]).then_some(())).await;
    tokio::time::sleep(Duration::from_secs(3)).await;
    assert_eq!(dovecot.mails("done").len(), 1, "it is looked at once");
    assert_eq!(dovecot.mails("").len(), 1, "nobody empties the folder of somebody else");
    assert_eq!(play.arrived().await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_password_is_changed_while_mails_wait() {
    let Some((play, dovecot)) = play().await else { return };
    let action = dovecot.action("from=shop.test");
    register(&play, &action, &["Send*"]).await;
    let first = ("application/xml", "a.xml", &*invoice(SENDER, RECEIVER, "POST-5"));
    dovecot.deliver(&mail(&head("a@shop.test", "10"), &[first]));
    until("a document", async || (numbers(&play).await == ["POST-5"]).then_some(())).await;
    dovecot.set_password("another");
    let told = async || trouble(&play).await.into_iter().next();
    let told = until("it is told", told).await;
    assert_eq!(told["details"]["code"], "mailbox-login");
    assert!(!told.to_string().contains(PASSWORD), "{told}");
    let second = ("application/xml", "b.xml", &*invoice(SENDER, RECEIVER, "POST-6"));
    dovecot.deliver(&mail(&head("a@shop.test", "11"), &[second]));
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert_eq!(trouble(&play).await.len(), 1, "said once");
    register(&play, &action.replace(PASSWORD, "another"), &["Send*"]).await;
    let both = async || (numbers(&play).await == ["POST-5", "POST-6"]).then_some(());
    until("the second document", both).await;
    // The password stays where the account stays.
    let without = dovecot.action("from=shop.test,other.test");
    let without = without.split('#').next().unwrap();
    register(&play, without, &["Send*"]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mailbox_belongs_to_a_party_and_its_host_is_guarded() {
    let Some((play, dovecot)) = play().await else { return };
    let party = format!("/api/v1/{SENDER}/hook");
    let good = dovecot.action("from=shop.test");
    let open = good.split('#').next().unwrap();
    for (place, action, topic, word) in [
        ("/api/v1/hook", good.as_str(), "Send*", "belongs to the party"),
        (&party, &good, "InvoiceReceived", "is for a hook with this action"),
        (&party, open, "Send*", "the password stands behind #"),
        (&party, &dovecot.action("answer=true"), "Send*", "who may send"),
        (&party, "mailfrom://u@10.0.0.1/?from=shop.test#x", "Send*", "not a public address"),
        (&party, "mailfrom://u:p@mail.example/?from=shop.test#x", "Send*", "behind #"),
        (&party, "mailto:a@shop.test#x", "Send*", "leave out #"),
    ] {
        put(&play, place, action, &[topic]).await.is_problem(400, "API400.Hook", word);
    }
    // It is no channel.
    register(&play, &good, &["Send*"]).await;
    let found = play.sender().await;
    let found = found.get(&format!("/api/v1/queryRecipientParty?identifier={RECEIVER}")).await;
    assert_eq!(found.json["alternatives"], json!([]), "{}", found.json);
}
