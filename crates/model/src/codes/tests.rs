//! The tables of codes: every row is walked, and the lists that everybody knows are as known.

use std::collections::BTreeSet;

use super::*;

const EN: &str = "en16931-ubl-1.3.16";

#[test]
fn every_list_has_its_codes_and_a_key_of_its_own() {
    let mut keys = BTreeSet::new();
    for list in lists() {
        assert!(keys.insert(list.key), "{} is there twice", list.key);
        assert!(list.key.starts_with(list.name), "{}", list.key);
        assert!(!list.name.is_empty() && !list.releases.is_empty() && !list.is_empty());
        assert!(list.codes().all(|code| list.contains(code)), "{}", list.key);
        assert!(list.codes().is_sorted() && list.codes().count() == list.len(), "{}", list.key);
        assert_eq!(by_key(list.key).map(|found| found.key), Some(list.key));
    }
    assert!(keys.len() > 200);
}

#[test]
fn a_list_says_what_it_does_not_have() {
    let currencies = list("iso4217", EN).expect("currencies");
    assert!(currencies.contains("EUR") && currencies.contains("PLN"));
    for wrong in ["", "eur", "EU", "EURO", "XYZ", "EUR ", "\u{0}"] {
        assert!(!currencies.contains(wrong), "{wrong:?}");
    }
    assert_eq!(currencies.agency, "ISO");
}

#[test]
fn the_families_of_an_invoice_are_there() {
    for (name, has, has_not) in [
        ("iso3166", "NL", "XX"),
        ("icd", "0106", "9999"),
        ("eas", "0208", "0001"),
        ("unece-rec20", "C62", "PIECE"),
        ("uncl1001-inv", "380", "381"),
        ("uncl1001-cn", "381", "380"),
        ("uncl1153", "AAJ", "A"),
        ("uncl2005", "35", "36"),
        ("uncl4461", "30", "0"),
        ("uncl5189", "95", "AA"),
        ("uncl5305", "AE", "A"),
        ("uncl7143", "SRV", "SRVX"),
        ("uncl7161", "FC", "F"),
        ("vatex", "VATEX-EU-AE", "VATEX-EU-ZZ"),
    ] {
        let list = list(name, EN).unwrap_or_else(|| panic!("no {name}"));
        assert!(list.contains(has), "{name} has {has}");
        assert!(!list.contains(has_not), "{name} has not {has_not}");
    }
}

#[test]
fn what_credits_is_told_from_what_charges() {
    for code in ["81", "83", "261", "262", "296", "308", "381", "396", "420", "458", "502", "503"] {
        assert!(is_document_type(code) && is_credit_note_type(code), "{code}");
        assert_eq!(is_type_of_both(code), code == "81", "{code}");
    }
    for code in ["380", "383", "384", "386", "389", "500", "501", "527", "935"] {
        assert!(is_document_type(code) && !is_credit_note_type(code), "{code}");
    }
    assert!(!is_document_type("999") && !is_credit_note_type(""));
}

#[test]
fn releases_differ_where_the_lists_do() {
    let eas = |release| list("eas", release).map(CodeList::len);
    let (old, new) = (eas("en16931-ubl-1.3.15"), eas(EN));
    assert!(old.is_some() && new.is_some() && old != new, "{old:?} {new:?}");
    assert!(list("iso4217", "no such release").is_none());
    assert!(by_key("iso4217").is_none());
}

#[test]
fn a_code_is_found_once_for_all_lists() {
    let code = ListedCode::find("0208").expect("a code");
    assert!(list("eas", EN).expect("eas").has(code));
    assert!(!list("iso4217", EN).expect("iso4217").has(code));
    assert_eq!(ListedCode::find("no such code"), None);
}

#[test]
fn the_text_is_read_whole_and_in_short_lines() {
    let (pool, lists) = text::read(text::LISTS);
    assert!(pool.len() > 8_000 && pool.len() < pool::MOST, "{} codes", pool.len());
    assert_eq!(lists.len(), text::LISTS.lines().filter(|line| line.starts_with("= ")).count());
    for list in &lists {
        let words: Vec<&str> = list.codes().collect();
        assert_eq!(words.len(), list.len(), "{}", list.key);
        assert!(words.is_sorted_by(|one, next| one < next), "{}", list.key);
    }
    for line in text::LISTS.lines() {
        assert!(line.chars().count() <= 100, "{line}");
        let starts = ["#", "= ", "name ", "title ", "agency ", "version ", "releases ", "  "];
        assert!(line.is_empty() || starts.iter().any(|start| line.starts_with(start)), "{line}");
    }
}
