//! A service that is killed between the answer of a network and its own commit: the document is
//! posted again under the same id with the same bytes, so that the network has it once. And one
//! that is killed while a network hands documents in: what was answered with 200 is there, and what
//! is handed in again is there once.

use std::collections::BTreeSet;
use std::time::Duration;

use quoin_access_point::net::HttpCall;
use quoin_lab::lab::partner::PartnerAct;
use reqwest::header::{HeaderName, HeaderValue};

use super::*;
use crate::kill::process::Service;

/// A service that tries again and again, and is not started yet.
async fn set() -> (Stage, Service) {
    let stage = Stage::set().await;
    let mut config = stage.config_one();
    config.retry.delivery_seconds = vec![0.2; 150];
    config.log.filter = "warn".to_owned();
    let one = Service::new("one", config, stage.one.api_url.clone(), stage.folder.path());
    (stage, one)
}

/// A customer of the service, as soon as it answers.
async fn caller(stage: &Stage, one: &Service) -> Caller {
    let open = async || {
        let http = stage.around.client().unwrap();
        Caller::at(&one.api_url, http, &stage.sender).await.ok()
    };
    until("a token", open).await
}

/// Kills the service when the network has the document whose upload says `query`, and starts it
/// again.
async fn posts_the_same_again(door: &str, query: &str, document: String) {
    let (stage, one) = set().await;
    let around = &stage.around;
    // The network takes the message, and its answer comes after the service is killed.
    around.partner.plan(&[PartnerAct::Late(Duration::from_secs(3))]);
    one.start();
    let before = caller(&stage, &one).await;
    let host = format!("://{}/", around.partner_host);
    put(&before, &format!("{}#{}", door.replace("://", &host), around.partner_secret)).await;
    let id = Uuid::new_v4().to_string();
    let path = format!("/api/v1/{SENDER}/salesInvoice/send?channel=net{query}");
    let headers = [("content-type", "application/xml"), ("x-service-documentid", id.as_str())];
    let answer = before.call(Method::POST, &path, &headers, Some(document)).await.unwrap();
    assert_eq!(answer.status, 200, "{}", answer.json);
    let called = async || (around.partner.posts().len() == 1).then_some(());
    until("the network has it", called).await;
    one.kill();
    one.start();
    let after = caller(&stage, &one).await;
    let delivered = async || {
        let (names, status) = after.timeline(SENDER, &id).await;
        (status == "Delivered").then_some(names)
    };
    let names = until("a delivery", delivered).await;
    assert_eq!(names.iter().filter(|name| *name == "Delivered").count(), 1, "{names:?}");
    let all = until("both calls", async || {
        let posts = around.partner.posts();
        (posts.len() == 2).then_some(posts)
    });
    let all = all.await;
    assert_eq!((&all[0].id, &all[0].body), (&all[1].id, &all[1].body));
    assert_eq!(around.partner.taken().len(), 1);
    let events = after.get("/api/v1/events?limit=500").await.json;
    let sent = |event: &&Value| event["topic"] == "InvoiceSent";
    assert_eq!(events["items"].as_array().unwrap().iter().filter(sent).count(), 1, "{events}");
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_before_its_commit_it_posts_the_same_message_again() {
    posts_the_same_again("cxml://cxml?from=AN-S&to=AN-B", "", invoice("KILL-N")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_before_its_commit_it_posts_the_same_dico_again() {
    let losses = "&allowLosses=BT-10,BT-28,BT-45,BT-160,BT-161";
    let document = with_numbers(&invoice("KILL-D"));
    posts_the_same_again("dico://dico?applicationId=quoin-lab", losses, document).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_before_its_commit_it_posts_to_the_platform_again() {
    let door = "collaboration://collaboration?from=-0003:XC1";
    posts_the_same_again(door, "&receiverId=-0003:XC4711", invoice("KILL-P")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_at_its_door_it_has_each_document_once() {
    const DOCUMENTS: usize = 12;
    let (stage, one) = set().await;
    let around = &stage.around;
    one.start();
    let before = caller(&stage, &one).await;
    let door = format!(
        "collaboration://{}/collaboration?from=-0003:XC1#{}",
        around.partner_host, around.partner_secret
    );
    put(&before, &door).await;
    let hand_in = async |number: usize| {
        let url = format!("{}/networks/sender/net/documents", one.api_url);
        let header = |(name, value): (&'static str, String)| {
            (HeaderName::from_static(name), HeaderValue::from_str(&value).unwrap())
        };
        let headers = [
            ("authorization", format!("Bearer {}", around.partner_secret)),
            ("x-message-id", format!("kill-{number}")),
            ("x-sender-id", "-0003:XC4711".to_owned()),
            ("x-receiver-id", SENDER.to_owned()),
        ];
        let body = samples::invoice(RECEIVER, SENDER, &format!("KILL-IN-{number}"));
        let call = HttpCall {
            method: Method::POST,
            headers: headers.map(header).to_vec(),
            body: Some(body.into()),
            ..HttpCall::get(&url, Duration::from_secs(30), 1 << 20)
        };
        let answer = around.client().unwrap().call(call).await.ok()?;
        let answer: Value = serde_json::from_slice(&answer.body).ok()?;
        answer["id"].as_str().map(str::to_owned)
    };
    // It is killed when some of them were answered, in the middle of the others.
    let mut answered = futures::future::join_all((0..3).map(hand_in)).await;
    let others = futures::future::join_all((3..DOCUMENTS).map(hand_in));
    let killed = async {
        tokio::time::sleep(Duration::from_millis(30)).await;
        one.kill();
    };
    answered.extend(futures::join!(others, killed).0);
    assert!(answered.iter().take(3).all(Option::is_some), "{answered:?}");
    one.start();
    let after = caller(&stage, &one).await;
    for (number, before) in answered.iter().enumerate() {
        let again = hand_in(number).await;
        assert!(again.is_some(), "document {number} is taken");
        assert!(before.is_none() || *before == again, "{before:?} is known as {again:?}");
    }
    let listed = async || {
        let list = after.get(&format!("/api/v1/{SENDER}/purchaseInvoice?limit=100")).await.json;
        let items = list["items"].as_array().cloned().unwrap_or_default();
        (items.len() >= DOCUMENTS).then_some(items)
    };
    let items = until("all documents", listed).await;
    let ids: BTreeSet<String> = items.iter().map(|item| item["id"].to_string()).collect();
    assert_eq!((items.len(), ids.len()), (DOCUMENTS, DOCUMENTS), "{items:?}");
}
