//! The expanded names of a document: each a small number, given while it is read.
//!
//! Rules and the structure check know names by numbers of their own. They resolve each once against
//! the document and then compare integers; a name that the document does not have costs nothing
//! more.

use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};

use super::{Document, NodeId, Span};

/// An expanded name that occurs in a document, as element or attribute; dense from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NameId(pub u32);

/// Namespace and local name. The local name is never in the decoded text.
#[derive(Debug, Clone, Copy)]
pub(super) struct ExpandedName {
    pub(super) uri: u32,
    pub(super) local: Span,
}

/// The names of one document.
#[derive(Debug, Default)]
pub(super) struct NameTable {
    list: Vec<ExpandedName>,
    by_name: HashTable<u32>,
    hasher: DefaultHashBuilder,
}

impl NameTable {
    pub(super) fn get(&self, NameId(id): NameId) -> Option<&ExpandedName> {
        self.list.get(id as usize)
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    fn find(&self, source: &str, uri: u32, local: &[u8]) -> Option<NameId> {
        let hash = self.hasher.hash_one((uri, local));
        let same = |&id: &u32| is(&self.list, source, id, uri, local);
        self.by_name.find(hash, same).map(|&id| NameId(id))
    }

    /// The number of a name, a new one where it is seen for the first time.
    pub(super) fn intern(&mut self, source: &str, uri: u32, local: Span) -> NameId {
        let text = local.bytes(source, "");
        if let Some(known) = self.find(source, uri, text) {
            return known;
        }
        let id = self.list.len() as u32;
        self.list.push(ExpandedName { uri, local });
        let NameTable { list, by_name, hasher } = self;
        let hash = |&id: &u32| {
            let name = list.get(id as usize);
            hasher
                .hash_one(name.map_or((0, &b""[..]), |own| (own.uri, own.local.bytes(source, ""))))
        };
        by_name.insert_unique(hash(&id), id, hash);
        NameId(id)
    }
}

fn is(list: &[ExpandedName], source: &str, id: u32, uri: u32, local: &[u8]) -> bool {
    let known = list.get(id as usize);
    known.is_some_and(|known| known.uri == uri && known.local.bytes(source, "") == local)
}

impl Document {
    /// How many names there are: every [`NameId`] is below this.
    pub fn name_count(&self) -> usize {
        self.names.len()
    }

    /// The number of a name in this document; `None` where no element or attribute has it.
    pub fn name_id(&self, namespace: &str, local: &str) -> Option<NameId> {
        let uri = self.uris.iter().position(|known| known == namespace)? as u32;
        self.names.find(&self.source, uri, local.as_bytes())
    }

    /// The namespace and local name that a number stands for.
    pub fn name(&self, name: NameId) -> (&str, &str) {
        let known = self.names.get(name);
        known.map_or(("", ""), |known| (self.uri(known.uri), self.span(known.local)))
    }

    /// The name of an element; `None` for a node of another kind.
    pub fn name_of(&self, NodeId(id): NodeId) -> Option<NameId> {
        self.element_data(id).map(|element| element.name)
    }

    /// The name of an attribute, by its number in [`super::Element::attribute_ids`].
    pub fn attribute_name(&self, attribute: u32) -> Option<NameId> {
        self.attributes.get(attribute as usize).map(|attribute| attribute.name)
    }
}
