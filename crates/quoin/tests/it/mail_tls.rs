//! Mail over TLS, from the first byte or after STARTTLS, with a login: taken where everything is as
//! it should be, and never sent in the clear or to a server that is not the one that was meant.

use std::sync::Arc;

use quoin_access_point::config::{ConfigSecret, Protection};
use quoin_access_point::tls::server_tls;
use quoin_lab::lab::mailbox::{Mailbox, Manners, ReceivedMail};
use quoin_lab::lab::network::RECEIVER;
use quoin_lab::lab::sink::ReceivedCall;
use reqwest::Method;
use serde_json::{Value, json};

use crate::stage::{PATIENCE, Play, Stage};

const NAME: &str = "quoin@example.org";
const PASSWORD: &str = "correct horse";

/// How the client is set up, against a server that speaks TLS and asks for a login.
struct Setting<'s> {
    scheme: &'s str,
    host: &'s str,
    password: Option<&'s str>,
}

/// A service whose mail goes to a server that speaks as written.
async fn play(speaks: Option<Protection>, setting: Setting<'_>) -> (Play, Mailbox) {
    let stage = Stage::set().await;
    let leaf = stage.around.pki.server(&["localhost"]).unwrap();
    let tls = server_tls(leaf.certificate_pem.as_bytes(), leaf.key_pem.as_bytes()).unwrap();
    let login = Some((NAME.to_owned(), PASSWORD.to_owned()));
    let tls = speaks.map(|protection| (protection, Arc::clone(&tls)));
    let mailbox = Mailbox::default();
    let address = mailbox.open_with(Manners { tls, login }).await.unwrap();
    let server = format!("{}://{}:{}", setting.scheme, setting.host, address.port());
    let play = stage
        .play_with(|_, two| {
            two.mail.server = Some(server);
            two.mail.timeout_seconds = 10;
            two.mail.username = setting.password.map(|_| NAME.to_owned());
            two.mail.password = setting.password.map(ConfigSecret::new);
        })
        .await;
    let hook = json!({ "id": "mail", "action": "mailto:books@example.org", "topics": ["InvoiceReceived"] });
    let path = format!("/api/v1/{RECEIVER}/hook");
    let headers = [("content-type", "application/json")];
    let receiver = play.receiver().await;
    let answer =
        receiver.call(Method::POST, &path, &headers, Some(hook.to_string())).await.unwrap();
    assert_eq!(answer.status, 200, "{}", answer.json);
    play.send("TLS-1").await;
    (play, mailbox)
}

async fn told(play: &Play, topic: &str) -> ReceivedCall {
    let holds = |told: &ReceivedCall| told.text("topic") == topic;
    let told = play.stage.around.sink.wait_for(PATIENCE, holds).await;
    told.unwrap_or_else(|| panic!("{topic} was not told"))
}

/// The last try in the delivery log.
async fn last_try(play: &Play) -> Value {
    let log = play.receiver().await.get(&format!("/api/v1/{RECEIVER}/hook/mail/deliveries")).await;
    log.json["items"][0]["tries"].as_array().unwrap().last().unwrap().clone()
}

async fn is_taken(speaks: Protection, scheme: &str) {
    let setting = Setting { scheme, host: "localhost", password: Some(PASSWORD) };
    let (play, mailbox) = play(Some(speaks), setting).await;
    let mail = mailbox.wait_for(PATIENCE, |_| true).await.expect("a mail");
    let ReceivedMail { to, encrypted, login, .. } = &mail;
    assert_eq!((to.as_slice(), *encrypted), (&["books@example.org".to_owned()][..], true));
    assert_eq!(login.as_deref(), Some(NAME));
    assert_eq!(told(&play, "HookSent").await.payload["details"]["hook"], "mail");
}

#[tokio::test(flavor = "multi_thread")]
async fn mail_goes_over_tls_from_the_first_byte_with_a_login() {
    is_taken(Protection::Wrapped, "smtps").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn mail_goes_over_starttls_with_a_login() {
    is_taken(Protection::StartTls, "smtp+starttls").await;
}

/// Nothing arrives; the mail waits, and the log tells why.
async fn waits(speaks: Option<Protection>, setting: Setting<'_>, words: &[&str]) {
    let (play, mailbox) = play(speaks, setting).await;
    let retry = told(&play, "HookSentRetry").await;
    assert_eq!(retry.payload["details"]["hook"], "mail");
    let tried = last_try(&play).await.to_string().to_lowercase();
    assert!(words.iter().any(|word| tried.contains(word)), "none of {words:?} is in {tried}");
    assert!(!tried.contains(PASSWORD), "{tried}");
    assert!(mailbox.mails().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_login_is_a_matter_of_our_account_and_the_mail_waits() {
    let setting = Setting { scheme: "smtps", host: "localhost", password: Some("wrong horse") };
    waits(Some(Protection::Wrapped), setting, &["535"]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_login_that_is_missing_is_asked_for_and_the_mail_waits() {
    let setting = Setting { scheme: "smtps", host: "localhost", password: None };
    waits(Some(Protection::Wrapped), setting, &["530"]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_starttls_nothing_is_sent_in_the_clear() {
    let setting = Setting { scheme: "smtp+starttls", host: "localhost", password: Some(PASSWORD) };
    waits(None, setting, &["starttls"]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_with_the_certificate_of_another_name_gets_no_mail() {
    let setting = Setting { scheme: "smtps", host: "127.0.0.1", password: Some(PASSWORD) };
    waits(Some(Protection::Wrapped), setting, &["certificate", "name"]).await;
}
