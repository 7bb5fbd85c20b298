//! The sentences: every file is understood, and every template has what it asks for.

use super::*;

#[test]
fn every_line_is_understood_and_every_sentence_is_there() {
    assert_eq!(CATALOGUE.wrong, Vec::<String>::new());
    let rules = CATALOGUE.rules.iter().map(|(id, entry)| (*id, &entry.sentences));
    for (id, sentences) in rules.chain(CATALOGUE.families.iter().map(|(id, all)| (*id, all))) {
        if sentences.iter().all(|text| text.is_empty()) {
            continue;
        }
        for (language, text) in Language::ALL.iter().zip(sentences) {
            assert!(text.ends_with(['.', ']', '?']), "{id} {}: {text:?}", language.code());
        }
    }
}

#[test]
fn placeholders_are_known() {
    for (id, entry) in &CATALOGUE.rules {
        for (text, language) in entry.sentences.iter().zip(Language::ALL) {
            for key in text.split('{').skip(1).filter_map(|part| part.split('}').next()) {
                let own = ["found", "value", "expected", "element", "rule"].contains(&key);
                let given = entry.parameters.iter().find(|(own, _)| *own == key);
                let key = given.map_or(key, |(_, value)| value);
                let is_term = key.starts_with("BT-") || key.starts_with("BG-");
                let name = names::of(key, language).is_some() || (given.is_some() && !is_term);
                assert!(own || name, "{id}: {{{key}}}");
            }
        }
    }
}

#[test]
fn what_is_not_known_is_left_out() {
    let known = |key: &str| (key == "a").then(|| "1".to_owned());
    assert_eq!(fill("x {a}[ and {b}][, {a}].", &known), "x 1, 1.");
}

#[test]
fn terms_are_known() {
    for (id, entry) in &CATALOGUE.rules {
        for term in &entry.terms {
            assert!(names::of(term, Language::En).is_some(), "{id}: {term}");
        }
    }
}
