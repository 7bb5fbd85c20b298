//! Where violations are: paths and positions, without walking the same ground for each of them.

use std::collections::HashMap;

use crate::tree::{Element, NameId, NodeId, Position};

/// What is known of the places so far; violations come nearly in document order.
#[derive(Debug, Default)]
pub(super) struct ViolationPlaces {
    paths: HashMap<NodeId, String>,
    /// For the children of one name: the last one that was asked for, and its number.
    counts: HashMap<(NodeId, NameId), (NodeId, usize)>,
    last: Option<(usize, Position)>,
}

impl ViolationPlaces {
    /// As [`Element::path`].
    pub(super) fn path(&mut self, element: Element<'_>) -> String {
        let Some(parent) = element.parent() else { return element.path() };
        let mut path = match self.paths.get(&parent.id()) {
            Some(known) => known.clone(),
            None => {
                let made = self.path(parent);
                self.paths.insert(parent.id(), made.clone());
                made
            }
        };
        path.push_str(&format!("/{}[{}]", element.qualified_name(), self.number(parent, element)));
        path
    }

    /// Which one it is among the children of its parent that have its name, from 1.
    fn number(&mut self, parent: Element<'_>, element: Element<'_>) -> usize {
        let document = element.document();
        let Some(name) = document.name_of(element.id()) else { return 1 };
        let key = (parent.id(), name);
        let known = self.counts.get(&key).copied().filter(|(last, _)| *last <= element.id());
        let (mut last, mut count) = known.unwrap_or((parent.id(), 0));
        let all = document.elements_named(name);
        let start = all.partition_point(|&it| it <= last);
        for &id in all.get(start..).unwrap_or_default() {
            if id > element.id() {
                break;
            }
            let twin = document.element(id).and_then(Element::parent);
            if twin == Some(parent) {
                (last, count) = (id, count + 1);
            }
        }
        self.counts.insert(key, (last, count));
        count
    }

    /// As [`Element::position`].
    pub(super) fn position(&mut self, element: Element<'_>) -> Position {
        let offset = element.offset();
        let source = element.document().source();
        let between = self.last.and_then(|(start, _)| source.get(start..offset));
        let position = match (self.last, between) {
            (Some((_, last)), Some(text)) if !text.contains('\n') => {
                Position { line: last.line, column: last.column + text.chars().count() as u32 }
            }
            _ => element.position(),
        };
        self.last = Some((offset, position));
        position
    }
}
