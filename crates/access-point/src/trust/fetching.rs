//! Asking the places where revocation is told: OCSP responders and revocation lists. Each place is
//! asked by one task at a time; whoever waits for it shares that task, and may stop waiting.

use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use bytes::Bytes;
use futures::FutureExt;
use futures::future::{BoxFuture, Shared};
use hyper::Method;
use hyper::header::{CONTENT_TYPE, HeaderValue};
use jiff::Timestamp;
use quoin_peppol::pki::{
    Certificate, Crl, OcspAnswer, RevocationDataError, RevocationStatus, Revocations, ocsp_request,
};
use quoin_store::RevocationSource;

use super::sources::SourceKey;
use super::{RevocationAnswer, TrustService};
use crate::net::HttpCall;

/// How long an address that kept somebody waiting is not waited for.
const SILENCE: Duration = Duration::from_secs(30);
/// Time for one CRL or OCSP answer.
const FETCH_TIMEOUT: Duration = Duration::from_secs(10);
/// The largest CRL that is read, in bytes.
const LARGEST_CRL: usize = 16 << 20;
/// The largest OCSP answer that is read, in bytes.
const LARGEST_OCSP_ANSWER: usize = 64 << 10;

/// A fetch under way.
pub(super) type Underway = Shared<BoxFuture<'static, ()>>;

/// What a place answered.
struct FetchedWord {
    word: RevocationAnswer,
    body: Bytes,
    /// Whether the place said something newer before: it lags behind, or somebody repeats what it
    /// said. That is not remembered in place of the newer word.
    is_older: bool,
}

/// Somebody who asks a place. However it ends, the place can be asked again.
struct Asking {
    desk: Arc<TrustService>,
    key: SourceKey,
}

impl Drop for Asking {
    fn drop(&mut self) {
        let underway = &self.desk.underway;
        underway.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.key);
    }
}

impl TrustService {
    /// Waits for places, one after the other, until the status of a certificate is known; not
    /// longer than the limit, and not for a place that kept others waiting a moment ago.
    pub(super) async fn wait_for(
        self: &Arc<Self>,
        places: Vec<SourceKey>,
        known: impl Fn(&Revocations) -> bool,
        deadline: tokio::time::Instant,
    ) {
        for key in places {
            if known(&self.revocations()) || self.is_silent(&key.0) {
                continue;
            }
            if tokio::time::timeout_at(deadline, self.fetch(&key)).await.is_err() {
                let mut silent = self.silent.write().unwrap_or_else(PoisonError::into_inner);
                silent.retain(|_, since| since.elapsed() < SILENCE);
                silent.insert(key.0, Instant::now());
            }
        }
    }

    fn is_silent(&self, url: &str) -> bool {
        let silent = self.silent.read().unwrap_or_else(PoisonError::into_inner);
        silent.get(url).is_some_and(|since| since.elapsed() < SILENCE)
    }

    /// Asks a place, or joins who is asking it. It is asked to the end whoever waits.
    pub(super) fn fetch(self: &Arc<Self>, key: &SourceKey) -> Underway {
        let mut underway = self.underway.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = underway.get(key) {
            return known.clone();
        }
        let asking = Asking { desk: self.clone(), key: key.clone() };
        let task = async move { asking.desk.ask(&asking.key).await };
        // It begins with the first who waits for it, when the table is free again. A panic of the
        // task was reported by the panic hook.
        let shared = async move { drop(tokio::spawn(task).await) }.boxed().shared();
        underway.insert(key.clone(), shared.clone());
        shared
    }

    async fn ask(&self, key: &SourceKey) {
        let asked = self.with_sources(|sources| sources.get(key).cloned());
        let Some(source) = asked else { return };
        let answer = self.answer(&source).await;
        let now = self.clock.now();
        let changed = match answer {
            Ok(FetchedWord { word, body, is_older }) => {
                let newer = (!is_older).then(|| (body.to_vec(), word.next_update()));
                self.learn(word, now);
                self.with_sources(|sources| sources.succeeded(key, newer, now))
            }
            Err(problem) => {
                let failures = source.failures + 1;
                tracing::warn!(
                    url = key.0,
                    problem,
                    failures,
                    "revocation data could not be fetched"
                );
                self.with_sources(|sources| sources.failed(key, problem, now))
            }
        };
        if let Some(changed) = changed {
            self.remember(changed).await;
        }
    }

    async fn answer(&self, source: &RevocationSource) -> Result<FetchedWord, String> {
        let certificate =
            Certificate::from_der(&source.certificate).map_err(|error| error.to_string())?;
        let issuer = self.trust.issuer_of(&certificate).ok_or("its authority is not configured")?;
        let call = match source.subject {
            None => HttpCall::get(&source.url, FETCH_TIMEOUT, LARGEST_CRL),
            Some(_) => {
                let body = ocsp_request(&certificate, issuer).map_err(|e| e.to_string())?;
                let kind = HeaderValue::from_static("application/ocsp-request");
                HttpCall {
                    method: Method::POST,
                    headers: vec![(CONTENT_TYPE, kind)],
                    body: Some(Bytes::from(body)),
                    ..HttpCall::get(&source.url, FETCH_TIMEOUT, LARGEST_OCSP_ANSWER)
                }
            }
        };
        let answer = self.http.call(call).await.map_err(|error| error.to_string())?;
        if answer.status != 200 {
            return Err(format!("status {}", answer.status));
        }
        let now = self.clock.now();
        let (is_ocsp, issuer, body) =
            (source.subject.is_some(), issuer.clone(), answer.body.clone());
        let known = source.body.clone().zip(source.fetched_on);
        let read = move || {
            let read =
                |body: &[u8], at| RevocationAnswer::read(body, is_ocsp, &certificate, &issuer, at);
            let word = read(&body, now)?;
            let known = known.and_then(|(body, at)| read(&body, at).ok());
            let is_older = known.is_some_and(|known| known.this_update() > word.this_update());
            Ok::<_, RevocationDataError>(FetchedWord { word, body, is_older })
        };
        // A list may have 16 MiB: it is not read on a thread that serves connections.
        let word = tokio::task::spawn_blocking(read).await.map_err(|error| error.to_string())?;
        word.map_err(|error| error.to_string())
    }
}

impl RevocationAnswer {
    /// Reads and verifies what a place answered.
    pub(super) fn read(
        body: &[u8],
        is_ocsp: bool,
        certificate: &Certificate,
        issuer: &Certificate,
        at: Timestamp,
    ) -> Result<RevocationAnswer, RevocationDataError> {
        match is_ocsp {
            true => OcspAnswer::verify(body, certificate, issuer, at).map(RevocationAnswer::Answer),
            false => Crl::verify(body, issuer).map(RevocationAnswer::List),
        }
    }

    fn this_update(&self) -> Timestamp {
        match self {
            RevocationAnswer::Answer(answer) => answer.this_update(),
            RevocationAnswer::List(list) => list.this_update(),
        }
    }

    fn next_update(&self) -> Option<Timestamp> {
        match self {
            RevocationAnswer::Answer(answer) => Some(answer.next_update()),
            RevocationAnswer::List(list) => list.next_update(),
        }
    }
}

/// Whether the status of a certificate is known now.
pub(super) fn is_known(
    revocations: &Revocations,
    (subject, issuer): (&Certificate, &Certificate),
    now: Timestamp,
) -> bool {
    let status = revocations.status(subject, issuer, now);
    matches!(status, RevocationStatus::Good | RevocationStatus::Revoked { .. })
}
