//! The memory is bounded, keeps what is used, and never answers what is out of date.

use super::*;

impl ByteSize for Vec<u8> {
    fn bytes(&self) -> usize {
        self.len()
    }
}

/// Room for ten values of 488 bytes.
fn byte_lru() -> ByteLru<u32, Vec<u8>> {
    ByteLru::new(10 * 1000)
}

fn value() -> Vec<u8> {
    vec![0; 488]
}

impl ByteLru<u32, Vec<u8>> {
    fn held(&self) -> usize {
        let halves = self.halves.lock().unwrap();
        halves.young.len() + halves.old.len()
    }
}

#[test]
fn it_never_holds_more_than_it_may() {
    let byte_lru = byte_lru();
    for key in 0..1000 {
        byte_lru.put(key, 0, value());
        assert!(byte_lru.held() <= 10, "{} at {key}", byte_lru.held());
    }
    byte_lru.put(5000, 0, vec![0; 20_000]);
    assert_eq!(byte_lru.get(&5000, 0), None, "larger than a half");
}

#[test]
fn what_is_used_stays() {
    let byte_lru = byte_lru();
    byte_lru.put(7, 0, value());
    for key in 100..200 {
        byte_lru.put(key, 0, value());
        assert!(byte_lru.get(&7, 0).is_some(), "lost at {key}");
    }
    assert!(byte_lru.get(&100, 0).is_none(), "what is not used goes");
}

#[test]
fn another_generation_is_not_answered() {
    let byte_lru = byte_lru();
    byte_lru.put(1, 4, value());
    assert!(byte_lru.get(&1, 4).is_some());
    assert!(byte_lru.get(&1, 5).is_none());
    byte_lru.put(1, 5, value());
    assert!(byte_lru.get(&1, 4).is_none() && byte_lru.get(&1, 5).is_some());
    for key in 10..15 {
        byte_lru.put(key, 0, value());
    }
    assert!(byte_lru.get(&1, 6).is_none(), "nor from the old half");
}

#[test]
fn replacing_does_not_count_twice() {
    let byte_lru = byte_lru();
    byte_lru.put(1, 0, value());
    for generation in 0..100 {
        byte_lru.put(2, generation, value());
    }
    assert_eq!(byte_lru.held(), 2);
}
