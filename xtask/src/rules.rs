//! Writes the pages that tell what each built-in rule asks, to be published.
//!
//! The pages are made where the rules can be read, by an example of that room; so this tool does
//! not depend on what it generates, and the service answers with the same pages.

use std::path::{Path, PathBuf};

/// Where the pages go, below the root of the checkout, where nothing else is said.
const FOLDER: &str = "target/rules";

/// `cargo xtask rules [FOLDER]`: writes the pages.
///
/// # Errors
/// The pages could not be written, or cargo could not be started.
pub fn run(root: &Path, folder: Option<&str>) -> Result<(), String> {
    let here = std::env::current_dir().map_err(|error| format!("here: {error}"))?;
    let folder = folder.map_or_else(|| PathBuf::from(FOLDER), |folder| here.join(folder));
    let folder = folder.to_string_lossy();
    let example = ["run", "--quiet", "--package", "quoin-rules", "--example", "pages", "--"];
    super::check::cargo(root, &[&example[..], &[&folder]].concat())
}
