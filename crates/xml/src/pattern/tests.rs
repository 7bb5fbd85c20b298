//! Patterns of both dialects: what they match, and what is refused at load.

use super::{Pattern, PatternError};

fn xsd(pattern: &str, text: &str) -> bool {
    Pattern::xsd(pattern).unwrap_or_else(|e| panic!("{pattern}: {e}")).is_match(text)
}

fn xpath(pattern: &str, flags: &str, text: &str) -> bool {
    Pattern::xpath(pattern, flags).unwrap_or_else(|e| panic!("{pattern}: {e}")).is_match(text)
}

#[test]
fn schema_patterns_match_the_whole_text() {
    for (pattern, yes, no) in [
        ("[A-Z]{2}", "DE", "DEU"),
        ("a|bc", "bc", "abc"),
        ("^a$", "^a$", "a"),
        (r"[\p{IsBasicLatin}\p{IsLatin-1Supplement}]{1,3}", "aé~", "a€"),
        (r"\p{IsGreek}+", "αβγ", "abc"),
        (r"[a-z-[aeiou]]+", "xyz", "xaz"),
        (r"[^a-c-[x]]", "d", "x"),
        (r"\i\c*", "a.b-c:d", ".a"),
        (r"\d{2}", "१२", "1a"),
        (r"\w+", "aé1", "a_b"),
        (r"\w\W", "a-", "--"),
        (r"[^\s?#]*", "ab", "a b"),
        (r"[!#-'*+/-9=?A-Z^-~-]+", "a-b^", "a,b"),
        (r"[\-]?[0-9]{1,11}\.[0-9]{2}", "-12.30", "12.3"),
        (r"-?([1-9]\d{0,15}|0)(\.\d{1,2})?", "10.25", "010.25"),
        (r"[0-9]*[0-9]{2}", "12", "1"),
        ("", "", "a"),
        (r"a.c", "abc", "a\nc"),
        (r"[0-9 | A-Z | -_]+", "?A", "~"),
        (r"(\d){6}", "123456", "12345"),
        (r"\p{Lu}\P{Lu}", "Ab", "AB"),
        (r"[ab]{0,2}c?", "", "abac"),
    ] {
        assert!(xsd(pattern, yes), "{pattern} must match {yes:?}");
        assert!(!xsd(pattern, no), "{pattern} must not match {no:?}");
    }
}

#[test]
fn a_surrogate_block_is_empty() {
    assert!(!xsd(r"\p{IsHighSurrogates}", "a"));
    assert!(xsd(r"\P{IsHighSurrogates}", "a"));
}

#[test]
fn what_a_schema_pattern_does_not_have_is_refused() {
    for pattern in [
        r"\b",
        r"\1",
        r"\$",
        "a??",
        "(?:a)",
        "[",
        "[]",
        "a{2,1}",
        "a{x}",
        "{",
        "a)",
        "(a",
        "*a",
        r"\p{Cs}",
        r"\p{IsNowhere}",
        r"\p{Greek}",
        r"\",
        "[z-a]",
        "[a[b]]",
        r"[a-\d]",
        "a]",
        "a{,3}",
    ] {
        assert!(
            matches!(Pattern::xsd(pattern), Err(PatternError::Syntax { .. })),
            "{pattern} must be refused"
        );
    }
}

#[test]
fn xpath_patterns_search_and_know_flags() {
    for (pattern, flags, yes, no) in [
        ("b", "", "abc", "aac"),
        ("^a$", "", "a", "a\n"),
        ("^b$", "m", "a\nb\nc", "abc"),
        ("a.c", "s", "a\nc", "ac"),
        ("a b", "x", "ab", "a b"),
        ("a[ ]b", "x", "a b", "ab"),
        ("STRASSE", "i", "strasse", "straße"),
        (r"^\p{Lu}$", "i", "A", "a"),
        (r"\$\d+", "", "x $12", "12"),
        ("^(a|b)+?$", "", "abab", "abc"),
        (r"^[0-9]{4}-\d\d$", "", "2026-11", "2026-1"),
        ("^(?:a)$", "", "a", "b"),
    ] {
        assert!(xpath(pattern, flags, yes), "{pattern} must match {yes:?}");
        assert!(!xpath(pattern, flags, no), "{pattern} must not match {no:?}");
    }
    assert_eq!(Pattern::xpath("a", "q").unwrap_err(), PatternError::Flag('q'));
    assert_eq!(Pattern::xpath(r"(a)\1", "").unwrap_err(), PatternError::BackReference { at: 4 });
    assert!(Pattern::xpath(r"\b", "").is_err());
}

#[test]
fn replace_and_tokenize_follow_the_functions() {
    // The examples of F&O 7.6.3 and 7.6.4.
    let replace = |text: &str, pattern: &str, replacement: &str| {
        Pattern::xpath(pattern, "").unwrap().replace(text, replacement)
    };
    assert_eq!(replace("abracadabra", "bra", "*").unwrap(), "a*cada*");
    assert_eq!(replace("abracadabra", "a.*a", "*").unwrap(), "*");
    assert_eq!(replace("abracadabra", "a.*?a", "*").unwrap(), "*c*bra");
    assert_eq!(replace("abracadabra", "a(.)", "a$1$1").unwrap(), "abbraccaddabbra");
    assert_eq!(replace("AAAA", "A+?", "b").unwrap(), "bbbb");
    assert_eq!(replace("darted", "^(.*?)d(.*)$", "$1c$2").unwrap(), "carted");
    assert_eq!(replace("abc", "(b)", "[$12]").unwrap(), "a[b2]c");
    assert_eq!(replace("abc", "b", r"\$\\").unwrap(), r"a$\c");
    assert_eq!(replace("a", "x*", "-"), Err(PatternError::MatchesEmpty));
    assert_eq!(replace("a", "a", "$"), Err(PatternError::Replacement));
    assert_eq!(replace("a", "a", r"\n"), Err(PatternError::Replacement));
    let tokens = |text| Pattern::xpath(",\\s*", "").unwrap().tokenize(text).unwrap();
    assert_eq!(tokens("1, 15,24,"), ["1", "15", "24", ""]);
    assert!(tokens("").is_empty());
}

#[test]
fn hostile_patterns_end_in_an_error_or_in_linear_time() {
    let deep = format!("{}a{}", "(".repeat(10_000), ")".repeat(10_000));
    assert!(matches!(Pattern::xsd(&deep), Err(PatternError::TooLarge { .. })));
    let long = "a".repeat(100_000);
    assert!(matches!(Pattern::xsd(&long), Err(PatternError::TooLarge { .. })));
    let nested = "((((\\w{1,100}){1,100}){1,100}){1,100})";
    assert!(matches!(Pattern::xsd(nested), Err(PatternError::TooLarge { .. })));
    let exponential = Pattern::xpath("^(a+)+$", "").unwrap();
    assert!(!exponential.is_match(&format!("{}b", "a".repeat(50_000))));
}
