//! Statuses about one document count in the order in which they came, though several are looked at
//! at a time: the first one settles what became of it, and a short one is read sooner than a long
//! one.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use jiff::Timestamp;
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
}

/// The statuses that are looked at now.
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
        StatusTurn { turns: self.clone(), key, owner: owner.clone() }
    }

    fn with<T>(&self, work: impl FnOnce(&mut BTreeMap<CameAs, KnownSubject>) -> T) -> T {
        work(&mut self.all.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl StatusTurn {
    /// It is about this document: waits until those that came before it are done, as far as they
    /// are about the same. Nobody waits for a later one, so that the waiting ends.
    pub(super) async fn of(&self, subject: &TransactionId) {
        let about = KnownSubject::This(subject.clone());
        self.turns.with(|all| all.insert(self.key.clone(), about.clone()));
        self.turns.changed.notify_waiters();
        let any = KnownSubject::Any(self.owner.clone());
        loop {
            let changed = self.turns.changed.notified();
            let is_behind = self.turns.with(|all| {
                all.range(..&self.key).any(|(_, other)| *other == about || *other == any)
            });
            if !is_behind {
                return;
            }
            changed.await;
        }
    }
}

impl Drop for StatusTurn {
    fn drop(&mut self) {
        self.turns.with(|all| all.remove(&self.key));
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
        timeout(Duration::from_millis(20), turn.of(&id(subject))).await.is_err()
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
        let done = timeout(Duration::from_secs(5), second.of(&id(9))).await;
        assert!(done.is_ok());
    }
}
