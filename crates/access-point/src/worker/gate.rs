//! Who may be called now: a destination that hangs must not keep the hands that call others. Each
//! hook has a few calls in flight at a time; hooks that fail share a small number of hands of their
//! own. What waits for its turn is bounded, and what is beyond that is put back for later.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use std::time::Duration;

use jiff::SignedDuration;
use quoin_store::HookCall;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::budget::{Budgets, HeldPlace, Places};
use crate::net;

/// How long a call waits for a hand.
const PATIENCE: Duration = Duration::from_secs(30);
/// The same of hooks that fail.
const FAILING: usize = 64;
/// Calls of one hook in flight at a time.
const OF_ONE: usize = 16;
/// Calls of one hook that may wait for one of these.
const WAITING: usize = 32;
/// Calls of failing hooks that may wait for a hand.
const FAILING_WAITING: usize = 128;
/// When a call is looked at again that found too many before it.
pub(super) const LATER: SignedDuration = SignedDuration::from_secs(1);

/// Both semaphores of one hook: those in flight, and those that may wait.
type Turns = (Arc<Semaphore>, Arc<Semaphore>);

/// Those of hooks that are being called, by organisation and hook.
type HookTurns = HashMap<String, (Weak<Semaphore>, Weak<Semaphore>)>;

/// Lets calls through.
pub struct Gate {
    /// Calls of hooks whose last call succeeded, by the host that is called.
    well: Places,
    failing: Arc<Semaphore>,
    failing_waiting: Arc<Semaphore>,
    hooks: Mutex<HookTurns>,
}

impl Default for Gate {
    fn default() -> Gate {
        Gate::new(&Budgets::default())
    }
}

/// A hand for a call, of either kind.
enum Hand {
    Well { _place: HeldPlace },
    Failing { _permit: OwnedSemaphorePermit },
}

impl Gate {
    /// A gate with the places of a service.
    pub fn new(budgets: &Budgets) -> Gate {
        Gate {
            well: budgets.hooks.clone(),
            failing: Arc::new(Semaphore::new(FAILING)),
            failing_waiting: Arc::new(Semaphore::new(FAILING_WAITING)),
            hooks: Mutex::default(),
        }
    }
}

/// The right to call, as long as it is held.
pub struct CallPermit {
    _turn: OwnedSemaphorePermit,
    _hand: Hand,
    // Keeps the hook's entry alive.
    _turns: Turns,
}

impl Gate {
    /// Waits for the turn of a call; `None` where too many wait already.
    pub async fn pass(&self, call: &HookCall) -> Option<CallPermit> {
        let turns = self.turns(&format!("{} {}", call.hook.organisation, call.hook.key));
        let turn = match turns.0.clone().try_acquire_owned() {
            Ok(turn) => turn,
            Err(_) => {
                let _waits = turns.1.clone().try_acquire_owned().ok()?;
                turns.0.clone().acquire_owned().await.ok()?
            }
        };
        let hand = if call.hook.failing_since.is_some() {
            let _waits = self.failing_waiting.clone().try_acquire_owned().ok()?;
            Hand::Failing { _permit: self.failing.clone().acquire_owned().await.ok()? }
        } else {
            let host = net::host(&call.hook.action);
            Hand::Well { _place: self.well.enter(&host, PATIENCE).await.ok()? }
        };
        Some(CallPermit { _turn: turn, _hand: hand, _turns: turns })
    }

    fn turns(&self, key: &str) -> Turns {
        let mut hooks = self.hooks.lock().unwrap_or_else(PoisonError::into_inner);
        let known = hooks.get(key).and_then(|(a, b)| Some((a.upgrade()?, b.upgrade()?)));
        if let Some(known) = known {
            return known;
        }
        hooks.retain(|_, (turns, _)| turns.strong_count() > 0);
        let turns = (Arc::new(Semaphore::new(OF_ONE)), Arc::new(Semaphore::new(WAITING)));
        let weak = (Arc::downgrade(&turns.0), Arc::downgrade(&turns.1));
        hooks.insert(key.to_owned(), weak);
        turns
    }
}
