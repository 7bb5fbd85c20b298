//! The context of a rule or function: the node, and the values of its variables.

use std::cell::RefCell;

use super::super::compiler::FrameLayout;
use super::super::error::DynamicError;
use super::super::ir::Expr;
use super::super::value::{Item, NodeRef, Sequence};

/// The value of a variable.
#[derive(Debug, Clone, Default)]
pub(crate) enum VariableSlot<'d> {
    #[default]
    Unset,
    /// Not asked for so far.
    Pending(&'d Expr),
    /// Being evaluated: asking for it now is a circle.
    Busy,
    Ready(Sequence<'d>),
    Failed(DynamicError),
}

/// The context item with its position, XPath 2.0 section 2.1.2.
#[derive(Debug, Clone, Default)]
pub(crate) struct Focus<'d> {
    pub(crate) item: Option<Item<'d>>,
    pub(crate) position: usize,
    /// 0 where it is not known, because nothing below asks for it.
    pub(crate) size: usize,
}

impl<'d> Focus<'d> {
    /// One node, alone.
    pub(crate) fn node(node: NodeRef) -> Focus<'d> {
        Focus { item: Some(Item::Node(node)), position: 1, size: 1 }
    }
}

/// The context node and the local variables of one rule on one node.
#[derive(Debug)]
pub struct Frame<'d> {
    pub(crate) slots: RefCell<Vec<VariableSlot<'d>>>,
    focus: Focus<'d>,
    /// What `current()` gives.
    pub(crate) current: Option<NodeRef>,
}

impl<'d> Frame<'d> {
    /// A frame for a rule on a node; its variables are evaluated when they are first used.
    pub fn new(layout: &'d FrameLayout, node: NodeRef) -> Frame<'d> {
        let mut frame = Frame::bare(layout.slots, Focus::node(node), Some(node));
        frame.prepare(layout);
        frame
    }

    /// Uses the frame again for another node of the same rule, or for another rule.
    pub fn reset(&mut self, layout: &'d FrameLayout, node: NodeRef) {
        let slots = self.slots.get_mut();
        slots.clear();
        slots.resize(layout.slots as usize, VariableSlot::Unset);
        self.focus = Focus::node(node);
        self.current = Some(node);
        self.prepare(layout);
    }

    fn prepare(&mut self, layout: &'d FrameLayout) {
        let slots = self.slots.get_mut();
        for (slot, value) in &layout.lets {
            if let Some(place) = slots.get_mut(*slot as usize) {
                *place = VariableSlot::Pending(value);
            }
        }
    }

    /// A frame without lazy variables.
    pub(crate) fn bare(slots: u32, focus: Focus<'d>, current: Option<NodeRef>) -> Frame<'d> {
        Frame { slots: RefCell::new(vec![VariableSlot::Unset; slots as usize]), focus, current }
    }

    pub(crate) fn focus(&self) -> &Focus<'d> {
        &self.focus
    }

    pub(crate) fn set(&self, slot: u32, value: VariableSlot<'d>) {
        if let Some(place) = self.slots.borrow_mut().get_mut(slot as usize) {
            *place = value;
        }
    }

    pub(crate) fn get(&self, slot: u32) -> VariableSlot<'d> {
        self.slots.borrow().get(slot as usize).cloned().unwrap_or_default()
    }
}
