//! Values and paths: what a comparison looks at, and where it stands.

use super::{Scope, Value};
use crate::subsets::notation::{How, Path, Step};
use crate::subsets::xpath::{self, Axis, Expr, Start};

impl Scope<'_> {
    pub(super) fn value(&mut self, expr: &Expr, inside: bool) -> Option<Value> {
        match expr {
            Expr::Variable(_) => {
                let expr = self.resolve(expr, inside)?;
                self.value(&expr, inside)
            }
            Expr::Path(path) => {
                // Of `a/text()`, the last step says which text of the element is meant.
                let mut path = path.clone();
                let own = path.steps.pop_if(|step| step.name == "text()");
                let mut paths = self.paths(&Expr::Path(path), inside)?;
                if own.is_some() {
                    let (axis, name) = (Axis::Text, String::new());
                    let step = Step { axis, name, predicates: Vec::new() };
                    paths.iter_mut().for_each(|path| path.steps.push(step.clone()));
                }
                Some(Value { how: How::Exact, paths, is_call: false })
            }
            Expr::Call(name, arguments) => {
                let mut value = match arguments.as_slice() {
                    [] => Value { how: How::Exact, paths: vec![Path::default()], is_call: false },
                    [inner] => self.value(inner, inside)?,
                    _ => return None,
                };
                value.how = match (name.as_str(), value.how) {
                    ("string", how) => how,
                    ("normalize-space", How::Exact | How::Trim) => How::Trim,
                    ("normalize-space", _) => How::TrimUpper,
                    ("upper-case", How::Exact | How::Upper) => How::Upper,
                    ("upper-case", _) => How::TrimUpper,
                    _ => return None,
                };
                value.is_call = value.paths.iter().any(|path| !path.steps.is_empty());
                Some(value)
            }
            _ => None,
        }
    }

    pub(super) fn resolve(&self, expr: &Expr, inside: bool) -> Option<Expr> {
        let Expr::Variable(name) = expr else { return Some(expr.clone()) };
        if let Some(expr) = self.global.get(name) {
            return Some(expr.clone());
        }
        let local = self.local.get(name)?;
        let is_fixed = matches!(local, Expr::Literal(_) | Expr::Sequence(_));
        (is_fixed || !inside).then(|| local.clone())
    }

    pub(super) fn paths(&mut self, expr: &Expr, inside: bool) -> Option<Vec<Path>> {
        match expr {
            Expr::Binary("|", left, right) => {
                let mut paths = self.paths(left, inside)?;
                paths.extend(self.paths(right, inside)?);
                Some(paths)
            }
            Expr::Variable(_) => {
                let expr = self.resolve(expr, inside)?;
                self.paths(&expr, inside)
            }
            Expr::Path(path) => {
                let mut found = match &path.start {
                    Start::Root => vec![Path { from_root: true, steps: Vec::new() }],
                    Start::Here => vec![Path::default()],
                    Start::From(expr) => self.paths(expr, inside)?,
                };
                for step in &path.steps {
                    found = self.step(found, step)?;
                }
                Some(found)
            }
            _ => None,
        }
    }

    fn step(&mut self, before: Vec<Path>, step: &xpath::Step) -> Option<Vec<Path>> {
        if let Some(inner) = &step.inner {
            // `a/(b|c)`: every way there is.
            let tails = self.paths(inner, true)?;
            let mut found = Vec::new();
            for head in &before {
                for tail in tails.iter().filter(|tail| !tail.from_root) {
                    let mut path = head.clone();
                    path.steps.extend(tail.steps.iter().cloned());
                    found.push(path);
                }
            }
            return Some(found);
        }
        if step.name.ends_with("()") {
            return None;
        }
        let name = self.name(&step.name)?;
        let mut predicates = Vec::new();
        for predicate in &step.predicates {
            predicates.push(self.boolean(predicate, true)?);
        }
        let is_here = step.axis == Axis::Itself && name.is_empty() && predicates.is_empty();
        let mut found = before;
        if !is_here {
            for path in &mut found {
                let (axis, name) = (step.axis, name.clone());
                path.steps.push(Step { axis, name, predicates: predicates.clone() });
            }
        }
        Some(found)
    }

    fn name(&self, name: &str) -> Option<String> {
        match name.split_once(':') {
            Some(("*", _)) | None => Some(name.to_owned()),
            Some((prefix, local)) => Some(format!("{}:{local}", self.prefixes.get(prefix)?)),
        }
    }
}
