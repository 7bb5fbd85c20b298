//! Tokens whose signature verified: a client shows the same one with each call, and verifying it
//! takes longer than many calls do. Kept are digests and claims, never a token; whether it is over,
//! and what its account may do, is asked each time.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use aws_lc_rs::digest::{SHA256, digest};

use super::Claims;

/// Tokens that are remembered at most.
const MOST: usize = 10_000;

/// SHA-256 of a token, all of it.
type TokenDigest = [u8; 32];

/// Claims by the digest of their token.
#[derive(Default)]
pub(super) struct VerifiedTokens(Mutex<HashMap<TokenDigest, Claims>>);

/// The digest of a token.
pub(super) fn digest_of(token: &str) -> TokenDigest {
    let mut out = [0; 32];
    out.copy_from_slice(digest(&SHA256, token.as_bytes()).as_ref());
    out
}

impl VerifiedTokens {
    pub(super) fn get(&self, digest: &TokenDigest) -> Option<Claims> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(digest).cloned()
    }

    /// Remembers claims that were verified at `now`, in seconds since 1970.
    pub(super) fn keep(&self, digest: TokenDigest, claims: &Claims, now: i64) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= MOST {
            kept.retain(|_, claims| claims.exp > now);
        }
        if kept.len() >= MOST {
            kept.clear();
        }
        kept.insert(digest, claims.clone());
    }

    pub(super) fn forget(&self, digest: &TokenDigest) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(digest);
    }
}

#[cfg(test)]
mod tests {
    use quoin_access_point::config::ClientRole;

    use super::*;

    #[test]
    fn what_is_over_goes_first_and_there_is_an_end_to_it() {
        let claims = |exp| Claims {
            iss: "i".to_owned(),
            aud: "i".to_owned(),
            sub: "erp".to_owned(),
            client_id: "erp".to_owned(),
            org: "acme".to_owned(),
            role: ClientRole::ApUser,
            scope: "ap".to_owned(),
            iat: 0,
            exp,
            jti: "1".to_owned(),
            since: None,
        };
        let kept = VerifiedTokens::default();
        let name = |n: usize| digest_of(&n.to_string());
        for n in 0..MOST {
            kept.keep(name(n), &claims(if n == 0 { 100 } else { 5 }), 1);
        }
        assert!(kept.get(&name(1)).is_some());
        kept.keep(name(MOST), &claims(100), 10);
        assert_eq!(kept.get(&name(1)), None, "it is over");
        assert!(kept.get(&name(0)).is_some() && kept.get(&name(MOST)).is_some());
        kept.forget(&name(0));
        assert_eq!(kept.get(&name(0)), None);
    }
}
