//! Where a node stands, as a person and a program can find it again.

use std::cell::OnceCell;
use std::collections::HashMap;

use super::outcome::{MAX_VALUE, NodeLocation};
use crate::tree::{Document, Element, NodeId};
use crate::xpath::NodeRef;

/// Paths and values of the nodes of one document.
pub(super) struct NodePaths<'d> {
    document: &'d Document,
    /// For each element its number among the siblings of its name; made when first needed.
    numbers: OnceCell<Vec<u32>>,
}

impl<'d> NodePaths<'d> {
    pub(super) fn new(document: &'d Document) -> NodePaths<'d> {
        NodePaths { document, numbers: OnceCell::new() }
    }

    /// The path with the document's own prefixes, and the place in the text.
    pub(super) fn location(&self, node: NodeRef) -> NodeLocation {
        let Some(id) = node.id() else {
            return NodeLocation { path: "/".into(), position: self.document.root().position() };
        };
        let mut path = String::with_capacity(96);
        let element = self.document.element(id);
        let parent = || self.document.element(NodeId(self.document.parent_of(id.0)?));
        let owner = element.or_else(parent);
        if let Some(owner) = owner {
            self.push(owner, &mut path);
        }
        if let Some(attribute) = node.attribute_id().and_then(|at| self.document.attribute(at)) {
            path.push_str("/@");
            if !attribute.prefix.is_empty() {
                path.push_str(attribute.prefix);
                path.push(':');
            }
            path.push_str(attribute.local);
        } else if element.is_none() {
            path.push_str("/node()");
        }
        NodeLocation { path, position: self.document.position_of(id) }
    }

    fn push(&self, element: Element<'d>, path: &mut String) {
        if let Some(parent) = element.parent() {
            self.push(parent, path);
        }
        let numbers = self.numbers.get_or_init(|| numbers(self.document));
        let number = numbers.get(element.id().0 as usize).copied().unwrap_or(1);
        path.push('/');
        path.push_str(&element.qualified_name());
        path.push_str(&format!("[{number}]"));
    }

    /// The text of a node without child elements; `None` for what has more than a text.
    pub(super) fn value(&self, node: NodeRef) -> Option<String> {
        if let Some(attribute) = node.attribute_id() {
            let attribute = self.document.attribute(attribute)?;
            return Some(cut(attribute.value));
        }
        let element = self.document.element(node.id()?)?;
        element.elements().next().is_none().then(|| cut(&element.text()))
    }

    /// The name of a node as `name()` gives it.
    pub(super) fn name(&self, node: NodeRef) -> String {
        if let Some(attribute) = node.attribute_id() {
            let attribute = self.document.attribute(attribute);
            return attribute.map_or_else(String::new, |attribute| match attribute.prefix {
                "" => attribute.local.to_owned(),
                prefix => format!("{prefix}:{}", attribute.local),
            });
        }
        let element = node.id().and_then(|id| self.document.element(id));
        element.map_or_else(String::new, |element| element.qualified_name().into_owned())
    }
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(MAX_VALUE) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// For each node, its number among the siblings of its name; 0 for what is no element.
fn numbers(document: &Document) -> Vec<u32> {
    let mut numbers = vec![0; document.node_count()];
    let mut seen: HashMap<(Option<NodeId>, Option<crate::tree::NameId>), u32> = HashMap::new();
    for id in (0..numbers.len() as u32).map(NodeId) {
        let Some(element) = document.element(id) else { continue };
        let parent = element.parent().map(|parent| parent.id());
        let count = seen.entry((parent, document.name_of(id))).or_default();
        *count += 1;
        if let Some(number) = numbers.get_mut(id.0 as usize) {
            *number = *count;
        }
    }
    numbers
}
