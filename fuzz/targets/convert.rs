//! Readers and writers of invoices, XML and JSON: each leaf has one fate, and what is written is
//! read again.
#![no_main]

mod limits;

use libfuzzer_sys::fuzz_target;
use quoin_formats::convert::{ConversionTarget, InvoiceFile, convert_at};
use quoin_formats::readers::read_invoice_at;

fuzz_target!(|bytes: &[u8]| limits::within(bytes, |bytes| {
    let Some((choice, document)) = bytes.split_first() else { return };
    let parsed = quoin_formats::read(document);
    let Some(root) = parsed.root() else { return };
    let Some(reading) = read_invoice_at(root) else { return };
    assert_eq!(reading.residue.len(), reading.tally.unread);
    if let Some(file) = InvoiceFile::of(root) {
        assert_eq!(file.alone(file.count() + 1), None);
    }
    let targets: Vec<ConversionTarget> = ConversionTarget::all().collect();
    let target = targets[usize::from(*choice) % targets.len()];
    let Ok(converted) = convert_at(root, target) else { return };
    let again = quoin_formats::read(converted.document.as_bytes());
    let root = again.root().expect("what is written is well formed");
    assert!(read_invoice_at(root).is_some(), "what is written as {} is read", target.as_str());
}));
