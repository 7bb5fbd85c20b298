//! What can be known of an expression before it is evaluated: kinds of predicates, the order in
//! which a path finds its nodes, the names it cannot do without, what it depends on.

mod dependence;
mod order;
mod required;
mod walk;

pub(crate) use dependence::{
    bound_slots, depends_on_place, uses_current, uses_last, uses_local, uses_position,
};
pub(crate) use required::{required_of_tests, without_names};
pub(crate) use walk::{each_child, each_child_mut};

use order::order;
use required::{required_of, required_of_steps};

use super::axes::MAX_NAMES;
use super::functions::Function;
use super::ir::{
    Axis, AxisStep, Comparison, Expr, NodeTest, PathExpression, PathStart, PathStep, Predicate,
    PredicateKind, WalkOrder,
};
use super::number::Integer;
use super::value::Item;

/// A predicate with the way its value is used.
pub(crate) fn predicate(expr: Expr) -> Predicate {
    let kind = match &expr {
        Expr::Constant(Item::Integer(position)) => {
            PredicateKind::Position(Integer::to_i64(position).unwrap_or(-1))
        }
        expr if uses_last(expr) => PredicateKind::Sized,
        expr if uses_position(expr) || !is_never_number(expr) => PredicateKind::Counted,
        _ => PredicateKind::Boolean,
    };
    Predicate { expr, kind, known: None }
}

/// Whether the value is surely not a number, so that a predicate is a condition.
fn is_never_number(expr: &Expr) -> bool {
    match expr {
        Expr::Constant(item) => {
            !matches!(item, Item::Integer(_) | Item::Decimal(_) | Item::Double(_) | Item::Float(_))
        }
        Expr::Constants(list) => list.items.len() != 1,
        Expr::Or(_)
        | Expr::And(_)
        | Expr::General(..)
        | Expr::Single(..)
        | Expr::Nodes(..)
        | Expr::Some(_)
        | Expr::Every(_)
        | Expr::Castable(..)
        | Expr::InstanceOf(_)
        | Expr::Union(_)
        | Expr::Intersect(_)
        | Expr::Except(_)
        | Expr::Member(_)
        | Expr::Regex(..)
        | Expr::Key(..)
        | Expr::TextOf(..) => true,
        Expr::If(parts) => {
            let [_, then, otherwise] = &**parts;
            is_never_number(then) && is_never_number(otherwise)
        }
        Expr::Path(path) => gives_nodes(path),
        Expr::Filter(filter) => is_never_number(&filter.0),
        Expr::Memo(_, inner) => is_never_number(inner),
        Expr::Call(function, _) => function.is_never_number(),
        Expr::Cast(kind, ..) => {
            use super::types::AtomicType as T;
            !matches!(kind, T::Decimal | T::Integer(_) | T::Double | T::Float | T::Any)
        }
        _ => false,
    }
}

/// Whether the last step is on an axis, so that the result is nodes.
pub(crate) fn gives_nodes(path: &PathExpression) -> bool {
    match path.steps.last() {
        Some(PathStep::Axis(_)) => true,
        Some(PathStep::Expr(expr)) => is_nodes(expr),
        None => true,
    }
}

/// Whether an expression surely gives nodes only.
pub(crate) fn is_nodes(expr: &Expr) -> bool {
    match expr {
        Expr::Path(path) => gives_nodes(path),
        Expr::Union(_) | Expr::Intersect(_) | Expr::Except(_) | Expr::Key(..) => true,
        Expr::Filter(filter) => is_nodes(&filter.0),
        Expr::Memo(_, inner) => is_nodes(inner),
        Expr::Call(function, _) => matches!(function, Function::Document | Function::Doc),
        _ => false,
    }
}

/// Whether an expression surely gives atomic values only.
pub(crate) fn is_atomic(expr: &Expr) -> bool {
    match expr {
        Expr::Constant(_)
        | Expr::Constants(_)
        | Expr::Range(_)
        | Expr::Or(_)
        | Expr::And(_)
        | Expr::General(..)
        | Expr::Single(..)
        | Expr::Nodes(..)
        | Expr::Arithmetic(..)
        | Expr::Negate(_)
        | Expr::Plus(_)
        | Expr::Some(_)
        | Expr::Every(_)
        | Expr::Cast(..)
        | Expr::Castable(..)
        | Expr::InstanceOf(_)
        | Expr::Member(_)
        | Expr::Regex(..)
        | Expr::TextOf(..) => true,
        Expr::If(parts) => {
            let [_, then, otherwise] = &**parts;
            is_atomic(then) && is_atomic(otherwise)
        }
        Expr::Sequence(parts) => parts.iter().all(is_atomic),
        Expr::Memo(_, inner) => is_atomic(inner),
        Expr::For(binding) | Expr::Let(binding) => is_atomic(&binding.body),
        Expr::Call(function, _) => function.is_atomic(),
        Expr::Path(path) => {
            matches!(path.steps.last(), Some(PathStep::Expr(last)) if is_atomic(last))
        }
        _ => false,
    }
}

/// A path of its parts: `//` joined with the step after it, `.` left out, properties found.
pub(crate) fn path(start: PathStart, steps: Vec<PathStep>) -> Expr {
    let mut joined: Vec<PathStep> = Vec::with_capacity(steps.len());
    for mut step in steps {
        if let PathStep::Expr(expr) = &step
            && let Some(named) = as_named_step(expr)
        {
            step = PathStep::Axis(named);
        }
        if let (Some(before), PathStep::Axis(this)) = (joined.last(), &mut step)
            && is_any_descendant(before)
            && this.predicates.iter().all(|each| each.kind == PredicateKind::Boolean)
            && matches!(this.axis, Axis::Child | Axis::Descendant | Axis::DescendantOrSelf)
        {
            if this.axis == Axis::Child {
                this.axis = Axis::Descendant;
            }
            joined.pop();
        }
        if !joined.is_empty() && matches!(step, PathStep::Expr(Expr::Context)) {
            continue;
        }
        joined.push(step);
    }
    let (start, joined) = without_context_start(start, joined);
    if joined.is_empty()
        && let PathStart::Expr(inner) = start
    {
        return inner;
    }
    let sets = joined.iter().any(|step| match step {
        PathStep::Expr(expr) => uses_position(expr) || uses_last(expr),
        PathStep::Axis(_) => false,
    });
    let order = if sets { WalkOrder::Sets } else { order(&start, &joined) };
    let mut required = Vec::new();
    required_of_steps(&joined, &mut required);
    let local = match &start {
        PathStart::Context | PathStart::Root => true,
        PathStart::Expr(inner) => is_local(inner),
    };
    if let PathStart::Expr(inner) = &start
        && local
    {
        required_of(inner, &mut required);
    }
    let local = local && joined.iter().all(is_local_step);
    required.sort_unstable();
    required.dedup();
    let (steps, required) = (joined.into(), required.into());
    Expr::Path(Box::new(PathExpression { start, steps, order, required, local }))
}

/// Whether nodes of the value are in the document of the context node.
fn is_local(expr: &Expr) -> bool {
    match expr {
        Expr::Context => true,
        Expr::Path(path) => path.local,
        Expr::Filter(filter) => is_local(&filter.0),
        Expr::Memo(_, inner) => is_local(inner),
        Expr::Union(parts) => parts.iter().all(is_local),
        expr => is_atomic(expr),
    }
}

fn is_local_step(step: &PathStep) -> bool {
    match step {
        PathStep::Axis(_) => true,
        PathStep::Expr(expr) => is_local(expr),
    }
}

/// `./a` is `a`.
fn without_context_start(start: PathStart, steps: Vec<PathStep>) -> (PathStart, Vec<PathStep>) {
    match start {
        PathStart::Expr(Expr::Context) if matches!(steps.first(), Some(PathStep::Axis(_))) => {
            (PathStart::Context, steps)
        }
        PathStart::Expr(expr) => match as_named_step(&expr) {
            Some(named) => {
                let first = std::iter::once(PathStep::Axis(named));
                (PathStart::Context, first.chain(steps).collect())
            }
            None => (PathStart::Expr(expr), steps),
        },
        start => (start, steps),
    }
}

/// `(a | b)` as one step to children of either name, which finds them in document order.
fn as_named_step(expr: &Expr) -> Option<AxisStep> {
    let Expr::Union(parts) = expr else { return None };
    let slots = parts.iter().map(|part| match part {
        Expr::Path(path) if matches!(path.start, PathStart::Context) => match &*path.steps {
            [
                PathStep::Axis(AxisStep {
                    axis: Axis::Child,
                    test: NodeTest::Name(slot),
                    predicates,
                }),
            ] if predicates.is_empty() => Some(*slot),
            _ => None,
        },
        _ => None,
    });
    let slots: Box<[u32]> = slots.collect::<Option<_>>()?;
    if slots.len() > MAX_NAMES {
        return None;
    }
    Some(AxisStep { axis: Axis::Child, test: NodeTest::Names(slots), predicates: Box::new([]) })
}

fn is_any_descendant(step: &PathStep) -> bool {
    let PathStep::Axis(AxisStep { axis, test, predicates }) = step else { return false };
    *axis == Axis::DescendantOrSelf && *test == NodeTest::AnyNode && predicates.is_empty()
}

/// The comparison with its sides exchanged.
pub(crate) fn flipped(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::Less => Comparison::Greater,
        Comparison::LessOrEqual => Comparison::GreaterOrEqual,
        Comparison::Greater => Comparison::Less,
        Comparison::GreaterOrEqual => Comparison::LessOrEqual,
        same => same,
    }
}
