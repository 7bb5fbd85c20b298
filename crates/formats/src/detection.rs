//! What a document was taken for, and the document that was read once.

mod wrapper;

use std::borrow::Cow;

use quoin_xml::tree::{Document, Element, ParseError};
use serde::{Deserialize, Serialize};

use crate::json::SkimmedInvoice;
use crate::profiles::Profile;
use crate::syntax::{DocumentKind, Format, Syntax};
use crate::ubl::InvoiceGroups;

pub use wrapper::{CmsEncoding, Wrapper};

/// Namespace of the UN/CEFACT Standard Business Document Header, the Peppol envelope.
pub const SBDH: &str = "http://www.unece.org/cefact/namespaces/StandardBusinessDocumentHeader";

/// Bytes of a document that the reader accepts: more than the largest AS4 message (120 MB).
pub const MAX_BYTES: usize = 128 << 20;

/// Characters of CustomizationID and ProfileID that are kept. Document type identifiers of Peppol
/// end at 500.
pub const MAX_IDENTIFIER: usize = 1_000;

/// What a document was taken for, and why.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Detection {
    /// Whether it is well-formed XML within the limits.
    pub well_formed: bool,
    /// The document element, stepped into an envelope; `None` where there is no XML.
    pub root: Option<RootName>,
    /// The document type declaration, which is read and never followed.
    pub doctype: Option<Doctype>,
    /// The document stands inside a `StandardBusinessDocument`.
    pub enveloped: bool,
    /// What it was wrapped in, from the outside in.
    pub wrappers: Vec<Wrapper>,
    /// The syntax, if it is a known one.
    pub syntax: Option<Syntax>,
    /// The `id` of the row in [`crate::FORMATS`].
    pub format: Option<Cow<'static, str>>,
    /// The version of the format, where the document or its namespace states one. What UBL says in
    /// `UBLVersionID` is informative: senders often write it wrongly.
    pub version: Option<String>,
    /// What the document is for.
    pub kind: Option<DocumentKind>,
    /// The buyer issued it for the seller, by the profile, the document element or the type code.
    pub self_billing: bool,
    /// Specification identifier (BT-24) without white space.
    pub customization_id: Option<String>,
    /// Business process type (BT-23) without white space.
    pub profile_id: Option<String>,
    /// The `id` of the row in [`crate::profiles::PROFILES`].
    pub profile: Option<Cow<'static, str>>,
    /// The `id` of the row that the identifier names, where no document of this syntax and document
    /// element can be of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other_profile: Option<Cow<'static, str>>,
    /// The version of the profile, where the row leaves it open: `2.3` of XRechnung 1 or 2.
    pub profile_version: Option<String>,
    /// The `id` of the row in [`crate::profiles::PROCESSES`].
    pub process: Option<Cow<'static, str>>,
    /// The end of the specification identifier that no row knows, such as `#conformant#urn:x:y`.
    pub unknown_extension: Option<String>,
    /// The members of that end, one by one: `urn:x:y`.
    pub unknown_members: Vec<String>,
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

/// A document type declaration, as far as it is read: nothing of it is fetched or expanded.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Doctype {
    /// The name of the document element it announces.
    pub name: String,
    /// The system identifier: where the definition is said to be.
    pub system_id: Option<String>,
    /// Whether it declares something of its own between brackets, such as entities.
    pub internal_subset: bool,
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
    /// Syntax and profile are known, though the identifier is spelled in an odd way, or the rest of
    /// the document could not be read.
    Likely,
    /// Syntax and profile are known.
    Exact,
}

impl Detection {
    /// The row of the profile.
    pub fn profile(&self) -> Option<&'static Profile> {
        self.profile.as_deref().and_then(Profile::by_id)
    }

    /// The row of the format.
    pub fn format(&self) -> Option<&'static Format> {
        self.format.as_deref().and_then(Format::by_id)
    }

    /// What the document is, for people: the name of its format, else of its syntax.
    pub fn title(&self) -> Option<&'static str> {
        let format = self.format().map(|format| format.title);
        format.or_else(|| self.syntax.map(Syntax::title))
    }

    /// Whether it is EN 16931 as the profile of Factur-X, which only the PDF around it says.
    pub fn is_factur_x(&self) -> bool {
        let is_named = |wrapper: &Wrapper| {
            matches!(wrapper, Wrapper::HybridPdf { file_name, level: Some(_), mismatch: None, .. }
                if file_name.eq_ignore_ascii_case("factur-x.xml"))
        };
        self.profile.as_deref() == Some("en16931")
            && self.syntax == Some(Syntax::Cii)
            && self.wrappers.last().is_some_and(is_named)
    }

    /// Takes a row of a format as the answer.
    pub(crate) fn take(&mut self, format: &'static Format) {
        self.syntax = Some(format.syntax);
        self.format = Some(format.id.into());
        self.kind = Some(format.kind.usually);
        self.certainty = Certainty::Syntax;
    }

    pub(crate) fn because(&mut self, reason: impl Into<String>) {
        self.reasons.push(reason.into());
    }
}

/// A document that was read once: its tree and what it was taken for. Detection, validation and
/// [`Header`] share the one parse.
#[derive(Debug)]
pub struct ParsedDocument {
    tree: Result<Document, ParseError>,
    detection: Detection,
    /// How many documents a container holds that is not opened for them.
    held: usize,
    /// What an invoice in JSON says for itself that could not be read as a whole.
    skimmed: Option<SkimmedInvoice>,
}

impl ParsedDocument {
    /// A document by its tree and what it was taken for.
    pub(crate) fn new(tree: Result<Document, ParseError>, detection: Detection) -> ParsedDocument {
        ParsedDocument { tree, detection, held: 0, skimmed: None }
    }

    /// The tree, or why there is none.
    pub fn tree(&self) -> Result<&Document, &ParseError> {
        self.tree.as_ref()
    }

    /// Why there is no tree, for people: what is no XML is told as what it is, and not by the first
    /// of its bytes that XML has not.
    pub fn why_unread(&self) -> Option<String> {
        let error = self.tree.as_ref().err()?;
        let detection = &self.detection;
        Some(match detection.syntax {
            Some(Syntax::Json) => detection.reasons.last().cloned().unwrap_or_default(),
            Some(syntax) if self.held > 1 => {
                let (title, held) = (syntax.title(), self.held);
                format!(
                    "it begins like {title} and holds {held} XML documents: give each by itself"
                )
            }
            Some(syntax) if !syntax.is_xml() && syntax != Syntax::InvoiceJson => {
                format!("it begins like {} and has no XML document inside", syntax.title())
            }
            _ => error.to_string(),
        })
    }

    /// What the document was taken for, without its tree.
    pub(crate) fn into_detection(self) -> Detection {
        self.detection
    }

    /// What the document was taken for.
    pub fn detection(&self) -> &Detection {
        &self.detection
    }

    /// The same, with what it was found in.
    pub fn found_in(mut self, wrappers: Vec<Wrapper>) -> ParsedDocument {
        self.detection.wrappers = wrappers;
        self
    }

    /// The same, with how many documents are inside.
    pub(crate) fn holding(mut self, held: usize) -> ParsedDocument {
        self.held = held;
        self
    }

    /// The same, with what was seen of an invoice that could not be read.
    pub(crate) fn skimmed(mut self, skimmed: SkimmedInvoice) -> ParsedDocument {
        self.skimmed = Some(skimmed);
        self
    }

    /// What was seen of an invoice that could not be read.
    pub(crate) fn seen(&self) -> Option<&SkimmedInvoice> {
        self.skimmed.as_ref()
    }

    /// The document element, stepped into an envelope; `None` where there is no XML.
    pub fn root(&self) -> Option<Element<'_>> {
        self.tree.as_ref().ok().map(|tree| step_in(tree.root()).0)
    }

    /// The envelope around the document, or without one.
    pub fn envelope(&self) -> Option<Element<'_>> {
        let root = self.tree.as_ref().ok()?.root();
        Some(root).filter(|root| root.is(SBDH, "StandardBusinessDocument"))
    }

    /// The groups of a UBL invoice or credit note.
    pub fn invoice(&self) -> Option<InvoiceGroups<'_>> {
        let is_invoice = self.detection.syntax.is_some_and(Syntax::is_ubl_invoice);
        self.root().filter(|_| is_invoice).map(InvoiceGroups::new)
    }
}

/// The document inside an envelope, and whether there was one.
pub(crate) fn step_in(root: Element<'_>) -> (Element<'_>, bool) {
    if !root.is(SBDH, "StandardBusinessDocument") {
        return (root, false);
    }
    let inner = root.elements().find(|e| !e.is(SBDH, "StandardBusinessDocumentHeader"));
    inner.map_or((root, false), |inner| (inner, true))
}
