//! In which order a walk along a path finds its nodes, so that most need no sorting.

use super::super::functions::Function;
use super::super::ir::{Axis, AxisStep, Expr, NodeTest, Order, PredicateKind, Start, Step};
use super::{gives_nodes, is_atomic};

/// What is known of nodes that were found.
#[derive(Clone, Copy)]
struct Found {
    /// At most one node.
    single: bool,
    order: Order,
    /// No node is above another.
    flat: bool,
}

/// In which order a walk from the first step to the last finds the nodes.
pub(super) fn order(start: &Start, steps: &[Step]) -> Order {
    let mut found = match start {
        Start::Context | Start::Root => Found { single: true, order: Order::Document, flat: true },
        Start::Expr(expr) => Found {
            single: is_single(expr),
            order: if is_sorted(expr) { Order::Document } else { Order::Unknown },
            flat: is_single(expr) || is_flat(expr),
        },
    };
    for step in steps {
        found = match step {
            Step::Axis(step) => after_axis(found, step),
            Step::Expr(expr) if is_atomic(expr) => found,
            Step::Expr(Expr::Path(path)) if matches!(path.start, Start::Context) => {
                // A path inside a path: `a/(b/c)`.
                path.steps.iter().fold(found, |found, step| match step {
                    Step::Axis(step) => after_axis(found, step),
                    Step::Expr(_) => Found { single: false, order: Order::Unknown, flat: false },
                })
            }
            Step::Expr(Expr::Union(parts)) if parts.iter().all(is_child_step) => {
                // `a/(b | c)`: children again.
                let unions = found.single || found.flat;
                Found {
                    single: false,
                    order: if unions { found.order } else { Order::Unknown },
                    flat: unions,
                }
            }
            Step::Expr(_) => Found { single: false, order: Order::Unknown, flat: false },
        };
    }
    found.order
}

fn is_child_step(expr: &Expr) -> bool {
    matches!(expr, Expr::Path(path) if matches!(path.start, Start::Context)
        && matches!(&*path.steps, [Step::Axis(AxisStep { axis: Axis::Child, .. })]))
}

fn after_axis(from: Found, step: &AxisStep) -> Found {
    let first = step.predicates.iter().any(|p| matches!(p.kind, PredicateKind::Position(_)));
    let distinct = from.order != Order::Unknown;
    let (order, flat) = match step.axis {
        Axis::Own => (from.order, from.flat),
        Axis::Attribute => (from.order, true),
        Axis::Child if from.flat => (from.order, true),
        Axis::Child => (if distinct { Order::Distinct } else { Order::Unknown }, false),
        Axis::Descendant | Axis::DescendantOrSelf if from.flat => (from.order, false),
        Axis::Parent if from.single => (Order::Document, true),
        Axis::FollowingSibling if from.single => (Order::Document, true),
        Axis::PrecedingSibling if from.single => (Order::Distinct, true),
        Axis::Following if from.single => (Order::Document, false),
        Axis::Ancestor | Axis::AncestorOrSelf | Axis::Preceding if from.single => {
            (Order::Distinct, false)
        }
        _ => (Order::Unknown, false),
    };
    let single = from.single && (first || matches!(step.axis, Axis::Own | Axis::Parent))
        || from.single && step.axis == Axis::Attribute && matches!(step.test, NodeTest::Name(_));
    if single {
        Found { single, order: Order::Document, flat: true }
    } else {
        Found { single, order, flat }
    }
}

/// Whether there is at most one item.
fn is_single(expr: &Expr) -> bool {
    match expr {
        Expr::Context | Expr::Constant(_) | Expr::Cast(..) => true,
        Expr::Call(function, _) => matches!(function, Function::Current | Function::Root),
        Expr::Filter(filter) => {
            filter.1.iter().any(|predicate| matches!(predicate.kind, PredicateKind::Position(_)))
        }
        _ => false,
    }
}

/// Whether nodes come in document order and none twice.
fn is_sorted(expr: &Expr) -> bool {
    match expr {
        // The value of a path is always sorted, however it was found.
        Expr::Path(path) => gives_nodes(path),
        Expr::Union(_) | Expr::Intersect(_) | Expr::Except(_) | Expr::Key(..) => true,
        Expr::Filter(filter) => is_sorted(&filter.0) || is_single(expr),
        Expr::Memo(_, inner) => is_sorted(inner),
        _ => is_single(expr),
    }
}

/// Whether no node of the value is above another.
fn is_flat(expr: &Expr) -> bool {
    match expr {
        Expr::Path(path) => {
            let mut found = match &path.start {
                Start::Context | Start::Root => {
                    Found { single: true, order: Order::Document, flat: true }
                }
                Start::Expr(inner) => Found {
                    single: false,
                    order: Order::Unknown,
                    flat: is_single(inner) || is_flat(inner),
                },
            };
            for step in &path.steps {
                match step {
                    Step::Axis(step) => found = after_axis(found, step),
                    Step::Expr(_) => return false,
                }
            }
            found.flat
        }
        Expr::Union(parts) => parts.iter().all(is_child_step),
        Expr::Filter(filter) => is_flat(&filter.0),
        Expr::Memo(_, inner) => is_flat(inner),
        _ => is_single(expr),
    }
}
