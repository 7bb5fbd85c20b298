//! What the codes of the system mean and who can do what about them, in five languages, Polish
//! first: the system itself speaks Polish alone.
//!
//! A code belongs to a place: the same number means something else for a session, an invoice, a
//! signing in and a call.

use std::sync::LazyLock;

use quoin_model::Language;

/// Where a code comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CodePlace {
    /// The status of signing in.
    Auth,
    /// The status of a session.
    Session,
    /// The status of an invoice.
    Invoice,
    /// The status of a package of invoices.
    Export,
    /// An error of a call.
    Call,
    /// The HTTP status of a call that says no more.
    Http,
    /// What we found ourselves before or after a call.
    Own,
}

impl CodePlace {
    /// The word before the dot in the tables.
    pub fn word(self) -> &'static str {
        match self {
            CodePlace::Auth => "auth",
            CodePlace::Session => "session",
            CodePlace::Invoice => "invoice",
            CodePlace::Export => "export",
            CodePlace::Call => "call",
            CodePlace::Http => "http",
            CodePlace::Own => "own",
        }
    }
}

/// The texts by language, `PLACE.CODE | text` a line.
const FILES: [(Language, &str); 5] = [
    (Language::Pl, include_str!("explain/pl.txt")),
    (Language::En, include_str!("explain/en.txt")),
    (Language::Nl, include_str!("explain/nl.txt")),
    (Language::De, include_str!("explain/de.txt")),
    (Language::Fr, include_str!("explain/fr.txt")),
];

/// What a code means and what to do, in a language; `None` for a code that is new to us.
///
/// `code` is a number, a reason such as `missing-permissions`, or a word of ours.
pub fn explain(place: CodePlace, code: &str, language: Language) -> Option<&'static str> {
    let (_, text) = FILES.iter().find(|(one, _)| *one == language)?;
    lines(text)
        .find(|(word, _)| {
            word.split_once('.').is_some_and(|(at, told)| at == place.word() && told == code)
        })
        .map(|(_, text)| text)
}

/// Every code that is explained: `PLACE.CODE`.
pub fn explained() -> impl Iterator<Item = &'static str> {
    FILES.iter().take(1).flat_map(|(_, text)| lines(text)).map(|(word, _)| word)
}

/// What stands for a value in a text.
const PLACE: &str = "{}";

/// A text as it is recorded, in Polish and English or in English alone, and its code.
struct RecordedText {
    word: &'static str,
    before: String,
    after: &'static str,
}

static RECORDED: LazyLock<Vec<RecordedText>> = LazyLock::new(|| {
    let mut all = Vec::new();
    for word in explained() {
        let Some((pl, en)) = both(word) else { continue };
        match en.split_once(PLACE) {
            Some((before, after)) => {
                all.push(RecordedText { word, before: before.to_owned(), after });
            }
            None => {
                all.push(RecordedText { word, before: format!("{pl} ({en})"), after: "" });
                all.push(RecordedText { word, before: en.to_owned(), after: "" });
            }
        }
    }
    all
});

fn both(word: &str) -> Option<(&'static str, &'static str)> {
    Some((of_word(word, Language::Pl)?, of_word(word, Language::En)?))
}

fn of_word(word: &str, language: Language) -> Option<&'static str> {
    let (_, text) = FILES.iter().find(|(one, _)| *one == language)?;
    lines(text).find(|(own, _)| *own == word).map(|(_, text)| text)
}

/// A message as it is recorded: what a code means in Polish and, in brackets, in English, since
/// whoever reads a record may speak either.
pub fn recorded(place: CodePlace, code: &str) -> Option<String> {
    let text = |language| explain(place, code, language);
    Some(format!("{} ({})", text(Language::Pl)?, text(Language::En)?))
}

/// A recorded message for somebody who reads it in a language: what the code means in that
/// language, and behind it what was found, as it was. English has the record as it is; `None` for
/// a message that is none of ours.
pub fn in_language(message: &str, language: Language) -> Option<String> {
    if language == Language::En {
        return None;
    }
    let found = RECORDED.iter().find_map(|text| {
        let rest = message.strip_prefix(&text.before)?.strip_suffix(text.after)?;
        Some((text.word, rest))
    });
    let (word, rest) = found?;
    let text = of_word(word, language)?;
    Some(match text.contains(PLACE) {
        true => text.replacen(PLACE, rest, 1),
        false => format!("{text}{rest}"),
    })
}

fn lines(text: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| line.split_once('|')).map(|(word, text)| (word.trim(), text.trim()))
}

#[cfg(test)]
mod tests;
