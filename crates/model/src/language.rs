//! The languages in which findings speak.

use serde::{Deserialize, Serialize};

/// A language of messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// English.
    #[default]
    En,
    /// Dutch.
    Nl,
    /// German.
    De,
    /// French.
    Fr,
    /// Polish.
    Pl,
}

impl Language {
    /// The languages, English first.
    pub const ALL: [Language; 5] =
        [Language::En, Language::Nl, Language::De, Language::Fr, Language::Pl];

    /// Its code of ISO 639-1.
    pub fn code(self) -> &'static str {
        match self {
            Language::En => "en",
            Language::Nl => "nl",
            Language::De => "de",
            Language::Fr => "fr",
            Language::Pl => "pl",
        }
    }

    /// The language with a code of ISO 639-1, whatever follows it: `nl`, `nl-BE`, `NL_be`.
    pub fn of(code: &str) -> Option<Language> {
        let first = code.split(['-', '_']).next().unwrap_or_default();
        Language::ALL.into_iter().find(|language| first.eq_ignore_ascii_case(language.code()))
    }

    /// The language that a list of preferences likes best (`Accept-Language`, RFC 9110 section
    /// 12.5.4): `fr-CH, fr;q=0.9, en;q=0.8`. `None` where it names none of these; `*` is none.
    pub fn accepted(preferences: &str) -> Option<Language> {
        let mut best: Option<(u16, Language)> = None;
        for preference in preferences.split(',') {
            let mut parts = preference.split(';').map(str::trim);
            let language = parts.next().and_then(Language::of);
            let weight = parts.find_map(|part| part.strip_prefix("q=").map(thousandths));
            let weight = weight.unwrap_or(Some(1000)).unwrap_or_default();
            // Of two that are liked as much the first counts.
            if let Some(language) = language
                && weight > best.map_or(0, |(weight, _)| weight)
            {
                best = Some((weight, language));
            }
        }
        best.map(|(_, language)| language)
    }
}

/// A weight from 0 to 1, with three digits behind the point at most, in thousandths.
fn thousandths(weight: &str) -> Option<u16> {
    let (whole, rest) = weight.split_once('.').unwrap_or((weight, ""));
    let is_short = rest.len() <= 3 && rest.bytes().all(|byte| byte.is_ascii_digit());
    let rest: u16 = format!("{rest:0<3}").parse().ok().filter(|_| is_short)?;
    match (whole, rest) {
        ("0", rest) => Some(rest),
        ("1", 0) => Some(1000),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
