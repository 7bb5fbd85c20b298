//! How fast a tree becomes an invoice of the semantic model, beside the parse that made the tree,
//! and how fast it becomes a document of the other syntax.

use std::time::Duration;

use quoin_formats::convert::{ConversionTarget, convert};
use quoin_formats::readers::read_invoice;
use quoin_formats::samples::{SampleKind, document};
use quoin_testing::bench::{Bench, invoice};
use quoin_xml::tree::{Document, Limits};

/// An invoice that no limit on nodes stops: 100,000 lines.
const LINES: usize = 100_000;

fn main() {
    let limits = Limits { nodes: 20_000_000, ..Limits::default() };
    let small = invoice(20_000);
    let cii = include_str!("../samples/every-term-cii.xml");
    let large = document(SampleKind::Invoice, "0106:12345678", "0106:87654321", "F1", LINES);
    let parse = |text: &str| Document::parse(text.as_bytes(), &limits).unwrap();
    let trees = [parse(&small), parse(cii), parse(&large)];
    println!("{LINES} lines: {} bytes, {} nodes", large.len(), trees[2].node_count());
    let mut bench = Bench::new("model");
    bench.case("parse 20 kB", || parse(&small));
    bench.case("read 20 kB", || read_invoice(&trees[0]).unwrap());
    bench.case("read CII 17 kB", || read_invoice(&trees[1]).unwrap());
    bench.case("terms 20 kB", || read_invoice(&trees[0]).unwrap().invoice.terms());
    bench.case("convert 20 kB to CII", || convert(&trees[0], ConversionTarget::CII).unwrap());
    bench.case("convert CII 17 kB to UBL", || convert(&trees[1], ConversionTarget::UBL).unwrap());
    bench.case("parse and convert 20 kB", || {
        convert(&parse(&small), ConversionTarget::CII).unwrap()
    });
    bench.case("convert 100,000 lines", || convert(&trees[2], ConversionTarget::CII).unwrap());
    bench.case("parse 100,000 lines", || parse(&large));
    bench.case("read 100,000 lines", || read_invoice(&trees[2]).unwrap());
    let mut report = bench.measure(Duration::from_secs(5));
    report.rows_of_cases();
    report.finish();
}
