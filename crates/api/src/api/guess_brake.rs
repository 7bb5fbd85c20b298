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
        match wait {
            None => Ok(GuessBrake { api, hook, from }),
            Some(wait) => {
                let detail = format!("too many wrong secrets; try again in {wait} seconds");
                let problem = Problem::new(&codes::TOO_MANY, detail);
                Err(problem.header(RETRY_AFTER, &wait.to_string()))
            }
        }
    }

    /// Counts a secret that was wrong.
    pub(super) fn failed(&self) {
        let (hook, from) = (&self.hook, self.from);
        self.api.auth.throttle.failed(hook, from, self.api.clock.now());
        tracing::warn!(hook, %from, "a network is not let in: its secret is wrong");
    }
}
