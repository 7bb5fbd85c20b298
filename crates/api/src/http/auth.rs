//! Who calls: the bearer token of a request, read into a [`Caller`] before a handler runs.

use std::sync::Arc;

use axum::extract::{FromRef, FromRequestParts};
use axum::http::header::{AUTHORIZATION, WWW_AUTHENTICATE};
use axum::http::request::Parts;
use futures::future::BoxFuture;
use jiff::Timestamp;
use quoin_model::Language;

use quoin_access_point::clock::Clock;
use quoin_access_point::config::ClientRole;

use super::body::Tenant;
use super::codes::{self, ProblemCode};
use super::issuers::{Issuers, Outsider};
use super::password::Passwords;
use super::problem::Problem;
use super::query::{NoParameters, NoQuery, Query};
use super::rate::{RateMeter, RatedAccount};
use super::sentences::{self, ProblemDetail};
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
    /// SHA-256 of the secret before, and until when it is taken.
    pub previous: Option<([u8; 32], Timestamp)>,
    /// Since when its tokens are good.
    pub since: Timestamp,
}

/// A user as the store knows it.
#[derive(Clone, PartialEq, Eq)]
pub struct UserRecord {
    /// Its name.
    pub name: String,
    /// The organisation it belongs to.
    pub organisation: String,
    /// What it may do.
    pub role: ClientRole,
    /// The hash of its password.
    pub password_hash: String,
    /// Since when its tokens are good.
    pub since: Timestamp,
}

/// What an account may do now, whatever it could when its token was issued.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AccountRights {
    /// Whether it may do anything at all.
    pub active: bool,
    /// Its role.
    pub role: ClientRole,
    /// Whether it acts for parties that it is not linked to.
    pub all_parties: bool,
    /// Since when its tokens are good: those of one that had its name before are none of its, nor
    /// are those that were ended.
    pub since: Timestamp,
}

/// Accounts could not be looked up: a fault, which is told to the log.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("accounts could not be looked up: {0}")]
pub struct AccountsFault(pub String);

/// Where clients and users are looked up.
pub trait Clients: Send + Sync {
    /// The active client with this id, if there is one.
    fn find<'a>(
        &'a self,
        client_id: &'a str,
    ) -> BoxFuture<'a, Result<Option<ClientRecord>, AccountsFault>>;

    /// The active users of this name that have a password, in an organisation, or in any that is
    /// open.
    fn users<'a>(
        &'a self,
        organisation: Option<&'a str>,
        name: &'a str,
    ) -> BoxFuture<'a, Result<Vec<UserRecord>, AccountsFault>>;

    /// Whether there is an organisation of this id.
    fn has_organisation<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<bool, AccountsFault>>;

    /// What an account of an organisation may do.
    fn standing<'a>(
        &'a self,
        organisation: &'a str,
        name: &'a str,
    ) -> BoxFuture<'a, Result<Option<AccountRights>, AccountsFault>>;
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
    /// Where passwords are checked.
    pub passwords: Passwords,
    /// Issuers besides our own.
    pub issuers: Arc<Issuers>,
    /// The time.
    pub clock: Clock,
}

/// Who calls, from a token that was checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// The organisation; every question to the store names it.
    pub organisation: String,
    /// The account: a client id or the name of a user.
    pub client: String,
    /// What the account may do.
    pub role: ClientRole,
    /// Whether it acts for parties that it is not linked to.
    pub all_parties: bool,
    /// Whether it signed in at another issuer, so that it need not be on record here.
    pub outside: bool,
    /// Since when tokens of the account are good here.
    pub since: Option<Timestamp>,
    /// When its token ends, and with it what was begun with it.
    pub until: Timestamp,
    /// The language that it wants to be answered in.
    pub language: Language,
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
        let detail = sentences::NEEDS_MANAGER.with([("account", &self.client)]);
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
            return Err(challenge(&codes::NO_TOKEN, sentences::NO_TOKEN.with([]), None));
        };
        let malformed = || {
            let detail = sentences::ONE_TOKEN.with([]);
            challenge(&codes::TOKEN_MALFORMED, detail, Some("invalid_token"))
        };
        if values.next().is_some() {
            return Err(malformed());
        }
        let token = value
            .to_str()
            .ok()
            .and_then(|value| value.split_once(' '))
            .filter(|(name, _)| name.eq_ignore_ascii_case("bearer"))
            .map(|(_, token)| token.trim())
            .ok_or_else(malformed)?;
        let mut caller = auth.caller(token).await?;
        caller.language = parts.extensions.get::<Language>().copied().unwrap_or_default();
        parts.extensions.insert(Tenant(caller.organisation.as_str().into()));
        if let Some(meter) = parts.extensions.get::<RateMeter>() {
            auth.count(meter, &caller).await?;
        }
        if parts.extensions.get::<NoParameters>().is_some() {
            Query::<NoQuery>::read(parts.uri.query().unwrap_or_default())?;
        }
        Ok(caller)
    }
}

impl Auth {
    /// Who has this token, and what it may do now.
    async fn caller(&self, token: &str) -> Result<Caller, Problem> {
        let now = self.clock.now();
        if let Some(issuer) = self.issuers.of(token) {
            let found = issuer.verify(token, now).await.map_err(token_problem)?;
            return self.outsider(found).await;
        }
        let claims = self.tokens.verify(token, now).map_err(token_problem)?;
        let found = self.clients.standing(&claims.org, &claims.sub).await;
        let found = found.map_err(Problem::fault)?.filter(|standing| standing.active);
        let own = found.ok_or_else(|| gone(&claims.sub))?;
        let AccountRights { role, all_parties, since, .. } = own;
        if !claims.is_of(since) {
            return Err(ended(&claims.sub));
        }
        Ok(Caller {
            organisation: claims.org,
            client: claims.sub,
            role,
            all_parties,
            outside: false,
            since: Some(since),
            until: Timestamp::from_second(claims.exp).unwrap_or(Timestamp::MAX),
            language: Language::default(),
        })
    }

    /// The same caller as it stands now, for a request that lasts.
    ///
    /// # Errors
    /// API401.Invalid where the account is gone or switched off.
    pub async fn again(&self, caller: &Caller) -> Result<Caller, Problem> {
        let found = self.clients.standing(&caller.organisation, &caller.client).await;
        match found.map_err(Problem::fault)? {
            Some(AccountRights { active: true, role, all_parties, since })
                if caller.outside || caller.since == Some(since) =>
            {
                Ok(Caller { role, all_parties, ..caller.clone() })
            }
            None if caller.outside => Ok(caller.clone()),
            Some(AccountRights { active: true, .. }) => Err(ended(&caller.client)),
            _ => Err(gone(&caller.client)),
        }
    }

    /// Counts a request. Where the name of the caller may have a limit of its own, it is looked
    /// whether it is the client of that id, and no user of that name in another organisation.
    ///
    /// # Errors
    /// API429.Rate.
    pub(super) async fn count(&self, meter: &RateMeter, caller: &Caller) -> Result<(), Problem> {
        let (organisation, name) = (&caller.organisation, &caller.client);
        let is_client = meter.names(name) && {
            let found = self.clients.find(name).await.map_err(Problem::fault)?;
            found.is_some_and(|found| found.organisation == *organisation)
        };
        meter.count(RatedAccount { organisation, name, is_client })
    }

    /// Somebody who signed in elsewhere: what is on record here counts, else what the token says.
    async fn outsider(&self, found: Outsider) -> Result<Caller, Problem> {
        let Outsider { organisation, name, role, until } = found;
        if !self.clients.has_organisation(&organisation).await.map_err(Problem::fault)? {
            return Err(gone(&name));
        }
        let known = self.clients.standing(&organisation, &name).await.map_err(Problem::fault)?;
        if known.is_some_and(|standing| !standing.active) {
            return Err(gone(&name));
        }
        let role = match known.map(|standing| standing.role).or(role) {
            Some(role) => role,
            None => return Err(gone(&name)),
        };
        Ok(Caller {
            organisation,
            client: name,
            role,
            all_parties: known.is_some_and(|standing| standing.all_parties),
            outside: true,
            since: known.map(|standing| standing.since),
            until,
            language: Language::default(),
        })
    }
}

fn gone(name: &str) -> Problem {
    let detail = sentences::NO_ACCOUNT.with([("name", &name)]);
    challenge(&codes::TOKEN_INVALID, detail, Some("invalid_token"))
}

/// The account is there, and its tokens were ended.
fn ended(name: &str) -> Problem {
    let detail = sentences::TOKENS_ENDED.with([("name", &name)]);
    challenge(&codes::TOKEN_INVALID, detail, Some("invalid_token"))
}

fn token_problem(error: TokenError) -> Problem {
    let code = match error {
        TokenError::Malformed(_) => &codes::TOKEN_MALFORMED,
        TokenError::Expired(_) => &codes::TOKEN_EXPIRED,
        TokenError::Signature | TokenError::Elsewhere(_) | TokenError::Foreign(_) => {
            &codes::TOKEN_INVALID
        }
        TokenError::Keys(_) => return Problem::new(&codes::UNAVAILABLE, error.to_string()),
    };
    let detail = match &error {
        TokenError::Expired(at) => sentences::TOKEN_EXPIRED.with([("at", at)]),
        other => other.to_string().into(),
    };
    challenge(code, detail, Some("invalid_token"))
}

/// A 401 names the scheme that is expected (RFC 6750 section 3).
fn challenge(
    code: &'static ProblemCode,
    detail: impl Into<ProblemDetail>,
    error: Option<&str>,
) -> Problem {
    let error = error.map(|error| format!(", error=\"{error}\"")).unwrap_or_default();
    Problem::new(code, detail).header(WWW_AUTHENTICATE, &format!("Bearer realm=\"quoin\"{error}"))
}
