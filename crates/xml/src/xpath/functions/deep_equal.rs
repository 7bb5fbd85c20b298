//! `deep-equal`, Functions and Operators section 15.3.1.

use super::super::compare;
use super::super::environment::Environment;
use super::super::error::XPathResult;
use super::super::ir::{Axis, Comparison, NodeTest};
use super::super::value::{Item, NodeRef};
use crate::tree::NodeKind;

impl<'d> Environment<'d> {
    /// Whether two sequences are equal, nodes compared by name and content.
    pub(super) fn deep_equal(&self, a: &[Item<'d>], b: &[Item<'d>]) -> XPathResult<bool> {
        if a.len() != b.len() {
            return Ok(false);
        }
        for (a, b) in a.iter().zip(b) {
            let equal = match (a, b) {
                (Item::Node(a), Item::Node(b)) => self.equal_nodes(*a, *b)?,
                (Item::Node(_), _) | (_, Item::Node(_)) => false,
                (a, b) => {
                    let nan = |item| compare::double(item).is_some_and(f64::is_nan);
                    (nan(a) && nan(b)) || compare::single(Comparison::Equal, a, b).unwrap_or(false)
                }
            };
            if !equal {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn equal_nodes(&self, a: NodeRef, b: NodeRef) -> XPathResult<bool> {
        let _depth = self.enter()?;
        self.step()?;
        if self.expanded_name(a) != self.expanded_name(b) {
            return Ok(false);
        }
        let kind = |node: NodeRef| node.id().map(|id| self.tree(node.document).kind_of(id.0));
        match (a.attribute, b.attribute, kind(a), kind(b)) {
            (0, 0, None, None) => self.equal_children(a, b),
            (0, 0, Some(Some(NodeKind::Element)), Some(Some(NodeKind::Element))) => {
                Ok(self.equal_attributes(a, b)? && self.equal_children(a, b)?)
            }
            (0, 0, a_kind, b_kind) => {
                Ok(a_kind == b_kind && self.string_value(a) == self.string_value(b))
            }
            (0, _, _, _) | (_, 0, _, _) => Ok(false),
            _ => Ok(self.string_value(a) == self.string_value(b)),
        }
    }

    fn along(&self, axis: Axis, from: NodeRef) -> XPathResult<Vec<NodeRef>> {
        let mut nodes = Vec::new();
        self.axis(axis, &NodeTest::AnyNode, from, &mut |node| {
            let kind = node.id().and_then(|id| self.tree(node.document).kind_of(id.0));
            if !matches!(kind, Some(NodeKind::Comment | NodeKind::Instruction)) {
                nodes.push(node);
            }
            Ok(false)
        })?;
        Ok(nodes)
    }

    fn equal_attributes(&self, a: NodeRef, b: NodeRef) -> XPathResult<bool> {
        let (a, b) = (self.along(Axis::Attribute, a)?, self.along(Axis::Attribute, b)?);
        let twin = |a: &NodeRef| {
            b.iter().any(|b| {
                self.expanded_name(*a) == self.expanded_name(*b)
                    && self.string_value(*a) == self.string_value(*b)
            })
        };
        Ok(a.len() == b.len() && a.iter().all(twin))
    }

    fn equal_children(&self, a: NodeRef, b: NodeRef) -> XPathResult<bool> {
        let (a, b) = (self.along(Axis::Child, a)?, self.along(Axis::Child, b)?);
        if a.len() != b.len() {
            return Ok(false);
        }
        for (a, b) in a.into_iter().zip(b) {
            if !self.equal_nodes(a, b)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
