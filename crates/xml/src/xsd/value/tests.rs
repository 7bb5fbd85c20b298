//! What the built-in types allow and refuse, and how values compare.

use std::cmp::Ordering;

use super::{LexicalDecimal, Primitive, WhiteSpace};

#[test]
fn texts_are_allowed_or_refused() {
    use Primitive::*;
    for (primitive, yes, no) in [
        (Boolean, &["true", "0"][..], &["TRUE", "", "yes"][..]),
        (Decimal, &["1", "-1.50", "+.5", "100.", "00"], &["", ".", "1e2", "1,5", "--1", " 1"]),
        (Integer, &["1", "-0", "+12345678901234567890123"], &["1.0", "", "1.", "a"]),
        (Double, &["1", "-1.5E-3", "INF", "NaN", ".5"], &["+INF", "1e", "1e1.5", "inf", ""]),
        (
            Date,
            &["2024-02-29", "-0001-01-01", "12026-01-01Z", "2026-01-01+14:00"],
            &[
                "2023-02-29",
                "0000-01-01",
                "2026-1-01",
                "2026-01-01+14:01",
                "02026-01-01",
                "2026-01-01T",
                "20260101",
            ],
        ),
        (
            DateTime,
            &["2026-11-21T10:00:00", "2026-11-21T24:00:00Z", "2026-11-21T10:00:00.25-01:00"],
            &[
                "2026-11-21",
                "2026-11-21T24:00:01",
                "2026-11-21T10:00",
                "2026-11-21T10:00:60",
                "2026-11-21T10:00:00.",
            ],
        ),
        (Time, &["10:00:00", "23:59:59.999Z"], &["10:00", "25:00:00"]),
        (Year, &["2026", "-0044Z"], &["26", "+2026"]),
        (YearMonth, &["2026-11"], &["2026-13", "2026"]),
        (MonthDay, &["--02-29", "--12-31Z"], &["--02-30", "-02-01", "--13-01"]),
        (Day, &["---31"], &["---32", "--31"]),
        (Month, &["--11"], &["--13", "11"]),
        (
            Duration,
            &["P1Y", "-P1Y2M3DT4H5M6.7S", "PT0S"],
            &["P", "PT", "P1", "P1M1Y", "1Y", "PT1.S", "P-1D"],
        ),
        (HexBinary, &["", "0aFF"], &["0", "0g"]),
        (
            Base64Binary,
            &["", "QQ==", "Q Q = =", "QUI=", "QUJD"],
            &["Q", "QR==", "QUJ=", "Q===", "QQ==QQ=="],
        ),
        (
            AnyUri,
            &["", "http://a/b?c#d", "urn:x", "a b", "../x", "#a"],
            &["%", "a#b#c", ":a", "1a:b"],
        ),
        (Language, &["en", "en-GB", "x-1234"], &["", "en_GB", "abcdefghi", "1n"]),
        (NcName, &["a-b.c", "_1"], &["a:b", "1a", "", "a b"]),
        (Name, &[":a:b"], &["-a"]),
        (NmToken, &["-a", "1:2"], &["", "a b"]),
        (QName, &["a:b", "b"], &[":b", "a:", "a:b:c", "1"]),
    ] {
        for text in yes {
            assert!(primitive.allows(text), "{primitive:?} must allow {text:?}");
        }
        for text in no {
            assert!(!primitive.allows(text), "{primitive:?} must not allow {text:?}");
        }
    }
}

#[test]
fn values_compare_exactly() {
    use Ordering::{Equal, Greater, Less};
    use Primitive as P;
    for (primitive, left, right, order) in [
        (P::Decimal, "1.10", "1.1", Some(Equal)),
        (P::Decimal, "-2", "-10", Some(Greater)),
        (P::Decimal, "0.09", "0.1", Some(Less)),
        (P::Decimal, "-0", "0.0", Some(Equal)),
        (P::Integer, "99999999999999999999999999", "100000000000000000000000000", Some(Less)),
        (P::Double, "NaN", "1", None),
        (P::Date, "2026-01-01", "2025-12-31", Some(Greater)),
        (P::Date, "-0001-12-31", "0001-01-01", Some(Less)),
        (P::DateTime, "2026-01-01T00:00:00Z", "2025-12-31T23:00:00-01:00", Some(Equal)),
        (P::DateTime, "2026-01-01T24:00:00", "2026-01-02T00:00:00", Some(Equal)),
        (P::DateTime, "2026-01-01T00:00:00", "2026-01-01T01:00:00Z", None),
        (P::DateTime, "2026-01-01T00:00:00.5", "2026-01-01T00:00:00.49", Some(Greater)),
        (P::Duration, "P1Y", "P12M", Some(Equal)),
        (P::Duration, "P1M", "P30D", None),
        (P::Duration, "P1M", "P27D", Some(Greater)),
        (P::Duration, "-PT1.5S", "-PT1.6S", Some(Greater)),
        (P::String, "a", "b", None),
    ] {
        assert_eq!(primitive.compare(left, right), order, "{primitive:?} {left} {right}");
    }
}

#[test]
fn equal_values_have_equal_keys() {
    for (primitive, left, right, are_equal) in [
        (Primitive::Decimal, "+01.50", "1.5", true),
        (Primitive::Boolean, "1", "true", true),
        (Primitive::DateTime, "2026-01-01T00:00:00Z", "2026-01-01T01:00:00+01:00", true),
        (Primitive::DateTime, "2026-01-01T00:00:00", "2026-01-01T00:00:00Z", false),
        (Primitive::HexBinary, "ff", "FF", true),
        (Primitive::String, "a", "A", false),
        (Primitive::Double, "1e2", "100", true),
        (Primitive::Duration, "P1Y", "P12M", true),
    ] {
        assert_eq!(primitive.key(left) == primitive.key(right), are_equal, "{left} {right}");
    }
}

#[test]
fn digits_are_counted_in_the_value() {
    let digits =
        |text| LexicalDecimal::read(text).map(|it| (it.total_digits(), it.fraction_digits()));
    assert_eq!(digits("0012.500"), Some((3, 1)));
    assert_eq!(digits("0.001"), Some((1, 3)));
    assert_eq!(digits("0"), Some((1, 0)));
}

#[test]
fn white_space_is_normalised() {
    assert_eq!(WhiteSpace::Preserve.normalise(" a\tb"), " a\tb");
    assert_eq!(WhiteSpace::Replace.normalise(" a\tb\n"), " a b ");
    assert_eq!(WhiteSpace::Collapse.normalise(" a\t\n b  "), "a b");
    assert_eq!(WhiteSpace::Collapse.normalise("a b"), "a b");
    assert_eq!(WhiteSpace::Collapse.normalise("\u{a0}a"), "\u{a0}a");
}
