//! Every sentence is there in every language, with the same places.

use std::collections::BTreeSet;

use super::*;

fn places(text: &str) -> BTreeSet<&str> {
    text.split('{').skip(1).filter_map(|part| Some(part.split_once('}')?.0)).collect()
}

#[test]
fn every_sentence_is_said_in_every_language_with_the_same_places() {
    for (language, text) in FILES {
        for sentence in SENTENCES {
            let said = SPOKEN.get(&(*language, sentence.name));
            let said = said.unwrap_or_else(|| panic!("{} in {language:?}", sentence.name));
            assert_eq!(places(said), places(sentence.english), "{} {language:?}", sentence.name);
            assert_ne!(*said, sentence.english, "{} {language:?}", sentence.name);
        }
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        assert_eq!(lines.count(), SENTENCES.len(), "{language:?} has a sentence too many");
    }
}

#[test]
fn values_are_filled_in_once_and_what_has_no_sentence_stays() {
    let detail = NO_DOCUMENT.with([("party", &"{id}"), ("id", &7)]);
    assert_eq!(detail.text(Language::En), "{id} has no document 7");
    assert_eq!(detail.text(Language::De), "{id} hat kein Dokument 7");
    assert_eq!(ProblemDetail::from("plain").text(Language::De), "plain");
}
