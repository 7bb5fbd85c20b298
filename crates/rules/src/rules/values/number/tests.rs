//! Numbers: lexical forms, halves, exactness; days: the calendar and time zones.

use super::*;

fn decimal(text: &str) -> Decimal {
    Decimal::parse(text).unwrap()
}

#[test]
fn doubles_are_read_as_xml_schema_writes_them() {
    assert_eq!(parse(" 1.5 "), Some(1.5));
    assert_eq!(parse("1E2"), Some(100.0));
    assert_eq!(parse("-INF"), Some(f64::NEG_INFINITY));
    assert!(parse("NaN").unwrap().is_nan());
    for wrong in ["", " ", "inf", "infinity", "nan", "+INF", "1,5", "1e", "--1", "0x1"] {
        assert_eq!(parse(wrong), None, "{wrong}");
    }
}

#[test]
fn halves_go_up() {
    assert_eq!(round(0.5), 1.0);
    assert_eq!(round(-0.5), 0.0);
    assert_eq!(round(-1.5), -1.0);
    assert_eq!(round(0.499_999_999_999_999_94), 0.0);
    assert_eq!(round_to_cents(2.675), 2.68);
}

#[test]
fn a_double_is_compared_with_all_of_its_digits() {
    // 100.1 - 1 is a little less than 99.1, and the nearest double to it.
    assert_eq!(compare_exactly(100.1 - 1.0, decimal("99.1")), Some(Ordering::Less));
    assert_eq!(compare_exactly(0.1 + 0.2, decimal("0.3")), Some(Ordering::Greater));
    assert_eq!(compare_exactly(0.1, decimal("0.1")), Some(Ordering::Greater));
    assert_eq!(compare_exactly(-0.1, decimal("-0.1")), Some(Ordering::Less));
    assert_eq!(compare_exactly(0.5, decimal("0.5")), Some(Ordering::Equal));
    assert_eq!(compare_exactly(-0.0, decimal("0")), Some(Ordering::Equal));
    assert_eq!(compare_exactly(f64::NAN, decimal("0")), None);
}

#[test]
fn cents_of_a_double_come_from_its_exact_value() {
    assert_eq!(exact_cents(2.675), Some(decimal("2.67")));
    assert_eq!(exact_cents(0.125), Some(decimal("0.13")));
    assert_eq!(exact_cents(-0.125), Some(decimal("-0.12")));
    assert_eq!(exact_cents(-0.126), Some(decimal("-0.13")));
    assert_eq!(exact_cents(1e15), Some(decimal("1000000000000000")));
    assert_eq!(exact_cents(0.999), Some(decimal("1")));
}

#[test]
fn dates_are_days_of_the_calendar_with_a_zone() {
    let day = 24 * 60;
    assert_eq!(date("2026-03-01").unwrap() - date("2026-02-28").unwrap(), day);
    assert_eq!(date("2024-03-01").unwrap() - date("2024-02-28").unwrap(), 2 * day);
    assert_eq!(date("2026-01-01").unwrap() - date("2025-12-31").unwrap(), day);
    assert_eq!(date("2026-01-01+02:00").unwrap(), date("2026-01-01").unwrap() - 120);
    assert_eq!(date(" 2026-01-01Z\n"), date("2026-01-01"));
    // A year before the first one, as XML Schema 1.1 has it.
    assert_eq!(date("0001-01-01").unwrap() - date("0000-12-31").unwrap(), day);
    for wrong in [
        "2026-02-29",
        "2026-13-01",
        "20260101",
        "2026-1-1",
        "26-01-01",
        "2026-01-01T",
        "2026-01-01+15:00",
        "02026-01-01",
        "",
    ] {
        assert_eq!(date(wrong), None, "{wrong}");
    }
}
