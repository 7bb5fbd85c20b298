//! Where a PDF names its files: in the catalogue (`/AF`, the name tree), and on its pages (`/AF`,
//! annotations that are files).
//!
//! A hostile file leads round in circles, or from a thousand places to one: each object is visited
//! once, and so is each array of them.
//!
//! Sources: ISO 32000-1 sections 7.7.3 (page tree), 7.7.4 (name dictionary), 7.9.6 (name trees),
//! 12.5.6.15 (annotations that are files); ISO 32000-2 section 14.13 (associated files).

use std::collections::HashSet;
use std::rc::Rc;

use super::super::UnwrapBudget;
use super::file::PdfFile;
use super::object::{Dict, Object};

/// Nodes of a tree, and file specifications, that are followed.
const MAX_NODES: usize = 1_000;
/// Annotations that are looked at, those of all pages together.
const MAX_ANNOTATIONS: usize = 10_000;

/// The file specifications that a catalogue leads to, each with the name that a tree gives it:
/// those of the document before those of its pages.
pub(super) fn of(
    file: &mut PdfFile<'_>,
    catalogue: &Dict,
    budget: &mut UnwrapBudget,
) -> Vec<(Object, Object)> {
    let mut places =
        NamedPlaces { budget, queue: Vec::new(), visited: HashSet::new(), annotations: 0 };
    places.associated(file, catalogue);
    let names = file.resolve(catalogue.get("Names"), places.budget);
    let root = names.dict().and_then(|names| names.get("EmbeddedFiles")).cloned();
    places.walk(file, root, NamedPlaces::names);
    places.walk(file, catalogue.get("Pages").cloned(), NamedPlaces::page);
    places.queue
}

struct NamedPlaces<'p> {
    budget: &'p mut UnwrapBudget,
    queue: Vec<(Object, Object)>,
    /// Objects that were looked at, by their numbers.
    visited: HashSet<u32>,
    annotations: usize,
}

impl NamedPlaces<'_> {
    /// What an object is, where it was not looked at before; nothing leads back to an object that
    /// stands in another.
    fn first(&mut self, file: &mut PdfFile<'_>, object: Option<&Object>) -> Option<Rc<Object>> {
        let (number, object) = file.followed(object, self.budget);
        number.is_none_or(|number| self.visited.insert(number)).then_some(object)
    }

    fn room(&self) -> usize {
        MAX_NODES.saturating_sub(self.queue.len())
    }

    /// Looks at each node of a tree of `Kids`, as name trees and the page tree are.
    fn walk(
        &mut self,
        file: &mut PdfFile<'_>,
        root: Option<Object>,
        look: fn(&mut Self, &mut PdfFile<'_>, &Dict),
    ) {
        // For each node whose kids are followed, these and how many of them are done.
        let mut open: Vec<(Rc<[Object]>, usize)> = Vec::new();
        let (mut next, mut nodes) = (root, 0);
        while let Some(node) = next.or_else(|| next_of(&mut open))
            && nodes < MAX_NODES
            && self.room() > 0
        {
            next = None;
            nodes += 1;
            let Some(node) = self.first(file, Some(&node)) else { continue };
            let Some(node) = node.dict() else { continue };
            if let Some(Object::Array(kids)) = self.first(file, node.get("Kids")).as_deref() {
                open.push((kids.clone(), 0));
            }
            look(self, file, node);
        }
    }

    /// A node of a name tree: `Names` has pairs of name and file specification.
    fn names(&mut self, file: &mut PdfFile<'_>, node: &Dict) {
        let Some(pairs) = self.first(file, node.get("Names")) else { return };
        for pair in pairs.array().chunks_exact(2).take(self.room()) {
            if let [name, specification] = pair {
                self.queue.push((specification.clone(), name.clone()));
            }
        }
    }

    /// A node of the page tree: a page has associated files and annotations.
    fn page(&mut self, file: &mut PdfFile<'_>, node: &Dict) {
        self.associated(file, node);
        let Some(annotations) = self.first(file, node.get("Annots")) else { return };
        for annotation in annotations.array() {
            if self.annotations >= MAX_ANNOTATIONS || self.room() == 0 {
                return;
            }
            self.annotations += 1;
            let Some(annotation) = self.first(file, Some(annotation)) else { continue };
            let Some(annotation) = annotation.dict() else { continue };
            self.associated(file, annotation);
            let kind = annotation.get("Subtype").and_then(Object::name);
            if let (Some("FileAttachment"), Some(named)) = (kind, annotation.get("FS")) {
                self.queue.push((named.clone(), Object::Null));
            }
        }
    }

    /// The associated files of an object: an array of file specifications.
    fn associated(&mut self, file: &mut PdfFile<'_>, of: &Dict) {
        let Some(files) = self.first(file, of.get("AF")) else { return };
        let members = files.array().iter().take(self.room());
        self.queue.extend(members.map(|object| (object.clone(), Object::Null)));
    }
}

/// The next of the kids that are left.
fn next_of(open: &mut Vec<(Rc<[Object]>, usize)>) -> Option<Object> {
    loop {
        let (kids, done) = open.last_mut()?;
        match kids.get(*done) {
            Some(kid) => {
                *done += 1;
                return Some(kid.clone());
            }
            None => open.pop(),
        };
    }
}
