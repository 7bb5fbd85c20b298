//! Issuers besides our own: an OpenID Connect provider of the operator or of a customer, named in
//! the configuration with its keys and with the claims that say who somebody is. Its tokens are
//! checked as ours are; whom it may speak for is the configuration's decision, never the token's.

mod keys;

use std::sync::Arc;

use data_encoding::BASE64URL_NOPAD;
use futures::future::BoxFuture;
use jiff::Timestamp;
use serde_json::Value;

use quoin_access_point::config::{ClientRole, IssuerConfig};

use super::token::{LEEWAY_SECONDS, LONGEST_TOKEN, SCOPE, TokenError};
use keys::{IssuerKey, KeySet};

/// Where the keys of an issuer are fetched.
pub trait KeySource: Send + Sync {
    /// The key set as JSON text (RFC 7517).
    fn fetch<'a>(&'a self, url: &'a str) -> BoxFuture<'a, Result<Vec<u8>, String>>;
}

/// The issuers of the configuration.
#[derive(Default)]
pub struct Issuers(Vec<Issuer>);

/// One issuer.
pub struct Issuer {
    config: IssuerConfig,
    keys: KeySet,
}

/// Somebody who signed in at another issuer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outsider {
    /// The organisation, as the configuration or the token says.
    pub organisation: String,
    /// The name.
    pub name: String,
    /// The role, where the token says one.
    pub role: Option<ClientRole>,
}

impl Issuers {
    /// The issuers of the configuration, with a way to fetch their keys.
    pub fn new(configs: &[IssuerConfig], source: &Arc<dyn KeySource>) -> Issuers {
        let issuer = |config: &IssuerConfig| Issuer {
            keys: KeySet::new(&config.jwks_url, source.clone()),
            config: config.clone(),
        };
        Issuers(configs.iter().map(issuer).collect())
    }

    /// The issuer that a token names, which is not believed yet.
    pub fn of(&self, token: &str) -> Option<&Issuer> {
        if self.0.is_empty() || token.len() > LONGEST_TOKEN {
            return None;
        }
        let claims: Value = part(token.split('.').nth(1)?).ok()?;
        let named = claims.get("iss")?.as_str()?;
        self.0.iter().find(|issuer| issuer.config.issuer == named)
    }
}

impl Issuer {
    /// Checks a token and tells whom it names.
    ///
    /// # Errors
    /// [`TokenError`].
    pub async fn verify(&self, token: &str, now: Timestamp) -> Result<Outsider, TokenError> {
        let three = TokenError::Malformed("it does not have three parts");
        let (signed, signature) = token.rsplit_once('.').ok_or_else(|| three.clone())?;
        let (header, claims) = signed.split_once('.').ok_or(three)?;
        let header: Value = part(header)?;
        let claims: Value = part(claims)?;
        let signature = decode(signature)?;
        let algorithm = header.get("alg").and_then(Value::as_str).unwrap_or_default();
        let kid = header.get("kid").and_then(Value::as_str);
        let keys = self.keys.named(kid, now).await?;
        let good = |key: &IssuerKey| key.verifies(algorithm, signed.as_bytes(), &signature);
        if !keys.iter().any(good) {
            return Err(TokenError::Signature);
        }
        self.check(&claims, now)?;
        self.outsider(&claims)
    }

    fn check(&self, claims: &Value, now: Timestamp) -> Result<(), TokenError> {
        if text(claims, "iss") != Some(&self.config.issuer) {
            return Err(TokenError::Foreign("issuer"));
        }
        if !words(claims.get("aud")).any(|audience| audience == self.config.audience) {
            return Err(TokenError::Foreign("audience"));
        }
        if self.config.demand_scope {
            let scope = claims.get("scope").or_else(|| claims.get("scp"));
            if !words(scope).any(|word| word == SCOPE) {
                return Err(TokenError::Foreign("scope"));
            }
        }
        let second = |name: &str| claims.get(name).and_then(Value::as_f64).map(|s| s as i64);
        let expires = second("exp").ok_or(TokenError::Malformed("it has no exp"))?;
        if expires <= now.as_second() {
            let at = Timestamp::from_second(expires).unwrap_or(Timestamp::MIN);
            return Err(TokenError::Expired(at));
        }
        let latest = now.as_second() + LEEWAY_SECONDS;
        if ["nbf", "iat"].into_iter().filter_map(second).any(|from| from > latest) {
            return Err(TokenError::Foreign("not valid yet"));
        }
        Ok(())
    }

    fn outsider(&self, claims: &Value) -> Result<Outsider, TokenError> {
        let config = &self.config;
        let missing = || TokenError::Malformed("a claim that says who it is is missing");
        let organisation = match &config.organisation {
            Some(fixed) => fixed.clone(),
            None => {
                let claim = config.organisation_claim.as_deref().ok_or_else(missing)?;
                text(claims, claim).ok_or_else(missing)?.to_owned()
            }
        };
        let name = text(claims, &config.subject_claim).ok_or_else(missing)?.to_owned();
        let role = config.role_claim.as_deref().and_then(|claim| role(claims.get(claim)));
        Ok(Outsider { organisation, name, role })
    }
}

/// The highest role that a claim names, as a text, a list in a text, or an array.
fn role(claim: Option<&Value>) -> Option<ClientRole> {
    let has = |role: &str| words(claim).any(|word| word == role);
    if has("ApManager") {
        Some(ClientRole::ApManager)
    } else if has("ApUser") {
        Some(ClientRole::ApUser)
    } else {
        None
    }
}

fn text<'c>(claims: &'c Value, name: &str) -> Option<&'c str> {
    claims.get(name).and_then(Value::as_str).filter(|text| !text.is_empty())
}

/// The words of a claim that is a text or an array of texts.
fn words(claim: Option<&Value>) -> impl Iterator<Item = &str> {
    let list = claim.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    let single = claim.and_then(Value::as_str).into_iter();
    list.chain(single).flat_map(|text| text.split(' '))
}

fn part(text: &str) -> Result<Value, TokenError> {
    serde_json::from_slice(&decode(text)?).map_err(|_| TokenError::Malformed("a part is not JSON"))
}

fn decode(text: &str) -> Result<Vec<u8>, TokenError> {
    BASE64URL_NOPAD
        .decode(text.as_bytes())
        .map_err(|_| TokenError::Malformed("a part is not base64url"))
}
