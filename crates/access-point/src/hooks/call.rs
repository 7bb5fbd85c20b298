//! One call of a webhook: the payload with a fresh `sentOn`, serialised once, signed as the very
//! bytes that are sent; and what came of it.

use std::time::{Duration, Instant};

use bytes::Bytes;
use hyper::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, RETRY_AFTER};
use jiff::{SignedDuration, Timestamp};
use quoin_delivery::calls::HookAnswer;
use quoin_store::{HookCall, HookTry};
use reqwest::Method;

use crate::channels::CallOutcome;
use crate::net::{HttpCall, HttpClient};

use super::sign::{secrets_in_use, signatures};

/// How much of an answer is read and kept for the delivery log, in bytes; the status decides.
const EXCERPT: usize = 1000;

/// Makes one call. `prefix` is that of the signature header (DESIGN D11), `limit` the time for the
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
                repeatable: false,
                method: Method::POST,
                url: &call.hook.action,
                headers,
                body: Some(body),
                timeout: limit,
                largest_answer: EXCERPT,
                cut_answer: true,
            };
            client.call(request).await.map_err(|error| error.to_string())
        }
        Err(cause) => Err(cause),
    };
    let duration = SignedDuration::try_from(started.elapsed()).unwrap_or(SignedDuration::MAX);
    let mut tried =
        HookTry { started_on: now, duration, status: None, response: String::new(), error: None };
    let answer = match outcome {
        Ok(answer) => {
            tried.status = Some(answer.status);
            tried.response = String::from_utf8_lossy(&answer.body).into_owned();
            let retry_after = retry_after(&answer.headers, now);
            HookAnswer::Http { status: answer.status, retry_after }
        }
        Err(cause) => {
            tried.error = Some(cause.clone());
            HookAnswer::None { cause }
        }
    };
    CallOutcome { answer, tried }
}

type Headers = Vec<(HeaderName, HeaderValue)>;

fn request(call: &HookCall, prefix: &str, now: Timestamp) -> Result<(Headers, Bytes), String> {
    let payload = call.event.payload(&call.hook.id, now);
    let body = serde_json::to_vec(&payload).map_err(|error| error.to_string())?;
    let value = |text: &str| HeaderValue::from_str(text).map_err(|error| error.to_string());
    let mut headers = vec![
        (CONTENT_TYPE, HeaderValue::from_static("application/json")),
        (HeaderName::from_static("webhook-id"), value(&call.id)?),
        (HeaderName::from_static("webhook-timestamp"), value(&now.as_second().to_string())?),
    ];
    let secrets = secrets_in_use(&call.hook, now);
    if let Some(signed) = signatures(secrets, &call.id, now, &body) {
        let name = HeaderName::from_bytes(format!("{prefix}Signature").as_bytes())
            .map_err(|error| error.to_string())?;
        headers.push((name, value(&signed.hexadecimal)?));
        if let Some(previous) = &signed.previous {
            let name = HeaderName::from_bytes(format!("{prefix}Signature-Previous").as_bytes())
                .map_err(|error| error.to_string())?;
            headers.push((name, value(previous)?));
        }
        headers.push((HeaderName::from_static("webhook-signature"), value(&signed.standard)?));
    }
    Ok((headers, body.into()))
}

/// `Retry-After` as seconds or as a date (RFC 9110 section 10.2.3).
fn retry_after(headers: &HeaderMap, now: Timestamp) -> Option<SignedDuration> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = text.parse::<u32>() {
        return Some(SignedDuration::from_secs(seconds.into()));
    }
    let at = jiff::fmt::rfc2822::parse(text).ok()?.timestamp();
    Some(at.duration_since(now)).filter(|wait| wait.is_positive())
}
