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
    ("judge", "quoin-rules", "judge"),
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
    ("ksef", "quoin", "ksef"),
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

/// The names of all benches.
pub fn names() -> Vec<&'static str> {
    BENCHES.iter().map(|bench| bench.0).collect()
}

fn unknown() -> String {
    format!("no bench of that name; there are {}", names().join(", "))
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// What is in a folder `benches` has a row, except the siege, which has a command of its own.
    #[test]
    fn every_bench_has_a_row() {
        let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates");
        let mut found = BTreeSet::new();
        for room in std::fs::read_dir(crates).unwrap() {
            let manifest = room.unwrap().path().join("Cargo.toml");
            let text = std::fs::read_to_string(&manifest).unwrap();
            let package = name(&text).to_owned();
            let benches = text.split("[[bench]]").skip(1);
            found.extend(benches.map(|bench| (package.clone(), name(bench).to_owned())));
        }
        found.remove(&("quoin".to_owned(), "siege".to_owned()));
        let rows = BENCHES.iter().map(|row| (row.1.to_owned(), row.2.to_owned()));
        assert_eq!(found, rows.collect());
    }

    fn name(manifest: &str) -> &str {
        let line = manifest.lines().find_map(|line| line.strip_prefix("name = "));
        line.unwrap().trim_matches('"')
    }

    #[test]
    fn the_usage_fits_a_terminal() {
        let usage = crate::usage();
        assert!(usage.lines().all(|line| line.len() <= 100), "{usage}");
        assert!(names().iter().all(|name| usage.contains(name)));
    }
}
