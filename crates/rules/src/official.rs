//! Official rule files, installed by an operator: which there are, what each applies to, from which
//! day to which, and which of them judge a document.
//!
//! ```text
//! files ── guess / description ──► compile ──► OfficialSet ──► Library ── in_force(document, day)
//! ```
//! A set has a coordinate, `group:artifact:release`; releases of one `group:artifact` live side by
//! side, and the day picks one. Nothing here reads a disk: files come in as bytes.

mod applies;
mod coordinate;
mod describe;
mod engine;
mod guess;
mod library;
mod schematron;
pub(crate) mod structure;
mod unit_tests;

pub use applies::Applies;
pub use coordinate::{Coordinate, CoordinateError};
pub use describe::{Description, OfficialSetKind};
pub use engine::{Engine, OfficialFileError, OfficialFinding, compile};
pub use guess::{Guessed, guess};
pub use library::{OfficialLibrary, OfficialSet, Policies};
pub use unit_tests::{TestFileResult, run_unit_tests};

/// The files of a set by their path from its folder, with `/` between the parts.
pub type SetFiles = std::collections::BTreeMap<String, Vec<u8>>;
