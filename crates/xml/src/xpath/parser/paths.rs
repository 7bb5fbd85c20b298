//! Paths, steps, node tests and primary expressions, XPath 2.0 sections 3.1 and 3.2.

use super::super::analyse;
use super::super::compiler::Variable;
use super::super::ir::{
    Axis, AxisStep, Expr, NodeTest, PathStart, PathStep, Predicate, PredicateKind,
};
use super::super::number::{Integer, XPathDecimal, parse_double};
use super::super::value::{Item, XPathText};
use super::{CompileResult, ErrorCode, Parser, TokenKind};

/// Steps of one path at most, because they are walked one inside the other.
const MAX_STEPS: usize = 60;

const AXES: &[(&str, Axis)] = &[
    ("child", Axis::Child),
    ("attribute", Axis::Attribute),
    ("descendant", Axis::Descendant),
    ("descendant-or-self", Axis::DescendantOrSelf),
    ("self", Axis::Own),
    ("parent", Axis::Parent),
    ("ancestor", Axis::Ancestor),
    ("ancestor-or-self", Axis::AncestorOrSelf),
    ("following-sibling", Axis::FollowingSibling),
    ("preceding-sibling", Axis::PrecedingSibling),
    ("following", Axis::Following),
    ("preceding", Axis::Preceding),
];

/// Names that are followed by a parenthesis and are no functions (appendix A.3).
const KIND_TESTS: &[&str] = &[
    "node",
    "text",
    "comment",
    "processing-instruction",
    "element",
    "attribute",
    "document-node",
    "schema-element",
    "schema-attribute",
];

fn any_descendant() -> PathStep {
    let predicates = Box::new([]);
    PathStep::Axis(AxisStep { axis: Axis::DescendantOrSelf, test: NodeTest::AnyNode, predicates })
}

impl Parser<'_, '_> {
    /// `PathExpr ::= ("/" RelativePathExpr?) | ("//" RelativePathExpr) | RelativePathExpr`
    pub(super) fn path(&mut self) -> CompileResult<Expr> {
        let mut steps = Vec::new();
        let start = if self.take("//") {
            steps.push(any_descendant());
            steps.push(self.step()?);
            PathStart::Root
        } else if self.take("/") {
            if !self.begins_step() {
                return Ok(analyse::path(PathStart::Root, steps));
            }
            steps.push(self.step()?);
            PathStart::Root
        } else {
            match self.step()? {
                PathStep::Expr(expr) if !self.is("/") && !self.is("//") => return Ok(expr),
                PathStep::Expr(expr) => PathStart::Expr(expr),
                step => {
                    steps.push(step);
                    PathStart::Context
                }
            }
        };
        loop {
            if self.take("//") {
                steps.push(any_descendant());
            } else if !self.take("/") {
                return Ok(analyse::path(start, steps));
            }
            steps.push(self.step()?);
            if steps.len() > MAX_STEPS {
                let message = format!("a path of more than {MAX_STEPS} steps");
                return Err(self.error(ErrorCode::QX0004, message));
            }
        }
    }

    fn begins_step(&self) -> bool {
        match self.peek() {
            TokenKind::Symbol(symbol) => matches!(*symbol, "(" | "." | ".." | "@" | "*" | "$"),
            TokenKind::End => false,
            _ => true,
        }
    }

    fn step(&mut self) -> CompileResult<PathStep> {
        match *self.peek() {
            TokenKind::Symbol("..") => {
                self.advance();
                self.axis_step(Axis::Parent, NodeTest::AnyNode)
            }
            TokenKind::Symbol("@") => {
                self.advance();
                let test = self.node_test()?;
                self.axis_step(Axis::Attribute, test)
            }
            TokenKind::Symbol("*") | TokenKind::AnyPrefix(_) | TokenKind::AnyLocal(_) => {
                let test = self.node_test()?;
                self.axis_step(Axis::Child, test)
            }
            TokenKind::Name(None, word) if self.is_at(1, "::") => {
                let Some(&(_, axis)) = AXES.iter().find(|(name, _)| *name == word) else {
                    let message = format!("the axis {word} is not supported");
                    return Err(self.error(ErrorCode::XPST0010, message));
                };
                self.at += 2;
                let test = self.node_test()?;
                self.axis_step(axis, test)
            }
            TokenKind::Name(prefix, word) if self.is_at(1, "(") => {
                if prefix.is_none() && KIND_TESTS.contains(&word) {
                    let test = self.node_test()?;
                    let attribute = matches!(test, NodeTest::Attribute(_));
                    let axis = if attribute { Axis::Attribute } else { Axis::Child };
                    return self.axis_step(axis, test);
                }
                let call = self.call()?;
                self.filtered(call)
            }
            TokenKind::Name(..) => {
                let test = self.node_test()?;
                self.axis_step(Axis::Child, test)
            }
            _ => {
                let primary = self.primary()?;
                self.filtered(primary)
            }
        }
    }

    fn axis_step(&mut self, axis: Axis, test: NodeTest) -> CompileResult<PathStep> {
        let predicates = self.predicates()?.into();
        Ok(PathStep::Axis(AxisStep { axis, test, predicates }))
    }

    fn filtered(&mut self, primary: Expr) -> CompileResult<PathStep> {
        let predicates = self.predicates()?;
        if predicates.is_empty() {
            return Ok(PathStep::Expr(primary));
        }
        Ok(PathStep::Expr(Expr::Filter(Box::new((primary, predicates.into())))))
    }

    pub(super) fn predicates(&mut self) -> CompileResult<Vec<Predicate>> {
        let mut predicates = Vec::new();
        while self.take("[") {
            let first = self.at;
            let expr = self.expr()?;
            let last = self.at;
            self.need("]")?;
            let mut predicate = analyse::predicate(expr);
            predicate.known = self.known(&predicate, first, last);
            predicates.push(predicate);
        }
        Ok(predicates)
    }

    /// The slot of a condition that depends on its node alone, by its text. A text with a variable
    /// may mean something else elsewhere.
    fn known(&mut self, predicate: &Predicate, first: usize, last: usize) -> Option<u32> {
        let bound = |at: usize| self.tokens.get(at).map(|token| token.offset);
        let text = self.text.get(bound(first)?..bound(last)?)?.trim();
        let own = predicate.kind == PredicateKind::Boolean
            && !text.contains('$')
            && !analyse::uses_current(&predicate.expr);
        own.then(|| self.compiler.conditions.slot(text))
    }

    /// `NodeTest ::= KindTest | NameTest`
    pub(super) fn node_test(&mut self) -> CompileResult<NodeTest> {
        if let Some(test) = self.kind_test()? {
            return Ok(test);
        }
        let test = match *self.peek() {
            TokenKind::Symbol("*") => NodeTest::AnyName,
            TokenKind::AnyPrefix(local) => NodeTest::Local(local.into()),
            TokenKind::AnyLocal(prefix) => NodeTest::InNamespace(self.namespace(prefix)?.into()),
            TokenKind::Name(prefix, local) => NodeTest::Name(self.slot(prefix, local)?),
            _ => return Err(self.unexpected("a step")),
        };
        self.advance();
        Ok(test)
    }

    /// `node()`, `text()`, `element(name)` and the like.
    pub(super) fn kind_test(&mut self) -> CompileResult<Option<NodeTest>> {
        let TokenKind::Name(None, word) = *self.peek() else { return Ok(None) };
        if !self.is_at(1, "(") || !KIND_TESTS.contains(&word) {
            return Ok(None);
        }
        let place = self.at;
        self.at += 2;
        let test = match word {
            "node" => NodeTest::AnyNode,
            "text" => NodeTest::Text,
            "comment" => NodeTest::Comment,
            "document-node" => NodeTest::Document,
            "element" => NodeTest::Element(self.name_in_test()?),
            "attribute" => NodeTest::Attribute(self.name_in_test()?),
            "processing-instruction" => match self.peek().clone() {
                TokenKind::Name(None, target) => {
                    self.advance();
                    NodeTest::Instruction(Some(target.into()))
                }
                TokenKind::Text(target) => {
                    self.advance();
                    NodeTest::Instruction(Some(target.trim().into()))
                }
                _ => NodeTest::Instruction(None),
            },
            _ => {
                let message = format!("{word}() is not supported: there is no schema");
                return Err(self.error_at(place, ErrorCode::XPST0008, message));
            }
        };
        if !self.take(")") {
            return Err(self.unexpected("`)`; schema types are not supported"));
        }
        Ok(Some(test))
    }

    fn name_in_test(&mut self) -> CompileResult<Option<u32>> {
        match *self.peek() {
            TokenKind::Symbol("*") => {
                self.advance();
                Ok(None)
            }
            TokenKind::Name(prefix, local) => {
                let slot = self.slot(prefix, local)?;
                self.advance();
                Ok(Some(slot))
            }
            _ => Ok(None),
        }
    }

    /// Literals, variables, the context item and parentheses.
    fn primary(&mut self) -> CompileResult<Expr> {
        match self.peek().clone() {
            TokenKind::Text(value) => {
                self.advance();
                Ok(Expr::Constant(Item::String(XPathText::from(value))))
            }
            TokenKind::Number(text) => {
                let constant = self.number(text)?;
                self.advance();
                Ok(Expr::Constant(constant))
            }
            TokenKind::Symbol("$") => {
                self.advance();
                let place = self.at;
                let name = self.variable_name()?;
                match self.scope.find(&name) {
                    Some(Variable::Document(id)) => Ok(self.compiler.constant(id)),
                    Some(Variable::Local(slot)) => Ok(Expr::Local(slot)),
                    None => {
                        let message = format!("the variable ${name} is not declared");
                        Err(self.error_at(place, ErrorCode::XPST0008, message))
                    }
                }
            }
            TokenKind::Symbol(".") => {
                self.advance();
                Ok(Expr::Context)
            }
            TokenKind::Symbol("(") => {
                self.advance();
                if self.take(")") {
                    return Ok(Expr::empty());
                }
                let inner = self.expr()?;
                self.need(")")?;
                Ok(inner)
            }
            _ => Err(self.unexpected("an expression")),
        }
    }

    fn number(&self, text: &str) -> CompileResult<Item<'static>> {
        let item = if text.contains(['e', 'E']) {
            parse_double(text).map(Item::Double)
        } else if text.contains('.') {
            XPathDecimal::parse(text).map(Item::Decimal)
        } else {
            Integer::parse(text).map(Item::Integer)
        };
        item.ok_or_else(|| self.error(ErrorCode::FOAR0002, format!("{text} is too large")))
    }
}
