//! Instants as XML Schema writes them (XML Schema 1.1 part 2, section 3.3.7, `xs:dateTime`).

use jiff::Timestamp;
use jiff::civil::{Date, DateTime, Time};
use jiff::tz::Offset;

/// Digits of a second that are told apart; more are cut off.
const FRACTION: usize = 9;

/// An `xs:dateTime`; one without a zone is in UTC. What lies beyond the instants that can be held,
/// as the "never" of many programs does, is the first or the last of them.
pub(crate) fn instant(text: &str) -> Option<Timestamp> {
    let (date, time) = text.split_once('T')?;
    let (time, offset) = zone(time)?;
    let (time, is_next_day) = clock(time)?;
    let Some(date) = day(date)? else {
        return Some(if date.starts_with('-') { Timestamp::MIN } else { Timestamp::MAX });
    };
    let date = match is_next_day {
        true => date.tomorrow().unwrap_or(Date::MAX),
        false => date,
    };
    let edge = if date.year() < 0 { Timestamp::MIN } else { Timestamp::MAX };
    Some(offset.to_timestamp(DateTime::from_parts(date, time)).unwrap_or(edge))
}

/// So many digits as a number.
fn digits(text: &str, count: usize) -> Option<i8> {
    let right = text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit());
    right.then(|| text.parse().ok()).flatten()
}

/// A day; nothing in it for one of a year that cannot be held.
fn day(text: &str) -> Option<Option<Date>> {
    let (sign, bare) = match text.strip_prefix('-') {
        Some(bare) => (-1, bare),
        None => (1, text),
    };
    let (year, rest) = bare.split_once('-')?;
    let (month, day) = rest.split_once('-')?;
    let (month, day) = (digits(month, 2)?, digits(day, 2)?);
    let is_year = year.len() >= 4 && year.bytes().all(|byte| byte.is_ascii_digit());
    if !is_year || (year.len() > 4 && year.starts_with('0')) {
        return None;
    }
    if year.len() > 4 {
        // Whatever year that is: a leap year has every day that there can be.
        return Date::new(2000, month, day).ok().map(|_| None);
    }
    Date::new(sign * year.parse::<i16>().ok()?, month, day).ok().map(Some)
}

/// A time of day, and whether it is midnight at the end of the day, which may be written
/// `24:00:00`.
fn clock(text: &str) -> Option<(Time, bool)> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    if fraction.is_empty() || !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let mut parts = whole.split(':');
    let mut two = || digits(parts.next()?, 2);
    let (hour, minute, second) = (two()?, two()?, two()?);
    if parts.next().is_some() {
        return None;
    }
    if hour == 24 {
        let is_midnight = minute == 0 && second == 0 && fraction.bytes().all(|byte| byte == b'0');
        return is_midnight.then_some((Time::midnight(), true));
    }
    let held = fraction.get(..FRACTION).unwrap_or(fraction);
    let nanoseconds = format!("{held:0<FRACTION$}").parse().ok()?;
    Some((Time::new(hour, minute, second, nanoseconds).ok()?, false))
}

/// What comes before the zone of a time, and the zone.
fn zone(text: &str) -> Option<(&str, Offset)> {
    if let Some(time) = text.strip_suffix('Z') {
        return Some((time, Offset::UTC));
    }
    let Some(at) = text.find(['+', '-']) else { return Some((text, Offset::UTC)) };
    let (time, zone) = text.split_at_checked(at)?;
    let (hours, minutes) = zone.get(1..)?.split_once(':')?;
    let (hours, minutes) = (digits(hours, 2)?, digits(minutes, 2)?);
    let seconds = i32::from(hours) * 3_600 + i32::from(minutes) * 60;
    if minutes > 59 || seconds > 14 * 3_600 {
        return None;
    }
    let sign = if zone.starts_with('-') { -1 } else { 1 };
    Some((time, Offset::from_seconds(sign * seconds).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_are_read_as_xml_schema_writes_them() {
        let same = |text: &str, expected: &str| {
            assert_eq!(instant(text), Some(expected.parse().unwrap()), "{text}");
        };
        same("2026-11-21T10:00:00Z", "2026-11-21T10:00:00Z");
        same("2026-11-21T10:00:00", "2026-11-21T10:00:00Z");
        same("2026-11-21T11:00:00.5+01:00", "2026-11-21T10:00:00.5Z");
        same("2026-11-21T00:30:00-14:00", "2026-11-21T14:30:00Z");
        same("2026-12-31T24:00:00Z", "2027-01-01T00:00:00Z");
        same("2026-12-31T24:00:00.000", "2027-01-01T00:00:00Z");
        same("2026-11-21T10:00:00.1234567891234Z", "2026-11-21T10:00:00.123456789Z");
    }

    #[test]
    fn what_lies_beyond_is_the_last_instant_or_the_first() {
        for never in ["9999-12-31T23:59:59Z", "9999-12-31T24:00:00", "10000-01-01T00:00:00Z"] {
            assert_eq!(instant(never), Some(Timestamp::MAX), "{never}");
        }
        for always in ["-9999-01-01T00:00:00+14:00", "-12345-02-29T00:00:00Z"] {
            assert_eq!(instant(always), Some(Timestamp::MIN), "{always}");
        }
    }

    #[test]
    fn what_is_no_instant_is_none() {
        for wrong in [
            "",
            "T",
            "soon",
            "2026-11-21",
            "2026-11-21T",
            "2026-13-01T00:00:00Z",
            "2026-02-30T00:00:00Z",
            "10000-02-30T00:00:00Z",
            "02026-01-01T00:00:00Z",
            "2026-11-21T24:00:01Z",
            "2026-11-21T24:00:00.1Z",
            "2026-11-21T25:00:00Z",
            "2026-11-21T10:00Z",
            "2026-11-21T10:00:00.Z",
            "2026-11-21T10:00:00+1:00",
            "2026-11-21T10:00:00+15:00",
            "2026-11-21T10:00:00+00:60",
            "2026-11-21T10:00:00:00Z",
            "2026-11-21T10:00:00ZZ",
            "2026-11-21T+1:00:00Z",
            "+2026-11-21T10:00:00Z",
            "2026-é1-21T10:00:00é",
        ] {
            assert_eq!(instant(wrong), None, "{wrong}");
        }
    }
}
