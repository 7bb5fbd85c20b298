//! What kept the last write from the disk, until one gets there: a store that can be read and not
//! written to answers, and is not well.

use std::sync::{Arc, Mutex, PoisonError};

use super::WriterJob;
use crate::error::{Error, Fault};

/// What kept the last write from the disk. Clones share it.
#[derive(Debug, Clone, Default)]
pub(crate) struct WriteTrouble(Arc<Mutex<Option<Fault>>>);

impl WriteTrouble {
    /// The fault of the last write, where it failed.
    pub(crate) fn last(&self) -> Option<Fault> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Takes note of what became of a group. What changed nothing wrote nothing, and tells nothing.
    pub(super) fn after(&self, fault: Option<&Fault>, group: &[WriterJob], changed: bool) {
        // Where a full disk ended the transaction, the commit only finds that it is gone.
        let of_one = group.iter().find_map(WriterJob::found_no_room);
        let now = match of_one.or_else(|| fault.cloned()) {
            None if !changed => return,
            now => now,
        };
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match (&*last, &now) {
            (None, Some(fault)) => {
                tracing::warn!(%fault, "the store cannot be written to");
            }
            (Some(_), None) => tracing::warn!("the store can be written to again"),
            _ => {}
        }
        match (&*last, fault) {
            (_, None) => {}
            (None, Some(fault)) => {
                tracing::error!(%fault, operations = group.len(), "a group was rolled back");
            }
            // As those before it, of which was told.
            (Some(_), Some(fault)) => tracing::debug!(%fault, "a group was rolled back"),
        }
        *last = now;
    }
}

impl WriterJob {
    /// Why an operation failed by itself, where the disk takes no more.
    fn found_no_room(&self) -> Option<Fault> {
        match &self.result {
            Some(Err(Error::Fault(fault @ (Fault::Full { .. } | Fault::Unwritten { .. })))) => {
                Some(fault.clone())
            }
            _ => None,
        }
    }
}
