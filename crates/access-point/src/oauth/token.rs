//! Tokens of OAuth 2.0 that a client fetches (RFC 6749, sections 4.4 and 6): kept until shortly
//! before their end, each for whom fetched it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use aws_lc_rs::digest::{Context, SHA256};
use bytes::Bytes;
use data_encoding::BASE64;
use hyper::Method;
use hyper::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderName, HeaderValue};
use jiff::{SignedDuration, Timestamp};
use quoin_store::Secret;
use serde::Deserialize;
use tokio::sync::Mutex as Turn;
use url::form_urlencoded::{Serializer, byte_serialize};

use super::{ShownLogin, TokenRequest, TokenSecrets};
use crate::budget::in_place;
use crate::net::{CutAnswer, HttpAnswer, HttpCall, HttpClient};

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

/// Characters of an answer in a sentence.
const QUOTED: usize = 200;

/// Why there is no token.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{cause}")]
pub struct TokenFault {
    /// Whether the endpoint is not reached or cannot now, and did not say no.
    pub is_temporary: bool,
    /// What happened, for people.
    pub cause: String,
    /// How long the endpoint asks us to stay away.
    pub retry_after: Option<SignedDuration>,
}

/// A token in hand.
#[derive(Clone)]
struct FetchedToken {
    token: Secret,
    until: Instant,
    /// What the next one is asked for with, where the endpoint gave another one.
    refresh: Option<Secret>,
}

/// Whose turn it is to fetch a token, and what was fetched.
type TokenPlace = Arc<Turn<Option<FetchedToken>>>;

/// The tokens that are kept. Those who need the same one wait for one question.
#[derive(Default)]
pub struct FetchedTokens(Mutex<HashMap<[u8; 32], TokenPlace>>);

#[derive(Deserialize)]
struct FetchedAnswer {
    access_token: String,
    #[serde(default)]
    token_type: Option<String>,
    #[serde(default)]
    refresh_token: Option<String>,
    #[serde(default)]
    expires_in: Option<serde_json::Value>,
}

/// What is asked for, and by whom.
pub struct TokenQuestion<'a> {
    /// Who asks, so that no tenant is given what another one fetched.
    pub owner: &'a str,
    /// What is asked.
    pub request: &'a TokenRequest,
    /// What the client shows.
    pub secrets: &'a TokenSecrets,
    /// Tells the certificates that the call is made with from others.
    pub mark: [u8; 32],
    /// A token that a server refused: another one is wanted.
    pub refused: Option<&'a str>,
}

impl FetchedTokens {
    /// A token that is good for a while: the one in hand, or a new one.
    ///
    /// # Errors
    /// [`TokenFault`].
    pub async fn token(
        &self,
        client: &HttpClient,
        question: TokenQuestion<'_>,
        (limit, now): (Duration, Timestamp),
    ) -> Result<Secret, TokenFault> {
        let place = self.place(key(&question));
        let mut held = place.lock().await;
        let good = held.as_ref().filter(|held| held.until > Instant::now());
        let good = good.filter(|held| question.refused != Some(held.token.reveal()));
        if let Some(held) = good {
            return Ok(held.token.clone());
        }
        let newer = held.as_ref().and_then(|held| held.refresh.clone());
        let mut fetched = fetch(client, &question, newer.as_ref(), (limit, now)).await;
        if newer.is_some() && fetched.as_ref().is_err_and(|fault| !fault.is_temporary) {
            // The one that was given first may be good still, or again.
            fetched = fetch(client, &question, None, (limit, now)).await;
        }
        let mut fetched = fetched?;
        if fetched.refresh.is_none() {
            fetched.refresh = newer;
        }
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
    let TokenSecrets { client, refresh } = question.secrets;
    let revealed = |secret: &Option<Secret>| {
        secret.as_ref().map_or(String::new(), |own| own.reveal().to_owned())
    };
    let (client, refresh) = (revealed(client), revealed(refresh));
    let mut context = Context::new(&SHA256);
    for part in [
        question.owner.as_bytes(),
        url.as_bytes(),
        client_id.as_bytes(),
        client.as_bytes(),
        refresh.as_bytes(),
        scope.as_deref().unwrap_or_default().as_bytes(),
        audience.as_deref().unwrap_or_default().as_bytes(),
        &[u8::from(*in_body)],
        &question.mark,
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
    refresh: Option<&Secret>,
    (limit, now): (Duration, Timestamp),
) -> Result<FetchedToken, TokenFault> {
    let (headers, body) = asked(question.request, question.secrets, refresh)?;
    let call = HttpCall {
        method: Method::POST,
        headers,
        body: Some(body),
        cut_answer: CutAnswer::Beginning,
        repeatable: refresh.or(question.secrets.refresh.as_ref()).is_none(),
        ..HttpCall::get(&question.request.url, limit, ANSWER)
    };
    let answer = client.call(call).await.map_err(|error| TokenFault {
        is_temporary: error.is_temporary(),
        cause: format!("no token: {error}"),
        retry_after: None,
    })?;
    in_place(|| read(&answer, (question, refresh), now))
}

/// The question as RFC 6749 has it, section 4.4.2, and with a refresh token section 6.
fn asked(
    request: &TokenRequest,
    secrets: &TokenSecrets,
    newer: Option<&Secret>,
) -> Result<(Vec<(HeaderName, HeaderValue)>, Bytes), TokenFault> {
    let TokenRequest { client_id, in_body, scope, audience, .. } = request;
    let mut form = Serializer::new(String::new());
    match newer.or(secrets.refresh.as_ref()) {
        Some(refresh) => {
            form.append_pair("grant_type", "refresh_token");
            form.append_pair("refresh_token", refresh.reveal());
        }
        None => {
            form.append_pair("grant_type", "client_credentials");
        }
    }
    for (name, value) in [("scope", scope), ("audience", audience)] {
        if let Some(value) = value {
            form.append_pair(name, value);
        }
    }
    let mut headers = vec![
        (CONTENT_TYPE, HeaderValue::from_static("application/x-www-form-urlencoded")),
        (ACCEPT, HeaderValue::from_static("application/json")),
    ];
    match &secrets.client {
        // A client without a secret names itself.
        None => {
            form.append_pair("client_id", client_id);
        }
        Some(secret) if *in_body => {
            form.append_pair("client_id", client_id).append_pair("client_secret", secret.reveal());
        }
        Some(secret) => {
            let value = format!("Basic {}", basic(client_id, secret.reveal()));
            let mut value =
                HeaderValue::from_str(&value).map_err(|_| refused("what the client shows"))?;
            value.set_sensitive(true);
            headers.push((AUTHORIZATION, value));
        }
    }
    Ok((headers, form.finish().into()))
}

/// How a client shows itself in the head (section 2.3.1).
fn basic(client: &str, secret: &str) -> String {
    let encoded = |text: &str| byte_serialize(text.as_bytes()).collect::<String>();
    BASE64.encode(format!("{}:{}", encoded(client), encoded(secret)).as_bytes())
}

fn refused(what: &str) -> TokenFault {
    let cause = format!("no token: {what} cannot be used");
    TokenFault { is_temporary: false, cause, retry_after: None }
}

/// What the endpoint said, without what it was shown: some answer with what they were asked.
fn said(answer: &HttpAnswer, (question, newer): (&TokenQuestion<'_>, Option<&Secret>)) -> String {
    let TokenSecrets { client, refresh } = question.secrets;
    let own = client.iter().chain(refresh).chain(newer).map(Secret::reveal);
    own.map(ShownLogin::long_secret)
        .fold(ShownLogin::default(), |all, one| all.and(&one))
        .hidden_in(answer, QUOTED)
}

fn read(
    answer: &HttpAnswer,
    (question, newer): (&TokenQuestion<'_>, Option<&Secret>),
    now: Timestamp,
) -> Result<FetchedToken, TokenFault> {
    let status = answer.status;
    if !(200..300).contains(&status) {
        let said = said(answer, (question, newer));
        let cause = format!("no token: the token endpoint answered {status}: {said:?}");
        let is_temporary = matches!(status, 429 | 500..);
        let retry_after = is_temporary.then(|| answer.retry_after(now)).flatten();
        return Err(TokenFault { is_temporary, cause, retry_after });
    }
    let read: FetchedAnswer = serde_json::from_slice(&answer.body).map_err(|_| {
        let said = said(answer, (question, newer));
        refused(&format!("an answer without access_token, {said:?},"))
    })?;
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
    let refresh = read.refresh_token.filter(|next| (1..=TOKEN).contains(&next.len()));
    Ok(FetchedToken { token: Secret::new(token), until, refresh: refresh.map(Secret::new) })
}

/// Some write the number as a text.
fn seconds(value: &serde_json::Value) -> Option<u64> {
    value.as_u64().or_else(|| value.as_str()?.parse().ok())
}

#[cfg(test)]
mod tests;
