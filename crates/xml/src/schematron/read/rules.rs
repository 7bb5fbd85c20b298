//! Patterns, rules, assertions and reports.

use super::{SchematronReader, Sort, sort, text_of};
use crate::schematron::error::LoadError;
use crate::schematron::library::SourceElement;
use crate::schematron::source::{CheckSource, PatternSource, RuleItem, RuleSource};

/// Attributes of an assertion that do not change its verdict (ISO/IEC 19757-3, section 5.4.1).
const CHECK: &[&str] = &[
    "test",
    "id",
    "flag",
    "role",
    "diagnostics",
    "properties",
    "subject",
    "see",
    "fpi",
    "icon",
    "space",
    "lang",
];
/// The same for a rule.
const RULE: &[&str] =
    &["context", "id", "flag", "role", "abstract", "subject", "see", "fpi", "icon"];
/// The same for a pattern; `name` is of Schematron 1.5 and only a title.
const PATTERN: &[&str] = &["id", "abstract", "is-a", "see", "fpi", "icon", "role", "name"];

impl SchematronReader {
    pub(super) fn pattern(&mut self, part: SourceElement<'_>) -> Result<PatternSource, LoadError> {
        part.allow(PATTERN)?;
        let element = part.element;
        let attribute = |name| element.attribute(name).map(str::to_owned);
        let mut pattern = PatternSource {
            id: attribute("id"),
            title: attribute("name"),
            is_abstract: element.attribute("abstract") == Some("true"),
            is_a: attribute("is-a"),
            params: Vec::new(),
            lets: Vec::new(),
            rules: Vec::new(),
            origin: part.origin(),
        };
        for child in self.contents(part)? {
            match (sort(child.element), child.element.local()) {
                (Sort::Schematron, "rule") => {
                    let rule = self.rule(child)?;
                    pattern.rules.push(rule);
                }
                (Sort::Schematron, "let") => pattern.lets.push(self.variable(child, "value")?),
                (Sort::Schematron, "param") => {
                    let (name, value) = (child.required("name")?, child.required("value")?);
                    // Published sets have names with blanks around them.
                    pattern.params.push((name.trim().to_owned(), value.to_owned()));
                }
                (Sort::Schematron, "title") => pattern.title = Some(text_of(child.element)),
                (Sort::Schematron, "p") => {}
                (Sort::Schematron, "diagnostics") => self.diagnostics(child)?,
                (Sort::Foreign, _) => self.foreign(child),
                _ => return Err(self.unknown(child, "pattern")),
            }
        }
        Ok(pattern)
    }

    fn rule(&mut self, part: SourceElement<'_>) -> Result<RuleSource, LoadError> {
        part.allow(RULE)?;
        let element = part.element;
        let attribute = |name| element.attribute(name).map(str::to_owned);
        let is_abstract = element.attribute("abstract") == Some("true");
        let context = match element.attribute("context") {
            Some(text) if !is_abstract => Some(self.code(part, text)),
            None if !is_abstract => return Err(part.invalid("the attribute context", "none")),
            _ => None,
        };
        let mut rule = RuleSource {
            id: attribute("id"),
            flag: attribute("flag"),
            role: attribute("role"),
            is_abstract,
            context,
            items: Vec::new(),
            origin: part.origin(),
        };
        for child in self.contents(part)? {
            let item = match (sort(child.element), child.element.local()) {
                (Sort::Schematron, "assert") => RuleItem::Check(self.check(child, false)?),
                (Sort::Schematron, "report") => RuleItem::Check(self.check(child, true)?),
                (Sort::Schematron, "let") => RuleItem::Let(self.variable(child, "value")?),
                (Sort::Xslt, "variable") => RuleItem::Let(self.variable(child, "select")?),
                (Sort::Schematron, "extends") => {
                    RuleItem::Extends(child.required("rule")?.to_owned(), child.origin())
                }
                (Sort::Schematron, "p" | "title") => continue,
                (Sort::Foreign, _) => {
                    self.foreign(child);
                    continue;
                }
                _ => return Err(self.unknown(child, "rule")),
            };
            rule.items.push(item);
        }
        Ok(rule)
    }

    fn check(
        &mut self,
        part: SourceElement<'_>,
        is_report: bool,
    ) -> Result<CheckSource, LoadError> {
        part.allow(CHECK)?;
        let element = part.element;
        let attribute = |name| element.attribute(name).map(str::to_owned);
        let diagnostics = element.attribute("diagnostics").unwrap_or_default();
        Ok(CheckSource {
            id: attribute("id"),
            flag: attribute("flag"),
            role: attribute("role"),
            is_report,
            test: self.code(part, part.required("test")?),
            message: self.message(part)?,
            diagnostics: diagnostics.split_whitespace().map(str::to_owned).collect(),
            origin: part.origin(),
        })
    }
}
