//! What the tests of every room share, and nothing that runs in the product: where the official
//! artefacts lie on this machine, how a test says that it was skipped because they are absent, and
//! how a bench measures.

pub mod bench;
pub mod containers;
pub mod files;
pub mod growth;

use std::path::{Path, PathBuf};

/// The path of an official artefact, relative to the folder named by `QUOIN_SHARED`, or to a folder
/// `shared` beside the checkout.
///
/// Answers `None`, and prints a line that says which test skipped what, where it is absent.
pub fn shared(relative: &str) -> Option<PathBuf> {
    let root = std::env::var_os("QUOIN_SHARED").map_or_else(beside_the_checkout, PathBuf::from);
    let path = root.join(relative);
    if path.exists() {
        return Some(path);
    }
    let thread = std::thread::current();
    println!("skipped: {}: no {relative} here", thread.name().unwrap_or("test"));
    None
}

/// The text of an official artefact, or `None` as [`shared`] does.
pub fn shared_text(relative: &str) -> Option<String> {
    let path = shared(relative)?;
    Some(std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display())))
}

fn beside_the_checkout() -> PathBuf {
    let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    checkout.join("../shared")
}
