//! One call of a webhook: the payload with a fresh `sentOn`, serialised once, signed as the very
//! bytes that are sent; and what came of it.

use std::time::{Duration, Instant};

use bytes::Bytes;
use hyper::Method;
use hyper::header::{CONTENT_TYPE, HeaderName, HeaderValue};
use jiff::{SignedDuration, Timestamp};
use quoin_delivery::calls::HookAnswer;
use quoin_store::{HookCall, HookTry};

use super::sign::{secrets_in_use, signatures};
use crate::net::{CutAnswer, HttpAnswer, HttpCall, HttpClient};
use crate::step::CallOutcome;

/// How much of an answer is read and kept for the delivery log, in bytes; the status decides.
pub(super) const EXCERPT: usize = 1000;

/// Makes one call. `prefix` is that of the signature header, `limit` the time for the
/// whole call. Redirects are not followed; a 3xx counts as a failure.
pub async fn call(
    client: &HttpClient,
    call: &HookCall,
    prefix: &str,
    now: Timestamp,
    limit: Duration,
) -> CallOutcome {
    let started = Instant::now();
    let outcome = match request(call, prefix, now) {
        Ok((headers, body)) => {
            let request = HttpCall {
                method: Method::POST,
                headers,
                body: Some(body),
                cut_answer: CutAnswer::Beginning,
                ..HttpCall::get(&call.hook.action, limit, EXCERPT)
            };
            client.call(request).await.map_err(|error| error.to_string())
        }
        Err(cause) => Err(cause),
    };
    ended(started, now, outcome)
}

/// What a call came to.
pub(super) fn ended(
    started: Instant,
    now: Timestamp,
    outcome: Result<HttpAnswer, String>,
) -> CallOutcome {
    let duration = SignedDuration::try_from(started.elapsed()).unwrap_or(SignedDuration::MAX);
    let mut tried =
        HookTry { started_on: now, duration, status: None, response: String::new(), error: None };
    let answer = match outcome {
        Ok(answer) => {
            tried.status = Some(answer.status);
            let said = answer.body.get(..EXCERPT.min(answer.body.len())).unwrap_or_default();
            tried.response = String::from_utf8_lossy(said).into_owned();
            let retry_after = answer.retry_after(now);
            HookAnswer::Http { status: answer.status, retry_after }
        }
        Err(cause) => {
            tried.error = Some(cause.clone());
            HookAnswer::None { cause }
        }
    };
    CallOutcome::of(answer, tried)
}

pub(super) type Headers = Vec<(HeaderName, HeaderValue)>;

/// The headers and the body of a call.
pub(super) fn request(
    call: &HookCall,
    prefix: &str,
    now: Timestamp,
) -> Result<(Headers, Bytes), String> {
    let payload = call.event.payload(&call.hook.id, now);
    let body = serde_json::to_vec(&payload).map_err(|error| error.to_string())?;
    let mut headers = vec![(CONTENT_TYPE, HeaderValue::from_static("application/json"))];
    headers.extend(signed(&call.hook, (prefix, &call.id), now, &body)?);
    Ok((headers, body.into()))
}

/// The headers that sign a body: those of Standard Webhooks, and the one of this interface family.
pub(super) fn signed(
    hook: &quoin_store::Hook,
    (prefix, id): (&str, &str),
    now: Timestamp,
    body: &[u8],
) -> Result<Headers, String> {
    let value = |text: &str| HeaderValue::from_str(text).map_err(|error| error.to_string());
    let name = |word: &str| {
        HeaderName::from_bytes(format!("{prefix}{word}").as_bytes())
            .map_err(|error| error.to_string())
    };
    let mut headers = vec![
        (HeaderName::from_static("webhook-id"), value(id)?),
        (HeaderName::from_static("webhook-timestamp"), value(&now.as_second().to_string())?),
    ];
    if let Some(signed) = signatures(secrets_in_use(hook, now), id, now, body) {
        headers.push((name("Signature")?, value(&signed.hexadecimal)?));
        if let Some(previous) = &signed.previous {
            headers.push((name("Signature-Previous")?, value(previous)?));
        }
        headers.push((HeaderName::from_static("webhook-signature"), value(&signed.standard)?));
    }
    Ok(headers)
}
