//! Answers that are kept for as long as nothing has changed from which they follow: whoever writes
//! that says so with its commit ([`crate::generations`]).

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// Answers that are kept at most.
const MOST: usize = 10_000;

/// Answers by key, each with the count that was seen before it was read.
pub(crate) struct Remembered<T>(Mutex<HashMap<String, (u64, T)>>);

impl<T> Default for Remembered<T> {
    fn default() -> Remembered<T> {
        Remembered(Mutex::default())
    }
}

impl<T: Clone> Remembered<T> {
    /// The answer, where it was read at this count.
    pub(crate) fn get(&self, key: &str, count: u64) -> Option<T> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.get(key).filter(|(seen, _)| *seen == count).map(|(_, answer)| answer.clone())
    }

    /// Keeps an answer that was read after this count was seen.
    pub(crate) fn keep(&self, key: String, count: u64, answer: T) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= MOST {
            kept.clear();
        }
        kept.insert(key, (count, answer));
    }
}
