//! Evaluating: to a sequence, to a truth, to one item after another, or to a text.
//!
//! Where only a truth or a number is wanted, nodes are visited and never collected, and the walk
//! ends as soon as the answer is known.

mod boolean;
mod comparisons;
mod convert;
mod filters;
mod operands;
mod paths;
mod patterns;
mod variables;

pub(crate) use comparisons::{StableSequence, StringSet};

use std::sync::{Arc, OnceLock};

use super::arithmetic;
use super::cast::{cast, castable, text_of, type_name};
use super::compiler::{Compiler, Program};
use super::environment::{
    Environment, EvaluationBudget, EvaluationSettings, Focus, Frame, VariableSlot,
};
use super::error::{DynamicError, XPathResult, fail};
use super::ir::{ConstantSequence, Expr, NodeComparison, RegexCall};
use super::types::AtomicType;
use super::value::{Item, NodeRef, Sequence, XPathText};
use crate::tree::{Document, Limits};

/// A constant without sharing its text, so that threads do not meet at a counter.
fn constant<'d>(item: &'d Item<'static>) -> Item<'d> {
    match item {
        Item::String(text) => Item::String(XPathText::Borrowed(text.as_str())),
        Item::Untyped(text) => Item::Untyped(XPathText::Borrowed(text.as_str())),
        Item::Uri(text) => Item::Uri(XPathText::Borrowed(text.as_str())),
        other => other.clone(),
    }
}

impl<'d> Environment<'d> {
    /// The value of an expression.
    pub(crate) fn sequence(
        &self,
        expr: &'d Expr,
        focus: &Focus<'d>,
        frame: &Frame<'d>,
    ) -> XPathResult<Sequence<'d>> {
        match expr {
            Expr::Constant(item) => Ok(Sequence::One(constant(item))),
            Expr::Constants(list) => Ok(match list.items.len() {
                0 => Sequence::Empty,
                _ => Sequence::Constant(&list.items),
            }),
            Expr::Context => match &focus.item {
                Some(item) => Ok(Sequence::One(item.clone())),
                None => fail!(XPDY0002, "`.` has no value here"),
            },
            Expr::Variable(id) => self.variable(*id),
            Expr::Local(slot) => self.local(*slot, frame),
            _ => {
                let _depth = self.enter()?;
                self.step()?;
                self.compound(expr, focus, frame)
            }
        }
    }

    fn compound(
        &self,
        expr: &'d Expr,
        focus: &Focus<'d>,
        frame: &Frame<'d>,
    ) -> XPathResult<Sequence<'d>> {
        match expr {
            Expr::Path(path) => self.path(path, focus, frame),
            Expr::Call(function, arguments) => self.call(*function, arguments, focus, frame),
            Expr::Memo(slot, inner) => self.memo(*slot, inner, focus, frame),
            Expr::Filter(filter) => self.filter(&filter.0, &filter.1, focus, frame),
            Expr::Arithmetic(operator, sides) => {
                let [left, right] = &**sides;
                let Some(left) = self.single(left, focus, frame)? else {
                    return Ok(Sequence::Empty);
                };
                let Some(right) = self.single(right, focus, frame)? else {
                    return Ok(Sequence::Empty);
                };
                Ok(arithmetic::evaluate(*operator, &left, &right)?.into())
            }
            Expr::Cast(kind, optional, inner) => self.cast(*kind, *optional, inner, focus, frame),
            Expr::If(parts) => {
                let [test, then, otherwise] = &**parts;
                let branch = if self.boolean(test, focus, frame)? { then } else { otherwise };
                self.sequence(branch, focus, frame)
            }
            Expr::User(id, arguments) => self.user(*id, arguments, focus, frame),
            Expr::Key(id, arguments) => self.key(*id, arguments, focus, frame),
            Expr::Regex(call, regex, arguments) => {
                self.regex(*call, regex, arguments, focus, frame)
            }
            Expr::For(_) | Expr::Sequence(_) => {
                let mut items = Vec::new();
                self.each(expr, focus, frame, true, &mut |item| {
                    items.push(item);
                    self.check_items(items.len())?;
                    Ok(false)
                })?;
                Ok(items.into())
            }
            Expr::Let(binding) => {
                frame.set(binding.slot, VariableSlot::Pending(&binding.source));
                self.sequence(&binding.body, focus, frame)
            }
            _ => self.uncommon(expr, focus, frame),
        }
    }

    fn uncommon(
        &self,
        expr: &'d Expr,
        focus: &Focus<'d>,
        frame: &Frame<'d>,
    ) -> XPathResult<Sequence<'d>> {
        match expr {
            Expr::Union(parts) => self.union(parts, focus, frame),
            Expr::Intersect(sides) => self.combine(sides, true, focus, frame),
            Expr::Except(sides) => self.combine(sides, false, focus, frame),
            Expr::Range(bounds) => self.range(bounds, focus, frame),
            Expr::Single(comparison, sides) => {
                let [left, right] = &**sides;
                let Some(left) = self.single(left, focus, frame)? else {
                    return Ok(Sequence::Empty);
                };
                let Some(right) = self.single(right, focus, frame)? else {
                    return Ok(Sequence::Empty);
                };
                let holds = super::compare::single(*comparison, &left, &right)?;
                Ok(Item::Boolean(holds).into())
            }
            Expr::Nodes(comparison, sides) => self.compare_nodes(*comparison, sides, focus, frame),
            Expr::Negate(inner) => self.signed(inner, true, focus, frame),
            Expr::Plus(inner) => self.signed(inner, false, focus, frame),
            Expr::Castable(kind, optional, inner) => {
                let holds = self.is_castable(*kind, *optional, inner, focus, frame)?;
                Ok(Item::Boolean(holds).into())
            }
            Expr::InstanceOf(typed) => {
                let value = self.sequence(&typed.0, focus, frame)?;
                Ok(Item::Boolean(self.is_instance(&value, &typed.1)).into())
            }
            Expr::Treat(typed) => {
                let value = self.sequence(&typed.0, focus, frame)?;
                if !self.is_instance(&value, &typed.1) {
                    return fail!(XPDY0050, "the value is not of the type it is treated as");
                }
                Ok(value)
            }
            Expr::Convert(typed) => {
                let value = self.sequence(&typed.0, focus, frame)?;
                self.convert(value, &typed.1)
            }
            Expr::TextOf(inner, separator) => {
                let text = self.text_of(inner, separator, focus, frame)?;
                Ok(Item::Untyped(text.into()).into())
            }
            // What is left is a truth.
            _ => Ok(Item::Boolean(self.boolean(expr, focus, frame)?).into()),
        }
    }

    /// Hands over the atomic values of an expression until the visitor has enough.
    pub(crate) fn each_atomic(
        &self,
        expr: &'d Expr,
        focus: &Focus<'d>,
        frame: &Frame<'d>,
        visit: &mut dyn FnMut(Item<'d>) -> XPathResult<bool>,
    ) -> XPathResult<bool> {
        self.each(expr, focus, frame, true, &mut |item| visit(self.atomized(item)))
    }

    /// The items as strings with a separator between them.
    pub(crate) fn text_of(
        &self,
        expr: &'d Expr,
        separator: &str,
        focus: &Focus<'d>,
        frame: &Frame<'d>,
    ) -> XPathResult<String> {
        let (mut text, mut first) = (String::new(), true);
        self.each_atomic(expr, focus, frame, &mut |item| {
            if !std::mem::take(&mut first) {
                text.push_str(separator);
            }
            text.push_str(text_of(&item).as_str());
            self.check_length(text.len())?;
            Ok(false)
        })?;
        Ok(text)
    }

    fn cast(
        &self,
        kind: AtomicType,
        optional: bool,
        inner: &'d Expr,
        focus: &Focus<'d>,
        frame: &Frame<'d>,
    ) -> XPathResult<Sequence<'d>> {
        let Some(item) = self.single(inner, focus, frame)? else {
            if optional {
                return Ok(Sequence::Empty);
            }
            return fail!(XPTY0004, "the empty sequence cannot be cast to xs:{}", kind.name());
        };
        match cast(&item, kind) {
            Ok(value) => Ok(value.into()),
            Err(code) => {
                let text = text_of(&item);
                let message = format!(
                    "{:?} ({}) cannot be cast to xs:{}",
                    shortened(text.as_str()),
                    type_name(&item),
                    kind.name()
                );
                Err(DynamicError::new(code, message))
            }
        }
    }

    fn is_castable(
        &self,
        kind: AtomicType,
        optional: bool,
        inner: &'d Expr,
        focus: &Focus<'d>,
        frame: &Frame<'d>,
    ) -> XPathResult<bool> {
        Ok(match self.sequence(inner, focus, frame)?.items() {
            [] => optional,
            [item] => castable(&self.atomized(item.clone()), kind),
            _ => false,
        })
    }

    fn range(
        &self,
        bounds: &'d [Expr; 2],
        focus: &Focus<'d>,
        frame: &Frame<'d>,
    ) -> XPathResult<Sequence<'d>> {
        let [first, last] = bounds;
        let (Some(first), Some(last)) =
            (self.integer(first, focus, frame)?, self.integer(last, focus, frame)?)
        else {
            return Ok(Sequence::Empty);
        };
        if first > last {
            return Ok(Sequence::Empty);
        }
        let (Some(first), Some(last)) = (first.to_i64(), last.to_i64()) else {
            return fail!(QX0002, "a range of integers over 64 bits");
        };
        let count = usize::try_from(i128::from(last) - i128::from(first) + 1).unwrap_or(usize::MAX);
        self.check_items(count)?;
        self.spend(count as u64)?;
        Ok((first..=last).map(Item::integer).collect::<Vec<_>>().into())
    }

    fn compare_nodes(
        &self,
        comparison: NodeComparison,
        sides: &'d [Expr; 2],
        focus: &Focus<'d>,
        frame: &Frame<'d>,
    ) -> XPathResult<Sequence<'d>> {
        let [left, right] = sides;
        let Some(left) = self.one_node(left, focus, frame)? else { return Ok(Sequence::Empty) };
        let Some(right) = self.one_node(right, focus, frame)? else { return Ok(Sequence::Empty) };
        Ok(Item::Boolean(match comparison {
            NodeComparison::Is => left == right,
            NodeComparison::Before => left < right,
            NodeComparison::After => left > right,
        })
        .into())
    }

    fn regex(
        &self,
        call: RegexCall,
        regex: &super::regexes::Regex,
        arguments: &'d [Expr],
        focus: &Focus<'d>,
        frame: &Frame<'d>,
    ) -> XPathResult<Sequence<'d>> {
        let Some(value) = arguments.first() else { return Ok(Sequence::Empty) };
        let text = self.text(value, focus, frame)?;
        let replacement = match arguments.get(1) {
            Some(replacement) => self.text(replacement, focus, frame)?,
            None => XPathText::Borrowed(""),
        };
        self.apply_regex(call, regex, &text, &replacement)
    }

    /// `matches`, `replace` or `tokenize` with a compiled regular expression.
    pub(crate) fn apply_regex(
        &self,
        call: RegexCall,
        regex: &super::regexes::Regex,
        text: &XPathText<'d>,
        replacement: &XPathText<'d>,
    ) -> XPathResult<Sequence<'d>> {
        self.check_text(text.as_str().len())?;
        Ok(match call {
            RegexCall::Matches => Item::Boolean(regex.is_match(text.as_str())).into(),
            RegexCall::Replace => {
                let replaced = regex.replace(text.as_str(), replacement.as_str())?;
                self.check_text(replaced.len())?;
                Item::string(replaced).into()
            }
            RegexCall::Tokenize => {
                let whole = text.as_str();
                let tokens = regex.tokenize(whole)?;
                self.check_items(tokens.len())?;
                self.spend(tokens.len() as u64)?;
                let start = whole.as_ptr() as usize;
                let piece = |token: &str| {
                    let at = token.as_ptr() as usize - start;
                    Item::String(text.slice(at, at + token.len()))
                };
                tokens.into_iter().map(piece).collect::<Vec<_>>().into()
            }
        })
    }
}

/// The beginning of a text, for a message.
pub(crate) fn shortened(text: &str) -> String {
    const SHOWN: usize = 60;
    let mut shown: String = text.chars().take(SHOWN).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown
}

/// The constant that an expression without variables, context and document always is; `None` where
/// it is an error or too long.
pub(crate) fn fold(expr: &Expr, most: usize) -> Option<Expr> {
    static NOTHING: OnceLock<Option<(Program, Document)>> = OnceLock::new();
    let nothing = NOTHING.get_or_init(|| {
        let document = Document::parse(b"<nothing/>", &Limits::default()).ok()?;
        Some((Compiler::new().finish().ok()?, document))
    });
    let (program, document) = nothing.as_ref()?;
    let budget = EvaluationBudget { steps: 1_000_000, items: most, text: 1 << 20, depth: 200 };
    let settings = EvaluationSettings { budget: Some(budget), ..EvaluationSettings::default() };
    let environment = Environment::new(program, document, settings);
    let frame = Frame::bare(0, Focus::default(), None);
    let value = environment.sequence(expr, frame.focus(), &frame).ok()?;
    let mut items = value.into_items().into_iter().map(Item::into_static);
    Some(match (items.next(), items.next()) {
        (None, _) => Expr::empty(),
        (Some(only), None) => Expr::Constant(only),
        (Some(first), Some(second)) => {
            let items = [first, second].into_iter().chain(items).collect();
            Expr::Constants(Arc::new(ConstantSequence::new(items)))
        }
    })
}
