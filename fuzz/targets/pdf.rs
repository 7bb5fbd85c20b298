//! A PDF: whatever is in it, it is taken apart within a time and a memory that its length gives.
#![no_main]

mod limits;

use libfuzzer_sys::fuzz_target;
use quoin_formats::unwrap;
use quoin_formats::unwrap::UnwrapLimits;

fuzz_target!(|bytes: &[u8]| limits::within(bytes, |bytes| {
    let mut file = b"%PDF-1.7\n".to_vec();
    file.extend_from_slice(bytes.strip_prefix(b"%PDF-1.7\n").unwrap_or(bytes));
    let limits = UnwrapLimits { unpacked: 8 << 20, ..UnwrapLimits::default() };
    let unwrapped = unwrap(&file, &limits);
    assert!(unwrapped.documents.len() <= limits.documents);
}));
