//! The keys of an issuer: fetched when they are first needed, again when a token names one that is
//! not known, and otherwise kept for a while.
//!
//! What is known answers at once, however old it is, while a fetch goes on in the background; one
//! fetch is under way at a time, nobody waits for it under a lock, and only those wait whose key is
//! not known. A fetch that failed is not repeated for half a minute, so that an issuer that is
//! silent costs its customer nothing, and a stranger who names unknown keys nobody anything.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use aws_lc_rs::rsa::PublicKeyComponents;
use aws_lc_rs::signature::{
    ECDSA_P256_SHA256_FIXED, RSA_PKCS1_2048_8192_SHA256, RSA_PSS_2048_8192_SHA256,
    UnparsedPublicKey,
};
use data_encoding::BASE64URL_NOPAD;
use futures::future::{BoxFuture, FutureExt, Shared};
use jiff::Timestamp;
use serde_json::Value;
use tokio::sync::Semaphore;

use super::KeySource;
use crate::http::token::TokenError;

/// How long keys are kept, in seconds.
const KEPT_SECONDS: i64 = 3600;
/// How soon keys may be fetched again for a token that names an unknown one, or after a fetch that
/// failed, in seconds.
const PAUSE_SECONDS: i64 = 30;
/// Requests of one issuer that wait for a fetch at a time; further ones are told to come again.
const WAITING: usize = 16;
/// Keys of an issuer that are looked at.
const MOST_KEYS: usize = 32;

/// A public key.
#[derive(Debug, Clone)]
pub(super) struct IssuerKey {
    kid: Option<String>,
    public: Public,
}

#[derive(Debug, Clone)]
enum Public {
    Rsa {
        modulus: Vec<u8>,
        exponent: Vec<u8>,
    },
    /// The uncompressed point of a P-256 key.
    P256(Vec<u8>),
}

impl IssuerKey {
    /// A key of a set; `None` for one of another kind or use.
    fn read(value: &Value) -> Option<IssuerKey> {
        let text = |name: &str| value.get(name).and_then(Value::as_str);
        if text("use").is_some_and(|purpose| purpose != "sig") {
            return None;
        }
        let bytes = |name: &str| BASE64URL_NOPAD.decode(text(name)?.as_bytes()).ok();
        let public = match (text("kty")?, text("crv")) {
            ("RSA", _) => Public::Rsa { modulus: bytes("n")?, exponent: bytes("e")? },
            ("EC", Some("P-256")) => {
                let (x, y) = (bytes("x")?, bytes("y")?);
                Public::P256([&[4][..], &x, &y].concat())
            }
            _ => return None,
        };
        Some(IssuerKey { kid: text("kid").map(str::to_owned), public })
    }

    /// Whether a signature with an algorithm of this kind of key is good.
    pub(super) fn verifies(&self, algorithm: &str, signed: &[u8], signature: &[u8]) -> bool {
        let rsa = match algorithm {
            "RS256" => &RSA_PKCS1_2048_8192_SHA256,
            _ => &RSA_PSS_2048_8192_SHA256,
        };
        match (&self.public, algorithm) {
            (Public::Rsa { modulus, exponent }, "RS256" | "PS256") => {
                let key = PublicKeyComponents { n: modulus, e: exponent };
                key.verify(rsa, signed, signature).is_ok()
            }
            (Public::P256(point), "ES256") => {
                UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, point)
                    .verify(signed, signature)
                    .is_ok()
            }
            _ => false,
        }
    }
}

/// A fetch that is under way; everybody who waits for it waits for the same one.
type Fetch = Shared<BoxFuture<'static, ()>>;

#[derive(Default)]
struct CachedKeys {
    keys: Vec<IssuerKey>,
    /// When the last fetch that succeeded ended.
    fetched: Option<i64>,
    /// When the last fetch began, and why it failed if it did.
    tried: Option<i64>,
    failure: Option<String>,
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

    /// The key of this id, or all keys where the token names none.
    pub(super) async fn named(
        &self,
        kid: Option<&str>,
        now: Timestamp,
    ) -> Result<Vec<IssuerKey>, TokenError> {
        let (known, fetch) = self.look(kid, now.as_second());
        let Some(fetch) = fetch.filter(|_| known.is_empty()) else {
            return self.answer(known);
        };
        let busy = || TokenError::Keys("they are being fetched; try again in a moment".to_owned());
        let _waits = self.0.waiting.clone().try_acquire_owned().map_err(|_| busy())?;
        fetch.await;
        let known = self.0.lock().fitting(kid);
        self.answer(known)
    }

    /// What is known of a key, and the fetch that is under way, if one is.
    fn look(&self, kid: Option<&str>, now: i64) -> (Vec<IssuerKey>, Option<Fetch>) {
        let mut kept = self.0.lock();
        let known = kept.fitting(kid);
        let since = |at: Option<i64>| match at {
            // What lies ahead was noted by a clock that was wrong.
            Some(at) if at <= now => now.saturating_sub(at),
            _ => i64::MAX,
        };
        let wanted = known.is_empty() || since(kept.fetched) >= KEPT_SECONDS;
        if wanted && kept.under_way.is_none() && since(kept.tried) >= PAUSE_SECONDS {
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
        match &kept.failure {
            // Nothing was ever known: that is our trouble, and not that of the token.
            Some(failure) if kept.keys.is_empty() => Err(TokenError::Keys(failure.clone())),
            _ => Ok(known),
        }
    }
}

impl CachedKeys {
    fn fitting(&self, kid: Option<&str>) -> Vec<IssuerKey> {
        let fits = |key: &&IssuerKey| kid.is_none() || key.kid.as_deref() == kid;
        self.keys.iter().filter(fits).cloned().collect()
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
        match fetched {
            Ok(keys) => {
                (kept.keys, kept.fetched, kept.failure) = (keys, Some(now), None);
            }
            // What is known stays good while its issuer does not answer.
            Err(error) => {
                tracing::warn!(url = self.url, %error, "the keys of an issuer were not fetched");
                kept.failure = Some(match error {
                    TokenError::Keys(why) => why,
                    other => other.to_string(),
                });
            }
        }
    }

    async fn fetch(&self) -> Result<Vec<IssuerKey>, TokenError> {
        let bytes = self.source.fetch(&self.url).await.map_err(TokenError::Keys)?;
        let set: Value = serde_json::from_slice(&bytes)
            .map_err(|_| TokenError::Keys("the answer is not JSON".to_owned()))?;
        let keys = set.get("keys").and_then(Value::as_array).into_iter().flatten();
        Ok(keys.take(MOST_KEYS).filter_map(IssuerKey::read).collect())
    }
}
