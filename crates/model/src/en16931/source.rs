//! Where a value stands in the document: an element, or an attribute of one.
//!
//! What a value says is what stands there, or what was derived from it ([`super::Derivation`]).

use std::borrow::Cow;
use std::fmt;

use quoin_xml::tree::{Attribute, Document, Element, KeptId, NodeId, Position};

use crate::text::SPACE;

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

/// Every attribute, in the order of the variants.
const ATTRIBUTES: [AttributeName; 18] = {
    use AttributeName::*;
    [
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
    ]
};

/// What of an element a value is, in 4 bytes: its text, an attribute, or what was derived.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Aspect(u32);

/// The bit that tells a derived value; the others are where it is kept.
const KEPT: u32 = 1 << 31;

/// The bit that tells an attribute by its place among those of the element.
const PLACE: u32 = 1 << 30;

impl Aspect {
    const TEXT: Aspect = Aspect(0);

    const fn attribute(name: AttributeName) -> Aspect {
        Aspect(name as u32 + 1)
    }

    pub(super) const fn kept(id: KeptId) -> Aspect {
        Aspect(id.0 | KEPT)
    }

    fn as_attribute(self) -> Option<AttributeName> {
        ATTRIBUTES.get(self.0.checked_sub(1)? as usize).copied()
    }

    fn as_place(self) -> Option<usize> {
        (self.0 & (KEPT | PLACE) == PLACE).then_some((self.0 & !PLACE) as usize)
    }

    pub(super) fn as_kept(self) -> Option<u32> {
        (self.0 & KEPT != 0).then_some(self.0 & !KEPT)
    }
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
    pub(super) document: &'d Document,
    pub(super) node: NodeId,
    pub(super) aspect: Aspect,
}

impl PartialEq for ValueSource<'_> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.document, other.document)
            && self.node == other.node
            && self.aspect == other.aspect
    }
}

impl Eq for ValueSource<'_> {}

impl<'d> ValueSource<'d> {
    /// The text of an element.
    pub fn of(element: Element<'d>) -> ValueSource<'d> {
        ValueSource { document: element.document(), node: element.id(), aspect: Aspect::TEXT }
    }

    /// An attribute of an element, if the element has it (even where it is empty).
    pub fn attribute_of(element: Element<'d>, name: AttributeName) -> Option<ValueSource<'d>> {
        element.attribute(name.as_str())?;
        Some(ValueSource { aspect: Aspect::attribute(name), ..ValueSource::of(element) })
    }

    /// An attribute of an element by its expanded name, for syntaxes whose attributes have other
    /// names than [`AttributeName`]s, or are in a namespace; `None` where it is not there.
    pub fn attribute_called(
        element: Element<'d>,
        namespace: &str,
        local: &str,
    ) -> Option<ValueSource<'d>> {
        let fits = |one: Attribute<'_>| one.local == local && one.namespace == namespace;
        let place = element.attributes().position(fits)?;
        let aspect = Aspect(u32::try_from(place).ok().filter(|place| *place < PLACE)? | PLACE);
        Some(ValueSource { aspect, ..ValueSource::of(element) })
    }

    fn attribute_at_place(self) -> Option<Attribute<'d>> {
        self.element().attributes().nth(self.place().aspect.as_place()?)
    }

    /// The element; for an attribute, the element that has it.
    pub fn element(self) -> Element<'d> {
        // A source is made of an element only, so the node is one.
        self.document.element(self.node).unwrap_or_else(|| self.document.root())
    }

    /// Which attribute; `None` for the text of the element.
    pub fn attribute_name(self) -> Option<AttributeName> {
        self.place().aspect.as_attribute()
    }

    /// The number of the attribute in the document ([`Document::attribute`]); `None` for the text
    /// of the element.
    pub fn attribute_id(self) -> Option<u32> {
        let (aspect, mut ids) = (self.place().aspect, self.element().attribute_ids());
        match (aspect.as_place(), aspect.as_attribute()) {
            (Some(place), _) => ids.nth(place),
            (None, Some(name)) => ids.find(|id| {
                let attribute = self.document.attribute(*id);
                attribute.is_some_and(|one| one.local == name.as_str() && one.namespace.is_empty())
            }),
            (None, None) => None,
        }
    }

    /// An attribute of the same element, if it is there; of a syntax that has an element for it,
    /// that element.
    pub fn attribute(self, name: AttributeName) -> Option<ValueSource<'d>> {
        match self.kept_value().and_then(|kept| kept.attribute(name)) {
            Some((node, aspect)) => Some(ValueSource { node, aspect, ..self }),
            None => ValueSource::attribute_of(self.element(), name),
        }
    }

    /// The text exactly as it stands, white space included. For an element with child elements it
    /// is its own text without theirs, and without the white space around it, which is between
    /// them; for a derived value what was derived.
    pub fn text(self) -> Cow<'d, str> {
        if let Some(text) = self.kept_value().and_then(|kept| kept.text()) {
            return Cow::Borrowed(text);
        }
        if let Some(attribute) = self.attribute_at_place() {
            return Cow::Borrowed(attribute.value);
        }
        match self.attribute_name() {
            None if self.element().elements().next().is_some() => match self.element().text() {
                Cow::Borrowed(text) => Cow::Borrowed(text.trim_matches(SPACE)),
                Cow::Owned(text) => Cow::Owned(text.trim_matches(SPACE).to_owned()),
            },
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
        match self.attribute_at_place() {
            Some(Attribute { prefix: "", local, .. }) => {
                return format!("{}/@{local}", self.element().path());
            }
            Some(Attribute { prefix, local, .. }) => {
                return format!("{}/@{prefix}:{local}", self.element().path());
            }
            None => {}
        }
        match self.attribute_name() {
            None => self.element().path(),
            Some(name) => format!("{}/@{}", self.element().path(), name.as_str()),
        }
    }

    /// Line and column of the start tag.
    pub fn position(self) -> Position {
        self.element().position()
    }
}

/// The path and the text, as tests and logs want to see it; of a derived value also what it was
/// derived from.
impl fmt::Debug for ValueSource<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let derived = |f: &mut fmt::Formatter<'_>, source: ValueSource<'_>| {
            let Some(how) = source.derivation() else { return Ok(()) };
            let written = source.as_written();
            match written.trim_matches(SPACE).is_empty() {
                true => write!(f, " ({how:?})"),
                false => write!(f, " ({how:?} of {written:?})"),
            }
        };
        write!(f, "{:?} at {}", self.text(), self.path())?;
        derived(f, *self)?;
        let attributes = self.kept_value().map(|kept| kept.attribute_names()).unwrap_or_default();
        let of = |name| self.attribute(name).map(|source| (name, source));
        for (name, source) in attributes.iter().filter_map(|&name| of(name)) {
            write!(f, " @{}={:?}", name.as_str(), source.text())?;
            derived(f, source)?;
        }
        Ok(())
    }
}
