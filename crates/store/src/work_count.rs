//! What the store does, counted: statements, those that the engine prepared again, its steps,
//! commits and pages of the log. A count needs no clock, so that a test can hold it and monitoring
//! can show it.

use std::sync::atomic::{AtomicU64, Ordering};

/// What was done since the store was opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StoreWork {
    /// Statements that were run.
    pub statements: u64,
    /// Of them, those that had to be prepared for it.
    pub prepared: u64,
    /// How often the engine prepared a statement again that it had prepared before.
    pub prepared_again: u64,
    /// Steps of the engine's machine: they grow with the rows that a statement looks at.
    pub steps: u64,
    /// Commits, each of them one flush of the log.
    pub commits: u64,
    /// Pages that were written to the log.
    pub pages: u64,
}

impl StoreWork {
    /// What was done since an earlier reading.
    pub fn since(&self, earlier: &StoreWork) -> StoreWork {
        StoreWork {
            statements: self.statements.saturating_sub(earlier.statements),
            prepared: self.prepared.saturating_sub(earlier.prepared),
            prepared_again: self.prepared_again.saturating_sub(earlier.prepared_again),
            steps: self.steps.saturating_sub(earlier.steps),
            commits: self.commits.saturating_sub(earlier.commits),
            pages: self.pages.saturating_sub(earlier.pages),
        }
    }
}

/// Where connections count.
#[derive(Debug, Default)]
pub(crate) struct WorkCounter {
    statements: AtomicU64,
    prepared: AtomicU64,
    prepared_again: AtomicU64,
    steps: AtomicU64,
    commits: AtomicU64,
    pages: AtomicU64,
}

impl WorkCounter {
    /// A statement ran: whether it was new, how often it was prepared again, its steps.
    pub(crate) fn ran(&self, is_new: bool, again: i32, steps: i32) {
        let whole = |number: i32| u64::try_from(number).unwrap_or(0);
        self.statements.fetch_add(1, Ordering::Relaxed);
        self.prepared.fetch_add(u64::from(is_new), Ordering::Relaxed);
        self.prepared_again.fetch_add(whole(again), Ordering::Relaxed);
        self.steps.fetch_add(whole(steps), Ordering::Relaxed);
    }

    /// Something was committed.
    pub(crate) fn committed(&self) {
        self.commits.fetch_add(1, Ordering::Relaxed);
    }

    /// The log has become longer by so many pages.
    pub(crate) fn logged(&self, pages: u32) {
        self.pages.fetch_add(u64::from(pages), Ordering::Relaxed);
    }

    pub(crate) fn read(&self) -> StoreWork {
        StoreWork {
            statements: self.statements.load(Ordering::Relaxed),
            prepared: self.prepared.load(Ordering::Relaxed),
            prepared_again: self.prepared_again.load(Ordering::Relaxed),
            steps: self.steps.load(Ordering::Relaxed),
            commits: self.commits.load(Ordering::Relaxed),
            pages: self.pages.load(Ordering::Relaxed),
        }
    }
}
