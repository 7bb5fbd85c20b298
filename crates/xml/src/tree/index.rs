//! The elements of each name. The index is made when it is first asked for, so that a reader which
//! needs none pays nothing.

use std::ops::Range;

use super::{Document, Element, NameId, NodeContent};

/// A node of a document: its place in document order, from 0.
///
/// The descendants of `x` are the nodes `x + 1 .. end`, where `end` is [`Document::end_of`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

/// What an element is called, which attributes it has by their numbers, and where it ends.
#[derive(Debug, Clone)]
pub struct Tag {
    /// Its name.
    pub name: NameId,
    /// Its attributes.
    pub attributes: Range<u32>,
    /// The node after its last descendant.
    pub end: NodeId,
}

/// Where the elements of each name stand.
#[derive(Debug)]
pub(super) struct ElementIndex {
    /// The elements, ordered by name and then by place.
    elements: Vec<NodeId>,
    /// Where the elements of each name begin in `elements`; one more entry than names.
    starts: Vec<u32>,
}

impl Document {
    /// The elements of one name in document order; empty where there is none.
    pub fn elements_named(&self, name: NameId) -> &[NodeId] {
        let index = self.index.get_or_init(|| ElementIndex::of(self));
        let bound = |at: u32| index.starts.get(at as usize).map_or(0, |&start| start as usize);
        let (first, end) = (bound(name.0), bound(name.0.saturating_add(1)));
        index.elements.get(first..end).unwrap_or_default()
    }

    /// The element at a place; `None` where another kind of node stands there.
    pub fn element(&self, id: NodeId) -> Option<Element<'_>> {
        matches!(self.node(id.0)?.kind, NodeContent::Element(_))
            .then_some(Element { document: self, id: id.0 })
    }

    /// What there is to know of the element at a place, for who walks over all of them; `None`
    /// where another kind of node stands there.
    pub fn tag(&self, id: NodeId) -> Option<Tag> {
        let node = self.node(id.0)?;
        let NodeContent::Element(at) = node.kind else { return None };
        let element = self.elements.get(at as usize)?;
        let first = element.first_attribute;
        let attributes = first..first + u32::from(element.attribute_count);
        Some(Tag { name: element.name, attributes, end: NodeId(node.end) })
    }

    /// The node after the last descendant of a node.
    pub fn end_of(&self, id: NodeId) -> NodeId {
        NodeId(self.node(id.0).map_or(id.0, |node| node.end))
    }
}

impl ElementIndex {
    /// Lays the elements out by name, each name in document order.
    fn of(document: &Document) -> ElementIndex {
        let mut starts = vec![0u32; document.name_count() + 1];
        for element in &document.elements {
            if let Some(count) = starts.get_mut(element.name.0 as usize + 1) {
                *count += 1;
            }
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let (mut next, mut elements) = (starts.clone(), vec![NodeId(0); sum as usize]);
        for (id, node) in document.nodes.iter().enumerate() {
            let NodeContent::Element(element) = node.kind else { continue };
            let Some(element) = document.elements.get(element as usize) else { continue };
            let Some(at) = next.get_mut(element.name.0 as usize) else { continue };
            if let Some(slot) = elements.get_mut(*at as usize) {
                *slot = NodeId(id as u32);
            }
            *at += 1;
        }
        ElementIndex { elements, starts }
    }
}
