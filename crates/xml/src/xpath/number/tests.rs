//! Numbers against a plain computation with big integers.

use num_bigint::BigInt;
use proptest::prelude::*;

use super::super::error::ErrorCode;
use super::*;

fn decimal(text: &str) -> XPathDecimal {
    XPathDecimal::parse(text).unwrap()
}

/// `mantissa * 10^-scale` written out, the mantissa of any size.
fn written(mantissa: &BigInt, scale: usize) -> String {
    let digits = mantissa.magnitude().to_string();
    let digits = format!("{digits:0>width$}", width = scale + 1);
    let (whole, fraction) = digits.split_at(digits.len() - scale);
    let sign = if *mantissa < BigInt::ZERO { "-" } else { "" };
    format!("{sign}{whole}.{fraction}")
}

fn power(exponent: usize) -> BigInt {
    BigInt::from(10).pow(exponent as u32)
}

/// Mantissas around the borders of the fast form, and longer ones.
fn mantissa() -> impl Strategy<Value = BigInt> {
    let near =
        (0usize..130, -3i64..4).prop_map(|(bits, offset)| (BigInt::from(1) << bits) + offset);
    let digits = "-?[0-9]{1,60}".prop_map(|text| text.parse().unwrap());
    let small = any::<i32>().prop_map(BigInt::from);
    prop_oneof![near.clone(), near.prop_map(|value| -value), digits, small]
}

proptest! {
    #[test]
    fn sums_and_products_are_exact(
        (a, b) in (mantissa(), mantissa()), (x, y) in (0usize..40, 0usize..40),
    ) {
        let (left, right) = (decimal(&written(&a, x)), decimal(&written(&b, y)));
        let (wide_a, wide_b) = (&a * power(y), &b * power(x));
        prop_assert_eq!(left.add(&right).unwrap(), decimal(&written(&(&wide_a + &wide_b), x + y)));
        let difference = left.subtract(&right).unwrap();
        prop_assert_eq!(difference, decimal(&written(&(&wide_a - &wide_b), x + y)));
        let product = left.multiply(&right).unwrap();
        prop_assert_eq!(product, decimal(&written(&(&a * &b), x + y)));
        prop_assert_eq!(left.cmp(&right), wide_a.cmp(&wide_b));
        if b == BigInt::ZERO {
            prop_assert_eq!(left.divide(&right).unwrap_err(), ErrorCode::FOAR0001);
            prop_assert_eq!(left.remainder(&right).unwrap_err(), ErrorCode::FOAR0001);
            return Ok(());
        }
        let rest = left.remainder(&right).unwrap();
        prop_assert_eq!(&rest, &decimal(&written(&(&wide_a % &wide_b), x + y)));
        let whole = left.quotient(&right).unwrap();
        prop_assert_eq!(whole.to_string(), (&wide_a / &wide_b).to_string());
        // quotient * divisor is within half a unit of the last digit of the quotient.
        let quotient = left.divide(&right).unwrap();
        let error = quotient.multiply(&right).unwrap().subtract(&left).unwrap().absolute();
        let unit = XPathDecimal::small(1, 18).multiply(&right.absolute()).unwrap();
        prop_assert!(error.add(&error).unwrap() <= unit, "{} div {} is {}", left, right, quotient);
    }

    #[test]
    fn rounding_finds_the_nearest((a, x) in (mantissa(), 0usize..40), digits in -5i64..10) {
        let value = decimal(&written(&a, x));
        let half = XPathDecimal::small(5, (digits + 1).max(0) as u32);
        let rounded = value.round(digits).unwrap();
        let off = rounded.subtract(&value).unwrap();
        if digits >= 0 {
            prop_assert!(off <= half && off.negate() < half, "{value} to {rounded}");
        }
        prop_assert_eq!(&rounded.round(digits).unwrap(), &rounded);
        let even = value.round_half_even(digits).unwrap();
        if even != rounded {
            prop_assert_eq!(off, half);
        }
        prop_assert!(value.floor() <= value && value.ceiling() >= value);
        let width = value.ceiling().subtract(&value.floor()).unwrap();
        prop_assert!(width <= XPathDecimal::small(1, 0));
    }

    #[test]
    fn the_text_is_canonical_and_read_again((a, x) in (mantissa(), 0usize..40)) {
        let value = decimal(&written(&a, x));
        let text = value.to_string();
        prop_assert_eq!(&decimal(&text), &value);
        prop_assert!(!text.contains('.') || !text.ends_with(['0', '.']), "{text}");
        prop_assert!(!text.starts_with("-0") || text.starts_with("-0."), "{text}");
    }

    #[test]
    fn integers_agree_with_big_ones((a, b) in (mantissa(), mantissa())) {
        let (left, right) = (Integer::from(a.clone()), Integer::from(b.clone()));
        prop_assert_eq!(left.to_string(), a.to_string());
        prop_assert_eq!(Integer::parse(&a.to_string()), Some(left.clone()));
        prop_assert_eq!(left.add(&right).unwrap().to_big(), &a + &b);
        prop_assert_eq!(left.subtract(&right).unwrap().to_big(), &a - &b);
        prop_assert_eq!(left.multiply(&right).unwrap().to_big(), &a * &b);
        prop_assert_eq!(left.cmp(&right), a.cmp(&b));
        prop_assert_eq!(left.negate().to_big(), -&a);
        if !right.is_zero() {
            prop_assert_eq!(left.quotient(&right).unwrap().to_big(), &a / &b);
            prop_assert_eq!(left.remainder(&right).unwrap().to_big(), &a % &b);
        }
    }

    #[test]
    fn doubles_become_exact_decimals_and_the_same_doubles(bits in any::<u64>()) {
        let value = f64::from_bits(bits);
        match XPathDecimal::from_f64(value) {
            None => prop_assert!(!value.is_finite()),
            Some(exact) => prop_assert_eq!(exact.to_f64(), value),
        }
    }

    #[test]
    fn doubles_are_read_as_they_are_written(bits in any::<u64>()) {
        let value = f64::from_bits(bits);
        let again = parse_double(&double_text(value)).unwrap();
        prop_assert!(again == value || (again.is_nan() && value.is_nan()));
    }
}

#[test]
fn lexical_forms() {
    for text in ["1", "-1", "+1", "1.", ".5", "-.5", "007", "0.0"] {
        assert!(XPathDecimal::parse(text).is_some(), "{text}");
    }
    for text in ["", "+", "-", ".", "1e3", "1,5", " 1", "1 ", "--1", "1.2.3", "٣", "INF"] {
        assert!(XPathDecimal::parse(text).is_none(), "{text}");
        assert!(Integer::parse(text).is_none(), "{text}");
    }
    assert!(parse_double("1e").is_none());
    assert!(parse_double("nan").is_none());
    assert!(parse_double("infinity").is_none());
    assert_eq!(parse_double("-1.5e-3"), Some(-0.0015));
}

#[test]
fn texts_of_doubles() {
    for (value, text) in [
        (0.0, "0"),
        (-0.0, "-0"),
        (1.0, "1"),
        (-1.5, "-1.5"),
        (999_999.0, "999999"),
        (1_000_000.0, "1.0E6"),
        (0.000_001, "0.000001"),
        (0.000_000_1, "1.0E-7"),
        (1.5e300, "1.5E300"),
        (f64::NAN, "NaN"),
        (f64::INFINITY, "INF"),
        (f64::NEG_INFINITY, "-INF"),
    ] {
        assert_eq!(double_text(value), text);
    }
    assert_eq!(float_text(0.1), "0.1");
    assert_eq!(float_text(1e7), "1.0E7");
}

#[test]
fn sizes_are_limited() {
    let huge = Integer::parse(&"9".repeat(30_000)).unwrap();
    assert_eq!(huge.multiply(&huge).unwrap_err(), ErrorCode::FOAR0002);
    assert!(Integer::parse(&"9".repeat(40_000)).is_none());
    assert!(XPathDecimal::parse(&"9".repeat(40_000)).is_none());
    let tiny = decimal(&format!("0.{}1", "0".repeat(4_000)));
    assert!(tiny.multiply(&tiny).unwrap().is_zero());
    assert!(tiny.divide(&tiny).unwrap() == XPathDecimal::small(1, 0));
    assert_eq!(XPathDecimal::small(15, 1).round(1 << 40).unwrap(), XPathDecimal::small(15, 1));
    assert!(XPathDecimal::small(15, 1).round(-(1 << 40)).unwrap().is_zero());
}
