//! Matching a node against a pattern, from its last step to its first (XSLT 2.0 section 5.5.3).

use super::super::environment::{Environment, Focus, Frame};
use super::super::error::XPathResult;
use super::super::ir::{Axis, PredicateKind};
use super::super::pattern::{Alternative, Anchor, MatchPattern, PatternStep};
use super::super::value::{Item, NodeRef};
use super::boolean::truth;

impl<'d> Environment<'d> {
    /// Whether one alternative of a pattern matches a node. An error in a predicate means that it
    /// does not; a limit that was reached is kept for [`Environment::limit_reached`].
    pub fn matches_alternative(
        &self,
        pattern: &'d MatchPattern,
        alternative: usize,
        node: NodeRef,
    ) -> bool {
        let Some(alternative) = pattern.alternatives.get(alternative) else { return false };
        if alternative.steps.is_empty() {
            return node.is_document();
        }
        if node.document == 0 && !self.has_names(0, &alternative.required) {
            return false;
        }
        let frame = OnceFrame { slots: pattern.slots, frame: std::cell::OnceCell::new(), node };
        match self.matches_from(alternative, 0, node, &frame) {
            Ok(matches) => matches,
            Err(error) => {
                if error.code.is_limit() {
                    self.limit.borrow_mut().get_or_insert(error);
                }
                false
            }
        }
    }

    fn matches_from(
        &self,
        alternative: &'d Alternative,
        at: usize,
        node: NodeRef,
        frame: &OnceFrame<'d>,
    ) -> XPathResult<bool> {
        let Some(step) = alternative.steps.get(at) else { return Ok(true) };
        if !self.matches_step(step, node, frame)? {
            return Ok(false);
        }
        let Some(mut above) = self.parent(node) else { return Ok(false) };
        if at + 1 == alternative.steps.len() {
            return Ok(alternative.anchor != Anchor::Root || above.is_document());
        }
        loop {
            if self.matches_from(alternative, at + 1, above, frame)? {
                return Ok(true);
            }
            match self.parent(above) {
                Some(next) if step.below => above = next,
                _ => return Ok(false),
            }
        }
    }

    pub(crate) fn parent(&self, node: NodeRef) -> Option<NodeRef> {
        if node.attribute != 0 {
            return Some(NodeRef { attribute: 0, ..node });
        }
        let parent = self.tree(node.document).parent_of(node.id()?.0);
        Some(NodeRef { node: parent.map_or(0, |id| id + 1), ..node })
    }

    fn matches_step(
        &self,
        step: &'d PatternStep,
        node: NodeRef,
        frame: &OnceFrame<'d>,
    ) -> XPathResult<bool> {
        self.step()?;
        let is_attribute = node.attribute != 0;
        if step.attribute != is_attribute
            || node.is_document()
            || !self.passes(&step.test, node, step.attribute)
        {
            return Ok(false);
        }
        for (at, predicate) in step.predicates.iter().enumerate() {
            let passes = match predicate.kind {
                PredicateKind::Boolean => {
                    self.condition(predicate, &Focus::node(node), frame.get())?
                }
                _ => self.passes_among_siblings(step, at, node, frame)?,
            };
            if !passes {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a node is left after predicates up to one that needs its position.
    fn passes_among_siblings(
        &self,
        step: &'d PatternStep,
        last: usize,
        node: NodeRef,
        frame: &OnceFrame<'d>,
    ) -> XPathResult<bool> {
        let Some(parent) = self.parent(node) else { return Ok(false) };
        let axis = if step.attribute { Axis::Attribute } else { Axis::Child };
        let mut nodes = Vec::new();
        self.axis(axis, &step.test, parent, &mut |sibling| {
            nodes.push(sibling);
            Ok(false)
        })?;
        for predicate in step.predicates.iter().take(last + 1) {
            let size = nodes.len();
            let mut kept = Vec::new();
            for (at, &sibling) in nodes.iter().enumerate() {
                let focus = Focus { item: Some(Item::Node(sibling)), position: at + 1, size };
                let passes = match predicate.kind {
                    PredicateKind::Position(wanted) => i64::try_from(at + 1) == Ok(wanted),
                    PredicateKind::Boolean => self.boolean(&predicate.expr, &focus, frame.get())?,
                    _ => {
                        let value = self.sequence(&predicate.expr, &focus, frame.get())?;
                        match value.items() {
                            [number] if super::super::compare::double(number).is_some() => {
                                super::super::compare::double(number) == Some((at + 1) as f64)
                            }
                            items => truth(items)?,
                        }
                    }
                };
                if passes {
                    kept.push(sibling);
                }
            }
            nodes = kept;
        }
        Ok(nodes.contains(&node))
    }
}

/// A frame for the predicates of a pattern, made when the first one is evaluated.
struct OnceFrame<'d> {
    slots: u32,
    frame: std::cell::OnceCell<Frame<'d>>,
    node: NodeRef,
}

impl<'d> OnceFrame<'d> {
    fn get(&self) -> &Frame<'d> {
        self.frame.get_or_init(|| Frame::bare(self.slots, Focus::node(self.node), Some(self.node)))
    }
}
