//! Times as callers write them (RFC 3339). One that lies beyond what can be recorded, as the last
//! second of the year 9999 does that many write for "for ever", is the last one that can.

use std::borrow::Cow;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::fmt::temporal::Pieces;
use quoin_model::text::quoted;
use serde::de::Error;
use serde::{Deserialize, Deserializer};

/// Reads a time.
///
/// # Errors
/// What was expected and what was found.
pub fn time(text: &str) -> Result<Timestamp, String> {
    let wrong = || {
        format!(
            "{text} is no time, expected one of RFC 3339 with its offset, as in \
             2026-11-22T09:30:00Z",
            text = quoted(text, 60)
        )
    };
    let text = in_nanoseconds(text).filter(|text| is_date_time(text)).ok_or_else(wrong)?;
    if let Ok(time) = text.parse() {
        return Ok(time);
    }
    let read = Pieces::parse(&*text).map_err(|_| wrong())?;
    beyond(read.date()).ok_or_else(wrong)
}

/// A time with nine digits of its second at most: what is finer cannot be recorded.
fn in_nanoseconds(text: &str) -> Option<Cow<'_, str>> {
    let Some((whole, rest)) = text.split_once('.') else { return Some(text.into()) };
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    match digits {
        0 => None,
        1..=9 => Some(text.into()),
        _ => Some(format!("{whole}.{}{}", rest.get(..9)?, rest.get(digits..)?).into()),
    }
}

/// Whether a text is a date-time of RFC 3339, section 5.6, but for the numbers in it; a blank may
/// stand for the `T`, and a year of six digits with its sign (ISO 8601) for one of four.
fn is_date_time(text: &str) -> bool {
    const SHAPE: &[u8] = b"0000-00-00T00:00:00";
    let bytes = match text.as_bytes() {
        [b'+' | b'-', h1, h2, rest @ ..] if h1.is_ascii_digit() && h2.is_ascii_digit() => rest,
        other => other,
    };
    let Some((head, rest)) = bytes.split_at_checked(SHAPE.len()) else { return false };
    let fits = |(own, shape): (&u8, &u8)| match shape {
        b'0' => own.is_ascii_digit(),
        b'T' => matches!(own, b'T' | b't' | b' '),
        other => own == other,
    };
    let offset = match rest {
        [b'.', fraction @ ..] => {
            let digits = fraction.iter().take_while(|own| own.is_ascii_digit()).count();
            fraction.get(digits..).unwrap_or_default()
        }
        other => other,
    };
    head.iter().zip(SHAPE).all(fits) && is_offset(offset)
}

/// `Z`, or hours and minutes of a day before or after UTC.
fn is_offset(text: &[u8]) -> bool {
    match text {
        [b'Z' | b'z'] => true,
        [b'+' | b'-', h1, h2, b':', m1, m2] => {
            let is_number = [h1, h2, m1, m2].iter().all(|own| own.is_ascii_digit());
            is_number && (*h1, *h2) <= (b'2', b'3') && *m1 <= b'5'
        }
        _ => false,
    }
}

/// The time at the edge of what can be recorded that a day lies beyond, whatever its offset.
fn beyond(day: Date) -> Option<Timestamp> {
    match (day.year(), day.month(), day.day()) {
        (9999, 12, 30..) => Some(Timestamp::MAX),
        (-9999, 1, ..=3) => Some(Timestamp::MIN),
        _ => None,
    }
}

/// For members and parameters that are times.
///
/// # Errors
/// As [`time`].
pub fn given<'de, D: Deserializer<'de>>(from: D) -> Result<Timestamp, D::Error> {
    time(&String::deserialize(from)?).map_err(D::Error::custom)
}

/// The same for those that may be left out, or be `null`.
///
/// # Errors
/// As [`time`].
pub fn optional<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Timestamp>, D::Error> {
    let text = Option::<String>::deserialize(from)?;
    text.map(|text| time(&text).map_err(D::Error::custom)).transpose()
}

/// For members and parameters that are days and may be left out.
///
/// # Errors
/// What was expected and what was found.
pub fn optional_day<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Date>, D::Error> {
    let Some(text) = Option::<String>::deserialize(from)? else { return Ok(None) };
    day(&text).map(Some).map_err(D::Error::custom)
}

/// Reads a day as it is written everywhere here: year, month and day with hyphens.
///
/// # Errors
/// What was expected and what was found.
pub fn day(text: &str) -> Result<Date, String> {
    let shape = text.bytes().zip(b"0000-00-00").all(|(own, shape)| match shape {
        b'0' => own.is_ascii_digit(),
        other => own == *other,
    });
    let read = text.parse().ok().filter(|_| shape && text.len() == 10);
    read.ok_or_else(|| {
        format!("expected a day as in 2026-11-22, found {text}", text = quoted(text, 60))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_beyond_all_times_is_the_last_one() {
        for text in [
            "9999-12-31T23:59:59Z",
            "9999-12-31T23:59:59.9999999Z",
            "9999-12-31T00:00:00+01:00",
            "9999-12-30T23:59:59-11:00",
        ] {
            assert_eq!(time(text), Ok(Timestamp::MAX), "{text}");
        }
        assert_eq!(time("-009999-01-01T00:00:00+10:00"), Ok(Timestamp::MIN));
        let usual = time("2026-11-22T10:30:00+01:00").unwrap();
        assert_eq!(usual.to_string(), "2026-11-22T09:30:00Z");
    }

    #[test]
    fn a_day_is_written_in_one_way() {
        assert_eq!(day("2026-11-22").unwrap().to_string(), "2026-11-22");
        for text in [
            "",
            "today",
            "20261122",
            "2026-W47-7",
            "2026-11-2",
            "2026-02-30",
            "2026-11-22T00:00:00Z",
            "+002026-11-22",
        ] {
            let told = day(text).unwrap_err();
            assert!(told.contains("a day as in 2026-11-22") && told.contains(text), "{told}");
        }
    }

    #[test]
    fn what_is_finer_than_can_be_recorded_is_a_time_too() {
        let fine = time("2026-11-22T09:30:00.1234567891+00:00").unwrap();
        assert_eq!(fine.to_string(), "2026-11-22T09:30:00.123456789Z");
        for text in ["2026-11-22t09:30:00z", "2026-11-22 09:30:00.5Z", "2026-11-22T09:30:00+23:59"]
        {
            assert!(time(text).is_ok(), "{text}");
        }
    }

    #[test]
    fn what_is_no_time_is_told_in_our_words() {
        for text in [
            "",
            "yesterday",
            "2026-11-22",
            "9999-12-31",
            "2026-02-30T09:30:00Z",
            "9999-12-31T23:59:59",
            "2026-11-22T09:30:00",
            "2026-11-22T09Z",
            "2026-11-22T09:30Z",
            "20261122T093000Z",
            "2026-11-22T09:30:00Z[Europe/Amsterdam]",
            "2026-11-22T09:30:00+24:00",
            "2026-11-22T09:30:00+01:60",
            "2026-11-22T09:30:00+0100",
            "2026-11-22T09:30:00+23:59:59",
            "2026-11-22T09:30:00.Z",
            "2026-11-22T09:30:00,5Z",
        ] {
            let error = time(text).unwrap_err();
            assert!(error.contains("expected one of RFC 3339"), "{error}");
        }
    }
}
