//! The limits of one evaluation: time as steps, memory as items and text, and depth.

use std::cell::Cell;

use super::super::error::{DynamicError, ErrorCode, XPathResult, fail};
use super::Environment;
use crate::tree::Document;

/// Steps that every document may cost. Official rule sets take 30,000 for an invoice of 20 kB.
const STEPS: u64 = 2_000_000;
/// Steps more for each node of the document. Official rule sets take 25 at most, so that this is
/// reached by rules that are worse than linear on documents that are very large; a second has some
/// twenty to a hundred million steps.
const STEPS_PER_NODE: u64 = 2_000;
/// Items of one sequence at most.
const ITEMS: usize = 4_000_000;
/// Bytes of one text that a function makes at most.
const TEXT: usize = 32 << 20;
/// Expressions and functions inside one another at most.
const DEPTH: u32 = 2_000;
/// Bytes of the stack that an evaluation may use; threads have 2 MiB. An optimised build reaches
/// the limit of depth before, a build for tests does not.
const STACK: usize = 1_280 << 10;

/// What an evaluation may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EvaluationBudget {
    /// Nodes visited, items made, expressions evaluated.
    pub steps: u64,
    /// Items of one sequence.
    pub items: usize,
    /// Bytes of one text.
    pub text: usize,
    /// Expressions inside one another.
    pub depth: u32,
}

impl EvaluationBudget {
    /// Generous for a document of this size; what needs more is not linear.
    pub fn for_document(document: &Document) -> EvaluationBudget {
        let nodes = document.node_count() as u64;
        EvaluationBudget {
            steps: STEPS + STEPS_PER_NODE * nodes,
            items: ITEMS,
            text: TEXT,
            depth: DEPTH,
        }
    }
}

impl<'d> Environment<'d> {
    /// Counts one step.
    #[inline]
    pub(crate) fn step(&self) -> XPathResult<()> {
        self.spend(1)
    }

    /// Counts some steps.
    #[inline]
    pub(crate) fn spend(&self, steps: u64) -> XPathResult<()> {
        match self.steps.get().checked_sub(steps) {
            Some(left) => {
                self.steps.set(left);
                Ok(())
            }
            None => Err(self.spent()),
        }
    }

    #[cold]
    fn spent(&self) -> DynamicError {
        self.steps.set(0);
        DynamicError::new(
            ErrorCode::QX0001,
            format!("the evaluation needs more than {} steps", self.budget.steps),
        )
    }

    /// Refuses a sequence that is too long.
    pub(crate) fn check_items(&self, count: usize) -> XPathResult<()> {
        if count > self.budget.items {
            return fail!(QX0002, "a sequence has more than {} items", self.budget.items);
        }
        Ok(())
    }

    /// Refuses a text that is too long, and counts its bytes.
    pub(crate) fn check_text(&self, bytes: usize) -> XPathResult<()> {
        self.check_length(bytes)?;
        self.spend(bytes as u64 / 64)
    }

    /// Refuses a text that is too long, while it grows: what grows it is counted already.
    pub(crate) fn check_length(&self, bytes: usize) -> XPathResult<()> {
        if bytes > self.budget.text {
            return fail!(QX0003, "a text has more than {} bytes", self.budget.text);
        }
        Ok(())
    }

    /// Goes one level deeper until the answer is dropped.
    pub(crate) fn enter(&self) -> XPathResult<Depth<'_>> {
        let depth = self.depth.get() + 1;
        let marker = 0u8;
        let place = std::ptr::from_ref(&marker).addr();
        if depth == 1 {
            self.stack.set(place);
        }
        if depth > self.budget.depth || place.abs_diff(self.stack.get()) > STACK {
            return Err(self.too_deep());
        }
        self.depth.set(depth);
        Ok(Depth(&self.depth))
    }

    #[cold]
    fn too_deep(&self) -> DynamicError {
        let message = "expressions and functions are nested too deeply";
        DynamicError::new(ErrorCode::QX0004, message)
    }
}

/// One level of depth.
pub(crate) struct Depth<'e>(&'e Cell<u32>);

impl Drop for Depth<'_> {
    fn drop(&mut self) {
        self.0.set(self.0.get().saturating_sub(1));
    }
}
