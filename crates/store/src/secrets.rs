//! Secrets at rest: what must be known again in clear (the secret of a webhook) is sealed with
//! AES-256-GCM under the key of the configuration (`[secrets] master_key`). What need not be known
//! again (the secret of a client) is kept as a digest only (ARCHITECTURE, Cross-cutting).

use std::fmt;

use aws_lc_rs::aead::{AES_256_GCM, Aad, Nonce, RandomizedNonceKey};
use quoin_delivery::{HookId, OrganisationId};

use crate::error::Fault;

/// Bytes of the nonce in front of a sealed secret.
const NONCE: usize = 12;

/// The 32 bytes under which secrets are sealed. Never printed.
#[derive(Clone)]
pub struct StoreKey(pub [u8; 32]);

impl fmt::Debug for StoreKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("StoreKey(…)")
    }
}

/// A secret in clear. Never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Wraps a secret.
    pub fn new(clear: impl Into<String>) -> Secret {
        Secret(clear.into())
    }

    /// The secret in clear, for the one place that signs with it.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// Seals and opens secrets.
#[derive(Clone)]
pub(crate) struct SecretBox(std::sync::Arc<RandomizedNonceKey>);

impl SecretBox {
    pub(crate) fn new(key: &StoreKey) -> Result<SecretBox, Fault> {
        let key = RandomizedNonceKey::new(&AES_256_GCM, &key.0).map_err(|_| Fault::Secret)?;
        Ok(SecretBox(std::sync::Arc::new(key)))
    }

    /// Nonce, cipher text and tag. `place` (the record it belongs to) is authenticated, so that a
    /// sealed secret cannot be moved to another record.
    pub(crate) fn seal(&self, place: &str, clear: &[u8]) -> Result<Vec<u8>, Fault> {
        let mut sealed = clear.to_vec();
        let nonce = self
            .0
            .seal_in_place_append_tag(Aad::from(place.as_bytes()), &mut sealed)
            .map_err(|_| Fault::Secret)?;
        let mut whole = nonce.as_ref().to_vec();
        whole.append(&mut sealed);
        Ok(whole)
    }

    /// The clear text; [`Fault::Secret`] where key, place or bytes are not those of the sealing.
    pub(crate) fn open(&self, place: &str, sealed: &[u8]) -> Result<Vec<u8>, Fault> {
        let (nonce, rest) = sealed.split_first_chunk::<NONCE>().ok_or(Fault::Secret)?;
        let nonce = Nonce::assume_unique_for_key(*nonce);
        let mut rest = rest.to_vec();
        let aad = Aad::from(place.as_bytes());
        let clear = self.0.open_in_place(nonce, aad, &mut rest).map_err(|_| Fault::Secret)?;
        Ok(clear.to_vec())
    }
}

/// What the secrets of a hook are sealed for.
pub(crate) fn hook_place(organisation: &OrganisationId, key: &HookId) -> String {
    format!("hook {organisation} {key}")
}

/// What the memory of a batch at a national system is sealed for.
pub(crate) fn clearance_place(id: &str) -> String {
    format!("clearance {id}")
}

#[cfg(test)]
mod tests;
