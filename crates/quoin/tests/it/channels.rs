//! Channels in the running service: mail as the second one, by choice, by force, and as what takes
//! over where Peppol cannot (interface specification 6, rules 2 to 4).

use quoin_lab::lab::mailbox::ReceivedMail;
use quoin_lab::lab::network::{RECEIVER, SENDER, UNREGISTERED};
use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::stage::{PATIENCE, Play, Stage, until};

async fn register(play: &Play, hook: Value) {
    let sender = play.sender().await;
    let headers = [("content-type", "application/json")];
    let body = Some(hook.to_string());
    let answer = sender.call(Method::POST, "/api/v1/hook", &headers, body).await.unwrap();
    assert_eq!(answer.status, 200, "{}", answer.json);
}

fn mail_hook(id: &str, to: &str, topics: &[&str]) -> Value {
    json!({ "id": id, "action": format!("mailto:{to}"), "topics": topics })
}

async fn send(play: &Play, to: &str, query: &str) -> (String, String) {
    let document = quoin_formats::samples::invoice(SENDER, to, "CHANNEL-1");
    let id = Uuid::new_v4().to_string();
    let path = format!("/api/v1/{SENDER}/salesInvoice/send{query}");
    let headers = [("content-type", "application/xml"), ("x-service-documentid", id.as_str())];
    let sender = play.sender().await;
    let body = Some(document.clone());
    let answer = sender.call(Method::POST, &path, &headers, body).await.unwrap();
    assert_eq!(answer.status, 200, "{}", answer.json);
    (id, document)
}

async fn looked_up(play: &Play) -> Value {
    let sender = play.sender().await;
    sender.get(&format!("/api/v1/queryRecipientParty?identifier={RECEIVER}")).await.json
}

/// The verdict on an invoice that is not sent, and the channel that it would take.
async fn dry_run(play: &Play, to: &str, query: &str) -> (String, Value) {
    let sender = play.sender().await;
    let path = format!("/api/v1/{SENDER}/salesInvoice/sendDryRun{query}");
    let body = Some(quoin_formats::samples::invoice(SENDER, to, "CHANNEL-2"));
    let headers = [("content-type", "application/xml")];
    let run = sender.call(Method::POST, &path, &headers, body).await.unwrap().json;
    (run["verdict"].as_str().unwrap_or_default().to_owned(), run["route"]["channel"].clone())
}

async fn mailed(play: &Play, to: &str) -> ReceivedMail {
    let holds = |mail: &ReceivedMail| mail.to.contains(&to.to_owned());
    play.stage.around.mailbox.wait_for(PATIENCE, holds).await.expect("a mail")
}

/// The document went by mail, every byte of it, and the sender was told so.
async fn went_by_mail(play: &Play, id: &str, document: &str, to: &str) {
    let told = play.ending(id).await;
    assert_eq!(told.text("topic"), "InvoiceSent", "{told:#?}");
    let details = &told.payload["details"];
    assert_eq!(details["protocol"], "Smtp");
    assert_eq!(details["endpoint"], format!("mailto:{to}"));
    assert_eq!(details["recipient"].as_str().unwrap().len(), RECEIVER.len());
    let mail = mailed(play, to).await;
    let files = mail.files();
    assert_eq!(files[0].0, format!("{id}.xml"));
    assert_eq!(String::from_utf8(files[0].1.clone()).unwrap(), document);
    assert_eq!(mail.header("From").unwrap(), "\"Quoin lab\" <lab@quoin.test>");
    let message_id = details["messageId"].as_str().unwrap();
    assert_eq!(mail.header("Message-ID").unwrap(), format!("<{message_id}>"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_receiver_that_is_not_on_peppol_gets_it_by_mail() {
    let play = Play::begin().await;
    register(&play, mail_hook("late", "late@example.org", &["Send*Fallback"])).await;
    let (id, document) = send(&play, UNREGISTERED, "").await;
    went_by_mail(&play, &id, &document, "late@example.org").await;
    let (timeline, status) = play.sender().await.timeline(SENDER, &id).await;
    assert_eq!(timeline, ["Pending", "Validated", "Fallback", "Routed", "Delivered"]);
    assert_eq!(status, "Delivered");
    assert_eq!(play.times(&id, "InvoiceSentError"), 0);
    let run = dry_run(&play, UNREGISTERED, "").await;
    assert_eq!(run, ("deliverable".into(), json!("late")));
}

#[tokio::test(flavor = "multi_thread")]
async fn peppol_given_up_is_followed_by_the_fallback_with_its_own_schedule() {
    let play = Stage::set()
        .await
        .play_with(|_, two| {
            let dead = "https://127.0.0.1:1/as4".to_owned();
            two.smp.endpoint_exceptions.insert(RECEIVER.to_owned(), dead);
        })
        .await;
    register(&play, mail_hook("late", "busy@example.org", &["Send*Fallback"])).await;
    let (id, document) = send(&play, RECEIVER, "").await;
    went_by_mail(&play, &id, &document, "busy@example.org").await;
    let attempts = play.attempts(&id).await;
    assert_eq!(attempts.len(), 8 + 3, "eight over Peppol, and the third mail is taken");
    assert_eq!(attempts[10].report["mail"]["to"], json!(["busy@example.org"]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mail_hook_that_comes_first_is_the_channel() {
    let play = Play::begin().await;
    let mut first = mail_hook("1", "first@example.org", &["Send*"]);
    first["filter"] = json!("topic == \"SendInvoice\" && attempt != \"1\"");
    register(&play, first).await;
    let (id, document) = send(&play, RECEIVER, "").await;
    went_by_mail(&play, &id, &document, "first@example.org").await;
    let (forced, _) = send(&play, RECEIVER, "?channel=peppol").await;
    let told = play.ending(&forced).await;
    assert_eq!(told.payload["details"]["protocol"], "As4", "{told:#?}");
    assert_eq!(play.arrived().await.len(), 1, "the first one did not take this way");
    let found = looked_up(&play).await;
    assert_eq!((&found["channel"], &found["alternatives"]), (&json!("1"), &json!(["peppol"])));
    assert_eq!(dry_run(&play, RECEIVER, "").await, ("deliverable".into(), json!("1")));
    let forced = dry_run(&play, RECEIVER, "?channel=peppol").await;
    assert_eq!(forced, ("deliverable".into(), json!("peppol")));
}

#[tokio::test(flavor = "multi_thread")]
async fn peppol_fallback_bypasses_peppol_on_purpose() {
    let play = Play::begin().await;
    register(&play, mail_hook("1", "both@example.org", &["Send*", "Send*Fallback"])).await;
    let (id, document) = send(&play, RECEIVER, "?channel=peppol-fallback").await;
    went_by_mail(&play, &id, &document, "both@example.org").await;
    let (plain, _) = send(&play, RECEIVER, "").await;
    let told = play.ending(&plain).await;
    assert_eq!(told.payload["details"]["protocol"], "As4", "it stands behind Peppol");
    let found = looked_up(&play).await;
    assert_eq!(found["channel"], "peppol");
    assert_eq!(found["alternatives"], json!(["peppol-fallback"]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mail_that_is_refused_ends_the_document() {
    let play = Play::begin().await;
    register(&play, mail_hook("1", "refused@example.org", &["Send*"])).await;
    let (id, _) = send(&play, RECEIVER, "").await;
    let told = play.ending(&id).await;
    assert_eq!(told.text("topic"), "InvoiceSentError");
    assert_eq!(told.payload["details"]["code"], "mail-refused");
    assert!(told.text("message").contains("no such user"), "{told:#?}");
    assert!(play.stage.around.mailbox.mails().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_document_goes_along_where_the_mail_would_carry_nothing() {
    let play = Play::begin().await;
    register(&play, mail_hook("1", "bare@example.org?excludePrimaryAttachment=true", &["Send*"]))
        .await;
    let (id, document) = send(&play, RECEIVER, "").await;
    went_by_mail(&play, &id, &document, "bare@example.org").await;
}

/// Who is asked to come again to the end is refused as well.
#[tokio::test(flavor = "multi_thread")]
async fn a_mail_that_is_put_off_to_the_end_goes_to_the_address_kept_for_that() {
    let play = Stage::set().await.play_with(|one, _| one.retry.delivery_seconds = vec![0.2]).await;
    let to = "busy@example.org?fallbackEmail=spare@example.org";
    register(&play, mail_hook("1", to, &["Send*"])).await;
    let (id, document) = send(&play, RECEIVER, "").await;
    went_by_mail(&play, &id, &document, "spare@example.org").await;
    let attempts = play.attempts(&id).await;
    let fallback: Vec<&Value> =
        attempts.iter().map(|made| &made.report["mail"]["fallback"]).collect();
    assert_eq!(fallback, [&json!(false), &json!(true)], "{attempts:#?}");
    assert_eq!(mails_to(&play, "busy@example.org"), 0);
}

/// How many mails somebody got.
fn mails_to(play: &Play, to: &str) -> usize {
    let mails = play.stage.around.mailbox.mails();
    mails.iter().filter(|mail| mail.to.contains(&to.to_owned())).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn one_address_that_is_refused_keeps_the_mail_from_no_other() {
    let play = Play::begin().await;
    let to = "good@example.org,refused@example.org?bcc=refused@copy.example";
    register(&play, mail_hook("1", to, &["Send*"])).await;
    let (id, _) = send(&play, RECEIVER, "").await;
    assert_eq!(play.ending(&id).await.text("topic"), "InvoiceSent");
    assert_eq!(mailed(&play, "good@example.org").await.to, ["good@example.org"]);
    let told = play.told(&id, &["InvoiceSentError"]).await;
    assert_eq!(told.payload["details"]["code"], "mail-bounced", "{told:#?}");
    assert!(told.text("message").contains("no such user"), "{told:#?}");
    let (timeline, status) = play.sender().await.timeline(SENDER, &id).await;
    assert_eq!(timeline[timeline.len() - 3..], ["Delivered", "Bounced", "Bounced"]);
    assert_eq!(status, "Delivered");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_has_the_mail_does_not_get_it_again_with_those_who_wait() {
    let play = Play::begin().await;
    let to = "good@example.org,busy@example.org?bcc=copy@example.org";
    register(&play, mail_hook("1", to, &["Send*"])).await;
    let (id, _) = send(&play, RECEIVER, "").await;
    assert_eq!(play.ending(&id).await.text("topic"), "InvoiceSent");
    for to in ["good@example.org", "busy@example.org", "copy@example.org"] {
        assert_eq!(mails_to(&play, to), 1, "{to}");
    }
    assert_eq!(play.attempts(&id).await.len(), 3, "the busy one took it the third time");
    assert_eq!(play.times(&id, "InvoiceSentError"), 0);
    // A copy alone is no delivery.
    let hook = mail_hook("0", "refused@example.org?bcc=second@example.org", &["Send*"]);
    register(&play, hook).await;
    let (id, _) = send(&play, RECEIVER, "").await;
    assert_eq!(play.ending(&id).await.payload["details"]["code"], "mail-refused");
    assert_eq!(mails_to(&play, "second@example.org"), 0);
}

/// Switches a hook on or off.
async fn switch(play: &Play, hook: &Value, is_on: bool) {
    let mut hook = hook.clone();
    hook["isActive"] = json!(is_on);
    let headers = [("content-type", "application/json")];
    let body = Some(hook.to_string());
    let answer = play.sender().await.call(Method::PUT, "/api/v1/hook", &headers, body).await;
    assert_eq!(answer.unwrap().status, 200);
}

async fn waits_for_its_hook(play: &Play, id: &str) {
    until("it waits for its hook", async || {
        let attempts = play.attempts(id).await;
        attempts.last().is_some_and(|last| last.code.as_deref() == Some("mail-hook")).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_document_waits_for_a_channel_that_is_switched_off_meanwhile() {
    let play =
        Stage::set().await.play_with(|one, _| one.retry.delivery_seconds = vec![0.2; 200]).await;
    let hook = mail_hook("1", "later@example.org", &["Send*"]);
    register(&play, hook.clone()).await;
    play.stage.around.mailbox.fill(true);
    let (chosen, _) = send(&play, RECEIVER, "").await;
    let (forced, _) = send(&play, RECEIVER, "?channel=1").await;
    for id in [&chosen, &forced] {
        play.told(id, &["InvoiceSentRetry"]).await;
    }
    switch(&play, &hook, false).await;
    for id in [&chosen, &forced] {
        waits_for_its_hook(&play, id).await;
    }
    assert!(play.arrived().await.is_empty(), "it did not take another channel");
    let path = format!("/api/v1/{SENDER}/salesInvoice/sendDryRun?channel=1");
    let headers = [("content-type", "application/xml")];
    let body = Some(quoin_formats::samples::invoice(SENDER, RECEIVER, "CHANNEL-3"));
    let answer = play.sender().await.call(Method::POST, &path, &headers, body).await.unwrap();
    answer.is_problem(400, "API400.Channel", "switched off");
    play.stage.around.mailbox.fill(false);
    switch(&play, &hook, true).await;
    for id in [&chosen, &forced] {
        assert_eq!(play.ending(id).await.payload["details"]["protocol"], "Smtp");
    }
    assert_eq!(mails_to(&play, "later@example.org"), 2);
}

/// A document that was tried over a mail hook, which was removed then.
async fn tried_over_one_that_is_gone(play: &Play, address: &str) -> String {
    register(play, mail_hook("1", address, &["Send*"])).await;
    play.stage.around.mailbox.fill(true);
    let (id, _) = send(play, RECEIVER, "").await;
    play.told(&id, &["InvoiceSentRetry"]).await;
    let path = "/api/v1/hook/1";
    let gone = play.sender().await.call(Method::DELETE, path, &[], None::<bytes::Bytes>).await;
    assert!(gone.unwrap().status < 300);
    id
}

#[tokio::test(flavor = "multi_thread")]
async fn a_document_that_was_tried_over_a_hook_that_is_gone_takes_no_other_channel() {
    let play =
        Stage::set().await.play_with(|one, _| one.retry.delivery_seconds = vec![0.2; 12]).await;
    let id = tried_over_one_that_is_gone(&play, "gone@example.org").await;
    // One of the same kind that leads elsewhere is another channel.
    register(&play, mail_hook("2", "elsewhere@example.org", &["Send*", "Send*Fallback"])).await;
    play.stage.around.mailbox.fill(false);
    let told = play.ending(&id).await;
    assert_eq!(told.payload["details"]["code"], "mail-hook", "{told:#?}");
    assert!(play.arrived().await.is_empty());
    assert_eq!(mails_to(&play, "elsewhere@example.org"), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_document_goes_on_over_another_hook_to_the_same_destination() {
    let play =
        Stage::set().await.play_with(|one, _| one.retry.delivery_seconds = vec![0.2; 40]).await;
    let id = tried_over_one_that_is_gone(&play, "same@example.org").await;
    waits_for_its_hook(&play, &id).await;
    register(&play, mail_hook("0", "elsewhere@example.org", &["Send*"])).await;
    register(&play, mail_hook("2", "same@example.org", &["Send*"])).await;
    play.stage.around.mailbox.fill(false);
    assert_eq!(play.ending(&id).await.text("topic"), "InvoiceSent");
    let mailed = |to| mails_to(&play, to);
    assert_eq!((mailed("same@example.org"), mailed("elsewhere@example.org")), (1, 0));
}

/// A hook that names no address leads to the one that it keeps for that, and nobody else's does.
#[tokio::test(flavor = "multi_thread")]
async fn a_document_goes_on_to_the_address_that_was_kept_for_it() {
    let play =
        Stage::set().await.play_with(|one, _| one.retry.delivery_seconds = vec![0.2; 60]).await;
    for (kept, next, goes) in [
        ("kept@example.org", "?fallbackEmail=kept@example.org", true),
        ("kept@example.org", "?fallbackEmail=other@example.org", false),
        ("kept@example.org", "elsewhere@example.org", false),
    ] {
        let id = tried_over_one_that_is_gone(&play, &format!("?fallbackEmail={kept}")).await;
        waits_for_its_hook(&play, &id).await;
        register(&play, mail_hook("1", next, &["Send*"])).await;
        play.stage.around.mailbox.fill(false);
        let told = play.ending(&id).await;
        assert_eq!(told.text("topic") == "InvoiceSent", goes, "{next}: {told:?}");
    }
    assert_eq!(
        (mails_to(&play, "other@example.org"), mails_to(&play, "elsewhere@example.org")),
        (0, 0)
    );
}

/// An invoice in a form that the network does not have is looked up as any other: it falls back
/// where its receiver is not there, and else it is told that.
#[tokio::test(flavor = "multi_thread")]
async fn a_form_of_no_type_of_the_network_falls_back_where_nobody_is_registered() {
    let play = Play::begin().await;
    let ubl = quoin_formats::samples::invoice(SENDER, UNREGISTERED, "CHANNEL-JSON");
    let parsed = quoin_formats::read(ubl.as_bytes());
    let target = quoin_formats::convert::ConversionTarget::JSON;
    let json = quoin_formats::convert::convert_at(parsed.root().unwrap(), target).unwrap().document;
    let sender = play.sender().await;
    let call = async |path: &str, number: &str| {
        let path = format!("/api/v1/{SENDER}/salesInvoice/{path}");
        let body = Some(json.replacen("CHANNEL-JSON", number, 1));
        let headers = [("content-type", "application/json")];
        let answer = sender.call(Method::POST, &path, &headers, body).await.unwrap();
        assert_eq!(answer.status, 200, "{}", answer.json);
        answer.json
    };
    let id = call("send", "CHANNEL-JSON-1").await["id"].as_str().unwrap().to_owned();
    let ending = play.ending(&id).await;
    assert_eq!(ending.text("topic"), "InvoiceSentError", "{ending:?}");
    assert!(ending.text("message").contains("NXDOMAIN"), "{ending:?}");
    let run = call("sendDryRun", "CHANNEL-JSON-2").await;
    assert_eq!(run["verdict"], "unroutable", "{run}");
    assert!(run["reason"].as_str().unwrap().contains("NXDOMAIN"), "{run}");
    register(&play, mail_hook("late", "json@example.org", &["Send*Fallback"])).await;
    let id = call("send", "CHANNEL-JSON-3").await["id"].as_str().unwrap().to_owned();
    let ending = play.ending(&id).await;
    assert_eq!(ending.text("topic"), "InvoiceSent", "{ending:?}");
    let (timeline, _) = sender.timeline(SENDER, &id).await;
    assert_eq!(timeline, ["Pending", "Validated", "Fallback", "Routed", "Delivered"]);
    let mail = mailed(&play, "json@example.org").await;
    assert_eq!(mail.files()[0].0, format!("{id}.json"));
    let run = call("sendDryRun", "CHANNEL-JSON-4").await;
    assert_eq!(
        (&run["verdict"], &run["route"]["channel"]),
        (&json!("deliverable"), &json!("late"))
    );
    // By a hook that asks for a type of the network it goes neither in fact nor in a dry run.
    let invoice = "busdox-docid-qns::urn:oasis:names:specification:ubl:schema:xsd:Invoice-2::\
                   Invoice##urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:\
                   billing:3.0::2.1";
    let typed: String = url::form_urlencoded::byte_serialize(invoice.as_bytes()).collect();
    let typed = format!("typed@example.org?targetDocumentTypeId={typed}");
    register(&play, mail_hook("typed", &typed, &["SendOrder", "Send*Fallback"])).await;
    let run = call("sendDryRun?channel=typed", "CHANNEL-JSON-5").await;
    assert_eq!(run["verdict"], "unroutable", "{run}");
    let run = call("send?channel=typed", "CHANNEL-JSON-6").await;
    let ending = play.ending(run["id"].as_str().unwrap()).await;
    assert_eq!(ending.text("topic"), "InvoiceSentError", "{ending:?}");
    assert!(ending.text("message").contains("asks for the document type"), "{ending:?}");
    assert_eq!(mails_to(&play, "typed@example.org"), 0);
    // It is downloaded as what it is.
    let got = sender.get(&format!("/api/v1/{SENDER}/generic/{id}/download")).await;
    assert_eq!(got.headers["content-type"], "application/json");
    let name = got.headers["content-disposition"].to_str().unwrap().to_owned();
    assert!(name.ends_with(&format!("{id}.json\"")), "{name}");
}
