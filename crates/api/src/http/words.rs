//! The texts of the codes in the languages of the interface: a title and what to do, by the header
//! of our own or by `Accept-Language`. `detail` tells the single case and stays English.

mod causes;

use std::collections::HashMap;
use std::sync::LazyLock;

use axum::http::header::ACCEPT_LANGUAGE;
use axum::http::{HeaderMap, HeaderValue};
use quoin_model::Language;

use super::headers::own;

pub use causes::CauseView;
pub(crate) use causes::cause_page;

/// The texts by language; English is in the table of codes.
const FILES: &[(Language, &str)] = &[
    (Language::Nl, include_str!("words/nl.txt")),
    (Language::De, include_str!("words/de.txt")),
    (Language::Fr, include_str!("words/fr.txt")),
    (Language::Pl, include_str!("words/pl.txt")),
];

/// The texts of a code in a language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Words {
    /// The title.
    pub title: &'static str,
    /// What to do.
    pub remedy: &'static str,
}

static WORDS: LazyLock<HashMap<(Language, &'static str), Words>> = LazyLock::new(|| {
    let mut all = HashMap::new();
    for (language, text) in FILES {
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let mut parts = line.split('|').map(str::trim);
            if let (Some(id), Some(title), Some(remedy)) =
                (parts.next(), parts.next(), parts.next())
            {
                all.insert((*language, id), Words { title, remedy });
            }
        }
    }
    all
});

/// The texts of a code; `None` in English, and for a code without texts.
pub fn words(language: Language, code: &str) -> Option<Words> {
    WORDS.get(&(language, code)).copied()
}

/// The language of an answer: of our own header, or else of Accept-Language; English where neither
/// names one that is spoken here.
pub fn language(headers: &HeaderMap, prefix: &str) -> Language {
    let own = own(headers, prefix, "Language").into_iter().map(|(_, value)| value);
    let mut asked = own.chain(headers.get(ACCEPT_LANGUAGE));
    let spoken = |value: &HeaderValue| value.to_str().ok().and_then(Language::accepted);
    asked.find_map(spoken).unwrap_or_default()
}

#[cfg(test)]
mod tests;
