//! What the codes of the system mean and who can do what about them, in five languages, Polish
//! first: the system itself speaks Polish alone.
//!
//! A code belongs to a place: the same number means something else for a session, an invoice, a
//! signing in and a call.

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

fn lines(text: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| line.split_once('|')).map(|(word, text)| (word.trim(), text.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_explains_the_same_codes() {
        let words: Vec<&str> = explained().collect();
        assert!(words.len() > 60, "{}", words.len());
        for (language, text) in FILES {
            let own: Vec<&str> = lines(text).map(|(word, _)| word).collect();
            assert_eq!(own, words, "{language:?}");
            assert!(lines(text).all(|(_, text)| text.ends_with('.')), "{language:?}");
        }
    }

    /// The codes that the tables of the description name are all explained.
    #[test]
    fn every_code_of_the_description_is_explained() {
        let Some(text) = quoin_testing::shared_text("ksef-data/openapi/open-api-2.6.0.json") else {
            return;
        };
        let description: serde_json::Value = serde_json::from_str(&text).unwrap();
        let mut missing = Vec::new();
        let has = |place, code: &str| explain(place, code, Language::Pl).is_some();
        for (path, methods) in description["paths"].as_object().unwrap() {
            let is_ours = ["/auth/", "/sessions", "/invoices/query", "/invoices/ksef", "/security"]
                .iter()
                .any(|start| path.starts_with(start));
            for method in methods.as_object().unwrap().values().filter(|_| is_ours) {
                let table = method["responses"]["400"]["description"].as_str().unwrap_or("");
                for code in codes(table) {
                    if !has(CodePlace::Call, &code) {
                        missing.push(format!("{path} {code}"));
                    }
                }
            }
        }
        let schemas = &description["components"]["schemas"];
        for (place, schema) in [
            (CodePlace::Session, "SessionStatusResponse"),
            (CodePlace::Invoice, "SessionInvoiceStatusResponse"),
            (CodePlace::Auth, "AuthenticationOperationStatusResponse"),
        ] {
            let table = schemas[schema]["properties"]["status"]["description"].as_str().unwrap();
            for code in codes(table).into_iter().filter(|code| code.as_str() >= "400") {
                if !has(place, &code) {
                    missing.push(format!("{schema} {code}"));
                }
            }
        }
        assert!(missing.is_empty(), "{missing:#?}");
    }

    /// The first cells of the rows of a table.
    fn codes(table: &str) -> Vec<String> {
        let cells = table.lines().filter_map(|line| line.trim().strip_prefix('|'));
        let cells = cells.filter_map(|line| line.split('|').next()).map(str::trim);
        cells.filter(|cell| cell.parse::<u32>().is_ok()).map(str::to_owned).collect()
    }
}
