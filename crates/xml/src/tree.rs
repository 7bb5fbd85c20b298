//! One parse of a document into an arena: nodes in document order, with namespaces and positions.
//!
//! [`Document`] owns its text; a node is an index. A document type declaration, an entity that is
//! not one of the five predefined ones, and anything over a limit are refused while reading, so a
//! tree is safe to walk. The text of an element is the concatenation of all its text nodes:
//! a comment put in the middle of a value hides nothing.
//!
//! Sources: XML 1.0 (fifth edition), Namespaces in XML 1.0.

mod children;
mod element;
mod error;
mod index;
mod kept;
mod names;
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
use index::ElementIndex;
pub use index::{NodeId, Tag};
pub use kept::KeptId;
use kept::KeptValues;
pub use names::NameId;
use names::NameTable;
pub(crate) use navigate::NodeKind;
pub(crate) use scan::{is_char, is_name, is_name_start};

/// The text of an XML document in whatever encoding it is, without its byte order mark: UTF-8,
/// UTF-16 by its mark or its declaration, or one of the one-byte encodings that are read (XML 1.0,
/// appendix F). An XML declaration in it still names the encoding that it had.
///
/// # Errors
/// Bytes that are not text in the encoding.
pub fn text(bytes: &[u8]) -> Result<std::borrow::Cow<'_, str>, ParseError> {
    parse::decode::text(bytes)
}

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
    elements: Vec<ElementData>,
    attributes: Vec<AttributeData>,
    /// Target and value of each processing instruction.
    instructions: Vec<(Span, Span)>,
    declarations: Vec<Declaration>,
    uris: Vec<String>,
    names: NameTable,
    root: u32,
    lines: OnceLock<Vec<u32>>,
    index: OnceLock<ElementIndex>,
    kept: KeptValues,
}

/// A piece of `source`, or of `decoded` where [`DECODED`] is set in its start.
#[derive(Debug, Clone, Copy, Default)]
struct Span {
    start: u32,
    end: u32,
}

/// The bit of a start that tells which text is meant; no text is as long as that.
const DECODED: u32 = 1 << 31;

impl Span {
    fn of_source(start: usize, end: usize) -> Span {
        Span { start: start as u32, end: end as u32 }
    }

    fn of_decoded(start: usize, end: usize) -> Span {
        Span { start: start as u32 | DECODED, end: end as u32 }
    }

    fn length(self) -> u32 {
        self.end - (self.start & !DECODED)
    }

    fn is_empty(self) -> bool {
        self.start & !DECODED == self.end
    }

    /// The bytes that it stands for.
    fn bytes<'t>(self, source: &'t str, decoded: &'t str) -> &'t [u8] {
        let text = if self.start & DECODED == 0 { source } else { decoded };
        let range = (self.start & !DECODED) as usize..self.end as usize;
        text.as_bytes().get(range).unwrap_or_default()
    }

    fn text<'t>(self, source: &'t str, decoded: &'t str) -> &'t str {
        let text = if self.start & DECODED == 0 { source } else { decoded };
        text.get((self.start & !DECODED) as usize..self.end as usize).unwrap_or_default()
    }
}

const NONE: u32 = u32::MAX;

/// A node. It is small, because a large document has millions; the next sibling of a node is at
/// its `end`, as long as that is before the `end` of their parent.
#[derive(Debug)]
struct NodeData {
    kind: NodeContent,
    parent: u32,
    /// The first node after this one's subtree: nodes `id + 1 .. end` are its descendants.
    end: u32,
    /// Where the node begins in `source`.
    offset: u32,
}

#[derive(Debug)]
enum NodeContent {
    /// By its place in `elements`.
    Element(u32),
    Text(Span),
    Comment,
    /// By its place in `instructions`.
    Instruction(u32),
}

#[derive(Debug)]
struct ElementData {
    name: NameId,
    /// Bytes of the prefix, which stands right behind the `<`.
    prefix: u32,
    first_attribute: u32,
    first_declaration: u32,
    attribute_count: u16,
    declaration_count: u16,
}

#[derive(Debug, Clone, Copy)]
struct AttributeData {
    name: NameId,
    prefix: Span,
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
        span.text(&self.source, &self.decoded)
    }

    /// The namespace names of the document, each once.
    pub(crate) fn namespace_names(&self) -> impl Iterator<Item = &str> {
        self.uris.iter().map(String::as_str)
    }

    fn uri(&self, index: u32) -> &str {
        self.uris.get(index as usize).map_or("", String::as_str)
    }

    fn node(&self, id: u32) -> Option<&NodeData> {
        self.nodes.get(id as usize)
    }

    fn element_data(&self, id: u32) -> Option<&ElementData> {
        match self.node(id)?.kind {
            NodeContent::Element(at) => self.elements.get(at as usize),
            _ => None,
        }
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
