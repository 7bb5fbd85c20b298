//! Places of which a few exist at a time: in all, and for each of those who ask. Whoever finds none
//! waits, and those who wait get theirs in turn by who they are, so that a thousand requests of one
//! wait behind each other and not before the one request of another.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;

use super::meter::{Meter, Whom};

/// How many places there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sizes {
    /// In all.
    pub total: usize,
    /// For one.
    pub share: usize,
    /// That may wait for one, in all.
    pub waiting: usize,
    /// Of one.
    pub waiting_of_one: usize,
}

impl Sizes {
    /// What one organisation may have of the share of one destination: seven of eight, and never
    /// all, so that another one has a place there while calls of the first one hang.
    pub const fn of_one_there(self) -> usize {
        let left = if self.share < 8 { 1 } else { self.share / 8 };
        self.share.saturating_sub(left)
    }
}

/// Nothing is free, and nothing became free in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{} has no place left{}", .budget, if *.share { " for this caller" } else { "" })]
pub struct Full {
    /// The budget.
    pub budget: &'static str,
    /// Whether it is the asker's own share that is used up.
    pub share: bool,
}

/// Places; clones share them.
#[derive(Debug, Clone)]
pub struct Places(Arc<SharedPlaces>);

#[derive(Debug)]
struct SharedPlaces {
    name: &'static str,
    sizes: Sizes,
    meter: Arc<Meter>,
    state: Mutex<PlacesState>,
}

#[derive(Debug, Default)]
struct PlacesState {
    used: usize,
    waiting: usize,
    those: HashMap<Arc<str>, One>,
    /// Who waits, in turn.
    turn: VecDeque<Arc<str>>,
}

/// One of those who ask.
#[derive(Debug, Default)]
struct One {
    used: usize,
    waits: VecDeque<oneshot::Sender<HeldPlace>>,
}

/// A place that is held until this is dropped.
#[derive(Debug)]
pub struct HeldPlace {
    who: Arc<str>,
    of: Option<Arc<SharedPlaces>>,
}

impl Places {
    /// Places of a budget.
    pub fn new(name: &'static str, whom: Whom, sizes: Sizes) -> Places {
        let meter = Arc::new(Meter::new(name, whom, sizes.total));
        Places(Arc::new(SharedPlaces { name, sizes, meter, state: Mutex::default() }))
    }

    pub(crate) fn meter(&self) -> &Arc<Meter> {
        &self.0.meter
    }

    /// How many there are.
    pub fn sizes(&self) -> Sizes {
        self.0.sizes
    }

    /// How many wait for one.
    pub fn waiting(&self) -> usize {
        self.0.lock().waiting
    }

    /// How many are held.
    pub fn used(&self) -> usize {
        self.0.lock().used
    }

    /// A place, if one is free right now.
    ///
    /// # Errors
    /// [`Full`].
    pub fn try_enter(&self, who: &str) -> Result<HeldPlace, Full> {
        self.0.meter.asked();
        self.0.take(who).inspect_err(|full| self.0.meter.refused(who, full.share))
    }

    /// Waits for a place in turn, for so long at most.
    ///
    /// # Errors
    /// [`Full`] at once where too many wait already; else when the time is over.
    pub async fn enter(&self, who: &str, patience: Duration) -> Result<HeldPlace, Full> {
        self.0.meter.asked();
        let wait = match self.0.take_or_wait(who) {
            Ok(Ok(place)) => return Ok(place),
            Ok(Err(wait)) => wait,
            Err(full) => {
                self.0.meter.refused(who, full.share);
                return Err(full);
            }
        };
        let _in_line = InLine { who, of: &self.0 };
        match tokio::time::timeout(patience, wait).await {
            Ok(Ok(place)) => Ok(place),
            _ => {
                let share = self.0.is_at_share(who);
                self.0.meter.refused(who, share);
                Err(Full { budget: self.0.name, share })
            }
        }
    }
}

/// Somebody who waits, and may give up at any time.
struct InLine<'a> {
    who: &'a str,
    of: &'a SharedPlaces,
}

impl Drop for InLine<'_> {
    fn drop(&mut self) {
        self.of.gave_up(self.who);
    }
}

impl SharedPlaces {
    fn lock(&self) -> MutexGuard<'_, PlacesState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_at_share(&self, who: &str) -> bool {
        self.lock().those.get(who).is_some_and(|one| one.used >= self.sizes.share)
    }

    /// A place that is free; whoever waits is before us, unless only its own share keeps it
    /// waiting.
    fn take(self: &Arc<Self>, who: &str) -> Result<HeldPlace, Full> {
        self.take_of(&mut self.lock(), who)
    }

    fn take_of(self: &Arc<Self>, state: &mut PlacesState, who: &str) -> Result<HeldPlace, Full> {
        let used = state.those.get(who).map_or(0, |one| one.used);
        let share = used >= self.sizes.share;
        if share || state.used >= self.sizes.total {
            return Err(Full { budget: self.name, share });
        }
        Ok(self.grant(state, who.into()))
    }

    fn grant(self: &Arc<Self>, state: &mut PlacesState, who: Arc<str>) -> HeldPlace {
        state.used += 1;
        state.those.entry(who.clone()).or_default().used += 1;
        self.meter.granted();
        self.meter.holds(state.used);
        HeldPlace { who, of: Some(self.clone()) }
    }

    fn take_or_wait(
        self: &Arc<Self>,
        who: &str,
    ) -> Result<Result<HeldPlace, oneshot::Receiver<HeldPlace>>, Full> {
        // Looked at and lined up under one lock: what is given back in between finds who waits.
        let mut state = self.lock();
        let full = match self.take_of(&mut state, who) {
            Ok(place) => return Ok(Ok(place)),
            Err(full) => full,
        };
        let waits = state.those.get(who).map_or(0, |one| one.waits.len());
        if waits >= self.sizes.waiting_of_one || state.waiting >= self.sizes.waiting {
            let share = full.share || waits >= self.sizes.waiting_of_one;
            return Err(Full { share, ..full });
        }
        let (send, wait) = oneshot::channel();
        state.waiting += 1;
        let who: Arc<str> = who.into();
        let one = state.those.entry(who.clone()).or_default();
        let is_first = one.waits.is_empty();
        one.waits.push_back(send);
        if is_first && !state.turn.contains(&who) {
            state.turn.push_back(who);
        }
        Ok(Err(wait))
    }

    /// Forgets those of one who no longer wait: nobody is kept out for their sake.
    fn gave_up(&self, who: &str) {
        let mut state = self.lock();
        let Some(one) = state.those.get_mut(who) else { return };
        let before = one.waits.len();
        one.waits.retain(|wait| !wait.is_closed());
        let gone = before - one.waits.len();
        state.waiting -= gone;
        state.forget(who);
    }

    /// Gives a place back, and on to whoever's turn it is.
    fn leave(self: &Arc<Self>, who: &Arc<str>) {
        let mut state = self.lock();
        state.used -= 1;
        if let Some(one) = state.those.get_mut(who) {
            one.used -= 1;
        }
        state.forget(who);
        self.meter.holds(state.used);
        let mut dead = Vec::new();
        for _ in 0..state.turn.len() {
            if state.used >= self.sizes.total {
                break;
            }
            let Some(next) = state.turn.pop_front() else { break };
            let Some(one) = state.those.get_mut(&next) else { continue };
            if one.used >= self.sizes.share {
                state.turn.push_back(next);
                continue;
            }
            let wait = one.waits.pop_front();
            let more = !one.waits.is_empty();
            state.waiting -= usize::from(wait.is_some());
            if more {
                state.turn.push_back(next.clone());
            }
            let Some(wait) = wait else {
                state.forget(&next);
                continue;
            };
            let place = self.grant(&mut state, next);
            if let Err(place) = wait.send(place) {
                // It gives up at this moment: the place goes on to the next one.
                dead.push(place);
            }
        }
        drop(state);
        drop(dead);
    }
}

impl PlacesState {
    /// Keeps nothing about somebody who neither holds nor waits.
    fn forget(&mut self, who: &str) {
        if self.those.get(who).is_some_and(|one| one.used == 0 && one.waits.is_empty()) {
            self.those.remove(who);
        }
    }
}

impl Drop for HeldPlace {
    fn drop(&mut self) {
        if let Some(shared) = self.of.take() {
            shared.leave(&self.who);
        }
    }
}
