//! What can be wrong with a document's text, and where.

use std::fmt;

/// A place in the text: line and column, both counted from 1; columns count characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Position {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// Why a document could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{kind} ({position})")]
pub struct ParseError {
    /// What is wrong.
    pub kind: ParseErrorKind,
    /// Where it was noticed.
    pub position: Position,
}

/// The kinds of [`ParseError`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParseErrorKind {
    /// No element at all.
    #[error("the document is empty")]
    Empty,
    /// More bytes than allowed.
    #[error("the document is larger than {0} bytes")]
    TooLarge(usize),
    /// A document type declaration, which could name entities to expand or files to fetch.
    #[error("a document type declaration (DOCTYPE) is not allowed")]
    Dtd,
    /// Elements nested deeper than allowed.
    #[error("elements are nested deeper than {0} levels")]
    Depth(usize),
    /// More nodes than allowed.
    #[error("the document has more than {0} nodes")]
    Nodes(usize),
    /// More attributes on one element than allowed.
    #[error("an element has more than {0} attributes")]
    Attributes(usize),
    /// More namespace declarations in scope than allowed.
    #[error("more than {0} namespace declarations are in scope")]
    Namespaces(usize),
    /// An entity that is not predefined; without a DTD there is none.
    #[error("the entity &{0}; is not defined")]
    Entity(String),
    /// Bytes that are not text in the declared or detected encoding.
    #[error("the text is not valid {0}")]
    Encoding(String),
    /// Text in another encoding than its XML declaration names.
    #[error("its XML declaration says {declared}, and it is {found}")]
    OtherEncoding {
        /// What is declared.
        declared: String,
        /// What it is in.
        found: &'static str,
    },
    /// A declared encoding that is not read.
    #[error(
        "the encoding {0} is not supported; UTF-8, UTF-16, ISO-8859-1, ISO-8859-2, ISO-8859-15, \
             Windows-1250 and Windows-1252 are"
    )]
    UnsupportedEncoding(String),
    /// A character that XML does not allow.
    #[error("the character U+{0:04X} is not allowed in XML")]
    Character(u32),
    /// A prefix without a namespace declaration.
    #[error("the namespace prefix {0} is not declared")]
    Prefix(String),
    /// The same attribute twice on one element.
    #[error("the attribute {0} occurs twice")]
    DuplicateAttribute(String),
    /// An end tag that does not match.
    #[error("expected the end tag </{expected}>, found </{found}>")]
    EndTag {
        /// The open element.
        expected: String,
        /// What stands there.
        found: String,
    },
    /// The text ended inside something.
    #[error("the document ends inside {0}")]
    Truncated(&'static str),
    /// Any other breach of the grammar.
    #[error("expected {expected}, found {found}")]
    Syntax {
        /// What the grammar allows here.
        expected: &'static str,
        /// What stands there.
        found: String,
    },
}
