//! The names of business terms and groups in five languages, in our own words.

use std::collections::HashMap;
use std::sync::LazyLock;

use quoin_model::Language;

/// Identifier, then a name in each language, with tabulators between.
const NAMES: &str = include_str!("texts/names.txt");

type TermNames = HashMap<&'static str, Vec<&'static str>>;

static TABLE: LazyLock<TermNames> = LazyLock::new(|| {
    let lines = NAMES.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let row = |line: &'static str| {
        let (id, names) = line.split_once('\t')?;
        Some((id, names.split('\t').collect()))
    };
    lines.filter_map(row).collect()
});

/// The name of a term with its identifier: `invoice number (BT-1)`; `None` for one not known.
pub(super) fn of(id: &str, language: Language) -> Option<String> {
    let at = Language::ALL.iter().position(|own| *own == language)?;
    let name = TABLE.get(id)?.get(at)?;
    // VAT-S is shown as the code that a document has.
    Some(format!("{name} ({})", id.strip_prefix("VAT-").unwrap_or(id)))
}

/// Every identifier and its names.
#[cfg(test)]
pub(super) fn all() -> impl Iterator<Item = (&'static str, &'static [&'static str])> {
    TABLE.iter().map(|(id, names)| (*id, names.as_slice()))
}
