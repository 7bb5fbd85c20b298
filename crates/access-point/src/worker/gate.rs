//! Who may be called now: a destination that hangs must not keep the hands that call others, and
//! the hooks of one organisation not those of another. Each hook has a few calls in flight at a
//! time, each host a few of each organisation, and each organisation its share of all; hooks that
//! fail share a small number of hands of their own, in the same way. What waits for its turn is
//! bounded, and what is beyond that is put back for later.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use std::time::Duration;

use jiff::SignedDuration;
use quoin_store::HookCall;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::budget::{Budgets, HeldPlace, Places, Sizes, Whom};
use crate::net;

/// How long a call waits for a hand, and before that for a place at its host.
const PATIENCE: Duration = Duration::from_secs(30);
/// Calls that are in hand, waiting or called: the worker has so many hands in all.
const IN_HAND: Sizes =
    Sizes { total: super::CALLS, share: super::CALLS / 4, waiting: 0, waiting_of_one: 0 };
/// Calls of hooks that fail, in all and of one organisation.
const FAILING: Sizes = Sizes { total: 64, share: 16, waiting: 128, waiting_of_one: 32 };
/// Calls of one organisation at one host, of hooks whose last call succeeded.
const AT_HOST: Sizes = of_each(32, 128);
/// The same of hooks that fail.
const FAILING_AT_HOST: Sizes = of_each(8, 16);
/// Calls of one hook in flight at a time.
const OF_ONE: usize = 16;
/// Calls of one hook that may wait for one of these.
const WAITING: usize = 32;
/// When a call is looked at again that found too many before it.
pub(super) const LATER: SignedDuration = SignedDuration::from_secs(1);

/// Places of which each has so many, however many there are in all.
const fn of_each(share: usize, waiting_of_one: usize) -> Sizes {
    Sizes { total: usize::MAX, share, waiting: usize::MAX, waiting_of_one }
}

/// Both semaphores of one hook: those in flight, and those that may wait.
type Turns = (Arc<Semaphore>, Arc<Semaphore>);

/// Those of hooks that are being called, by organisation and hook.
type HookTurns = HashMap<String, (Weak<Semaphore>, Weak<Semaphore>)>;

/// Hands for calls: a place at a host for each organisation, and then one of its share of all.
struct Hands {
    /// By organisation and host.
    at_host: Places,
    /// By organisation.
    all: Places,
}

/// A hand for a call.
struct Hand {
    _hand: HeldPlace,
    _at_host: HeldPlace,
}

impl Hands {
    /// Waits for a hand; whoever has to wait at its host keeps no hand from another host.
    async fn enter(&self, organisation: &str, host: &str) -> Option<Hand> {
        let at_host = self.at_host.enter(&format!("{organisation} {host}"), PATIENCE).await.ok()?;
        let hand = self.all.enter(organisation, PATIENCE).await.ok()?;
        Some(Hand { _hand: hand, _at_host: at_host })
    }
}

/// Lets calls through.
pub struct Gate {
    /// What an organisation has in hand, waiting or called.
    in_hand: Places,
    /// Calls of hooks whose last call succeeded.
    well: Hands,
    /// Those of hooks that fail.
    failing: Hands,
    hooks: Mutex<HookTurns>,
}

impl Default for Gate {
    fn default() -> Gate {
        Gate::new(&Budgets::default())
    }
}

impl Gate {
    /// A gate with the places of a service.
    pub fn new(budgets: &Budgets) -> Gate {
        let tenants = |sizes| Places::new("hooks", Whom::Tenant, sizes);
        Gate {
            in_hand: tenants(IN_HAND),
            well: Hands { at_host: tenants(AT_HOST), all: budgets.hooks.clone() },
            failing: Hands { at_host: tenants(FAILING_AT_HOST), all: tenants(FAILING) },
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
    _in_hand: HeldPlace,
}

impl Gate {
    /// Waits for the turn of a call; `None` where too many wait already.
    pub async fn pass(&self, call: &HookCall) -> Option<CallPermit> {
        let hook = &call.hook;
        let whose = (hook.organisation.as_str(), hook.key.as_str());
        self.enter(whose, &net::host(&hook.action), hook.failing_since.is_some()).await
    }

    async fn enter(
        &self,
        (organisation, hook): (&str, &str),
        host: &str,
        is_failing: bool,
    ) -> Option<CallPermit> {
        let in_hand = self.in_hand.try_enter(organisation).ok()?;
        let turns = self.turns(&format!("{organisation} {hook}"));
        let turn = match turns.0.clone().try_acquire_owned() {
            Ok(turn) => turn,
            Err(_) => {
                let _waits = turns.1.clone().try_acquire_owned().ok()?;
                turns.0.clone().acquire_owned().await.ok()?
            }
        };
        let hands = if is_failing { &self.failing } else { &self.well };
        let hand = hands.enter(organisation, host).await?;
        Some(CallPermit { _turn: turn, _hand: hand, _turns: turns, _in_hand: in_hand })
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

#[cfg(test)]
mod tests;
