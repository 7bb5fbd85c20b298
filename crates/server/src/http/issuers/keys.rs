//! The keys of an issuer: fetched when they are first needed, again when a token names one that is
//! not known, and otherwise kept for a while.

use std::sync::Arc;

use aws_lc_rs::rsa::PublicKeyComponents;
use aws_lc_rs::signature::{
    ECDSA_P256_SHA256_FIXED, RSA_PKCS1_2048_8192_SHA256, RSA_PSS_2048_8192_SHA256,
    UnparsedPublicKey,
};
use data_encoding::BASE64URL_NOPAD;
use jiff::Timestamp;
use serde_json::Value;
use tokio::sync::Mutex;

use super::KeySource;
use crate::http::token::TokenError;

/// How long keys are kept, in seconds.
const KEPT_SECONDS: i64 = 3600;
/// How soon keys may be fetched again for a token that names an unknown one, in seconds.
const PAUSE_SECONDS: i64 = 30;
/// Keys of an issuer that are looked at.
const MOST_KEYS: usize = 32;

/// A public key.
#[derive(Debug, Clone)]
pub(super) struct Key {
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

impl Key {
    /// A key of a set; `None` for one of another kind or use.
    fn read(value: &Value) -> Option<Key> {
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
        Some(Key { kid: text("kid").map(str::to_owned), public })
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

#[derive(Default)]
struct Kept {
    keys: Vec<Key>,
    fetched: Option<i64>,
}

/// The keys of an issuer.
pub(super) struct KeySet {
    url: String,
    source: Arc<dyn KeySource>,
    kept: Mutex<Kept>,
}

impl KeySet {
    pub(super) fn new(url: &str, source: Arc<dyn KeySource>) -> KeySet {
        KeySet { url: url.to_owned(), source, kept: Mutex::default() }
    }

    /// The key of this id, or all keys where the token names none.
    pub(super) async fn named(
        &self,
        kid: Option<&str>,
        now: Timestamp,
    ) -> Result<Vec<Key>, TokenError> {
        let mut kept = self.kept.lock().await;
        let age = kept.fetched.map_or(i64::MAX, |at| now.as_second().saturating_sub(at));
        let unknown = kid.is_some() && !kept.keys.iter().any(|key| key.kid.as_deref() == kid);
        if age >= KEPT_SECONDS || (unknown && age >= PAUSE_SECONDS) {
            match self.fetch().await {
                Ok(keys) => *kept = Kept { keys, fetched: Some(now.as_second()) },
                // What is known stays good while its issuer does not answer.
                Err(error) if kept.keys.is_empty() => return Err(error),
                Err(error) => tracing::warn!(url = self.url, %error, "issuer keys are stale"),
            }
        }
        let fits = |key: &&Key| kid.is_none() || key.kid.as_deref() == kid;
        Ok(kept.keys.iter().filter(fits).cloned().collect())
    }

    async fn fetch(&self) -> Result<Vec<Key>, TokenError> {
        let bytes = self.source.fetch(&self.url).await.map_err(TokenError::Keys)?;
        let set: Value = serde_json::from_slice(&bytes)
            .map_err(|_| TokenError::Keys("the answer is not JSON".to_owned()))?;
        let keys = set.get("keys").and_then(Value::as_array).into_iter().flatten();
        Ok(keys.take(MOST_KEYS).filter_map(Key::read).collect())
    }
}
