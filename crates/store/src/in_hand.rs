//! Tasks that this process has in hand. A lease is measured by the wall clock, which may jump: what
//! is still being done here is not handed out a second time, however the clock stands. A crash ends
//! the process and with it what is written here; leases that are left end at the next start.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jiff::Timestamp;

use crate::claims::Claim;
use crate::error::Fault;
use crate::open::Store;
use crate::writer::Tx;

/// A later end of a lease that was made longer meanwhile stays.
const GO_ON: &str = "UPDATE tasks SET available_on = max(available_on, ?3)
    WHERE id = ?1 AND claim_token = ?2";

/// Tasks in hand, with their claims and until when these last at least. Clones share it.
#[derive(Clone, Default)]
pub(crate) struct TasksInHand(Arc<Mutex<HashMap<i64, LeaseInHand>>>);

struct LeaseInHand {
    token: String,
    until: Timestamp,
}

impl TasksInHand {
    fn all(&self) -> MutexGuard<'_, HashMap<i64, LeaseInHand>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tasks and tokens of those whose lease ends by `now`: they last until `until` from now on.
    pub(crate) fn ending(&self, now: Timestamp, until: Timestamp) -> Vec<(i64, String)> {
        let mut ending = Vec::new();
        for (task, lease) in self.all().iter_mut().filter(|(_, lease)| lease.until <= now) {
            lease.until = until;
            ending.push((*task, lease.token.clone()));
        }
        ending
    }

    /// No lease lasts longer than that: the clock by which they were given was ahead.
    pub(crate) fn end_by(&self, until: Timestamp) {
        self.all().values_mut().for_each(|lease| lease.until = lease.until.min(until));
    }
}

/// Writes down that leases go on.
pub(crate) fn go_on(
    tx: &mut Tx<'_>,
    leases: &[(i64, String)],
    until: Timestamp,
) -> Result<(), Fault> {
    for (task, token) in leases {
        tx.execute(GO_ON, &[(*task).into(), token.into(), until.into()])?;
    }
    Ok(())
}

/// A task is in hand for as long as this is there.
pub struct TaskInHand {
    all: TasksInHand,
    task: i64,
    token: String,
}

impl Drop for TaskInHand {
    fn drop(&mut self) {
        let mut all = self.all.all();
        if all.get(&self.task).is_some_and(|lease| lease.token == self.token) {
            all.remove(&self.task);
        }
    }
}

impl Store {
    /// Takes a task in hand: as long as the answer lives, nobody else of this process claims it,
    /// also where the clock says that its lease has ended.
    pub fn in_hand(&self, claim: &Claim) -> TaskInHand {
        let (all, token) = (self.tasks_in_hand().clone(), claim.token.clone());
        let lease = LeaseInHand { token: token.clone(), until: claim.lease_until };
        all.all().insert(claim.task, lease);
        TaskInHand { all, task: claim.task, token }
    }
}
