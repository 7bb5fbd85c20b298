//! What a rule set shares while it is compiled, and the finished program.

mod scope;
mod tables;

pub use scope::{FrameLayout, VariableScope};
pub use tables::{FunctionId, NameSlot, Program, VariableId};

pub(crate) use scope::Variable;
pub(crate) use tables::{Conditions, FunctionDefinition, KeyDefinition, NameRegistry};

use std::collections::HashMap;

use super::analyse::{bound_slots, without_names};
use super::error::{CompileError, CompileResult, ErrorCode};
use super::ir::{Binding, Expr, Expression, PredicateKind};
use super::optimise;
use super::parser;
use super::pattern::MatchPattern;
use super::types::SequenceType;
use super::value::{Item, XPathText};

/// Namespaces whose prefixes are known without a declaration.
const PREDECLARED: &[(&str, &str)] = &[
    ("xml", crate::namespaces::XML),
    ("xs", "http://www.w3.org/2001/XMLSchema"),
    ("xsd", "http://www.w3.org/2001/XMLSchema"),
    ("fn", "http://www.w3.org/2005/xpath-functions"),
];

/// Compiles the expressions of one rule set.
#[derive(Debug)]
pub struct Compiler {
    pub(crate) prefixes: HashMap<String, String>,
    pub(crate) names: NameRegistry,
    pub(crate) functions: Vec<FunctionDefinition>,
    pub(crate) variables: Vec<Option<Expression>>,
    pub(crate) keys: Vec<KeyDefinition>,
    pub(crate) memos: u32,
    pub(crate) conditions: Conditions,
}

impl Default for Compiler {
    fn default() -> Self {
        Compiler::new()
    }
}

impl Compiler {
    /// A compiler that knows the prefixes `xs`, `xsd`, `fn` and `xml`, and nothing else.
    pub fn new() -> Compiler {
        let own = |(prefix, uri): &(&str, &str)| ((*prefix).to_owned(), (*uri).to_owned());
        Compiler {
            prefixes: PREDECLARED.iter().map(own).collect(),
            names: NameRegistry::default(),
            functions: Vec::new(),
            variables: Vec::new(),
            keys: Vec::new(),
            memos: 0,
            conditions: Conditions::default(),
        }
    }

    /// Declares a namespace prefix; the last declaration of a prefix counts.
    pub fn declare_prefix(&mut self, prefix: &str, uri: &str) {
        if self.prefixes.get(prefix).is_none_or(|known| known != uri) {
            self.prefixes.insert(prefix.to_owned(), uri.to_owned());
            // The same text may mean something else from here on.
            self.conditions.begin();
        }
    }

    /// Reserves a variable that is evaluated once a document, with the document node as context.
    /// Make it visible with [`Scope::declare_variable`]; it may be used before it is defined.
    pub fn declare_variable(&mut self) -> VariableId {
        self.variables.push(None);
        VariableId(self.variables.len() as u32 - 1)
    }

    /// Gives a variable its value.
    pub fn define_variable(&mut self, variable: VariableId, value: Expression) {
        if let Some(place) = self.variables.get_mut(variable.0 as usize) {
            *place = Some(value);
        }
    }

    /// Declares a function by its name with prefix (`u:slack`) and its number of parameters.
    ///
    /// # Errors
    /// A prefix that is not declared, or a function declared twice.
    pub fn declare_function(&mut self, name: &str, arity: usize) -> CompileResult<FunctionId> {
        let expanded = self.expand(name)?;
        let taken = |known: &FunctionDefinition| known.name == expanded && known.arity == arity;
        if self.functions.iter().any(taken) {
            return Err(plain(ErrorCode::XPST0017, name, "the function is declared twice"));
        }
        self.functions.push(FunctionDefinition {
            name: expanded,
            arity,
            parameters: Vec::new(),
            body: None,
        });
        Ok(FunctionId(self.functions.len() as u32 - 1))
    }

    /// Gives a function its body. The scope holds its parameters, declared first and in order; a
    /// result is converted to the result type by the function conversion rules.
    pub fn define_function(
        &mut self,
        function: FunctionId,
        scope: VariableScope,
        body: Expression,
        result: Option<SequenceType>,
    ) {
        let Some(place) = self.functions.get_mut(function.0 as usize) else { return };
        let slots = body.slots.max(scope.slots());
        place.parameters = scope.into_parameters();
        let root = match result {
            Some(kind) => Expr::Convert(Box::new((body.root, kind))),
            None => body.root,
        };
        place.body = Some(Expression::new(root, slots));
    }

    /// Declares an `xsl:key`: which nodes it holds, and their values. Declarations of the same
    /// name are one key (XSLT 2.0 section 16.3). Declare keys before expressions that use them.
    ///
    /// # Errors
    /// A name, pattern or expression that cannot be compiled.
    pub fn declare_key(&mut self, name: &str, matches: &str, value: &str) -> CompileResult<()> {
        let expanded = self.expand(name)?;
        let id = match self.keys.iter().position(|key| key.name == expanded) {
            Some(known) => known,
            None => {
                self.keys.push(KeyDefinition { name: expanded, parts: Vec::new() });
                self.keys.len() - 1
            }
        };
        let mut scope = VariableScope::new();
        let pattern = self.compile_pattern(matches, &mut scope)?;
        let value = self.compile(value, &mut scope)?;
        if let Some(key) = self.keys.get_mut(id) {
            key.parts.push((pattern, value));
        }
        Ok(())
    }

    /// Compiles an expression; temporary variables take slots of the scope.
    ///
    /// # Errors
    /// The first thing that is wrong, not supported or not declared, with its place.
    pub fn compile(&mut self, text: &str, scope: &mut VariableScope) -> CompileResult<Expression> {
        let root = parser::expression(self, scope, text)?;
        if let Err(problem) = optimise::check(&root) {
            return Err(plain(ErrorCode::FORX0002, text, &problem));
        }
        let root = optimise::expression(self, root);
        let without = without_names(&root);
        Ok(Expression { root, slots: scope.end_expression(), without })
    }

    /// Compiles a match pattern, XSLT 2.0 section 5.5, with unions in parentheses allowed.
    ///
    /// # Errors
    /// The first thing that is wrong, not supported or not declared, with its place.
    pub fn compile_pattern(
        &mut self,
        text: &str,
        scope: &mut VariableScope,
    ) -> CompileResult<MatchPattern> {
        let mut pattern = parser::pattern(self, scope, text)?;
        let mut slots = 0;
        for predicate in pattern.predicates_mut() {
            if let Err(problem) = optimise::check(&predicate.expr) {
                return Err(plain(ErrorCode::FORX0002, text, &problem));
            }
            let expr = std::mem::replace(&mut predicate.expr, Expr::Context);
            let known = predicate.known;
            *predicate = super::analyse::predicate(optimise::expression(self, expr));
            predicate.known = known.filter(|_| predicate.kind == PredicateKind::Boolean);
            slots = slots.max(bound_slots(&predicate.expr));
        }
        pattern.slots = slots;
        pattern.require();
        scope.end_expression();
        Ok(pattern)
    }

    /// Reads a sequence type as `as` attributes give it: `xs:decimal?`, `element()*`.
    ///
    /// # Errors
    /// A type that is not supported.
    pub fn sequence_type(&mut self, text: &str) -> CompileResult<SequenceType> {
        parser::sequence_type(self, text)
    }

    /// The slot of an element or attribute name, for dispatch by [`super::Environment::slot_of`].
    pub fn name_slot(&mut self, namespace: &str, local: &str) -> NameSlot {
        NameSlot(self.names.slot(namespace, local))
    }

    /// How many name slots there are so far.
    pub fn name_slots(&self) -> usize {
        self.names.len()
    }

    /// Ends compiling.
    ///
    /// # Errors
    /// A function or variable that was declared and never defined.
    pub fn finish(self) -> CompileResult<Program> {
        if let Some(open) = self.functions.iter().find(|function| function.body.is_none()) {
            let message = "the function is declared but has no body";
            return Err(plain(ErrorCode::XPST0017, &open.name.1, message));
        }
        if self.variables.iter().any(Option::is_none) {
            return Err(plain(ErrorCode::XPST0008, "", "a variable is declared but has no value"));
        }
        Ok(Program {
            names: self.names,
            functions: self.functions,
            variables: self.variables.into_iter().flatten().collect(),
            keys: self.keys,
            memos: self.memos,
            shared: self.conditions.into_shared(),
        })
    }

    /// A variable of the document, or its value where that is a constant.
    pub(crate) fn constant(&self, variable: u32) -> Expr {
        let value = self.variables.get(variable as usize).and_then(Option::as_ref);
        match value.map(|value| &value.root) {
            Some(constant @ (Expr::Constant(_) | Expr::Constants(_))) => constant.clone(),
            _ => Expr::Variable(variable),
        }
    }

    /// Namespace and local name of a lexical QName; no prefix is no namespace.
    pub(crate) fn expand(&self, name: &str) -> CompileResult<(String, String)> {
        let Some((prefix, local)) = name.split_once(':') else {
            return Ok((String::new(), name.to_owned()));
        };
        match self.prefixes.get(prefix) {
            Some(uri) => Ok((uri.clone(), local.to_owned())),
            None => {
                let message = format!("the prefix {prefix} is not declared");
                Err(plain(ErrorCode::XPST0081, name, &message))
            }
        }
    }
}

fn plain(code: ErrorCode, expression: &str, message: &str) -> CompileError {
    CompileError { code, expression: expression.to_owned(), offset: 0, message: message.to_owned() }
}

/// How the body of an `xsl:function` is put together.
impl Expression {
    fn new(root: Expr, slots: u32) -> Expression {
        Expression { root, slots, without: None }
    }

    /// The empty sequence.
    pub fn empty() -> Expression {
        Expression::new(Expr::empty(), 0)
    }

    /// Items one after another.
    pub fn sequence(parts: Vec<Expression>) -> Expression {
        let slots = parts.iter().map(|part| part.slots).max().unwrap_or(0);
        let mut roots: Vec<Expr> = parts.into_iter().map(|part| part.root).collect();
        match roots.pop() {
            Some(only) if roots.is_empty() => Expression::new(only, slots),
            Some(last) => {
                roots.push(last);
                Expression::new(Expr::Sequence(roots.into()), slots)
            }
            None => Expression::empty(),
        }
    }

    /// `xsl:choose` with one `xsl:when`; nest it for more.
    pub fn choose(test: Expression, then: Expression, otherwise: Expression) -> Expression {
        let slots = test.slots.max(then.slots).max(otherwise.slots);
        Expression::new(Expr::If(Box::new([test.root, then.root, otherwise.root])), slots)
    }

    /// `xsl:variable`: the slot of [`Scope::declare_slot`] has the value in the body. The value is
    /// evaluated when the variable is first used.
    pub fn bind(slot: u32, value: Expression, body: Expression) -> Expression {
        let slots = value.slots.max(body.slots).max(slot + 1);
        let binding = Binding { slot, source: value.root, body: body.root };
        Expression::new(Expr::Let(Box::new(binding)), slots)
    }

    /// A text node of the rule set: an untyped value.
    pub fn text(text: &str) -> Expression {
        Expression::new(Expr::Constant(Item::Untyped(XPathText::Shared(text.into()))), 0)
    }

    /// `xsl:value-of`, and the content of a variable without `as`: one untyped value, the strings
    /// of the items with the separator between them.
    pub fn text_of(value: Expression, separator: &str) -> Expression {
        Expression::new(Expr::TextOf(Box::new(value.root), separator.into()), value.slots)
    }

    /// The value converted by the function conversion rules, as `as` asks for.
    pub fn converted(self, kind: SequenceType) -> Expression {
        Expression::new(Expr::Convert(Box::new((self.root, kind))), self.slots)
    }

    /// The text, where the expression is one constant string.
    pub fn as_constant_text(&self) -> Option<&str> {
        match &self.root {
            Expr::Constant(Item::String(text) | Item::Untyped(text)) => Some(text.as_str()),
            _ => None,
        }
    }
}
