//! Says what a row asks and where, without a document: in five languages, and with the conditions
//! in the notation of XPath, which is the same in all of them.

mod example;
mod phrases;
#[cfg(test)]
mod tests;

use quoin_model::Language;

use super::forbidden::Forbidden;
use super::notation::{ListRef, NameTest, RowTest, TableAxis, TablePath, TableStep};
use super::{SubsetTable, TableRow, message, table};
pub use example::Example;
use phrases::Phrase;

/// Values of a comparison that are named at most.
const VALUES_NAMED: usize = 16;

/// A row and the rule that it belongs to.
#[derive(Debug, Clone, Copy)]
pub struct RowInRule<'t> {
    /// The row.
    pub row: &'t TableRow,
    table: &'t SubsetTable,
    rule: &'t table::TableRule,
    /// The name of the element, where a condition says it.
    at: Option<NameTest>,
}

impl SubsetTable {
    /// The rows, in their order, with where they are tested.
    pub fn asked(&self) -> impl Iterator<Item = RowInRule<'_>> {
        let rules = self.patterns.rules.iter();
        rules.flat_map(move |rule| rule.rows.iter().map(move |row| self.asked_at(rule, row)))
    }
}

impl SubsetTable {
    /// The rule that a row belongs to.
    pub(super) fn rule_of(&self, row: &TableRow) -> Option<&table::TableRule> {
        self.patterns.rules.iter().find(|rule| rule.rows.iter().any(|own| std::ptr::eq(own, row)))
    }

    fn asked_at<'t>(&'t self, rule: &'t table::TableRule, row: &'t TableRow) -> RowInRule<'t> {
        RowInRule { row, table: self, rule, at: None }
    }

    /// What a row asks, as a sentence; empty where its test is written by hand.
    pub(super) fn sentence(&self, row: &TableRow, language: Language) -> String {
        let asked = self.asked().find(|asked| std::ptr::eq(asked.row, row));
        asked.and_then(|asked| asked.text(language)).unwrap_or_default()
    }
}

impl RowInRule<'_> {
    /// Where it is tested, as paths.
    pub fn places(&self) -> Vec<String> {
        self.rule.places.iter().map(|place| self.path(place)).collect()
    }

    /// The name of the element at which it is tested: `cac:Party`; `*` for several.
    pub fn element(&self) -> String {
        if let Some(name) = self.at {
            return self.name(name);
        }
        let last = |path: &TablePath| path.steps.last().map(|step| self.name(step.name));
        let mut names = self.rule.places.iter().filter_map(last);
        let first = names.next().unwrap_or_else(|| "*".to_owned());
        if names.all(|name| name == first) { first } else { "*".to_owned() }
    }

    /// What it asks, as a sentence; `None` where its test is written by hand.
    pub fn text(&self, language: Language) -> Option<String> {
        let is_hand = self.row.is_by_hand();
        (!is_hand).then(|| format!("{}.", self.say(&self.row.test, language)))
    }

    fn say(&self, test: &RowTest, language: Language) -> String {
        let say = |phrase: Phrase, what: &str, allowed: &str| {
            phrase.text(language).replace("{what}", what).replace("{allowed}", allowed)
        };
        let about = |phrase, paths: &[TablePath]| say(phrase, &self.what(paths), "");
        match test {
            RowTest::Never => match self.rule.forbidden() {
                Forbidden::Itself => say(Phrase::Unused, &self.element(), ""),
                Forbidden::Empty => say(Phrase::Filled, &self.element(), ""),
                Forbidden::Lacks(paths, _) => about(Phrase::There, paths),
            },
            RowTest::Always | RowTest::Hand => say(Phrase::Free, &self.element(), ""),
            RowTest::Has(paths) if paths.len() > 1 => about(Phrase::OneOf, paths),
            RowTest::Has(paths) => about(Phrase::There, paths),
            RowTest::Not(inner) => match &**inner {
                RowTest::Has(paths) => about(Phrase::Unused, paths),
                RowTest::Is(_, values, paths) => {
                    say(Phrase::IsNot, &self.what(paths), &quoted(values))
                }
                RowTest::In(_, list, paths) => {
                    say(Phrase::IsNot, &self.what(paths), &message::codes(&[*list]))
                }
                other => say(Phrase::Never, &self.test(other), ""),
            },
            RowTest::Count(min, max, paths) => {
                say(Phrase::Times, &self.what(paths), &times(*min, *max))
            }
            RowTest::In(_, list, paths) => self.code(&[*list], paths, language),
            RowTest::Is(_, values, paths) => say(Phrase::Is, &self.what(paths), &quoted(values)),
            RowTest::Within(_, text, paths) => {
                let values: Vec<&str> = text.split_whitespace().collect();
                say(Phrase::Is, &self.what(paths), &quoted(&values))
            }
            RowTest::Isnt(_, values, paths) if values.as_slice() == [""] => {
                about(Phrase::Filled, paths)
            }
            RowTest::Isnt(_, values, paths) => {
                say(Phrase::IsNot, &self.what(paths), &quoted(values))
            }
            RowTest::Same(here, there) => say(Phrase::Same, &self.what(here), &self.what(there)),
            RowTest::Length(most, paths) => {
                say(Phrase::Length, &self.what(paths), &most.to_string())
            }
            RowTest::Decimals(most, paths) => {
                say(Phrase::Decimals, &self.what(paths), &most.to_string())
            }
            RowTest::Date(paths) => about(Phrase::Date, paths),
            RowTest::Starts(start, paths) => {
                say(Phrase::Starts, &self.what(paths), &quoted(&[start]))
            }
            RowTest::Ends(end) => say(Phrase::Ends, &self.element(), &quoted(&[end])),
            RowTest::And(parts) => {
                // "It is an x, and b" is b of x.
                let (of, parts) = self.named(parts).unwrap_or((*self, parts));
                let parts: Vec<String> = parts.iter().map(|part| of.say(part, language)).collect();
                parts.join("; ")
            }
            RowTest::Or(parts) => self.either(parts, language),
        }
    }

    /// The same row at an element of this name, and what else is asked there.
    fn named<'p>(&self, parts: &'p [RowTest]) -> Option<(Self, &'p [RowTest])> {
        let (RowTest::Has(paths), rest) = parts.split_first()? else { return None };
        let [TablePath { steps, from_root: false, .. }] = paths.as_slice() else { return None };
        let [TableStep { axis: TableAxis::Itself, name: name @ NameTest::Is(_), predicates }] =
            steps.as_slice()
        else {
            return None;
        };
        let is_plain = predicates.is_empty() && !rest.is_empty();
        is_plain.then_some((RowInRule { at: Some(*name), ..*self }, rest))
    }

    /// `a or b`; "not a, or b" is "where a: b".
    fn either(&self, parts: &[RowTest], language: Language) -> String {
        let paths = parts.iter().map(|part| match part {
            RowTest::Has(paths) => Some(paths.as_slice()),
            _ => None,
        });
        if let Some(paths) = paths.collect::<Option<Vec<_>>>() {
            return Phrase::OneOf.text(language).replace("{what}", &self.what(&paths.concat()));
        }
        let lists = parts.iter().map(|part| match part {
            RowTest::In(_, list, paths) => Some((*list, paths)),
            _ => None,
        });
        if let Some(lists) = lists.collect::<Option<Vec<_>>>()
            && let Some((_, paths)) = lists.first()
            && lists.iter().all(|(_, other)| other == paths)
        {
            let all: Vec<ListRef> = lists.iter().map(|(list, _)| *list).collect();
            return self.code(&all, paths, language);
        }
        let values = parts.iter().map(|part| match part {
            RowTest::Is(_, values, paths) => Some((values.as_slice(), paths)),
            _ => None,
        });
        if let Some(values) = values.collect::<Option<Vec<_>>>()
            && let Some((_, paths)) = values.first()
            && values.iter().all(|(_, other)| other == paths)
        {
            let all: Vec<&str> = values.iter().flat_map(|(values, _)| *values).copied().collect();
            let text = Phrase::Is.text(language).replace("{what}", &self.what(paths));
            return text.replace("{allowed}", &quoted(&all));
        }
        let (unless, rest): (Vec<_>, Vec<_>) =
            parts.iter().partition(|part| matches!(part, RowTest::Not(_)));
        let conditions: Vec<String> = unless
            .iter()
            .filter_map(|part| match part {
                RowTest::Not(inner) => Some(self.test(inner)),
                _ => None,
            })
            .collect();
        let conditions = conditions.join(" and ");
        if rest.is_empty() {
            return Phrase::Never.text(language).replace("{what}", &conditions);
        }
        let rest: Vec<String> = rest.iter().map(|part| self.say(part, language)).collect();
        let rest = rest.join(Phrase::Or.text(language));
        if conditions.is_empty() {
            return rest;
        }
        let phrase = Phrase::Where.text(language);
        phrase.replace("{what}", &conditions).replace("{allowed}", &rest)
    }

    fn code(&self, lists: &[ListRef], paths: &[TablePath], language: Language) -> String {
        let total: usize = lists.iter().map(|list| list.0.len()).sum();
        let is_short = total <= message::CODES_NAMED;
        let phrase = if is_short { Phrase::Is } else { Phrase::Code };
        let text = phrase.text(language).replace("{what}", &self.what(paths));
        text.replace("{allowed}", &message::codes(lists))
    }

    /// A test in the notation of XPath.
    fn test(&self, test: &RowTest) -> String {
        let compared = |paths: &[TablePath], sign: &str, values: &[&str]| match values {
            [value] => format!("{} {sign} '{value}'", self.all(paths)),
            _ => format!("{} {sign} ({})", self.all(paths), quoted(values)),
        };
        match test {
            RowTest::Never => "false()".to_owned(),
            RowTest::Always => "true()".to_owned(),
            RowTest::Hand => "…".to_owned(),
            RowTest::Has(paths) => self.all(paths),
            RowTest::Not(inner) => format!("not({})", self.test(inner)),
            RowTest::And(parts) => self.joined(parts, " and "),
            RowTest::Or(parts) => format!("({})", self.joined(parts, " or ")),
            RowTest::Count(min, max, paths) => {
                format!("count({}) = {}", self.all(paths), times(*min, *max))
            }
            RowTest::In(_, list, paths) => {
                format!("{} = ({})", self.all(paths), message::codes(&[*list]))
            }
            RowTest::Is(_, values, paths) => compared(paths, "=", values),
            RowTest::Isnt(_, values, paths) => compared(paths, "!=", values),
            RowTest::Within(_, text, paths) => {
                let values: Vec<&str> = text.split_whitespace().collect();
                compared(paths, "=", &values)
            }
            RowTest::Same(here, there) => format!("{} = {}", self.all(here), self.all(there)),
            RowTest::Length(most, paths) => format!("string-length({}) <= {most}", self.all(paths)),
            RowTest::Decimals(most, paths) => format!("decimals({}) <= {most}", self.all(paths)),
            RowTest::Date(paths) => format!("{} castable as xs:date", self.all(paths)),
            RowTest::Starts(start, paths) => format!("starts-with({}, '{start}')", self.all(paths)),
            RowTest::Ends(end) => format!("ends-with(local-name(), '{end}')"),
        }
    }

    fn joined(&self, parts: &[RowTest], sign: &str) -> String {
        parts.iter().map(|part| self.test(part)).collect::<Vec<_>>().join(sign)
    }

    fn all(&self, paths: &[TablePath]) -> String {
        let mut names: Vec<String> = paths.iter().map(|path| self.path(path)).collect();
        names.dedup();
        match names.as_slice() {
            [one] => one.clone(),
            _ => format!("({})", names.join(" | ")),
        }
    }

    /// The paths of a sentence; the element itself by its name.
    fn what(&self, paths: &[TablePath]) -> String {
        let name = |path: String| if path == "." { self.element() } else { path };
        let mut names: Vec<String> = paths.iter().map(|path| name(self.path(path))).collect();
        names.dedup();
        names.join(", ")
    }

    fn path(&self, path: &TablePath) -> String {
        let mut text = String::new();
        for step in &path.steps {
            let bare = step.predicates.is_empty();
            if matches!(step.axis, TableAxis::Itself | TableAxis::Text)
                && bare
                && path.steps.len() > 1
            {
                continue;
            }
            let (is_first, step) = (text.is_empty(), self.step(step));
            match (is_first, path.from_root, step.starts_with('/')) {
                (true, false, true) => text.push('.'),
                (true, false, false) | (_, _, true) => {}
                _ => text.push('/'),
            }
            text.push_str(&step);
        }
        match (text.is_empty(), path.from_root) {
            (true, true) => "/".to_owned(),
            (true, false) => ".".to_owned(),
            _ => text,
        }
    }

    fn step(&self, step: &TableStep) -> String {
        let name = self.name(step.name);
        let mut text = match step.axis {
            TableAxis::Child => name,
            TableAxis::Descendant => format!("//{name}"),
            TableAxis::Attribute => format!("@{name}"),
            TableAxis::DescendantAttribute => format!("//@{name}"),
            TableAxis::Parent if step.name == NameTest::Any => "..".to_owned(),
            TableAxis::Parent => format!("parent::{name}"),
            TableAxis::Ancestor => format!("ancestor::{name}"),
            TableAxis::Itself if step.name == NameTest::Any => ".".to_owned(),
            TableAxis::Itself => format!("self::{name}"),
            TableAxis::Text => "text()".to_owned(),
        };
        for predicate in &step.predicates {
            text.push('[');
            text.push_str(&self.test(predicate));
            text.push(']');
        }
        text
    }

    fn name(&self, name: NameTest) -> String {
        match name {
            NameTest::Any => "*".to_owned(),
            NameTest::AnyNamespace(local) => format!("*:{local}"),
            NameTest::AnyIn(namespace) => format!("{}*", message::prefixed(namespace)),
            NameTest::Is(number) => {
                let name = self.table.patterns.names.get(usize::from(number));
                let (namespace, local) = name.copied().unwrap_or_default();
                format!("{}{local}", message::prefixed(namespace))
            }
        }
    }
}

fn quoted(values: &[&str]) -> String {
    let shown: Vec<String> =
        values.iter().take(VALUES_NAMED).map(|value| format!("'{value}'")).collect();
    let rest = if values.len() > VALUES_NAMED { ", …" } else { "" };
    shown.join(", ") + rest
}

fn times(min: u32, max: u32) -> String {
    match (min, max) {
        (min, max) if min == max => min.to_string(),
        (min, u32::MAX) => format!("{min}…"),
        (min, max) => format!("{min}…{max}"),
    }
}
