//! Tasks that are handed over in memory: where whoever works on a kind has said that it has room, a
//! task that is due at once is recorded as claimed already, and its claim is handed over once it is
//! committed. Nobody has to ask for it, and a crash leaves what any crash leaves: a lease.

use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use jiff::{SignedDuration, Timestamp};
use quoin_delivery::TaskKind;
use tokio::sync::mpsc;

use crate::claim::Claim;

/// What somebody offers to take.
pub(crate) struct TaskOffer {
    kinds: Vec<TaskKind>,
    lease: SignedDuration,
    room: AtomicUsize,
    /// What time it is for whoever takes, in microseconds, when it looked last.
    now: AtomicI64,
    claims: mpsc::UnboundedSender<Claim>,
}

/// A place for one claim, taken out of an offer. It goes back unless the claim is handed over.
pub(crate) struct OfferedPlace {
    offer: Arc<TaskOffer>,
    claim: Option<Claim>,
    is_handed: bool,
}

impl TaskOffer {
    fn time(&self) -> Timestamp {
        let micros = self.now.load(Ordering::Acquire);
        Timestamp::from_microsecond(micros).unwrap_or(Timestamp::MIN)
    }
}

impl OfferedPlace {
    /// What time it is for whoever takes it: that, or a little later.
    pub(crate) fn now(&self) -> Timestamp {
        self.offer.time()
    }

    /// Until when a claim lasts that is made at that time.
    pub(crate) fn lease_until(&self, now: Timestamp) -> Timestamp {
        now.saturating_add(self.offer.lease).unwrap_or(Timestamp::MAX)
    }

    /// Whether it is for a step of a document on its way out.
    pub(crate) fn is_of_a_document(&self) -> bool {
        self.claim.as_ref().is_some_and(|claim| claim.is_of_a_document())
    }

    /// The claim that is handed over.
    pub(crate) fn claim(&self) -> Option<&Claim> {
        self.claim.as_ref()
    }

    /// Fills it.
    pub(crate) fn fill(&mut self, claim: Claim) {
        self.claim = Some(claim);
    }

    /// Hands the claim over: what it says is committed.
    pub(crate) fn hand_over(mut self) {
        if let Some(claim) = self.claim.take() {
            // Who is gone lets the lease run out.
            let _ = self.offer.claims.send(claim);
            self.is_handed = true;
        }
    }
}

impl Drop for OfferedPlace {
    fn drop(&mut self) {
        if !self.is_handed {
            self.offer.room.fetch_add(1, Ordering::AcqRel);
        }
    }
}

/// Who offers to take what. Clones share it.
#[derive(Clone, Default)]
pub(crate) struct Offers(Arc<Mutex<Vec<Arc<TaskOffer>>>>);

impl Offers {
    /// Lets somebody take tasks of these kinds over, each for `lease`.
    pub(crate) fn join(&self, kinds: &[TaskKind], lease: SignedDuration) -> Handover {
        let (claims, handed) = mpsc::unbounded_channel();
        let (kinds, room) = (kinds.to_vec(), AtomicUsize::new(0));
        let now = AtomicI64::new(Timestamp::MIN.as_microsecond());
        let offer = Arc::new(TaskOffer { kinds, lease, room, now, claims });
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(offer.clone());
        Handover { offers: self.clone(), offer, claims: handed }
    }

    /// What time it is for whoever takes tasks of this kind.
    pub(crate) fn time_of(&self, kind: TaskKind) -> Option<Timestamp> {
        let offers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        offers.iter().find(|offer| offer.kinds.contains(&kind)).map(|offer| offer.time())
    }

    /// A place for a task of this kind, where there is one.
    pub(crate) fn place(&self, kind: TaskKind) -> Option<OfferedPlace> {
        let offers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let offer = offers.iter().find(|offer| offer.kinds.contains(&kind))?;
        let less = |room: usize| room.checked_sub(1);
        offer.room.fetch_update(Ordering::AcqRel, Ordering::Acquire, less).ok()?;
        Some(OfferedPlace { offer: offer.clone(), claim: None, is_handed: false })
    }
}

/// The side of who takes: says how much it has room for, and takes what is handed over.
pub struct Handover {
    offers: Offers,
    offer: Arc<TaskOffer>,
    claims: mpsc::UnboundedReceiver<Claim>,
}

impl Handover {
    /// Offers to take so many claims more, and says what time it is.
    pub fn offer(&self, more: usize, now: Timestamp) {
        self.offer.now.store(now.as_microsecond(), Ordering::Release);
        self.offer.room.fetch_add(more, Ordering::AcqRel);
    }

    /// Takes back up to so many of the places that were offered and are still free; answers how
    /// many these are. What was taken of the others is handed over.
    pub fn withdraw(&self, most: usize) -> usize {
        let mut taken = 0;
        let less = |room: usize| {
            taken = room.min(most);
            Some(room - taken)
        };
        // It answers something always.
        let _ = self.offer.room.fetch_update(Ordering::AcqRel, Ordering::Acquire, less);
        taken
    }

    /// The next claim that is handed over.
    pub async fn next(&mut self) -> Option<Claim> {
        self.claims.recv().await
    }

    /// The next one if it is there.
    pub fn take(&mut self) -> Option<Claim> {
        self.claims.try_recv().ok()
    }
}

impl Drop for Handover {
    fn drop(&mut self) {
        let mut offers = self.offers.0.lock().unwrap_or_else(PoisonError::into_inner);
        offers.retain(|offer| !Arc::ptr_eq(offer, &self.offer));
    }
}
