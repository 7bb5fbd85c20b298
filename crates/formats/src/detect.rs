//! What a file is: its syntax by the document element, its profile by the specification
//! identifier. Reading never fails; what could not be read is part of the answer.
//!
//! The order of the test: first bytes, XML, envelope (stepped into), document element and
//! namespace, CustomizationID (BT-24), ProfileID (BT-23). A file that is not well-formed XML is
//! still named, from its document type declaration and first start tags. Containers (PDF, zip,
//! CMS, MIME) are named here and opened by [`crate::unwrap`](mod@crate::unwrap).

mod identify;
mod interchange;
mod json;
mod sniff;
#[cfg(test)]
mod tests;

use quoin_xml::tree::{Document, Limits};

pub use sniff::{begins_like, is_pdf};

use crate::Syntax;
use crate::detection::{Certainty, Detection, MAX_BYTES, ParsedDocument};
use crate::unwrap::{self, Unwrapped};

/// Reads a document and tells what it is. Never fails: what is wrong is in the answer.
pub fn read(bytes: &[u8]) -> ParsedDocument {
    let limits = Limits { bytes: MAX_BYTES, ..Limits::default() };
    let tree = Document::parse(bytes, &limits);
    let error = match &tree {
        Ok(document) => {
            let detection = identify::of_tree(document.root());
            return ParsedDocument::new(tree, detection);
        }
        Err(error) => error,
    };
    let mut detection = sniff::of_unreadable(bytes, error);
    match detection.syntax {
        Some(Syntax::InvoiceJson) => {
            let tree = crate::json::tree(bytes, &limits);
            match &tree {
                Ok(document) => identify::of_json(document.root(), &mut detection),
                Err(error) => {
                    detection.because(format!("It could not be read as an invoice: {error}."));
                    let skimmed = crate::json::skim(bytes, &limits);
                    identify::of_skimmed(&skimmed, &mut detection);
                    return ParsedDocument::new(tree, detection).skimmed(skimmed);
                }
            }
            ParsedDocument::new(tree, detection)
        }
        Some(Syntax::Cxml) => {
            let tree = crate::cxml::tree(bytes, &limits).filter(Result::is_ok).unwrap_or(tree);
            ParsedDocument::new(tree, detection)
        }
        _ => ParsedDocument::new(tree, detection),
    }
}

/// What a document is, without keeping its tree.
pub fn detect(bytes: &[u8]) -> Detection {
    read(bytes).into_detection()
}

/// What a document is whose tree is already there.
pub fn detect_tree(document: &Document) -> Detection {
    identify::of_tree(document.root())
}

impl Detection {
    /// The same document as one of another specification identifier: that of the envelope in which
    /// it came.
    pub fn announced_as(&self, customization: &str) -> Detection {
        let mut found = Detection {
            customization_id: identify::plain(customization),
            profile: None,
            other_profile: None,
            profile_version: None,
            unknown_extension: None,
            unknown_members: Vec::new(),
            certainty: Certainty::Syntax,
            reasons: vec!["It came as a document of another type than it says.".to_owned()],
            ..self.clone()
        };
        let local = self.root.as_ref().map(|root| root.local.clone()).unwrap_or_default();
        if let Some(syntax) = self.syntax {
            identify::profile(syntax, &local, &mut found);
        }
        found
    }
}

/// The documents inside a file. Never fails and never panics: what is closed is told.
pub fn unwrap<'b>(bytes: &'b [u8], limits: &unwrap::UnwrapLimits) -> Unwrapped<'b> {
    unwrap::open(bytes, limits, read)
}

/// Whether there may be documents inside a file: a quick look at its bytes that misses no
/// container.
pub fn may_hold_documents(bytes: &[u8]) -> bool {
    let is_wide = bytes.iter().take(4).any(|byte| matches!(byte, 0 | 0xFE | 0xFF));
    let start = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    let says = |name: &[u8]| memchr::memmem::find(bytes, name).is_some();
    match start.first() {
        _ if is_wide || is_pdf(bytes) => true,
        Some(b'<') => says(b"BinaryContent") || says(b"TextContent"),
        Some(b'{' | b'[') | None => false,
        Some(_) => true,
    }
}

/// How many bytes [`unwrap`] holds beside those of the file, `most` at most: where it is that many,
/// it may be more. Finding out holds no more than that either.
pub fn unpacked(bytes: &[u8], most: usize) -> usize {
    let limits = unwrap::UnwrapLimits::default();
    let limits = unwrap::UnwrapLimits { unpacked: most.min(limits.unpacked), ..limits };
    unwrap::measured(bytes, &limits, read)
}

/// The one document inside a container, with what it was found in; `None` where the file is no
/// container, or holds no document or several.
pub fn inside(bytes: &[u8]) -> Option<ParsedDocument> {
    only(&mut documents(bytes))
}

/// The one document inside a container, as [`inside`] gives it; else the file itself, which tells
/// how many it holds.
pub fn opened(bytes: &[u8]) -> ParsedDocument {
    let mut documents = documents(bytes);
    let count = documents.len();
    only(&mut documents).unwrap_or_else(|| read(bytes).holding(count))
}

/// The documents of XML inside a container.
fn documents(bytes: &[u8]) -> Vec<unwrap::InnerDocument<'_>> {
    let mut documents = unwrap(bytes, &unwrap::UnwrapLimits::default()).documents;
    documents.retain(|inner| {
        let is_container = inner.detection.syntax.is_some_and(Syntax::is_container);
        !inner.detection.wrappers.is_empty() && !is_container && inner.detection.root.is_some()
    });
    documents
}

fn only(documents: &mut Vec<unwrap::InnerDocument<'_>>) -> Option<ParsedDocument> {
    let inner = documents.pop().filter(|_| documents.is_empty())?;
    Some(read(&inner.bytes).found_in(inner.detection.wrappers))
}
