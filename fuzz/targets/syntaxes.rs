//! The readers of every syntax, of invoices and of orders, and the writers: samples that are changed.
//! They are those of the room `formats`, so that whatever has a sample there is asked here.
#![no_main]

mod limits;
mod mutated;

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use quoin_formats::orders::read_order_at;
use quoin_formats::readers::read_invoice_at;

/// Every sample in XML that a reader reads, in the order of their names.
static SAMPLES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/formats/samples");
    let files = folder.read_dir().expect("the samples").flatten().map(|file| file.path());
    let is_xml = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "xml");
    let mut files: Vec<_> = files.filter(is_xml).collect();
    files.sort();
    let texts = files.iter().map(|path| std::fs::read_to_string(path).expect("a sample is text"));
    let is_read = |text: &String| {
        let parsed = quoin_formats::read(text.as_bytes());
        let Some(root) = parsed.root() else { return false };
        read_invoice_at(root).is_some() || read_order_at(root).is_some()
    };
    texts.filter(is_read).collect()
});

fuzz_target!(|input: &[u8]| {
    let samples = SAMPLES.as_slice();
    limits::within(input, |input| mutated::read_and_written(samples, input));
});
