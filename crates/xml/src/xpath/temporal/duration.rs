//! Durations: months, and seconds with their fraction.

use super::super::error::ErrorCode;
use super::super::number::XPathDecimal;
use super::{DAY, SECOND};

/// A duration; its parts never have different signs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct XPathDuration {
    /// Months, years included.
    pub(crate) months: i64,
    /// Whole seconds, days included.
    pub(crate) seconds: i64,
    /// Nanoseconds after the whole seconds.
    pub(crate) nanos: i64,
}

/// Months or seconds of a duration at most.
const MAX: i64 = 1 << 52;

impl XPathDuration {
    /// So many seconds and nanoseconds, whatever their signs.
    pub(crate) fn of_seconds(seconds: i64, nanos: i64) -> XPathDuration {
        XPathDuration::of_nanos(i128::from(seconds) * i128::from(SECOND) + i128::from(nanos))
    }

    fn of_nanos(total: i128) -> XPathDuration {
        let second = i128::from(SECOND);
        XPathDuration {
            months: 0,
            seconds: (total / second) as i64,
            nanos: (total % second) as i64,
        }
    }

    fn checked(total: i128) -> Result<XPathDuration, ErrorCode> {
        if total.unsigned_abs() > (MAX as u128) * SECOND as u128 {
            return Err(ErrorCode::FODT0002);
        }
        Ok(XPathDuration::of_nanos(total))
    }

    /// All of it but the months, in nanoseconds.
    pub(crate) fn total_nanos(self) -> i128 {
        i128::from(self.seconds) * i128::from(SECOND) + i128::from(self.nanos)
    }

    /// The sum.
    pub(crate) fn plus(self, other: XPathDuration) -> Result<XPathDuration, ErrorCode> {
        let months = self.months + other.months;
        if months.abs() > MAX {
            return Err(ErrorCode::FODT0002);
        }
        let rest = XPathDuration::checked(self.total_nanos() + other.total_nanos())?;
        Ok(XPathDuration { months, ..rest })
    }

    /// With the other sign.
    pub(crate) fn negate(self) -> XPathDuration {
        XPathDuration { months: -self.months, seconds: -self.seconds, nanos: -self.nanos }
    }

    /// So many times as long, months rounded half up.
    pub(crate) fn times(self, factor: f64) -> Result<XPathDuration, ErrorCode> {
        if factor.is_nan() {
            return Err(ErrorCode::FOCA0005);
        }
        let months = (self.months as f64 * factor + 0.5).floor();
        let nanos = if self.total_nanos() == 0 { 0.0 } else { self.total_nanos() as f64 * factor };
        if !(months.abs() < MAX as f64 && nanos.abs() < MAX as f64 * SECOND as f64) {
            return Err(ErrorCode::FODT0002);
        }
        Ok(XPathDuration {
            months: months as i64,
            ..XPathDuration::of_nanos(nanos.round() as i128)
        })
    }

    /// How many times the other fits in.
    pub(crate) fn ratio(self, other: XPathDuration) -> Result<XPathDecimal, ErrorCode> {
        let whole = |duration: XPathDuration| match duration.months {
            0 => XPathDecimal::small(duration.total_nanos(), 0),
            months => XPathDecimal::small(months.into(), 0),
        };
        whole(self).divide(&whole(other))
    }

    /// Reads a duration: `-P1Y2M3DT4H5M6.7S`; `years` and `days` say which parts may stand there.
    pub(crate) fn parse(text: &str, years: bool, days: bool) -> Result<XPathDuration, ErrorCode> {
        let wrong = ErrorCode::FORG0001;
        let (negative, rest) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let mut rest = rest.strip_prefix('P').ok_or(wrong)?;
        let (mut months, mut nanos) = (0i128, 0i128);
        let (mut in_time, mut last) = (false, None);
        const UNITS: &[(bool, char, i128)] = &[
            (false, 'Y', 12),
            (false, 'M', 1),
            (false, 'D', DAY as i128),
            (true, 'H', 3600),
            (true, 'M', 60),
            (true, 'S', 1),
        ];
        while !rest.is_empty() {
            if !in_time && let Some(time) = rest.strip_prefix('T') {
                in_time = true;
                rest = time;
                if rest.is_empty() {
                    return Err(wrong);
                }
            }
            let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').ok_or(wrong)?;
            let (number, tail) = rest.split_at(end);
            let unit = tail.chars().next().ok_or(wrong)?;
            let place = UNITS.iter().position(|&(time, name, _)| (time, name) == (in_time, unit));
            let place = place.ok_or(wrong)?;
            if last.is_some_and(|last| place <= last)
                || (place < 2 && !years)
                || (place >= 2 && !days)
            {
                return Err(wrong);
            }
            last = Some(place);
            let factor = UNITS.get(place).map_or(1, |unit| unit.2);
            if place < 2 {
                months += digits(number)? * factor;
            } else if unit == 'S' {
                nanos += parse_seconds(number)?;
            } else {
                nanos += digits(number)? * factor * i128::from(SECOND);
            }
            rest = tail.get(unit.len_utf8()..).unwrap_or_default();
        }
        last.ok_or(wrong)?;
        if months > i128::from(MAX) {
            return Err(ErrorCode::FODT0002);
        }
        let duration = XPathDuration { months: months as i64, ..XPathDuration::checked(nanos)? };
        Ok(if negative { duration.negate() } else { duration })
    }

    /// The canonical text; `zero` is how nothing is written.
    pub(crate) fn text(self, zero: &str) -> String {
        if self == XPathDuration::default() {
            return zero.to_owned();
        }
        let negative = self.months < 0 || self.seconds < 0 || self.nanos < 0;
        let months = self.months.unsigned_abs();
        let seconds = self.seconds.unsigned_abs();
        let nanos = self.nanos.unsigned_abs();
        let mut text = String::from(if negative { "-P" } else { "P" });
        let mut part = |value: u64, unit: &str| {
            if value > 0 {
                text.push_str(&format!("{value}{unit}"));
            }
        };
        part(months / 12, "Y");
        part(months % 12, "M");
        part(seconds / DAY as u64, "D");
        let clock = seconds % DAY as u64;
        if clock > 0 || nanos > 0 {
            text.push('T');
            let mut part = |value: u64, unit: &str| {
                if value > 0 {
                    text.push_str(&format!("{value}{unit}"));
                }
            };
            part(clock / 3600, "H");
            part(clock / 60 % 60, "M");
            if !clock.is_multiple_of(60) || nanos > 0 {
                text.push_str(&format!("{}{}S", clock % 60, fraction(nanos as u32)));
            }
        }
        text
    }
}

/// Digits of a part of a duration, at most 15.
fn digits(text: &str) -> Result<i128, ErrorCode> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(ErrorCode::FORG0001);
    }
    let value: i128 = text.parse().map_err(|_| ErrorCode::FODT0002)?;
    if value > i128::from(MAX) { Err(ErrorCode::FODT0002) } else { Ok(value) }
}

/// Seconds with their fraction, in nanoseconds.
fn parse_seconds(text: &str) -> Result<i128, ErrorCode> {
    let (whole, part) = match text.split_once('.') {
        None => (text, 0),
        Some((whole, part)) => (whole, i128::from(parse_fraction(part)?)),
    };
    Ok(digits(whole)? * i128::from(SECOND) + part)
}

/// Digits after the point of seconds as nanoseconds; what is smaller is cut.
pub(super) fn parse_fraction(text: &str) -> Result<u32, ErrorCode> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(ErrorCode::FORG0001);
    }
    let digits = text.bytes().chain(std::iter::repeat(b'0')).take(9);
    Ok(digits.fold(0, |value, byte| value * 10 + u32::from(byte - b'0')))
}

/// `.5` for half a second; nothing for none.
pub(super) fn fraction(nanos: u32) -> String {
    if nanos == 0 {
        return String::new();
    }
    format!(".{nanos:09}").trim_end_matches('0').to_owned()
}
