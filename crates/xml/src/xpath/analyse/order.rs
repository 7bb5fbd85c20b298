//! In which order a walk along a path finds its nodes, so that most need no sorting.

use super::super::functions::Function;
use super::super::ir::{
    Axis, AxisStep, Expr, NodeTest, PathStart, PathStep, PredicateKind, WalkOrder,
};
use super::{gives_nodes, is_atomic};

/// What is known of nodes that were found.
#[derive(Clone, Copy)]
struct WalkProperties {
    /// At most one node.
    single: bool,
    order: WalkOrder,
    /// No node is above another.
    flat: bool,
}

/// In which order a walk from the first step to the last finds the nodes.
pub(super) fn order(start: &PathStart, steps: &[PathStep]) -> WalkOrder {
    let mut found = match start {
        PathStart::Context | PathStart::Root => {
            WalkProperties { single: true, order: WalkOrder::Document, flat: true }
        }
        PathStart::Expr(expr) => WalkProperties {
            single: is_single(expr),
            order: if is_sorted(expr) { WalkOrder::Document } else { WalkOrder::Unknown },
            flat: is_single(expr) || is_flat(expr),
        },
    };
    for step in steps {
        found = match step {
            PathStep::Axis(step) => after_axis(found, step),
            PathStep::Expr(expr) if is_atomic(expr) => found,
            PathStep::Expr(Expr::Path(path)) if matches!(path.start, PathStart::Context) => {
                // A path inside a path: `a/(b/c)`.
                path.steps.iter().fold(found, |found, step| match step {
                    PathStep::Axis(step) => after_axis(found, step),
                    PathStep::Expr(_) => {
                        WalkProperties { single: false, order: WalkOrder::Unknown, flat: false }
                    }
                })
            }
            PathStep::Expr(Expr::Union(parts)) if parts.iter().all(is_child_step) => {
                // `a/(b | c)`: children again.
                let unions = found.single || found.flat;
                WalkProperties {
                    single: false,
                    order: if unions { found.order } else { WalkOrder::Unknown },
                    flat: unions,
                }
            }
            PathStep::Expr(_) => {
                WalkProperties { single: false, order: WalkOrder::Unknown, flat: false }
            }
        };
    }
    found.order
}

fn is_child_step(expr: &Expr) -> bool {
    matches!(expr, Expr::Path(path) if matches!(path.start, PathStart::Context)
        && matches!(&*path.steps, [PathStep::Axis(AxisStep { axis: Axis::Child, .. })]))
}

fn after_axis(from: WalkProperties, step: &AxisStep) -> WalkProperties {
    let first = step.predicates.iter().any(|p| matches!(p.kind, PredicateKind::Position(_)));
    let distinct = from.order != WalkOrder::Unknown;
    let (order, flat) = match step.axis {
        Axis::Own => (from.order, from.flat),
        Axis::Attribute => (from.order, true),
        Axis::Child if from.flat => (from.order, true),
        Axis::Child => (if distinct { WalkOrder::Distinct } else { WalkOrder::Unknown }, false),
        Axis::Descendant | Axis::DescendantOrSelf if from.flat => (from.order, false),
        Axis::Parent if from.single => (WalkOrder::Document, true),
        Axis::FollowingSibling if from.single => (WalkOrder::Document, true),
        Axis::PrecedingSibling if from.single => (WalkOrder::Distinct, true),
        Axis::Following if from.single => (WalkOrder::Document, false),
        Axis::Ancestor | Axis::AncestorOrSelf | Axis::Preceding if from.single => {
            (WalkOrder::Distinct, false)
        }
        _ => (WalkOrder::Unknown, false),
    };
    let single = from.single && (first || matches!(step.axis, Axis::Own | Axis::Parent))
        || from.single && step.axis == Axis::Attribute && matches!(step.test, NodeTest::Name(_));
    if single {
        WalkProperties { single, order: WalkOrder::Document, flat: true }
    } else {
        WalkProperties { single, order, flat }
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
                PathStart::Context | PathStart::Root => {
                    WalkProperties { single: true, order: WalkOrder::Document, flat: true }
                }
                PathStart::Expr(inner) => WalkProperties {
                    single: false,
                    order: WalkOrder::Unknown,
                    flat: is_single(inner) || is_flat(inner),
                },
            };
            for step in &path.steps {
                match step {
                    PathStep::Axis(step) => found = after_axis(found, step),
                    PathStep::Expr(_) => return false,
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
