//! Parties that became part of another one while this process runs. Whoever looked a party up
//! before that may record something of it after it, and asks here first, at the price of a look
//! into memory.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use quoin_delivery::OrganisationId;

/// Which parties became part of which others.
#[derive(Debug, Default)]
pub(crate) struct AbsorbedParties(Mutex<HashMap<OrganisationId, HashMap<String, String>>>);

impl AbsorbedParties {
    /// A party becomes part of another one, unless the commit fails.
    pub(crate) fn note(&self, owner: &OrganisationId, gone: &str, kept: &str) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.entry(owner.clone()).or_default().insert(gone.to_owned(), kept.to_owned());
    }

    /// The party that one became part of, if it did; one of its key may be there again since.
    pub(crate) fn kept(&self, owner: &OrganisationId, gone: &str) -> Option<String> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.get(owner)?.get(gone).cloned()
    }
}
