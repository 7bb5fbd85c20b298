//! From a [`Source`] to a schema: every expression compiled, every name resolved.

mod sequences;

use std::sync::Arc;

use super::error::{LoadError, Origin};
use super::outcome::SchematronCheck;
use super::source::{self, Piece, PrefixMap, RuleItem, SchematronSource, ScopedExpression};
use crate::xpath::{
    CompileError, Compiler, Expression, FrameLayout, FunctionId, MatchPattern, Program, VariableId,
    VariableScope,
};

/// How many rules a rule set may have.
const MAX_RULES: usize = 50_000;

/// A compiled rule set.
#[derive(Debug)]
pub(super) struct Compiled {
    pub(super) program: Program,
    pub(super) patterns: Vec<CompiledPattern>,
}

#[derive(Debug)]
pub(super) struct CompiledPattern {
    pub(super) id: Option<String>,
    pub(super) title: Option<String>,
    pub(super) rules: Vec<CompiledRule>,
}

#[derive(Debug)]
pub(super) struct CompiledRule {
    pub(super) id: Option<String>,
    pub(super) flag: Option<String>,
    pub(super) role: Option<String>,
    pub(super) context: String,
    pub(super) matching: MatchPattern,
    /// The variables of the rule, and the size of its frames.
    pub(super) layout: FrameLayout,
    pub(super) checks: Vec<CompiledCheck>,
}

#[derive(Debug)]
pub(super) struct CompiledCheck {
    pub(super) check: Arc<SchematronCheck>,
    pub(super) test: Expression,
    pub(super) message: Vec<CompiledPiece>,
    pub(super) diagnostics: Vec<(String, Vec<CompiledPiece>)>,
}

/// A part of a message.
#[derive(Debug)]
pub(super) enum CompiledPiece {
    Text(String),
    ValueOf(Expression),
    /// The name of the node that the expression gives, or of the context node.
    Name(Option<Expression>),
}

/// Compiles a source whose abstract patterns and rules are in place.
pub(super) fn compile(source: &SchematronSource) -> Result<Compiled, LoadError> {
    let mut maker = SchematronCompiler {
        source,
        compiler: Compiler::new(),
        scope: None,
        functions: Vec::new(),
    };
    let globals = maker.declare_variables();
    maker.declare_functions()?;
    maker.keys()?;
    maker.define_variables(&globals)?;
    maker.define_functions(&globals)?;
    let mut rules = 0;
    let mut patterns = Vec::with_capacity(source.patterns.len());
    for (pattern, own) in source.patterns.iter().zip(&globals.of_patterns) {
        rules += pattern.rules.len();
        if rules > MAX_RULES {
            let (origin, what, limit) = (pattern.origin.clone(), "rules", MAX_RULES);
            return Err(LoadError::Limit { origin, what, limit });
        }
        patterns.push(maker.pattern(pattern, &globals.visible_to(own))?);
    }
    let program = maker.compiler.finish().map_err(|error| expression_error(&nowhere(), error))?;
    Ok(Compiled { program, patterns })
}

/// The variables of the document: those of the schema and of all patterns.
struct Globals {
    /// All of them: those of the schema hide those of patterns.
    scope: VariableScope,
    of_schema: Vec<VariableId>,
    of_patterns: Vec<Vec<(String, VariableId)>>,
}

impl Globals {
    /// What a pattern sees: its own variables before all others.
    ///
    /// The standard hides the variables of one pattern from the others; the published validators
    /// do not, and XRechnung keeps its constants in a pattern of their own.
    fn visible_to(&self, own: &[(String, VariableId)]) -> VariableScope {
        let mut scope = self.scope.clone();
        for (name, variable) in own {
            scope.declare_variable(name, *variable);
        }
        scope
    }
}

struct SchematronCompiler<'s> {
    source: &'s SchematronSource,
    compiler: Compiler,
    /// The scope whose prefixes the compiler knows now, and whether it is that of a function.
    scope: Option<(usize, bool)>,
    functions: Vec<FunctionId>,
}

impl SchematronCompiler<'_> {
    fn declare_variables(&mut self) -> Globals {
        let source = self.source;
        let mut of_patterns = Vec::with_capacity(source.patterns.len());
        for pattern in &source.patterns {
            let names = pattern.lets.iter().map(|found| found.name.clone());
            of_patterns.push(names.map(|name| (name, self.compiler.declare_variable())).collect());
        }
        let of_schema: Vec<_> =
            source.lets.iter().map(|_| self.compiler.declare_variable()).collect();
        let mut scope = VariableScope::new();
        // What is declared last is found first.
        for (name, variable) in of_patterns.iter().rev().flat_map(|own: &Vec<_>| own.iter().rev()) {
            scope.declare_variable(name, *variable);
        }
        for (found, variable) in source.lets.iter().zip(&of_schema) {
            scope.declare_variable(&found.name, *variable);
        }
        Globals { scope, of_schema, of_patterns }
    }

    fn define_variables(&mut self, globals: &Globals) -> Result<(), LoadError> {
        let source = self.source;
        for (found, variable) in source.lets.iter().zip(&globals.of_schema) {
            let value = self.value(found, &mut globals.scope.clone())?;
            self.compiler.define_variable(*variable, value);
        }
        for (pattern, own) in source.patterns.iter().zip(&globals.of_patterns) {
            let scope = globals.visible_to(own);
            for (found, (_, variable)) in pattern.lets.iter().zip(own) {
                let value = self.value(found, &mut scope.clone())?;
                self.compiler.define_variable(*variable, value);
            }
        }
        Ok(())
    }

    fn keys(&mut self) -> Result<(), LoadError> {
        for key in &self.source.keys {
            self.enter(key.matching.scope, false);
            self.compiler
                .declare_key(&key.name, &key.matching.text, &key.using.text)
                .map_err(|error| expression_error(&key.matching.origin, error))?;
        }
        Ok(())
    }

    fn pattern(
        &mut self,
        pattern: &source::PatternSource,
        scope: &VariableScope,
    ) -> Result<CompiledPattern, LoadError> {
        let mut rules = Vec::with_capacity(pattern.rules.len());
        for rule in &pattern.rules {
            rules.push(self.rule(pattern, rule, scope)?);
        }
        Ok(CompiledPattern { id: pattern.id.clone(), title: pattern.title.clone(), rules })
    }

    fn rule(
        &mut self,
        pattern: &source::PatternSource,
        rule: &source::RuleSource,
        scope: &VariableScope,
    ) -> Result<CompiledRule, LoadError> {
        let Some(context) = &rule.context else {
            let (expected, found) = ("the attribute context".into(), "none".into());
            return Err(LoadError::Invalid { origin: rule.origin.clone(), expected, found });
        };
        self.enter(context.scope, false);
        let matching = self
            .compiler
            .compile_pattern(&context.text, &mut scope.clone())
            .map_err(|error| expression_error(&context.origin, error))?;
        let mut scope = scope.clone();
        for item in &rule.items {
            let RuleItem::Let(found) = item else { continue };
            let value = self.value(found, &mut scope)?;
            scope
                .declare_local(&found.name, value)
                .map_err(|error| expression_error(&found.origin, error))?;
        }
        let mut checks = Vec::with_capacity(rule.items.len());
        for item in &rule.items {
            let RuleItem::Check(check) = item else { continue };
            checks.push(self.check(check, (pattern, rule, context), &mut scope)?);
        }
        Ok(CompiledRule {
            id: rule.id.clone(),
            flag: rule.flag.clone(),
            role: rule.role.clone(),
            context: context.text.clone(),
            matching,
            layout: scope.into_layout(),
            checks,
        })
    }

    fn check(
        &mut self,
        check: &source::CheckSource,
        (pattern, rule, context): (&source::PatternSource, &source::RuleSource, &ScopedExpression),
        scope: &mut VariableScope,
    ) -> Result<CompiledCheck, LoadError> {
        let mut diagnostics = Vec::new();
        for id in &check.diagnostics {
            let pieces = self.source.diagnostics.get(id).map_or(&[][..], Vec::as_slice);
            diagnostics.push((id.clone(), self.message(pieces, scope)?));
        }
        Ok(CompiledCheck {
            test: self.expression(&check.test, scope)?,
            message: self.message(&check.message, scope)?,
            diagnostics,
            check: Arc::new(SchematronCheck {
                id: check.id.clone(),
                flag: check.flag.clone(),
                role: check.role.clone(),
                test: check.test.text.clone(),
                is_report: check.is_report,
                context: context.text.clone(),
                rule: rule.id.clone(),
                pattern: pattern.id.clone(),
                origin: check.origin.clone(),
            }),
        })
    }

    fn message(
        &mut self,
        pieces: &[Piece],
        scope: &mut VariableScope,
    ) -> Result<Vec<CompiledPiece>, LoadError> {
        let compiled = pieces.iter().map(|piece| {
            Ok(match piece {
                Piece::Text(text) => CompiledPiece::Text(text.clone()),
                Piece::ValueOf(code) => CompiledPiece::ValueOf(self.expression(code, scope)?),
                Piece::Name(None) => CompiledPiece::Name(None),
                Piece::Name(Some(code)) => CompiledPiece::Name(Some(self.expression(code, scope)?)),
            })
        });
        compiled.collect()
    }

    fn expression(
        &mut self,
        code: &ScopedExpression,
        scope: &mut VariableScope,
    ) -> Result<Expression, LoadError> {
        self.enter(code.scope, matches!(self.scope, Some((_, true))));
        self.compiler
            .compile(&code.text, scope)
            .map_err(|error| expression_error(&code.origin, error))
    }

    /// Makes the compiler know the prefixes of a place: those of `ns`, and those declared around
    /// the place. In a function, which an XSLT engine reads as it stands, the latter count first.
    fn enter(&mut self, scope: usize, is_function: bool) {
        if self.scope == Some((scope, is_function)) {
            return;
        }
        self.scope = Some((scope, is_function));
        let empty = PrefixMap::new();
        let around = self.source.scopes.get(scope).unwrap_or(&empty);
        let given = &self.source.namespaces;
        let (last, first) = if is_function { (around, given) } else { (given, around) };
        self.compiler.prefixes = Compiler::new().prefixes;
        for (prefix, uri) in first.iter().chain(last) {
            self.compiler.declare_prefix(prefix, uri);
        }
    }
}

fn expression_error(origin: &Origin, error: CompileError) -> LoadError {
    LoadError::Expression { origin: origin.clone(), error }
}

fn nowhere() -> Origin {
    Origin { file: "".into(), position: crate::tree::Position::default() }
}
