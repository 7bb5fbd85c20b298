//! The limit on requests of a client: so many in a minute, told in the headers `RateLimit` and
//! `RateLimit-Policy` of every answer (draft-ietf-httpapi-ratelimit-headers). Look-ups are not
//! counted (interface specification 8).

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use axum::http::header::RETRY_AFTER;
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use jiff::Timestamp;

use quoin_access_point::config::Rate;

use super::codes;
use super::problem::Problem;
use super::sentences;

/// The window, in seconds.
const WINDOW_SECONDS: i64 = 60;
/// Clients that are counted at a time; windows of the past are dropped above this.
const MOST_CLIENTS: usize = 100_000;
/// Ends of paths that are not counted.
pub(crate) const UNCOUNTED: &[&str] = &["/queryRecipientParty", "/peppol/deliveryOption"];

const LIMIT: HeaderName = HeaderName::from_static("ratelimit");
const POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");

/// Counts the requests of clients.
#[derive(Debug, Default)]
pub struct RateLimits {
    usual: u32,
    clients: BTreeMap<String, u32>,
    windows: Mutex<HashMap<String, RequestWindow>>,
}

#[derive(Debug, Clone, Copy)]
struct RequestWindow {
    start: i64,
    requests: u32,
}

/// Whose request is counted.
#[derive(Debug, Clone, Copy)]
pub struct RatedAccount<'a> {
    /// The organisation.
    pub organisation: &'a str,
    /// A client id, or the name of a user.
    pub name: &'a str,
    /// Whether it is the client of this id.
    pub is_client: bool,
}

/// What a client has left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Left {
    /// Requests in a window.
    pub quota: u32,
    /// Requests left in this one.
    pub requests: u32,
    /// Seconds until the next one.
    pub seconds: i64,
}

/// What a request found of its client's limit; an extension of every request, filled where the
/// client is known.
#[derive(Debug, Clone)]
pub struct RateMeter {
    limits: Arc<RateLimits>,
    found: Arc<OnceLock<Left>>,
    counted: bool,
    now: Timestamp,
}

impl RateLimits {
    /// Limits as they are configured.
    pub fn new(rate: &Rate) -> Arc<RateLimits> {
        Arc::new(RateLimits {
            usual: rate.requests_per_minute,
            clients: rate.clients.clone(),
            windows: Mutex::default(),
        })
    }

    /// Whether an account of this name may have a limit of its own by its bare name: that is for
    /// the client of this id, and not for a user who is called so in another organisation.
    fn names(&self, client: &str) -> bool {
        self.clients.contains_key(client)
    }

    /// Counts a request; `None` for a client without a limit, and the error where it has none left.
    /// A limit of its own is under `organisation/name`, or under the id of a client.
    pub fn count(&self, account: RatedAccount<'_>, now: Timestamp) -> Result<Option<Left>, Left> {
        let RatedAccount { organisation, name: client, is_client } = account;
        let own = self.clients.get(&format!("{organisation}/{client}"));
        let own = own.or_else(|| self.clients.get(client).filter(|_| is_client));
        let quota = own.copied().unwrap_or(self.usual);
        if quota == 0 {
            return Ok(None);
        }
        let now = now.as_second();
        // Users of two organisations may have one name.
        let key = format!("{organisation}/{client}");
        let mut windows = self.windows.lock().unwrap_or_else(PoisonError::into_inner);
        if windows.len() >= MOST_CLIENTS && !windows.contains_key(&key) {
            windows.retain(|_, window| window.start + WINDOW_SECONDS > now);
        }
        let fresh = RequestWindow { start: now, requests: 0 };
        let window = windows.entry(key).or_insert(fresh);
        if window.start + WINDOW_SECONDS <= now || window.start > now {
            *window = fresh;
        }
        let seconds = window.start + WINDOW_SECONDS - now;
        if window.requests >= quota {
            return Err(Left { quota, requests: 0, seconds });
        }
        window.requests += 1;
        Ok(Some(Left { quota, requests: quota - window.requests, seconds }))
    }
}

impl RateMeter {
    /// The meter of a request.
    pub(super) fn new(limits: Arc<RateLimits>, path: &str, now: Timestamp) -> RateMeter {
        let counted = !UNCOUNTED.iter().any(|end| path.ends_with(end));
        RateMeter { limits, found: Arc::default(), counted, now }
    }

    /// Whether it matters whether the account of this name is a client.
    pub(super) fn names(&self, account: &str) -> bool {
        self.counted && self.limits.names(account)
    }

    /// Counts the request of a client.
    ///
    /// # Errors
    /// API429.Rate.
    pub(super) fn count(&self, account: RatedAccount<'_>) -> Result<(), Problem> {
        if !self.counted {
            return Ok(());
        }
        match self.limits.count(account, self.now) {
            Ok(left) => {
                left.map(|left| self.found.set(left));
                Ok(())
            }
            Err(left) => {
                let _ = self.found.set(left);
                let detail = sentences::RATE.with([
                    ("quota", &left.quota),
                    ("client", &account.name),
                    ("seconds", &left.seconds),
                ]);
                Err(Problem::new(&codes::RATE, detail)
                    .header(RETRY_AFTER, &left.seconds.to_string()))
            }
        }
    }

    /// The headers that tell what is left.
    pub(super) fn headers(&self) -> HeaderMap {
        let Some(left) = self.found.get() else { return HeaderMap::new() };
        let policy = format!("\"client\";q={};w={WINDOW_SECONDS}", left.quota);
        let limit = format!("\"client\";r={};t={}", left.requests, left.seconds);
        let pairs = [(POLICY, policy), (LIMIT, limit)];
        let value = |(name, text): (HeaderName, String)| {
            HeaderValue::from_str(&text).ok().map(|value| (name, value))
        };
        pairs.into_iter().filter_map(value).collect()
    }
}

#[cfg(test)]
mod tests;
