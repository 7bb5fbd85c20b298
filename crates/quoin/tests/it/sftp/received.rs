//! Documents that arrived are handed on into a folder, and hooks that cannot work are refused.

use quoin_lab::lab::network::{RECEIVER, SENDER};
use quoin_lab::lab::sink::ReceivedCall;
use reqwest::Method;
use serde_json::{Value, json};

use super::play;
use crate::stage::{PATIENCE, Play, until};
use crate::world::world;

async fn put(play: &Play, action: &str, topics: &[&str]) {
    let hook = json!({ "id": "files", "action": action, "topics": topics });
    let path = format!("/api/v1/{RECEIVER}/hook");
    let headers = [("content-type", "application/json")];
    let receiver = play.receiver().await;
    let answer = receiver.call(Method::PUT, &path, &headers, Some(hook.to_string())).await.unwrap();
    assert_eq!(answer.status, 200, "{}", answer.json);
}

async fn told(play: &Play, topic: &str) -> ReceivedCall {
    let holds = |told: &ReceivedCall| told.text("topic") == topic;
    let told = play.stage.around.sink.wait_for(PATIENCE, holds).await;
    told.unwrap_or_else(|| panic!("{topic} was not told"))
}

/// The calls of the hook, as its log tells them.
async fn calls(play: &Play) -> Value {
    let path = format!("/api/v1/{RECEIVER}/hook/files/deliveries");
    play.receiver().await.get(&path).await.json["items"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_document_that_arrived_is_handed_on_into_the_folder() {
    let Some((play, ssh)) = play().await else { return };
    put(&play, &ssh.action(), &["*Received"]).await;
    let invoice = quoin_formats::samples::invoice(SENDER, RECEIVER, "IN-1");
    play.send_document(invoice.clone()).await;
    let sent = told(&play, "HookSent").await;
    assert_eq!(sent.payload["details"]["hookTopic"], "InvoiceReceived");
    let id = sent.text("documentId").to_owned();
    let files = ssh.files();
    assert_eq!(files.keys().collect::<Vec<_>>(), [&format!("{id}.xml")]);
    // What travels in an envelope has no XML declaration.
    let travelled = invoice[invoice.find("<Invoice").unwrap()..].trim_end();
    let found = String::from_utf8_lossy(&files[&format!("{id}.xml")]).into_owned();
    assert_eq!(found.trim_end(), travelled);
    let calls = calls(&play).await;
    let said = calls[0]["tries"][0]["response"].as_str().unwrap();
    assert!(said.contains(&format!("{id}.xml has {} bytes", found.len())), "{said}");
    assert!(!calls.to_string().contains("PRIVATE KEY"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_whether_the_folder_is_reached_tells_the_key_and_writes_nothing() {
    let Some((play, ssh)) = play().await else { return };
    let open = format!("{}#{}", ssh.action_at(ssh.port, ""), ssh.key);
    for (action, words) in
        [(open, ssh.fingerprint.clone()), (ssh.action(), "the folder".to_owned())]
    {
        put(&play, &action, &["*Received"]).await;
        let answer = play.receiver().await.get(&format!("/api/v1/{RECEIVER}/hook/ping")).await;
        assert_eq!(answer.status, 200, "{}", answer.json);
        let tried = async || calls(&play).await.to_string().contains(&words).then_some(());
        until(&words, tried).await;
    }
    assert!(ssh.files().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_that_is_not_there_is_told_at_once() {
    let Some((play, ssh)) = play().await else { return };
    put(&play, &ssh.action().replace("/in?", "/out?"), &["*Received"]).await;
    play.send("IN-2").await;
    let error = told(&play, "HookSentError").await;
    assert!(error.text("message").contains("has no folder for"), "{error:#?}");
    assert_eq!(play.times(error.text("documentId"), "HookSentRetry"), 0);
}

#[tokio::test]
async fn hooks_that_cannot_work_are_refused_with_the_reason() {
    let world = world().await;
    let acme = world.acme().await;
    for (action, topic, word) in [
        ("sftp://a@h.example.org/in", "Send*", "behind #"),
        ("sftp://a:b@h.example.org/in", "Send*", "behind #"),
        ("sftp://a@10.0.0.1/in#b", "Send*", "not a public address"),
        ("sftp://a@[::1]/in#b", "Send*", "not a public address"),
        ("sftp://a@2130706433/in#b", "Send*", "not a public address"),
        ("sftp://a@h.example.org/in/../..#b", "Send*", "the folder"),
        ("sftp://a@h.example.org/in?password=x#b", "Send*", "there are hostKey"),
        ("sftp://a@h.example.org/in?filename=a.xml#b", "Send*", "lacks {{id}}"),
        ("sftp://a@h.example.org/in#b\nc", "Send*", "the password"),
        ("sftp://a@h.example.org/in#-----BEGIN RSA PRIVATE KEY-----\nx", "Send*", "private key"),
        ("sftp://a@h.example.org/in#b", "InvoiceSent", "is for a hook with this action"),
    ] {
        let hook = json!({ "action": action, "topics": [topic] });
        let (status, answer) = acme.json(Method::POST, "/api/v1/hook", hook).await;
        assert_eq!((status, &answer["code"]), (400, &json!("API400.Hook")), "{action}: {answer}");
        assert!(answer["message"].as_str().unwrap().contains(word), "{action}: {answer}");
    }
    let hook =
        json!({ "id": "f", "action": "sftp://a@h.example.org/in#s3cret", "topics": ["Send*"] });
    let (status, hook) = acme.json(Method::POST, "/api/v1/hook", hook).await;
    assert_eq!((status, &hook["hasSecret"]), (200, &json!(true)), "{hook}");
    assert_eq!(hook["action"], "sftp://a@h.example.org/in");
    let (_, hooks) = acme.get("/api/v1/hook").await;
    assert!(!hooks.to_string().contains("s3cret"));
    let moved = json!({ "id": "f", "action": "sftp://a@i.example.org/in", "topics": ["Send*"] });
    let (status, answer) = acme.json(Method::PUT, "/api/v1/hook", moved).await;
    assert_eq!(status, 400, "a secret is for one server: {answer}");
}
