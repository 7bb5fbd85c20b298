//! Variables, functions of the rule set, and values that are remembered.

use super::super::environment::{Environment, Focus, Frame, VariableSlot};
use super::super::error::{ErrorCode, XPathResult, fail};
use super::super::ir::Expr;
use super::super::value::{Item, NodeRef, Sequence};

/// Whether the context is a node of the document that is judged, so that remembered values hold.
pub(super) fn is_in_main_document(focus: &Focus<'_>) -> bool {
    matches!(&focus.item, Some(Item::Node(node)) if node.document == 0)
}

impl<'d> Environment<'d> {
    /// A variable of the document, evaluated when it is first asked for.
    pub(super) fn variable(&self, id: u32) -> XPathResult<Sequence<'d>> {
        let Some(place) = self.variables.get(id as usize) else {
            return Err(ErrorCode::XPST0008.into());
        };
        let expr = match &*place.borrow() {
            VariableSlot::Ready(value) => return Ok(value.clone()),
            VariableSlot::Failed(error) => return Err(error.clone()),
            VariableSlot::Pending(expr) => *expr,
            VariableSlot::Busy | VariableSlot::Unset => return Err(ErrorCode::XTDE0640.into()),
        };
        place.replace(VariableSlot::Busy);
        let slots = self.program.variables.get(id as usize).map_or(0, |value| value.slots);
        let frame = Frame::bare(slots, Focus::node(NodeRef::ROOT), Some(NodeRef::ROOT));
        let result = self.sequence(expr, frame.focus(), &frame);
        place.replace(kept(&result));
        result
    }

    /// A variable of the frame; a lazy one is evaluated with the context of the frame.
    pub(super) fn local(&self, slot: u32, frame: &Frame<'d>) -> XPathResult<Sequence<'d>> {
        let expr = match frame.get(slot) {
            VariableSlot::Ready(value) => return Ok(value),
            VariableSlot::Failed(error) => return Err(error),
            VariableSlot::Pending(expr) => expr,
            VariableSlot::Busy => return Err(ErrorCode::XTDE0640.into()),
            VariableSlot::Unset => return Err(ErrorCode::XPST0008.into()),
        };
        frame.set(slot, VariableSlot::Busy);
        let result = self.sequence(expr, frame.focus(), frame);
        frame.set(slot, kept(&result));
        result
    }

    /// Calls a function that the rule set defines. Its body has no context item.
    pub(super) fn user(
        &self,
        id: u32,
        arguments: &'d [Expr],
        focus: &Focus<'d>,
        frame: &Frame<'d>,
    ) -> XPathResult<Sequence<'d>> {
        let function = self.program.functions.get(id as usize);
        let Some((function, body)) =
            function.and_then(|function| Some((function, function.body.as_ref()?)))
        else {
            return fail!(XPST0017, "a function without a body");
        };
        let inner = Frame::bare(body.slots, Focus::default(), None);
        for (slot, argument) in arguments.iter().enumerate() {
            let value = self.sequence(argument, focus, frame)?;
            let value = match function.parameters.get(slot) {
                Some(Some(kind)) => self.convert(value, kind)?,
                _ => value,
            };
            inner.set(slot as u32, VariableSlot::Ready(value));
        }
        self.sequence(&body.root, inner.focus(), &inner)
    }

    /// A value that is the same everywhere in the document.
    pub(super) fn memo(
        &self,
        slot: u32,
        inner: &'d Expr,
        focus: &Focus<'d>,
        frame: &Frame<'d>,
    ) -> XPathResult<Sequence<'d>> {
        let place = self.memos.get(slot as usize);
        let Some(place) = place.filter(|_| is_in_main_document(focus)) else {
            return self.sequence(inner, focus, frame);
        };
        if let Some(known) = place.get() {
            return known.clone();
        }
        let result = self.sequence(inner, focus, frame);
        let _ = place.set(result.clone());
        result
    }

    /// The truth of a value that is the same everywhere in the document.
    pub(super) fn memo_truth(
        &self,
        slot: u32,
        inner: &'d Expr,
        focus: &Focus<'d>,
        frame: &Frame<'d>,
    ) -> XPathResult<bool> {
        let place = self.truths.get(slot as usize);
        let Some(place) = place.filter(|_| is_in_main_document(focus)) else {
            return self.boolean(inner, focus, frame);
        };
        if let Some(known) = place.get() {
            return Ok(known);
        }
        let truth = self.boolean(inner, focus, frame)?;
        place.set(Some(truth));
        Ok(truth)
    }
}

fn kept<'d>(result: &XPathResult<Sequence<'d>>) -> VariableSlot<'d> {
    match result {
        Ok(value) => VariableSlot::Ready(value.clone()),
        Err(error) => VariableSlot::Failed(error.clone()),
    }
}
