//! Tests of `pkcs12`: what was changed on the way is refused, and the reader never breaks.

use super::*;

const SAMPLE: &[u8] = include_bytes!("../../../tests/data/sample.p12");

#[test]
fn a_changed_pkcs12_file_is_refused_and_never_breaks_the_reader() {
    for index in (0..SAMPLE.len()).step_by(7) {
        let mut changed = SAMPLE.to_vec();
        changed[index] ^= 0x11;
        // The rounds of the derivations are not tried out: they may become millions.
        let Err(_) = open(&changed[..index.max(1)], "quoin") else {
            panic!("cut at {index}");
        };
    }
    let mut changed = SAMPLE.to_vec();
    let middle = changed.len() / 2;
    changed[middle] ^= 1;
    assert_eq!(open(&changed, "quoin").err(), Some(Pkcs12Error::Password));
}
