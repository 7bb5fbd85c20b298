//! Who may ask for a list now. Lists have readers of their own, so that nobody who is on the way
//! waits for them, and an organisation has one list read at a time, so that none waits for another.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::readers::Readers;

/// Lists of one organisation that are read at a time.
const OF_ONE: usize = 1;

/// The readers of lists, and whose turn it is. Clones share it.
#[derive(Clone)]
pub(crate) struct Lists {
    pub(crate) readers: Readers,
    turns: Arc<Mutex<HashMap<String, Weak<Semaphore>>>>,
}

/// The turn of an organisation, as long as it is held.
pub(crate) struct ListTurn {
    _permit: Option<OwnedSemaphorePermit>,
    // Keeps the entry of the organisation alive.
    _turns: Arc<Semaphore>,
}

impl Lists {
    pub(crate) fn new(readers: Readers) -> Lists {
        Lists { readers, turns: Arc::default() }
    }

    /// Waits for the turn of an organisation. Who asks first is first.
    pub(crate) async fn turn(&self, organisation: &str) -> ListTurn {
        let turns = self.turns_of(organisation);
        // The semaphore is never closed.
        let permit = turns.clone().acquire_owned().await.ok();
        ListTurn { _permit: permit, _turns: turns }
    }

    fn turns_of(&self, organisation: &str) -> Arc<Semaphore> {
        let mut all = self.turns.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(turns) = all.get(organisation).and_then(Weak::upgrade) {
            return turns;
        }
        all.retain(|_, turns| turns.strong_count() > 0);
        let turns = Arc::new(Semaphore::new(OF_ONE));
        all.insert(organisation.to_owned(), Arc::downgrade(&turns));
        turns
    }
}
