//! Rewrites of an expression that change its cost and never its value.
//!
//! From the leaves up: calls with a constant regular expression keep the compiled one; look-ups in
//! constant lists become look-ups in a hash set; what depends on no document becomes a constant;
//! and what depends on the document but not on the place is evaluated once a document.

mod members;

use super::analyse::{depends_on_place, each_child, each_child_mut, predicate};
use super::compiler::Compiler;
use super::evaluate::fold;
use super::functions::Function;
use super::ir::{Expr, PathStep, Predicate, RegexCall};
use super::regexes;
use super::value::Item;

/// Items of a constant sequence at most.
const MAX_FOLDED: usize = 100_000;

/// The expression as it will be evaluated.
pub(crate) fn expression(compiler: &mut Compiler, mut expr: Expr) -> Expr {
    simplify(&mut expr);
    remember(compiler, &mut expr);
    expr
}

/// What is wrong with a constant in an expression: an invalid regular expression.
pub(crate) fn check(expr: &Expr) -> Result<(), String> {
    if let Expr::Call(function, arguments) = expr
        && let Some(parts) = regex_parts(*function, arguments)
    {
        let (_, pattern, flags) = parts;
        regexes::compile(pattern, flags).map_err(|error| error.to_string())?;
    }
    let mut result = Ok(());
    each_child(expr, &mut |child, _| {
        if result.is_ok() {
            result = check(child);
        }
    });
    result
}

fn simplify(expr: &mut Expr) {
    each_child_mut(expr, &mut simplify);
    refresh_predicates(expr);
    with_regex(expr);
    members::rewrite(expr);
    if is_foldable(expr)
        && let Some(constant) = fold(expr, MAX_FOLDED)
    {
        *expr = constant;
    }
}

/// A predicate may have become a constant.
fn refresh_predicates(expr: &mut Expr) {
    let refresh = |each: &mut Predicate| {
        if matches!(each.expr, Expr::Constant(_)) {
            let expr = std::mem::replace(&mut each.expr, Expr::Context);
            *each = predicate(expr);
        }
    };
    match expr {
        Expr::Filter(filter) => filter.1.iter_mut().for_each(refresh),
        Expr::Path(path) => {
            for step in &mut path.steps {
                if let PathStep::Axis(step) = step {
                    step.predicates.iter_mut().for_each(refresh);
                }
            }
        }
        _ => {}
    }
}

/// Which function, with constant pattern and flags.
fn regex_parts(function: Function, arguments: &[Expr]) -> Option<(RegexCall, &str, &str)> {
    let (call, flags_at) = match function {
        Function::Matches => (RegexCall::Matches, 2),
        Function::Replace => (RegexCall::Replace, 3),
        Function::Tokenize => (RegexCall::Tokenize, 2),
        _ => return None,
    };
    let text = |at: usize| match arguments.get(at) {
        Some(Expr::Constant(Item::String(text))) => Some(text.as_str()),
        _ => None,
    };
    let flags = if arguments.len() > flags_at { text(flags_at)? } else { "" };
    Some((call, text(1)?, flags))
}

fn with_regex(expr: &mut Expr) {
    let Expr::Call(function, arguments) = expr else { return };
    let Some((call, pattern, flags)) = regex_parts(*function, arguments) else { return };
    let Ok(regex) = regexes::compile(pattern, flags) else { return };
    let kept = std::mem::take(arguments).into_vec().into_iter().enumerate();
    let kept = kept.filter(|(at, _)| *at == 0 || (*at == 2 && call == RegexCall::Replace));
    *expr = Expr::Regex(call, regex, kept.map(|(_, argument)| argument).collect());
}

/// Whether the value depends on nothing at all.
fn is_foldable(expr: &Expr) -> bool {
    let kind = match expr {
        Expr::Constant(_) | Expr::Constants(_) => return false,
        Expr::Call(function, arguments) => function.is_foldable(arguments.len()),
        Expr::Sequence(_)
        | Expr::Range(_)
        | Expr::General(..)
        | Expr::Single(..)
        | Expr::Arithmetic(..)
        | Expr::Negate(_)
        | Expr::Plus(_)
        | Expr::Cast(..)
        | Expr::Castable(..)
        | Expr::Regex(..) => true,
        _ => false,
    };
    if !kind {
        return false;
    }
    let mut constant = true;
    each_child(expr, &mut |child, _| {
        constant &= matches!(child, Expr::Constant(_) | Expr::Constants(_));
    });
    constant
}

/// Wraps the largest parts that do not depend on the place.
fn remember(compiler: &mut Compiler, expr: &mut Expr) {
    if is_worth_remembering(expr) && !depends_on_place(expr) {
        let inner = std::mem::replace(expr, Expr::Context);
        *expr = Expr::Memo(compiler.memos, Box::new(inner));
        compiler.memos += 1;
        return;
    }
    each_child_mut(expr, &mut |child| remember(compiler, child));
}

/// Whether evaluating costs more than looking up.
fn is_worth_remembering(expr: &Expr) -> bool {
    // A variable is remembered itself; what is computed from it is not.
    if matches!(expr, Expr::Variable(_)) {
        return false;
    }
    has_work(expr)
}

fn has_work(expr: &Expr) -> bool {
    let mut worth = match expr {
        Expr::Variable(_) => true,
        Expr::Path(_)
        | Expr::Filter(_)
        | Expr::For(_)
        | Expr::Some(_)
        | Expr::Every(_)
        | Expr::User(..)
        | Expr::Key(..) => true,
        Expr::Call(function, _) => matches!(function, Function::Document | Function::Doc),
        _ => false,
    };
    each_child(expr, &mut |child, _| worth = worth || has_work(child));
    worth
}
