//! The one place where the service asks for the time, so that a laboratory can move it.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use jiff::{SignedDuration, Timestamp};

/// The time: the system's, plus what a laboratory has moved it by. Clones move together.
#[derive(Debug, Clone, Default)]
pub struct Clock {
    moved_ms: Arc<AtomicI64>,
}

impl Clock {
    /// Now.
    pub fn now(&self) -> Timestamp {
        let moved = SignedDuration::from_millis(self.moved_ms.load(Ordering::Relaxed));
        Timestamp::now().saturating_add(moved).unwrap_or(Timestamp::MAX)
    }

    /// Moves the time on (or back) for all clones.
    pub fn advance(&self, by: SignedDuration) {
        let by = i64::try_from(by.as_millis()).unwrap_or(i64::MAX);
        self.moved_ms.fetch_add(by, Ordering::Relaxed);
    }
}
