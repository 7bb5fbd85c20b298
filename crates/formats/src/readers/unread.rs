//! The leaves of a document that no invoice of it holds, as a list: where, and what they say.

use std::collections::{HashMap, HashSet};

use quoin_model::text::{cut, shortened};
use quoin_xml::tree::{Element, NodeId};

use super::read_invoices_at;
use crate::json;
use crate::syntax::Syntax;

/// How many leaves a list has at most.
pub const MAX_UNREAD: usize = 10_000;

/// Characters of a name in a path.
const NAME: usize = 60;

/// A leaf that no invoice of a document holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnreadText {
    /// Its XPath with the document's own prefixes: `/Invoice[1]/ID[1]`, `/Invoice[1]/@version`. A
    /// very long name is cut.
    pub path: String,
    /// What it says, cut to [`quoin_model::text::MAX_VALUE`] characters.
    pub value: String,
}

/// The leaves that no invoice of a document holds.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct UnreadList {
    /// The first [`MAX_UNREAD`], in document order.
    pub leaves: Vec<UnreadText>,
    /// How many there are together.
    pub count: usize,
}

/// A leaf by its element, and by namespace and name of the attribute.
type UnreadPlace<'d> = (NodeId, Option<(&'d str, &'d str)>);

/// Lists the leaves of the document at an element that no invoice of it holds, each once, whatever
/// the number of invoices. `None` where [`read_invoices_at`] reads nothing.
pub fn unread(element: Element<'_>) -> Option<UnreadList> {
    let readings = read_invoices_at(element)?;
    let residue = readings.iter().flat_map(|reading| &reading.residue);
    let key = |leaf: &super::DocumentLeaf<'_>| leaf.element().id();
    let elements: HashSet<NodeId> = residue.clone().map(key).collect();
    let leaves: HashSet<UnreadPlace<'_>> = residue
        .map(|leaf| {
            let attribute = leaf.attribute().map(|one| (one.namespace, one.local));
            (leaf.element().id(), attribute)
        })
        .collect();
    let mut walk = PathWalk { elements, leaves, list: UnreadList::default() };
    walk.list.count = walk.leaves.len();
    let mut path = String::new();
    walk.element(element, 1, &mut path);
    if readings.iter().any(|reading| reading.syntax == Syntax::InvoiceJson) {
        walk.list.leaves.iter_mut().for_each(|leaf| leaf.path = json::of_path(&leaf.path));
    }
    Some(walk.list)
}

/// One walk that counts siblings as it goes, so that a path costs nothing but its own length.
struct PathWalk<'d> {
    elements: HashSet<NodeId>,
    leaves: HashSet<UnreadPlace<'d>>,
    list: UnreadList,
}

impl<'d> PathWalk<'d> {
    /// As deep as the parser lets a document be.
    fn element(&mut self, element: Element<'d>, place: usize, path: &mut String) {
        if self.list.leaves.len() >= MAX_UNREAD {
            return;
        }
        let length = path.len();
        path.push('/');
        path.push_str(&cut(&element.qualified_name(), NAME));
        path.push_str(&format!("[{place}]"));
        if self.elements.contains(&element.id()) {
            self.leaves_of(element, path);
        }
        let mut places: HashMap<(&str, &str), usize> = HashMap::new();
        for child in element.elements() {
            let place = places.entry((child.namespace(), child.local())).or_default();
            *place += 1;
            let place = *place;
            self.element(child, place, path);
        }
        path.truncate(length);
    }

    fn leaves_of(&mut self, element: Element<'d>, path: &str) {
        let mut add = |path: String, value: &str| {
            if self.list.leaves.len() < MAX_UNREAD {
                self.list.leaves.push(UnreadText { path, value: shortened(value).into_owned() });
            }
        };
        for one in element.attributes() {
            if self.leaves.contains(&(element.id(), Some((one.namespace, one.local)))) {
                let name = match one.prefix {
                    "" => cut(one.local, NAME).into_owned(),
                    prefix => format!("{}:{}", cut(prefix, NAME), cut(one.local, NAME)),
                };
                add(format!("{path}/@{name}"), one.value);
            }
        }
        if self.leaves.contains(&(element.id(), None)) {
            add(path.to_owned(), &element.text());
        }
    }
}
