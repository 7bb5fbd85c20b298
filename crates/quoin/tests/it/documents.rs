//! Documents: answers, orders, any kind, look-ups, limits — each row of the contract by its name.

mod answered;
mod answers;
mod contract;
mod generic;
mod lookups;
mod order_changes;
mod orders;
mod rows;
mod sentences;
mod service;
mod written_by_sender;

use bytes::Bytes;
use reqwest::Method;
use serde_json::Value;

use crate::stage::caller::{Answered, Caller};
use crate::stage::until;

/// A JSON request.
pub async fn json(caller: &Caller, method: Method, path: &str, body: Value) -> Answered {
    let headers = [("content-type", "application/json")];
    caller.call(method, path, &headers, Some(body.to_string())).await.unwrap()
}

/// An upload of XML.
pub async fn xml(caller: &Caller, path: &str, body: impl Into<Bytes>) -> Answered {
    let headers = [("content-type", "application/xml")];
    caller.call(Method::POST, path, &headers, Some(body)).await.unwrap()
}

/// The id that an upload was given.
#[track_caller]
pub fn id(answer: &Answered) -> String {
    assert_eq!(answer.status, 200, "{}", answer.json);
    answer.json["id"].as_str().unwrap().to_owned()
}

/// The one item that a list of a party comes to.
pub async fn only(caller: &Caller, path: &str) -> Value {
    until(path, async || {
        let answer = caller.get(path).await;
        assert_eq!(answer.status, 200, "{}", answer.json);
        let items = answer.json.get("items").unwrap_or(&answer.json).as_array()?.clone();
        assert!(items.len() < 2, "{items:?}");
        items.first().filter(|item| item["status"] != "Pending").cloned()
    })
    .await
}
