//! What is said of a value that the reader of the file does not take, where its own words name
//! types of the program.

use quoin_model::text::quoted;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::parts::{PartStep, part_mut};
use crate::reading::other_value;

/// What the reader says of something that is neither a word nor a table.
const NO_WORD: &str = "wanted string or table";
/// A name and a word that no setting has.
const NOBODY: &str = "?";

/// What is said in place of the reader's words about a part of a value. `taken` answers what the
/// reader says of a value in the place of the whole.
pub(super) fn told(
    message: &str,
    (whole, way): (&Spanned<DeValue<'_>>, &[PartStep]),
    taken: impl Fn(&Spanned<DeValue<'_>>) -> Option<String>,
) -> String {
    if message == NO_WORD {
        let mut other = whole.clone();
        let Some(part) = part_mut(&mut other, way) else { return message.to_owned() };
        let found = shown(part.get_ref());
        *part.get_mut() = DeValue::String(NOBODY.into());
        if let Some(words) = taken(&other).as_deref().and_then(words) {
            return format!("expected {words}, found {found}");
        }
    }
    other_value(message, "a table").unwrap_or_else(|| message.to_owned())
}

/// The words that a setting may have, of what is said of another one.
fn words(said: &str) -> Option<String> {
    let (_, words) = said.strip_prefix("unknown variant ")?.split_once(", expected ")?;
    Some(words.trim_start_matches("one of ").replace('`', "\""))
}

fn shown(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => quoted(text, 60),
        DeValue::Integer(number) => number.to_string(),
        DeValue::Float(number) => number.to_string(),
        DeValue::Boolean(yes) => yes.to_string(),
        DeValue::Datetime(time) => time.to_string(),
        DeValue::Array(_) => "a list".to_owned(),
        DeValue::Table(_) => "a table".to_owned(),
    }
}

/// The first list of a value that stands in the place of a section: the reader would take what is
/// in it for the settings of the section, in the order that the program has them. `taken` is as for
/// [`told`].
pub(super) fn in_place_of_a_section(
    whole: &Spanned<DeValue<'_>>,
    taken: impl Fn(&Spanned<DeValue<'_>>) -> Option<String>,
) -> Option<Vec<PartStep>> {
    let strange = format!("unknown field `{NOBODY}`");
    let is_section = |way: &Vec<PartStep>| {
        let mut other = whole.clone();
        let Some(part) = part_mut(&mut other, way) else { return false };
        let mut table = DeTable::new();
        let name = Spanned::new(part.span(), NOBODY.into());
        table.insert(name, Spanned::new(part.span(), DeValue::Boolean(true)));
        *part.get_mut() = DeValue::Table(table);
        taken(&other).is_some_and(|said| said.starts_with(&strange))
    };
    lists(whole).into_iter().find(is_section)
}

/// The ways to all lists in a value.
fn lists(value: &Spanned<DeValue<'_>>) -> Vec<Vec<PartStep>> {
    let behind = |step: PartStep, inner: &Spanned<DeValue<'_>>| {
        let all = lists(inner).into_iter();
        all.map(move |way| std::iter::once(step.clone()).chain(way).collect::<Vec<_>>())
            .collect::<Vec<_>>()
    };
    match value.get_ref() {
        DeValue::Array(items) => {
            let inside = items.iter().enumerate();
            let inside = inside.flat_map(|(at, item)| behind(PartStep::Place(at), item));
            std::iter::once(Vec::new()).chain(inside).collect()
        }
        DeValue::Table(table) => {
            let inside = table.iter();
            let inside = inside
                .flat_map(|(key, item)| behind(PartStep::Key(key.get_ref().to_string()), item));
            inside.collect()
        }
        _ => Vec::new(),
    }
}
