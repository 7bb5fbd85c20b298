//! The end of the time that a piece of work has.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Says when the time is over; clones say the same. Work that runs on a thread looks at it between
/// its steps.
#[derive(Debug, Clone)]
pub struct Deadline {
    at: Instant,
    passed: Arc<AtomicBool>,
}

impl Deadline {
    /// So long from now.
    pub fn after(time: Duration) -> Deadline {
        Deadline { at: Instant::now() + time, passed: Arc::default() }
    }

    /// Whether the time is over.
    pub fn passed(&self) -> bool {
        if !self.passed.load(Ordering::Relaxed) && Instant::now() >= self.at {
            self.passed.store(true, Ordering::Relaxed);
        }
        self.passed.load(Ordering::Relaxed)
    }
}
