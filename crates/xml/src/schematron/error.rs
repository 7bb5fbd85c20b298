//! Why a rule set could not be loaded: what was expected, what was found, and where it stands.

use std::fmt;
use std::sync::Arc;

use crate::tree::{ParseError, Position};
use crate::xpath::CompileError;

/// A place in one of the files of a rule set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// The file, relative to the folder of the rule set.
    pub file: Arc<str>,
    /// The start tag of the element that is meant.
    pub position: Position,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.position.line, self.position.column)
    }
}

/// Why a file of a rule set could not be had; the answer of a [`super::Resolver`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ResolveError {
    /// There is no such file.
    #[error("there is no such file")]
    Missing,
    /// Reading failed; the text says how.
    #[error("{0}")]
    Failed(String),
}

/// Why a rule set could not be loaded. The author of the rule set can fix all of these but
/// [`LoadError::Read`], which whoever installed it can fix.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LoadError {
    /// A file of the set could not be read.
    #[error("{file} cannot be read{}: {reason}", asked_by(.wanted_by))]
    Read {
        /// The file, relative to the folder of the rule set.
        file: String,
        /// The element that names the file; `None` for the main file.
        wanted_by: Option<Origin>,
        /// Why not.
        reason: ResolveError,
    },
    /// A file named by the set lies outside the folder of the set.
    #[error("{origin}: {href:?} lies outside the folder of the rule set")]
    Outside {
        /// The element that names it.
        origin: Origin,
        /// The reference as written.
        href: String,
    },
    /// A file of the set is not well-formed XML.
    #[error("{file}: {error}")]
    Xml {
        /// The file.
        file: String,
        /// What is wrong with it.
        error: ParseError,
    },
    /// The set breaks ISO/IEC 19757-3 or XSLT 2.0.
    #[error("{origin}: expected {expected}, found {found}")]
    Invalid {
        /// Where.
        origin: Origin,
        /// What the standard asks for here.
        expected: String,
        /// What stands there.
        found: String,
    },
    /// The set is correct but uses something that is not supported.
    #[error("{origin}: {what} is not supported")]
    Unsupported {
        /// Where.
        origin: Origin,
        /// What it uses.
        what: String,
    },
    /// An expression does not compile.
    #[error("{origin}: {error}")]
    Expression {
        /// The element that holds the expression.
        origin: Origin,
        /// Why not, with its code and the place in the expression.
        error: CompileError,
    },
    /// The set is larger than anything official by far.
    #[error("{origin}: more than {limit} {what}")]
    Limit {
        /// Where the limit was passed.
        origin: Origin,
        /// What there is too much of.
        what: &'static str,
        /// How much is allowed.
        limit: usize,
    },
}

fn asked_by(origin: &Option<Origin>) -> String {
    origin.as_ref().map(|origin| format!(" (wanted by {origin})")).unwrap_or_default()
}
