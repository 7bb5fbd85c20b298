//! Tests of `secrets`: what was sealed opens in its place and nowhere else, and is never printed.

use super::*;

fn sealer(byte: u8) -> SecretBox {
    SecretBox::new(&StoreKey([byte; 32])).unwrap()
}

#[test]
fn a_sealed_secret_opens_under_its_key_and_place_only() {
    let sealed = sealer(1).seal("hook a 1", b"whsec").unwrap();
    assert!(!sealed.windows(5).any(|w| w == b"whsec"));
    assert_eq!(sealer(1).open("hook a 1", &sealed).unwrap(), b"whsec");
    assert!(sealer(2).open("hook a 1", &sealed).is_err());
    assert!(sealer(1).open("hook b 1", &sealed).is_err());
    for at in 0..sealed.len() {
        let mut changed = sealed.clone();
        changed[at] ^= 1;
        assert!(sealer(1).open("hook a 1", &changed).is_err(), "byte {at}");
        assert!(sealer(1).open("hook a 1", &sealed[..at]).is_err(), "cut at {at}");
    }
}

#[test]
fn the_same_secret_never_seals_alike() {
    let seal = || sealer(1).seal("x", b"whsec").unwrap();
    assert_ne!(seal(), seal());
}

#[test]
fn debug_tells_nothing() {
    let shown = format!("{:?} {:?}", Secret::new("whsec"), StoreKey([7; 32]));
    assert_eq!(shown, "Secret(…) StoreKey(…)");
}
