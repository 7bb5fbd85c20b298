//! The bookkeeping of one walk over a tree: which leaf had which fate.

use quoin_xml::tree::{Attribute, Element, Node, Position};

use quoin_model::en16931::{Field, Identifier, Invoice, ValueSource, ValueType};
use quoin_model::order::Order;
use quoin_model::text::SPACE;

use super::derived::{general_reasons, signs_of_prices};
use super::{OrderReading, Reading};
use crate::syntax::Syntax;

/// Where the hints to schemas are from.
pub(crate) const XSI: &str = "http://www.w3.org/2001/XMLSchema-instance";

/// How many leaves had which fate. The sum is the number of leaves of the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LeafTally {
    /// Leaves that the model holds.
    pub read: usize,
    /// Leaves that follow from the rest, and were checked to.
    pub derived: usize,
    /// Leaves that are no content, which a writer makes anew: the hint where to find the schema.
    pub regenerated: usize,
    /// Leaves of the residue.
    pub unread: usize,
}

/// A leaf of a document: the text of an element, or an attribute.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DocumentLeaf<'d> {
    element: Element<'d>,
    attribute: Option<Attribute<'d>>,
}

impl<'d> DocumentLeaf<'d> {
    /// The text of an element.
    pub fn text_of(element: Element<'d>) -> Self {
        DocumentLeaf { element, attribute: None }
    }

    /// An attribute of an element.
    pub fn attribute_of(element: Element<'d>, attribute: Attribute<'d>) -> Self {
        DocumentLeaf { element, attribute: Some(attribute) }
    }

    /// The element, or the element that has the attribute.
    pub fn element(&self) -> Element<'d> {
        self.element
    }

    /// The attribute, if it is one.
    pub fn attribute(&self) -> Option<Attribute<'d>> {
        self.attribute
    }

    /// Its XPath with the document's own prefixes.
    pub fn path(&self) -> String {
        let path = self.element.path();
        match self.attribute {
            None => path,
            Some(Attribute { prefix: "", local, .. }) => format!("{path}/@{local}"),
            Some(Attribute { prefix, local, .. }) => format!("{path}/@{prefix}:{local}"),
        }
    }

    /// What it says.
    pub fn text(&self) -> std::borrow::Cow<'d, str> {
        match self.attribute {
            None => self.element.text(),
            Some(attribute) => attribute.value.into(),
        }
    }

    /// Line and column of the start tag.
    pub fn position(&self) -> Position {
        self.element.position()
    }
}

/// One walk over a tree.
#[derive(Debug, Default, Clone)]
pub(crate) struct Pass<'d> {
    pub residue: Vec<DocumentLeaf<'d>>,
    pub read: usize,
    pub derived: Vec<DocumentLeaf<'d>>,
    pub regenerated: Vec<DocumentLeaf<'d>>,
    /// Whether the language of a text is content, and not what the syntax asks of each text.
    pub has_languages: bool,
    /// BT-90 as UBL has it: identifiers of seller and payee with scheme `SEPA`.
    pub creditor: Field<Identifier<'d>>,
}

impl<'d> Pass<'d> {
    /// What the walk came to.
    pub(crate) fn reading(self, syntax: Syntax, mut invoice: Invoice<'d>) -> Reading<'d> {
        // UBL, CII and our own form say what they say: their rules ask for it.
        if !syntax.is_ubl_invoice() && !matches!(syntax, Syntax::Cii | Syntax::InvoiceJson) {
            general_reasons(&mut invoice);
            signs_of_prices(&mut invoice);
        }
        let tally = self.tally();
        let Pass { residue, derived, regenerated, .. } = self;
        Reading { syntax, invoice, residue, derived, regenerated, tally }
    }

    /// What the walk over an order came to.
    pub(crate) fn order(self, order: Order<'d>) -> OrderReading<'d> {
        let tally = self.tally();
        let Pass { residue, derived, regenerated, .. } = self;
        OrderReading { order, residue, derived, regenerated, tally }
    }

    fn tally(&self) -> LeafTally {
        LeafTally {
            read: self.read,
            derived: self.derived.len(),
            regenerated: self.regenerated.len(),
            unread: self.residue.len(),
        }
    }

    /// Begins a group: its attributes and its own text are in no group, so they are residue. A
    /// group without child elements is itself a leaf, and read.
    pub(crate) fn open(&mut self, element: Element<'d>) {
        self.open_of(element, |_| false);
    }

    /// As [`Pass::open`], of a group of which some attributes are read besides.
    pub(crate) fn open_of(&mut self, element: Element<'d>, known: impl Fn(&Attribute<'d>) -> bool) {
        for attribute in element.attributes() {
            match known(&attribute) {
                true => self.read += 1,
                false => self.residue.push(DocumentLeaf { element, attribute: Some(attribute) }),
            }
        }
        self.own_text(element);
    }

    fn own_text(&mut self, element: Element<'d>) {
        match leaf(element) {
            LeafKind::Branch => {}
            LeafKind::Empty => self.read += 1,
            LeafKind::Text => self.residue.push(DocumentLeaf { element, attribute: None }),
        }
    }

    /// Reads an element into a value: its text, and the attributes that the type carries.
    pub(crate) fn value<T: ValueType<'d>>(&mut self, element: Element<'d>) -> T {
        self.read += 1;
        self.attributes(element, |name| T::ATTRIBUTES.iter().any(|known| known.as_str() == name));
        self.inside(element);
        T::from(ValueSource::of(element))
    }

    /// As [`Pass::value`], of an element of which some attributes are read besides.
    pub(crate) fn value_of<T: ValueType<'d>>(
        &mut self,
        element: Element<'d>,
        known: impl Fn(&Attribute<'d>) -> bool,
    ) -> T {
        self.read += 1;
        for attribute in element.attributes() {
            match known(&attribute) {
                true => self.read += 1,
                false => self.residue.push(DocumentLeaf { element, attribute: Some(attribute) }),
            }
        }
        self.inside(element);
        T::from(ValueSource::of(element))
    }

    /// Reads an element into a field, after what the field has already.
    pub(crate) fn take<T: ValueType<'d>>(&mut self, field: &mut Field<T>, element: Element<'d>) {
        field.push(self.value(element));
    }

    /// Begins the document element. A hint where to find its schema is no content: it is made
    /// anew if the schema is that of the element's own namespace.
    pub(crate) fn open_root(&mut self, element: Element<'d>) {
        self.open_root_of(element, |_| false);
    }

    /// As [`Pass::open_root`], of a document element of which some attributes are read besides.
    pub(crate) fn open_root_of(
        &mut self,
        element: Element<'d>,
        known: impl Fn(&Attribute<'d>) -> bool,
    ) {
        for attribute in element.attributes() {
            let is_hint = attribute.namespace == XSI && attribute.local == "schemaLocation";
            let of = attribute.value.split_ascii_whitespace().next();
            if is_hint && of == Some(element.namespace()) {
                self.regenerated.push(DocumentLeaf::attribute_of(element, attribute));
            } else if known(&attribute) {
                self.read += 1;
            } else {
                self.residue.push(DocumentLeaf { element, attribute: Some(attribute) });
            }
        }
        self.own_text(element);
    }

    /// Counts an element as derived if what it says is what follows from the rest, else leaves it
    /// unread.
    pub(crate) fn derive(&mut self, element: Element<'d>, expected: &str) {
        if !element.elements().any(|_| true) && ValueSource::of(element).is(expected) {
            self.derived.push(DocumentLeaf::text_of(element));
            self.attributes(element, |_| false);
        } else {
            self.unread(element);
        }
    }

    /// Leaves an element unread, with everything inside it.
    pub(crate) fn unread(&mut self, element: Element<'d>) {
        every_leaf(element, &mut self.residue);
    }

    /// Counts an element as no content, with everything inside it.
    pub(crate) fn regenerate(&mut self, element: Element<'d>) {
        every_leaf(element, &mut self.regenerated);
    }

    /// Counts an element as said elsewhere, with everything inside it: the caller has compared it.
    pub(crate) fn derive_whole(&mut self, element: Element<'d>) {
        every_leaf(element, &mut self.derived);
    }

    fn attributes(&mut self, element: Element<'d>, known: impl Fn(&str) -> bool) {
        for attribute in element.attributes() {
            if attribute.namespace.is_empty() && known(attribute.local) {
                self.read += 1;
            } else {
                self.residue.push(DocumentLeaf { element, attribute: Some(attribute) });
            }
        }
    }

    /// What stands inside an element that should have text only. Where it has no text of its own
    /// the element is not a leaf, and the caller has counted one too many.
    fn inside(&mut self, element: Element<'d>) {
        let mut children = element.elements().peekable();
        if children.peek().is_none() {
            return;
        }
        if matches!(leaf(element), LeafKind::Branch) {
            self.read = self.read.saturating_sub(1);
        }
        for child in children {
            self.unread(child);
        }
    }
}

/// Every leaf of an element and of everything inside it.
fn every_leaf<'d>(element: Element<'d>, leaves: &mut Vec<DocumentLeaf<'d>>) {
    for element in element.descendants() {
        for attribute in element.attributes() {
            leaves.push(DocumentLeaf { element, attribute: Some(attribute) });
        }
        if !matches!(leaf(element), LeafKind::Branch) {
            leaves.push(DocumentLeaf { element, attribute: None });
        }
    }
}

/// Whether the text of an element is a leaf.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum LeafKind {
    /// It has child elements and no text of its own.
    Branch,
    /// It has neither child elements nor text.
    Empty,
    /// It has text of its own.
    Text,
}

/// Whether the text of an element is a leaf.
pub(crate) fn leaf(element: Element<'_>) -> LeafKind {
    let mut kind = LeafKind::Empty;
    for child in element.children() {
        match child {
            Node::Text(text) if !text.trim_matches(SPACE).is_empty() => return LeafKind::Text,
            Node::Element(_) => kind = LeafKind::Branch,
            _ => {}
        }
    }
    kind
}
