//! What the tests of every room share, and nothing that runs in the product: where the official
//! artefacts lie on this machine, how a test says that it was skipped because they are absent, and
//! how a bench measures.

pub mod bench;
pub mod containers;
pub mod dice;
pub mod files;
pub mod growth;
mod skips;

use std::path::{Path, PathBuf};

pub use skips::{say_skipped, skipped};

/// The path of an official artefact, relative to the folder named by `QUOIN_SHARED`, or to a folder
/// `shared` beside the checkout.
///
/// Answers `None`, and counts the test as skipped, where `QUOIN_SHARED=none` says so aloud.
///
/// # Panics
/// Where it is absent and nobody said that it may be: a test that checks nothing is no test.
pub fn shared(relative: &str) -> Option<PathBuf> {
    let named = std::env::var_os("QUOIN_SHARED");
    if named.as_deref().is_some_and(|name| name == "none") {
        skipped(WITHOUT_ARTEFACTS);
        return None;
    }
    let root = named.map_or_else(beside_the_checkout, PathBuf::from);
    assert!(root.is_dir(), "{NO_ARTEFACTS} Expected the folder {}.", root.display());
    let path = root.join(relative);
    assert!(path.exists(), "{NO_ARTEFACTS} Expected {}.", path.display());
    Some(path)
}

/// Whether what is made of the code, such as a page or a golden file, is written anew by the test
/// that else compares it: `UPDATE=1`.
pub fn writes_anew() -> bool {
    std::env::var_os("UPDATE").is_some_and(|update| update == "1")
}

/// What a test says that has no artefacts to check against.
const NO_ARTEFACTS: &str = "The official artefacts are not here. Set QUOIN_SHARED to the folder that \
    has them, or to `none` to run without them: the tests that need them are then skipped, and the \
    last line of the run says how many.";
/// Why those tests are skipped.
const WITHOUT_ARTEFACTS: &str = "official artefacts (QUOIN_SHARED=none)";

/// The text of an official artefact, or `None` as [`shared`] does.
pub fn shared_text(relative: &str) -> Option<String> {
    let path = shared(relative)?;
    Some(std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display())))
}

fn beside_the_checkout() -> PathBuf {
    let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    checkout.join("../shared")
}
