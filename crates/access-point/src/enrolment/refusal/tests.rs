//! Nothing that the store refuses a caller is taken for a fault of ours, or for a document that is
//! not there.

use std::collections::BTreeSet;
use std::path::Path;

use super::*;

/// What is a document or of the worker's own, so that API404 is the right answer or none is given.
const DOCUMENTS: &[&str] = &["hook call", "message", "received document", "transaction"];

/// The function of the store that makes refusals of what is named to it.
const HELPER: &str = "missing(";

/// Every `what` that the source of the store writes behind one of these words.
fn named(folder: &Path, words: &[&str], found: &mut BTreeSet<&'static str>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            named(&path, words, found);
            continue;
        }
        if path.ends_with("tests.rs") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let plain = text.split_whitespace().collect::<Vec<_>>().join(" ");
        for word in words {
            for (at, _) in plain.match_indices(word) {
                let rest = &plain[at + word.len()..];
                let rest = rest.strip_prefix("what: ").unwrap_or(rest);
                match rest.strip_prefix('"').and_then(|rest| rest.split_once('"')) {
                    Some((what, _)) => _ = found.insert(what.to_owned().leak()),
                    // A pattern, or the helper whose calls are looked for as well.
                    None => assert!(
                        *word == HELPER || rest.starts_with("..") || rest.starts_with("what, key"),
                        "{}: {word}{rest:.60}",
                        path.display()
                    ),
                }
            }
        }
    }
}

fn of_the_store(words: &[&str]) -> BTreeSet<&'static str> {
    let mut found = BTreeSet::new();
    named(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../store/src")), words, &mut found);
    found
}

#[test]
fn every_no_of_the_store_has_a_code_of_its_own() {
    let missing = of_the_store(&["Refusal::NotFound { ", HELPER]);
    assert!(missing.contains("party") && missing.len() > 8, "{missing:?}");
    for what in missing {
        let refusal = Refusal::NotFound { what, key: "k".to_owned() };
        assert_eq!(code_of(&refusal).is_none(), DOCUMENTS.contains(&what), "{what}");
    }
    let taken = of_the_store(&["Refusal::Taken { "]);
    assert!(taken.contains("participant") && taken.len() > 3, "{taken:?}");
    for what in taken {
        assert!(code_of(&Refusal::Taken { what, key: "k".to_owned() }).is_some(), "{what}");
    }
}

#[test]
fn an_identifier_that_the_party_does_not_have_is_told_of_the_verification() {
    let refusal = Refusal::Foreign("0106:55555555".to_owned());
    assert_eq!(recorded_code(&refusal), "API400.Config");
    let sentence = sentence_of(&refusal);
    assert!(sentence.starts_with("verification.identifiers names 0106:55555555"), "{sentence}");
}
