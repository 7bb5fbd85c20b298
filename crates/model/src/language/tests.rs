//! Codes and preferences, as people and programs write them.

use super::*;

#[test]
fn a_code_may_have_a_region() {
    for (code, language) in [("nl", "nl"), ("NL_be", "nl"), ("de-CH-1996", "de"), ("PL", "pl")] {
        assert_eq!(Language::of(code).unwrap().code(), language);
    }
    for code in ["", "es", "nld", "-", "*"] {
        assert_eq!(Language::of(code), None, "{code}");
    }
}

#[test]
fn the_language_liked_best_is_taken() {
    for (preferences, language) in [
        ("nl", Some(Language::Nl)),
        ("es, fr-CH;q=0.8, en;q=0.7, *;q=0.5", Some(Language::Fr)),
        ("en;q=0.1,pl;q=0.125", Some(Language::Pl)),
        ("de, fr", Some(Language::De)),
        ("de;q=0, en;q=0.001", Some(Language::En)),
        ("de;q=2, fr;q=x, nl;q=0.5000", None),
        ("nl;q=0", None),
        ("es, *", None),
        ("", None),
        (";;,,;q=", None),
    ] {
        assert_eq!(Language::accepted(preferences), language, "{preferences}");
    }
}
