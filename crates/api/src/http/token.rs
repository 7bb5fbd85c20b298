//! Access tokens: JSON web tokens (RFC 7519) signed with ES256 (RFC 7518 section 3.4), by our own
//! issuer for the client credentials grant.

mod verified;

use std::fmt;

use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{
    ECDSA_P256_SHA256_FIXED, ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair,
    UnparsedPublicKey,
};
use data_encoding::{BASE64URL_NOPAD, HEXLOWER};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use quoin_access_point::config::ClientRole;

use super::auth::{ClientRecord, UserRecord};
use verified::VerifiedTokens;

/// The scope of this API (conventions A1).
pub const SCOPE: &str = "ap";

/// The longest token that is looked at, in bytes.
pub(super) const LONGEST_TOKEN: usize = 4096;

/// Clocks of processes may differ by so many seconds.
pub(super) const LEEWAY_SECONDS: i64 = 30;

/// Why a token is for somebody else.
pub(super) const OTHER_ISSUER: &str = "its issuer (iss) is none whose tokens are taken here";
pub(super) const OTHER_AUDIENCE: &str = "its audience (aud) is another";
pub(super) const OTHER_SCOPE: &str = "its scope does not have ap";

/// What a token says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claims {
    /// The issuer.
    pub iss: String,
    /// Whom it is for.
    pub aud: String,
    /// The client id, or the name of the user.
    pub sub: String,
    /// The client id, by the name of RFC 9068.
    pub client_id: String,
    /// The organisation.
    pub org: String,
    /// What the client may do.
    pub role: ClientRole,
    /// The scope.
    pub scope: String,
    /// Issued at, in seconds since 1970.
    pub iat: i64,
    /// Not valid from here on, in seconds since 1970.
    pub exp: i64,
    /// Unique id of the token.
    pub jti: String,
    /// Since when tokens of the account are good, in microseconds since 1970.
    #[serde(default)]
    pub since: Option<i64>,
}

impl Claims {
    /// Whether the token was issued for the account whose tokens are good since then: not for one
    /// that had its name before, nor before its tokens were ended.
    pub fn is_of(&self, since: Timestamp) -> bool {
        match self.since {
            Some(own) => own == since.as_microsecond(),
            None => self.iat >= since.as_second(),
        }
    }
}

/// Who gets a token.
#[derive(Debug, Clone, Copy)]
pub struct TokenHolder<'h> {
    /// The client id, or the name of a user.
    pub name: &'h str,
    /// The organisation.
    pub organisation: &'h str,
    /// What it may do.
    pub role: ClientRole,
    /// Since when its tokens are good.
    pub since: Timestamp,
}

impl<'h> From<&'h ClientRecord> for TokenHolder<'h> {
    fn from(client: &'h ClientRecord) -> TokenHolder<'h> {
        let ClientRecord { client_id, organisation, role, since, .. } = client;
        TokenHolder { name: client_id, organisation, role: *role, since: *since }
    }
}

impl<'h> From<&'h UserRecord> for TokenHolder<'h> {
    fn from(user: &'h UserRecord) -> TokenHolder<'h> {
        let UserRecord { name, organisation, role, since, .. } = user;
        TokenHolder { name, organisation, role: *role, since: *since }
    }
}

/// Why a token is not taken. A refusal.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    /// Not a token of the shape that is issued here.
    #[error("the token cannot be read: {0}")]
    Malformed(&'static str),
    /// The signature is not ours.
    #[error("the token was not signed by this service")]
    Signature,
    /// A token of another issuer that this service takes tokens of, but not this one.
    #[error("the token of another issuer is not taken: {0}")]
    Elsewhere(&'static str),
    /// Another issuer, scope, or not valid yet.
    #[error("the token is not for this service: {0}")]
    Foreign(&'static str),
    /// Over.
    #[error("the token expired at {0}")]
    Expired(Timestamp),
    /// The keys of its issuer could not be had. A fault on the way.
    #[error("the keys of the issuer of the token {0}")]
    Keys(&'static str),
}

/// The key could not be made or read. A fault of the installation.
#[derive(Debug, thiserror::Error)]
#[error("the key that signs tokens is not usable: {0}")]
pub struct TokenKeyError(pub String);

/// Issues and checks tokens.
pub struct Tokens {
    key: EcdsaKeyPair,
    kid: String,
    issuer: String,
    lifetime_seconds: u32,
    verified: VerifiedTokens,
}

impl fmt::Debug for Tokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tokens").field("issuer", &self.issuer).field("kid", &self.kid).finish()
    }
}

impl Tokens {
    /// Takes a P-256 key in PKCS#8 DER. The key id is derived from the public key.
    ///
    /// # Errors
    /// The bytes are no such key.
    pub fn new(
        pkcs8: &[u8],
        issuer: impl Into<String>,
        lifetime_seconds: u32,
    ) -> Result<Tokens, TokenKeyError> {
        let key = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, pkcs8)
            .map_err(|error| TokenKeyError(error.to_string()))?;
        let digest =
            aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, key.public_key().as_ref());
        let kid = HEXLOWER.encode(&digest.as_ref()[..8]);
        let (issuer, verified) = (issuer.into(), VerifiedTokens::default());
        Ok(Tokens { key, kid, issuer, lifetime_seconds, verified })
    }

    /// Makes a new key, in PKCS#8 DER.
    ///
    /// # Errors
    /// The random source failed.
    pub fn generate_key() -> Result<Vec<u8>, TokenKeyError> {
        EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &SystemRandom::new())
            .map(|document| document.as_ref().to_vec())
            .map_err(|error| TokenKeyError(error.to_string()))
    }

    /// Who issues.
    pub fn issuer(&self) -> &str {
        &self.issuer
    }

    /// How long a token is valid, in seconds.
    pub fn lifetime_seconds(&self) -> u32 {
        self.lifetime_seconds
    }

    /// Issues a token for a client whose secret, or a user whose password, was checked.
    ///
    /// # Errors
    /// The random source failed.
    pub fn issue<'h>(
        &self,
        holder: impl Into<TokenHolder<'h>>,
        now: Timestamp,
    ) -> Result<String, TokenKeyError> {
        let holder = holder.into();
        let issued = now.as_second();
        let claims = Claims {
            iss: self.issuer.clone(),
            aud: self.issuer.clone(),
            sub: holder.name.to_owned(),
            client_id: holder.name.to_owned(),
            org: holder.organisation.to_owned(),
            role: holder.role,
            scope: SCOPE.to_owned(),
            iat: issued,
            exp: issued + i64::from(self.lifetime_seconds),
            jti: uuid::Uuid::new_v4().to_string(),
            since: Some(holder.since.as_microsecond()),
        };
        let header = json!({ "alg": "ES256", "typ": "at+jwt", "kid": self.kid });
        let failed = |error: serde_json::Error| TokenKeyError(error.to_string());
        let signed = format!(
            "{}.{}",
            BASE64URL_NOPAD.encode(&serde_json::to_vec(&header).map_err(failed)?),
            BASE64URL_NOPAD.encode(&serde_json::to_vec(&claims).map_err(failed)?)
        );
        let signature = self
            .key
            .sign(&SystemRandom::new(), signed.as_bytes())
            .map_err(|error| TokenKeyError(error.to_string()))?;
        Ok(format!("{signed}.{}", BASE64URL_NOPAD.encode(signature.as_ref())))
    }

    /// Checks a token and tells what it says. The signature is checked before anything that
    /// the token says is believed, and once for each token; the algorithm is ours, whatever its
    /// header says.
    ///
    /// # Errors
    /// [`TokenError`].
    pub fn verify(&self, token: &str, now: Timestamp) -> Result<Claims, TokenError> {
        if token.len() > LONGEST_TOKEN {
            return Err(TokenError::Malformed("it is too long"));
        }
        let digest = verified::digest_of(token);
        if let Some(claims) = self.verified.get(&digest) {
            let checked = self.check(&claims, now);
            if checked.is_err() {
                self.verified.forget(&digest);
            }
            return checked.map(|()| claims);
        }
        let claims = self.signed(token)?;
        self.check(&claims, now)?;
        self.verified.keep(digest, &claims, now.as_second());
        Ok(claims)
    }

    /// What a token says that we signed.
    fn signed(&self, token: &str) -> Result<Claims, TokenError> {
        let three = TokenError::Malformed("it does not have three parts");
        let (signed, signature) = token.rsplit_once('.').ok_or_else(|| three.clone())?;
        let (header, claims) = signed.split_once('.').ok_or(three)?;
        let decode = |part: &str| {
            BASE64URL_NOPAD
                .decode(part.as_bytes())
                .map_err(|_| TokenError::Malformed("a part is not base64url"))
        };
        let header: Value = serde_json::from_slice(&decode(header)?)
            .map_err(|_| TokenError::Malformed("its header is not JSON"))?;
        let claims = decode(claims)?;
        if self.is_of_another(&claims) {
            return Err(TokenError::Foreign(OTHER_ISSUER));
        }
        if header.get("alg").and_then(Value::as_str) != Some("ES256") {
            return Err(TokenError::Malformed("its algorithm is not ES256"));
        }
        UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, self.key.public_key().as_ref())
            .verify(signed.as_bytes(), &decode(signature)?)
            .map_err(|_| TokenError::Signature)?;
        serde_json::from_slice(&claims).map_err(|_| TokenError::Malformed("a claim is missing"))
    }

    /// Whether a token says itself that it is of another issuer, so that neither its key nor its
    /// algorithm is what is wrong.
    fn is_of_another(&self, claims: &[u8]) -> bool {
        let claims: Value = serde_json::from_slice(claims).unwrap_or_default();
        claims.get("iss").and_then(Value::as_str).is_some_and(|issuer| issuer != self.issuer)
    }

    fn check(&self, claims: &Claims, now: Timestamp) -> Result<(), TokenError> {
        if claims.iss != self.issuer {
            return Err(TokenError::Foreign(OTHER_ISSUER));
        }
        if claims.aud != self.issuer {
            return Err(TokenError::Foreign(OTHER_AUDIENCE));
        }
        if !claims.scope.split(' ').any(|scope| scope == SCOPE) {
            return Err(TokenError::Foreign(OTHER_SCOPE));
        }
        if claims.exp <= now.as_second() {
            let at = Timestamp::from_second(claims.exp).unwrap_or(Timestamp::MIN);
            return Err(TokenError::Expired(at));
        }
        if claims.iat > now.as_second() + LEEWAY_SECONDS {
            return Err(TokenError::Foreign("issued in the future"));
        }
        Ok(())
    }

    /// The public key as a JSON web key set (RFC 7517).
    pub fn jwks(&self) -> Value {
        // The uncompressed point: 0x04, then 32 bytes each of x and y.
        let point = self.key.public_key().as_ref();
        let coordinate = |range| {
            BASE64URL_NOPAD.encode(point.get::<std::ops::Range<usize>>(range).unwrap_or_default())
        };
        json!({ "keys": [{
            "kty": "EC", "crv": "P-256", "alg": "ES256", "use": "sig", "kid": self.kid,
            "x": coordinate(1..33), "y": coordinate(33..65),
        }] })
    }
}

#[cfg(test)]
mod tests;
