//! Writes `docs/reference/parity.md`: how equal the built-in rules are to the official files.
//!
//! As with the pages of the rules, the test that holds the page against the rules writes it.

use std::path::Path;
use std::process::Command;

/// The package, the target and the test that writes the page when it is told to.
const TEST: &[&str] =
    &["test", "--quiet", "--package", "quoin-rules", "--test", "it", "parity::page"];

/// `cargo xtask parity [PART]`: runs every set against its official file and writes the page into
/// the checkout at `root`; with a part of a coordinate only those sets, and the rest of the page
/// stays.
///
/// # Errors
/// The page could not be written, or cargo could not be started.
pub fn run(root: &Path, part: Option<&str>) -> Result<(), String> {
    let mut cargo = Command::new(env!("CARGO"));
    let cargo = cargo.args(TEST).args(["--", "--nocapture"]);
    let cargo = cargo.env("QUOIN_PARITY", part.unwrap_or("all"));
    let status = cargo.current_dir(root).status().map_err(|error| format!("cargo: {error}"))?;
    if status.success() { Ok(()) } else { Err("the page was not written".to_owned()) }
}
