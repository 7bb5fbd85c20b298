//! Who waits for a place at a destination. Of one organisation only a few do so at a time, whatever
//! its backlog there, so that a document of another one finds room among those that wait, and has a
//! place after a few calls.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::budget::{HeldPlace, Places};

/// Documents of one organisation that wait for a place at one destination at a time.
const OF_ONE: usize = 8;
/// Of them, those that wait for longer: somebody who sends little has its place then, also where
/// calls take their time.
const FIRST: usize = 2;
/// How long a document waits for a place before it steps aside: many calls of a destination that
/// answers, and little of one that does not.
const TURN: Duration = Duration::from_millis(500);
/// The same of the first ones.
const LONG_TURN: Duration = Duration::from_secs(5);

/// How many wait, by destination and organisation.
#[derive(Debug, Default)]
pub struct DestinationQueue(Mutex<HashMap<(String, String), usize>>);

/// A document that waits, until this is dropped.
struct Waiting<'q> {
    queue: &'q DestinationQueue,
    key: (String, String),
    /// How many of its organisation waited before it.
    before: usize,
}

impl DestinationQueue {
    fn line_up(&self, host: &str, organisation: &str) -> Option<Waiting<'_>> {
        let key = (host.to_owned(), organisation.to_owned());
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let waits = all.entry(key.clone()).or_default();
        let before = *waits;
        if before >= OF_ONE {
            return None;
        }
        *waits += 1;
        Some(Waiting { queue: self, key, before })
    }

    /// Waits for a place at a destination, in turn and for a moment; none where too many documents
    /// of the organisation wait there already, or where the time is over.
    pub(crate) async fn enter(
        &self,
        calls: &Places,
        host: &str,
        organisation: &str,
    ) -> Option<HeldPlace> {
        let waiting = self.line_up(host, organisation)?;
        let patience = if waiting.before < FIRST { LONG_TURN } else { TURN };
        calls.enter(host, patience).await.ok()
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        let mut all = self.queue.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(waits) = all.get_mut(&self.key) {
            *waits = waits.saturating_sub(1);
            if *waits == 0 {
                all.remove(&self.key);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_of_each_wait_at_a_destination() {
        let queue = DestinationQueue::default();
        let mut waiting: Vec<_> = (0..OF_ONE).map(|_| queue.line_up("a", "many")).collect();
        assert!(waiting.iter().all(Option::is_some));
        assert!(queue.line_up("a", "many").is_none());
        let other = queue.line_up("a", "few");
        assert_eq!(other.as_ref().map(|one| one.before), Some(0), "another has its own");
        assert!(queue.line_up("b", "many").is_some(), "and so has another destination");
        waiting.pop();
        assert!(queue.line_up("a", "many").is_some());
        drop((waiting, other));
        assert!(queue.0.lock().unwrap().is_empty(), "nothing is kept of who waits no more");
    }
}
