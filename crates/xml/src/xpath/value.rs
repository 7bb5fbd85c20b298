//! Values: nodes, atomic values and sequences of them, XPath 2.0 section 2.4 and the data model.

use std::rc::Rc;
use std::sync::Arc;

use super::number::{Integer, XPathDecimal};
use super::temporal::{Moment, XPathDuration};

/// A node: the document (0 is the one that is judged) and a place in document order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeRef {
    pub(crate) document: u32,
    /// 0 is the document node; else the number of the tree node plus one.
    pub(crate) node: u32,
    /// 0 is the node itself; else the number of the attribute in the document plus one.
    pub(crate) attribute: u32,
}

impl NodeRef {
    /// The document node of the document that is judged.
    pub const ROOT: NodeRef = NodeRef { document: 0, node: 0, attribute: 0 };

    /// A node of the document that is judged.
    pub fn of(id: crate::tree::NodeId) -> NodeRef {
        NodeRef { document: 0, node: id.0.saturating_add(1), attribute: 0 }
    }

    /// An attribute of an element of the document that is judged, by its number in the document.
    pub fn attribute(element: crate::tree::NodeId, attribute: u32) -> NodeRef {
        NodeRef { attribute: attribute.saturating_add(1), ..NodeRef::of(element) }
    }

    /// The tree node: itself, or the element of an attribute; `None` for the document node.
    pub fn id(self) -> Option<crate::tree::NodeId> {
        self.node.checked_sub(1).map(crate::tree::NodeId)
    }

    /// The number of the attribute in its document, where it is one.
    pub fn attribute_id(self) -> Option<u32> {
        self.attribute.checked_sub(1)
    }

    /// Whether it belongs to the document that is judged, and not to one read by `document()`.
    pub fn is_in_main_document(self) -> bool {
        self.document == 0
    }

    /// Whether it is a document node.
    pub fn is_document(self) -> bool {
        self.node == 0
    }
}

/// A text that is a piece of a document or rule, or was made.
#[derive(Debug, Clone)]
pub enum XPathText<'d> {
    /// A piece of a document or of a rule.
    Borrowed(&'d str),
    /// Made by a function.
    Shared(Arc<str>),
}

impl<'d> XPathText<'d> {
    /// The characters.
    pub fn as_str(&self) -> &str {
        match self {
            XPathText::Borrowed(text) => text,
            XPathText::Shared(text) => text,
        }
    }

    /// The same text without a tie to what it was taken from.
    pub fn into_static(self) -> XPathText<'static> {
        match self {
            XPathText::Borrowed(text) => XPathText::Shared(text.into()),
            XPathText::Shared(text) => XPathText::Shared(text),
        }
    }

    /// A piece of it, without copying where it is borrowed.
    pub(crate) fn slice(&self, start: usize, end: usize) -> XPathText<'d> {
        match self {
            XPathText::Borrowed(text) => {
                XPathText::Borrowed(text.get(start..end).unwrap_or_default())
            }
            XPathText::Shared(text) if start == 0 && end == text.len() => self.clone(),
            XPathText::Shared(text) => {
                XPathText::from(text.get(start..end).unwrap_or_default().to_owned())
            }
        }
    }
}

impl From<String> for XPathText<'_> {
    fn from(text: String) -> Self {
        if text.is_empty() { XPathText::Borrowed("") } else { XPathText::Shared(text.into()) }
    }
}

impl<'d> From<std::borrow::Cow<'d, str>> for XPathText<'d> {
    fn from(text: std::borrow::Cow<'d, str>) -> Self {
        match text {
            std::borrow::Cow::Borrowed(text) => XPathText::Borrowed(text),
            std::borrow::Cow::Owned(text) => text.into(),
        }
    }
}

impl PartialEq for XPathText<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

/// One item: a node or an atomic value.
#[derive(Debug, Clone)]
pub enum Item<'d> {
    /// A node.
    Node(NodeRef),
    /// `xs:untypedAtomic`: the value of a node without a schema.
    Untyped(XPathText<'d>),
    /// `xs:string`.
    String(XPathText<'d>),
    /// `xs:anyURI`.
    Uri(XPathText<'d>),
    /// `xs:boolean`.
    Boolean(bool),
    /// `xs:integer`.
    Integer(Integer),
    /// `xs:decimal`.
    Decimal(XPathDecimal),
    /// `xs:double`.
    Double(f64),
    /// `xs:float`.
    Float(f32),
    /// `xs:date`.
    Date(Moment),
    /// `xs:time`.
    Time(Moment),
    /// `xs:dateTime`.
    DateTime(Moment),
    /// `xs:duration`.
    Duration(XPathDuration),
    /// `xs:yearMonthDuration`.
    YearMonth(XPathDuration),
    /// `xs:dayTimeDuration`.
    DayTime(XPathDuration),
    /// `xs:QName`: prefix, local name and namespace.
    QName(Arc<[Box<str>; 3]>),
}

impl<'d> Item<'d> {
    /// An `xs:integer`.
    pub fn integer(value: i64) -> Item<'d> {
        Item::Integer(Integer::from(value))
    }

    /// An atomic value as `xs:string`; a node needs its document and is the empty text here.
    pub fn to_text(&self) -> String {
        super::cast::text_of(self).as_str().to_owned()
    }

    /// An `xs:string` of a text that was made.
    pub(crate) fn string(text: impl Into<XPathText<'d>>) -> Item<'d> {
        Item::String(text.into())
    }

    /// The same value without a tie to a document; a node stays a node.
    pub(crate) fn into_static(self) -> Item<'static> {
        match self {
            Item::Untyped(text) => Item::Untyped(text.into_static()),
            Item::String(text) => Item::String(text.into_static()),
            Item::Uri(text) => Item::Uri(text.into_static()),
            Item::Node(node) => Item::Node(node),
            Item::Boolean(value) => Item::Boolean(value),
            Item::Integer(value) => Item::Integer(value),
            Item::Decimal(value) => Item::Decimal(value),
            Item::Double(value) => Item::Double(value),
            Item::Float(value) => Item::Float(value),
            Item::Date(value) => Item::Date(value),
            Item::Time(value) => Item::Time(value),
            Item::DateTime(value) => Item::DateTime(value),
            Item::Duration(value) => Item::Duration(value),
            Item::YearMonth(value) => Item::YearMonth(value),
            Item::DayTime(value) => Item::DayTime(value),
            Item::QName(value) => Item::QName(value),
        }
    }
}

/// A sequence of items.
#[derive(Debug, Clone, Default)]
pub enum Sequence<'d> {
    /// The empty sequence.
    #[default]
    Empty,
    /// One item.
    One(Item<'d>),
    /// A sequence that is part of a rule.
    Constant(&'d [Item<'d>]),
    /// Two items or more.
    Many(Rc<Vec<Item<'d>>>),
}

impl<'d> Sequence<'d> {
    /// The items.
    pub fn items(&self) -> &[Item<'d>] {
        match self {
            Sequence::Empty => &[],
            Sequence::One(item) => std::slice::from_ref(item),
            Sequence::Constant(items) => items,
            Sequence::Many(items) => items,
        }
    }

    /// How many items there are.
    pub fn len(&self) -> usize {
        self.items().len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.items().is_empty()
    }

    /// The items, owned.
    pub(crate) fn into_items(self) -> Vec<Item<'d>> {
        match self {
            Sequence::Empty => Vec::new(),
            Sequence::One(item) => vec![item],
            Sequence::Constant(items) => items.to_vec(),
            Sequence::Many(items) => Rc::try_unwrap(items).unwrap_or_else(|held| held.to_vec()),
        }
    }
}

impl<'d> From<Vec<Item<'d>>> for Sequence<'d> {
    fn from(mut items: Vec<Item<'d>>) -> Self {
        if items.len() > 1 {
            return Sequence::Many(Rc::new(items));
        }
        items.pop().map_or(Sequence::Empty, Sequence::One)
    }
}

impl<'d> From<Item<'d>> for Sequence<'d> {
    fn from(item: Item<'d>) -> Self {
        Sequence::One(item)
    }
}

impl<'d> From<Option<Item<'d>>> for Sequence<'d> {
    fn from(item: Option<Item<'d>>) -> Self {
        item.map_or(Sequence::Empty, Sequence::One)
    }
}
