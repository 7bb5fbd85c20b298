//! What is directly inside an element: all of it, or the elements of one name.

use super::{Document, Element, NodeContent, NodeData, NodeId};

/// Nodes inside an element from which on its children of a name are found by the index of names,
/// where these are few: the walk from one to the next reads memory that is far apart.
const LARGE: u32 = 4_096;
/// So many nodes to each element of the name at least.
const RARE: usize = 64;

/// The nodes directly inside another one.
pub(super) struct Inside<'d> {
    document: &'d Document,
    next: u32,
    end: u32,
}

impl<'d> Inside<'d> {
    pub(super) fn of(element: Element<'d>) -> Inside<'d> {
        let Element { document, id } = element;
        Inside { document, next: id + 1, end: document.end_of(NodeId(id)).0 }
    }
}

impl<'d> Iterator for Inside<'d> {
    type Item = (u32, &'d NodeData);

    fn next(&mut self) -> Option<Self::Item> {
        let id = self.next;
        let node = self.document.node(id).filter(|_| id < self.end)?;
        self.next = node.end;
        Some((id, node))
    }
}

/// The child elements of one name.
enum NamedChildren<'d, 'n, 'l> {
    Walked(Inside<'d>, &'n str, &'l str),
    /// Those of the name that stand anywhere inside the element.
    Known(std::slice::Iter<'d, NodeId>, Element<'d>),
}

impl<'d> Iterator for NamedChildren<'d, '_, '_> {
    type Item = Element<'d>;

    fn next(&mut self) -> Option<Element<'d>> {
        match self {
            NamedChildren::Walked(inside, namespace, local) => {
                let document = inside.document;
                let elements =
                    inside.filter(|(_, node)| matches!(node.kind, NodeContent::Element(_)));
                let mut elements = elements.map(|(id, _)| Element { document, id });
                elements.find(|own| own.is(namespace, local))
            }
            NamedChildren::Known(ids, parent) => {
                let document = parent.document;
                let is_child =
                    |id: &&NodeId| document.node(id.0).is_some_and(|node| node.parent == parent.id);
                ids.find(is_child).map(|id| Element { document, id: id.0 })
            }
        }
    }
}

impl<'d> Element<'d> {
    /// The child elements of one name, in document order.
    pub fn children_named(self, namespace: &str, local: &str) -> impl Iterator<Item = Element<'d>> {
        let inside = Inside::of(self);
        let known = if inside.end - self.id < LARGE { None } else { self.rare(namespace, local) };
        match known {
            Some(ids) => NamedChildren::Known(ids.iter(), self),
            None => NamedChildren::Walked(inside, namespace, local),
        }
    }

    /// The elements of one name inside a large one, where they are few.
    fn rare(self, namespace: &str, local: &str) -> Option<&'d [NodeId]> {
        let Some(name) = self.document.name_id(namespace, local) else { return Some(&[]) };
        let (ids, end) = (self.document.elements_named(name), self.document.end_of(self.id()));
        let first = ids.partition_point(|id| *id <= self.id());
        let ids = ids.get(first..).unwrap_or_default();
        let ids = ids.get(..ids.partition_point(|id| *id < end)).unwrap_or_default();
        (ids.len() < (end.0 - self.id) as usize / RARE).then_some(ids)
    }
}
