//! What a file is: its syntax by the document element, its profile by the specification
//! identifier. Reading never fails; what could not be read is part of the answer.
//!
//! The order of the test: first bytes, XML, envelope (stepped into), document element and
//! namespace, CustomizationID (BT-24), ProfileID (BT-23).

use std::borrow::Cow;

use quoin_xml::tree::{Document, Element, Limits, ParseError, ParseErrorKind};
use serde::{Deserialize, Serialize};

use crate::formats::Syntax;
use crate::header::Header;
use crate::profiles::{EN16931, Profile};
use crate::report::{cut, shortened};
use crate::ubl::{self, Invoice};

#[cfg(test)]
mod tests;

/// Namespace of the UN/CEFACT Standard Business Document Header, the Peppol envelope.
pub const SBDH: &str = "http://www.unece.org/cefact/namespaces/StandardBusinessDocumentHeader";

/// Bytes of a document that the reader accepts: more than the largest AS4 message (120 MB).
pub const MAX_BYTES: usize = 128 << 20;

/// Characters of CustomizationID and ProfileID that are kept. Document type identifiers of Peppol
/// end at 500.
pub const MAX_IDENTIFIER: usize = 1_000;

/// What a document was taken for, and why.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Detection {
    /// Whether it is well-formed XML within the limits.
    pub well_formed: bool,
    /// The document element, stepped into an envelope; `None` where there is no XML.
    pub root: Option<RootName>,
    /// The document stands inside a `StandardBusinessDocument`.
    pub enveloped: bool,
    /// The syntax, if it is a known one.
    pub syntax: Option<Syntax>,
    /// Specification identifier (BT-24) without white space.
    pub customization_id: Option<String>,
    /// Business process type (BT-23) without white space.
    pub profile_id: Option<String>,
    /// The `id` of the row in [`crate::profiles::PROFILES`].
    pub profile: Option<Cow<'static, str>>,
    /// The end of the specification identifier that no row knows, such as `#conformant#urn:x:y`.
    pub unknown_extension: Option<String>,
    /// How sure the answer is.
    pub certainty: Certainty,
    /// Why, in sentences.
    pub reasons: Vec<String>,
}

/// The expanded name of the document element, and the prefix it has in the file.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RootName {
    /// The namespace name, or `""`.
    pub namespace: String,
    /// The local name.
    pub local: String,
    /// The prefix as written, or `""`.
    pub prefix: String,
}

/// How sure detection is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Certainty {
    /// Nothing is known about the document.
    #[default]
    Unknown,
    /// The syntax is known; the profile is not, or the syntax has none.
    Syntax,
    /// The beginning of the specification identifier is known, the end is not.
    Base,
    /// Syntax and profile are known.
    Exact,
}

impl Detection {
    /// The row of the profile.
    pub fn profile(&self) -> Option<&'static Profile> {
        self.profile.as_deref().and_then(Profile::by_id)
    }
}

/// A document that was read once: its tree and what it was taken for. Detection, validation and
/// [`Header`] share the one parse.
#[derive(Debug)]
pub struct Parsed {
    pub(crate) tree: Result<Document, ParseError>,
    detection: Detection,
}

impl Parsed {
    /// What the document was taken for.
    pub fn detection(&self) -> &Detection {
        &self.detection
    }

    /// The document element, stepped into an envelope; `None` where there is no XML.
    pub fn root(&self) -> Option<Element<'_>> {
        self.tree.as_ref().ok().map(|tree| step_in(tree.root()).0)
    }

    /// What routing has to know; `None` unless it is a UBL invoice or credit note.
    pub fn header(&self) -> Option<Header> {
        Some(Header::of(&self.invoice()?, &self.detection))
    }

    /// The groups of a UBL invoice or credit note.
    pub(crate) fn invoice(&self) -> Option<Invoice<'_>> {
        let is_invoice = self.detection.syntax.is_some_and(Syntax::is_ubl_invoice);
        self.root().filter(|_| is_invoice).map(Invoice::new)
    }
}

/// Reads a document and tells what it is. Never fails: what is wrong is in the answer.
pub fn read(bytes: &[u8]) -> Parsed {
    let limits = Limits { bytes: MAX_BYTES, ..Limits::default() };
    let tree = Document::parse(bytes, &limits);
    let detection = match &tree {
        Ok(document) => of_tree(document.root()),
        Err(error) => of_unreadable(bytes, error),
    };
    Parsed { tree, detection }
}

/// What a document is, without keeping its tree.
pub fn detect(bytes: &[u8]) -> Detection {
    read(bytes).detection
}

/// The document inside an envelope, and whether there was one.
fn step_in(root: Element<'_>) -> (Element<'_>, bool) {
    if !root.is(SBDH, "StandardBusinessDocument") {
        return (root, false);
    }
    let inner = root.elements().find(|e| !e.is(SBDH, "StandardBusinessDocumentHeader"));
    inner.map_or((root, false), |inner| (inner, true))
}

fn of_tree(root: Element<'_>) -> Detection {
    let (root, enveloped) = step_in(root);
    let name = RootName {
        namespace: shortened(root.namespace()).into_owned(),
        local: shortened(root.local()).into_owned(),
        prefix: shortened(root.prefix()).into_owned(),
    };
    let mut found = Detection { well_formed: true, enveloped, ..Detection::default() };
    if enveloped {
        found.reasons.push("It stands inside a StandardBusinessDocument.".to_owned());
    }
    match syntax_of(root) {
        Some((syntax, title)) => {
            found.syntax = Some(syntax);
            found.certainty = Certainty::Syntax;
            let namespace = shortened(&name.namespace);
            found.reasons.push(format!(
                "The document element {} in namespace \"{namespace}\" is {title}.",
                name.local
            ));
            if syntax.is_ubl_invoice() {
                find_profile(root, &mut found);
            }
        }
        None => found.reasons.push(format!(
            "No known format has a document element {} in namespace \"{}\".",
            shortened(&name.local),
            shortened(&name.namespace)
        )),
    }
    found.root = Some(name);
    found
}

/// The syntax by the document element; the two formats whose invoice has no namespace at all are
/// told by what they hold.
fn syntax_of(root: Element<'_>) -> Option<(Syntax, &'static str)> {
    if let Some(format) = Syntax::of_root(root.namespace(), root.local()) {
        return Some((format.syntax, format.title));
    }
    if !root.is("", "Invoice") {
        return None;
    }
    const XSI: &str = "http://www.w3.org/2001/XMLSchema-instance";
    let schema = root.attribute_ns(XSI, "noNamespaceSchemaLocation").unwrap_or_default();
    let has = |local: &str| root.child("", local).is_some();
    if schema.to_ascii_lowercase().contains("insbou003")
        || (has("InvoiceNumber") && has("Buyer") && has("Supplier"))
    {
        return Some((Syntax::Dico, "DICO INSBOU003"));
    }
    has("Biller").then_some((Syntax::EbInterface, "ebInterface 1.0"))
}

fn find_profile(root: Element<'_>, found: &mut Detection) {
    let id = |local: &str| {
        let text: String = ubl::value(root, local)?.split_whitespace().collect();
        Some(text)
    };
    let short = |id: &String| cut(id, MAX_IDENTIFIER).into_owned();
    let customization = id("CustomizationID");
    found.profile_id = id("ProfileID").as_ref().map(short);
    found.customization_id = customization.as_ref().map(short);
    let Some(customization) = customization else {
        found.reasons.push("There is no CustomizationID (BT-24).".to_owned());
        return;
    };
    match Profile::of_chain(&customization) {
        Some((profile, "")) => {
            found.profile = Some(profile.id.into());
            found.certainty = Certainty::Exact;
            found.reasons.push(format!("CustomizationID is that of {}.", profile.title));
        }
        Some((profile, rest)) => {
            found.profile = Some(profile.id.into());
            found.certainty = Certainty::Base;
            let (title, rest) = (profile.title, shortened(rest));
            found.reasons.push(format!("CustomizationID is {title} and an unknown {rest}."));
            found.unknown_extension = Some(rest.into_owned());
        }
        None if customization.starts_with(EN16931) => {
            found.reasons.push(
                "CustomizationID begins like one of EN 16931, but not in its grammar.".to_owned(),
            );
        }
        None => found.reasons.push("CustomizationID names no known profile.".to_owned()),
    }
}

/// What a file is that is not XML, or not XML that is read.
fn of_unreadable(bytes: &[u8], error: &ParseError) -> Detection {
    let mut found = Detection::default();
    found.reasons.push(format!("It could not be read as XML: {error}."));
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    let format = match error.kind {
        ParseErrorKind::Dtd => doctype(bytes).and_then(Syntax::of_doctype),
        _ => Syntax::of_bytes(bytes),
    };
    if let Some(format) = format {
        found.syntax = Some(format.syntax);
        found.certainty = Certainty::Syntax;
        found.reasons.push(format!("It begins like {}.", format.title));
    }
    found
}

/// The name in a document type declaration near the start of a file.
fn doctype(bytes: &[u8]) -> Option<&str> {
    const LOOK: usize = 1024;
    const MARK: &[u8] = b"<!DOCTYPE";
    let start = bytes.get(..LOOK.min(bytes.len()))?;
    let at = start.windows(MARK.len()).position(|window| window == MARK)?;
    let rest = start.get(at + MARK.len()..)?.trim_ascii_start();
    let end =
        rest.iter().position(|byte| !(byte.is_ascii_alphanumeric() || b":_-.".contains(byte)));
    std::str::from_utf8(rest.get(..end.unwrap_or(rest.len()))?).ok()
}
