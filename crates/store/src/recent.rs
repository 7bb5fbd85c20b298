//! Documents that were recorded a moment ago, in memory: the step that follows finds them there and
//! need not read and inflate them. Bounded in bytes, the oldest go first.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use quoin_delivery::OrganisationId;

/// Bytes of all of them: some four hundred invoices.
const MOST: usize = 8 * 1024 * 1024;

/// A document by its SHA-256, in its organisation.
pub(crate) type RecentKey = (OrganisationId, [u8; 32]);

/// Bytes of one of them.
const LARGEST: usize = 65_536;

/// Bytes that each costs beside its own: its key, twice, and its places.
const BESIDE: usize = 512;

#[derive(Default)]
struct RecentBytes {
    bytes: HashMap<RecentKey, Bytes>,
    order: VecDeque<RecentKey>,
    size: usize,
}

/// What was recorded last. Clones share it.
#[derive(Clone, Default)]
pub(crate) struct RecentBlobs(Arc<Mutex<RecentBytes>>);

impl RecentBlobs {
    /// Keeps what is on the disk now. It is copied, so that nothing larger stays with it.
    pub(crate) fn keep(&self, key: RecentKey, bytes: &[u8]) {
        if bytes.len() > LARGEST {
            return;
        }
        let mut guard = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = &mut *guard;
        if kept.bytes.contains_key(&key) {
            return;
        }
        kept.size += bytes.len() + BESIDE;
        kept.bytes.insert(key.clone(), Bytes::copy_from_slice(bytes));
        kept.order.push_back(key);
        while kept.size > MOST
            && let Some(oldest) = kept.order.pop_front()
        {
            let gone = kept.bytes.remove(&oldest).map_or(0, |bytes| bytes.len() + BESIDE);
            kept.size = kept.size.saturating_sub(gone);
        }
    }

    /// The bytes, where they are still here.
    pub(crate) fn get(&self, key: &RecentKey) -> Option<Bytes> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.bytes.get(key).cloned()
    }

    /// Forgets what a record gave up.
    pub(crate) fn forget(&self, key: &RecentKey) {
        let mut guard = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = &mut *guard;
        if let Some(gone) = kept.bytes.remove(key) {
            kept.size = kept.size.saturating_sub(gone.len() + BESIDE);
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
        let key = |n: usize| (owner.clone(), [u8::try_from(n).unwrap(); 32]);
        let large = vec![0; LARGEST];
        for n in 0..=MOST / (LARGEST + BESIDE) {
            recent.keep(key(n), &large);
            recent.keep(key(n), &large);
        }
        assert_eq!(recent.get(&key(0)), None, "the oldest");
        assert!(recent.get(&key(1)).is_some());
        assert_eq!(recent.get(&(other, key(1).1)), None, "of somebody else");
        recent.forget(&key(1));
        assert_eq!(recent.get(&key(1)), None, "given up");
        recent.keep(key(0), &[0; 8]);
        assert!(recent.get(&key(2)).is_some(), "there is room for one more");
        recent.keep(key(1), &vec![0; LARGEST + 1]);
        assert_eq!(recent.get(&key(1)), None, "large ones lie in files");
    }

    #[test]
    fn tiny_ones_are_bounded_too() {
        let (recent, owner) = (RecentBlobs::default(), "acme".parse::<OrganisationId>().unwrap());
        let key = |n: u32| {
            let mut id = [0; 32];
            id[..4].copy_from_slice(&n.to_be_bytes());
            (owner.clone(), id)
        };
        let many = u32::try_from(2 * MOST / BESIDE).unwrap();
        (0..many).for_each(|n| recent.keep(key(n), &[]));
        let kept = recent.0.lock().unwrap();
        assert!(kept.bytes.len() <= MOST / BESIDE && kept.bytes.len() == kept.order.len());
    }
}
