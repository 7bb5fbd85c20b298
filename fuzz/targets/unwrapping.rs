//! Containers: PDF, CMS, MIME, ZIP and envelopes, alone and inside one another.
#![no_main]

mod limits;

use libfuzzer_sys::fuzz_target;
use quoin_formats::unwrap;
use quoin_formats::unwrap::UnwrapLimits;

fuzz_target!(|bytes: &[u8]| limits::within(bytes, |bytes| {
    let limits = UnwrapLimits { unpacked: 8 << 20, ..UnwrapLimits::default() };
    let unwrapped = unwrap(bytes, &limits);
    assert!(unwrapped.documents.len() <= limits.documents);
}));
