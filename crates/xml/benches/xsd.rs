//! How fast a document is checked against the structure of UBL 2.1, and how fast its table is
//! read; against `xmllint` where that is installed.

#![expect(clippy::disallowed_methods, reason = "a bench is no part of the pure room")]

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use quoin_testing::bench::{Bench, invoice};
use quoin_testing::shared;
use quoin_xml::tree::{Document, Limits};
use quoin_xml::xsd::{Schema, SchemaFiles};

/// Runs of the peer; the quickest counts.
const PEER_RUNS: usize = 7;

fn main() {
    let Some(folder) = shared("corpora/ubl-2.1/oasis-os-UBL-2.1-xsd") else { return };
    let schema = load(&folder);
    let table = schema.to_bytes();
    println!("table of UBL 2.1 invoices and their parts: {} bytes", table.len());
    let documents = [("20 kB", invoice(20_000)), ("5 MB", invoice(5_000_000))];
    let limits = Limits::default();
    let parsed = documents.each_ref().map(|(_, text)| {
        let document = Document::parse(text.as_bytes(), &limits).unwrap();
        assert!(schema.validate(document.root()).is_valid());
        document
    });
    let mut bench = Bench::new("xsd");
    bench.case("check 20 kB", || schema.validate(parsed[0].root()));
    bench.case("parse and check 20 kB", || {
        let document = Document::parse(documents[0].1.as_bytes(), &limits).unwrap();
        schema.validate(document.root())
    });
    bench.case("check 5 MB", || schema.validate(parsed[1].root()));
    bench.case("parse and check 5 MB", || {
        let document = Document::parse(documents[1].1.as_bytes(), &limits).unwrap();
        schema.validate(document.root())
    });
    bench.case("read the table", || Schema::from_bytes(&table).unwrap());
    let mut report = bench.measure(Duration::from_secs(5));
    report.rows_of_cases();
    for (size, text) in &documents {
        let ours = report.micros(&format!("parse and check {size}"));
        if let Some(theirs) = xmllint(&folder, text) {
            let name = format!("parse and check {size}, compared");
            report.row(&name, ours, "us", Some("xmllint"), Some(theirs / ours));
        }
    }
    report.finish();
}

fn load(folder: &Path) -> Schema {
    let mut files = SchemaFiles::new();
    for part in ["common", "maindoc"] {
        for entry in folder.join(part).read_dir().unwrap().flatten() {
            let name = format!("{part}/{}", entry.file_name().to_string_lossy());
            files.add(name, std::fs::read(entry.path()).unwrap());
        }
    }
    Schema::load(&["maindoc/UBL-Invoice-2.1.xsd"], &files).unwrap()
}

/// Microseconds that `xmllint` takes for one more document: two runs, with one and with 21 copies.
fn xmllint(folder: &Path, text: &str) -> Option<f64> {
    let file = std::env::temp_dir().join(format!("quoin-bench-{}.xml", std::process::id()));
    std::fs::write(&file, text).ok()?;
    let schema = folder.join("maindoc/UBL-Invoice-2.1.xsd");
    let run = |copies: usize| -> Option<f64> {
        let mut best = f64::INFINITY;
        for _ in 0..PEER_RUNS {
            let started = Instant::now();
            let mut command = Command::new("xmllint");
            command.args(["--noout", "--nonet", "--schema"]).arg(&schema);
            command.args(vec![&file; copies]).stderr(std::process::Stdio::null());
            command.status().ok()?;
            best = best.min(started.elapsed().as_secs_f64() * 1e6);
        }
        Some(best)
    };
    let time = run(21)? - run(1)?;
    let _ = std::fs::remove_file(&file);
    Some(time / 20.0)
}
