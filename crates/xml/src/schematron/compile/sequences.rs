//! `xsl:function` and sequence constructors as expressions (XSLT 2.0, sections 5.7, 9 and 10.3).

use super::{Globals, SchematronCompiler, expression_error};
use crate::schematron::error::{LoadError, Origin};
use crate::schematron::source::{Instruction, Let, VariableValue, XslFunction};
use crate::xpath::{Expression, FunctionId, SequenceType, VariableScope};

/// How deep constructors may nest.
const MAX_DEPTH: usize = 64;

impl SchematronCompiler<'_> {
    /// The names of all functions, so that they can call each other.
    pub(super) fn declare_functions(&mut self) -> Result<(), LoadError> {
        for function in &self.source.functions {
            self.enter(function.scope, true);
            let declared = self.compiler.declare_function(&function.name, function.params.len());
            let id = declared.map_err(|error| expression_error(&function.origin, error))?;
            self.functions.push(id);
        }
        self.scope = None;
        Ok(())
    }

    pub(super) fn define_functions(&mut self, globals: &Globals) -> Result<(), LoadError> {
        let ids = std::mem::take(&mut self.functions);
        for (function, id) in self.source.functions.iter().zip(ids) {
            self.enter(function.scope, true);
            self.define_function(function, id, globals)?;
        }
        self.scope = None;
        Ok(())
    }

    fn define_function(
        &mut self,
        function: &XslFunction,
        id: FunctionId,
        globals: &Globals,
    ) -> Result<(), LoadError> {
        let mut scope = globals.scope.clone();
        for (name, declared) in &function.params {
            let kind = self.sequence_type(declared.as_deref(), &function.origin)?;
            scope
                .declare_parameter(name, kind)
                .map_err(|error| expression_error(&function.origin, error))?;
        }
        let body = self.sequence(&function.body, &mut scope, &function.origin, 0)?;
        let result = self.sequence_type(function.returns.as_deref(), &function.origin)?;
        self.compiler.define_function(id, scope, body, result);
        Ok(())
    }

    fn sequence_type(
        &mut self,
        text: Option<&str>,
        origin: &Origin,
    ) -> Result<Option<SequenceType>, LoadError> {
        let Some(text) = text else { return Ok(None) };
        let kind = self.compiler.sequence_type(text);
        kind.map(Some).map_err(|error| expression_error(origin, error))
    }

    /// The value of a variable.
    pub(super) fn value(
        &mut self,
        found: &Let,
        scope: &mut VariableScope,
    ) -> Result<Expression, LoadError> {
        self.value_in(found, scope, 0)
    }

    fn value_in(
        &mut self,
        found: &Let,
        scope: &mut VariableScope,
        depth: usize,
    ) -> Result<Expression, LoadError> {
        let kind = self.sequence_type(found.declared.as_deref(), &found.origin)?;
        let value = match &found.value {
            VariableValue::Select(code) => self.expression(code, scope)?,
            VariableValue::Body(body) if body.is_empty() && kind.is_none() => Expression::text(""),
            VariableValue::Body(body) => {
                let made = self.sequence(body, scope, &found.origin, depth + 1)?;
                // Without a type, the value is a document with one text (XSLT 2.0, section 9.3).
                if kind.is_none() { Expression::text_of(made, "") } else { made }
            }
        };
        Ok(match kind {
            Some(kind) => value.converted(kind),
            None => value,
        })
    }

    fn sequence(
        &mut self,
        body: &[Instruction],
        scope: &mut VariableScope,
        origin: &Origin,
        depth: usize,
    ) -> Result<Expression, LoadError> {
        if depth > MAX_DEPTH {
            let (origin, what, limit) = (origin.clone(), "nested instructions", MAX_DEPTH);
            return Err(LoadError::Limit { origin, what, limit });
        }
        let visible = scope.visible();
        let mut parts = Vec::new();
        let mut bound = Vec::new();
        for instruction in body {
            match instruction {
                Instruction::Variable(found) => {
                    let value = self.value_in(found, scope, depth)?;
                    let slot = scope
                        .declare_slot(&found.name)
                        .map_err(|error| expression_error(&found.origin, error))?;
                    bound.push((std::mem::take(&mut parts), slot, value));
                }
                other => parts.push(self.instruction(other, scope, origin, depth)?),
            }
        }
        scope.hide_after(visible);
        // From the inside out: what follows a variable is the body of its binding.
        let mut whole = Expression::sequence(parts);
        for (mut before, slot, value) in bound.into_iter().rev() {
            before.push(Expression::bind(slot, value, whole));
            whole = Expression::sequence(before);
        }
        Ok(whole)
    }

    fn instruction(
        &mut self,
        instruction: &Instruction,
        scope: &mut VariableScope,
        origin: &Origin,
        depth: usize,
    ) -> Result<Expression, LoadError> {
        Ok(match instruction {
            Instruction::Variable(found) => self.value_in(found, scope, depth)?,
            Instruction::Sequence(code) => self.expression(code, scope)?,
            Instruction::ValueOf { select, separator } => {
                let value = self.expression(select, scope)?;
                Expression::text_of(value, separator.as_deref().unwrap_or(" "))
            }
            Instruction::Text(text) => Expression::text(text),
            Instruction::Choose { branches, otherwise } => {
                let mut made = self.sequence(otherwise, scope, origin, depth + 1)?;
                for (test, body) in branches.iter().rev() {
                    let then = self.sequence(body, scope, origin, depth + 1)?;
                    made = Expression::choose(self.expression(test, scope)?, then, made);
                }
                made
            }
        })
    }
}
