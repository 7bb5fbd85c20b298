//! A hook that was removed while documents waited for it, and what is registered in its place: the
//! same destination takes them over, and no other one does, whatever its id.

use serde_json::{Value, json};

use super::server::{DocumentServer, ServerAct};
use super::{GotRequest, play, upload};
use crate::stage::{Play, until};
use quoin_formats::samples;
use quoin_lab::lab::network::{RECEIVER, SENDER};
use reqwest::Method;

const DOWN: ServerAct = ServerAct::Answer(500, "", "down");

/// Registers a hook for invoices.
async fn register(play: &Play, id: &str, action: &str) {
    let hook = json!({ "id": id, "action": action, "topics": ["SendInvoice"] });
    let headers = [("content-type", "application/json")];
    let body = Some(hook.to_string());
    let answer = play.sender().await.call(Method::PUT, "/api/v1/hook", &headers, body).await;
    assert_eq!(answer.unwrap().status, 200);
}

async fn remove(play: &Play, id: &str) {
    let path = format!("/api/v1/hook/{id}");
    let gone = play.sender().await.call(Method::DELETE, &path, &[], None::<bytes::Bytes>).await;
    assert!(gone.unwrap().status < 300);
}

/// An invoice that was tried over the hook `first`, which was removed then, and an attempt after
/// that.
async fn in_the_gap(play: &Play, server: &DocumentServer, number: &str, query: &str) -> String {
    server.always(Some(DOWN));
    register(play, "first", &server.url("/in")).await;
    let (id, _) = upload(play, samples::invoice(SENDER, RECEIVER, number), query).await;
    play.told(&id, &["InvoiceSentRetry"]).await;
    remove(play, "first").await;
    until("an attempt without a hook", async || {
        let attempts = play.attempts(&id).await;
        attempts.last().is_some_and(|last| last.code.as_deref() == Some("https-hook")).then_some(())
    })
    .await;
    id
}

fn of<'a>(all: &'a [GotRequest], id: &str, path: &str) -> Vec<&'a GotRequest> {
    all.iter().filter(|got| got.header("idempotency-key") == id && got.path == path).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_destination_takes_over_what_was_tried_while_the_hook_was_gone() {
    let (play, server) = play().await;
    for next in ["first", "second"] {
        let id = in_the_gap(&play, &server, next, "").await;
        server.always(None);
        register(&play, next, &server.url("/in")).await;
        let told = play.ending(&id).await;
        assert_eq!(told.text("topic"), "InvoiceSent", "{next}: {told:#?}");
        let details = &told.payload["details"];
        assert_eq!(
            (&details["protocol"], &details["endpoint"]),
            (&json!("Https"), &json!(server.url("/in")))
        );
        remove(&play, next).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn another_destination_under_the_same_id_takes_nothing_over() {
    let (play, server) = play().await;
    for query in ["", "?channel=first"] {
        let id = in_the_gap(&play, &server, &format!("OTHER-{}", query.len()), query).await;
        let before = play.attempts(&id).await.len();
        server.always(None);
        register(&play, "first", &server.url("/elsewhere")).await;
        let more = async || (play.attempts(&id).await.len() > before + 2).then_some(());
        until("it waits on", more).await;
        let last: Vec<Value> =
            play.attempts(&id).await.iter().map(|made| json!(made.code)).skip(before).collect();
        assert!(last.iter().all(|code| code == "https-hook"), "{query}: {last:?}");
        // One that is sent now goes there.
        let (new, _) = upload(&play, samples::invoice(SENDER, RECEIVER, "NEW"), query).await;
        assert_eq!(play.ending(&new).await.text("topic"), "InvoiceSent");
        let got = server.got();
        assert_eq!((of(&got, &id, "/elsewhere").len(), of(&got, &new, "/elsewhere").len()), (0, 1));
        // The place of the first one is taken by who leads there.
        register(&play, "third", &server.url("/in")).await;
        assert_eq!(play.ending(&id).await.text("topic"), "InvoiceSent", "{query}");
        remove(&play, "first").await;
        remove(&play, "third").await;
    }
}
