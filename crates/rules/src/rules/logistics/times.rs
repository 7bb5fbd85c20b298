//! Times of the day, and moments of a date and a time.
//!
//! Source: XML Schema part 2 section 3.2.8 (`xs:time`), XPath functions 2.0 section 5.2
//! (`fn:dateTime`).

use quoin_xml::tree::Element;

use crate::rules::Unreadable;
use crate::rules::values::{Read, SPACE, number, string};
use quoin_model::amount::Decimal;

/// A time of the day.
struct TimeOfDay {
    minutes: i64,
    seconds: Decimal,
    /// Minutes of its time zone.
    zone: Option<i64>,
}

/// A moment: minutes in UTC (or without time zone) from the year 0, and seconds.
pub(super) type LogisticsMoment = (i64, Decimal);

/// A text and the time zone at its end; empty where there is none.
fn zoned(text: &str) -> (&str, &str) {
    let text = text.trim_matches(SPACE);
    let length = text.len();
    let at = |back: usize| length.checked_sub(back).and_then(|at| text.as_bytes().get(at));
    let start = match (at(1), at(6), at(3)) {
        (Some(b'Z'), ..) => length - 1,
        (_, Some(b'+' | b'-'), Some(b':')) => length - 6,
        _ => length,
    };
    text.split_at_checked(start).unwrap_or((text, ""))
}

/// A day of which the time zone is counted.
const DAY: &str = "2000-01-01";

/// The minutes of a time zone; the inner `None` where there is none.
fn offset(zone: &str) -> Option<Option<i64>> {
    if zone.is_empty() {
        return Some(None);
    }
    // A date in a time zone begins that much earlier or later.
    Some(Some(number::date(DAY)? - number::date(&format!("{DAY}{zone}"))?))
}

fn parse(text: &str) -> Option<TimeOfDay> {
    let (bare, zone) = zoned(text);
    let zone = offset(zone)?;
    let digits = |text: &str| text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit());
    let (hours, rest) = bare.split_once(':')?;
    let (minutes, seconds) = rest.split_once(':')?;
    let (whole, fraction) = seconds.split_once('.').unwrap_or((seconds, "0"));
    let is_fraction = !fraction.is_empty() && fraction.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(hours) || !digits(minutes) || !digits(whole) || !is_fraction {
        return None;
    }
    let (hours, minutes): (i64, i64) = (hours.parse().ok()?, minutes.parse().ok()?);
    let seconds = Decimal::parse(seconds).ok()?;
    let is_midnight = hours == 24 && minutes == 0 && seconds.is_zero();
    if !is_midnight && (hours > 23 || minutes > 59 || seconds >= Decimal::new(60, 0)) {
        return None;
    }
    Some(TimeOfDay { minutes: hours % 24 * 60 + minutes, seconds, zone })
}

fn time(element: Element<'_>) -> Read<'_, TimeOfDay> {
    let text = string(element);
    parse(&text).ok_or_else(|| Unreadable::value(element, text))
}

/// Whether a time has a time zone.
///
/// # Errors
/// [`Unreadable`] where the text is no time.
pub(super) fn has_zone(element: Element<'_>) -> Read<'_, bool> {
    Ok(time(element)?.zone.is_some())
}

/// `dateTime(date, time)`.
///
/// # Errors
/// [`Unreadable`] where one is none, or both have time zones that differ.
pub(super) fn moment<'d>(date: Element<'d>, day_time: Element<'d>) -> Read<'d, LogisticsMoment> {
    let text = string(date);
    let (bare, zone) = zoned(&text);
    let found = number::date(bare).zip(offset(zone));
    let Some((day, date_zone)) = found else { return Err(Unreadable::value(date, text)) };
    let time = time(day_time)?;
    if date_zone.is_some() && time.zone.is_some() && date_zone != time.zone {
        return Err(Unreadable::value(day_time, string(day_time)));
    }
    let zone = date_zone.or(time.zone).unwrap_or_default();
    Ok((day + time.minutes - zone, time.seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_the_day() {
        for (text, minutes, zone) in [
            ("00:00:00", 0, None),
            (" 23:59:59.999Z ", 1439, Some(0)),
            ("24:00:00", 0, None),
            ("10:30:00+02:00", 630, Some(120)),
            ("10:30:00-14:00", 630, Some(-840)),
        ] {
            let time = parse(text).unwrap();
            assert_eq!((time.minutes, time.zone), (minutes, zone), "{text}");
        }
        for text in [
            "",
            "10:30",
            "10:30:60",
            "24:00:01",
            "25:00:00",
            "10:60:00",
            "1:00:00",
            "10:30:00.",
            "10:30:00+15:00",
            "10:30:00 Z",
            "10:30:00+2:00",
            "2026-01-01T10:30:00",
            "é:00:00",
        ] {
            assert!(parse(text).is_none(), "{text}");
        }
    }
}
