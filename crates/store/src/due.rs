//! What is due, as far as memory tells: who waits for which kind of work is woken by a commit that
//! made such work, and nobody asks the database for work of a kind that has none.
//!
//! The times here are bounds: nothing of a kind is due before its bound. Whoever writes a task
//! lowers it, on the one writer, and who finds less than it asked for raises it to what is next.

use std::collections::HashMap;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use jiff::Timestamp;
use quoin_delivery::{OrganisationId, TaskKind};
use tokio::sync::{Notify, oneshot};

/// Not asked yet: something may be due.
const UNKNOWN: i64 = i64::MIN;
/// Nothing of the kind is there.
const NOTHING: i64 = i64::MAX;

/// Whom a commit wakes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Wake(u32);

impl Wake {
    /// Who works on a kind of tasks.
    pub(crate) fn work(kind: TaskKind) -> Wake {
        Wake(1 << place(kind))
    }

    /// Who works on any of these.
    pub(crate) fn any(kinds: &[TaskKind]) -> Wake {
        kinds.iter().fold(Wake::default(), |all, kind| all.and(Wake::work(*kind)))
    }

    /// Both.
    pub(crate) fn and(self, other: Wake) -> Wake {
        Wake(self.0 | other.0)
    }

    fn meets(self, other: Wake) -> bool {
        self.0 & other.0 != 0
    }
}

fn place(kind: TaskKind) -> usize {
    TaskKind::ALL.iter().position(|one| *one == kind).unwrap_or_default()
}

/// What somebody waits for, and the bell that tells.
type Waiter = (Wake, oneshot::Sender<()>);

/// Who waits, and when something is due. Clones share it.
#[derive(Clone)]
pub(crate) struct DueBoard {
    bounds: Arc<[AtomicI64]>,
    waiting: Arc<Mutex<Vec<Waiter>>>,
    /// The bells of those who follow the events of an organisation: no event rings more than that
    /// one, however many follow the events of others.
    followers: Arc<Mutex<HashMap<OrganisationId, Arc<Notify>>>>,
}

impl Default for DueBoard {
    fn default() -> DueBoard {
        DueBoard {
            bounds: TaskKind::ALL.iter().map(|_| AtomicI64::new(UNKNOWN)).collect(),
            waiting: Arc::default(),
            followers: Arc::default(),
        }
    }
}

impl DueBoard {
    /// Ends when a commit wakes one of these. It counts from this call, not from the first poll.
    pub(crate) fn wait(&self, what: Wake) -> impl Future<Output = ()> + Send + 'static {
        let (bell, rung) = oneshot::channel();
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.retain(|(_, bell)| !bell.is_closed());
        waiting.push((what, bell));
        async move {
            // Where the store is gone there is nothing to wait for either.
            let _ = rung.await;
        }
    }

    /// Wakes who waits for one of these.
    pub(crate) fn ring(&self, what: Wake) {
        if what == Wake::default() {
            return;
        }
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let all = std::mem::take(&mut *waiting).into_iter();
        let (rung, left): (Vec<Waiter>, Vec<Waiter>) =
            all.partition(|(wanted, _)| wanted.meets(what));
        *waiting = left;
        drop(waiting);
        for (_, bell) in rung {
            // Who does not wait any more needs no bell.
            let _ = bell.send(());
        }
    }

    /// Ends with the next event of an organisation. It counts from this call, too.
    pub(crate) fn follow(
        &self,
        whose: &OrganisationId,
    ) -> impl Future<Output = ()> + Send + 'static {
        let mut followers = self.followers.lock().unwrap_or_else(PoisonError::into_inner);
        followers.entry(whose.clone()).or_default().clone().notified_owned()
    }

    /// Wakes who follows the events of an organisation.
    pub(crate) fn tell(&self, whose: &OrganisationId) {
        let bell = self.followers.lock().unwrap_or_else(PoisonError::into_inner).remove(whose);
        if let Some(bell) = bell {
            bell.notify_waiters();
        }
    }

    /// Something of this kind is due at that time.
    pub(crate) fn lower(&self, kind: TaskKind, at: Timestamp) {
        if let Some(bound) = self.bounds.get(place(kind)) {
            bound.fetch_min(at.as_microsecond(), Ordering::AcqRel);
        }
    }

    /// Something of any kind may be due.
    pub(crate) fn forget(&self) {
        self.bounds.iter().for_each(|bound| bound.store(UNKNOWN, Ordering::Release));
    }

    /// The next of this kind is due at that time; `None` where there is none.
    pub(crate) fn know(&self, kind: TaskKind, next: Option<Timestamp>) {
        if let Some(bound) = self.bounds.get(place(kind)) {
            let next = next.map_or(NOTHING, Timestamp::as_microsecond);
            bound.store(next, Ordering::Release);
        }
    }

    /// Before when nothing of this kind is due; `None` where there is nothing.
    pub(crate) fn bound(&self, kind: TaskKind) -> Option<Timestamp> {
        match self.bounds.get(place(kind)).map_or(UNKNOWN, |bound| bound.load(Ordering::Acquire)) {
            NOTHING => None,
            micros => Some(Timestamp::from_microsecond(micros).unwrap_or(Timestamp::MIN)),
        }
    }

    /// Whether something of this kind may be due.
    pub(crate) fn may_be_due(&self, kind: TaskKind, now: Timestamp) -> bool {
        self.bound(kind).is_some_and(|bound| bound <= now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_bell_wakes_who_waits_for_it_and_nobody_else() {
        let board = DueBoard::default();
        let mine = board.wait(Wake::any(&[TaskKind::Deliver, TaskKind::Route]));
        let other = board.wait(Wake::work(TaskKind::Notify));
        board.ring(Wake::work(TaskKind::Route));
        mine.await;
        let short = std::time::Duration::from_millis(20);
        assert!(tokio::time::timeout(short, other).await.is_err());
        board.ring(Wake::default());
    }

    #[tokio::test]
    async fn an_event_wakes_those_who_follow_its_organisation_and_nobody_else() {
        let board = DueBoard::default();
        let (one, other) = ("one".parse().unwrap(), "other".parse().unwrap());
        let theirs = board.follow(&other);
        for _ in 0..2 {
            let many: Vec<_> = (0..2_000).map(|_| board.follow(&one)).collect();
            assert_eq!(board.followers.lock().unwrap().len(), 2, "a bell for all of them");
            board.tell(&one);
            for follower in many {
                follower.await;
            }
        }
        let short = std::time::Duration::from_millis(20);
        assert!(tokio::time::timeout(short, theirs).await.is_err());
        board.tell(&other);
        assert!(board.followers.lock().unwrap().is_empty(), "nobody is kept who is gone");
    }

    #[test]
    fn bounds_are_lowered_and_known() {
        let board = DueBoard::default();
        let at = |second| Timestamp::from_second(second).unwrap();
        assert!(board.may_be_due(TaskKind::Job, at(0)), "nobody asked yet");
        board.know(TaskKind::Job, None);
        assert!(!board.may_be_due(TaskKind::Job, Timestamp::MAX));
        board.lower(TaskKind::Job, at(50));
        board.lower(TaskKind::Job, at(70));
        assert_eq!(board.bound(TaskKind::Job), Some(at(50)));
        assert!(
            !board.may_be_due(TaskKind::Job, at(49)) && board.may_be_due(TaskKind::Job, at(50))
        );
        board.forget();
        assert!(board.may_be_due(TaskKind::Job, at(0)));
    }
}
