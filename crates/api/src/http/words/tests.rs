//! Every code has texts in every language, and no text is without a code.

use super::super::codes::{CODES, find};
use super::*;

#[test]
fn every_code_is_told_in_every_language() {
    for language in Language::ALL.into_iter().filter(|language| *language != Language::En) {
        for code in CODES {
            let found = words(language, code.id);
            let found = found.unwrap_or_else(|| panic!("{} has no {}", code.id, language.code()));
            assert!(!found.title.is_empty() && found.remedy.ends_with('.'), "{found:?}");
            assert_ne!(found.title, code.title, "{} in {}", code.id, language.code());
        }
    }
    for (language, id) in WORDS.keys() {
        assert!(find(id).is_some(), "{id} in {} has no code", language.code());
    }
}

#[test]
fn the_own_header_goes_before_accept_language() {
    let mut headers = HeaderMap::new();
    assert_eq!(language(&headers, "X-Service-"), Language::En);
    headers.insert("accept-language", "fr-BE, en;q=0.5".parse().unwrap());
    assert_eq!(language(&headers, "X-Service-"), Language::Fr);
    headers.insert("x-service-language", "pl".parse().unwrap());
    assert_eq!(language(&headers, "X-Service-"), Language::Pl);
    headers.insert("x-service-language", "xx".parse().unwrap());
    assert_eq!(language(&headers, "X-Service-"), Language::Fr);
}
