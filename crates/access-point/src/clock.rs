//! The one place where the service asks for the time, so that a laboratory can move it.

mod watch;

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use jiff::{SignedDuration, Timestamp};
use quoin_delivery::clock::{ClockReading, whole};

pub use watch::ClockWatch;

/// The time: the system's, plus what a laboratory has moved it by. Clones move together.
#[derive(Debug, Clone, Default)]
pub struct Clock {
    /// Time that a laboratory let pass: on the wall clock and on the monotonic one.
    passed_ms: Arc<AtomicI64>,
    /// How far a laboratory has the wall clock wrong.
    wrong_ms: Arc<AtomicI64>,
}

impl Clock {
    /// Now.
    pub fn now(&self) -> Timestamp {
        self.look().0.wall
    }

    /// Both clocks at one moment, and how much of it a laboratory let pass.
    pub(crate) fn look(&self) -> (ClockReading, SignedDuration) {
        static BEGAN: OnceLock<Instant> = OnceLock::new();
        let passed = SignedDuration::from_millis(self.passed_ms.load(Ordering::Acquire));
        let wrong = SignedDuration::from_millis(self.wrong_ms.load(Ordering::Acquire));
        let wall = whole(Timestamp::now()).saturating_add(passed.saturating_add(wrong));
        let ran = BEGAN.get_or_init(Instant::now).elapsed();
        let up = SignedDuration::try_from(ran).unwrap_or(SignedDuration::MAX);
        let look =
            ClockReading { wall: wall.unwrap_or(Timestamp::MAX), up: up.saturating_add(passed) };
        (look, passed)
    }

    /// Lets time pass for all clones.
    pub fn advance(&self, by: SignedDuration) {
        self.passed_ms.fetch_add(millis(by), Ordering::AcqRel);
    }

    /// Sets the wall clock wrong for all clones: no time passes, it only shows another one.
    pub fn jump(&self, by: SignedDuration) {
        self.wrong_ms.fetch_add(millis(by), Ordering::AcqRel);
    }
}

fn millis(by: SignedDuration) -> i64 {
    i64::try_from(by.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_has_whole_microseconds() {
        let clock = Clock::default();
        for _ in 0..1_000 {
            assert_eq!(clock.now().as_nanosecond() % 1_000, 0);
        }
    }
}
