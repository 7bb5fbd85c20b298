//! A customer's webhook receiver: it checks both signatures of every call, as a customer would, and
//! remembers what it was told.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use aws_lc_rs::hmac;
use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use data_encoding::{BASE64, HEXLOWER};
use serde_json::Value;
use tokio::sync::Notify;

/// A call that was received.
#[derive(Debug, Clone)]
pub struct ReceivedCall {
    /// The stable delivery id.
    pub delivery: String,
    /// The payload.
    pub payload: Value,
    /// Whether both signatures were right.
    pub signed: bool,
}

impl ReceivedCall {
    /// A field of the payload as text.
    pub fn text(&self, name: &str) -> &str {
        self.payload.get(name).and_then(Value::as_str).unwrap_or_default()
    }
}

/// The receiver; clones share their memory.
#[derive(Clone)]
pub struct HookReceiver {
    secret: Arc<str>,
    header: Arc<str>,
    told: Arc<Mutex<Vec<ReceivedCall>>>,
    news: Arc<Notify>,
}

impl HookReceiver {
    /// A receiver that knows the secret of its hooks; `prefix` is that of the signature header.
    pub fn new(secret: &str, prefix: &str) -> HookReceiver {
        HookReceiver {
            secret: secret.into(),
            header: format!("{prefix}Signature").to_ascii_lowercase().into(),
            told: Arc::default(),
            news: Arc::default(),
        }
    }

    /// The routes: `/hook` takes calls.
    pub fn routes(&self) -> Router {
        Router::new().route("/hook", post(take)).with_state(self.clone())
    }

    /// Everything that was told so far.
    pub fn told(&self) -> Vec<ReceivedCall> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What was told after the first so many calls, in its order.
    pub fn told_after(&self, calls: usize) -> Vec<ReceivedCall> {
        let told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        told.get(calls..).unwrap_or_default().to_vec()
    }

    /// How many calls were received so far.
    pub fn count(&self) -> usize {
        self.told.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// The first call of which this holds, as soon as it is there.
    pub async fn wait_for(
        &self,
        patience: Duration,
        holds: impl Fn(&ReceivedCall) -> bool,
    ) -> Option<ReceivedCall> {
        let found = async {
            loop {
                let news = self.news.notified();
                if let Some(told) = self.told().into_iter().find(&holds) {
                    return told;
                }
                news.await;
            }
        };
        tokio::time::timeout(patience, found).await.ok()
    }

    /// Both signatures: the hexadecimal one over the body, and that of Standard Webhooks.
    fn verifies(&self, headers: &HeaderMap, body: &[u8]) -> bool {
        let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
        let key = hmac::Key::new(hmac::HMAC_SHA256, self.secret.as_bytes());
        let plain = header(&self.header)
            .and_then(|value| value.strip_prefix("sha256="))
            .and_then(|hex| HEXLOWER.decode(hex.as_bytes()).ok())
            .is_some_and(|tag| hmac::verify(&key, body, &tag).is_ok());
        let (Some(id), Some(time), Some(list)) =
            (header("webhook-id"), header("webhook-timestamp"), header("webhook-signature"))
        else {
            return false;
        };
        let mut signed = format!("{id}.{time}.").into_bytes();
        signed.extend_from_slice(body);
        let standard = list
            .split(' ')
            .filter_map(|one| one.strip_prefix("v1,"))
            .filter_map(|base64| BASE64.decode(base64.as_bytes()).ok())
            .any(|tag| hmac::verify(&key, &signed, &tag).is_ok());
        plain && standard
    }
}

async fn take(State(sink): State<HookReceiver>, headers: HeaderMap, body: Bytes) -> StatusCode {
    let Ok(payload) = serde_json::from_slice(&body) else { return StatusCode::BAD_REQUEST };
    let delivery = headers.get("webhook-id").and_then(|value| value.to_str().ok());
    let told = ReceivedCall {
        delivery: delivery.unwrap_or_default().to_owned(),
        payload,
        signed: sink.verifies(&headers, &body),
    };
    sink.told.lock().unwrap_or_else(PoisonError::into_inner).push(told);
    sink.news.notify_waiters();
    StatusCode::OK
}
