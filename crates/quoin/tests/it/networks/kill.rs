//! A service that is killed while a network hands documents in: what was answered with 200 is
//! there, and what is handed in again is there once.

use std::collections::BTreeSet;
use std::time::Duration;

use quoin_access_point::net::HttpCall;
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
