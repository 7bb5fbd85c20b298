//! Decimal numbers: what is one, what is not, and how they add and round.

use super::*;
use proptest::prelude::*;

fn d(text: &str) -> Decimal {
    Decimal::parse(text).unwrap()
}

#[test]
fn reads_the_lexical_form_of_xs_decimal() {
    for (text, shown) in [
        ("0", "0"),
        ("-0", "0"),
        ("007", "7"),
        ("+1.50", "1.5"),
        (".5", "0.5"),
        ("5.", "5"),
        (" 12.34\n", "12.34"),
        ("-0.01", "-0.01"),
        ("999999999999999999.999999999999999999", "999999999999999999.999999999999999999"),
    ] {
        assert_eq!(d(text).to_string(), shown, "{text:?}");
    }
    assert_eq!(d("1.50"), d("1.5"));
}

#[test]
fn says_what_a_wrong_number_is() {
    use DecimalError::{Empty, Exponent, Range, Separator, Syntax};
    for (text, error) in [
        ("", Empty),
        (" \n", Empty),
        ("1.2E3", Exponent),
        ("1e-5", Exponent),
        ("-1.2E+03", Exponent),
        ("1,200.00", Separator),
        ("1.200,00", Separator),
        ("1.200.000", Separator),
        ("1 200", Separator),
        ("1'200", Separator),
        ("12,50", Separator),
        (".", Syntax),
        ("-", Syntax),
        ("--1", Syntax),
        ("EUR 5", Syntax),
        ("NaN", Syntax),
        ("INF", Syntax),
        ("E", Syntax),
        ("0x10", Syntax),
        ("\u{0661}", Syntax),
        ("1234567890123456789", Range),
        ("0.1234567890123456789", Range),
    ] {
        assert_eq!(Decimal::parse(text), Err(error), "{text:?}");
    }
}

#[test]
fn rounds_a_half_towards_plus_infinity() {
    for (text, rounded) in [
        ("1.004", "1.00"),
        ("1.005", "1.01"),
        ("-1.005", "-1.00"),
        ("-1.006", "-1.01"),
        ("0.125", "0.13"),
        ("-0.125", "-0.12"),
        ("2.675", "2.68"),
        ("10.1", "10.10"),
        ("0.004999999999999999", "0.00"),
    ] {
        assert_eq!(format!("{:.2}", d(text).round_to_cents()), rounded, "{text}");
    }
}

#[test]
fn adds_exactly_what_floating_point_does_not() {
    let sum = (0..10).try_fold(Decimal::ZERO, |sum, _| sum.checked_add(d("0.1")));
    assert_eq!(sum, Some(d("1")));
    assert_eq!(d("0.3").checked_sub(d("0.1")), Some(d("0.2")));
    assert_eq!(format!("{:.2}", d("7")), "7.00");
}

#[test]
fn counts_decimals_as_written() {
    for (text, count) in [("1", 0), ("1.", 0), ("1.50", 2), ("1.500", 3), ("1.50 ", 3)] {
        assert_eq!(decimals_as_written(text), count, "{text:?}");
    }
}

proptest! {
    #[test]
    fn never_panics(text in "\\PC{0,48}") {
        let _ = Decimal::parse(&text);
    }

    #[test]
    fn adding_agrees_with_integers(a in -10_i64.pow(15)..10_i64.pow(15), b in any::<i32>()) {
        let of = |n: i64| d(&format!("{}{}.{:03}", if n < 0 { "-" } else { "" },
            n.unsigned_abs() / 1000, n.unsigned_abs() % 1000));
        let b = i64::from(b);
        prop_assert_eq!(of(a).checked_add(of(b)), Some(of(a + b)));
        prop_assert_eq!(of(a).checked_sub(of(b)), Some(of(a - b)));
        let cents = (a + 5).div_euclid(10) * 10;
        prop_assert_eq!(of(a).round_to_cents(), of(cents));
    }
}
