//! The reader: one pass over the text, no recursion, every limit checked before memory is taken.

pub(super) mod decode;
mod markup;
mod names;
mod value;

use std::sync::OnceLock;

use super::scan::{self, is_space};
use super::{
    AttributeData, Declaration, Document, ElementData, Interner, Limits, NONE, NameTable,
    NodeContent, NodeData, ParseError, ParseErrorKind, Position, Span,
};
use names::{NameCache, QName};

pub(super) type ParseResult<T> = std::result::Result<T, ParseError>;

pub(super) fn parse(bytes: &[u8], limits: &Limits) -> ParseResult<Document> {
    let most = limits.bytes.min(super::DECODED as usize - 1);
    if bytes.len() > most {
        return Err(at_start(ParseErrorKind::TooLarge(most)));
    }
    let source = decode::decode(bytes)?;
    let mut reader = TreeReader::new(&source, limits);
    let root = reader.document()?;
    let TreeReader { decoded, nodes, elements, attributes, .. } = reader;
    let TreeReader { instructions, declarations, interner, names, .. } = reader;
    Ok(Document {
        decoded,
        nodes,
        elements,
        attributes,
        instructions,
        declarations,
        uris: interner.names,
        names,
        root,
        lines: OnceLock::new(),
        index: OnceLock::new(),
        kept: super::KeptValues::default(),
        source,
    })
}

fn at_start(kind: ParseErrorKind) -> ParseError {
    ParseError { kind, position: Position { line: 1, column: 1 } }
}

fn position(text: &str, offset: usize) -> Position {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.matches('\n').count() as u32 + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() as u32 + 1;
    Position { line, column }
}

struct TreeReader<'s> {
    text: &'s str,
    bytes: &'s [u8],
    at: usize,
    limits: &'s Limits,
    /// The limit on nodes for a text of this length.
    most_nodes: usize,
    decoded: String,
    nodes: Vec<NodeData>,
    elements: Vec<ElementData>,
    attributes: Vec<AttributeData>,
    instructions: Vec<(Span, Span)>,
    declarations: Vec<Declaration>,
    interner: Interner,
    names: NameTable,
    known_elements: NameCache,
    known_attributes: NameCache,
    /// Counts the changes of the namespaces in scope.
    bindings: u32,
    /// Elements that ended since the last start tag.
    ends: usize,
    /// Open elements, outermost first.
    open: Vec<OpenElement>,
    /// Namespace bindings in scope, innermost last, as indices into `declarations`.
    scope: Vec<u32>,
    /// Room for the attributes of the start tag under the cursor.
    written: Vec<WrittenAttribute>,
}

/// An attribute as written, before its prefix is resolved: name and value.
type WrittenAttribute = (QName, Span);

struct OpenElement {
    id: u32,
    scope: usize,
    name: Span,
}

/// How a character run ended.
enum RunEnd {
    Markup,
    End,
}

impl<'s> TreeReader<'s> {
    fn new(text: &'s str, limits: &'s Limits) -> Self {
        let dense = text.len().checked_div(limits.bytes_per_node).unwrap_or(0);
        let most_nodes = limits.nodes.max(dense);
        let guess = (text.len() / 20).min(most_nodes);
        TreeReader {
            most_nodes,
            text,
            bytes: text.as_bytes(),
            at: 0,
            limits,
            decoded: String::new(),
            nodes: Vec::with_capacity(guess),
            elements: Vec::with_capacity(guess / 2),
            attributes: Vec::new(),
            instructions: Vec::new(),
            declarations: Vec::new(),
            interner: Interner::default(),
            names: NameTable::default(),
            known_elements: NameCache::default(),
            known_attributes: NameCache::default(),
            bindings: 0,
            ends: 0,
            open: Vec::new(),
            scope: Vec::new(),
            written: Vec::new(),
        }
    }

    /// `document ::= prolog element Misc*`; answers the id of the document element.
    fn document(&mut self) -> ParseResult<u32> {
        self.interner.intern("");
        self.xml_declaration()?;
        self.miscellaneous()?;
        if self.at >= self.bytes.len() {
            return Err(self.error(ParseErrorKind::Empty));
        }
        if self.peek() != b'<' {
            return Err(self.syntax("the start tag of the document element"));
        }
        let root = self.nodes.len() as u32;
        self.start_tag()?;
        while !self.open.is_empty() {
            match self.characters()? {
                RunEnd::Markup => self.markup()?,
                RunEnd::End => return Err(self.error(ParseErrorKind::Truncated("an element"))),
            }
        }
        self.miscellaneous()?;
        if self.at < self.bytes.len() {
            return Err(self.syntax("nothing after the document element"));
        }
        Ok(root)
    }

    /// White space, comments and processing instructions outside the document element.
    fn miscellaneous(&mut self) -> ParseResult<()> {
        loop {
            self.skip_space();
            if self.looking_at("<!--") {
                self.comment()?;
            } else if self.looking_at("<?") {
                self.instruction()?;
            } else if self.looking_at("<!DOCTYPE") {
                return Err(self.error(ParseErrorKind::Dtd));
            } else {
                return Ok(());
            }
        }
    }

    #[inline]
    fn push(&mut self, kind: NodeContent, offset: usize) -> ParseResult<u32> {
        if self.nodes.len() >= self.most_nodes {
            return Err(self.error(ParseErrorKind::Nodes(self.most_nodes)));
        }
        let id = self.nodes.len() as u32;
        let parent = self.open.last().map_or(NONE, |open| open.id);
        self.nodes.push(NodeData { kind, parent, end: id + 1, offset: offset as u32 });
        Ok(id)
    }

    // ---- the text under the cursor

    fn peek(&self) -> u8 {
        self.bytes.get(self.at).copied().unwrap_or(0)
    }

    fn rest(&self) -> &'s str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn looking_at(&self, token: &str) -> bool {
        self.bytes.get(self.at..).is_some_and(|rest| rest.starts_with(token.as_bytes()))
    }

    fn skip_space(&mut self) -> bool {
        let before = self.at;
        while self.at < self.bytes.len() && is_space(self.peek()) {
            self.at += 1;
        }
        self.at > before
    }

    fn expect(&mut self, token: &str, expected: &'static str) -> ParseResult<()> {
        if !self.looking_at(token) {
            return Err(self.syntax(expected));
        }
        self.at += token.len();
        Ok(())
    }

    /// `NCName`.
    fn ncname(&mut self, expected: &'static str) -> ParseResult<Span> {
        let start = self.at;
        let rest = self.rest();
        let ascii = rest
            .bytes()
            .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.'))
            .count();
        let first = rest.chars().next();
        if !first.is_some_and(scan::is_name_start) {
            return Err(self.syntax(expected));
        }
        let mut length = ascii;
        if rest.as_bytes().get(ascii).is_some_and(|byte| !byte.is_ascii()) {
            length = rest
                .char_indices()
                .find(|(_, c)| !scan::is_name(*c))
                .map_or(rest.len(), |(index, _)| index);
        }
        self.at += length;
        Ok(Span::of_source(start, self.at))
    }

    fn str_of(&self, span: Span) -> &str {
        span.text(self.text, &self.decoded)
    }

    fn source_str(&self, span: Span) -> &'s str {
        span.text(self.text, "")
    }

    // ---- errors

    fn error(&self, kind: ParseErrorKind) -> ParseError {
        self.error_at(kind, self.at)
    }

    fn error_at(&self, kind: ParseErrorKind, offset: usize) -> ParseError {
        ParseError { kind, position: position(self.text, offset.min(self.text.len())) }
    }

    fn syntax(&self, expected: &'static str) -> ParseError {
        let found = match self.rest().chars().next() {
            None => "the end of the document".to_owned(),
            Some(c) if c.is_control() => format!("U+{:04X}", c as u32),
            Some(c) => format!("{c:?}"),
        };
        self.error(ParseErrorKind::Syntax { expected, found })
    }
}
