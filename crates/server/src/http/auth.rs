//! Who calls: the bearer token of a request, read into a [`Caller`] before a handler runs.

use std::sync::Arc;

use axum::extract::{FromRef, FromRequestParts};
use axum::http::header::{AUTHORIZATION, WWW_AUTHENTICATE};
use axum::http::request::Parts;
use futures::future::BoxFuture;

use crate::clock::Clock;
use crate::config::ClientRole;

use super::codes::{self, Code};
use super::problem::Problem;
use super::rate::RateMeter;
use super::throttle::Throttle;
use super::token::{TokenError, Tokens};

/// A client as the store knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientRecord {
    /// Its id.
    pub client_id: String,
    /// The organisation it belongs to.
    pub organisation: String,
    /// What it may do.
    pub role: ClientRole,
    /// SHA-256 of its secret.
    pub secret_sha256: [u8; 32],
}

/// Where clients are looked up.
pub trait Clients: Send + Sync {
    /// The client with this id, if there is one. The error is a fault, told to the log.
    fn find<'a>(
        &'a self,
        client_id: &'a str,
    ) -> BoxFuture<'a, Result<Option<ClientRecord>, String>>;
}

/// The issuer with all it needs.
#[derive(Clone)]
pub struct Auth {
    /// Issues and checks tokens.
    pub tokens: Arc<Tokens>,
    /// Where clients are looked up.
    pub clients: Arc<dyn Clients>,
    /// Counts failures.
    pub throttle: Arc<Throttle>,
    /// The time.
    pub clock: Clock,
}

/// Who calls, from a token that was checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// The organisation; every question to the store names it.
    pub organisation: String,
    /// The client id.
    pub client: String,
    /// What the client may do.
    pub role: ClientRole,
}

impl Caller {
    /// Asks for the role that manages registrations.
    ///
    /// # Errors
    /// API403.Role.
    pub fn manager(&self) -> Result<(), Problem> {
        if self.role == ClientRole::ApManager {
            return Ok(());
        }
        let detail = format!("client {} has the role ApUser, ApManager is needed", self.client);
        Err(Problem::new(&codes::FORBIDDEN_ROLE, detail))
    }
}

impl<S> FromRequestParts<S> for Caller
where
    Auth: FromRef<S>,
    S: Send + Sync,
{
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Caller, Problem> {
        let auth = Auth::from_ref(state);
        let mut values = parts.headers.get_all(AUTHORIZATION).iter();
        let Some(value) = values.next() else {
            return Err(challenge(&codes::NO_TOKEN, "the header Authorization is missing", None));
        };
        let scheme = "expected one header Authorization: Bearer TOKEN";
        let malformed =
            |detail: &str| challenge(&codes::TOKEN_MALFORMED, detail, Some("invalid_token"));
        if values.next().is_some() {
            return Err(malformed(scheme));
        }
        let token = value
            .to_str()
            .ok()
            .and_then(|value| value.split_once(' '))
            .filter(|(name, _)| name.eq_ignore_ascii_case("bearer"))
            .map(|(_, token)| token.trim())
            .ok_or_else(|| malformed(scheme))?;
        let claims = auth.tokens.verify(token, auth.clock.now()).map_err(|error| {
            let code = match error {
                TokenError::Malformed(_) => &codes::TOKEN_MALFORMED,
                TokenError::Expired(_) => &codes::TOKEN_EXPIRED,
                TokenError::Signature | TokenError::Foreign(_) => &codes::TOKEN_INVALID,
            };
            challenge(code, &error.to_string(), Some("invalid_token"))
        })?;
        if let Some(meter) = parts.extensions.get::<RateMeter>() {
            meter.count(&claims.sub)?;
        }
        Ok(Caller { organisation: claims.org, client: claims.sub, role: claims.role })
    }
}

/// A 401 names the scheme that is expected (RFC 6750 section 3).
fn challenge(code: &'static Code, detail: &str, error: Option<&str>) -> Problem {
    let error = error.map(|error| format!(", error=\"{error}\"")).unwrap_or_default();
    Problem::new(code, detail).header(WWW_AUTHENTICATE, &format!("Bearer realm=\"quoin\"{error}"))
}
