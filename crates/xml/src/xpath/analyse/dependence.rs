//! What the value of an expression depends on.

use super::super::functions::Function;
use super::super::ir::{Expr, PathStart};
use super::walk::each_child;

/// Whether `position()` of the own context is used.
pub(crate) fn uses_position(expr: &Expr) -> bool {
    uses(expr, Function::Position)
}

/// Whether `last()` of the own context is used.
pub(crate) fn uses_last(expr: &Expr) -> bool {
    uses(expr, Function::Last)
}

fn uses(expr: &Expr, wanted: Function) -> bool {
    if matches!(expr, Expr::Call(function, _) if *function == wanted) {
        return true;
    }
    let mut found = false;
    each_child(expr, &mut |child, other_context| {
        found |= !other_context && uses(child, wanted);
    });
    found
}

/// Whether `current()` is used anywhere.
pub(crate) fn uses_current(expr: &Expr) -> bool {
    if matches!(expr, Expr::Call(Function::Current, _)) {
        return true;
    }
    let mut found = false;
    each_child(expr, &mut |child, _| found |= uses_current(child));
    found
}

/// How many slots of a frame the variables that are bound inside need.
pub(crate) fn bound_slots(expr: &Expr) -> u32 {
    let mut most = match expr {
        Expr::For(binding) | Expr::Some(binding) | Expr::Every(binding) | Expr::Let(binding) => {
            binding.slot + 1
        }
        _ => 0,
    };
    each_child(expr, &mut |child, _| most = most.max(bound_slots(child)));
    most
}

/// Whether a local variable is used.
pub(crate) fn uses_local(expr: &Expr, slot: u32) -> bool {
    if matches!(expr, Expr::Local(used) if *used == slot) {
        return true;
    }
    let mut found = false;
    each_child(expr, &mut |child, _| found |= uses_local(child, slot));
    found
}

/// Whether the value may be different elsewhere in the same document: it uses the context item,
/// its position, `current()`, or a variable that is bound outside.
pub(crate) fn depends_on_place(expr: &Expr) -> bool {
    depends(expr, true, &mut Vec::new())
}

fn depends(expr: &Expr, own_context: bool, bound: &mut Vec<u32>) -> bool {
    match expr {
        Expr::Local(slot) => !bound.contains(slot),
        Expr::Context => own_context,
        Expr::Path(path) if matches!(path.start, PathStart::Context) && own_context => true,
        Expr::Call(function, arguments) => {
            let place = match function {
                Function::Current | Function::GenerateId => true,
                function => own_context && function.uses_context(arguments.len()),
            };
            place || any_child(expr, own_context, bound)
        }
        Expr::For(binding) | Expr::Some(binding) | Expr::Every(binding) | Expr::Let(binding) => {
            if depends(&binding.source, own_context, bound) {
                return true;
            }
            bound.push(binding.slot);
            let found = depends(&binding.body, own_context, bound);
            bound.pop();
            found
        }
        _ => any_child(expr, own_context, bound),
    }
}

fn any_child(expr: &Expr, own_context: bool, bound: &mut Vec<u32>) -> bool {
    let mut found = false;
    each_child(expr, &mut |child, other_context| {
        found = found || depends(child, own_context && !other_context, bound);
    });
    found
}
