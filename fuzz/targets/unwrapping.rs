//! Containers: PDF, CMS, MIME, ZIP and envelopes, alone and inside one another.
#![no_main]

mod limits;

use libfuzzer_sys::fuzz_target;
use quoin_formats::unwrap::Limits;
use quoin_formats::unwrap;

fuzz_target!(|bytes: &[u8]| limits::within(bytes, |bytes| {
    let limits = Limits { unpacked: 8 << 20, ..Limits::default() };
    let unwrapped = unwrap(bytes, &limits);
    assert!(unwrapped.documents.len() <= limits.documents);
}));
