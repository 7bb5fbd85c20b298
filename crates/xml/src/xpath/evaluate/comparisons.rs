//! General comparisons and look-ups in constant sets, XPath 2.0 section 3.5.2.

use std::rc::Rc;

use hashbrown::HashSet;

use super::super::analyse::flipped;
use super::super::cast::text_of;
use super::super::compare;
use super::super::environment::{Environment, Focus, Frame};
use super::super::error::{XPathResult, fail};
use super::super::ir::{Comparison, Expr, MemberKind, SetLookup};
use super::super::value::{Item, Sequence, XPathText};
use super::variables::is_in_main_document;

/// From how many items on a remembered sequence is turned into a set.
const WORTH_A_SET: usize = 8;

/// A sequence that is the same whenever it is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum StableSequence {
    Memo(u32),
    Variable(u32),
}

/// One side of a comparison, evaluated.
enum ComparisonOperand<'d> {
    Nothing,
    One(Item<'d>),
    Many(Vec<Item<'d>>),
    /// Strings and untyped values, also as they were.
    Set(Rc<StringSet<'d>>, Sequence<'d>),
}

/// The items of a sequence of strings and untyped values.
pub(crate) type StringSet<'d> = HashSet<SetText<'d>>;

/// A text as element of a set, looked up by `str`.
#[derive(Debug, Clone)]
pub(crate) struct SetText<'d>(XPathText<'d>);

impl std::hash::Hash for SetText<'_> {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.0.as_str().hash(state);
    }
}

impl PartialEq for SetText<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl Eq for SetText<'_> {}

impl std::borrow::Borrow<str> for SetText<'_> {
    fn borrow(&self) -> &str {
        self.0.as_str()
    }
}

impl<'d> Environment<'d> {
    /// `left = right` and the like: whether any pair of items compares so.
    pub(super) fn general(
        &self,
        comparison: Comparison,
        sides: &'d [Expr; 2],
        focus: &Focus<'d>,
        frame: &Frame<'d>,
    ) -> XPathResult<bool> {
        let [left, right] = sides;
        // One side is walked and the other one kept. The left one is evaluated first in any case,
        // and the right one not at all where the left one is empty, as Saxon does: it decides
        // which error is met, and whether one is met.
        if is_small(left) && !is_small(right) {
            let kept = self.keep(comparison, left, focus, frame)?;
            if matches!(kept, ComparisonOperand::Nothing) {
                return Ok(false);
            }
            let comparison = flipped(comparison);
            return self.each(right, focus, frame, false, &mut |item| {
                self.compare_kept(comparison, item, &kept)
            });
        }
        let mut kept = None;
        let mut holds = false;
        self.each(left, focus, frame, false, &mut |item| {
            let kept = match &mut kept {
                Some(kept) => kept,
                none => none.insert(self.keep(comparison, right, focus, frame)?),
            };
            holds = self.compare_kept(comparison, item, kept)?;
            Ok(holds || matches!(kept, ComparisonOperand::Nothing))
        })?;
        Ok(holds)
    }

    /// The side of a comparison that every item of the other side is compared with.
    fn keep(
        &self,
        comparison: Comparison,
        expr: &'d Expr,
        focus: &Focus<'d>,
        frame: &Frame<'d>,
    ) -> XPathResult<ComparisonOperand<'d>> {
        let value = self.sequence(expr, focus, frame)?;
        if comparison == Comparison::Equal
            && value.len() >= WORTH_A_SET
            && let Some(set) = self.set_of(expr, &value, focus)
        {
            return Ok(ComparisonOperand::Set(set, value));
        }
        Ok(match value {
            Sequence::Empty => ComparisonOperand::Nothing,
            Sequence::One(item) => ComparisonOperand::One(self.atomized(item)),
            value => match value.items() {
                [] => ComparisonOperand::Nothing,
                items => ComparisonOperand::Many(
                    items.iter().map(|item| self.atomized(item.clone())).collect(),
                ),
            },
        })
    }

    fn compare_kept(
        &self,
        comparison: Comparison,
        item: Item<'d>,
        kept: &ComparisonOperand<'d>,
    ) -> XPathResult<bool> {
        let item = self.atomized(item);
        match kept {
            ComparisonOperand::Nothing => Ok(false),
            ComparisonOperand::One(kept) => compare::general(comparison, &item, kept),
            ComparisonOperand::Many(kept) => {
                self.spend(kept.len() as u64)?;
                self.any_pair(comparison, &item, kept)
            }
            ComparisonOperand::Set(set, all) => {
                self.step()?;
                match item {
                    Item::Untyped(text) | Item::String(text) | Item::Uri(text) => {
                        Ok(set.contains(text.as_str()))
                    }
                    typed => self.any_pair(comparison, &typed, all.items()),
                }
            }
        }
    }

    fn any_pair(
        &self,
        comparison: Comparison,
        a: &Item<'d>,
        many: &[Item<'d>],
    ) -> XPathResult<bool> {
        for b in many {
            let holds = match b {
                Item::Node(_) => compare::general(comparison, a, &self.atomized(b.clone()))?,
                b => compare::general(comparison, a, b)?,
            };
            if holds {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The set of a remembered sequence; `None` where it is not one, or not of strings only.
    fn set_of(
        &self,
        expr: &'d Expr,
        value: &Sequence<'d>,
        focus: &Focus<'d>,
    ) -> Option<Rc<StringSet<'d>>> {
        let known = match expr {
            Expr::Memo(slot, _) if is_in_main_document(focus) => StableSequence::Memo(*slot),
            Expr::Variable(id) => StableSequence::Variable(*id),
            _ => return None,
        };
        if let Some(set) = self.sets.borrow().get(&known) {
            return set.clone();
        }
        let texts = value.items().iter().map(|item| match self.atomized(item.clone()) {
            Item::Untyped(text) | Item::String(text) | Item::Uri(text) => Some(SetText(text)),
            _ => None,
        });
        let set = texts.collect::<Option<StringSet<'d>>>().map(Rc::new);
        self.sets.borrow_mut().insert(known, set.clone());
        set
    }

    /// A look-up in a constant set.
    pub(super) fn member(
        &self,
        member: &'d SetLookup,
        focus: &Focus<'d>,
        frame: &Frame<'d>,
    ) -> XPathResult<bool> {
        match &member.kind {
            MemberKind::Any => {
                self.each(&member.value, focus, frame, false, &mut |item| match self.atomized(item)
                {
                    Item::Untyped(text) | Item::String(text) | Item::Uri(text) => {
                        Ok(member.set.contains(text.as_str()))
                    }
                    typed => compare::general(
                        Comparison::Equal,
                        &typed,
                        &Item::String(XPathText::Borrowed("")),
                    ),
                })
            }
            MemberKind::Token { whole, separator } => {
                let item = self.single(&member.value, focus, frame)?;
                let text = item.map_or(XPathText::Borrowed(""), |item| text_of(&item));
                let text = text.as_str();
                if !text.contains(&**separator) {
                    return Ok(member.set.contains(text));
                }
                self.check_text(whole.len())?;
                Ok(whole.contains(&format!("{separator}{text}{separator}")))
            }
        }
    }

    /// The nodes of an expression, in any order and perhaps twice.
    pub(super) fn each_node(
        &self,
        expr: &'d Expr,
        focus: &Focus<'d>,
        frame: &Frame<'d>,
        nodes: &mut Vec<super::NodeRef>,
    ) -> XPathResult<()> {
        self.each(expr, focus, frame, false, &mut |item| match item {
            Item::Node(node) => {
                nodes.push(node);
                self.check_items(nodes.len())?;
                Ok(false)
            }
            other => fail!(XPTY0004, "expected nodes, found {}", super::type_name(&other)),
        })?;
        Ok(())
    }
}

/// Whether an expression surely gives few items and costs little to evaluate.
fn is_small(expr: &Expr) -> bool {
    matches!(
        expr,
        Expr::Constant(_)
            | Expr::Constants(_)
            | Expr::Local(_)
            | Expr::Variable(_)
            | Expr::Context
            | Expr::Arithmetic(..)
            | Expr::Cast(..)
            | Expr::Memo(..)
            | Expr::Call(..)
    )
}
