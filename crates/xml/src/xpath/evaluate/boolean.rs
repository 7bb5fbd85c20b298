//! Effective boolean values, XPath 2.0 section 2.4.3, evaluated no further than needed.

use super::super::analyse::gives_nodes;
use super::super::cast::type_name;
use super::super::environment::{Environment, Focus, Frame, VariableSlot};
use super::super::error::{XPathResult, fail};
use super::super::functions::Function;
use super::super::ir::{Binding, Expr, WalkOrder};
use super::super::value::{Item, Sequence};

/// The effective boolean value of a sequence.
pub(crate) fn truth(items: &[Item<'_>]) -> XPathResult<bool> {
    let (first, rest) = match items {
        [] => return Ok(false),
        [first, rest @ ..] => (first, rest),
    };
    if matches!(first, Item::Node(_)) {
        return Ok(true);
    }
    if !rest.is_empty() {
        return fail!(FORG0006, "a sequence of {} atomic values has no boolean value", items.len());
    }
    Ok(match first {
        Item::Boolean(value) => *value,
        Item::String(text) | Item::Untyped(text) | Item::Uri(text) => !text.as_str().is_empty(),
        Item::Integer(value) => !value.is_zero(),
        Item::Decimal(value) => !value.is_zero(),
        Item::Double(value) => *value != 0.0 && !value.is_nan(),
        Item::Float(value) => *value != 0.0 && !value.is_nan(),
        other => return fail!(FORG0006, "{} has no boolean value", type_name(other)),
    })
}

impl<'d> Environment<'d> {
    /// `or` and `and`: whether any operand has the value that decides. An error counts only where
    /// no other operand decides (XPath 2.0 section 3.6 leaves it open; Saxon does the same).
    fn decided_by(
        &self,
        decides: bool,
        parts: &'d [Expr],
        focus: &Focus<'d>,
        frame: &Frame<'d>,
    ) -> XPathResult<bool> {
        let mut failure = None;
        for part in parts {
            match self.boolean(part, focus, frame) {
                Ok(value) if value == decides => return Ok(decides),
                Ok(_) => {}
                Err(error) if error.code.is_limit() => return Err(error),
                Err(error) => failure = failure.or(Some(error)),
            }
        }
        failure.map_or(Ok(!decides), Err)
    }

    /// The effective boolean value of an expression.
    pub(crate) fn boolean(
        &self,
        expr: &'d Expr,
        focus: &Focus<'d>,
        frame: &Frame<'d>,
    ) -> XPathResult<bool> {
        let _depth = self.enter()?;
        self.step()?;
        match expr {
            Expr::Or(parts) => self.decided_by(true, parts, focus, frame),
            Expr::And(parts) => self.decided_by(false, parts, focus, frame),
            Expr::Call(Function::Not, arguments) => match arguments.first() {
                Some(argument) => Ok(!self.boolean(argument, focus, frame)?),
                None => Ok(true),
            },
            Expr::Call(Function::Boolean, arguments) => match arguments.first() {
                Some(argument) => self.boolean(argument, focus, frame),
                None => Ok(false),
            },
            Expr::Call(Function::NormalizeSpace, arguments) => {
                // Whether anything but white space is there.
                let text = match arguments.first() {
                    Some(argument) => self.text(argument, focus, frame)?,
                    None => match &focus.item {
                        Some(item) => self.text_of_item(item),
                        None => return fail!(XPDY0002, "normalize-space() has no context item"),
                    },
                };
                Ok(text.as_str().bytes().any(|byte| !matches!(byte, b' ' | b'\t' | b'\n' | b'\r')))
            }
            Expr::Call(Function::Exists, arguments) => match arguments.first() {
                Some(argument) => self.exists(argument, focus, frame),
                None => Ok(false),
            },
            Expr::Call(Function::Empty, arguments) => match arguments.first() {
                Some(argument) => Ok(!self.exists(argument, focus, frame)?),
                None => Ok(true),
            },
            Expr::Path(path) if gives_nodes(path) => self.exists(expr, focus, frame),
            Expr::General(comparison, sides) => self.general(*comparison, sides, focus, frame),
            Expr::Member(member) => self.member(member, focus, frame),
            Expr::Some(binding) => self.quantified(binding, true, focus, frame),
            Expr::Every(binding) => Ok(!self.quantified(binding, false, focus, frame)?),
            Expr::If(parts) => {
                let [test, then, otherwise] = &**parts;
                let branch = if self.boolean(test, focus, frame)? { then } else { otherwise };
                self.boolean(branch, focus, frame)
            }
            Expr::Memo(slot, inner) => self.memo_truth(*slot, inner, focus, frame),
            _ => match self.sequence(expr, focus, frame)? {
                Sequence::One(Item::Boolean(value)) => Ok(value),
                value => truth(value.items()),
            },
        }
    }

    /// Whether there is any item.
    pub(crate) fn exists(
        &self,
        expr: &'d Expr,
        focus: &Focus<'d>,
        frame: &Frame<'d>,
    ) -> XPathResult<bool> {
        match expr {
            Expr::Path(path) if path.order != WalkOrder::Sets => {
                self.walk(path, focus, frame, &mut |_| Ok(true))
            }
            Expr::Union(parts) => {
                for part in parts {
                    if self.exists(part, focus, frame)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Expr::Filter(_) | Expr::Sequence(_) => {
                self.each(expr, focus, frame, false, &mut |_| Ok(true))
            }
            _ => Ok(!self.sequence(expr, focus, frame)?.is_empty()),
        }
    }

    /// Whether the condition is `wanted` for any item of the source.
    fn quantified(
        &self,
        binding: &'d Binding,
        wanted: bool,
        focus: &Focus<'d>,
        frame: &Frame<'d>,
    ) -> XPathResult<bool> {
        self.each(&binding.source, focus, frame, true, &mut |item| {
            frame.set(binding.slot, VariableSlot::Ready(Sequence::One(item)));
            Ok(self.boolean(&binding.body, focus, frame)? == wanted)
        })
    }
}
