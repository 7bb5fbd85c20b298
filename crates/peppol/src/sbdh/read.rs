//! Finding header and payload in an envelope, in one pass over its bytes.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

use memchr::memchr_iter;
use quoin_xml::tree::{Document, Limits};

use super::header;
use super::scan::{
    BYTE_ORDER_MARK, MarkupToken, ScanError, Scanner, StartTag, is_utf_8_by_declaration,
};
use super::{CONTENT_NAMESPACE, HEADER_LIMIT, NAMESPACE, Sbdh, SbdhRefusal};

/// Bytes of the start tag of a payload.
const START_LIMIT: usize = 64 << 10;

/// An envelope that was read: its header, and where its payload stands in the bytes that were read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Envelope {
    /// The header.
    pub sbdh: Sbdh,
    /// The payload element, from the `<` of its start tag to the end of its end tag.
    pub payload: Range<usize>,
    /// What the payload is.
    pub kind: PayloadKind,
    /// Offset in the payload after the name of its root element.
    name_end: usize,
    /// Prefixes that the payload uses and only the envelope declares, with their namespaces.
    pub(super) inherited: Vec<(String, String)>,
}

/// What a payload is (BME section 2.3).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PayloadKind {
    /// An XML document, the usual case.
    Xml,
    /// `BinaryContent`: Base64 of a document that is not XML.
    Binary {
        /// Media type of the decoded bytes.
        mime: String,
        /// Character encoding of the decoded bytes, for text formats.
        encoding: Option<String>,
    },
    /// `TextContent`: plain text.
    Text {
        /// Media type of the text.
        mime: String,
    },
}

impl From<ScanError> for SbdhRefusal {
    fn from(error: ScanError) -> Self {
        Self::Markup { offset: error.offset, why: error.why }
    }
}

/// Reads an envelope without building a tree of its payload.
///
/// Linear in the size of the envelope. The header is parsed in full; of the payload, only tags are
/// followed, so that it is known to be one element whose tags match. Text and attributes of the
/// payload are proved by whoever parses it next; where nobody does, use [`read_checked`].
///
/// # Errors
/// [`SbdhRefusal`] for everything that BME 2.0 forbids.
pub fn read(bytes: &[u8]) -> Result<Envelope, SbdhRefusal> {
    if let Err(error) = std::str::from_utf8(bytes) {
        return Err(SbdhRefusal::Encoding { offset: error.valid_up_to() });
    }
    let mark = if bytes.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
    if !is_utf_8_by_declaration(bytes.get(mark..).unwrap_or_default()) {
        return Err(SbdhRefusal::Markup {
            offset: mark,
            why: "the declared encoding is not UTF-8",
        });
    }
    let mut scanner = Scanner::new(bytes, mark);
    let root = match scanner.next()? {
        MarkupToken::Start(start) => start,
        MarkupToken::Nothing => return Err(SbdhRefusal::Empty),
        MarkupToken::Text { offset } | MarkupToken::End { from: offset, .. } => {
            return Err(SbdhRefusal::Markup { offset, why: "expected the root element" });
        }
    };
    envelope_root(&root)?;
    if root.empty {
        return Err(SbdhRefusal::NoHeader);
    }
    let head = child(&mut scanner)?.ok_or(SbdhRefusal::NoHeader)?;
    if resolved(&head, &root) != (NAMESPACE.into(), "StandardBusinessDocumentHeader".into()) {
        return Err(SbdhRefusal::NoHeader);
    }
    let head_end =
        Scanner::new(bytes.get(..HEADER_LIMIT).unwrap_or(bytes), scanner.at).skip_element(&head)?;
    let sbdh = parse_header(bytes, &root, head_end)?;
    scanner.at = head_end;
    let payload = child(&mut scanner)?.ok_or(SbdhRefusal::NoPayload)?;
    if payload.to - payload.from > START_LIMIT {
        let why = "the start tag of the payload has more than 64 KiB";
        return Err(SbdhRefusal::Markup { offset: payload.from, why });
    }
    let end = scanner.skip_element(&payload)?;
    nothing_more(&mut scanner, &root)?;
    let kind = payload_kind(bytes, &payload, &root, end, &sbdh)?;
    let range = payload.from..end;
    let inherited = inherited(&root, &payload, bytes.get(range.clone()).unwrap_or_default());
    let name_end = 1 + payload.name.len();
    Ok(Envelope { sbdh, payload: range, kind, name_end, inherited })
}

/// Reads an envelope after the whole of it was parsed under `limits`: what this accepts is
/// well-formed to the last byte (checklist rows D-01 and H-07).
///
/// # Errors
/// [`SbdhRefusal`], with [`SbdhRefusal::Xml`] for what only a full parse can see.
pub fn read_checked(bytes: &[u8], limits: &Limits) -> Result<Envelope, SbdhRefusal> {
    let envelope = read(bytes)?;
    let tree = Document::parse(bytes, limits)?;
    // Scanner and parser must mean the same element; if they ever differ, nothing is delivered.
    let marked = if bytes.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
    let mut children = tree.root().elements().skip(1).map(|payload| payload.offset() + marked);
    if (children.next(), children.next()) != (Some(envelope.payload.start), None) {
        let (offset, why) = (envelope.payload.start, "the payload is not where it seems to be");
        return Err(SbdhRefusal::Markup { offset, why });
    }
    Ok(envelope)
}

impl Envelope {
    /// The payload as a document of its own. `bytes` are those that were read.
    ///
    /// A slice of `bytes`, except where the payload uses a namespace prefix that only the envelope
    /// declares: then a copy with the declaration added to its root element.
    pub fn document<'b>(&self, bytes: &'b [u8]) -> Cow<'b, [u8]> {
        let slice = bytes.get(self.payload.clone()).unwrap_or_default();
        if self.inherited.is_empty() {
            return Cow::Borrowed(slice);
        }
        let (head, tail) = slice.split_at_checked(self.name_end).unwrap_or((slice, b""));
        let mut out = Vec::with_capacity(slice.len() + 256);
        out.extend_from_slice(head);
        for (prefix, namespace) in &self.inherited {
            // The namespace is raw text of a double or single quoted value, so only one of the two
            // quotes can be in it.
            let quote = if namespace.contains('"') { '\'' } else { '"' };
            out.extend_from_slice(format!(" xmlns:{prefix}={quote}{namespace}{quote}").as_bytes());
        }
        out.extend_from_slice(tail);
        Cow::Owned(out)
    }

    /// The content of a `BinaryContent` (decoded) or `TextContent` payload; for XML the same as
    /// [`Envelope::document`]. `bytes` are those that were read.
    ///
    /// # Errors
    /// [`SbdhRefusal::Xml`] and [`SbdhRefusal::Content`] for content that is not what it says.
    pub fn content<'b>(&self, bytes: &'b [u8]) -> Result<Cow<'b, [u8]>, SbdhRefusal> {
        let document = self.document(bytes);
        if self.kind == PayloadKind::Xml {
            return Ok(document);
        }
        let tree = Document::parse(&document, &Limits::default())?;
        let text = tree.root().text();
        if matches!(self.kind, PayloadKind::Text { .. }) {
            return Ok(Cow::Owned(text.into_owned().into_bytes()));
        }
        let digits: Vec<u8> = text.bytes().filter(|b| !b.is_ascii_whitespace()).collect();
        match data_encoding::BASE64.decode(&digits) {
            Ok(content) => Ok(Cow::Owned(content)),
            Err(_) => {
                Err(SbdhRefusal::Content { element: "BinaryContent", why: "is not valid Base64" })
            }
        }
    }
}

fn envelope_root(root: &StartTag<'_>) -> Result<(), SbdhRefusal> {
    let (namespace, local) = resolved(root, root);
    match (namespace == NAMESPACE, local.as_str()) {
        (true, "StandardBusinessDocument") => Ok(()),
        (true, "StandardBusinessDocumentHeader") => Err(SbdhRefusal::StandaloneHeader),
        _ => Err(SbdhRefusal::NotWrapped { found: lossy(root.name) }),
    }
}

/// The next child element of the envelope, or `None` at the envelope's end.
fn child<'a>(scanner: &mut Scanner<'a>) -> Result<Option<StartTag<'a>>, SbdhRefusal> {
    match scanner.next()? {
        MarkupToken::Start(start) => Ok(Some(start)),
        MarkupToken::End { .. } => Ok(None),
        MarkupToken::Text { offset } => {
            Err(SbdhRefusal::MoreThanOnePayload { found: "text".to_owned(), offset })
        }
        MarkupToken::Nothing => {
            Err(SbdhRefusal::Markup { offset: scanner.at, why: "the envelope is not closed" })
        }
    }
}

/// After the payload: the end tag of the envelope and then nothing.
fn nothing_more(scanner: &mut Scanner<'_>, root: &StartTag<'_>) -> Result<(), SbdhRefusal> {
    let more =
        |found: &[u8], offset| SbdhRefusal::MoreThanOnePayload { found: lossy(found), offset };
    match scanner.next()? {
        MarkupToken::End { name, .. } if name == root.name => {}
        MarkupToken::End { from, .. } => {
            let why = "an end tag does not match its start tag";
            return Err(SbdhRefusal::Markup { offset: from, why });
        }
        MarkupToken::Start(start) => return Err(more(start.name, start.from)),
        MarkupToken::Text { offset } => return Err(more(b"text", offset)),
        MarkupToken::Nothing => {
            return Err(SbdhRefusal::Markup {
                offset: scanner.at,
                why: "the envelope is not closed",
            });
        }
    }
    match scanner.next()? {
        MarkupToken::Nothing => Ok(()),
        MarkupToken::Start(start) => Err(more(start.name, start.from)),
        MarkupToken::Text { offset } | MarkupToken::End { from: offset, .. } => {
            Err(more(b"text", offset))
        }
    }
}

/// Parses the header on its own: everything up to its end, closed with the end tag of the root.
fn parse_header(bytes: &[u8], root: &StartTag<'_>, end: usize) -> Result<Sbdh, SbdhRefusal> {
    let head = bytes.get(..end).unwrap_or_default();
    let mut alone = Vec::with_capacity(head.len() + root.name.len() + 3);
    alone.extend_from_slice(head);
    alone.extend_from_slice(b"</");
    alone.extend_from_slice(root.name);
    alone.push(b'>');
    let tree = Document::parse(&alone, &Limits::default())?;
    let element = tree.root().child(NAMESPACE, "StandardBusinessDocumentHeader");
    header::parse(element.ok_or(SbdhRefusal::NoHeader)?)
}

fn payload_kind(
    bytes: &[u8],
    payload: &StartTag<'_>,
    root: &StartTag<'_>,
    end: usize,
    sbdh: &Sbdh,
) -> Result<PayloadKind, SbdhRefusal> {
    let (namespace, local) = resolved(payload, root);
    if namespace == NAMESPACE {
        return Err(SbdhRefusal::Nested);
    }
    let element = match (namespace == CONTENT_NAMESPACE, local.as_str()) {
        (true, "BinaryContent") => "BinaryContent",
        (true, "TextContent") => "TextContent",
        _ => {
            let parts = sbdh.document_type.parts();
            let announced = (parts.root_namespace, parts.local_name.unwrap_or_default());
            if announced != (namespace.as_str(), local.as_str()) {
                return Err(SbdhRefusal::OtherPayload {
                    announced: format!("{{{}}}{}", announced.0, announced.1),
                    found: format!("{{{namespace}}}{local}"),
                });
            }
            return Ok(PayloadKind::Xml);
        }
    };
    let refuse = |why| Err(SbdhRefusal::Content { element, why });
    let inside = bytes.get(payload.to..end).unwrap_or_default();
    match Scanner::new(inside, 0).next()? {
        MarkupToken::Start(_) => return refuse("holds an element: it may hold text only"),
        MarkupToken::Text { .. } => {}
        _ => return refuse("is empty"),
    }
    let attribute = |wanted: &[u8]| {
        payload.pairs().find(|(name, _)| *name == wanted).map(|(_, value)| lossy(value))
    };
    let Some(mime) = attribute(b"mimeType").filter(|mime| !mime.trim().is_empty()) else {
        return refuse("has no mimeType");
    };
    let essence = mime.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    if essence == "application/xml" || essence == "text/xml" {
        return refuse("wraps XML, which must be the payload itself");
    }
    Ok(match element {
        "BinaryContent" => PayloadKind::Binary { mime, encoding: attribute(b"encoding") },
        _ => PayloadKind::Text { mime },
    })
}

/// Namespace and local name of a start tag whose declarations are on itself or on the envelope.
fn resolved(start: &StartTag<'_>, root: &StartTag<'_>) -> (String, String) {
    let (prefix, local) = start.split();
    let declared = |tag: &StartTag<'_>| {
        tag.declarations().find(|(name, _)| *name == prefix).map(|(_, namespace)| lossy(namespace))
    };
    (declared(start).or_else(|| declared(root)).unwrap_or_default(), lossy(local))
}

/// Prefixes that the envelope declares, the payload's root does not, and the payload may use: found
/// in one pass over either, whatever there are.
fn inherited(root: &StartTag<'_>, payload: &StartTag<'_>, text: &[u8]) -> Vec<(String, String)> {
    let own: HashSet<&[u8]> = payload.declarations().map(|(prefix, _)| prefix).collect();
    let declared = root.declarations().filter(|(prefix, _)| !prefix.is_empty());
    let declared: Vec<_> = declared.filter(|(prefix, _)| !own.contains(prefix)).collect();
    let mut unused: HashSet<&[u8]> = declared.iter().map(|(prefix, _)| *prefix).collect();
    let (mut used, mut after) = (HashSet::new(), 0);
    for colon in memchr_iter(b':', text) {
        if unused.is_empty() {
            break;
        }
        let before = text.get(after..colon).unwrap_or_default();
        after = colon + 1;
        // Most colons have no name in front, or the same one by each of its readings.
        let [name, trimmed, plain] = prefixes_before(before);
        let others = [Some(trimmed), Some(plain).filter(|plain| *plain != trimmed)];
        let others = others.into_iter().flatten().filter(|other| *other != name);
        let names = std::iter::once(name).chain(others).filter(|name| !name.is_empty());
        used.extend(names.filter_map(|name| unused.take(name)));
    }
    declared
        .into_iter()
        .filter(|(prefix, _)| used.contains(prefix))
        .map(|(prefix, namespace)| (lossy(prefix), lossy(namespace)))
        .collect()
}

/// What may be the prefix in front of a colon: the name that ends there, the same from where a name
/// may begin, and what of it is ASCII, since not everything else is part of a name.
fn prefixes_before(text: &[u8]) -> [&[u8]; 3] {
    let part = |byte: &u8| matches!(byte, b'-' | b'.' | b'_') || byte.is_ascii_alphanumeric();
    let from = |is_part: &dyn Fn(&u8) -> bool| {
        let begin = text.iter().rposition(|byte| !is_part(byte)).map_or(0, |at| at + 1);
        text.get(begin..).unwrap_or_default()
    };
    let name = from(&|byte| part(byte) || !byte.is_ascii());
    let plain = from(&part);
    let begins = |byte: &u8| !matches!(byte, b'-' | b'.') && !byte.is_ascii_digit();
    let begun = |name: &'_ [u8]| name.iter().position(begins).unwrap_or(name.len());
    let trimmed = name.get(begun(name)..).unwrap_or_default();
    [name, trimmed, plain.get(begun(plain)..).unwrap_or_default()]
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
