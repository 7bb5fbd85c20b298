//! Documents that were recorded a moment ago, in memory: the step that follows finds them there and
//! need not read and inflate them. Bounded in bytes, the oldest go first.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use quoin_delivery::OrganisationId;

use super::{BlobId, INLINE_LIMIT};

/// Bytes of all of them: some four hundred invoices.
const MOST: usize = 8 * 1024 * 1024;

/// A blob belongs to an organisation.
type Key = (OrganisationId, BlobId);

#[derive(Default)]
struct Kept {
    bytes: HashMap<Key, Bytes>,
    order: VecDeque<Key>,
    size: usize,
}

/// What was recorded last. Clones share it.
#[derive(Clone, Default)]
pub(crate) struct RecentBlobs(Arc<Mutex<Kept>>);

impl RecentBlobs {
    /// Keeps what is on the disk now. It is copied, so that nothing larger stays with it.
    pub(crate) fn keep(&self, owner: &OrganisationId, id: BlobId, bytes: &[u8]) {
        if bytes.len() > INLINE_LIMIT {
            return;
        }
        let key = (owner.clone(), id);
        let mut guard = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = &mut *guard;
        if kept.bytes.contains_key(&key) {
            return;
        }
        kept.size += bytes.len();
        kept.bytes.insert(key.clone(), Bytes::copy_from_slice(bytes));
        kept.order.push_back(key);
        while kept.size > MOST
            && let Some(oldest) = kept.order.pop_front()
        {
            let gone = kept.bytes.remove(&oldest).map_or(0, |bytes| bytes.len());
            kept.size = kept.size.saturating_sub(gone);
        }
    }

    /// The bytes, where they are still here.
    pub(crate) fn get(&self, owner: &OrganisationId, id: BlobId) -> Option<Bytes> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.bytes.get(&(owner.clone(), id)).cloned()
    }

    /// Forgets what a record gave up.
    pub(crate) fn forget(&self, key: &Key) {
        let mut guard = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = &mut *guard;
        if let Some(gone) = kept.bytes.remove(key) {
            kept.size = kept.size.saturating_sub(gone.len());
            kept.order.retain(|one| one != key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_go_and_what_is_given_up() {
        let (recent, owner) = (RecentBlobs::default(), "acme".parse::<OrganisationId>().unwrap());
        let other = "other".parse::<OrganisationId>().unwrap();
        let id = |n: u32| BlobId::of(&n.to_be_bytes());
        let most = MOST / INLINE_LIMIT;
        for n in 0..=u32::try_from(most).unwrap() {
            recent.keep(&owner, id(n), &vec![0; INLINE_LIMIT]);
            recent.keep(&owner, id(n), &vec![0; INLINE_LIMIT]);
        }
        assert_eq!(recent.get(&owner, id(0)), None, "the oldest");
        assert!(recent.get(&owner, id(1)).is_some());
        assert_eq!(recent.get(&other, id(1)), None, "of somebody else");
        recent.forget(&(owner.clone(), id(1)));
        assert_eq!(recent.get(&owner, id(1)), None, "given up");
        recent.keep(&owner, id(0), &[0; 8]);
        assert!(recent.get(&owner, id(2)).is_some(), "there is room for one more");
        recent.keep(&owner, id(1), &vec![0; INLINE_LIMIT + 1]);
        assert_eq!(recent.get(&owner, id(1)), None, "large ones lie in files");
    }
}
