//! What is read with a claim that is handed over: the writer has in memory what it has just
//! written, and a reader would be asked for it a moment later. Whoever begins with the claim finds
//! it here, once.

use std::collections::HashMap;
use std::sync::{Mutex, OnceLock, PoisonError};

use crate::claim::Claim;
use crate::engine::Connection;
use crate::readers::Untyped;

/// Claims of which it is remembered what they are about: more than are handed over at a time.
const MOST: usize = 1_024;

/// Reads what a claim is about; nothing where that is not worth it, or cannot be read.
type ReadsAhead = dyn Fn(&mut dyn Connection, &Claim) -> Option<Untyped> + Send + Sync;

/// What was read with claims, by their tokens.
#[derive(Default)]
pub(crate) struct ReadAhead {
    read: OnceLock<Box<ReadsAhead>>,
    found: Mutex<HashMap<String, Untyped>>,
}

impl ReadAhead {
    /// Says how it is read. The first who says it does so for all.
    pub(crate) fn by(&self, read: Box<ReadsAhead>) {
        let _ = self.read.set(read);
    }

    /// Reads what a claim is about that is committed, and is about to be handed over.
    pub(crate) fn look(&self, db: &mut dyn Connection, claim: &Claim) {
        let Some(work) = self.read.get().and_then(|read| read(db, claim)) else { return };
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        if found.len() >= MOST {
            // Nobody began with them.
            found.clear();
        }
        found.insert(claim.token.clone(), work);
    }

    /// What was read with a claim, once.
    pub(crate) fn take<T: 'static>(&self, claim: &Claim) -> Option<T> {
        let found = self.found.lock().unwrap_or_else(PoisonError::into_inner).remove(&claim.token);
        found?.downcast().ok().map(|work| *work)
    }
}
