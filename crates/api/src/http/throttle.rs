//! A brake on guessing secrets: after so many failures within a minute, a client id has to wait,
//! counted for each network it is tried from, so that a stranger cannot lock a customer out. Who
//! tries many names is counted for all of them.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::{Mutex, MutexGuard, PoisonError};

use axum::http::Extensions;
use jiff::Timestamp;
use quoin_access_point::tls::{PeerAddress, network};

/// The window, in seconds.
const WINDOW_SECONDS: i64 = 60;

/// Names of one network that are counted each by itself within a window; all others together.
const NAMES: u32 = 100;

/// Pairs that are counted at a time; when there are more, those of past windows are dropped, then
/// those that may be tried still, and then all.
const MOST_PAIRS: usize = 20_000;

/// Where a request comes from; the unspecified address where nobody knows.
pub(crate) fn address_of(extensions: &Extensions) -> IpAddr {
    let peer = extensions.get::<PeerAddress>();
    peer.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.0.ip())
}

/// A name and the network it is tried from; no name for all that are not counted by themselves.
type GuessedPair = (Option<String>, IpAddr);

/// Counts failures.
#[derive(Debug)]
pub struct Throttle {
    failures_per_minute: u32,
    windows: Mutex<FailureWindows>,
}

#[derive(Debug, Default)]
struct FailureWindows {
    pairs: HashMap<GuessedPair, FailureWindow>,
    /// How many names failed first within a window, by network.
    names: HashMap<IpAddr, FailureWindow>,
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

impl FailureWindows {
    /// Under which pair a name is counted.
    fn pair(&self, client: &str, from: IpAddr, now: i64) -> GuessedPair {
        let own = (Some(client.to_owned()), from);
        let names = self.names.get(&from).filter(|names| names.is_open(now));
        let is_many = names.is_some_and(|names| names.failures >= NAMES);
        if is_many && !self.pairs.get(&own).is_some_and(|own| own.is_open(now)) {
            return (None, from);
        }
        own
    }

    fn wait_seconds(&self, (client, from): (&str, IpAddr), now: i64, most: u32) -> Option<i64> {
        let window = self.pairs.get(&self.pair(client, from, now))?;
        let left = window.start + WINDOW_SECONDS - now;
        // One that a clock which was ahead has opened is none.
        let open = (1..=WINDOW_SECONDS).contains(&left);
        (window.failures >= most && open).then_some(left)
    }

    fn failed(&mut self, (client, from): (&str, IpAddr), now: i64, most: u32) {
        self.make_room(now, most);
        let pair = self.pair(client, from, now);
        let window = count(&mut self.pairs, pair, now);
        if window.failures == 1 {
            count(&mut self.names, from, now);
        }
    }

    fn make_room(&mut self, now: i64, most: u32) {
        let FailureWindows { pairs, names } = self;
        if names.len() >= MOST_PAIRS {
            names.retain(|_, window| window.is_open(now));
        }
        if names.len() >= MOST_PAIRS {
            names.clear();
        }
        if pairs.len() >= MOST_PAIRS {
            pairs.retain(|_, window| window.is_open(now));
        }
        if pairs.len() >= MOST_PAIRS {
            pairs.retain(|_, window| window.failures >= most);
        }
        if pairs.len() >= MOST_PAIRS {
            pairs.clear();
        }
    }
}

impl Throttle {
    /// Allows so many failures a minute.
    pub fn new(failures_per_minute: u32) -> Throttle {
        Throttle { failures_per_minute, windows: Mutex::default() }
    }

    fn lock(&self) -> MutexGuard<'_, FailureWindows> {
        self.windows.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many seconds to wait before the next try, if any.
    pub fn wait_seconds(&self, client: &str, from: IpAddr, now: Timestamp) -> Option<i64> {
        self.lock().wait_seconds((client, network(from)), now.as_second(), self.failures_per_minute)
    }

    /// Judges a try that was under way: how many seconds to wait where so many failed meanwhile
    /// that nobody is told whether it fits. One that does not fit is counted. So of many tries that
    /// are made at the same time no more are answered than of those made one after the other.
    pub fn judged(
        &self,
        client: &str,
        from: IpAddr,
        (now, fits): (Timestamp, bool),
    ) -> Option<i64> {
        let (now, from) = (now.as_second(), network(from));
        let mut windows = self.lock();
        let wait = windows.wait_seconds((client, from), now, self.failures_per_minute);
        if wait.is_none() && !fits {
            windows.failed((client, from), now, self.failures_per_minute);
        }
        wait
    }

    /// Counts a failure of a name that nobody gave: a secret that is another's was tried at it as
    /// well. It is none of the names that its network tries.
    pub fn missed(&self, client: &str, from: IpAddr, now: Timestamp) {
        let (now, from) = (now.as_second(), network(from));
        let mut windows = self.lock();
        windows.make_room(now, self.failures_per_minute);
        count(&mut windows.pairs, (Some(client.to_owned()), from), now);
    }

    /// Counts a failure.
    #[cfg(test)]
    fn failed(&self, client: &str, from: IpAddr, now: Timestamp) {
        self.lock().failed((client, network(from)), now.as_second(), self.failures_per_minute);
    }
}

/// Counts one more in the window of a key, which begins anew when it is over.
fn count<K: std::hash::Hash + Eq>(
    windows: &mut HashMap<K, FailureWindow>,
    key: K,
    now: i64,
) -> FailureWindow {
    let fresh = FailureWindow { start: now, failures: 0 };
    let window = windows.entry(key).or_insert(fresh);
    if !window.is_open(now) {
        *window = fresh;
    }
    window.failures += 1;
    *window
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(1_800_000_000 + second).expect("a time")
    }

    fn ip(text: &str) -> IpAddr {
        text.parse().expect("an address")
    }

    #[test]
    fn a_network_waits_and_not_only_an_address_of_it() {
        let throttle = Throttle::new(10);
        for host in 0..10 {
            throttle.failed("one", ip(&format!("2001:db8::{host}")), at(0));
        }
        assert_eq!(throttle.wait_seconds("one", ip("2001:db8::ffff"), at(1)), Some(59));
        assert_eq!(throttle.wait_seconds("one", ip("2001:db8:0:1::1"), at(1)), None);
        assert_eq!(throttle.wait_seconds("one", ip("2001:db8::1"), at(60)), None);
    }

    #[test]
    fn invented_names_neither_help_nor_make_a_brake_forget() {
        let throttle = Throttle::new(10);
        let (guesser, other) = (ip("192.0.2.1"), ip("192.0.2.2"));
        (0..10).for_each(|_| throttle.failed("one", guesser, at(0)));
        (0..40_000).for_each(|name| throttle.failed(&format!("name {name}"), guesser, at(1)));
        assert_eq!(throttle.wait_seconds("one", guesser, at(2)), Some(58), "it still waits");
        assert_eq!(throttle.wait_seconds("a new one", guesser, at(2)), Some(59));
        assert_eq!(throttle.wait_seconds("one", other, at(2)), None, "nobody else does");
        let held = throttle.lock().pairs.len();
        assert!(held < 200, "{held} pairs of one network are counted");
    }

    /// Whoever tries many at the same time hears of no more than one after the other.
    #[test]
    fn tries_that_are_under_way_at_the_same_time_are_judged_one_after_the_other() {
        let throttle = Throttle::new(10);
        let from = ip("192.0.2.1");
        assert!((0..300).all(|_| throttle.wait_seconds("one", from, at(0)).is_none()));
        let told = (0..300).filter(|_| throttle.judged("one", from, (at(1), false)).is_none());
        assert_eq!(told.count(), 10);
        assert_eq!(throttle.judged("one", from, (at(2), true)), Some(59), "not even the right one");
        assert_eq!(throttle.judged("two", from, (at(2), true)), None);
        assert_eq!(throttle.judged("one", from, (at(61), true)), None);
    }

    #[test]
    fn those_that_wait_stay_when_there_are_many() {
        let throttle = Throttle::new(10);
        (0..10).for_each(|_| throttle.failed("one", ip("192.0.2.1"), at(0)));
        for number in 0..40_000_u32 {
            throttle.failed("name", IpAddr::V4(Ipv4Addr::from(0x0a00_0000 + number)), at(1));
        }
        assert_eq!(throttle.wait_seconds("one", ip("192.0.2.1"), at(2)), Some(58));
        assert!(throttle.lock().pairs.len() <= MOST_PAIRS);
    }
}
