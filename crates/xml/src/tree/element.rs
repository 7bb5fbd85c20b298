//! Walking a tree: elements, their attributes, their text and their place.

use std::borrow::Cow;
use std::fmt;

use super::children::Inside;
use super::names::ExpandedName;
use super::navigate::together;
use super::{Document, ElementData, NONE, NodeContent, NodeData, NodeId, Position, Span};

/// An element of a [`Document`]: a reference and an index, cheap to copy.
#[derive(Clone, Copy)]
pub struct Element<'d> {
    pub(super) document: &'d Document,
    pub(super) id: u32,
}

/// An attribute; namespace declarations are not attributes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attribute<'d> {
    /// The prefix as written, or `""`.
    pub prefix: &'d str,
    /// The local name.
    pub local: &'d str,
    /// The namespace name, or `""`.
    pub namespace: &'d str,
    /// The value, normalised as XML 1.0 section 3.3.3 says for CDATA.
    pub value: &'d str,
}

/// A child of an element.
#[derive(Debug, Clone, Copy)]
pub enum Node<'d> {
    /// An element.
    Element(Element<'d>),
    /// Character data, CDATA sections included.
    Text(&'d str),
    /// A comment.
    Comment,
    /// A processing instruction.
    Instruction {
        /// Its target.
        target: &'d str,
        /// The rest, without leading white space.
        value: &'d str,
    },
}

impl PartialEq for Element<'_> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.document, other.document) && self.id == other.id
    }
}

impl Eq for Element<'_> {}

impl fmt::Debug for Element<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.path())
    }
}

impl Document {
    /// An attribute by its number in the document.
    pub fn attribute(&self, id: u32) -> Option<Attribute<'_>> {
        let data = self.attributes.get(id as usize)?;
        let (namespace, local) = self.name(data.name);
        Some(Attribute {
            prefix: self.span(data.prefix),
            local,
            namespace,
            value: self.span(data.value),
        })
    }
}

impl Document {
    fn is_element(&self, id: u32) -> bool {
        matches!(self.node(id), Some(NodeData { kind: NodeContent::Element(_), .. }))
    }

    /// Target and value of a processing instruction.
    pub(super) fn instruction(&self, at: u32) -> (&str, &str) {
        let (target, value) = self.instructions.get(at as usize).copied().unwrap_or_default();
        (self.span(target), self.span(value))
    }
}

impl<'d> Element<'d> {
    fn node(self) -> Option<&'d NodeData> {
        self.document.node(self.id)
    }

    fn data(self) -> Option<&'d ElementData> {
        self.document.element_data(self.id)
    }

    fn name(self) -> Option<&'d ExpandedName> {
        self.document.names.get(self.data()?.name)
    }

    /// Its place in document order.
    pub fn id(self) -> NodeId {
        NodeId(self.id)
    }

    /// The document it belongs to.
    pub fn document(self) -> &'d Document {
        self.document
    }

    /// The local name.
    pub fn local(self) -> &'d str {
        self.name().map_or("", |name| self.document.span(name.local))
    }

    /// The prefix as written, or `""`.
    pub fn prefix(self) -> &'d str {
        let (Some(node), Some(data)) = (self.node(), self.data()) else { return "" };
        let start = node.offset as usize + 1;
        self.document.span(Span::of_source(start, start + data.prefix as usize))
    }

    /// The namespace name, or `""` for none.
    pub fn namespace(self) -> &'d str {
        self.name().map_or("", |name| self.document.uri(name.uri))
    }

    /// Whether the expanded name is this one.
    pub fn is(self, namespace: &str, local: &str) -> bool {
        let document = self.document;
        // Names differ mostly in how long they are.
        let is_name = |name: &&ExpandedName| {
            name.local.length() as usize == local.len()
                && name.local.bytes(&document.source, "") == local.as_bytes()
        };
        let name = self.name().filter(is_name);
        name.is_some_and(|name| document.uri(name.uri) == namespace)
    }

    /// The value of an attribute that is in no namespace.
    pub fn attribute(self, local: &str) -> Option<&'d str> {
        self.attribute_ns("", local)
    }

    /// The value of an attribute by its expanded name.
    pub fn attribute_ns(self, namespace: &str, local: &str) -> Option<&'d str> {
        self.attributes()
            .find(|attribute| attribute.local == local && attribute.namespace == namespace)
            .map(|attribute| attribute.value)
    }

    /// The attributes in the order of the text.
    pub fn attributes(self) -> impl Iterator<Item = Attribute<'d>> {
        let document = self.document;
        self.attribute_ids().filter_map(move |id| document.attribute(id))
    }

    /// The numbers of the attributes in their document, for [`Document::attribute`] and
    /// [`Document::attribute_name`].
    pub fn attribute_ids(self) -> std::ops::Range<u32> {
        self.data().map_or(0..0, |data| {
            data.first_attribute..data.first_attribute + u32::from(data.attribute_count)
        })
    }

    /// The namespace declarations on this element: prefix (`""` for the default) and name.
    pub fn declarations(self) -> impl Iterator<Item = (&'d str, &'d str)> {
        let (first, count) = self.data().map_or((0, 0), |data| {
            (data.first_declaration as usize, data.declaration_count as usize)
        });
        let document = self.document;
        document
            .declarations
            .get(first..first + count)
            .unwrap_or_default()
            .iter()
            .map(move |data| (document.span(data.prefix), document.uri(data.uri)))
    }

    /// The namespace that a prefix stands for here, or `None` where it is not declared.
    pub fn resolve_prefix(self, prefix: &str) -> Option<&'d str> {
        if prefix == "xml" {
            return Some(crate::namespaces::XML);
        }
        let mut place = Some(self);
        while let Some(element) = place {
            if let Some((_, uri)) = element.declarations().find(|(known, _)| *known == prefix) {
                return Some(uri);
            }
            place = element.parent();
        }
        None
    }

    /// All children, in document order.
    pub fn children(self) -> impl Iterator<Item = Node<'d>> {
        let document = self.document;
        Inside::of(self).map(move |(id, node)| match &node.kind {
            NodeContent::Element(_) => Node::Element(Element { document, id }),
            NodeContent::Text(span) => Node::Text(document.span(*span)),
            NodeContent::Comment => Node::Comment,
            NodeContent::Instruction(at) => {
                let (target, value) = document.instruction(*at);
                Node::Instruction { target, value }
            }
        })
    }

    /// The child elements, in document order.
    pub fn elements(self) -> impl Iterator<Item = Element<'d>> {
        let document = self.document;
        Inside::of(self)
            .filter(|(_, node)| matches!(node.kind, NodeContent::Element(_)))
            .map(move |(id, _)| Element { document, id })
    }

    /// The first child element of one name.
    pub fn child(self, namespace: &str, local: &str) -> Option<Element<'d>> {
        self.children_named(namespace, local).next()
    }

    /// The parent element; `None` for the document element.
    pub fn parent(self) -> Option<Element<'d>> {
        let parent = self.node()?.parent;
        (parent != NONE).then_some(Element { document: self.document, id: parent })
    }

    /// This element and all elements inside it, in document order.
    pub fn descendants(self) -> impl Iterator<Item = Element<'d>> {
        let document = self.document;
        let end = self.node().map_or(self.id, |node| node.end);
        (self.id..end)
            .filter(move |&id| document.is_element(id))
            .map(move |id| Element { document, id })
    }

    /// Its own text: all its text nodes together, without those of child elements.
    ///
    /// Comments and processing instructions between them are passed over, so that
    /// `<a>x<!-- y -->z</a>` reads `xz` here exactly as a signature over it does.
    pub fn text(self) -> Cow<'d, str> {
        self.only_text().unwrap_or_else(|| {
            let document = self.document;
            together(Inside::of(self).filter_map(|(_, node)| document.text_of(node)))
        })
    }

    /// The text of an element with one text and nothing else, as nearly every one with a value is.
    fn only_text(self) -> Option<Cow<'d, str>> {
        let node = self.document.node(self.id + 1)?;
        let is_alone = self.node()?.end == self.id + 2;
        self.document.text_of(node).filter(|_| is_alone).map(Cow::Borrowed)
    }

    /// Its text and that of all elements inside it, in document order (XPath 2.0 data model,
    /// section 6.2.2, `dm:string-value`).
    pub fn string_value(self) -> Cow<'d, str> {
        self.only_text().unwrap_or_else(|| self.document.string_value(self.id))
    }

    /// Where its start tag stands.
    pub fn position(self) -> Position {
        self.document.position(self.node().map_or(0, |node| node.offset))
    }

    /// Where its start tag begins, in bytes of [`Document::source`].
    pub fn offset(self) -> usize {
        self.node().map_or(0, |node| node.offset as usize)
    }

    /// Its XPath with the document's own prefixes: `/Invoice[1]/cac:InvoiceLine[2]/cbc:ID[1]`.
    pub fn path(self) -> String {
        let mut path = self.parent().map(Element::path).unwrap_or_default();
        path.push('/');
        path.push_str(&self.qualified_name());
        let twins = self.parent().map_or(1, |parent| {
            parent
                .elements()
                .take_while(|sibling| sibling.id <= self.id)
                .filter(|sibling| sibling.is(self.namespace(), self.local()))
                .count()
        });
        path.push_str(&format!("[{twins}]"));
        path
    }

    /// The name as written: `cbc:ID` or `Invoice`.
    pub fn qualified_name(self) -> Cow<'d, str> {
        match self.prefix() {
            "" => Cow::Borrowed(self.local()),
            prefix => Cow::Owned(format!("{prefix}:{}", self.local())),
        }
    }
}
