//! Whether the clock is to be believed: what deletes something, or declares it missed, asks here.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jiff::{SignedDuration, Timestamp};
use quoin_delivery::clock::{ClockReading, FellBack, News, Watch};

use super::Clock;

/// The watch on the clock of one process. Cheap to clone.
#[derive(Debug, Clone)]
pub struct ClockWatch {
    clock: Clock,
    state: Arc<Mutex<WatchState>>,
}

#[derive(Debug)]
struct WatchState {
    watch: Watch,
    passed: SignedDuration,
    news: Vec<News>,
}

impl ClockWatch {
    /// A watch that begins now. `newest` is the newest time on record, where there is one.
    pub fn begin(clock: Clock, newest: Option<Timestamp>) -> ClockWatch {
        let (look, passed) = clock.look();
        let mut watch = Watch::new(look);
        let news = newest.and_then(|newest| watch.begin(newest, look)).into_iter().collect();
        let state = WatchState { watch, passed, news };
        ClockWatch { clock, state: Arc::new(Mutex::new(state)) }
    }

    fn look(&self) -> (MutexGuard<'_, WatchState>, ClockReading) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let (look, passed) = self.clock.look();
        let more = passed.saturating_sub(state.passed);
        state.passed = passed;
        state.watch.pass(more);
        let news = state.watch.look(look);
        state.news.extend(news);
        (state, look)
    }

    /// Now, if the clock is believed at this moment: something may be deleted, or declared missed,
    /// by this time.
    pub fn believed(&self) -> Option<Timestamp> {
        let (state, look) = self.look();
        state.watch.is_believed().then_some(look.wall)
    }

    /// What was found since this was asked last.
    pub(crate) fn take_news(&self) -> Vec<News> {
        std::mem::take(&mut self.look().0.news)
    }

    /// How it went back since this was asked last.
    pub(crate) fn take_falls(&self) -> Vec<FellBack> {
        self.look().0.watch.take_falls()
    }
}
