//! How long a document takes from its bytes to its report: read, structure, rules, routing.
//!
//! The times of a document of 100,000 lines stand beside those of one of 10,000: the ratio of the
//! two is 10 where every rule reads a line a fixed number of times.

use std::time::Duration;

use jiff::civil::Date;
use quoin_formats::samples::{SampleKind, document};
use quoin_formats::{ParsedDocument, read};
use quoin_rules::releases::RULE_SETS;
use quoin_rules::rules::Facts;
use quoin_rules::validate;
use quoin_testing::bench::{Bench, invoice};

/// A day on which the latest releases are in force.
const DAY: Date = jiff::civil::date(2026, 6, 1);

fn lines(count: usize) -> String {
    document(SampleKind::Invoice, "0106:12345678", "0106:87654321", "F1", count)
}

/// The rules of one set alone, on a document that is read.
fn rules(coordinate: &str, parsed: &ParsedDocument) -> usize {
    let (mut hits, root) = (0, parsed.root().unwrap());
    let facts = Facts::new(root, DAY);
    let set = RULE_SETS.iter().find(|set| set.coordinate == coordinate).unwrap();
    set.check(&facts, &mut |_| hits += 1);
    hits
}

fn main() {
    let small = invoice(20_000);
    let cii = include_str!("../../formats/samples/every-term-cii.xml");
    let (tenth, large) = (lines(10_000), lines(100_000));
    let read_already = [read(small.as_bytes()), read(cii.as_bytes()), read(large.as_bytes())];
    assert!(validate(&read_already[0], DAY).is_valid(), "the sample is right");
    assert!(validate(&read_already[2], DAY).is_valid(), "100,000 lines are within the limits");
    println!("{} bytes, {} bytes, {} bytes", small.len(), tenth.len(), large.len());
    let whole = |text: &str| validate(&read(text.as_bytes()), DAY);
    let mut bench = Bench::new("validate");
    bench.case("read 20 kB", || read(small.as_bytes()));
    bench.case("EN 16931 alone, 20 kB", || rules("eu.cen.en16931:ubl:1.3.16", &read_already[0]));
    bench
        .case("EN 16931 alone, CII 17 kB", || rules("eu.cen.en16931:cii:1.3.16", &read_already[1]));
    bench.case("all but read, 20 kB", || validate(&read_already[0], DAY));
    bench.case("whole, 20 kB", || whole(&small));
    bench.case("whole, CII 17 kB", || whole(cii));
    bench.case("whole, 10,000 lines", || whole(&tenth));
    bench.case("read, 100,000 lines", || read(large.as_bytes()));
    bench.case("whole, 100,000 lines", || whole(&large));
    let mut report = bench.measure(Duration::from_secs(12));
    report.rows_of_cases();
    let (ten, hundred) = ("whole, 10,000 lines", "whole, 100,000 lines");
    let growth = report.micros(hundred) / report.micros(ten);
    report.row("100,000 lines / 10,000 lines", growth, "times", None, None);
    report.finish();
}
