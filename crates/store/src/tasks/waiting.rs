//! Waiting for tasks: until there is one to be claimed, or until one is handed over.

use jiff::{SignedDuration, Timestamp};
use quoin_delivery::{OrganisationId, TaskKind};

use crate::due::Wake;
use crate::handover::Handover;
use crate::open::Store;

impl Store {
    /// Lets whoever works on these kinds take tasks over as they are recorded, each for `lease`. It
    /// has room for none until it offers some.
    pub fn take_over(&self, kinds: &[TaskKind], lease: SignedDuration) -> Handover {
        self.offers().join(kinds, lease)
    }

    /// Before when no task of these kinds is due, as far as memory tells: for how long a worker may
    /// sleep that found nothing. `None` where there are none.
    pub fn sleeps_until(&self, kinds: &[TaskKind]) -> Option<Timestamp> {
        kinds.iter().filter_map(|kind| self.board().bound(*kind)).min()
    }

    /// Waits for the next commit that makes a task of these kinds due, or plans one. It counts from
    /// the call, not from the first poll: take it, then claim, and wait on it only if there was
    /// nothing.
    pub fn work_available(&self, kinds: &[TaskKind]) -> impl Future<Output = ()> + Send + 'static {
        self.board().wait(Wake::any(kinds))
    }

    /// The same for the next event of an organisation.
    pub fn event_recorded(
        &self,
        whose: &OrganisationId,
    ) -> impl Future<Output = ()> + Send + 'static {
        self.board().follow(whose)
    }
}
