//! Operands and arguments of a certain type: at most one item, atomized, untyped values cast.

use super::super::cast::{cast, trimmed, type_name};
use super::super::environment::{Environment, Focus, Frame};
use super::super::error::{DynamicError, XPathResult, fail};
use super::super::ir::Expr;
use super::super::number::Integer;
use super::super::types::AtomicType;
use super::super::value::{Item, NodeRef, Sequence, XPathText};
use super::shortened;

impl<'d> Environment<'d> {
    /// The atomic value of an argument or operand that may be empty but not more than one item.
    pub(crate) fn single(
        &self,
        expr: &'d Expr,
        focus: &Focus<'d>,
        frame: &Frame<'d>,
    ) -> XPathResult<Option<Item<'d>>> {
        match self.sequence(expr, focus, frame)? {
            Sequence::Empty => Ok(None),
            Sequence::One(item) => Ok(Some(self.atomized(item))),
            many => match many.items() {
                [] => Ok(None),
                [item] => Ok(Some(self.atomized(item.clone()))),
                items => fail!(XPTY0004, "expected at most one item, found {}", items.len()),
            },
        }
    }

    /// An operand or argument of type `xs:integer?`.
    pub(crate) fn integer(
        &self,
        expr: &'d Expr,
        focus: &Focus<'d>,
        frame: &Frame<'d>,
    ) -> XPathResult<Option<Integer>> {
        match self.single(expr, focus, frame)? {
            None => Ok(None),
            Some(Item::Integer(value)) => Ok(Some(value)),
            Some(Item::Untyped(text)) => match Integer::parse(trimmed(text.as_str())) {
                Some(value) => Ok(Some(value)),
                None => fail!(FORG0001, "{:?} is not an integer", shortened(text.as_str())),
            },
            Some(other) => fail!(XPTY0004, "expected xs:integer, found {}", type_name(&other)),
        }
    }

    /// Unary minus, or plus: the check that it is a number.
    pub(super) fn signed(
        &self,
        inner: &'d Expr,
        negative: bool,
        focus: &Focus<'d>,
        frame: &Frame<'d>,
    ) -> XPathResult<Sequence<'d>> {
        let Some(number) = self.number(inner, focus, frame)? else { return Ok(Sequence::Empty) };
        Ok(match number {
            number if !negative => number,
            Item::Integer(value) => Item::Integer(value.negate()),
            Item::Decimal(value) => Item::Decimal(value.negate()),
            Item::Double(value) => Item::Double(-value),
            Item::Float(value) => Item::Float(-value),
            other => other,
        }
        .into())
    }

    /// An operand or argument of type `numeric?`: an untyped value is a double.
    pub(crate) fn number(
        &self,
        expr: &'d Expr,
        focus: &Focus<'d>,
        frame: &Frame<'d>,
    ) -> XPathResult<Option<Item<'d>>> {
        let Some(item) = self.single(expr, focus, frame)? else { return Ok(None) };
        match &item {
            Item::Integer(_) | Item::Decimal(_) | Item::Double(_) | Item::Float(_) => {
                Ok(Some(item))
            }
            Item::Untyped(text) => match cast(&item, AtomicType::Double) {
                Ok(number) => Ok(Some(number)),
                Err(code) => {
                    let message = format!("{:?} is not a number", shortened(text.as_str()));
                    Err(DynamicError::new(code, message))
                }
            },
            other => fail!(XPTY0004, "expected a number, found {}", type_name(other)),
        }
    }

    /// An argument of type `xs:string?`; the empty sequence is the empty string.
    pub(crate) fn text(
        &self,
        expr: &'d Expr,
        focus: &Focus<'d>,
        frame: &Frame<'d>,
    ) -> XPathResult<XPathText<'d>> {
        Ok(self.optional_text(expr, focus, frame)?.unwrap_or(XPathText::Borrowed("")))
    }

    /// An argument of type `xs:string?`.
    pub(crate) fn optional_text(
        &self,
        expr: &'d Expr,
        focus: &Focus<'d>,
        frame: &Frame<'d>,
    ) -> XPathResult<Option<XPathText<'d>>> {
        match self.single(expr, focus, frame)? {
            None => Ok(None),
            Some(Item::Untyped(text) | Item::String(text) | Item::Uri(text)) => Ok(Some(text)),
            Some(other) => fail!(XPTY0004, "expected xs:string, found {}", type_name(&other)),
        }
    }

    /// An operand or argument of type `node()?`.
    pub(crate) fn one_node(
        &self,
        expr: &'d Expr,
        focus: &Focus<'d>,
        frame: &Frame<'d>,
    ) -> XPathResult<Option<NodeRef>> {
        match self.sequence(expr, focus, frame)?.items() {
            [] => Ok(None),
            [Item::Node(node)] => Ok(Some(*node)),
            [other] => fail!(XPTY0004, "expected a node, found {}", type_name(other)),
            items => fail!(XPTY0004, "expected at most one node, found {}", items.len()),
        }
    }
}
