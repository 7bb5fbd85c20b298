//! Names that a document must have, so that rules on what it lacks cost nothing.

use super::super::functions::Function;
use super::super::ir::{Comparison, Expr, NodeTest, PathStep, Predicate, PredicateKind};
use super::super::value::Item;
use super::is_local;

/// Names that the path needs, found along its axes and in conditions of its predicates.
pub(super) fn required_of_steps(steps: &[PathStep], required: &mut Vec<u32>) {
    for step in steps {
        let step = match step {
            PathStep::Axis(step) => step,
            PathStep::Expr(expr) if is_local(expr) => continue,
            PathStep::Expr(_) => return,
        };
        required_of_test(&step.test, &step.predicates, required);
    }
}

fn required_of_test(test: &NodeTest, predicates: &[Predicate], required: &mut Vec<u32>) {
    match test {
        NodeTest::Name(slot) | NodeTest::Element(Some(slot)) | NodeTest::Attribute(Some(slot)) => {
            required.push(*slot);
        }
        _ => {}
    }
    for predicate in predicates {
        if predicate.kind == PredicateKind::Boolean {
            required_to_hold(&predicate.expr, required);
        }
    }
}

/// Names that steps with their predicates need, all together.
pub(crate) fn required_of_tests<'s>(
    steps: impl Iterator<Item = (&'s NodeTest, &'s [Predicate])>,
) -> Box<[u32]> {
    let mut required = Vec::new();
    steps.for_each(|(test, predicates)| required_of_test(test, predicates, &mut required));
    required.sort_unstable();
    required.dedup();
    required.into()
}

/// Names without which an expression is the empty sequence.
pub(super) fn required_of(expr: &Expr, required: &mut Vec<u32>) {
    match expr {
        Expr::Path(path) if path.local => required.extend_from_slice(&path.required),
        Expr::Filter(filter) => required_of(&filter.0, required),
        Expr::Memo(_, inner) => required_of(inner, required),
        Expr::Cast(_, true, inner) => required_of(inner, required),
        _ => {}
    }
}

/// Names without which a condition is false.
fn required_to_hold(expr: &Expr, required: &mut Vec<u32>) {
    match expr {
        Expr::Path(_) | Expr::Filter(_) | Expr::Memo(..) => required_of(expr, required),
        Expr::And(parts) => parts.iter().for_each(|part| required_to_hold(part, required)),
        Expr::General(_, sides) => {
            sides.iter().for_each(|side| required_of(side, required));
        }
        Expr::Call(Function::Exists | Function::Boolean, arguments) => {
            arguments.iter().for_each(|argument| required_of(argument, required));
        }
        Expr::Some(binding) => required_of(&binding.source, required),
        _ => {}
    }
}

/// The truth of a condition in a document that lacks one of some names, as rules state what must
/// not be there: `not(a/b)`, `count(a) <= 1`.
pub(crate) fn without_names(expr: &Expr) -> Option<(bool, Box<[u32]>)> {
    let mut names = Vec::new();
    let truth = match expr {
        Expr::Call(Function::Not, arguments) => {
            arguments.iter().for_each(|argument| required_to_hold(argument, &mut names));
            true
        }
        Expr::Call(Function::Empty, arguments) => {
            arguments.iter().for_each(|argument| required_of(argument, &mut names));
            true
        }
        Expr::General(Comparison::LessOrEqual, sides) => {
            let [Expr::Call(Function::Count, arguments), Expr::Constant(Item::Integer(most))] =
                &**sides
            else {
                return None;
            };
            if most.is_negative() {
                return None;
            }
            arguments.iter().for_each(|argument| required_of(argument, &mut names));
            true
        }
        expr => {
            required_to_hold(expr, &mut names);
            false
        }
    };
    if names.is_empty() { None } else { Some((truth, names.into())) }
}
