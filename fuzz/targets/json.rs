//! The JSON form of an invoice: whatever the bytes are, there is an answer, and what is an invoice
//! is written again as one.
#![no_main]

mod limits;

use libfuzzer_sys::fuzz_target;
use quoin_formats::convert::{ConversionTarget, convert_at};

fuzz_target!(|bytes: &[u8]| limits::within(bytes, |bytes| {
    let mut text = b"{\"$schema\":\"urn:quoin:json:invoice:1\",".to_vec();
    text.extend_from_slice(bytes);
    for document in [&text[..], bytes] {
        let parsed = quoin_formats::read(document);
        std::hint::black_box((parsed.routing(), parsed.issue_date()));
        let Some(root) = parsed.root() else { continue };
        if let Ok(converted) = convert_at(root, ConversionTarget::UBL) {
            let again = quoin_formats::read(converted.document.as_bytes());
            assert!(again.root().is_some(), "what is written is well formed");
        }
    }
}));
