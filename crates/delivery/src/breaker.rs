//! A circuit breaker for the address of an access point: when documents of several senders failed
//! there one after the other, it is left alone for a while, then one document is sent as a probe.
//!
//! The state is a value; time comes in as an argument. A document that waits for a breaker has made
//! no attempt. A document that fails again and again counts once: what a breaker keeps away is the
//! crowd, not the schedule of one document.

use jiff::{SignedDuration, Timestamp};

use crate::clock::still_counts;

/// The longest that a probe may take before another one is sent: longer than an attempt.
pub const PROBE_LIMIT: SignedDuration = SignedDuration::from_mins(5);
/// When a document looks again that found a probe under way.
pub const PROBE_PAUSE: SignedDuration = SignedDuration::from_secs(10);

/// When breakers open and for how long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BreakerPolicy {
    /// So many documents in a row must fail; 0 never opens one.
    pub failures: usize,
    /// The first rest.
    pub rest: SignedDuration,
    /// The longest rest; each failed probe doubles the one before.
    pub longest: SignedDuration,
    /// A document that is older than this is sent whatever its breaker says, so that each comes to
    /// an end.
    pub patience: SignedDuration,
}

impl Default for BreakerPolicy {
    /// Five documents; one minute, at most half an hour; a day.
    fn default() -> BreakerPolicy {
        BreakerPolicy {
            failures: 5,
            rest: SignedDuration::from_mins(1),
            longest: SignedDuration::from_mins(30),
            patience: SignedDuration::from_hours(24),
        }
    }
}

/// What is known about an address.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Breaker {
    /// The documents that failed since the last one that did not, each once, up to the number that
    /// opens it.
    pub failing: Vec<String>,
    /// How often in a row it opened.
    pub openings: u32,
    /// Until when the address is left alone; none as long as it is closed.
    pub rests_until: Option<Timestamp>,
    /// Until when a probe is waited for.
    pub probing_until: Option<Timestamp>,
}

/// The three states of a breaker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BreakerState {
    /// Documents go through.
    Closed,
    /// The address is left alone.
    Open,
    /// One document goes through, and decides for all.
    HalfOpen,
}

impl BreakerState {
    /// The stable word in answers.
    pub const fn as_str(self) -> &'static str {
        match self {
            BreakerState::Closed => "closed",
            BreakerState::Open => "open",
            BreakerState::HalfOpen => "half-open",
        }
    }
}

/// Whether a document may go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Admission {
    /// It goes.
    Go,
    /// It goes, and the others wait for what comes of it.
    Probe,
    /// It waits until then.
    Wait(Timestamp),
}

/// What an attempt said about the address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    /// It answered, be it with a refusal.
    Alive,
    /// It does not take messages.
    Down,
}

impl Breaker {
    /// The state at `now`. A rest that is longer than the longest was begun by a clock that was
    /// ahead, and is over.
    pub fn state(&self, policy: &BreakerPolicy, now: Timestamp) -> BreakerState {
        let longest = policy.longest.max(policy.rest);
        match self.rests_until {
            None => BreakerState::Closed,
            Some(until) if still_counts(until, now, longest) => BreakerState::Open,
            Some(_) => BreakerState::HalfOpen,
        }
    }

    /// Whether a document that came at `since` may go at `now`. A probe is noted.
    pub fn admit(&mut self, since: Timestamp, policy: &BreakerPolicy, now: Timestamp) -> Admission {
        let old = now.duration_since(since) > policy.patience;
        let probing = |until| still_counts(until, now, PROBE_LIMIT);
        match self.state(policy, now) {
            BreakerState::Closed => Admission::Go,
            _ if policy.failures == 0 || old => Admission::Go,
            BreakerState::Open => Admission::Wait(self.rests_until.unwrap_or(now)),
            BreakerState::HalfOpen if self.probing_until.is_some_and(probing) => {
                Admission::Wait(now.saturating_add(PROBE_PAUSE).unwrap_or(Timestamp::MAX))
            }
            BreakerState::HalfOpen => {
                self.probing_until = now.saturating_add(PROBE_LIMIT).ok();
                Admission::Probe
            }
        }
    }

    /// Forgets the probe that is waited for: its document made no attempt, or one that says nothing
    /// of the address, so that the next document is the probe.
    pub fn release(&mut self) {
        self.probing_until = None;
    }

    /// Notes what an attempt of a document said; answers whether anything changed that is to be
    /// remembered.
    pub fn note(
        &mut self,
        document: &str,
        sign: Sign,
        policy: &BreakerPolicy,
        now: Timestamp,
    ) -> bool {
        let before = self.clone();
        match sign {
            Sign::Alive => *self = Breaker::default(),
            Sign::Down => self.failed(document, policy, now),
        }
        *self != before
    }

    fn failed(&mut self, document: &str, policy: &BreakerPolicy, now: Timestamp) {
        let full = self.failing.len() >= policy.failures;
        if !full && !self.failing.iter().any(|known| known == document) {
            self.failing.push(document.to_owned());
        }
        // Those that were under way when it opened say nothing new.
        let opens = match self.state(policy, now) {
            BreakerState::Closed => policy.failures > 0 && self.failing.len() >= policy.failures,
            BreakerState::Open => false,
            BreakerState::HalfOpen => true,
        };
        if opens {
            self.rests_until = now.saturating_add(rest(self.openings, policy)).ok();
            self.openings = self.openings.saturating_add(1);
            self.probing_until = None;
        }
    }
}

/// The rest after so many openings in a row.
fn rest(openings: u32, policy: &BreakerPolicy) -> SignedDuration {
    let doubled = 1_i32.checked_shl(openings.min(16)).unwrap_or(1);
    policy.rest.saturating_mul(doubled).min(policy.longest.max(policy.rest))
}

#[cfg(test)]
mod tests;
