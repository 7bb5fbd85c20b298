//! Times as callers write them (RFC 3339). One that lies beyond what can be recorded, as the last
//! second of the year 9999 does that many write for "for ever", is the last one that can.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::fmt::temporal::Pieces;
use serde::de::Error;
use serde::{Deserialize, Deserializer};

/// Reads a time.
///
/// # Errors
/// What was expected and what was found.
pub fn time(text: &str) -> Result<Timestamp, String> {
    let wrong = || {
        format!(
            "{text:.60?} is no time, expected one of RFC 3339 with its offset, as in \
             2026-11-22T09:30:00Z"
        )
    };
    if let Ok(time) = text.parse() {
        return Ok(time);
    }
    let read = Pieces::parse(text).map_err(|_| wrong())?;
    let is_whole = read.time().is_some() && read.to_numeric_offset().is_some();
    match (is_whole, beyond(read.date())) {
        (true, Some(edge)) => Ok(edge),
        _ => Err(wrong()),
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
    fn what_is_no_time_is_told_in_our_words() {
        for text in [
            "",
            "yesterday",
            "2026-11-22",
            "9999-12-31",
            "2026-02-30T09:30:00Z",
            "9999-12-31T23:59:59",
            "2026-11-22T09:30:00",
        ] {
            let error = time(text).unwrap_err();
            assert!(error.contains("expected one of RFC 3339"), "{error}");
        }
    }
}
