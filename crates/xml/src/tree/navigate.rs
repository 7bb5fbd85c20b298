//! Moving between nodes by number, for the rooms that walk a tree very often.
//!
//! Texts that follow one another (character data and CDATA sections) are one text node, as the
//! XPath data model says (section 6.7.3): the first of them stands for all.

use std::borrow::Cow;
use std::ops::Range;

use super::{Document, NONE, NodeContent, NodeData};

/// What a node is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NodeKind {
    Element,
    Text,
    Comment,
    Instruction,
}

impl Document {
    /// The kind of a node; `None` for a number past the end, and for a text that continues the one
    /// before it or is empty.
    pub(crate) fn kind_of(&self, id: u32) -> Option<NodeKind> {
        let node = self.node(id)?;
        Some(match &node.kind {
            NodeContent::Element(_) => NodeKind::Element,
            NodeContent::Comment => NodeKind::Comment,
            NodeContent::Instruction(_) => NodeKind::Instruction,
            NodeContent::Text(_) if self.continues_text(id, node.parent) => return None,
            NodeContent::Text(_) if self.text_run(id).is_empty() => return None,
            NodeContent::Text(_) => NodeKind::Text,
        })
    }

    fn continues_text(&self, id: u32, parent: u32) -> bool {
        let before = id.checked_sub(1).and_then(|before| self.node(before));
        before
            .is_some_and(|node| matches!(node.kind, NodeContent::Text(_)) && node.parent == parent)
    }

    /// A text and those that continue it.
    fn text_run(&self, id: u32) -> Cow<'_, str> {
        let Some(first) = self.node(id) else { return Cow::Borrowed("") };
        let mut end = id + 1;
        while self.node(end).is_some_and(|node| {
            matches!(node.kind, NodeContent::Text(_)) && node.parent == first.parent
        }) {
            end += 1;
        }
        self.text_between(id, end)
    }

    /// All texts among the nodes of a range, together.
    fn text_between(&self, start: u32, end: u32) -> Cow<'_, str> {
        let nodes = self.nodes.get(start as usize..end as usize).unwrap_or_default();
        together(nodes.iter().filter_map(|node| self.text_of(node)))
    }

    /// What a node says itself, where it is a text.
    pub(super) fn text_of(&self, node: &NodeData) -> Option<&str> {
        match &node.kind {
            NodeContent::Text(span) => Some(self.span(*span)),
            _ => None,
        }
    }

    /// The string value of a node (XPath data model section 5.13).
    pub(crate) fn string_value(&self, id: u32) -> Cow<'_, str> {
        let Some(node) = self.node(id) else { return Cow::Borrowed("") };
        match &node.kind {
            NodeContent::Element(_) => self.text_between(id + 1, node.end),
            NodeContent::Text(_) => self.text_run(id),
            NodeContent::Instruction(at) => Cow::Borrowed(self.instruction(*at).1),
            NodeContent::Comment => {
                let rest = self.source.get(node.offset as usize + 4..).unwrap_or_default();
                Cow::Borrowed(rest.split_once("-->").map_or(rest, |(comment, _)| comment))
            }
        }
    }

    /// The string value of the document node.
    pub(crate) fn whole_text(&self) -> Cow<'_, str> {
        self.text_between(0, self.nodes.len() as u32)
    }

    /// The parent of a node; `None` for a child of the document node.
    pub(crate) fn parent_of(&self, id: u32) -> Option<u32> {
        self.node(id).map(|node| node.parent).filter(|&parent| parent != NONE)
    }

    /// The number after the last descendant.
    pub(crate) fn end_number(&self, id: u32) -> u32 {
        self.node(id).map_or(u32::MAX, |node| node.end)
    }

    /// The numbers of the attributes of an element.
    pub(crate) fn attribute_numbers(&self, id: u32) -> Range<u32> {
        self.element_data(id).map_or(0..0, |element| {
            element.first_attribute..element.first_attribute + u32::from(element.attribute_count)
        })
    }

    /// The target of a processing instruction.
    pub(crate) fn instruction_target(&self, id: u32) -> Option<&str> {
        match &self.node(id)?.kind {
            NodeContent::Instruction(at) => Some(self.instruction(*at).0),
            _ => None,
        }
    }
}

/// Texts that follow one another, as one.
pub(super) fn together<'t>(mut texts: impl Iterator<Item = &'t str>) -> Cow<'t, str> {
    let first = texts.next().unwrap_or_default();
    let Some(second) = texts.next() else { return Cow::Borrowed(first) };
    let mut whole = String::with_capacity(first.len() + second.len());
    whole.push_str(first);
    whole.push_str(second);
    whole.extend(texts);
    Cow::Owned(whole)
}
