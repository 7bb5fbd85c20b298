//! How fast steps of documents on their way out are taken, over the last seconds, and how many
//! wait.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Seconds that are looked back.
const WINDOW: u64 = 15;

/// How long what was counted of a long lane is told again.
const FRESH: Duration = Duration::from_secs(1);
/// From how many on a lane is long.
const LONG: u64 = 200;
/// Lanes that are remembered.
const LANES: usize = 1_000;

/// How many came before a task, and when that was counted.
struct CountedAhead {
    on: Instant,
    task: i64,
    ahead: u64,
}

/// Counts what is taken by the second.
pub(crate) struct Pace {
    start: Instant,
    seconds: Mutex<VecDeque<(u64, u64)>>,
    /// How many came before a task, by its lane.
    long: Mutex<HashMap<String, CountedAhead>>,
}

impl Default for Pace {
    fn default() -> Pace {
        Pace { start: Instant::now(), seconds: Mutex::default(), long: Mutex::default() }
    }
}

impl Pace {
    /// So many were taken now.
    pub(crate) fn took(&self, count: usize) {
        self.took_at(self.start.elapsed().as_secs(), count);
    }

    /// How many come before a task of a long lane at least, where that was counted a moment ago for
    /// it or one before it: nobody counts thousands for each upload.
    pub(crate) fn known_ahead(&self, lane: &str, task: i64) -> Option<u64> {
        let long = self.long.lock().unwrap_or_else(PoisonError::into_inner);
        let known = long.get(lane)?;
        (known.on.elapsed() < FRESH && known.task <= task).then_some(known.ahead)
    }

    /// What was counted of a lane.
    pub(crate) fn counted_ahead(&self, lane: String, task: i64, ahead: u64) {
        if ahead < LONG {
            return;
        }
        let mut long = self.long.lock().unwrap_or_else(PoisonError::into_inner);
        if long.len() >= LANES {
            long.clear();
        }
        long.insert(lane, CountedAhead { on: Instant::now(), task, ahead });
    }

    /// How many are taken in a second; none where nothing was.
    pub(crate) fn per_second(&self) -> Option<f64> {
        self.per_second_at(self.start.elapsed().as_secs())
    }

    fn took_at(&self, now: u64, count: usize) {
        let count = u64::try_from(count).unwrap_or(u64::MAX);
        let mut seconds = self.seconds.lock().unwrap_or_else(PoisonError::into_inner);
        match seconds.back_mut().filter(|(second, _)| *second == now) {
            Some((_, taken)) => *taken = taken.saturating_add(count),
            None => seconds.push_back((now, count)),
        }
        while seconds.front().is_some_and(|(second, _)| *second + WINDOW < now) {
            seconds.pop_front();
        }
    }

    fn per_second_at(&self, now: u64) -> Option<f64> {
        let seconds = self.seconds.lock().unwrap_or_else(PoisonError::into_inner);
        let lately = seconds.iter().filter(|(second, _)| *second + WINDOW >= now);
        let (first, taken) = lately.fold((None, 0_u64), |(first, taken), (second, count)| {
            (first.or(Some(*second)), taken.saturating_add(*count))
        });
        let span = u32::try_from(now.saturating_sub(first?) + 1).unwrap_or(u32::MAX);
        let taken = u32::try_from(taken).unwrap_or(u32::MAX);
        (taken > 0).then(|| f64::from(taken) / f64::from(span))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pace_is_that_of_the_last_seconds() {
        let pace = Pace::default();
        assert_eq!(pace.per_second_at(0), None);
        pace.took_at(100, 30);
        pace.took_at(100, 10);
        assert_eq!(pace.per_second_at(100), Some(40.0));
        pace.took_at(103, 40);
        assert_eq!(pace.per_second_at(103), Some(20.0));
        assert_eq!(pace.per_second_at(200), None, "what is long ago tells nothing");
    }
}
