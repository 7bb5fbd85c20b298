//! Benches by name. Each prints a table and writes `target/bench/NAME.json`.

use std::path::Path;

use super::check::cargo;

/// Name of a bench, its package and its target.
const BENCHES: &[(&str, &str, &str)] = &[
    ("xml", "quoin-xml", "tree"),
    ("xsd", "quoin-xml", "xsd"),
    ("model", "quoin-formats", "model"),
    ("render", "quoin-render", "pages"),
    ("validate", "quoin-rules", "validate"),
    ("schematron", "quoin-xml", "schematron"),
    ("as4", "quoin-peppol", "as4"),
    ("batch", "quoin", "batch"),
    ("channels", "quoin", "channels"),
    ("e2e", "quoin", "e2e"),
    ("beside", "quoin", "beside"),
    ("calls", "quoin", "calls"),
    ("memory", "quoin", "memory"),
    ("smp", "quoin", "smp"),
    ("jobs", "quoin", "jobs"),
    ("hooks", "quoin", "hooks"),
    ("tax", "quoin", "tax"),
    ("growth", "quoin", "growth"),
    ("fairness", "quoin", "fairness"),
];

/// Runs one bench, or all of them.
pub fn run(root: &Path, name: Option<&str>) -> Result<(), String> {
    let chosen: Vec<_> =
        BENCHES.iter().filter(|bench| name.is_none_or(|name| name == bench.0)).collect();
    if chosen.is_empty() {
        return Err(unknown());
    }
    for (_, package, target) in chosen {
        cargo(root, &["bench", "--quiet", "--package", package, "--bench", target])?;
    }
    Ok(())
}

/// Package and target of a bench.
///
/// # Errors
/// There is none of that name.
pub fn find(name: &str) -> Result<(&'static str, &'static str), String> {
    let found = BENCHES.iter().find(|bench| bench.0 == name);
    found.map(|(_, package, target)| (*package, *target)).ok_or_else(unknown)
}

fn unknown() -> String {
    let known: Vec<_> = BENCHES.iter().map(|bench| bench.0).collect();
    format!("no bench of that name; there are {}", known.join(", "))
}

/// How long a siege lasts unless told otherwise, in seconds: an hour.
const SIEGE: &str = "3600";
/// Which build is attacked; the one of every day, which the checks have built already, unless told.
const SIEGE_PROFILE: &str = "QUOIN_SIEGE_PROFILE";

/// Attacks a service for so many seconds beside honest documents.
pub fn siege(root: &Path, seconds: Option<&str>) -> Result<(), String> {
    let seconds = seconds.unwrap_or(SIEGE);
    seconds.parse::<u64>().map_err(|_| format!("expected seconds, found {seconds:?}"))?;
    let profile = std::env::var(SIEGE_PROFILE).unwrap_or_else(|_| "dev".to_owned());
    let of = ["bench", "--quiet", "--profile", &profile];
    // With the features of the whole workspace, which the checks have built already.
    let bench = ["--workspace", "--bench", "siege", "--", seconds];
    cargo(root, &[of.as_slice(), bench.as_slice()].concat())
}
