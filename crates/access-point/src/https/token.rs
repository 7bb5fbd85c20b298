//! Tokens of OAuth 2.0 that a hook fetches as a client (RFC 6749, section 4.4): kept until shortly
//! before their end, each for the hook that fetched it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use aws_lc_rs::digest::{Context, SHA256};
use bytes::Bytes;
use hyper::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use jiff::Timestamp;
use quoin_store::Secret;
use reqwest::Method;
use serde::Deserialize;
use tokio::sync::Mutex as Turn;
use url::form_urlencoded::{Serializer, byte_serialize};

use super::action::TokenRequest;
use super::answer::excerpt;
use super::fault::{HttpsFault, HttpsFaultKind};
use super::login::{HttpsLogin, basic};
use super::webhook::Headers;
use crate::budget::in_place;
use crate::net::{HttpAnswer, HttpCall, HttpClient};

/// Bytes of an answer of a token endpoint.
const ANSWER: usize = 64 << 10;
/// Bytes of a token.
const TOKEN: usize = 16 << 10;
/// Tokens that are kept in all.
const KEPT: usize = 2_000;
/// How long a token is used that does not say how long it lasts.
const UNSAID: Duration = Duration::from_secs(300);
/// So long before its end a token is used no more, or a tenth of its time where that is less.
const BEFORE_ITS_END: Duration = Duration::from_secs(60);
/// The longest that a token is used, whatever it says.
const LONGEST: Duration = Duration::from_secs(24 * 3_600);

/// A token in hand.
#[derive(Clone)]
struct FetchedToken {
    token: Secret,
    until: Instant,
}

/// Whose turn it is to fetch a token, and what was fetched.
type TokenPlace = Arc<Turn<Option<FetchedToken>>>;

/// The tokens that are kept. Those who need the same one wait for one question.
#[derive(Default)]
pub(super) struct FetchedTokens(Mutex<HashMap<[u8; 32], TokenPlace>>);

#[derive(Deserialize)]
struct FetchedAnswer {
    access_token: String,
    #[serde(default)]
    token_type: Option<String>,
    #[serde(default)]
    expires_in: Option<serde_json::Value>,
}

/// What is asked for, and by whom.
pub(super) struct TokenQuestion<'a> {
    /// Whose hook it is, so that no tenant is given what another one fetched.
    pub owner: &'a str,
    /// What is asked.
    pub request: &'a TokenRequest,
    /// What the client shows.
    pub secret: &'a Secret,
    /// The login that this belongs to.
    pub login: &'a HttpsLogin,
    /// A token that a server refused: another one is wanted.
    pub refused: Option<&'a str>,
}

impl FetchedTokens {
    /// A token that is good for a while: the one in hand, or a new one.
    pub(super) async fn token(
        &self,
        client: &HttpClient,
        question: TokenQuestion<'_>,
        (limit, now): (Duration, Timestamp),
    ) -> Result<Secret, HttpsFault> {
        let place = self.place(key(&question));
        let mut held = place.lock().await;
        let good = held.as_ref().filter(|held| held.until > Instant::now());
        let good = good.filter(|held| question.refused != Some(held.token.reveal()));
        if let Some(held) = good {
            return Ok(held.token.clone());
        }
        let fetched = fetch(client, &question, limit, now).await?;
        let token = fetched.token.clone();
        *held = Some(fetched);
        Ok(token)
    }

    fn place(&self, key: [u8; 32]) -> TokenPlace {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= KEPT && !known.contains_key(&key) {
            known.clear();
        }
        known.entry(key).or_default().clone()
    }
}

fn key(question: &TokenQuestion<'_>) -> [u8; 32] {
    let TokenRequest { url, client_id, in_body, scope, audience } = question.request;
    let tls = question.login.tls_mark.unwrap_or_default();
    let mut context = Context::new(&SHA256);
    for part in [
        question.owner.as_bytes(),
        url.as_bytes(),
        client_id.as_bytes(),
        question.secret.reveal().as_bytes(),
        scope.as_deref().unwrap_or_default().as_bytes(),
        audience.as_deref().unwrap_or_default().as_bytes(),
        &[u8::from(*in_body)],
        &tls,
    ] {
        context.update(&part.len().to_be_bytes());
        context.update(part);
    }
    let mut key = [0; 32];
    for (to, from) in key.iter_mut().zip(context.finish().as_ref()) {
        *to = *from;
    }
    key
}

async fn fetch(
    client: &HttpClient,
    question: &TokenQuestion<'_>,
    limit: Duration,
    now: Timestamp,
) -> Result<FetchedToken, HttpsFault> {
    let (headers, body) = asked(question.request, question.secret)?;
    let call = HttpCall {
        method: Method::POST,
        headers,
        body: Some(body),
        cut_answer: true,
        repeatable: true,
        ..HttpCall::get(&question.request.url, limit, ANSWER)
    };
    let answer = client.call(call).await.map_err(|error| {
        let kind = match error.is_temporary() {
            true => HttpsFaultKind::Unavailable,
            false => HttpsFaultKind::Login,
        };
        HttpsFault::new(kind, format!("no token: {error}"))
    })?;
    in_place(|| read(&answer, question.login, now))
}

/// The question as RFC 6749 has it, section 4.4.2.
fn asked(request: &TokenRequest, secret: &Secret) -> Result<(Headers, Bytes), HttpsFault> {
    let TokenRequest { client_id, in_body, scope, audience, .. } = request;
    let mut form = Serializer::new(String::new());
    form.append_pair("grant_type", "client_credentials");
    for (name, value) in [("scope", scope), ("audience", audience)] {
        if let Some(value) = value {
            form.append_pair(name, value);
        }
    }
    let mut headers = vec![
        (CONTENT_TYPE, HeaderValue::from_static("application/x-www-form-urlencoded")),
        (ACCEPT, HeaderValue::from_static("application/json")),
    ];
    if *in_body {
        form.append_pair("client_id", client_id).append_pair("client_secret", secret.reveal());
    } else {
        let encoded = |text: &str| byte_serialize(text.as_bytes()).collect::<String>();
        let value = basic(&encoded(client_id), &encoded(secret.reveal()));
        let mut value = HeaderValue::from_str(&format!("Basic {value}"))
            .map_err(|_| refused("what the client shows"))?;
        value.set_sensitive(true);
        headers.push((AUTHORIZATION, value));
    }
    Ok((headers, form.finish().into()))
}

fn refused(what: &str) -> HttpsFault {
    HttpsFault::new(HttpsFaultKind::Login, format!("no token: {what} cannot be used"))
}

fn read(
    answer: &HttpAnswer,
    login: &HttpsLogin,
    now: Timestamp,
) -> Result<FetchedToken, HttpsFault> {
    let status = answer.status;
    if !(200..300).contains(&status) {
        let said = excerpt(&answer.body, login);
        let cause = format!("no token: the token endpoint answered {status}: {said:.200?}");
        let kind = match status {
            429 | 500.. => HttpsFaultKind::Unavailable,
            _ => HttpsFaultKind::Login,
        };
        let retry_after = match kind {
            HttpsFaultKind::Unavailable => answer.retry_after(now),
            _ => None,
        };
        return Err(HttpsFault { retry_after, ..HttpsFault::new(kind, cause) });
    }
    let read: FetchedAnswer = serde_json::from_slice(&answer.body)
        .map_err(|_| refused("an answer without access_token"))?;
    let kind = read.token_type.as_deref().unwrap_or("Bearer");
    let is_plain = |byte: u8| byte.is_ascii_graphic();
    let token = read.access_token;
    if !kind.eq_ignore_ascii_case("bearer") {
        return Err(refused("a token of another kind than Bearer"));
    }
    if token.is_empty() || token.len() > TOKEN || !token.bytes().all(is_plain) {
        return Err(refused("a token that is not printable ASCII of at most 16 KiB"));
    }
    let lasts = read.expires_in.as_ref().and_then(seconds).map_or(UNSAID, Duration::from_secs);
    let lasts = lasts.min(LONGEST);
    let until = Instant::now() + lasts.saturating_sub(BEFORE_ITS_END.min(lasts / 10));
    Ok(FetchedToken { token: Secret::new(token), until })
}

/// Some write the number as a text.
fn seconds(value: &serde_json::Value) -> Option<u64> {
    value.as_u64().or_else(|| value.as_str()?.parse().ok())
}

#[cfg(test)]
mod tests;
