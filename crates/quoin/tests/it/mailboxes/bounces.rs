//! Mail that a server took and could not deliver: its report comes back, and is told.

use aws_lc_rs::signature::Ed25519KeyPair;
use data_encoding::BASE64;
use quoin_access_point::config::{ConfigSecret, DkimSection};
use quoin_access_point::dossier::unzip;
use quoin_formats::samples::invoice;
use quoin_lab::lab::mailbox::Mailbox;
use quoin_lab::lab::network::{RECEIVER, SENDER};
use quoin_peppol::pki::Certificate;
use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use super::servers::{Dovecot, PASSWORD, Postfix, USER};
use crate::stage::{PATIENCE, Play, Stage, until};

/// What the story is played with.
struct Post {
    play: Play,
    dovecot: Dovecot,
    _postfix: Postfix,
    /// Where mail goes that Postfix does not keep.
    next: Mailbox,
}

async fn post() -> Option<Post> {
    let stage = Stage::set().await;
    let dovecot = Dovecot::start(stage.folder.path(), &stage.around.pki)?;
    let next = Mailbox::default();
    let address = next.open().await.unwrap();
    let postfix = Postfix::start(stage.folder.path(), &dovecot, address.port())?;
    let key = Ed25519KeyPair::generate().unwrap().to_pkcs8v1().unwrap();
    let key = BASE64.encode(key.as_ref());
    let pem = format!("-----BEGIN PRIVATE KEY-----\n{key}\n-----END PRIVATE KEY-----\n");
    let key_file = stage.folder.path().join("dkim.pem");
    std::fs::write(&key_file, pem).unwrap();
    let (imap, smtp) = (dovecot.port, postfix.port);
    let play = stage
        .play_with(|one, _| {
            one.network.folder_seconds = 1;
            let mail = &mut one.mail;
            mail.server = Some(format!("smtp://127.0.0.1:{smtp}"));
            mail.from = Some("Invoices <invoices@story.test>".to_owned());
            mail.bounce_address = Some("bounces@story.test".to_owned());
            mail.bounce_mailbox = Some(format!("imaps://{USER}@127.0.0.1:{imap}/INBOX"));
            mail.bounce_password = Some(ConfigSecret::new(PASSWORD));
            mail.dkim = vec![DkimSection {
                domain: "story.test".to_owned(),
                selector: "s1".to_owned(),
                key_file: Some(key_file),
                token: None,
            }];
        })
        .await;
    Some(Post { play, dovecot, _postfix: postfix, next })
}

impl Post {
    /// Sends a document by mail to an address; answers its id.
    async fn send(&self, to: &str, number: &str) -> String {
        let hook = json!({ "id": "post", "action": format!("mailto:{to}"), "topics": ["Send*"] });
        let sender = self.play.sender().await;
        let headers = [("content-type", "application/json")];
        let answer =
            sender.call(Method::PUT, "/api/v1/hook", &headers, Some(hook.to_string())).await;
        assert_eq!(answer.unwrap().status, 200);
        let id = Uuid::new_v4().to_string();
        let path = format!("/api/v1/{SENDER}/salesInvoice/send?channel=post");
        let headers = [("content-type", "application/xml"), ("x-service-documentid", id.as_str())];
        let document = invoice(SENDER, RECEIVER, number);
        let answer = sender.call(Method::POST, &path, &headers, Some(document)).await.unwrap();
        assert_eq!(answer.status, 200, "{}", answer.json);
        id
    }

    /// The names of the timeline, and the status.
    async fn timeline(&self, id: &str) -> (Vec<String>, String) {
        self.play.sender().await.timeline(SENDER, id).await
    }

    async fn has_line(&self, id: &str, name: &str) {
        let line = async || {
            let (names, _) = self.timeline(id).await;
            names.iter().any(|own| own == name).then_some(())
        };
        until(name, line).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mail_that_comes_back_is_told_once_and_is_in_the_dossier() {
    let Some(post) = post().await else { return };
    let id = post.send("refused@gone.test", "BOUNCE-1").await;
    let sent = post.play.told(&id, &["InvoiceSent"]).await;
    assert_eq!(sent.payload["details"]["protocol"], "Smtp");
    let error = post.play.told(&id, &["InvoiceSentError"]).await;
    let details = &error.payload["details"];
    assert_eq!(details["code"], "mail-bounced", "{error:#?}");
    assert_eq!(details["mailRecipient"], "refused@gone.test");
    assert_eq!((&details["corner"], &details["whoCanFix"]), (&json!("mail"), &json!("sender")));
    assert!(error.text("message").contains("no such user here"), "{error:#?}");
    let (names, status) = post.timeline(&id).await;
    assert_eq!(status, "Delivered", "a final status is never left");
    assert_eq!(names.last().map(String::as_str), Some("Bounced"), "{names:?}");
    until("it is moved", async || (post.dovecot.mails("done").len() == 1).then_some(())).await;
    // The same report once more, and one that names nothing of ours.
    let report = post.dovecot.mails("done").remove(0);
    let other = Uuid::new_v4();
    let own = post.play.record(&id).await.message_id.unwrap();
    let own = own.split('@').next().unwrap().to_owned();
    let forged = report.replace(&own, &other.to_string());
    let forged = forged.replace(&own.replace('-', ""), &other.simple().to_string());
    post.dovecot.deliver(&report);
    post.dovecot.deliver(&forged);
    post.dovecot.deliver("From: a@b.test\r\nSubject: I am away\r\n\r\nUntil Monday.\r\n");
    until("all are moved", async || {
        let counts = (post.dovecot.mails("done").len(), post.dovecot.mails("other").len());
        (counts == (2, 2)).then_some(())
    })
    .await;
    let (names, _) = post.timeline(&id).await;
    assert_eq!(names.iter().filter(|name| *name == "Bounced").count(), 1, "{names:?}");
    let events = post.play.sender().await.get("/api/v1/events?topic=InvoiceSentError").await;
    assert_eq!(events.json["items"].as_array().unwrap().len(), 1, "{}", events.json);
    in_the_dossier(&post.play, &id).await;
}

/// The report is a part of the dossier, the document that came back in it is not.
async fn in_the_dossier(play: &Play, id: &str) {
    let path = format!("/api/v1/{SENDER}/salesInvoice/{id}/dossier");
    let answer = play.sender().await.get(&path).await;
    let parts = unzip(&answer.body).unwrap();
    let report = String::from_utf8(parts["mail-report-1.eml"].clone()).unwrap();
    assert!(report.contains("Action: failed"), "{report}");
    assert!(report.contains("Message-ID: <"), "the head of what came back");
    assert!(!report.contains("Content-Disposition: attachment"), "and not its body: {report}");
    let root = Certificate::from_der(play.stage.around.pki.root.der()).unwrap();
    let verdict = quoin_peppol::dossier::verify(&parts, &[root]);
    let failing: Vec<_> = verdict.failing().map(|check| check.name.clone()).collect();
    assert!(
        !failing.iter().any(|name| name.contains("chain") || name.contains("part")),
        "{failing:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mail_that_is_late_has_not_failed() {
    let Some(post) = post().await else { return };
    let id = post.send("busy@slow.test", "BOUNCE-2").await;
    post.has_line(&id, "Delayed").await;
    let arrives = |mail: &quoin_lab::lab::mailbox::ReceivedMail| mail.to == ["busy@slow.test"];
    let mail = post.next.wait_for(PATIENCE, arrives).await.expect("it arrives at last");
    let record = post.play.record(&id).await;
    let message_id = record.message_id.unwrap();
    assert_eq!(mail.header("Message-ID"), Some(format!("<{message_id}>")));
    let own = message_id.split('@').next().unwrap().replace('-', "");
    assert_eq!(mail.from, format!("bounces+{own}@story.test"));
    let signature = mail.header("DKIM-Signature").unwrap();
    assert!(signature.contains("a=ed25519-sha256") && signature.contains("d=story.test"));
    let (names, status) = post.timeline(&id).await;
    assert_eq!(status, "Delivered");
    assert!(!names.iter().any(|name| name == "Bounced"), "{names:?}");
    assert_eq!(post.play.times(&id, "InvoiceSentError"), 0);
    let health: Value =
        post.play.sender().await.get("/api/v1/events?topic=ServiceAlarm").await.json;
    assert_eq!(health["items"], json!([]));
}
