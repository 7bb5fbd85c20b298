//! Writes `docs/rules`: the pages that tell what each built-in rule asks.
//!
//! The pages are made where the rules can be read, by the test of the document room that compares
//! them; so there is one generator, and this tool does not depend on what it generates.

use std::path::Path;
use std::process::Command;

/// The package, the target and the test that writes the pages when it is told to.
const TEST: &[&str] =
    &["test", "--quiet", "--package", "quoin-rules", "--test", "it", "rule_pages"];

/// `cargo xtask rules`: writes the pages into the checkout at `root`.
///
/// # Errors
/// The pages could not be written, or cargo could not be started.
pub fn run(root: &Path) -> Result<(), String> {
    let mut cargo = Command::new(env!("CARGO"));
    let cargo = cargo.args(TEST).args(["--", "--nocapture"]).env("UPDATE", "1");
    let status = cargo.current_dir(root).status().map_err(|error| format!("cargo: {error}"))?;
    if status.success() { Ok(()) } else { Err("the pages were not written".to_owned()) }
}
