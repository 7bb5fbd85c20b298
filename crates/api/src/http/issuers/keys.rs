//! The keys of an issuer: fetched when they are first needed, again when a token names one that is
//! not known or fits none that is, and otherwise kept for a while.
//!
//! What is known answers at once, however old it is, while a fetch goes on in the background; one
//! fetch is under way at a time, nobody waits for it under a lock, and only those wait whose key is
//! not known. None begins within half a minute after the one before, whatever came of it, so that
//! an issuer that is silent costs its customer nothing, and a stranger who names unknown keys or
//! signs with none nobody anything. An answer in which no key is usable is a fetch that failed.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures::future::{BoxFuture, FutureExt, Shared};
use jiff::Timestamp;
use serde_json::Value;
use tokio::sync::Semaphore;

use super::KeySource;
use super::key::{IssuerKey, WantedKey};
use crate::http::token::TokenError;

/// How long keys are kept, in seconds.
const KEPT_SECONDS: i64 = 3600;
/// How soon keys may be fetched again for a token that fits none, or after a fetch that failed, in
/// seconds.
const PAUSE_SECONDS: i64 = 30;
/// Requests of one issuer that wait for a fetch at a time; further ones are told to come again.
const WAITING: usize = 16;
/// Usable keys of an issuer that are kept.
const MOST_KEYS: usize = 32;
/// Keys that a token is tried with, where its header names none or several have one id.
const MOST_TRIED: usize = 4;

/// What a token waits for whose key is being fetched.
const FETCHING: TokenError = TokenError::Keys("are being fetched: try again in a moment");
/// What is told of a fetch that failed; why is for the log, since it may tell of the own network.
const FAILED: TokenError = TokenError::Keys("could not be fetched: try again in half a minute");

/// A fetch that is under way; everybody who waits for it waits for the same one.
type Fetch = Shared<BoxFuture<'static, ()>>;

#[derive(Default)]
struct CachedKeys {
    keys: Vec<IssuerKey>,
    /// When the last fetch that succeeded ended.
    fetched: Option<i64>,
    /// When the last fetch began, and whether the last that ended failed.
    tried: Option<i64>,
    failed: bool,
    under_way: Option<Fetch>,
}

/// The keys of an issuer; clones are of the same ones.
#[derive(Clone)]
pub(super) struct KeySet(Arc<KeyCache>);

struct KeyCache {
    url: String,
    source: Arc<dyn KeySource>,
    kept: Mutex<CachedKeys>,
    waiting: Arc<Semaphore>,
}

impl KeySet {
    pub(super) fn new(url: &str, source: Arc<dyn KeySource>) -> KeySet {
        let waiting = Arc::new(Semaphore::new(WAITING));
        KeySet(Arc::new(KeyCache { url: url.to_owned(), source, kept: Mutex::default(), waiting }))
    }

    /// The keys that a token may be signed with.
    pub(super) async fn fitting(
        &self,
        wanted: WantedKey<'_>,
        now: Timestamp,
    ) -> Result<Vec<IssuerKey>, TokenError> {
        let (known, fetch) = self.look(wanted, now.as_second(), false);
        match fetch.filter(|_| known.is_empty()) {
            Some(fetch) => self.after(fetch, wanted).await,
            None => self.answer(known),
        }
    }

    /// The same after a fetch, for a token that was signed with none of those that were known: a
    /// key may change without another id. Empty where nothing else is known since.
    pub(super) async fn anew(
        &self,
        wanted: WantedKey<'_>,
        tried: &[IssuerKey],
        now: Timestamp,
    ) -> Result<Vec<IssuerKey>, TokenError> {
        let (known, fetch) = self.look(wanted, now.as_second(), true);
        // Another request may have had them fetched meanwhile.
        let known = match fetch.filter(|_| known == tried) {
            Some(fetch) => self.after(fetch, wanted).await?,
            None => known,
        };
        Ok(if known == tried { Vec::new() } else { known })
    }

    async fn after(
        &self,
        fetch: Fetch,
        wanted: WantedKey<'_>,
    ) -> Result<Vec<IssuerKey>, TokenError> {
        let _waits = self.0.waiting.clone().try_acquire_owned().map_err(|_| FETCHING)?;
        fetch.await;
        let known = self.0.lock().fitting(wanted);
        self.answer(known)
    }

    /// What is known of a key, and the fetch that is under way, if one is. A token that fits none
    /// of what is known begins one as an unknown key does.
    fn look(
        &self,
        wanted: WantedKey<'_>,
        now: i64,
        fits_none: bool,
    ) -> (Vec<IssuerKey>, Option<Fetch>) {
        let mut kept = self.0.lock();
        let known = kept.fitting(wanted);
        let since = |at: Option<i64>| match at {
            // What lies ahead was noted by a clock that was wrong.
            Some(at) if at <= now => now.saturating_sub(at),
            _ => i64::MAX,
        };
        let needed = fits_none || known.is_empty() || since(kept.fetched) >= KEPT_SECONDS;
        if needed && kept.under_way.is_none() && since(kept.tried) >= PAUSE_SECONDS {
            kept.tried = Some(now);
            let inner = self.0.clone();
            let fetch = async move { inner.fetch_at(now).await }.boxed().shared();
            kept.under_way = Some(fetch.clone());
            tokio::spawn(fetch);
        }
        (known, kept.under_way.clone())
    }

    fn answer(&self, known: Vec<IssuerKey>) -> Result<Vec<IssuerKey>, TokenError> {
        let kept = self.0.lock();
        // Nothing was ever known: that is our trouble, and not that of the token.
        if kept.failed && kept.keys.is_empty() { Err(FAILED) } else { Ok(known) }
    }
}

impl CachedKeys {
    fn fitting(&self, wanted: WantedKey<'_>) -> Vec<IssuerKey> {
        let fits = |key: &&IssuerKey| key.fits(wanted);
        self.keys.iter().filter(fits).take(MOST_TRIED).cloned().collect()
    }
}

impl KeyCache {
    fn lock(&self) -> MutexGuard<'_, CachedKeys> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn fetch_at(&self, now: i64) {
        let fetched = self.fetch().await;
        let mut kept = self.lock();
        kept.under_way = None;
        kept.failed = fetched.is_err();
        match fetched {
            Ok(keys) => (kept.keys, kept.fetched) = (keys, Some(now)),
            // What is known stays good while its issuer does not answer.
            Err(error) => {
                tracing::warn!(url = self.url, %error, "the keys of an issuer were not fetched");
            }
        }
    }

    async fn fetch(&self) -> Result<Vec<IssuerKey>, String> {
        let bytes = self.source.fetch(&self.url).await?;
        let set: Value = serde_json::from_slice(&bytes)
            .map_err(|error| format!("the answer is not JSON: {error}"))?;
        let keys = set.get("keys").and_then(Value::as_array);
        let keys = keys.ok_or("the answer has no list `keys`, expected a JSON web key set")?;
        let usable: Vec<_> = keys.iter().filter_map(IssuerKey::read).take(MOST_KEYS).collect();
        if usable.is_empty() {
            return Err(format!(
                "none of the {} keys is usable: expected RSA of 2048 to 4096 bits or P-256, to \
                 verify signatures with RS256, PS256 or ES256",
                keys.len()
            ));
        }
        Ok(usable)
    }
}
