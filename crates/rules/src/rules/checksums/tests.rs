//! Invented numbers that satisfy the algorithms, and the same with one digit changed.

use super::*;

/// Changes each digit of a number in turn; none of the results may be valid.
fn any_digit_decides(valid: &str, from: usize, is_valid: impl Fn(&str) -> bool) {
    assert!(is_valid(valid), "{valid}");
    for at in from..valid.len() {
        let digit = valid.as_bytes()[at];
        if digit.is_ascii_digit() {
            let other = char::from((digit - b'0' + 1) % 10 + b'0');
            let changed = format!("{}{other}{}", &valid[..at], &valid[at + 1..]);
            assert!(!is_valid(&changed), "{changed}");
        }
    }
}

#[test]
fn one_wrong_digit_is_found() {
    any_digit_decides("1234567890128", 0, gln);
    any_digit_decides("123456785", 0, norwegian);
    any_digit_decides("0123456749", 0, belgian);
    any_digit_decides("IT12345678903", 2, |text| italian_vat(text) == Some(true));
    any_digit_decides("1234567897", 0, |text| swedish(text) == Some(true));
    any_digit_decides("10000000032", 0, australian);
    any_digit_decides("123456783", 0, greek);
    any_digit_decides("NL91ABNA0417164300", 2, iban);
}

#[test]
fn a_gln_may_have_any_length() {
    assert!(gln("0") && gln("12345670") && !gln("12345678"));
    assert!(!gln("") && !gln("12345 670") && !gln("1234567A"));
}

#[test]
fn nought_is_no_norwegian_number() {
    assert!(!norwegian("000000000"));
    // A remainder of one has no check digit.
    let has_none = |number: u32| (0..10).all(|check| !norwegian(&format!("{number}{check}")));
    assert!((10_000_000..10_000_100).any(has_none) && !(10_000_000..10_000_100).all(has_none));
    assert!(!norwegian("12345678"));
}

#[test]
fn shapes_are_those_of_the_rules() {
    assert!(danish_with_prefix("DK12345678") && !danish_with_prefix("12345678"));
    assert!(!danish_with_prefix("DK1234567") && !danish_with_prefix("dk12345678"));
    assert!(italian_unit("A1b2C3") && !italian_unit("A1b2C") && !italian_unit("A1b2-3"));
    assert!(dutch_vat("NL123456789B01") && !dutch_vat("NL123456789B1"));
    assert!(!dutch_vat("NL12345678B012") && !dutch_vat("BE0123456749"));
    assert!(belgian("0000000097") && !belgian("0000000000"));
}

#[test]
fn a_codice_fiscale_is_tested_by_its_shape() {
    assert!(italian_tax_code("ABCDEF12G34H567I") && italian_tax_code("12345678901"));
    // What the official casts let pass.
    assert!(italian_tax_code("ABCDEF+1G34?567I") && italian_tax_code("+1234567890"));
    assert!(!italian_tax_code("ABCDE112G34H567I") && !italian_tax_code("ABCDEF12G34H56XI"));
    assert!(!italian_tax_code("1234567890A") && !italian_tax_code("123456789"));
}

#[test]
fn a_partita_iva_of_another_country_is_not_looked_at() {
    assert_eq!(italian_vat("FR12345678903"), Some(true));
    assert_eq!(italian_vat("It12345678904"), Some(true));
    assert_eq!(italian_vat("it12345678903"), Some(true));
    assert_eq!(italian_vat("IT1234567890"), Some(false));
    assert_eq!(italian_vat("IT1234567890X"), Some(false));
    assert_eq!(italian_vat("IT+1234567890"), None);
}

#[test]
fn swedish_numbers_end_at_the_tenth_digit() {
    assert_eq!(swedish("12345678970"), Some(true));
    assert_eq!(swedish("123456789"), Some(false));
    assert_eq!(swedish("12345678-7"), Some(false));
    assert_eq!(swedish(""), Some(false));
    assert_eq!(swedish("१234567897"), None);
}

#[test]
fn greek_numbers_end_at_the_ninth_digit() {
    assert!(greek("123456783 and more") && !greek("12345678") && !greek("EL1234567"));
}

#[test]
fn an_iban_counts_small_letters_otherwise() {
    assert!(!iban("NL91abna0417164300") && !iban("nl91ABNA0417164300"));
    assert!(!iban("NL9") && !iban("NL91 ABNA0417164300") && !iban("NL91ABNA041716430é"));
}

#[test]
fn numbers_are_those_of_xpath() {
    assert!(is_number("12") && is_number(" 1E3 ") && is_number("INF"));
    assert!(!is_number("NaN") && !is_number("") && !is_number("1 2"));
    assert_eq!(is_whole("12"), Some(true));
    assert_eq!(is_whole(" -1 "), Some(false));
    assert_eq!(is_whole("-0"), Some(true));
    assert_eq!(is_whole("1.5"), None);
}
