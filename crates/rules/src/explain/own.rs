//! Our own findings and the clauses of XML Schema, in five languages.

use super::{Explanation, RuleMeaning};
use crate::own;
use quoin_model::Language;
use quoin_model::{FixBy, Flag};

/// The sentences: `= ID`, then a line for each language.
pub(super) const TEXTS: &str = include_str!("texts.txt");

/// How the clauses of XML Schema begin.
const CLAUSE: &str = "cvc-";

/// One of our own findings.
pub(super) fn explain(id: &str, language: Language) -> Option<Explanation> {
    let row = own::all().find(|row| row.id.eq_ignore_ascii_case(id))?;
    let asks = match sentence(row.id, language) {
        Some(text) => text.to_owned(),
        None => format!("{} {}", row.meaning, row.remedy),
    };
    Some(of(row.id, language, (row.flag, row.fix_by), asks))
}

/// A clause of XML Schema: by the longest of the names that it begins with.
pub(super) fn clause(id: &str, language: Language) -> Option<Explanation> {
    let id = id.to_ascii_lowercase();
    let asks = clause_sentence(&id, language)?.to_owned();
    Some(of(&id, language, (Flag::Fatal, FixBy::SourceSystem), asks))
}

/// What a clause of XML Schema asks, by its name in lower case.
fn clause_sentence(id: &str, language: Language) -> Option<&'static str> {
    let names = TEXTS.lines().filter_map(|line| line.strip_prefix("= "));
    let known = names.filter(|name| name.starts_with(CLAUSE) && id.starts_with(name));
    sentence(known.max_by_key(|name| name.len())?, language)
}

/// What one of our own findings, or a clause of XML Schema, says in a language that is not English;
/// with the name of the element where there is one.
pub(crate) fn told(id: &str, language: Language, name: Option<&str>) -> Option<String> {
    if language == Language::En {
        return None;
    }
    let text =
        sentence(id, language).or_else(|| clause_sentence(&id.to_ascii_lowercase(), language))?;
    Some(name.map_or_else(|| text.to_owned(), |name| format!("{name}: {text}")))
}

fn of(id: &str, language: Language, by: (Flag, FixBy), asks: String) -> Explanation {
    let (flag, fix_by) = by;
    let (example, tested) = (None, Vec::new());
    Explanation {
        id: id.to_owned(),
        language,
        fix_by,
        patch: false,
        terms: Vec::new(),
        meanings: vec![RuleMeaning { asks, flag, example, tested }],
    }
}

/// The sentence of a name in a language.
pub(super) fn sentence(name: &str, language: Language) -> Option<&'static str> {
    let mut lines = TEXTS.lines();
    lines.find(|line| line.strip_prefix("= ") == Some(name))?;
    let mut own = lines.take_while(|line| !line.starts_with("= "));
    own.find_map(|line| line.strip_prefix(language.code())?.strip_prefix(' '))
}
