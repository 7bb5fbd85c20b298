//! What a rule asks, told without a document: its sentence with values that are not known.

use super::{RuleDescription, names, plain};
use quoin_model::Language;

/// What stands for a value that only a document has.
const UNKNOWN: &str = "…";

/// The name of a business term or group, or of a category of VAT, with its identifier.
pub fn term(id: &str, language: Language) -> Option<String> {
    names::of(id, language)
}

impl RuleDescription {
    /// The sentence of a rule, with the terms by their names and `element` for the element at
    /// which it is tested; `None` where a row of a table explains itself.
    pub fn asks(&self, rule: &str, element: &str, language: Language) -> Option<String> {
        let template = self.template(language);
        let value = |key: &str| match key {
            "found" | "value" | "expected" => None,
            "element" => Some(element.to_owned()),
            "rule" => Some(rule.to_owned()),
            _ => {
                let known = self.parameters.iter().find(|(own, _)| *own == key);
                let key = known.map_or(key, |(_, value)| value);
                Some(names::of(key, language).unwrap_or_else(|| key.to_owned()))
            }
        };
        let text = filled(template, &value);
        let is_named = template.starts_with('{') && !template.starts_with("{element}");
        let text = if is_named { super::capitalised(text) } else { text };
        (!text.is_empty()).then_some(text)
    }
}

/// A template of whose bracketed parts those without a value are left out; elsewhere it is shown
/// that there is one.
fn filled(template: &str, value: &dyn Fn(&str) -> Option<String>) -> String {
    let shown = |key: &str| value(key).or_else(|| Some(UNKNOWN.to_owned()));
    let mut text = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('[') {
        plain(before, &shown, &mut text);
        let (inner, end) = after.split_once(']').unwrap_or((after, ""));
        let mut part = String::new();
        if plain(inner, value, &mut part) {
            text.push_str(&part);
        }
        rest = end;
    }
    plain(rest, &shown, &mut text);
    text
}
