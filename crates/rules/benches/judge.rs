//! Judges documents with the built-in rules, for comparison with other engines.
//!
//! `judge DAY REPEAT FILE…` reads and judges each file so many times and writes a JSON line for
//! each: `{"document", "ruleSets", "findings", "micros"}`, of which `micros` is the 20th percentile
//! of reading and judging it, structure and all.

#![expect(clippy::disallowed_methods, reason = "a bench reads files and measures time")]

use std::time::Instant;

use jiff::civil::Date;
use quoin_formats::read;
use quoin_rules::{Report, validate};
use serde_json::json;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1).filter(|word| word != "--bench").peekable();
    if arguments.peek().is_none() {
        return Ok(());
    }
    let day: Date = arguments.next().unwrap_or_default().parse()?;
    let repeat: usize = arguments.next().unwrap_or_default().parse()?;
    for path in arguments {
        let bytes = std::fs::read(&path)?;
        let (report, micros) = judge(&bytes, day, repeat);
        let findings: Vec<&str> = report.findings.iter().map(|found| &*found.rule).collect();
        println!(
            "{}",
            json!({
                "document": path, "ruleSets": report.rule_sets, "findings": findings,
                "micros": micros,
            })
        );
    }
    Ok(())
}

fn judge(bytes: &[u8], day: Date, repeat: usize) -> (Report, f64) {
    let mut times = Vec::new();
    let mut last = validate(&read(bytes), day);
    for _ in 0..repeat {
        let started = Instant::now();
        last = validate(&read(bytes), day);
        times.push(started.elapsed().as_nanos() as f64 / 1000.0);
    }
    times.sort_by(f64::total_cmp);
    (last, times.get(times.len() / 5).copied().unwrap_or_default())
}
