//! When a failed attempt is made again: schedules as data, so that an operator or a test world can
//! have its own (interface specification 3.3: at most 8 attempts over about 35 hours).

use jiff::{SignedDuration, Timestamp};

/// The longest time a far side may send us away for, above the schedule (`Retry-After`).
pub const RETRY_AFTER_LIMIT: SignedDuration = SignedDuration::from_hours(12);
/// The part of a delay by which jitter lengthens or shortens it at most.
pub const JITTER: f64 = 0.10;

/// The waits between attempts; one attempt more than waits is made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schedule {
    /// The wait after attempt 1, 2, … in order.
    pub waits: Vec<SignedDuration>,
}

/// What may differ between installations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RetryPolicy {
    /// For the delivery of documents.
    pub delivery: Schedule,
    /// Waits after which a connection that was refused is tried again before it counts as an
    /// attempt: mostly the other side restarts.
    pub reconnect: Vec<SignedDuration>,
    /// Waits after a step that failed on our own side; after the last it is held.
    pub faults: Vec<SignedDuration>,
    /// For the calls of hooks.
    pub hooks: Schedule,
    /// For how long a failing call keeps later calls of its hook and party behind it. After that it
    /// steps aside: order is worth minutes, not a day.
    pub hook_hold: SignedDuration,
    /// After how long without one success a hook is switched off.
    pub hook_patience: SignedDuration,
}

impl Default for RetryPolicy {
    fn default() -> RetryPolicy {
        RetryPolicy {
            delivery: Schedule::of_deliveries(),
            reconnect: vec![SignedDuration::from_secs(2), SignedDuration::from_secs(8)],
            faults: [10, 30, 120, 300].map(SignedDuration::from_secs).to_vec(),
            hooks: Schedule::of_hooks(),
            hook_hold: SignedDuration::from_mins(10),
            hook_patience: SignedDuration::from_hours(5 * 24),
        }
    }
}

impl RetryPolicy {
    /// When a refused connection is tried again, if that does not count as an attempt yet.
    pub fn reconnect(&self, tried: usize, now: Timestamp) -> Option<Timestamp> {
        let wait = *self.reconnect.get(tried)?;
        now.checked_add(wait).ok()
    }
}

impl Schedule {
    /// 5 min, 15 min, 1 h, 3 h, 6 h, 10 h, 14 h 40 min: 8 attempts over 35 hours.
    pub fn of_deliveries() -> Schedule {
        Schedule::of_minutes(&[5, 15, 60, 180, 360, 600, 880])
    }

    /// 5 s, 30 s, 2 min, 10 min, 30 min, 2 h, 5 h, 10 h, 10 h: 10 tries over nearly 28 hours. The
    /// first waits are short, since most failures of a webhook are a restart of its server.
    pub fn of_hooks() -> Schedule {
        let mut schedule = Schedule::of_minutes(&[2, 10, 30, 120, 300, 600, 600]);
        schedule.waits.insert(0, SignedDuration::from_secs(30));
        schedule.waits.insert(0, SignedDuration::from_secs(5));
        schedule
    }

    fn of_minutes(waits: &[i64]) -> Schedule {
        Schedule { waits: waits.iter().map(|m| SignedDuration::from_mins(*m)).collect() }
    }

    /// How many attempts are made in all.
    pub fn attempts(&self) -> u32 {
        u32::try_from(self.waits.len()).unwrap_or(u32::MAX).saturating_add(1)
    }

    /// How long it takes from the first attempt to the last, without jitter.
    pub fn span(&self) -> SignedDuration {
        self.waits.iter().fold(SignedDuration::ZERO, |sum, wait| sum.saturating_add(*wait))
    }

    /// The time of the attempt after `attempt` (from 1), or `None` if that was the last.
    ///
    /// `jitter` in `0..1` places it in the band of ±10 % around the wait. A `retry_after` of the
    /// far side that is longer than the wait replaces it, up to twelve hours; it is never shortened
    /// by jitter and never makes us come earlier than planned. It is whole microseconds away, as
    /// the store keeps times: what is told of it now is what is read of it later.
    pub fn next(
        &self,
        attempt: u32,
        now: Timestamp,
        jitter: f64,
        retry_after: Option<SignedDuration>,
    ) -> Option<Timestamp> {
        let index = usize::try_from(attempt.checked_sub(1)?).ok()?;
        let wait = *self.waits.get(index)?;
        let jitter = if jitter.is_finite() { jitter.clamp(0.0, 1.0) } else { 0.5 };
        let factor = 1.0 + JITTER * (2.0 * jitter - 1.0);
        let planned = SignedDuration::from_secs_f64(wait.as_secs_f64() * factor);
        let asked = retry_after.unwrap_or(SignedDuration::ZERO).min(RETRY_AFTER_LIMIT);
        let whole = i64::try_from(planned.as_micros()).unwrap_or(i64::MAX);
        let planned = SignedDuration::from_micros(whole);
        Some(now.saturating_add(planned.max(asked)).unwrap_or(Timestamp::MAX))
    }
}

#[cfg(test)]
mod tests;
