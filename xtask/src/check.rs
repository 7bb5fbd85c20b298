//! Everything a change must pass before it is tested: format, lints, the rules of the house.

use std::path::Path;
use std::process::Command;

/// Runs the checks one after the other; the first that fails ends it.
pub fn run(root: &Path) -> Result<(), String> {
    cargo(root, &["fmt", "--check"])?;
    cargo(root, &["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"])?;
    super::tidy::run(root)
}

/// Runs cargo in the workspace.
pub fn cargo(root: &Path, arguments: &[&str]) -> Result<(), String> {
    let status = Command::new(env!("CARGO"))
        .args(arguments)
        .current_dir(root)
        .status()
        .map_err(|e| format!("cargo {}: {e}", arguments.join(" ")))?;
    if status.success() { Ok(()) } else { Err(format!("cargo {} failed", arguments.join(" "))) }
}
