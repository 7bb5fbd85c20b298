//! Predicates of steps and of other expressions, XPath 2.0 sections 3.2.2 and 3.3.2.

use super::super::compare::double;
use super::super::environment::{Environment, Focus, Frame};
use super::super::error::XPathResult;
use super::super::ir::{AxisStep, Expr, Predicate, PredicateKind};
use super::super::value::{Item, NodeRef, Sequence};
use super::boolean::truth;
use super::paths::VisitItem;

/// Predicates of one step that are applied while walking; with more, nodes are collected.
const STREAMED: usize = 4;

/// Whether predicates can be applied to items one after another.
pub(super) fn can_stream(predicates: &[Predicate]) -> bool {
    predicates.len() <= STREAMED
        && predicates.iter().all(|predicate| predicate.kind != PredicateKind::Sized)
}

/// How far the predicates of one walk have counted.
#[derive(Default)]
struct Counters {
    counts: [usize; STREAMED],
    /// No later item can pass.
    exhausted: bool,
}

impl<'d> Environment<'d> {
    /// Nodes along an axis that pass the test and all predicates.
    pub(super) fn axis_step(
        &self,
        step: &'d AxisStep,
        from: NodeRef,
        frame: &Frame<'d>,
        visit: &mut dyn FnMut(NodeRef) -> XPathResult<bool>,
    ) -> XPathResult<bool> {
        if step.predicates.is_empty() {
            return self.axis(step.axis, &step.test, from, visit);
        }
        if !can_stream(&step.predicates) {
            return self.axis_step_collected(step, from, frame, visit);
        }
        let (mut counters, mut enough) = (Counters::default(), false);
        self.axis(step.axis, &step.test, from, &mut |node| {
            let item = Item::Node(node);
            if self.passes_all(&step.predicates, &item, &mut counters, frame)? && visit(node)? {
                enough = true;
            }
            Ok(enough || counters.exhausted)
        })?;
        Ok(enough)
    }

    fn axis_step_collected(
        &self,
        step: &'d AxisStep,
        from: NodeRef,
        frame: &Frame<'d>,
        visit: &mut dyn FnMut(NodeRef) -> XPathResult<bool>,
    ) -> XPathResult<bool> {
        let mut items = Vec::new();
        self.axis(step.axis, &step.test, from, &mut |node| {
            items.push(Item::Node(node));
            self.check_items(items.len())?;
            Ok(false)
        })?;
        for predicate in &step.predicates {
            items = self.filtered(items, predicate, frame)?;
        }
        for item in items {
            if let Item::Node(node) = item
                && visit(node)?
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn passes_all(
        &self,
        predicates: &'d [Predicate],
        item: &Item<'d>,
        counters: &mut Counters,
        frame: &Frame<'d>,
    ) -> XPathResult<bool> {
        for (predicate, count) in predicates.iter().zip(&mut counters.counts) {
            *count += 1;
            if let PredicateKind::Position(wanted) = predicate.kind {
                let wanted = usize::try_from(wanted).unwrap_or(0);
                counters.exhausted |= *count >= wanted;
                if *count != wanted {
                    return Ok(false);
                }
                continue;
            }
            let focus = Focus { item: Some(item.clone()), position: *count, size: 0 };
            if !self.passes_predicate(predicate, &focus, frame)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether one item passes; its position and the size are those of the focus.
    fn passes_predicate(
        &self,
        predicate: &'d Predicate,
        focus: &Focus<'d>,
        frame: &Frame<'d>,
    ) -> XPathResult<bool> {
        match predicate.kind {
            PredicateKind::Boolean => self.condition(predicate, focus, frame),
            PredicateKind::Position(wanted) => Ok(i64::try_from(focus.position) == Ok(wanted)),
            PredicateKind::Counted | PredicateKind::Sized => {
                let value = self.sequence(&predicate.expr, focus, frame)?;
                match value.items() {
                    [number] if double(number).is_some() => {
                        Ok(double(number) == Some(focus.position as f64))
                    }
                    items => truth(items),
                }
            }
        }
    }

    /// The truth of a condition, remembered where it stands in several rules.
    pub(super) fn condition(
        &self,
        predicate: &'d Predicate,
        focus: &Focus<'d>,
        frame: &Frame<'d>,
    ) -> XPathResult<bool> {
        let place = match (&focus.item, predicate.known) {
            (Some(Item::Node(node)), Some(known)) if node.document == 0 && node.attribute == 0 => {
                self.conditions.place(known, node.node, self.main.document.node_count() + 1)
            }
            _ => None,
        };
        let Some(place) = place else { return self.boolean(&predicate.expr, focus, frame) };
        if let Some(truth) = place.get() {
            return Ok(truth);
        }
        let truth = self.boolean(&predicate.expr, focus, frame)?;
        place.set(truth);
        Ok(truth)
    }

    /// The items that pass one predicate.
    fn filtered(
        &self,
        items: Vec<Item<'d>>,
        predicate: &'d Predicate,
        frame: &Frame<'d>,
    ) -> XPathResult<Vec<Item<'d>>> {
        if let PredicateKind::Position(wanted) = predicate.kind {
            let at = usize::try_from(wanted).ok().and_then(|wanted| wanted.checked_sub(1));
            return Ok(at.and_then(|at| items.into_iter().nth(at)).into_iter().collect());
        }
        let size = items.len();
        let mut kept = Vec::new();
        for (at, item) in items.into_iter().enumerate() {
            self.step()?;
            let focus = Focus { item: Some(item.clone()), position: at + 1, size };
            if self.passes_predicate(predicate, &focus, frame)? {
                kept.push(item);
            }
        }
        Ok(kept)
    }

    /// The value of an expression with predicates.
    pub(super) fn filter(
        &self,
        inner: &'d Expr,
        predicates: &'d [Predicate],
        focus: &Focus<'d>,
        frame: &Frame<'d>,
    ) -> XPathResult<Sequence<'d>> {
        let mut items = Vec::new();
        if can_stream(predicates) {
            self.stream_filter(inner, predicates, focus, frame, &mut |item| {
                items.push(item);
                self.check_items(items.len())?;
                Ok(false)
            })?;
            return Ok(items.into());
        }
        items = self.sequence(inner, focus, frame)?.into_items();
        for predicate in predicates {
            items = self.filtered(items, predicate, frame)?;
        }
        Ok(items.into())
    }

    /// As [`Environment::filter`], one item after another.
    pub(super) fn stream_filter(
        &self,
        inner: &'d Expr,
        predicates: &'d [Predicate],
        focus: &Focus<'d>,
        frame: &Frame<'d>,
        visit: VisitItem<'_, 'd>,
    ) -> XPathResult<bool> {
        let (mut counters, mut enough) = (Counters::default(), false);
        self.each(inner, focus, frame, true, &mut |item| {
            if self.passes_all(predicates, &item, &mut counters, frame)? && visit(item)? {
                enough = true;
            }
            Ok(enough || counters.exhausted)
        })?;
        Ok(enough)
    }
}
