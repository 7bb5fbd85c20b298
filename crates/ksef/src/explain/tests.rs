//! Every code that the description names is explained, in every language.

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
    // In every language, and in each in its own words.
    let has = |place, code: &str| {
        let texts: std::collections::BTreeSet<_> =
            Language::ALL.into_iter().filter_map(|one| explain(place, code, one)).collect();
        texts.len() == Language::ALL.len()
    };
    for (path, methods) in description["paths"].as_object().unwrap() {
        let ours = ["/auth/", "/sessions", "/invoices", "/security", "/rate-limits"];
        let is_ours = ours.iter().any(|start| path.starts_with(start));
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
        (CodePlace::Export, "InvoiceExportStatusResponse"),
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

/// Each text of the table is there in five languages, and a message that is recorded with it is
/// told in each of them, with what was found behind it.
#[test]
fn every_recorded_message_is_told_in_every_language() {
    for word in explained() {
        let (place, code) = word.split_once('.').unwrap();
        let place = [
            CodePlace::Auth,
            CodePlace::Session,
            CodePlace::Invoice,
            CodePlace::Export,
            CodePlace::Call,
            CodePlace::Http,
            CodePlace::Own,
        ]
        .into_iter()
        .find(|one| one.word() == place)
        .unwrap();
        let text = |language| explain(place, code, language).unwrap();
        let texts: std::collections::BTreeSet<_> = Language::ALL.into_iter().map(text).collect();
        assert_eq!(texts.len(), Language::ALL.len(), "{word}: a language repeats another one");
        let found = " KSeF 440: Duplikat faktury (a), 5265877635.";
        let value = "5265877635-20250916-010040741B3E-46";
        let is_filled = text(Language::En).contains(PLACE);
        let message = match is_filled {
            true => text(Language::En).replace(PLACE, value),
            false => format!("{}{found}", recorded(place, code).unwrap()),
        };
        assert_eq!(in_language(&message, Language::En), None, "the record as it is");
        for language in Language::ALL.into_iter().filter(|one| *one != Language::En) {
            let expected = match is_filled {
                true => text(language).replace(PLACE, value),
                false => format!("{}{found}", text(language)),
            };
            assert_eq!(in_language(&message, language), Some(expected), "{word} {language:?}");
        }
    }
    assert_eq!(in_language("A message of somebody else.", Language::Nl), None);
}
