//! Two organisations post to one host, and calls of the first one hang there.

use std::time::{Duration, Instant};

use quoin_lab::lab::network::{Customer, RECEIVER, SENDER};
use reqwest::Method;
use serde_json::Value;
use uuid::Uuid;

use super::put;
use super::server::DocumentServer;
use crate::stage::caller::Caller;
use crate::stage::{Stage, until};

const OTHER: &str = "0106:33333333";
/// How long a call may take.
const CALL: u64 = 60;
/// Less than a call that hangs takes to end, by far.
const SOON: Duration = Duration::from_secs(20);
/// More documents than one host has places.
const HANGING: usize = 12;

async fn upload(caller: &Caller, party: &str, number: usize) -> String {
    let id = Uuid::new_v4().to_string();
    let invoice = quoin_formats::samples::invoice(party, RECEIVER, &format!("H-{number}"));
    let path = format!("/api/v1/{party}/salesInvoice/send?channel=posts");
    let headers = [("content-type", "application/xml"), ("x-service-documentid", id.as_str())];
    let answer = caller.call(Method::POST, &path, &headers, Some(invoice)).await.unwrap();
    assert_eq!(answer.status, 200, "{}", answer.json);
    id
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_of_one_that_hang_keep_no_other_from_the_same_host() {
    let stage = Stage::set().await;
    let server = DocumentServer::beside(&stage).await;
    server.is_silent_at("/hangs");
    let other = Customer::new("other", &[OTHER]).unwrap();
    let mut of_other = stage.one.config(&stage.around, &other).organisation;
    let play = stage
        .play_with(|one, _| {
            one.organisation.append(&mut of_other);
            one.limits.hook_timeout_seconds = CALL;
        })
        .await;
    let first = play.sender().await;
    let other = Caller::of(&play.stage, &play.one, &other).await;
    put(&first, &server.url("/hangs"), &["Send*"], &Value::Null).await;
    put(&other, &server.url("/in"), &["Send*"], &Value::Null).await;
    for number in 0..HANGING {
        upload(&first, SENDER, number).await;
    }
    until("calls hang", async || (server.got().len() >= 3).then_some(())).await;
    let begun = Instant::now();
    let id = upload(&other, OTHER, HANGING).await;
    let delivered = async || (other.timeline(OTHER, &id).await.1 == "Delivered").then_some(());
    until("the other one is delivered", delivered).await;
    assert!(begun.elapsed() < SOON, "after {:?}", begun.elapsed());
    let (hanging, other): (Vec<_>, Vec<_>) =
        server.got().into_iter().partition(|got| got.path == "/hangs");
    assert_eq!((hanging.len(), other.len()), (3, 1), "one is left to others");
}
