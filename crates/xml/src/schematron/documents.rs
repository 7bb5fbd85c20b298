//! The files that rules read with `document()` and `doc()`, read together with the rules.
//!
//! A reference must be a literal: what a rule may read is then known, and inside the folder of the
//! set, before any document is judged.

use std::collections::BTreeMap;

use super::error::{LoadError, Origin};
use super::library::{FileResolver, join, parse};
use super::source::{
    Instruction, Let, Piece, RuleItem, SchematronSource, ScopedExpression, VariableValue,
};
use crate::tree::Document;

/// Functions whose argument is a file.
const READERS: &[&str] = &["document", "doc", "fn:doc"];

/// Reads every file that an expression of the source names.
pub(super) fn read(
    resolver: &dyn FileResolver,
    source: &SchematronSource,
) -> Result<BTreeMap<String, Document>, LoadError> {
    let mut finder = Finder { paths: BTreeMap::new() };
    for function in &source.functions {
        finder.body(&function.body)?;
    }
    source.lets.iter().try_for_each(|found| finder.variable(found))?;
    for pattern in &source.patterns {
        pattern.lets.iter().try_for_each(|found| finder.variable(found))?;
        for rule in &pattern.rules {
            rule.context.iter().try_for_each(|code| finder.code(code))?;
            rule.items.iter().try_for_each(|item| finder.item(item))?;
        }
    }
    let mut documents = BTreeMap::new();
    for (reference, (file, origin)) in finder.paths {
        let bytes = resolver.read(&file).map_err(|reason| LoadError::Read {
            file: file.clone(),
            wanted_by: Some(origin),
            reason,
        })?;
        documents.insert(reference, parse(&file, &bytes)?);
    }
    Ok(documents)
}

/// Collects references and the paths that they mean.
struct Finder {
    paths: BTreeMap<String, (String, Origin)>,
}

impl Finder {
    fn item(&mut self, item: &RuleItem) -> Result<(), LoadError> {
        match item {
            RuleItem::Let(found) => self.variable(found),
            RuleItem::Check(check) => {
                self.code(&check.test)?;
                check.message.iter().try_for_each(|piece| match piece {
                    Piece::ValueOf(code) | Piece::Name(Some(code)) => self.code(code),
                    _ => Ok(()),
                })
            }
            RuleItem::Extends(..) => Ok(()),
        }
    }

    fn variable(&mut self, found: &Let) -> Result<(), LoadError> {
        match &found.value {
            VariableValue::Select(code) => self.code(code),
            VariableValue::Body(body) => self.body(body),
        }
    }

    fn body(&mut self, body: &[Instruction]) -> Result<(), LoadError> {
        body.iter().try_for_each(|instruction| match instruction {
            Instruction::Variable(found) => self.variable(found),
            Instruction::Sequence(code) | Instruction::ValueOf { select: code, .. } => {
                self.code(code)
            }
            Instruction::Text(_) => Ok(()),
            Instruction::Choose { branches, otherwise } => {
                for (test, body) in branches {
                    self.code(test)?;
                    self.body(body)?;
                }
                self.body(otherwise)
            }
        })
    }

    fn code(&mut self, code: &ScopedExpression) -> Result<(), LoadError> {
        if !code.text.contains("doc") {
            return Ok(());
        }
        for argument in arguments(&code.text) {
            let origin = || code.origin.clone();
            let Some(reference) = argument.filter(|reference| !reference.is_empty()) else {
                let what = "document() or doc() with anything but the name of a file".into();
                return Err(LoadError::Unsupported { origin: origin(), what });
            };
            let Some(path) = join(&code.origin.file, reference) else {
                let href = reference.to_owned();
                return Err(LoadError::Outside { origin: origin(), href });
            };
            let known = self.paths.entry(reference.to_owned());
            let known = known.or_insert_with(|| (path.clone(), origin()));
            if known.0 != path {
                let what = format!("{reference:?} for two files in different folders");
                return Err(LoadError::Unsupported { origin: origin(), what });
            }
        }
        Ok(())
    }
}

/// The literal argument of each call of a reader; `None` where it is no literal.
fn arguments(text: &str) -> Vec<Option<&str>> {
    let mut found = Vec::new();
    let mut rest = text;
    let mut word = "";
    while let Some(first) = rest.chars().next() {
        if first == '"' || first == '\'' {
            // A literal; a doubled quote inside only splits it, which does no harm here.
            let inside = rest.get(1..).unwrap_or_default();
            let end = inside.find(first).map_or(inside.len(), |end| end + 1);
            rest = inside.get(end..).unwrap_or_default();
            word = "";
        } else if is_name(first) {
            let end = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
            (word, rest) = rest.split_at(end);
        } else if first == '(' && READERS.contains(&word) {
            rest = rest.get(1..).unwrap_or_default();
            found.push(literal(rest));
            word = "";
        } else {
            if !first.is_whitespace() {
                word = "";
            }
            rest = rest.get(first.len_utf8()..).unwrap_or_default();
        }
    }
    found
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':' | '$' | '@')
}

/// The text of `'name')`.
fn literal(text: &str) -> Option<&str> {
    let text = text.trim_start();
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let (name, after) = text.get(1..)?.split_once(quote)?;
    after.trim_start().starts_with(')').then_some(name)
}
