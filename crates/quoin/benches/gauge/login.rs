//! How a customer of a lab signs in.

use std::time::Duration;

use bytes::Bytes;
use quoin_access_point::net::{HttpCall, HttpClient};
use quoin_lab::lab::network::Customer;
use reqwest::Method;
use reqwest::header::{CONTENT_TYPE, HeaderValue};
use serde_json::Value;

/// What a customer shows in the header `Authorization`: `Bearer` and a token.
pub async fn token(http: &HttpClient, base: &str, customer: &Customer) -> HeaderValue {
    let form = format!(
        "grant_type=client_credentials&scope=ap&client_id={}&client_secret={}",
        customer.client, customer.secret
    );
    let url = format!("{base}/connect/token");
    let kind = HeaderValue::from_static("application/x-www-form-urlencoded");
    let call = HttpCall {
        method: Method::POST,
        headers: vec![(CONTENT_TYPE, kind)],
        body: Some(Bytes::from(form)),
        ..HttpCall::get(&url, Duration::from_secs(10), 1 << 20)
    };
    let answer = http.call(call).await.expect("an answer");
    let json: Value = serde_json::from_slice(&answer.body).expect("json");
    let token = json["access_token"].as_str().expect("a token");
    HeaderValue::from_str(&format!("Bearer {token}")).expect("a header")
}
