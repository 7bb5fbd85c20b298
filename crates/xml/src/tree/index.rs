//! The names of a document: each expanded name a small number, and the elements of each name.
//!
//! Rules and the structure check know names by their own numbers. They resolve each once against
//! [`Index`] and then compare integers; a name that the document does not have costs nothing more.
//! The index is made when it is first asked for, so that a reader which needs none pays nothing.

use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};

use super::{Document, Element, Kind, Span};

/// A node of a document: its place in document order, from 0.
///
/// The descendants of `x` are the nodes `x + 1 .. end`, where `end` is [`Document::end_of`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

/// An expanded name that occurs in a document, as element or attribute; dense from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NameId(pub u32);

/// The names of one document, and where the elements of each stand.
#[derive(Debug)]
pub struct Index {
    names: Vec<(u32, Span)>,
    by_name: HashTable<u32>,
    hasher: DefaultHashBuilder,
    /// The name of each node; `NO_NAME` for what is not an element.
    of_node: Vec<u32>,
    of_attribute: Vec<u32>,
    /// The elements, ordered by name and then by place.
    elements: Vec<NodeId>,
    /// Where the elements of each name begin in `elements`; one more entry than names.
    starts: Vec<u32>,
}

const NO_NAME: u32 = u32::MAX;

impl Document {
    /// The index of names, made at the first call.
    pub fn index(&self) -> &Index {
        self.index.get_or_init(|| Index::of(self))
    }

    /// The number of a name in this document; `None` where no element or attribute has it.
    pub fn name_id(&self, namespace: &str, local: &str) -> Option<NameId> {
        let index = self.index();
        let uri = self.uris.iter().position(|known| known == namespace)? as u32;
        let hash = index.hasher.hash_one((uri, local));
        let same = |&id: &u32| index.is(self, id, uri, local);
        index.by_name.find(hash, same).map(|&id| NameId(id))
    }

    /// The elements of one name in document order; empty where there is none.
    pub fn elements_named(&self, name: NameId) -> &[NodeId] {
        let index = self.index();
        let bound = |at: u32| index.starts.get(at as usize).map_or(0, |&start| start as usize);
        let (first, end) = (bound(name.0), bound(name.0.saturating_add(1)));
        index.elements.get(first..end).unwrap_or_default()
    }

    /// The namespace and local name that a number stands for.
    pub fn name(&self, name: NameId) -> (&str, &str) {
        let known = self.index().names.get(name.0 as usize);
        known.map_or(("", ""), |&(uri, local)| (self.uri(uri), self.span(local)))
    }

    /// The element at a place; `None` where another kind of node stands there.
    pub fn element(&self, id: NodeId) -> Option<Element<'_>> {
        matches!(self.node(id.0)?.kind, Kind::Element(_))
            .then_some(Element { document: self, id: id.0 })
    }

    /// The node after the last descendant of a node.
    pub fn end_of(&self, id: NodeId) -> NodeId {
        NodeId(self.node(id.0).map_or(id.0, |node| node.end))
    }
}

impl Index {
    /// How many names there are: every [`NameId`] is below this.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there is no name; never so in a document that was read.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The name of an element; `None` for a node of another kind.
    pub fn name_of(&self, id: NodeId) -> Option<NameId> {
        self.of_node.get(id.0 as usize).filter(|&&name| name != NO_NAME).map(|&name| NameId(name))
    }

    /// The name of an attribute, by its number in [`Element::attribute_ids`].
    pub fn attribute_name(&self, attribute: u32) -> Option<NameId> {
        self.of_attribute.get(attribute as usize).map(|&name| NameId(name))
    }

    fn of(document: &Document) -> Index {
        let mut index = Index {
            names: Vec::new(),
            by_name: HashTable::new(),
            hasher: DefaultHashBuilder::default(),
            of_node: vec![NO_NAME; document.nodes.len()],
            of_attribute: Vec::with_capacity(document.attributes.len()),
            elements: Vec::new(),
            starts: Vec::new(),
        };
        let mut counts: Vec<u32> = Vec::new();
        for (id, node) in document.nodes.iter().enumerate() {
            let Kind::Element(element) = &node.kind else { continue };
            let name = index.intern(document, element.uri, element.local);
            counts.resize(index.names.len(), 0);
            if let (Some(slot), Some(count)) =
                (index.of_node.get_mut(id), counts.get_mut(name as usize))
            {
                *slot = name;
                *count += 1;
            }
        }
        for attribute in &document.attributes {
            let name = index.intern(document, attribute.uri, attribute.local);
            index.of_attribute.push(name);
        }
        counts.resize(index.names.len(), 0);
        index.sort(&counts);
        index
    }

    /// Lays the elements out by name, each name in document order.
    fn sort(&mut self, counts: &[u32]) {
        self.starts = std::iter::once(0)
            .chain(counts.iter().scan(0, |sum, &count| {
                *sum += count;
                Some(*sum)
            }))
            .collect();
        let mut next = self.starts.clone();
        self.elements = vec![NodeId(0); next.last().map_or(0, |&total| total as usize)];
        for (id, &name) in self.of_node.iter().enumerate() {
            let Some(at) = next.get_mut(name as usize) else { continue };
            if let Some(slot) = self.elements.get_mut(*at as usize) {
                *slot = NodeId(id as u32);
            }
            *at += 1;
        }
    }

    fn is(&self, document: &Document, id: u32, uri: u32, local: &str) -> bool {
        self.names
            .get(id as usize)
            .is_some_and(|&(known, span)| known == uri && document.span(span) == local)
    }

    fn intern(&mut self, document: &Document, uri: u32, local: Span) -> u32 {
        let text = document.span(local);
        let hash = self.hasher.hash_one((uri, text));
        if let Some(&known) = self.by_name.find(hash, |&id| self.is(document, id, uri, text)) {
            return known;
        }
        let id = self.names.len() as u32;
        self.names.push((uri, local));
        let Index { names, by_name, hasher, .. } = self;
        by_name.insert_unique(hash, id, |&id| {
            let (uri, span) = names.get(id as usize).copied().unwrap_or_default();
            hasher.hash_one((uri, document.span(span)))
        });
        id
    }
}
