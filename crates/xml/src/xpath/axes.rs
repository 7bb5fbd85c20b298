//! Walking along an axis with a node test, XPath 2.0 section 3.2.1.
//!
//! Nodes are handed over in axis order: reverse axes give the nearest node first. A name that the
//! document does not have ends the walk before it begins; steps to descendants by name go through
//! the element index. The namespace axis does not exist.

mod wanted;

pub(crate) use wanted::MAX_NAMES;

use super::environment::{Environment, Loaded};
use super::error::XPathResult;
use super::ir::{Axis, NodeTest};
use super::value::{Item, NodeRef, XPathText};
use crate::tree::{Document, NodeId, NodeKind};
use wanted::ResolvedTest;

/// Takes a node and says whether the walk may end.
pub(crate) type NodeVisitor<'v> = &'v mut dyn FnMut(NodeRef) -> XPathResult<bool>;

/// One walk: where, for what, and what to do with it.
struct Walk<'e, 'd, 'v> {
    environment: &'e Environment<'d>,
    document: &'d Document,
    number: u32,
    wanted: ResolvedTest<'e>,
    visit: NodeVisitor<'v>,
}

impl<'d> Environment<'d> {
    /// The tree of a document by its number.
    pub(crate) fn tree(&self, document: u32) -> &'d Document {
        if document == 0 {
            return self.main.document;
        }
        let others = self.others.borrow();
        others.get(document as usize - 1).map_or(self.main.document, |other| other.document)
    }

    fn with_loaded<T>(&self, document: u32, use_it: impl FnOnce(&Loaded<'d>) -> T) -> T {
        if document == 0 {
            return use_it(&self.main);
        }
        let other = self.others.borrow().get(document as usize - 1).cloned();
        match other {
            Some(other) => use_it(&other),
            None => use_it(&self.main),
        }
    }

    /// Whether the document of a node has all these names.
    #[inline]
    pub(crate) fn has_names(&self, document: u32, slots: &[u32]) -> bool {
        if document == 0 {
            return slots.iter().all(|&slot| self.main.id_of(slot).is_some());
        }
        self.with_loaded(document, |loaded| slots.iter().all(|&slot| loaded.id_of(slot).is_some()))
    }

    /// The string value of a node.
    pub(crate) fn string_value(&self, node: NodeRef) -> XPathText<'d> {
        let tree = self.tree(node.document);
        if let Some(attribute) = node.attribute_id() {
            return XPathText::Borrowed(tree.attribute(attribute).map_or("", |found| found.value));
        }
        match node.id() {
            Some(id) => tree.string_value(id.0).into(),
            None => tree.whole_text().into(),
        }
    }

    /// The typed value of an item: a node without a schema is untyped, but comments and processing
    /// instructions are strings (data model section 6).
    pub(crate) fn atomized(&self, item: Item<'d>) -> Item<'d> {
        let Item::Node(node) = item else { return item };
        let text = self.string_value(node);
        let (Some(id), 0) = (node.id(), node.attribute) else { return Item::Untyped(text) };
        let tree = self.tree(node.document);
        if tree.name_of(id).is_some() || tree.kind_of(id.0) == Some(NodeKind::Text) {
            return Item::Untyped(text);
        }
        Item::String(text)
    }

    /// The item as `fn:string` gives it.
    pub(crate) fn text_of_item(&self, item: &Item<'d>) -> XPathText<'d> {
        match item {
            Item::Node(node) => self.string_value(*node),
            other => super::cast::text_of(other),
        }
    }

    /// Whether a node passes a test as if it stood on an axis whose principal kind is elements, or
    /// attributes.
    pub(crate) fn passes(&self, test: &NodeTest, node: NodeRef, attributes: bool) -> bool {
        let document = self.tree(node.document);
        let wanted = self.with_loaded(node.document, |loaded| ResolvedTest::resolve(test, loaded));
        wanted.is_some_and(|wanted| wanted.accepts(document, node, attributes))
    }

    /// Hands over the nodes along an axis until the visitor says that it is enough; answers
    /// whether it did.
    pub(crate) fn axis(
        &self,
        axis: Axis,
        test: &NodeTest,
        from: NodeRef,
        visit: NodeVisitor<'_>,
    ) -> XPathResult<bool> {
        let wanted = if from.document == 0 {
            ResolvedTest::resolve(test, &self.main)
        } else {
            self.with_loaded(from.document, |loaded| ResolvedTest::resolve(test, loaded))
        };
        let Some(wanted) = wanted else { return Ok(false) };
        let document = self.tree(from.document);
        let number = from.document;
        Walk { environment: self, document, number, wanted, visit }.along(axis, from)
    }
}

impl Walk<'_, '_, '_> {
    fn along(&mut self, axis: Axis, from: NodeRef) -> XPathResult<bool> {
        match axis {
            Axis::Child => self.children(from),
            Axis::Attribute => self.attributes(from),
            Axis::Own => self.offer(from),
            Axis::Parent => match self.parent(from) {
                Some(parent) => self.offer(parent),
                None => Ok(false),
            },
            Axis::Descendant => self.descendants(from),
            Axis::DescendantOrSelf => Ok(self.offer(from)? || self.descendants(from)?),
            Axis::Ancestor => self.ancestors(from),
            Axis::AncestorOrSelf => Ok(self.offer(from)? || self.ancestors(from)?),
            Axis::FollowingSibling => self.following_siblings(from),
            Axis::PrecedingSibling => self.preceding_siblings(from),
            Axis::Following => self.following(from),
            Axis::Preceding => self.preceding(from),
        }
    }

    fn at(&self, id: u32) -> NodeRef {
        NodeRef { document: self.number, node: id + 1, attribute: 0 }
    }

    /// Hands a tree node over if it passes the test.
    #[inline]
    fn offer_id(&mut self, id: u32) -> XPathResult<bool> {
        if !self.wanted.accepts_id(self.document, id) {
            return Ok(false);
        }
        self.environment.step()?;
        let node = self.at(id);
        (self.visit)(node)
    }

    /// Hands any node over if it passes the test of an axis of elements.
    fn offer(&mut self, node: NodeRef) -> XPathResult<bool> {
        self.environment.step()?;
        if !self.wanted.accepts(self.document, node, false) {
            return Ok(false);
        }
        (self.visit)(node)
    }

    fn parent(&self, node: NodeRef) -> Option<NodeRef> {
        if node.attribute != 0 {
            return Some(NodeRef { attribute: 0, ..node });
        }
        let parent = self.document.parent_of(node.id()?.0);
        Some(NodeRef { node: parent.map_or(0, |id| id + 1), ..node })
    }

    /// The numbers between which the descendants of a node stand.
    fn inside(&self, node: NodeRef) -> (u32, u32) {
        match node.id() {
            _ if node.attribute != 0 => (0, 0),
            None => (0, self.document.node_count() as u32),
            Some(id) => (id.0 + 1, self.document.end_number(id.0)),
        }
    }

    fn children(&mut self, from: NodeRef) -> XPathResult<bool> {
        let (mut at, end) = self.inside(from);
        let mut passed = 1;
        while at < end {
            if self.offer_id(at)? {
                return Ok(true);
            }
            passed += 1;
            at = self.document.end_number(at);
        }
        self.environment.spend(passed)?;
        Ok(false)
    }

    fn attributes(&mut self, from: NodeRef) -> XPathResult<bool> {
        let (Some(id), 0) = (from.id(), from.attribute) else { return Ok(false) };
        for attribute in self.document.attribute_numbers(id.0) {
            if self.wanted.accepts_attribute(self.document, attribute, true) {
                self.environment.step()?;
                let found = NodeRef { attribute: attribute + 1, ..from };
                if (self.visit)(found)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    fn descendants(&mut self, from: NodeRef) -> XPathResult<bool> {
        let (first, end) = self.inside(from);
        self.between(first, end)
    }

    /// All nodes with numbers from the first to before the end.
    fn between(&mut self, first: u32, end: u32) -> XPathResult<bool> {
        if let Some(names) = self.wanted.names() {
            let mut ids: Vec<NodeId> = Vec::new();
            for name in names {
                let all = self.document.elements_named(name);
                let skipped = all.partition_point(|id| id.0 < first);
                ids.extend(all.iter().skip(skipped).take_while(|id| id.0 < end));
            }
            self.environment.spend(ids.len() as u64)?;
            ids.sort_unstable();
            for id in ids {
                let node = self.at(id.0);
                if (self.visit)(node)? {
                    return Ok(true);
                }
            }
            return Ok(false);
        }
        let Some(name) = self.wanted.name() else {
            for id in first..end {
                self.environment.step()?;
                if self.offer_id(id)? {
                    return Ok(true);
                }
            }
            return Ok(false);
        };
        let all = self.document.elements_named(name);
        let skipped = all.partition_point(|id| id.0 < first);
        for id in all.iter().skip(skipped).take_while(|id| id.0 < end) {
            self.environment.step()?;
            let node = self.at(id.0);
            if (self.visit)(node)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn ancestors(&mut self, from: NodeRef) -> XPathResult<bool> {
        let mut place = self.parent(from);
        while let Some(node) = place {
            if self.offer(node)? {
                return Ok(true);
            }
            place = self.parent(node);
        }
        Ok(false)
    }

    fn following_siblings(&mut self, from: NodeRef) -> XPathResult<bool> {
        let (Some(id), Some(parent), 0) = (from.id(), self.parent(from), from.attribute) else {
            return Ok(false);
        };
        let (_, end) = self.inside(parent);
        let mut at = self.document.end_number(id.0);
        while at < end {
            self.environment.step()?;
            if self.offer_id(at)? {
                return Ok(true);
            }
            at = self.document.end_number(at);
        }
        Ok(false)
    }

    fn preceding_siblings(&mut self, from: NodeRef) -> XPathResult<bool> {
        let (Some(id), 0) = (from.id(), from.attribute) else { return Ok(false) };
        let parent = self.document.parent_of(id.0);
        let mut at = id.0;
        // The node before a node is the last one inside its preceding sibling, or its parent.
        while let Some(mut before) = at.checked_sub(1).filter(|&before| Some(before) != parent) {
            self.environment.step()?;
            while let Some(above) = self.document.parent_of(before)
                && Some(above) != parent
            {
                before = above;
            }
            if self.offer_id(before)? {
                return Ok(true);
            }
            at = before;
        }
        Ok(false)
    }

    fn following(&mut self, from: NodeRef) -> XPathResult<bool> {
        let Some(NodeId(id)) = from.id() else { return Ok(false) };
        let first = if from.attribute == 0 { self.document.end_number(id) } else { id + 1 };
        self.between(first, self.document.node_count() as u32)
    }

    fn preceding(&mut self, from: NodeRef) -> XPathResult<bool> {
        let Some(NodeId(id)) = from.id() else { return Ok(false) };
        if let Some(name) = self.wanted.name() {
            let all = self.document.elements_named(name);
            let before = all.partition_point(|each| each.0 < id);
            for each in all.iter().take(before).rev() {
                self.environment.step()?;
                // An ancestor ends after the node.
                let node = self.at(each.0);
                if self.document.end_number(each.0) <= id && (self.visit)(node)? {
                    return Ok(true);
                }
            }
            return Ok(false);
        }
        for before in (0..id).rev() {
            self.environment.step()?;
            if self.document.end_number(before) <= id && self.offer_id(before)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
