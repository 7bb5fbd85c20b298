//! Memory for what is under way: counted as bytes arrive, not as they are declared.
//!
//! Each message, upload and document in hand has a [`Holding`] of what it really needs: its bytes
//! as often as they lie in memory at once ([`WEIGHT`]). What arrives grows as it comes, and is
//! refused beyond its share or beyond what is left; what lies on the disk asks for all that it will
//! need before it is read, and waits in line ([`Holding::ask`]). The last part of the budget is for
//! small ones, so that large ones never keep a small one out; while a large one waits, small ones
//! have that part only, so that they never keep it out for ever either. Whoever holds much and
//! needs more comes before those that have not begun: nobody waits for somebody who waits behind
//! him. What was read keeps its holding as long as anybody has the bytes ([`Holding::keep`]).

mod inside;
mod line;

use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

use super::meter::{Meter, Whom};
use super::places::Full;
use line::WaitingHolder;

pub use line::LinePlace;

/// Bytes up to which a holding is small.
pub const SMALL: usize = 1 << 20;
/// Bytes of memory for each byte of a document that is looked at: its own, those of its tree with
/// the text that it refers to, and what is written of it. An invoice of 20 MB in 17,000 lines takes
/// nine at most, for a moment; one of the same size with an attachment seven.
pub const WEIGHT: usize = 8;
/// Bytes of memory for each byte of a document that was looked at and is sent: its envelope, and
/// that compressed and sealed.
pub const SENT_WEIGHT: usize = 3;
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
    /// Of it, by holdings that are not small.
    large: usize,
    /// Of it, by strangers.
    strangers: usize,
    /// Of that, by holdings that are not small.
    large_strangers: usize,
    those: HashMap<Arc<str>, OwnBytes>,
    /// Who waits, in order of arrival.
    waiting: VecDeque<WaitingHolder>,
}

/// What one holds.
#[derive(Debug, Clone, Copy, Default)]
struct OwnBytes {
    all: usize,
    /// Of it, by holdings that are not small.
    large: usize,
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
    /// Whether it is more than a small one, or was.
    large: bool,
}

/// So much more for somebody who has so much already.
struct WantedBytes<'a> {
    who: &'a Arc<str>,
    stranger: bool,
    share: usize,
    has: usize,
    large: bool,
    more: usize,
}

impl WantedBytes<'_> {
    /// Whether it would be a small one, for which nobody who waits for more has to wait.
    fn is_small(&self) -> bool {
        !self.large && self.has.saturating_add(self.more) <= SMALL
    }
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
        self.0.lock().used
    }

    /// How much there is.
    pub fn total(&self) -> usize {
        self.0.total
    }

    /// How many wait for theirs.
    pub fn waiting(&self) -> usize {
        self.0.lock().waiting.iter().filter(|one| !one.is_gone()).count()
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
        Holding { of: self.0.clone(), who: who.into(), stranger, share, bytes: 0, large: false }
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
        let mut state = shared.lock();
        if let Err(full) = shared.fits(&state, &self.wants(more)) {
            drop(state);
            shared.meter.refused(&self.who, full.share);
            return Err(full);
        }
        self.take(&mut state, more);
        Ok(())
    }

    /// Takes so much more, all at once: waits for it in its place of the line, unless too many wait
    /// already. Nobody is asked for more than five eighths of the budget, so that what is larger
    /// than all of it is done beside little else. A stranger does not wait: it would stand before
    /// those we know. Whoever has all that it needs waits for nobody.
    ///
    /// # Errors
    /// [`Full`] where it did not come in time; what was held stays held.
    pub async fn ask(&mut self, more: usize, place: LinePlace) -> Result<(), Full> {
        if self.stranger {
            return self.grow(more);
        }
        let more = more.min(self.of.most().saturating_sub(self.bytes));
        if more == 0 {
            return Ok(());
        }
        let wait = match self.of.clone().take_or_line_up(self, more, place) {
            Ok(None) => return Ok(()),
            Ok(Some(wait)) => wait,
            Err(full) => {
                self.of.meter.refused(&self.who, full.share);
                return Err(full);
            }
        };
        match wait.within(place.patience).await {
            Some(granted) => {
                self.absorb(granted);
                Ok(())
            }
            None => {
                self.of.meter.refused(&self.who, false);
                Err(Full { budget: self.of.name, share: false })
            }
        }
    }

    fn wants(&self, more: usize) -> WantedBytes<'_> {
        let Holding { ref who, stranger, share, bytes: has, large, .. } = *self;
        WantedBytes { who, stranger, share, has, large, more }
    }

    /// Notes that more is held.
    fn take(&mut self, state: &mut ByteBudgetState, more: usize) {
        if self.bytes == 0 {
            self.of.meter.granted();
        }
        let before = if self.large { self.bytes } else { 0 };
        self.bytes = self.bytes.saturating_add(more);
        self.large |= self.bytes > SMALL;
        let large = if self.large { self.bytes - before } else { 0 };
        state.add(&self.who, (more, large), self.stranger);
        self.of.meter.holds(state.used);
    }

    /// Takes over what another one of the same holder has.
    fn absorb(&mut self, mut other: Holding) {
        let more = std::mem::take(&mut other.bytes);
        let large = match (self.large, other.large) {
            (false, true) => self.bytes,
            (true, false) => more,
            _ => 0,
        };
        self.of.lock().add(&self.who, (0, large), self.stranger);
        self.large |= other.large;
        self.bytes += more;
    }

    /// Gives some back.
    pub fn shrink(&mut self, less: usize) {
        let less = less.min(self.bytes);
        self.bytes -= less;
        self.of.give_back(&self.who, less, (self.stranger, self.large));
    }

    /// Gives back what is more than so much.
    pub fn shrink_to(&mut self, bytes: usize) {
        self.shrink(self.bytes.saturating_sub(bytes));
    }

    /// Lets somebody else be the holder: who an address belongs to is known once its certificate
    /// was judged. Nothing is refused here; the share counts when it grows.
    pub fn hand_over(&mut self, who: &str) {
        let mut state = self.of.lock();
        state.give_back(&self.who, self.bytes, (self.stranger, self.large));
        (self.who, self.stranger) = (who.into(), false);
        self.share = self.of.total / SHARE;
        let large = if self.large { self.bytes } else { 0 };
        state.add(&self.who, (self.bytes, large), false);
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

impl ByteBudgetState {
    /// What strangers have in small holdings.
    fn small_strangers(&self) -> usize {
        self.strangers.saturating_sub(self.large_strangers)
    }

    fn add(&mut self, who: &Arc<str>, (bytes, large): (usize, usize), stranger: bool) {
        self.used += bytes;
        self.large += large;
        self.strangers += if stranger { bytes } else { 0 };
        self.large_strangers += if stranger { large } else { 0 };
        let own = self.those.entry(who.clone()).or_default();
        own.all += bytes;
        own.large += large;
    }

    fn give_back(&mut self, who: &Arc<str>, bytes: usize, (stranger, large): (bool, bool)) {
        self.used = self.used.saturating_sub(bytes);
        self.large = self.large.saturating_sub(if large { bytes } else { 0 });
        self.strangers = self.strangers.saturating_sub(if stranger { bytes } else { 0 });
        let large_one = if stranger && large { bytes } else { 0 };
        self.large_strangers = self.large_strangers.saturating_sub(large_one);
        let left = self.those.get_mut(who).map(|own| {
            own.all = own.all.saturating_sub(bytes);
            own.large = own.large.saturating_sub(if large { bytes } else { 0 });
            own.all
        });
        if left == Some(0) {
            self.those.remove(who);
        }
    }
}

impl SharedByteBudget {
    fn lock(&self) -> std::sync::MutexGuard<'_, ByteBudgetState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What large ones may have.
    fn room(&self) -> usize {
        self.total - self.total / RESERVE
    }

    /// What one large one is asked for at most: what is left where small ones have all of their
    /// part, and strangers of theirs.
    fn most(&self) -> usize {
        self.room() - self.total / STRANGERS
    }

    /// Whether there is room for what is wanted.
    fn fits(&self, state: &ByteBudgetState, of: &WantedBytes<'_>) -> Result<(), Full> {
        let is_small = of.is_small();
        let own = state.those.get(of.who).copied().unwrap_or_default();
        let share = match (of.stranger, is_small) {
            (true, _) => own.all.saturating_add(of.more) > of.share,
            // What is small is not kept out by a large one of the same holder.
            (false, true) => own.all.saturating_sub(own.large).saturating_add(of.more) > of.share,
            // What is larger than any share can only wait until there is room for it.
            (false, false) => {
                let has = if of.large { of.has } else { 0 };
                let is_beyond = own.large.saturating_add(of.more) > of.share;
                is_beyond && own.large > has && of.more <= of.share
            }
        };
        let strangers =
            of.stranger && state.strangers.saturating_add(of.more) > self.total / STRANGERS;
        let reserve = self.total - self.room();
        let small = state.used.saturating_sub(state.large);
        let most = match is_small {
            // Strangers have a part of their own, which takes nothing of this one.
            true if !of.stranger && state.is_waited_for() => {
                self.total.min(state.large + state.small_strangers() + reserve)
            }
            true => self.total,
            false => {
                // What it has as a small one is of the large part from now on.
                let others = small.saturating_sub(if of.large { 0 } else { of.has });
                (self.total - others.max(reserve).min(self.total)).saturating_add(others)
            }
        };
        if share || strangers || state.used.saturating_add(of.more) > most {
            return Err(Full { budget: self.name, share });
        }
        Ok(())
    }

    fn give_back(self: &Arc<Self>, who: &Arc<str>, bytes: usize, kind: (bool, bool)) {
        let mut state = self.lock();
        state.give_back(who, bytes, kind);
        let dead = self.serve(&mut state);
        self.meter.holds(state.used);
        drop(state);
        // They give back what they were granted, which takes the lock.
        drop(dead);
    }
}

impl Drop for Holding {
    fn drop(&mut self) {
        let bytes = std::mem::take(&mut self.bytes);
        if bytes > 0 {
            self.of.give_back(&self.who, bytes, (self.stranger, self.large));
        }
    }
}
