//! One parse of a document into an arena: nodes in document order, with namespaces and positions.
//!
//! [`Document`] owns its text; a node is an index. A document type declaration, an entity that is
//! not one of the five predefined ones, and anything over a limit are refused while reading, so a
//! tree is safe to walk. The text of an element is the concatenation of all its text nodes:
//! a comment put in the middle of a value hides nothing.
//!
//! Sources: XML 1.0 (fifth edition), Namespaces in XML 1.0.

mod element;
mod error;
mod index;
mod navigate;
mod parse;
mod place;
mod scan;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::OnceLock;

pub use element::{Attribute, Element, Node};
pub use error::{ParseError, ParseErrorKind, Position};
pub use index::{Index, NameId, NodeId};
pub(crate) use navigate::NodeKind;
pub(crate) use scan::{is_char, is_name, is_name_start};

/// What a reader accepts at most. Every field has a default that fits business documents.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Bytes of input.
    pub bytes: usize,
    /// Elements inside one another.
    pub depth: usize,
    /// Nodes: elements, texts, comments and processing instructions together.
    pub nodes: usize,
    /// A text that is longer than this many bytes a node may have more nodes than `nodes`: one for
    /// so many bytes. An invoice of 100,000 lines has 18 a node, a text made of `<a/>` has 4.
    pub bytes_per_node: usize,
    /// Attributes and namespace declarations of one element.
    pub attributes: usize,
    /// Namespace declarations in scope at one place.
    pub namespaces: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            bytes: 256 << 20,
            depth: 64,
            nodes: 2_000_000,
            bytes_per_node: 12,
            attributes: 256,
            namespaces: 128,
        }
    }
}

/// A document that was read.
#[derive(Debug)]
pub struct Document {
    source: String,
    /// Values that differ from their source: character references resolved, line ends normalised.
    decoded: String,
    nodes: Vec<NodeData>,
    attributes: Vec<AttributeData>,
    declarations: Vec<Declaration>,
    uris: Vec<String>,
    root: u32,
    lines: OnceLock<Vec<u32>>,
    index: OnceLock<Index>,
}

/// A piece of `source`, or of `decoded` where `in_decoded` is set.
#[derive(Debug, Clone, Copy, Default)]
struct Span {
    start: u32,
    end: u32,
    in_decoded: bool,
}

const NONE: u32 = u32::MAX;

#[derive(Debug)]
struct NodeData {
    kind: Kind,
    parent: u32,
    next: u32,
    /// The first node after this one's subtree: nodes `id + 1 .. end` are its descendants.
    end: u32,
    /// Where the node begins in `source`.
    offset: u32,
}

#[derive(Debug)]
enum Kind {
    Element(ElementData),
    Text(Span),
    Comment,
    Instruction { target: Span, value: Span },
}

#[derive(Debug)]
struct ElementData {
    prefix: Span,
    local: Span,
    uri: u32,
    first_attribute: u32,
    attribute_count: u16,
    declaration_count: u16,
    first_declaration: u32,
}

#[derive(Debug, Clone, Copy)]
struct AttributeData {
    prefix: Span,
    local: Span,
    uri: u32,
    value: Span,
}

/// `xmlns:prefix="uri"`; an empty prefix is the default namespace.
#[derive(Debug, Clone, Copy)]
struct Declaration {
    prefix: Span,
    uri: u32,
}

/// Namespace names seen so far, each once.
#[derive(Default)]
struct Interner {
    by_name: HashMap<String, u32>,
    names: Vec<String>,
}

impl Interner {
    fn intern(&mut self, name: &str) -> u32 {
        if let Some(&known) = self.by_name.get(name) {
            return known;
        }
        let index = self.names.len() as u32;
        self.names.push(name.to_owned());
        self.by_name.insert(name.to_owned(), index);
        index
    }
}

impl Document {
    /// Reads a document from UTF-8, or from UTF-16 with a byte order mark.
    ///
    /// # Errors
    /// [`ParseError`] with the line and column of the first thing that is wrong or over a limit.
    pub fn parse(bytes: &[u8], limits: &Limits) -> Result<Document, ParseError> {
        parse::parse(bytes, limits)
    }

    /// The document element.
    pub fn root(&self) -> Element<'_> {
        Element { document: self, id: self.root }
    }

    /// The text that was read, decoded to UTF-8 and without its byte order mark.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// How many nodes there are.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    fn span(&self, span: Span) -> &str {
        let text = if span.in_decoded { &self.decoded } else { &self.source };
        text.get(span.start as usize..span.end as usize).unwrap_or_default()
    }

    fn uri(&self, index: u32) -> &str {
        self.uris.get(index as usize).map_or("", String::as_str)
    }

    fn node(&self, id: u32) -> Option<&NodeData> {
        self.nodes.get(id as usize)
    }

    /// Line and column (both from 1, columns in characters) of a byte of the source.
    fn position(&self, offset: u32) -> Position {
        let lines = self.lines.get_or_init(|| {
            let breaks = memchr::memchr_iter(b'\n', self.source.as_bytes());
            std::iter::once(0).chain(breaks.map(|at| at as u32 + 1)).collect()
        });
        let line = lines.partition_point(|&start| start <= offset);
        let start = lines.get(line.saturating_sub(1)).copied().unwrap_or_default();
        let before = self.source.get(start as usize..offset as usize).unwrap_or_default();
        Position { line: line as u32, column: before.chars().count() as u32 + 1 }
    }
}
