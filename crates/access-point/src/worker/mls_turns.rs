//! Statuses about one document count in the order in which they came, though several are looked at
//! at a time: the first one settles what became of it, and a short one is read sooner than a long
//! one. One that overtook its document waits, and those behind it wait for it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use jiff::{SignedDuration, Timestamp};
use quoin_delivery::{OrganisationId, TransactionId};
use tokio::sync::Notify;

/// Which came first: by the time of their recording, and by their ids where that is the same.
type CameAs = (Timestamp, TransactionId);

/// What is known of a status that is looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
enum KnownSubject {
    /// It is not read yet: it may be about any document of this organisation.
    Any(OrganisationId),
    /// It is about this one.
    This(TransactionId),
    /// It is about this one, which it overtook: it is looked at again.
    Waits(TransactionId),
}

/// How long one that waits is waited for at most: then it is decided, or gone.
const WAITED_FOR: SignedDuration = SignedDuration::from_mins(11);

/// The statuses that are looked at now, and those that are to be looked at again.
#[derive(Debug, Default)]
pub struct StatusTurns {
    all: Mutex<BTreeMap<CameAs, KnownSubject>>,
    changed: Notify,
}

/// The place of one of them, until it is done.
pub(super) struct StatusTurn {
    turns: Arc<StatusTurns>,
    key: CameAs,
    owner: OrganisationId,
    stays: bool,
}

impl StatusTurns {
    /// A status that came then for an organisation is looked at.
    pub(super) fn enter(
        self: &Arc<Self>,
        owner: &OrganisationId,
        (came_on, id): (Timestamp, &TransactionId),
    ) -> StatusTurn {
        let key = (came_on, id.clone());
        self.with(|all| all.insert(key.clone(), KnownSubject::Any(owner.clone())));
        StatusTurn { turns: self.clone(), key, owner: owner.clone(), stays: false }
    }

    fn with<T>(&self, work: impl FnOnce(&mut BTreeMap<CameAs, KnownSubject>) -> T) -> T {
        work(&mut self.all.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl StatusTurn {
    /// It is about this document: waits until those that came before it are done, as far as they
    /// are about the same. Nobody waits for a later one, so that the waiting ends. Answers whether
    /// it is its turn: where one of them is to be looked at again, it is not.
    pub(super) async fn of(&self, subject: &TransactionId, now: Timestamp) -> bool {
        let about = KnownSubject::This(subject.clone());
        self.turns.with(|all| all.insert(self.key.clone(), about.clone()));
        self.turns.changed.notify_waiters();
        let any = KnownSubject::Any(self.owner.clone());
        let waits = KnownSubject::Waits(subject.clone());
        let forgotten = now.saturating_sub(WAITED_FOR).unwrap_or(Timestamp::MIN);
        loop {
            let changed = self.turns.changed.notified();
            let (is_behind, is_too_early) = self.turns.with(|all| {
                // What its party deleted is not looked at again.
                all.retain(|(came_on, _), own| {
                    *came_on > forgotten || !matches!(own, KnownSubject::Waits(_))
                });
                let before = || all.range(..&self.key).map(|(_, other)| other);
                let is_behind = before().any(|other| *other == about || *other == any);
                (is_behind, before().any(|other| *other == waits))
            });
            if !is_behind {
                return !is_too_early;
            }
            changed.await;
        }
    }

    /// It is about this document and is looked at again: those about the same that came later do
    /// not settle before it.
    pub(super) fn waits(mut self, subject: TransactionId) {
        self.turns.with(|all| all.insert(self.key.clone(), KnownSubject::Waits(subject)));
        self.stays = true;
    }
}

impl Drop for StatusTurn {
    fn drop(&mut self) {
        if !self.stays {
            self.turns.with(|all| all.remove(&self.key));
        }
        self.turns.changed.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::timeout;

    use super::*;

    fn id(number: u8) -> TransactionId {
        format!("0192f0c1-2b3c-7d4e-8f90-a1b2c3d4e5{number:02x}").parse().unwrap()
    }

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    async fn waits(turn: &StatusTurn, subject: u8) -> bool {
        timeout(Duration::from_millis(20), turn.of(&id(subject), at(9))).await.is_err()
    }

    #[tokio::test]
    async fn the_first_that_came_goes_first() {
        let turns = Arc::new(StatusTurns::default());
        let [acme, other]: [OrganisationId; 2] = ["acme", "other"].map(|one| one.parse().unwrap());
        let first = turns.enter(&acme, (at(1), &id(1)));
        let second = turns.enter(&acme, (at(2), &id(2)));
        let stranger = turns.enter(&other, (at(3), &id(3)));
        // What the first one is about is not known yet; another organisation does not care.
        assert!(waits(&second, 9).await);
        assert!(!waits(&stranger, 8).await);
        assert!(!waits(&first, 9).await);
        assert!(waits(&second, 9).await, "it is about the same");
        let third = turns.enter(&acme, (at(4), &id(4)));
        assert!(!waits(&third, 7).await, "nothing before it is about this one");
        drop(first);
        let done = timeout(Duration::from_secs(5), second.of(&id(9), at(9))).await;
        assert_eq!(done, Ok(true));
    }

    /// One that overtook its document is decided before those that came after it.
    #[tokio::test]
    async fn one_that_waits_keeps_its_place() {
        let turns = Arc::new(StatusTurns::default());
        let acme: OrganisationId = "acme".parse().unwrap();
        let enter = |number: u8| turns.enter(&acme, (at(i64::from(number)), &id(number)));
        let first = enter(1);
        assert!(first.of(&id(9), at(9)).await);
        first.waits(id(9));
        let second = enter(2);
        assert!(second.of(&id(8), at(9)).await, "about another document");
        assert!(!second.of(&id(9), at(9)).await, "it is put back");
        second.waits(id(9));
        // It is looked at again, and decided.
        let first = enter(1);
        assert!(first.of(&id(9), at(9)).await);
        let third = enter(3);
        assert!(waits(&third, 9).await, "it is not decided yet");
        drop(first);
        assert!(!third.of(&id(9), at(9)).await, "the second one comes first");
        drop(enter(2));
        assert!(third.of(&id(9), at(9)).await);
        // One that its party deleted meanwhile is not waited for for ever.
        third.waits(id(9));
        let fourth = enter(4);
        assert!(!fourth.of(&id(9), at(9)).await);
        assert!(fourth.of(&id(9), at(4) + WAITED_FOR).await);
        drop(fourth);
        assert!(turns.with(|all| all.is_empty()), "nothing is kept");
    }
}
