//! Memory for what is under way: counted as bytes arrive, not as they are declared.
//!
//! Each message, upload and document in hand has a [`Holding`] that grows with it. Whoever would
//! get more than its share, or more than is left, is refused; the last part of the budget is for
//! small ones, so that large ones never keep a small one out. What was read keeps its holding as
//! long as anybody has the bytes ([`Holding::keep`]).

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

use super::meter::{Meter, Whom};
use super::places::Full;

/// Bytes up to which a holding is small.
pub const SMALL: usize = 256 << 10;
/// The part of the budget that small ones have to themselves: one in eight.
const RESERVE: usize = 8;
/// The part of the budget that one may have: one in two of an organisation, an access point or a
/// destination.
const SHARE: usize = 2;
/// The part that all strangers together may have, and one of them: they show who they are within
/// their first bytes.
const STRANGERS: usize = 4;
const STRANGER: usize = 16;

/// The budget; clones share it.
#[derive(Debug, Clone)]
pub struct Bytes(Arc<SharedByteBudget>);

#[derive(Debug)]
struct SharedByteBudget {
    name: &'static str,
    total: usize,
    meter: Arc<Meter>,
    state: Mutex<ByteBudgetState>,
}

#[derive(Debug, Default)]
struct ByteBudgetState {
    used: usize,
    /// Of it, by strangers.
    strangers: usize,
    those: HashMap<Arc<str>, usize>,
}

/// Bytes that are held until this is dropped.
#[derive(Debug)]
pub struct Holding {
    of: Arc<SharedByteBudget>,
    who: Arc<str>,
    stranger: bool,
    /// Bytes that its holder may have.
    share: usize,
    bytes: usize,
}

impl Default for Bytes {
    fn default() -> Bytes {
        super::Budgets::default().bytes
    }
}

impl Bytes {
    /// A budget of so many bytes.
    pub fn new(name: &'static str, total: usize) -> Bytes {
        let meter = Arc::new(Meter::new(name, Whom::Caller, total));
        Bytes(Arc::new(SharedByteBudget { name, total, meter, state: Mutex::default() }))
    }

    pub(crate) fn meter(&self) -> &Arc<Meter> {
        &self.0.meter
    }

    /// How much is held.
    pub fn used(&self) -> usize {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner).used
    }

    /// How much there is.
    pub fn total(&self) -> usize {
        self.0.total
    }

    /// A holding of nothing yet, of somebody we know: an organisation, an access point whose
    /// certificate was judged, a destination.
    pub fn enter(&self, who: &str) -> Holding {
        self.holding(who, false)
    }

    /// The same of a stranger, by its address. Whoever comes through a proxy on this machine has
    /// the address of the proxy, so that one has what all strangers together have.
    pub fn enter_stranger(&self, address: &str) -> Holding {
        let is_proxy = address.parse().is_ok_and(|address: IpAddr| address.is_loopback());
        let part = if is_proxy { STRANGERS } else { STRANGER };
        let mut holding = self.holding(address, true);
        holding.share = self.0.total / part;
        holding
    }

    fn holding(&self, who: &str, stranger: bool) -> Holding {
        self.0.meter.asked();
        let share = self.0.total / SHARE;
        Holding { of: self.0.clone(), who: who.into(), stranger, share, bytes: 0 }
    }
}

impl Holding {
    /// How much is held.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Takes more.
    ///
    /// # Errors
    /// [`Full`]; what was held stays held.
    pub fn grow(&mut self, more: usize) -> Result<(), Full> {
        let shared = self.of.clone();
        let mut state = shared.state.lock().unwrap_or_else(PoisonError::into_inner);
        let own = state.those.get(&self.who).copied().unwrap_or(0);
        let grown = self.bytes.saturating_add(more);
        let room = match grown <= SMALL {
            true => shared.total,
            false => shared.total - shared.total / RESERVE,
        };
        let share = match self.stranger {
            true => own.saturating_add(more) > self.share,
            // Somebody who holds nothing else may be larger than its share: there is no other way.
            false => own.saturating_add(more) > self.share && own > self.bytes,
        };
        let strangers =
            self.stranger && state.strangers.saturating_add(more) > shared.total / STRANGERS;
        if share || strangers || state.used.saturating_add(more) > room {
            drop(state);
            shared.meter.refused(&self.who, share);
            return Err(Full { budget: shared.name, share });
        }
        if self.bytes == 0 {
            shared.meter.granted();
        }
        state.used += more;
        state.strangers += if self.stranger { more } else { 0 };
        *state.those.entry(self.who.clone()).or_default() += more;
        shared.meter.holds(state.used);
        self.bytes = grown;
        Ok(())
    }

    /// Gives some back.
    pub fn shrink(&mut self, less: usize) {
        let less = less.min(self.bytes);
        self.bytes -= less;
        self.of.give_back(&self.who, less, self.stranger);
    }

    /// Lets somebody else be the holder: who an address belongs to is known once its certificate
    /// was judged. Nothing is refused here; the share counts when it grows.
    pub fn hand_over(&mut self, who: &str) {
        let bytes = std::mem::take(&mut self.bytes);
        self.of.give_back(&self.who, bytes, self.stranger);
        (self.who, self.stranger, self.bytes) = (who.into(), false, bytes);
        self.share = self.of.total / SHARE;
        let mut state = self.of.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.used += bytes;
        *state.those.entry(self.who.clone()).or_default() += bytes;
    }

    /// The bytes with their holding: it ends when nobody has them any more.
    pub fn keep(self, bytes: bytes::Bytes) -> bytes::Bytes {
        if bytes.is_empty() {
            return bytes;
        }
        bytes::Bytes::from_owner(HeldBytes { bytes, _holding: self })
    }
}

struct HeldBytes {
    bytes: bytes::Bytes,
    _holding: Holding,
}

impl AsRef<[u8]> for HeldBytes {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl SharedByteBudget {
    fn give_back(&self, who: &Arc<str>, bytes: usize, stranger: bool) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.used = state.used.saturating_sub(bytes);
        state.strangers -= if stranger { bytes } else { 0 };
        let left = state.those.get_mut(who).map(|own| {
            *own = own.saturating_sub(bytes);
            *own
        });
        if left == Some(0) {
            state.those.remove(who);
        }
        self.meter.holds(state.used);
    }
}

impl Drop for Holding {
    fn drop(&mut self) {
        let bytes = std::mem::take(&mut self.bytes);
        self.of.give_back(&self.who, bytes, self.stranger);
    }
}
