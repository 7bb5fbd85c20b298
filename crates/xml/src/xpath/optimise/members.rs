//! Look-ups in constant lists as look-ups in hash sets.
//!
//! Code lists are written in four ways: `contains(' A B ', concat(' ', x, ' '))`,
//! `x = ('A', 'B')`, `some $code in tokenize('A B', '\s') satisfies x = $code`, and the last one
//! with the list in a variable, which the parser replaces by its constant value.

use std::sync::Arc;

use hashbrown::HashSet;

use super::super::analyse::uses_local;
use super::super::functions::Function;
use super::super::ir::{Comparison, Expr, MemberKind, SetLookup, Texts};
use super::super::value::Item;

/// A shorter list is compared one by one.
const WORTH_A_SET: usize = 4;

pub(super) fn rewrite(expr: &mut Expr) {
    quantified(expr);
    let found = match expr {
        Expr::General(Comparison::Equal, sides) => {
            let [left, right] = &mut **sides;
            in_list(left, right).or_else(|| in_list(right, left))
        }
        Expr::Call(Function::Contains, arguments) => match &mut **arguments {
            [Expr::Constant(Item::String(whole)), token] => in_text(whole.as_str(), token),
            _ => None,
        },
        _ => None,
    };
    if let Some(member) = found {
        *expr = Expr::Member(Box::new(member));
    }
}

/// `some $x in list satisfies a = $x` is `list = a`, where `a` does not use `$x`.
fn quantified(expr: &mut Expr) {
    let Expr::Some(binding) = expr else { return };
    let slot = binding.slot;
    let is_own = |expr: &Expr| matches!(expr, Expr::Local(used) if *used == slot);
    let Expr::General(Comparison::Equal, sides) = &binding.body else { return };
    let [left, right] = &**sides;
    let other = match (is_own(left), is_own(right)) {
        (false, true) if !uses_local(left, slot) => left,
        (true, false) if !uses_local(right, slot) => right,
        _ => return,
    };
    // The list first: where it is empty, `a` is never evaluated.
    let sides = Box::new([binding.source.clone(), other.clone()]);
    *expr = Expr::General(Comparison::Equal, sides);
}

fn strings(list: &Expr) -> Option<Texts> {
    match list {
        Expr::Constants(list) if list.items.len() >= WORTH_A_SET => list.texts(),
        _ => None,
    }
}

/// `value = ('A', 'B')`
fn in_list(value: &mut Expr, list: &Expr) -> Option<SetLookup> {
    let set = strings(list)?;
    let value = std::mem::replace(value, Expr::Context);
    Some(SetLookup { value, set, kind: MemberKind::Any })
}

/// `contains(' A B ', concat(' ', value, ' '))`
fn in_text(whole: &str, token: &mut Expr) -> Option<SetLookup> {
    let Expr::Call(Function::Concat, arguments) = token else { return None };
    let [Expr::Constant(Item::String(before)), value, Expr::Constant(Item::String(after))] =
        &mut **arguments
    else {
        return None;
    };
    let separator = before.as_str();
    if separator.chars().count() != 1 || separator != after.as_str() {
        return None;
    }
    // Only what stands between two separators is found with both around it.
    let (_, rest) = whole.split_once(separator)?;
    let (inner, _) = rest.rsplit_once(separator)?;
    let set: HashSet<Box<str>> = inner.split(separator).map(Box::from).collect();
    if set.len() < WORTH_A_SET {
        return None;
    }
    let kind = MemberKind::Token { whole: whole.into(), separator: separator.into() };
    Some(SetLookup { value: std::mem::replace(value, Expr::Context), set: Arc::new(set), kind })
}
