//! What the answer of a server means, and what is kept of it.

use std::collections::BTreeMap;

use hyper::header::{HeaderMap, LOCATION};
use jiff::Timestamp;
use quoin_model::text::plain;
use serde_json::Value;

use super::fault::{HttpsFault, HttpsFaultKind};
use crate::net::HttpAnswer;
use crate::oauth::ShownLogin;

/// How much of an answer is read, in bytes; the status decides.
pub(super) const READ: usize = 4_096;
/// Characters of an answer that are kept.
const EXCERPT: usize = 1_000;
/// Characters of an answer in a sentence.
const QUOTED: usize = 300;
/// Headers that are kept, and characters of each.
const HEADERS: usize = 32;
const HEADER: usize = 200;
/// What nginx says with 400 of a certificate that it does not believe, or did not get.
const NO_CERTIFICATE: &[&str] = &["ssl certificate error", "no required ssl certificate was sent"];
/// Headers that are nobody's business but the server's.
const LEFT_OUT: &[&str] = &["set-cookie", "set-cookie2", "authorization", "proxy-authorization"];

/// What the body of an answer says, as it can be shown: cut, without control characters, and
/// without what we showed the server.
pub(super) fn said(answer: &HttpAnswer, shown: &ShownLogin) -> String {
    shown.hidden_in(answer, EXCERPT)
}

/// The same of a text of a server.
fn excerpt(body: &[u8], shown: &ShownLogin) -> String {
    plain(shown.hidden(&String::from_utf8_lossy(body), usize::MAX).trim(), EXCERPT)
}

/// The headers that are kept.
pub(super) fn kept(headers: &HeaderMap, shown: &ShownLogin) -> BTreeMap<String, String> {
    let open = headers.iter().filter(|(name, _)| !LEFT_OUT.contains(&name.as_str()));
    let line = |(name, value): (&hyper::header::HeaderName, &hyper::header::HeaderValue)| {
        let text: String = excerpt(value.as_bytes(), shown).chars().take(HEADER).collect();
        (name.as_str().chars().take(HEADER).collect(), text)
    };
    open.take(HEADERS).map(line).collect()
}

/// The server's own name for the document: the place that it made, the `id` of its answer, or its
/// status.
///
/// # Errors
/// What any status but 2xx means: 5xx, 408, 425 and 429 pass, everything else is final. What is
/// said of our certificate is said of no document, whatever its status.
pub(super) fn judged(
    answer: &HttpAnswer,
    shown: &ShownLogin,
    now: Timestamp,
) -> Result<String, HttpsFault> {
    let status = answer.status;
    if (200..300).contains(&status) {
        return Ok(name(answer, shown).unwrap_or_else(|| format!("HTTP {status}")));
    }
    let quoted: String = said(answer, shown).chars().take(QUOTED).collect();
    let told = match quoted.as_str() {
        "" => format!("the server answered {status}"),
        text => format!("the server answered {status}: {text:?}"),
    };
    let (kind, cause) = match status {
        _ if is_about_certificate(answer) => {
            let why = "it does not take our certificate: look at clientCertificate of the hook";
            (HttpsFaultKind::Tls, format!("{told}; {why}"))
        }
        // It was too slow, too early or too much; nothing is wrong with the document.
        408 | 425 | 429 | 500.. => (HttpsFaultKind::Unavailable, told),
        300..400 => {
            let to = answer.headers.get(LOCATION).map(|to| excerpt(to.as_bytes(), shown));
            let to = to.unwrap_or_else(|| "nowhere".to_owned());
            let why = "redirects are not followed: put the address that it means into the hook";
            (HttpsFaultKind::Refused, format!("the server answered {status} towards {to}; {why}"))
        }
        _ => (HttpsFaultKind::Refused, told),
    };
    let retry_after = match kind {
        HttpsFaultKind::Unavailable => answer.retry_after(now),
        _ => None,
    };
    Err(HttpsFault { status: Some(status), retry_after, ..HttpsFault::new(kind, cause) })
}

/// Whether the server says in HTTP, and not in TLS, that it does not take our certificate or misses
/// one, as nginx does: by a status of its own, or by 400 and a page that says so.
fn is_about_certificate(answer: &HttpAnswer) -> bool {
    match answer.status {
        495 | 496 => true,
        400 => {
            let said = String::from_utf8_lossy(&answer.body).to_ascii_lowercase();
            NO_CERTIFICATE.iter().any(|words| said.contains(words))
        }
        _ => false,
    }
}

fn name(answer: &HttpAnswer, shown: &ShownLogin) -> Option<String> {
    let cut =
        |text: String| Some(text.chars().take(HEADER).collect()).filter(|t: &String| !t.is_empty());
    if let Some(place) = answer.headers.get(LOCATION) {
        return cut(excerpt(place.as_bytes(), shown));
    }
    let body: Value = serde_json::from_slice(&answer.body).ok()?;
    match body.get("id")? {
        Value::String(id) => cut(excerpt(id.as_bytes(), shown)),
        Value::Number(id) => Some(id.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
