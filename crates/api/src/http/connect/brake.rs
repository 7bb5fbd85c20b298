//! The brake on guessing, where a token is asked for.

use std::net::IpAddr;

use axum::http::StatusCode;
use jiff::Timestamp;

use super::{GrantRefusal, refused};
use crate::http::auth::Auth;

/// Refuses who failed too often.
pub(super) fn waiting(
    auth: &Auth,
    who: &str,
    from: IpAddr,
    now: Timestamp,
) -> Result<(), GrantRefusal> {
    auth.throttle.wait_seconds(who, from, now).map_or(Ok(()), |wait| Err(too_many(wait)))
}

/// The refusal of a try after too many failures.
fn too_many(wait: i64) -> GrantRefusal {
    let text = format!("too many failures; try again in {wait} seconds");
    let refused = refused(StatusCode::TOO_MANY_REQUESTS, "invalid_client", text);
    GrantRefusal { wait: Some(wait), ..refused }
}

/// Counts a try that does not fit; refuses it, fits or not, where too many failed meanwhile.
pub(super) fn judged(
    auth: &Auth,
    (who, from): (&str, IpAddr),
    fits: bool,
) -> Result<(), GrantRefusal> {
    let wait = auth.throttle.judged(who, from, (auth.clock.now(), fits));
    wait.map_or(Ok(()), |wait| Err(too_many(wait)))
}
