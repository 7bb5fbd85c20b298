//! Issuers besides our own: an OpenID Connect provider of the operator or of a customer, named in
//! the configuration with its keys and with the claims that say who somebody is. Its tokens are
//! checked as ours are; whom it may speak for is the configuration's decision, never the token's.

mod key;
mod keys;

use std::collections::BTreeMap;
use std::sync::Arc;

use data_encoding::BASE64URL_NOPAD;
use futures::future::BoxFuture;
use jiff::Timestamp;
use serde_json::Value;

use quoin_access_point::config::{ClientRole, IssuerConfig};

use super::names;
use super::token::{
    LEEWAY_SECONDS, LONGEST_TOKEN, OTHER_AUDIENCE, OTHER_ISSUER, OTHER_SCOPE, SCOPE, TokenError,
};
use key::{IssuerKey, TokenAlgorithm, WantedKey};
use keys::KeySet;

/// Where the keys of an issuer are fetched.
pub trait KeySource: Send + Sync {
    /// The key set as JSON text (RFC 7517); why there is none is for the log alone.
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
    /// When the token ends.
    pub until: Timestamp,
}

impl Issuers {
    /// The issuers of the configuration, with a way to fetch their keys. What is at one address is
    /// fetched for all of them.
    pub fn new(configs: &[IssuerConfig], source: &Arc<dyn KeySource>) -> Issuers {
        let mut sets: BTreeMap<&str, KeySet> = BTreeMap::new();
        let mut issuers = Vec::new();
        for config in configs {
            let url = config.jwks_url.as_str();
            let keys = sets.entry(url).or_insert_with(|| KeySet::new(url, source.clone())).clone();
            issuers.push(Issuer { config: config.clone(), keys });
        }
        Issuers(issuers)
    }

    /// The issuer that a token names, which is not believed yet: the first whose audience it has,
    /// since one may be there with several.
    pub fn of(&self, token: &str) -> Option<&Issuer> {
        if self.0.is_empty() || token.len() > LONGEST_TOKEN {
            return None;
        }
        let claims: Value = part(token.split('.').nth(1)?).ok()?;
        let named = claims.get("iss")?.as_str()?;
        let of_name = || self.0.iter().filter(|issuer| issuer.config.issuer == named);
        of_name().find(|issuer| issuer.is_meant(&claims)).or_else(|| of_name().next())
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
        // RFC 7515 section 4.1.11: what has to be understood and is not.
        if header.get("crit").is_some() {
            let why = "its header has crit, and none of what that may name is known here";
            return Err(TokenError::Elsewhere(why));
        }
        let name = header.get("alg").and_then(Value::as_str).unwrap_or_default();
        let algorithm = TokenAlgorithm::read(name);
        let algorithm = algorithm.ok_or(TokenError::Elsewhere(
            "its algorithm (alg) is none of RS256, PS256 and ES256",
        ))?;
        let wanted = WantedKey { kid: header.get("kid").and_then(Value::as_str), algorithm };
        let good = |key: &IssuerKey| key.verifies(algorithm, signed.as_bytes(), &signature);
        let known = self.keys.fitting(wanted, now).await?;
        if !known.iter().any(good) && !self.keys.anew(wanted, &known, now).await?.iter().any(good) {
            return Err(TokenError::Elsewhere("its signature fits no key of that issuer"));
        }
        let until = self.check(&claims, now)?;
        self.outsider(&claims, until)
    }

    /// Whether a token is for this audience; one is a text, several are an array (RFC 7519).
    fn is_meant(&self, claims: &Value) -> bool {
        let is_ours = |audience: &Value| audience == self.config.audience.as_str();
        claims.get("aud").is_some_and(|aud| match aud.as_array() {
            Some(all) => all.iter().any(is_ours),
            None => is_ours(aud),
        })
    }

    /// When the token ends, where it is good now.
    fn check(&self, claims: &Value, now: Timestamp) -> Result<Timestamp, TokenError> {
        if text(claims, "iss") != Some(&self.config.issuer) {
            return Err(TokenError::Foreign(OTHER_ISSUER));
        }
        if !self.is_meant(claims) {
            return Err(TokenError::Foreign(OTHER_AUDIENCE));
        }
        if self.config.demand_scope {
            let scope = claims.get("scope").or_else(|| claims.get("scp"));
            if !words(scope).any(|word| word == SCOPE) {
                return Err(TokenError::Foreign(OTHER_SCOPE));
            }
        }
        let expires = second(claims, "exp")?.ok_or(TokenError::Malformed("it has no exp"))?;
        let until = Timestamp::from_second(expires);
        if expires <= now.as_second() {
            return Err(TokenError::Expired(until.unwrap_or(Timestamp::MIN)));
        }
        let latest = now.as_second() + LEEWAY_SECONDS;
        for from in [second(claims, "nbf")?, second(claims, "iat")?].into_iter().flatten() {
            if from > latest {
                return Err(TokenError::Foreign("not valid yet"));
            }
        }
        Ok(until.unwrap_or(Timestamp::MAX))
    }

    fn outsider(&self, claims: &Value, until: Timestamp) -> Result<Outsider, TokenError> {
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
        if !names::is_account(&name) {
            let why = "the claim that says who it is holds no name that an account may have";
            return Err(TokenError::Elsewhere(why));
        }
        let role = config.role_claim.as_deref().and_then(|claim| role(claims.get(claim)));
        Ok(Outsider { organisation, name, role, until })
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

/// A claim that is a time, in seconds since 1970. One that is there and is no number says nothing
/// that could be kept to.
fn second(claims: &Value, name: &str) -> Result<Option<i64>, TokenError> {
    let Some(claim) = claims.get(name) else { return Ok(None) };
    let number = claim.as_f64().map(|seconds| seconds as i64);
    number.map(Some).ok_or(TokenError::Malformed("one of exp, nbf and iat is no number"))
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

#[cfg(test)]
mod tests;
