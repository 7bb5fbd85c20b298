//! The places of many findings at once.
//!
//! Counting siblings and columns anew for each finding would make a document with a mistake on each
//! of its 100,000 lines, or on one line of 24 MB, take quadratic time. Here each parent is counted
//! once, and all positions are found in one walk over the text.

use std::collections::HashMap;

use quoin_xml::tree::{Element, Position};

use quoin_model::Location;
use quoin_model::text::shortened;

#[cfg(test)]
mod tests;

/// The places of elements of one document, in the order given.
pub(crate) fn locate(elements: &[Option<Element<'_>>]) -> Vec<Option<Location>> {
    let mut paths = Paths::default();
    let mut places: Vec<Option<Location>> = elements
        .iter()
        .map(|element| {
            let xpath = paths.path((*element)?);
            Some(Location { xpath, line: 1, column: 1 })
        })
        .collect();
    for (index, position) in positions(elements) {
        if let Some(Some(place)) = places.get_mut(index) {
            place.line = position.line;
            place.column = position.column;
        }
    }
    places
}

/// Line and column of each element, by its index, in one walk over the text.
fn positions(elements: &[Option<Element<'_>>]) -> Vec<(usize, Position)> {
    let mut wanted: Vec<(usize, usize)> = elements
        .iter()
        .enumerate()
        .filter_map(|(index, element)| Some(((*element)?.offset(), index)))
        .collect();
    wanted.sort_unstable();
    let text = elements.iter().flatten().next().map_or("", |e| e.document().source());
    let (mut line, mut column, mut at) = (1, 1, 0);
    wanted
        .into_iter()
        .map(|(offset, index)| {
            let passed = text.get(at..offset).unwrap_or_default();
            match passed.rfind('\n') {
                None => column += passed.chars().count() as u32,
                Some(last) => {
                    line += passed.bytes().filter(|byte| *byte == b'\n').count() as u32;
                    column = passed.get(last + 1..).map_or(0, |s| s.chars().count() as u32) + 1;
                }
            }
            at = offset;
            (index, Position { line, column })
        })
        .collect()
}

/// The ordinal of each child of the parents met so far, by the offsets of parent and child.
#[derive(Default)]
struct Paths {
    ordinals: HashMap<usize, HashMap<usize, usize>>,
}

impl Paths {
    fn path(&mut self, element: Element<'_>) -> String {
        let mut path = element.parent().map(|parent| self.path(parent)).unwrap_or_default();
        path.push('/');
        path.push_str(&shortened(&element.qualified_name()));
        let ordinal = element.parent().map_or(1, |parent| {
            let children = self.ordinals.entry(parent.offset()).or_insert_with(|| count(parent));
            children.get(&element.offset()).copied().unwrap_or(1)
        });
        path.push_str(&format!("[{ordinal}]"));
        path
    }
}

fn count(parent: Element<'_>) -> HashMap<usize, usize> {
    let mut seen: HashMap<(&str, &str), usize> = HashMap::new();
    parent
        .elements()
        .map(|child| {
            let ordinal = seen.entry((child.namespace(), child.local())).or_default();
            *ordinal += 1;
            (child.offset(), *ordinal)
        })
        .collect()
}
