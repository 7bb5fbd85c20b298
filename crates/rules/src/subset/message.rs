//! Says what is wrong with an element that breaks a row, in five languages: one template for each
//! kind of row, filled with the names and values at hand.

mod culprit;
mod templates;

use std::borrow::Cow;

use quoin_xml::tree::Element;

use super::evaluate::Evaluator;
use super::forbidden::Forbidden;
use super::notation::{ListRef, NameTest, Normalization, RowTest, TableAxis, TablePath, TableStep};
use super::sets::PREFIXES;
use super::table::TableRule;
use super::{Outline, SubsetTable, TableRow};
use templates::because;
pub use templates::template;

/// Codes of a list that a message names at most; of a longer list it names the list.
pub(super) const CODES_NAMED: usize = 12;

/// Codes that a message names of a list that has no title.
const CODES_OF_A_LONG_LIST: usize = 3;

/// Characters of a value that a message repeats at most.
const VALUE_SHOWN: usize = 80;

pub use quoin_model::Language;

/// What a row is about: the key of its message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MessageKey {
    /// The element itself should not be there.
    NotExpected,
    /// Something inside the element is not used.
    NotUsed,
    /// Something is missing.
    Required,
    /// One of several is missing.
    OneOf,
    /// It is there too often, or not often enough.
    Occurs,
    /// A value is no code of its list.
    Code,
    /// A value is not the one that is expected.
    Value,
    /// A value is one that is not allowed.
    NotThisValue,
    /// A value is missing or empty.
    NotEmpty,
    /// The element itself has nothing in it.
    Empty,
    /// A value is too long.
    Length,
    /// A value has too many decimals.
    Decimals,
    /// A value is no date.
    Date,
    /// A value starts otherwise.
    Prefix,
    /// Several conditions, none of which is met.
    Combination,
}

/// What is to be said about a broken row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowMessage {
    /// The key of the template.
    pub kind: MessageKey,
    /// The whole sentence.
    pub text: String,
    /// The offending value or number, where there is one.
    pub found: Option<String>,
    /// What would have been right, where that can be said.
    pub expected: Option<String>,
}

/// What fills a template.
#[derive(Debug)]
struct TemplateValues {
    kind: MessageKey,
    what: String,
    found: Option<String>,
    allowed: Option<String>,
    /// What is there, on which the rest depends.
    given: Option<String>,
}

impl SubsetTable {
    /// What is wrong with an element that a walk found broken.
    pub fn message(
        &self,
        row: &TableRow,
        element: Element<'_>,
        outline: &Outline<'_>,
        language: Language,
    ) -> RowMessage {
        let speaker = MessageWriter { table: self, evaluator: Evaluator::new(self, outline) };
        let parts = match row.test {
            RowTest::Never => speaker.forbidden(row),
            _ => speaker.parts(&row.test, element),
        };
        let name = element.qualified_name();
        let words = match parts.what.as_str() {
            // The element itself: nothing to add.
            "." => Cow::Owned(template(parts.kind, language).replace(" ({what})", "")),
            _ => Cow::Borrowed(template(parts.kind, language)),
        };
        let asked = (parts.kind == MessageKey::Combination).then(|| self.sentence(row, language));
        let mut text = words
            .replace("{asked}", &asked.unwrap_or_default())
            .replace("{element}", &name)
            .replace("{what}", &parts.what)
            .replace("{found}", &shown(parts.found.as_deref().unwrap_or_default()))
            .replace("{allowed}", parts.allowed.as_deref().unwrap_or_default());
        if let Some(given) = &parts.given {
            text.push(' ');
            text.push_str(&because(language).replace("{given}", given));
        }
        let is_absent = matches!(parts.kind, MessageKey::Required | MessageKey::NotEmpty);
        let expected = parts.allowed.or(is_absent.then_some(parts.what));
        RowMessage { kind: parts.kind, text, found: parts.found, expected }
    }
}

struct MessageWriter<'t, 'o, 'd> {
    table: &'t SubsetTable,
    evaluator: Evaluator<'o, 'd>,
}

impl<'d> MessageWriter<'_, '_, 'd> {
    fn parts(&self, test: &RowTest, element: Element<'_>) -> TemplateValues {
        match test {
            RowTest::Has(paths) if paths.len() > 1 => self.about(MessageKey::OneOf, paths),
            RowTest::Has(paths) => self.about(MessageKey::Required, paths),
            RowTest::Count(min, max, paths) => {
                let found = self.evaluator.number_of(paths, element);
                if found == 0 {
                    return self.about(MessageKey::Required, paths);
                }
                let allowed = match (min, max) {
                    (min, max) if min == max => min.to_string(),
                    (min, &u32::MAX) => format!("{min}…"),
                    (min, max) => format!("{min}…{max}"),
                };
                self.valued(MessageKey::Occurs, paths, Some(found.to_string()), allowed)
            }
            RowTest::In(how, list, paths) => {
                let found = self.value(*how, paths, element);
                self.valued(MessageKey::Code, paths, found, codes(&[*list]))
            }
            RowTest::Is(how, values, paths) => {
                let found = self.value(*how, paths, element);
                self.valued(MessageKey::Value, paths, found, values.join(", "))
            }
            RowTest::Within(how, text, paths) => {
                let found = self.value(*how, paths, element);
                let values: Vec<&str> = text.split_whitespace().collect();
                self.valued(MessageKey::Value, paths, found, values.join(", "))
            }
            RowTest::Isnt(_, values, paths) if values.as_slice() == [""] => {
                self.about(MessageKey::NotEmpty, paths)
            }
            RowTest::Isnt(how, values, paths) => {
                let found = self.value(*how, paths, element);
                self.valued(MessageKey::NotThisValue, paths, found, values.join(", "))
            }
            RowTest::Length(max, paths) => {
                let found = self.value(Normalization::Trim, paths, element);
                self.valued(MessageKey::Length, paths, found, max.to_string())
            }
            RowTest::Decimals(max, paths) => {
                // White space behind a number counts as its decimals.
                let found = self.value(Normalization::Exact, paths, element);
                self.valued(MessageKey::Decimals, paths, found, max.to_string())
            }
            RowTest::Date(paths) => {
                let found = self.value(Normalization::Exact, paths, element);
                self.valued(MessageKey::Date, paths, found, "YYYY-MM-DD".to_owned())
            }
            RowTest::Starts(start, paths) => {
                let found = self.value(Normalization::Trim, paths, element);
                self.valued(MessageKey::Prefix, paths, found, (*start).to_owned())
            }
            RowTest::Same(here, there) => {
                let found = self.value(Normalization::Exact, here, element);
                let allowed = self.value(Normalization::Exact, there, element).unwrap_or_default();
                self.valued(MessageKey::Value, here, found, allowed)
            }
            RowTest::Not(inner) => self.negated(inner, element),
            RowTest::And(parts) => self.first_broken(parts, element),
            RowTest::Or(parts) => self.none_of(parts, element),
            RowTest::Never | RowTest::Always | RowTest::Hand | RowTest::Ends(_) => {
                self.about(MessageKey::NotExpected, &[])
            }
        }
    }

    /// What is wrong with an element of which a row says nothing but that it is wrong.
    fn forbidden(&self, row: &TableRow) -> TemplateValues {
        match self.table.rule_of(row).map(TableRule::forbidden) {
            Some(Forbidden::Empty) => self.about(MessageKey::Empty, &[]),
            Some(Forbidden::Lacks(paths, given)) => {
                let given = given.map(|given| self.what(given));
                TemplateValues { given, ..self.about(MessageKey::Required, paths) }
            }
            Some(Forbidden::Itself) | None => self.about(MessageKey::NotExpected, &[]),
        }
    }

    fn negated(&self, inner: &RowTest, element: Element<'_>) -> TemplateValues {
        match inner {
            RowTest::Has(paths) => {
                let there = paths.iter().find(|path| {
                    self.evaluator.number_of(std::slice::from_ref(*path), element) > 0
                });
                self.about(MessageKey::NotUsed, there.map_or(paths, std::slice::from_ref))
            }
            RowTest::Is(how, values, paths) => {
                let found = self.value(*how, paths, element);
                self.valued(MessageKey::NotThisValue, paths, found, values.join(", "))
            }
            _ => self.about(MessageKey::Combination, &[]),
        }
    }

    fn first_broken(&self, parts: &[RowTest], element: Element<'_>) -> TemplateValues {
        let broken = self
            .evaluator
            .within_document(element)
            .and_then(|element| parts.iter().find(|part| !self.evaluator.holds(part, element)));
        broken.map_or_else(
            || self.about(MessageKey::Combination, &[]),
            |part| self.parts(part, element),
        )
    }

    /// `a or b`, none of which holds: the usual forms have words of their own.
    fn none_of(&self, parts: &[RowTest], element: Element<'_>) -> TemplateValues {
        let required = parts.iter().map(|part| match part {
            RowTest::Has(paths) => Some(paths.as_slice()),
            _ => None,
        });
        if let Some(paths) = required.collect::<Option<Vec<_>>>() {
            return self.about(MessageKey::OneOf, &paths.concat());
        }
        let lists = parts.iter().map(|part| match part {
            RowTest::In(how, list, paths) => Some((*list, *how, paths)),
            _ => None,
        });
        if let Some(lists) = lists.collect::<Option<Vec<_>>>()
            && let Some((_, how, paths)) = lists.first()
        {
            let found = self.value(*how, paths, element);
            let lists: Vec<ListRef> = lists.iter().map(|(list, ..)| *list).collect();
            return self.valued(MessageKey::Code, paths, found, codes(&lists));
        }
        let values = parts.iter().map(|part| match part {
            RowTest::Is(how, values, paths) => Some((values, *how, paths)),
            _ => None,
        });
        if let Some(values) = values.collect::<Option<Vec<_>>>()
            && let Some((_, how, paths)) = values.first()
            && values.iter().all(|(_, _, other)| other == paths)
        {
            let found = self.value(*how, paths, element);
            let all: Vec<&str> = values.iter().flat_map(|(values, ..)| *values).copied().collect();
            return self.valued(MessageKey::Value, paths, found, all.join(", "));
        }
        // "Not a, or b": where a is given, b is asked for.
        match parts {
            [RowTest::Not(unless), rest] | [rest, RowTest::Not(unless)] => {
                let mut parts = self.parts(rest, element);
                if let RowTest::Has(paths) = &**unless
                    && self.what(paths) != parts.what
                {
                    parts.given = Some(self.what(paths));
                }
                parts
            }
            _ => self.about(MessageKey::Combination, &[]),
        }
    }

    fn about(&self, kind: MessageKey, paths: &[TablePath]) -> TemplateValues {
        TemplateValues { kind, what: self.what(paths), found: None, allowed: None, given: None }
    }

    fn valued(
        &self,
        kind: MessageKey,
        paths: &[TablePath],
        found: Option<String>,
        allowed: String,
    ) -> TemplateValues {
        let is_wanted = kind != MessageKey::NotThisValue && !allowed.is_empty();
        let allowed = is_wanted.then_some(allowed);
        TemplateValues { kind, what: self.what(paths), found, allowed, given: None }
    }

    fn value(
        &self,
        how: Normalization,
        paths: &[TablePath],
        element: Element<'_>,
    ) -> Option<String> {
        self.evaluator.first_value(paths, element).map(|value| how.of(value).into_owned())
    }

    /// The paths as people read them, without conditions.
    fn what(&self, paths: &[TablePath]) -> String {
        let mut names: Vec<String> = paths.iter().map(|path| self.path(path)).collect();
        names.dedup();
        names.join(", ")
    }

    fn path(&self, path: &TablePath) -> String {
        let steps: Vec<String> = path
            .steps
            .iter()
            .filter(|step| !matches!(step.axis, TableAxis::Itself | TableAxis::Text))
            .map(|step| self.step(step))
            .collect();
        match (steps.is_empty(), path.from_root) {
            (true, _) => ".".to_owned(),
            (false, true) if !steps.first().is_some_and(|s| s.starts_with('/')) => {
                format!("/{}", steps.join("/"))
            }
            (false, _) => steps.join("/"),
        }
    }

    fn step(&self, step: &TableStep) -> String {
        let name = match step.name {
            NameTest::Any => Cow::Borrowed("*"),
            NameTest::AnyNamespace(local) => Cow::Borrowed(local),
            NameTest::AnyIn(namespace) => Cow::Owned(format!("{}*", prefixed(namespace))),
            NameTest::Is(number) => {
                let name = self.table.patterns.names.get(usize::from(number));
                let (namespace, local) = name.copied().unwrap_or_default();
                Cow::Owned(format!("{}{local}", prefixed(namespace)))
            }
        };
        match step.axis {
            TableAxis::Attribute | TableAxis::DescendantAttribute => format!("@{name}"),
            TableAxis::Parent if step.name == NameTest::Any => "..".to_owned(),
            _ => name.into_owned(),
        }
    }
}

/// The usual prefix with its colon; none for the namespace of a document element of UBL.
pub(super) fn prefixed(namespace: &str) -> String {
    let known = PREFIXES.iter().find(|(_, known)| *known == namespace);
    match known {
        Some((prefix, _)) if prefix.len() <= 4 => format!("{prefix}:"),
        _ => String::new(),
    }
}

/// The codes of short lists, the names of long ones.
pub(super) fn codes(lists: &[ListRef]) -> String {
    let total: usize = lists.iter().map(|list| list.0.len()).sum();
    if total <= CODES_NAMED {
        let codes: Vec<&str> = lists.iter().flat_map(|list| list.0.codes()).collect();
        return codes.join(", ");
    }
    let names = lists.iter().map(|ListRef(list)| match list.title {
        "" => {
            let first: Vec<&str> = list.codes().take(CODES_OF_A_LONG_LIST).collect();
            format!("{} ({}, …)", list.name.to_uppercase(), first.join(", "))
        }
        title => title.to_owned(),
    });
    names.collect::<Vec<_>>().join(", ")
}

fn shown(value: &str) -> Cow<'_, str> {
    match value.char_indices().nth(VALUE_SHOWN) {
        Some((end, _)) => Cow::Owned(format!("{}…", value.get(..end).unwrap_or_default())),
        None => Cow::Borrowed(value),
    }
}
