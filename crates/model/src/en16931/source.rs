//! Where a value stands in the document: an element, or an attribute of one.

use std::borrow::Cow;
use std::fmt;

use quoin_xml::tree::{Document, Element, NodeId, Position};

/// The white space of XML.
pub(crate) const SPACE: [char; 4] = [' ', '\t', '\r', '\n'];

/// The attributes that values of the model carry; each is in no namespace.
///
/// Sources: UN/CEFACT core component types 2.01, as UBL 2.1 and CII D16B/D22B use them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "each is the attribute of that name")]
pub enum AttributeName {
    SchemeId,
    SchemeName,
    SchemeAgencyId,
    SchemeAgencyName,
    SchemeVersionId,
    ListId,
    ListVersionId,
    ListAgencyId,
    ListAgencyName,
    ListName,
    Name,
    LanguageId,
    CurrencyId,
    UnitCode,
    UnitCodeListId,
    MimeCode,
    Filename,
    Format,
}

impl AttributeName {
    /// The name as documents write it: `schemeID`.
    pub const fn as_str(self) -> &'static str {
        match self {
            AttributeName::SchemeId => "schemeID",
            AttributeName::SchemeName => "schemeName",
            AttributeName::SchemeAgencyId => "schemeAgencyID",
            AttributeName::SchemeAgencyName => "schemeAgencyName",
            AttributeName::SchemeVersionId => "schemeVersionID",
            AttributeName::ListId => "listID",
            AttributeName::ListVersionId => "listVersionID",
            AttributeName::ListAgencyId => "listAgencyID",
            AttributeName::ListAgencyName => "listAgencyName",
            AttributeName::ListName => "listName",
            AttributeName::Name => "name",
            AttributeName::LanguageId => "languageID",
            AttributeName::CurrencyId => "currencyID",
            AttributeName::UnitCode => "unitCode",
            AttributeName::UnitCodeListId => "unitCodeListID",
            AttributeName::MimeCode => "mimeCode",
            AttributeName::Filename => "filename",
            AttributeName::Format => "format",
        }
    }
}

/// The place of a value: the text of an element, or one attribute of it. Cheap to copy.
///
/// It is an element in the form that takes 16 bytes with the attribute: an invoice of 100,000
/// lines has millions of them.
#[derive(Clone, Copy)]
pub struct ValueSource<'d> {
    document: &'d Document,
    node: NodeId,
    attribute: Option<AttributeName>,
}

impl PartialEq for ValueSource<'_> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.document, other.document)
            && self.node == other.node
            && self.attribute == other.attribute
    }
}

impl Eq for ValueSource<'_> {}

impl<'d> ValueSource<'d> {
    /// The text of an element.
    pub fn of(element: Element<'d>) -> ValueSource<'d> {
        ValueSource { document: element.document(), node: element.id(), attribute: None }
    }

    /// An attribute of an element, if the element has it (even where it is empty).
    pub fn attribute_of(element: Element<'d>, name: AttributeName) -> Option<ValueSource<'d>> {
        element.attribute(name.as_str())?;
        Some(ValueSource { attribute: Some(name), ..ValueSource::of(element) })
    }

    /// The element; for an attribute, the element that has it.
    pub fn element(self) -> Element<'d> {
        // A source is made of an element only, so the node is one.
        self.document.element(self.node).unwrap_or_else(|| self.document.root())
    }

    /// Which attribute; `None` for the text of the element.
    pub fn attribute_name(self) -> Option<AttributeName> {
        self.attribute
    }

    /// An attribute of the same element, if it is there.
    pub fn attribute(self, name: AttributeName) -> Option<ValueSource<'d>> {
        ValueSource::attribute_of(self.element(), name)
    }

    /// The text exactly as it stands, white space included. For an element with child elements it
    /// is its own text without theirs.
    pub fn text(self) -> Cow<'d, str> {
        match self.attribute {
            None => self.element().text(),
            Some(name) => {
                Cow::Borrowed(self.element().attribute(name.as_str()).unwrap_or_default())
            }
        }
    }

    /// The text without the white space around it.
    pub fn trimmed(self) -> Cow<'d, str> {
        match self.text() {
            Cow::Borrowed(text) => Cow::Borrowed(text.trim_matches(SPACE)),
            Cow::Owned(text) => Cow::Owned(text.trim_matches(SPACE).to_owned()),
        }
    }

    /// Whether there is nothing, or only white space: present, and empty.
    pub fn is_blank(self) -> bool {
        self.text().trim_matches(SPACE).is_empty()
    }

    /// Whether the text without the white space around it is exactly this.
    pub fn is(self, text: &str) -> bool {
        self.text().trim_matches(SPACE) == text
    }

    /// Its XPath: `/Invoice[1]/cbc:ID[1]`, `/Invoice[1]/…/cbc:EndpointID[1]/@schemeID`.
    pub fn path(self) -> String {
        match self.attribute {
            None => self.element().path(),
            Some(name) => format!("{}/@{}", self.element().path(), name.as_str()),
        }
    }

    /// Line and column of the start tag.
    pub fn position(self) -> Position {
        self.element().position()
    }
}

/// The path and the text, as tests and logs want to see it.
impl fmt::Debug for ValueSource<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} at {}", self.text(), self.path())
    }
}
