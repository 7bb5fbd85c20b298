//! What a check finds, and how it is said.

use std::fmt;

use crate::tree::Position;

/// One thing in a document that its schema does not allow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// The clause of XML Schema 1.0 that is broken, such as `cvc-complex-type.2.4.a`.
    pub clause: &'static str,
    /// The element, with the document's own prefixes: `/Invoice[1]/cbc:ID[1]`; an attribute ends
    /// in `/@name`.
    pub path: String,
    /// Where the element's start tag stands.
    pub position: Position,
    /// The text that is not allowed, where it is a text.
    pub value: Option<String>,
    /// What may stand here, in words.
    pub expected: String,
    /// What stands here, in words.
    pub found: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Position { line, column } = self.position;
        let Violation { clause, path, expected, found, .. } = self;
        write!(f, "line {line}, column {column}, {path}: expected {expected}, found {found}")?;
        write!(f, " ({clause})")
    }
}

/// The outcome of a check.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SchemaVerdict {
    /// Everything that is wrong, in document order; the first ones where there are very many.
    pub violations: Vec<Violation>,
    /// Whether there are more than are listed.
    pub is_cut: bool,
}

impl SchemaVerdict {
    /// Whether the document is as the schema says.
    pub fn is_valid(&self) -> bool {
        self.violations.is_empty()
    }
}
