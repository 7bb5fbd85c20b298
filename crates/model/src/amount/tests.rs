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
        ("0.00", "0"),
        ("000000000000000000000012.5000000000", "12.5"),
        ("123456789012345678", "123456789012345678"),
        ("1234567890123456789", "1234567890123456789"),
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
        ("1.200,", Separator),
        (",5", Separator),
        ("79.21.", Syntax),
        ("79.21\u{a0}", Syntax),
        ("..5", Syntax),
        (".", Syntax),
        ("-", Syntax),
        ("--1", Syntax),
        ("EUR 5", Syntax),
        ("NaN", Syntax),
        ("INF", Syntax),
        ("E", Syntax),
        ("0x10", Syntax),
        ("\u{0661}", Syntax),
        ("123456789012345678901234567890123456789", Range),
        ("1234567890123456789012345678901234567890.5", Range),
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

#[test]
fn multiplies_and_divides() {
    for (a, b, product) in [
        ("3", "0.3333333333333333333333333333", "0.9999999999999999999999999999"),
        ("-2.5", "4", "-10"),
        ("0", "12345678901234567890123456789012345678", "0"),
        ("1000000000000000000000000", "0.000000000000000000000001", "1"),
        // 2^126.7 squared needs 76 digits: 38 are kept
        (
            "1.2345678901234567890123456789012345678",
            "1.2345678901234567890123456789012345678",
            "1.5241578753238836750495351562566681943",
        ),
    ] {
        assert_eq!(d(a).checked_mul(d(b)), Some(d(product)), "{a} * {b}");
    }
    let large = d("12345678901234567890123456789012345678");
    assert_eq!(large.checked_mul(large), None);
    for (a, b, quotient) in [
        ("1", "3", "0.333333333333333333"),
        ("2", "3", "0.666666666666666667"),
        ("-2", "3", "-0.666666666666666667"),
        ("1", "8", "0.125"),
        ("0.000000000000000001", "2", "0"),
        ("0.000000000000000003", "2", "0.000000000000000001"),
        ("100", "0.01", "10000"),
        ("12345678901234567890", "7", "1763668414462081127.142857142857142857"),
    ] {
        assert_eq!(d(a).checked_div(d(b)), Some(d(quotient)), "{a} / {b}");
    }
    assert_eq!(d("1").checked_div(Decimal::ZERO), None);
    assert_eq!(large.checked_div(d("0.00000000000000000000000000000000000001")), None);
}

#[test]
fn orders_by_value() {
    let mut values = ["1.1", "-1.1", "1.09", "0", "-2", "100", "99.999"].map(d);
    values.sort();
    assert_eq!(values, ["-2", "-1.1", "0", "1.09", "1.1", "99.999", "100"].map(d));
    let tiny = d("0.00000000000000000000000000000000000001");
    assert!(tiny > Decimal::ZERO && tiny.negated() < Decimal::ZERO && d("-5").abs() == d("5"));
    assert!(d("12345678901234567890123456789012345678") > tiny);
}

#[test]
fn a_hundred_thousand_lines_add_up() {
    let line = d("9999999999.999999");
    assert_eq!(Decimal::sum(std::iter::repeat_n(line, 100_000)), Some(d("999999999999999.9")));
    assert_eq!(Decimal::new(5, 1), d("0.5"));
    assert_eq!(d("2.345").round(1), d("2.3"));
    assert_eq!(d("-2.5").round(0), d("-2"));
}

proptest! {
    #[test]
    fn never_panics(text in "\\PC{0,48}") {
        let _ = Decimal::parse(&text);
    }

    #[test]
    fn arithmetic_never_panics(a in "-?[0-9]{0,38}\\.?[0-9]{0,38}", b in "-?[0-9]{0,38}\\.?[0-9]{0,38}") {
        if let (Ok(a), Ok(b)) = (Decimal::parse(&a), Decimal::parse(&b)) {
            let _ = (a.checked_add(b), a.checked_sub(b), a.checked_mul(b), a.checked_div(b));
            let _ = (a.cmp(&b), a.round(3), a.to_string());
            prop_assert_eq!(a.cmp(&b), b.cmp(&a).reverse());
        }
    }

    #[test]
    fn multiplying_undoes_dividing(a in any::<i32>(), b in 1_i64..1_000_000) {
        let (a, b) = (Decimal::from(i64::from(a)), Decimal::from(b));
        let back = a.checked_div(b).and_then(|quotient| quotient.checked_mul(b)).unwrap();
        prop_assert_eq!(back.round(6), a);
        prop_assert_eq!(a.checked_mul(b).and_then(|product| product.checked_div(b)), Some(a));
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

/// PE-12: quotients with many decimals, and numbers with more digits than are kept.
#[test]
fn many_decimals_are_computed_with() {
    let third = "33.3333333333333333333333";
    assert_eq!(d("100").checked_div(d(third)).unwrap().round(6), d("3"));
    for decimals in 1..=60 {
        let text = format!("33.{}", "3".repeat(decimals));
        let quotient = d("100").checked_div(d(&text)).unwrap();
        let off = quotient.checked_sub(d("3")).unwrap().abs();
        let near = d(&format!("0.{}1", "0".repeat(decimals.min(17) - 1)));
        assert!(off <= near, "{text}: {quotient}");
        assert!(d(&text).checked_add(d("12345678901234567890")).is_some(), "{text}");
    }
    // Rounded behind the last digit that is kept, a half to even.
    assert_eq!(d("1.12345678901234567890123456789012345678").to_string().len(), 39);
    assert_eq!(d(&format!("0.{}5", "9".repeat(38))), d("1"));
    assert_eq!(d(&format!("1.{}", "0".repeat(500_000) + "1")), d("1"));
    assert_eq!(d("-99999999999999999999.99999999999999999999"), d("-100000000000000000000"));
    let small = d(&format!("0.{}123456789", "0".repeat(34)));
    assert_eq!(small, d(&format!("0.{}1235", "0".repeat(34))));
    assert_eq!(d(&format!("0.{}1", "0".repeat(60))), Decimal::ZERO);
    let large = d("99999999999999999999999999999999999999");
    assert_eq!(large.checked_mul(d("10")), None);
    assert_eq!(large.checked_add(large), None);
    assert_eq!(large.checked_add(d("0.4")), Some(large));
    assert_eq!(d("1").checked_div(d("0")), None);
}

proptest! {
    /// The quick way and the exact way give the same wherever both can.
    #[test]
    fn the_wide_way_is_the_same(
        a in any::<i64>(), b in any::<i64>(), s in 0_u32..12, t in 0_u32..12,
    ) {
        let (one, other) = (Decimal::new(a, s), Decimal::new(b, t));
        prop_assert_eq!(wide::sum(one, other), one.checked_add(other));
        if !other.is_zero() {
            let decimals = DIVISION_DECIMALS.max(one.scale).max(other.scale);
            prop_assert_eq!(wide::quotient(one, other, decimals), one.checked_div(other));
        }
    }
}
