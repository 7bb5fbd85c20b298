//! Official rule files that an operator has installed: brought in, kept, loaded.
//!
//! ```text
//! DIR or ZIP ── package ──► files ── manifest or guess ──► sets ── compile ──► data/rules/DIGEST
//! ```
//! A package is copied whole under the digest of its content, in one rename, after every set in it
//! has compiled; what does not compile leaves nothing behind. Several releases live side by side.
//! A running service looks at the folder every few seconds and takes over what changed.

mod desk;
mod manifest;
mod package;
mod registry;
mod single;
mod syntaxes;

use std::path::PathBuf;

use quoin_rules::official::{Coordinate, OfficialFileError};

pub use desk::{RuleLibrary, watch};
pub use manifest::{MANIFEST, RulesManifest};
pub use package::{Described, Overrides, PackageFiles};
pub use registry::{Added, RegisteredPackage, Registry};
pub use syntaxes::{syntax_name, syntax_named};

/// Why rule files could not be installed, read or removed.
#[derive(Debug, thiserror::Error)]
pub enum RulesError {
    /// A file or folder cannot be read or written.
    #[error("{path}: {source}")]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The package is larger than a rule set by far.
    #[error("{path}: more than {limit} {what}; a rule set has far fewer")]
    Limit {
        /// The package.
        path: PathBuf,
        /// What there is too much of.
        what: &'static str,
        /// How much is accepted.
        limit: u64,
    },
    /// The package cannot be unpacked.
    #[error("{path}: {reason}")]
    Archive {
        /// The package.
        path: PathBuf,
        /// Why not.
        reason: String,
    },
    /// A manifest is wrong.
    #[error("{path}: {reason}")]
    Manifest {
        /// The manifest.
        path: PathBuf,
        /// What is wrong, with its line.
        reason: String,
    },
    /// What lies in the folder of a package is not what was registered.
    #[error(
        "{path}: this is not what was registered ({sets}): the folder is named by the digest of its \
         content, which is another one now. Put back what was changed, or remove the sets \
         (`quoin rules remove`) and add them again"
    )]
    Altered {
        /// The folder of the package.
        path: PathBuf,
        /// Its sets, each with its file.
        sets: String,
    },
    /// There is nothing to register.
    #[error(
        "{path}: nothing to register{reasons}; describe the sets in a {MANIFEST} in the folder, \
         or give --coordinate and --applies"
    )]
    Nothing {
        /// The package.
        path: PathBuf,
        /// What was found and could not be understood.
        reasons: String,
    },
    /// A set does not compile.
    #[error("{coordinate}: {error}")]
    Compile {
        /// The set.
        coordinate: Box<Coordinate>,
        /// Why not, with file, line and column.
        error: OfficialFileError,
    },
    /// The files of a set have no such phase.
    #[error(
        "{coordinate}: phase: its files have no phase {phase:?}; expected #ALL, #DEFAULT{}",
        known.iter().map(|id| format!(", {id}")).collect::<String>()
    )]
    Phase {
        /// The set.
        coordinate: Box<Coordinate>,
        /// The phases that there are.
        known: Vec<String>,
        /// What was asked for.
        phase: String,
    },
    /// A coordinate is taken.
    #[error(
        "{0} is registered already with other content; remove it first, or give another release \
         with --release"
    )]
    Taken(Box<Coordinate>),
    /// Nothing has this name.
    #[error("no rule set is called {0:?}; `quoin rules list` shows what there is")]
    Unknown(String),
}

impl RulesError {
    fn file(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> RulesError {
        let path = path.into();
        |source| RulesError::File { path, source }
    }
}
