//! Answers that were made once, within a number of bytes. Two halves, a young and an old one: what
//! is asked for is, or becomes, young; when the young half is full it becomes the old one, and what
//! was old goes. That keeps what was used last without a list to reorder, in constant time.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};

/// What a kept thing takes besides its own bytes: its key and its places in the tables.
const OVERHEAD: usize = 512;

/// Something whose size is known.
pub(super) trait ByteSize {
    /// In bytes.
    fn bytes(&self) -> usize;
}

/// A bounded memory.
pub(super) struct ByteLru<K, V> {
    halves: Mutex<Halves<K, V>>,
    /// Bytes of one half.
    half: usize,
}

struct Halves<K, V> {
    young: HashMap<K, (u64, V)>,
    old: HashMap<K, (u64, V)>,
    young_bytes: usize,
}

impl<K: Hash + Eq + Clone, V: ByteSize + Clone> ByteLru<K, V> {
    /// A memory of this many bytes at most.
    pub(super) fn new(bytes: usize) -> ByteLru<K, V> {
        let halves = Halves { young: HashMap::new(), old: HashMap::new(), young_bytes: 0 };
        ByteLru { halves: Mutex::new(halves), half: bytes / 2 }
    }

    /// What was kept under a key, if it was made of this generation.
    pub(super) fn get(&self, key: &K, generation: u64) -> Option<V> {
        let mut halves = self.halves.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((made_of, value)) = halves.young.get(key) {
            return (*made_of == generation).then(|| value.clone());
        }
        let (made_of, value) = halves.old.remove(key)?;
        if made_of != generation {
            return None;
        }
        self.keep(&mut halves, key.clone(), (generation, value.clone()));
        Some(value)
    }

    /// Keeps a value that was made of a generation.
    pub(super) fn put(&self, key: K, generation: u64, value: V) {
        let mut halves = self.halves.lock().unwrap_or_else(PoisonError::into_inner);
        self.keep(&mut halves, key, (generation, value));
    }

    fn keep(&self, halves: &mut Halves<K, V>, key: K, entry: (u64, V)) {
        let size = entry.1.bytes() + OVERHEAD;
        if size > self.half {
            return;
        }
        if halves.young_bytes + size > self.half {
            halves.old = std::mem::take(&mut halves.young);
            halves.young_bytes = 0;
        }
        let before = halves.young.insert(key, entry);
        let freed = before.map_or(0, |(_, value)| value.bytes() + OVERHEAD);
        halves.young_bytes = halves.young_bytes + size - freed;
    }
}

#[cfg(test)]
mod tests;
