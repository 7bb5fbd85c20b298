//! Checks documents against schemas for programs in other languages: a list of jobs on standard
//! input, one line of JSON for each on standard output.
//!
//! `schema FOLDERS ENTRIES` loads a schema; `table FILE` loads one from a table; `check FILE`
//! checks a document against the last one. Fields are separated by tabs, lists by `;`, and paths
//! are absolute.

use std::io::{BufRead, Write};
use std::path::Path;
use std::time::Instant;

use quoin_xml::tree::{Document, Limits};
use quoin_xml::xsd::{Schema, SchemaFiles};
use serde_json::{Value, json};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut schema: Option<Schema> = None;
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let fields: Vec<&str> = line.split('\t').collect();
        let answer = match fields.as_slice() {
            ["schema", folders, entries] => load(folders, entries, &mut schema),
            ["check", path] => check(path, schema.as_ref()),
            _ => json!({"error": "expected schema or check"}),
        };
        writeln!(out, "{answer}")?;
    }
    Ok(())
}

fn load(folders: &str, entries: &str, schema: &mut Option<Schema>) -> Value {
    let mut files = SchemaFiles::new();
    for folder in folders.split(';') {
        add(Path::new(folder), &mut files);
    }
    let entries: Vec<&str> = entries.split(';').map(|it| it.trim_start_matches('/')).collect();
    let started = now();
    let loaded = Schema::load(&entries, &files);
    let millis = started.elapsed().as_secs_f64() * 1e3;
    match loaded {
        Ok(loaded) => {
            let (elements, complex, simple) = loaded.size();
            *schema = Some(loaded);
            json!({"ok": true, "ms": millis, "elements": elements, "complex": complex,
                "simple": simple})
        }
        Err(error) => {
            *schema = None;
            json!({"ok": false, "clause": error.clause, "error": error.to_string()})
        }
    }
}

/// Adds a schema document, or all of a folder and the folders inside it.
fn add(path: &Path, files: &mut SchemaFiles) {
    if path.is_dir() {
        let mut inside: Vec<_> =
            std::fs::read_dir(path).into_iter().flatten().flatten().map(|it| it.path()).collect();
        inside.sort();
        for path in inside {
            add(&path, files);
        }
    } else if path.extension().is_some_and(|it| it.eq_ignore_ascii_case("xsd"))
        && let Ok(bytes) = read(path)
    {
        files.add(path.to_string_lossy().trim_start_matches('/'), bytes);
    }
}

fn check(path: &str, schema: Option<&Schema>) -> Value {
    let Some(schema) = schema else { return json!({"error": "no schema"}) };
    let Ok(bytes) = read(Path::new(path)) else { return json!({"error": "no such file"}) };
    let document = match Document::parse(&bytes, &Limits::default()) {
        Ok(document) => document,
        Err(error) => return json!({"valid": false, "parse": error.to_string()}),
    };
    let started = now();
    let verdict = schema.validate(document.root());
    let millis = started.elapsed().as_secs_f64() * 1e3;
    let violations: Vec<_> = verdict
        .violations
        .iter()
        .map(|it| json!({"clause": it.clause, "text": it.to_string()}))
        .collect();
    json!({"valid": verdict.is_valid(), "ms": millis, "violations": violations})
}

#[expect(clippy::disallowed_methods, reason = "an example is no part of the pure room")]
fn read(path: &Path) -> std::io::Result<Vec<u8>> {
    std::fs::read(path)
}

#[expect(clippy::disallowed_methods, reason = "an example is no part of the pure room")]
fn now() -> Instant {
    Instant::now()
}
