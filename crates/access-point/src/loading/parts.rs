//! The parts of one row of the configuration: which of them a mistake is in, how it is named, and
//! the row without it.

use std::cmp::Reverse;
use std::ops::Range;

use toml::Spanned;
use toml::de::DeValue;

use crate::config::UNREAD;

/// One step into a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum PartStep {
    /// To what a key of a table names.
    Key(String),
    /// To a place of a list, from 0.
    Place(usize),
}

/// The steps to the smallest part that a span of the text lies in; none where it lies in no part.
pub(super) fn way(value: &Spanned<DeValue<'_>>, span: &Range<usize>) -> Vec<PartStep> {
    let mut parts = Vec::new();
    collect(value, &mut Vec::new(), &mut parts);
    let around = |part: &Range<usize>| part.start <= span.start && span.end <= part.end;
    let found = parts.into_iter().filter(|(part, _)| around(part));
    let smallest = found.min_by_key(|(part, way)| (part.len(), Reverse(way.len())));
    smallest.map(|(_, way)| way).unwrap_or_default()
}

/// Every part with its span; what a key names has that of the key as well.
fn collect(
    value: &Spanned<DeValue<'_>>,
    way: &mut Vec<PartStep>,
    parts: &mut Vec<(Range<usize>, Vec<PartStep>)>,
) {
    match value.get_ref() {
        DeValue::Table(table) => {
            for (key, inner) in table {
                way.push(PartStep::Key(key.get_ref().to_string()));
                parts.push((key.span(), way.clone()));
                parts.push((inner.span(), way.clone()));
                collect(inner, way, parts);
                way.pop();
            }
        }
        DeValue::Array(items) => {
            for (place, inner) in items.iter().enumerate() {
                way.push(PartStep::Place(place));
                parts.push((inner.span(), way.clone()));
                collect(inner, way, parts);
                way.pop();
            }
        }
        _ => {}
    }
}

/// A part of a value; none where the steps lead nowhere.
pub(super) fn part_mut<'v, 'i>(
    value: &'v mut Spanned<DeValue<'i>>,
    way: &[PartStep],
) -> Option<&'v mut Spanned<DeValue<'i>>> {
    let mut here = value;
    for step in way {
        here = match (step, here.get_mut()) {
            (PartStep::Key(key), DeValue::Table(table)) => table.get_mut(key.as_str())?,
            (PartStep::Place(place), DeValue::Array(items)) => items.get_mut(*place)?,
            _ => return None,
        };
    }
    Some(here)
}

/// How a part is named behind the name of its list: ` "acme", clients "erp", secret`.
pub(super) fn name(row: &Spanned<DeValue<'_>>, way: &[PartStep]) -> String {
    let mut here = Some(row);
    let mut name = named(row);
    for step in way {
        here = here.and_then(|value| match (step, value.get_ref()) {
            (PartStep::Key(key), DeValue::Table(table)) => table.get(key.as_str()),
            (PartStep::Place(place), DeValue::Array(items)) => items.get(*place),
            _ => None,
        });
        match step {
            PartStep::Key(key) => name.push_str(&format!(", {key}")),
            PartStep::Place(_) => name.push_str(&here.map(named).unwrap_or_default()),
        }
    }
    name
}

/// What a table is called by itself.
fn named(value: &Spanned<DeValue<'_>>) -> String {
    let DeValue::Table(table) = value.get_ref() else { return String::new() };
    let text =
        |key| table.get(key).and_then(|value: &Spanned<DeValue<'_>>| value.as_ref().as_str());
    text("id").or_else(|| text("name")).map(|name| format!(" {name:?}")).unwrap_or_default()
}

/// Takes a part out of a row, or puts [`UNREAD`] in the place of a secret. False where there is no
/// such part.
pub(super) fn mend(
    row: &mut Spanned<DeValue<'_>>,
    way: &[PartStep],
    is_secret: impl Fn(&DeValue<'_>) -> bool,
) -> bool {
    let Some((last, before)) = way.split_last() else { return false };
    let Some(here) = part_mut(row, before) else { return false };
    match (last, here.get_mut()) {
        (PartStep::Key(key), DeValue::Table(table)) => match table.get_mut(key.as_str()) {
            Some(value) if is_secret(value.get_ref()) => {
                *value.get_mut() = DeValue::String(UNREAD.into());
                true
            }
            _ => table.remove(key.as_str()).is_some(),
        },
        (PartStep::Place(place), DeValue::Array(items)) => {
            let all = items.iter().enumerate().filter(|(at, _)| at != place);
            *items = all.map(|(_, item)| item.clone()).collect();
            true
        }
        _ => false,
    }
}
