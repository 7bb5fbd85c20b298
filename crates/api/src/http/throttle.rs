//! A brake on guessing secrets: after so many failures within a minute, a client id has to wait,
//! counted for each address it is tried from, so that a stranger cannot lock a customer out.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Mutex;

use axum::http::Extensions;
use jiff::Timestamp;
use quoin_access_point::tls::PeerAddress;

/// The window, in seconds.
const WINDOW_SECONDS: i64 = 60;

/// Pairs that are counted at a time; when there are more, those of past windows are dropped, and
/// if none is past, all are.
const MOST_PAIRS: usize = 20_000;

/// Where a request comes from; the unspecified address where nobody knows.
pub(crate) fn address_of(extensions: &Extensions) -> IpAddr {
    let peer = extensions.get::<PeerAddress>();
    peer.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.0.ip())
}

/// Counts failures.
#[derive(Debug)]
pub struct Throttle {
    failures_per_minute: u32,
    windows: Mutex<HashMap<(String, IpAddr), FailureWindow>>,
}

#[derive(Debug, Clone, Copy)]
struct FailureWindow {
    start: i64,
    failures: u32,
}

impl FailureWindow {
    fn is_open(self, now: i64) -> bool {
        (self.start..self.start + WINDOW_SECONDS).contains(&now)
    }
}

impl Throttle {
    /// Allows so many failures a minute.
    pub fn new(failures_per_minute: u32) -> Throttle {
        Throttle { failures_per_minute, windows: Mutex::default() }
    }

    /// How many seconds to wait before the next try, if any.
    pub fn wait_seconds(&self, client: &str, from: IpAddr, now: Timestamp) -> Option<i64> {
        let windows = self.windows.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let window = windows.get(&(client.to_owned(), from))?;
        let left = window.start + WINDOW_SECONDS - now.as_second();
        // One that a clock which was ahead has opened is none.
        let open = (1..=WINDOW_SECONDS).contains(&left);
        (window.failures >= self.failures_per_minute && open).then_some(left)
    }

    /// Counts a failure.
    pub fn failed(&self, client: &str, from: IpAddr, now: Timestamp) {
        let now = now.as_second();
        let mut windows = self.windows.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if windows.len() >= MOST_PAIRS {
            windows.retain(|_, window| window.is_open(now));
        }
        if windows.len() >= MOST_PAIRS {
            windows.clear();
        }
        let fresh = FailureWindow { start: now, failures: 0 };
        let window = windows.entry((client.to_owned(), from)).or_insert(fresh);
        if !window.is_open(now) {
            *window = fresh;
        }
        window.failures += 1;
    }
}
