//! The brake on guessing at the doors of other networks: that of tokens, counted for each hook and
//! the address that it is tried from.

use std::net::IpAddr;

use axum::http::Extensions;
use axum::http::header::RETRY_AFTER;

use super::Api;
use crate::http::throttle::address_of;
use crate::http::{Problem, codes};

/// The brake for one call.
pub(super) struct GuessBrake<'a> {
    api: &'a Api,
    hook: String,
    from: IpAddr,
}

impl<'a> GuessBrake<'a> {
    /// The brake for a call at the door of a hook.
    ///
    /// # Errors
    /// `API429` with `Retry-After`, after too many wrong secrets within a minute.
    pub(super) fn at(
        api: &'a Api,
        (organisation, hook): (&str, &str),
        extensions: &Extensions,
    ) -> Result<GuessBrake<'a>, Problem> {
        let hook = format!("networks/{organisation:.64}/{hook:.64}");
        let from = address_of(extensions);
        let wait = api.auth.throttle.wait_seconds(&hook, from, api.clock.now());
        wait.map_or(Ok(GuessBrake { api, hook, from }), |wait| Err(too_many(wait)))
    }

    /// Judges a secret by whom it belongs to: counts one that is nobody's.
    ///
    /// # Errors
    /// `API429` with `Retry-After`, whatever the secret, where too many failed meanwhile.
    pub(super) fn judged<T>(&self, believed: Option<T>) -> Result<Option<T>, Problem> {
        let (hook, from, fits) = (&self.hook, self.from, believed.is_some());
        let now = self.api.clock.now();
        if let Some(wait) = self.api.auth.throttle.judged(hook, from, (now, fits)) {
            return Err(too_many(wait));
        }
        if !fits {
            tracing::warn!(hook, %from, "a network is not let in: its secret is wrong");
        }
        Ok(believed)
    }
}

fn too_many(wait: i64) -> Problem {
    let detail = format!("too many wrong secrets; try again in {wait} seconds");
    Problem::new(&codes::TOO_MANY, detail).header(RETRY_AFTER, &wait.to_string())
}
