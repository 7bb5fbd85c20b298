//! Judges documents with Schematron rule sets, for comparison with other engines.
//!
//! Reads jobs from standard input, one JSON object a line:
//! `{"folder": "…", "main": "sch/A.sch", "documents": ["a.xml", …], "now": "2026-01-01T00:00:00Z"}`
//! and writes a JSON line for each document: `{"document", "fired": [[rule, flag, path, message], …],
//! "errors": [[code, rule], …], "micros"}`. A rule set that does not load gives one line with
//! `"load"`. With `"repeat": n` each document is judged n
//! times, and `micros` is the 20th percentile of reading and judging it.

#![expect(clippy::disallowed_methods, reason = "an example reads files and measures time")]

use std::io::{BufRead, Write};
use std::path::PathBuf;
use std::time::Instant;

use quoin_xml::schematron::{
    Cause, FileResolver, PhaseChoice, ResolveError, RunOptions, SchematronOutcome, SchematronSchema,
};
use quoin_xml::tree::{Document, Limits};
use serde_json::{Value, json};

struct Folder(PathBuf);

impl FileResolver for Folder {
    fn read(&self, path: &str) -> Result<Vec<u8>, ResolveError> {
        std::fs::read(self.0.join(path)).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => ResolveError::Missing,
            _ => ResolveError::Failed(error.to_string()),
        })
    }
}

fn main() -> std::io::Result<()> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        let job: Value = serde_json::from_str(&line?)?;
        let text = |name: &str| job[name].as_str().unwrap_or_default().to_owned();
        let folder = Folder(text("folder").into());
        let options = RunOptions { now: text("now").parse().ok(), ..RunOptions::default() };
        let started = Instant::now();
        let schema = match SchematronSchema::load(&folder, &text("main"), &PhaseChoice::Default) {
            Ok(schema) => schema,
            Err(error) => {
                writeln!(out, "{}", json!({"main": text("main"), "load": error.to_string()}))?;
                continue;
            }
        };
        let compiled = started.elapsed().as_micros() as u64;
        writeln!(out, "{}", json!({"main": text("main"), "compile": compiled}))?;
        let repeat = job["repeat"].as_u64().unwrap_or(1).max(1);
        for document in job["documents"].as_array().into_iter().flatten() {
            let path = document.as_str().unwrap_or_default();
            writeln!(out, "{}", judge(&schema, path, &options, repeat)?)?;
        }
        out.flush()?;
    }
    Ok(())
}

fn judge(
    schema: &SchematronSchema,
    path: &str,
    options: &RunOptions,
    repeat: u64,
) -> std::io::Result<Value> {
    let bytes = std::fs::read(path)?;
    let mut times = Vec::new();
    let mut last = None;
    for _ in 0..repeat {
        let started = Instant::now();
        let outcome = match Document::parse(&bytes, &Limits::default()) {
            Ok(document) => schema.validate(&document, options),
            Err(error) => {
                return Ok(json!({"document": path, "unread": error.to_string()}));
            }
        };
        times.push(started.elapsed().as_nanos() as u64);
        last = Some(outcome);
    }
    times.sort_unstable();
    let quiet = times.get(times.len() / 5).copied().unwrap_or_default();
    Ok(report(path, &last.unwrap_or_default(), quiet as f64 / 1000.0))
}

fn report(path: &str, outcome: &SchematronOutcome, micros: f64) -> Value {
    let (mut fired, mut errors) = (Vec::new(), Vec::new());
    for found in &outcome.fired {
        let id = found.check.id.as_deref().unwrap_or_default();
        let flag = found.check.flag.as_deref().unwrap_or_default();
        match &found.cause {
            Cause::FailedAssert | Cause::SuccessfulReport => {
                fired.push(json!([id, flag, found.location.path, found.message]));
            }
            Cause::Error { code, message } | Cause::Limit { code, message } => {
                errors.push(json!([code, id, message]));
            }
        }
    }
    json!({"document": path, "fired": fired, "errors": errors, "micros": micros})
}
