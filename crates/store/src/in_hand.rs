//! Tasks that this process has in hand. A lease is measured by the wall clock, which may jump: what
//! is still being done here is not handed out a second time, however the clock stands. A crash ends
//! the process and with it what is written here; leases that are left end at the next start.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jiff::Timestamp;

use crate::claim::Claim;

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

    /// Takes a task in hand.
    pub(crate) fn take(&self, claim: &Claim) -> TaskInHand {
        let token = claim.token.clone();
        let lease = LeaseInHand { token: token.clone(), until: claim.lease_until };
        self.all().insert(claim.task, lease);
        TaskInHand { all: self.clone(), task: claim.task, token }
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
