//! Which variables an expression sees, and where their values stand in a frame.

use super::super::error::{CompileError, ErrorCode};
use super::super::ir::{Expr, Expression};
use super::super::types::SequenceType;
use super::{VariableId, plain};

/// Slots of a frame at most.
const MAX_SLOTS: u32 = 1 << 16;

/// The variables that are visible, and the slots of the frame that they need.
///
/// Clone a scope to let names go: a rule begins with a clone of its pattern's scope.
#[derive(Debug, Clone, Default)]
pub struct VariableScope {
    names: Vec<(String, Variable)>,
    /// The next free slot.
    next: u32,
    /// Slots in use at any time.
    most: u32,
    lets: Vec<(u32, Expr)>,
    parameters: Vec<Option<SequenceType>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Variable {
    Document(u32),
    Local(u32),
}

/// What a [`super::super::Frame`] is made of: its lazy variables and its size.
#[derive(Debug, Clone, Default)]
pub struct FrameLayout {
    pub(crate) lets: Vec<(u32, Expr)>,
    pub(crate) slots: u32,
}

impl VariableScope {
    /// A scope without variables.
    pub fn new() -> VariableScope {
        VariableScope::default()
    }

    /// Makes a variable of the document visible under a name.
    pub fn declare_variable(&mut self, name: &str, variable: VariableId) {
        self.names.push((name.to_owned(), Variable::Document(variable.0)));
    }

    /// A `let` of a rule: visible from here on, evaluated when it is first used, with the context
    /// node of the frame.
    ///
    /// # Errors
    /// Too many variables in one scope.
    pub fn declare_local(&mut self, name: &str, value: Expression) -> Result<(), CompileError> {
        self.most = self.most.max(value.slots);
        let slot = self.declare_slot(name)?;
        self.lets.push((slot, value.root));
        Ok(())
    }

    /// A parameter of a function; declare parameters before anything else.
    ///
    /// # Errors
    /// Too many variables in one scope.
    pub fn declare_parameter(
        &mut self,
        name: &str,
        kind: Option<SequenceType>,
    ) -> Result<(), CompileError> {
        self.declare_slot(name)?;
        self.parameters.push(kind);
        Ok(())
    }

    /// A slot for [`Expression::bind`]; the name is visible from here on.
    ///
    /// # Errors
    /// Too many variables in one scope.
    pub fn declare_slot(&mut self, name: &str) -> Result<u32, CompileError> {
        // Above all temporary slots so far: a lazy value may be evaluated, and use its temporary
        // slots, when this variable has its value already.
        let slot = self.most.max(self.next);
        if slot >= MAX_SLOTS {
            return Err(plain(ErrorCode::QX0004, name, "too many variables"));
        }
        self.next = slot + 1;
        self.most = self.next;
        self.names.push((name.to_owned(), Variable::Local(slot)));
        Ok(slot)
    }

    /// How many names are visible, for [`Scope::hide_after`].
    pub fn visible(&self) -> usize {
        self.names.len()
    }

    /// Hides the names declared since there were so many. Their slots stay in use.
    pub fn hide_after(&mut self, visible: usize) {
        self.names.truncate(visible);
    }

    /// What a frame needs for everything compiled in this scope.
    pub fn into_layout(self) -> FrameLayout {
        FrameLayout { slots: self.slots(), lets: self.lets }
    }

    /// A variable of a `for`, `some` or `every` that is being compiled.
    pub(crate) fn push_temporary(&mut self, name: &str) -> Option<u32> {
        let slot = self.next;
        self.next += 1;
        self.most = self.most.max(self.next);
        self.names.push((name.to_owned(), Variable::Local(slot)));
        (slot < MAX_SLOTS).then_some(slot)
    }

    /// Ends the visibility of the last temporary variable.
    pub(crate) fn pop_temporary(&mut self) {
        self.names.pop();
    }

    pub(super) fn into_parameters(self) -> Vec<Option<SequenceType>> {
        self.parameters
    }

    pub(crate) fn slots(&self) -> u32 {
        self.most.max(self.next)
    }

    pub(crate) fn find(&self, name: &str) -> Option<Variable> {
        self.names.iter().rev().find(|(known, _)| known == name).map(|&(_, variable)| variable)
    }

    /// The slots that an expression may use; its temporary slots are free again afterwards.
    pub(super) fn end_expression(&mut self) -> u32 {
        let used = self.most;
        let kept = self.names.iter().filter_map(|(_, variable)| match variable {
            Variable::Local(slot) => Some(slot + 1),
            Variable::Document(_) => None,
        });
        let lets = self.lets.iter().map(|&(slot, _)| slot + 1).max().unwrap_or(0);
        self.next = kept.max().unwrap_or(0).max(lets);
        used
    }
}
