//! Counts of what changed, for memories outside the store: whoever keeps something that follows
//! from the records of a participant keeps the count beside it, and sees by it when it is out of
//! date. The counts move with the commit, so that no change can be missed; they begin anew with the
//! process.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// How many counts there are; participants share them, which only costs a needless refresh.
const COUNTS: usize = 1 << 14;

/// What changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Touched {
    /// The participants that share a count.
    Count(usize),
    /// All.
    All,
}

impl Touched {
    pub(crate) fn participant(participant: &str) -> Touched {
        Touched::Count(place(participant))
    }
}

fn place(participant: &str) -> usize {
    let mut hasher = DefaultHasher::new();
    participant.hash(&mut hasher);
    usize::try_from(hasher.finish() % COUNTS as u64).unwrap_or_default()
}

/// The counts. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Generations(Arc<[AtomicU64]>);

impl Default for Generations {
    fn default() -> Generations {
        Generations((0..COUNTS).map(|_| AtomicU64::new(0)).collect())
    }
}

impl Generations {
    /// The count of a participant.
    pub(crate) fn of(&self, participant: &str) -> u64 {
        self.0.get(place(participant)).map_or(0, |count| count.load(Ordering::Acquire))
    }

    /// Counts a change, after its commit.
    pub(crate) fn advance(&self, touched: Touched) {
        let count = |count: &AtomicU64| {
            count.fetch_add(1, Ordering::Release);
        };
        match touched {
            Touched::Count(at) => self.0.get(at).into_iter().for_each(count),
            Touched::All => self.0.iter().for_each(count),
        }
    }
}
