//! How fast a document is read, and its canonical form written, against `roxmltree`.

use std::time::Duration;

use quoin_testing::bench::{Bench, invoice};
use quoin_xml::c14n;
use quoin_xml::tree::{Document, Limits};

fn main() {
    let documents = [("20 kB", invoice(20_000)), ("5 MB", invoice(5_000_000))];
    let limits = Limits::default();
    for (size, text) in &documents {
        let nodes = Document::parse(text.as_bytes(), &limits).unwrap().node_count();
        println!("{size}: {} bytes, {nodes} nodes", text.len());
    }
    let [(_, small), (_, large)] = &documents;
    let parsed = Document::parse(small.as_bytes(), &limits).unwrap();
    let mut bench = Bench::new("xml");
    bench.case("parse 20 kB", || Document::parse(small.as_bytes(), &limits).unwrap());
    bench.case("roxmltree 20 kB", || roxmltree::Document::parse(small).unwrap());
    bench.case("parse 5 MB", || Document::parse(large.as_bytes(), &limits).unwrap());
    bench.case("roxmltree 5 MB", || roxmltree::Document::parse(large).unwrap());
    bench.case("exclusive C14N 20 kB", || {
        let mut out = Vec::with_capacity(small.len() * 2);
        c14n::exclusive(parsed.root(), &[], c14n::room_of(&parsed), &mut out).unwrap();
        out
    });
    let mut report = bench.measure(Duration::from_secs(5));
    for (size, text) in &documents {
        let speed = |case: String| text.len() as f64 / report.micros(&case);
        let (ours, theirs) = (speed(format!("parse {size}")), speed(format!("roxmltree {size}")));
        report.row(&format!("parse {size}"), ours, "MB/s", Some("roxmltree"), Some(ours / theirs));
    }
    let speed = small.len() as f64 / report.micros("exclusive C14N 20 kB");
    report.row("exclusive C14N 20 kB", speed, "MB/s", None, None);
    report.finish();
}
