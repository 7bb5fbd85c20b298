//! The parts of an expression, one level down.

use super::super::ir::{Expr, PathExpression, PathStart, PathStep};

/// Calls for each direct part; the flag says whether the part is evaluated with another context.
pub(crate) fn each_child<'e>(expr: &'e Expr, visit: &mut dyn FnMut(&'e Expr, bool)) {
    match expr {
        Expr::Constant(_)
        | Expr::Constants(_)
        | Expr::Context
        | Expr::Variable(_)
        | Expr::Local(_) => {}
        Expr::Sequence(parts)
        | Expr::Or(parts)
        | Expr::And(parts)
        | Expr::Union(parts)
        | Expr::Call(_, parts)
        | Expr::User(_, parts)
        | Expr::Regex(_, _, parts)
        | Expr::Key(_, parts) => parts.iter().for_each(|part| visit(part, false)),
        Expr::Range(parts)
        | Expr::General(_, parts)
        | Expr::Single(_, parts)
        | Expr::Nodes(_, parts)
        | Expr::Arithmetic(_, parts)
        | Expr::Intersect(parts)
        | Expr::Except(parts) => parts.iter().for_each(|part| visit(part, false)),
        Expr::If(parts) => parts.iter().for_each(|part| visit(part, false)),
        Expr::For(binding) | Expr::Some(binding) | Expr::Every(binding) | Expr::Let(binding) => {
            visit(&binding.source, false);
            visit(&binding.body, false);
        }
        Expr::Negate(inner)
        | Expr::Plus(inner)
        | Expr::Cast(_, _, inner)
        | Expr::Castable(_, _, inner)
        | Expr::Memo(_, inner)
        | Expr::TextOf(inner, _) => visit(inner, false),
        Expr::InstanceOf(typed) | Expr::Treat(typed) | Expr::Convert(typed) => {
            visit(&typed.0, false);
        }
        Expr::Member(member) => visit(&member.value, false),
        Expr::Filter(filter) => {
            visit(&filter.0, false);
            filter.1.iter().for_each(|predicate| visit(&predicate.expr, true));
        }
        Expr::Path(path) => each_in_path(path, visit),
    }
}

fn each_in_path<'e>(path: &'e PathExpression, visit: &mut dyn FnMut(&'e Expr, bool)) {
    if let PathStart::Expr(start) = &path.start {
        visit(start, false);
    }
    for step in &path.steps {
        match step {
            PathStep::Expr(expr) => visit(expr, true),
            PathStep::Axis(step) => {
                step.predicates.iter().for_each(|predicate| visit(&predicate.expr, true));
            }
        }
    }
}

/// As [`each_child`], to change the parts.
pub(crate) fn each_child_mut(expr: &mut Expr, visit: &mut dyn FnMut(&mut Expr)) {
    match expr {
        Expr::Constant(_)
        | Expr::Constants(_)
        | Expr::Context
        | Expr::Variable(_)
        | Expr::Local(_) => {}
        Expr::Sequence(parts)
        | Expr::Or(parts)
        | Expr::And(parts)
        | Expr::Union(parts)
        | Expr::Call(_, parts)
        | Expr::User(_, parts)
        | Expr::Regex(_, _, parts)
        | Expr::Key(_, parts) => parts.iter_mut().for_each(visit),
        Expr::Range(parts)
        | Expr::General(_, parts)
        | Expr::Single(_, parts)
        | Expr::Nodes(_, parts)
        | Expr::Arithmetic(_, parts)
        | Expr::Intersect(parts)
        | Expr::Except(parts) => parts.iter_mut().for_each(visit),
        Expr::If(parts) => parts.iter_mut().for_each(visit),
        Expr::For(binding) | Expr::Some(binding) | Expr::Every(binding) | Expr::Let(binding) => {
            visit(&mut binding.source);
            visit(&mut binding.body);
        }
        Expr::Negate(inner)
        | Expr::Plus(inner)
        | Expr::Cast(_, _, inner)
        | Expr::Castable(_, _, inner)
        | Expr::Memo(_, inner)
        | Expr::TextOf(inner, _) => visit(inner),
        Expr::InstanceOf(typed) | Expr::Treat(typed) | Expr::Convert(typed) => visit(&mut typed.0),
        Expr::Member(member) => visit(&mut member.value),
        Expr::Filter(filter) => {
            visit(&mut filter.0);
            filter.1.iter_mut().for_each(|predicate| visit(&mut predicate.expr));
        }
        Expr::Path(path) => {
            if let PathStart::Expr(start) = &mut path.start {
                visit(start);
            }
            for step in &mut path.steps {
                match step {
                    PathStep::Expr(expr) => visit(expr),
                    PathStep::Axis(step) => {
                        step.predicates.iter_mut().for_each(|each| visit(&mut each.expr));
                    }
                }
            }
        }
    }
}
