//! A node test with its names resolved in one document.

use super::super::environment::Loaded;
use super::super::ir::NodeTest;
use super::super::value::NodeRef;
use crate::tree::{Document, NameId, NodeId, NodeKind};

/// Names of a step like `(a | b)` at most; more are looked for one after another.
pub(crate) const MAX_NAMES: usize = 4;

/// What a walk looks for.
#[derive(Clone, Copy)]
pub(super) enum ResolvedTest<'t> {
    /// Of the principal kind of the axis, with this name.
    Name(NameId),
    /// One of these names; unused places repeat the first.
    Names([NameId; MAX_NAMES]),
    AnyName,
    InNamespace(&'t str),
    Local(&'t str),
    AnyNode,
    Text,
    Comment,
    Instruction(Option<&'t str>),
    Document,
    Element(Option<NameId>),
    Attribute(Option<NameId>),
}

impl<'t> ResolvedTest<'t> {
    /// `None` where the document has no such name.
    #[inline]
    pub(super) fn resolve<'n: 't>(
        test: &'n NodeTest,
        loaded: &Loaded<'_>,
    ) -> Option<ResolvedTest<'t>> {
        Some(match test {
            NodeTest::Name(slot) => ResolvedTest::Name(loaded.id_of(*slot)?),
            NodeTest::Names(slots) => {
                let mut present = slots.iter().filter_map(|slot| loaded.id_of(*slot));
                let mut names = [present.next()?; MAX_NAMES];
                let mut count = 1;
                for (place, name) in names.iter_mut().skip(1).zip(present) {
                    *place = name;
                    count += 1;
                }
                if count > 1 { ResolvedTest::Names(names) } else { ResolvedTest::Name(names[0]) }
            }
            NodeTest::AnyName => ResolvedTest::AnyName,
            NodeTest::InNamespace(namespace) => ResolvedTest::InNamespace(namespace),
            NodeTest::Local(local) => ResolvedTest::Local(local),
            NodeTest::AnyNode => ResolvedTest::AnyNode,
            NodeTest::Text => ResolvedTest::Text,
            NodeTest::Comment => ResolvedTest::Comment,
            NodeTest::Instruction(target) => ResolvedTest::Instruction(target.as_deref()),
            NodeTest::Document => ResolvedTest::Document,
            NodeTest::Element(None) => ResolvedTest::Element(None),
            NodeTest::Element(Some(slot)) => ResolvedTest::Element(Some(loaded.id_of(*slot)?)),
            NodeTest::Attribute(None) => ResolvedTest::Attribute(None),
            NodeTest::Attribute(Some(slot)) => ResolvedTest::Attribute(Some(loaded.id_of(*slot)?)),
        })
    }

    /// The name of elements, where only these are wanted: the index has them.
    pub(super) fn name(self) -> Option<NameId> {
        match self {
            ResolvedTest::Name(name) | ResolvedTest::Element(Some(name)) => Some(name),
            _ => None,
        }
    }

    /// The names of elements, where only these are wanted, without repetition.
    pub(super) fn names(self) -> Option<impl Iterator<Item = NameId>> {
        let ResolvedTest::Names(names) = self else { return None };
        let first = names[0];
        Some(names.into_iter().enumerate().filter(move |&(at, name)| at == 0 || name != first))
            .map(|named| named.map(|(_, name)| name))
    }

    /// Whether a tree node passes, on an axis whose principal kind is elements.
    #[inline]
    pub(super) fn accepts_id(self, document: &Document, id: u32) -> bool {
        let name = document.name_of(NodeId(id));
        match self {
            ResolvedTest::Name(wanted) | ResolvedTest::Element(Some(wanted)) => {
                name == Some(wanted)
            }
            ResolvedTest::Names(wanted) => name.is_some_and(|name| wanted.contains(&name)),
            ResolvedTest::AnyName | ResolvedTest::Element(None) => name.is_some(),
            ResolvedTest::InNamespace(wanted) => {
                name.is_some_and(|name| document.name(name).0 == wanted)
            }
            ResolvedTest::Local(wanted) => name.is_some_and(|name| document.name(name).1 == wanted),
            ResolvedTest::AnyNode => name.is_some() || document.kind_of(id).is_some(),
            ResolvedTest::Text => name.is_none() && document.kind_of(id) == Some(NodeKind::Text),
            ResolvedTest::Comment => document.kind_of(id) == Some(NodeKind::Comment),
            ResolvedTest::Instruction(None) => document.kind_of(id) == Some(NodeKind::Instruction),
            ResolvedTest::Instruction(wanted) => document.instruction_target(id) == wanted,
            ResolvedTest::Document | ResolvedTest::Attribute(_) => false,
        }
    }

    /// Whether an attribute passes; on the attribute axis it is of the principal kind.
    pub(super) fn accepts_attribute(
        self,
        document: &Document,
        number: u32,
        principal: bool,
    ) -> bool {
        let name = document.attribute_name(number);
        match self {
            ResolvedTest::AnyNode | ResolvedTest::Attribute(None) => true,
            ResolvedTest::Attribute(wanted) => name == wanted,
            ResolvedTest::Name(wanted) => principal && name == Some(wanted),
            ResolvedTest::Names(wanted) => {
                principal && name.is_some_and(|name| wanted.contains(&name))
            }
            ResolvedTest::AnyName => principal,
            ResolvedTest::InNamespace(wanted) => {
                principal && name.is_some_and(|name| document.name(name).0 == wanted)
            }
            ResolvedTest::Local(wanted) => {
                principal && name.is_some_and(|name| document.name(name).1 == wanted)
            }
            _ => false,
        }
    }

    /// Whether any kind of node passes.
    pub(super) fn accepts(self, document: &Document, node: NodeRef, attributes: bool) -> bool {
        match (node.attribute_id(), node.id()) {
            (Some(number), _) => self.accepts_attribute(document, number, attributes),
            (None, Some(_)) if attributes => false,
            (None, Some(id)) => self.accepts_id(document, id.0),
            (None, None) => matches!(self, ResolvedTest::AnyNode | ResolvedTest::Document),
        }
    }
}
