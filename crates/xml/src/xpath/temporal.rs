//! Dates, times and durations, Functions and Operators sections 10 and 17.1.5.
//!
//! A value without a time zone is compared as if it were in UTC: the implicit time zone of an
//! evaluation (XPath 2.0 appendix C.2) is always UTC here, so that a verdict does not depend on
//! where it is made.

mod calendar;
mod duration;
mod parse;
#[cfg(test)]
mod tests;

pub use duration::XPathDuration;

use std::cmp::Ordering;
use std::fmt;

use super::error::ErrorCode;
use calendar::{civil, days};

/// Seconds of a day.
pub(crate) const DAY: i64 = 86_400;
/// Nanoseconds of a second.
pub(crate) const SECOND: i64 = 1_000_000_000;
/// Years that can be told, before and after year 0.
const MAX_YEAR: i64 = 100_000_000;

/// A date, a time or a date and time, with or without a time zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Moment {
    /// Seconds of the local clock since 1970-01-01T00:00:00; a time is on that day.
    pub(crate) seconds: i64,
    /// Nanoseconds after that.
    pub(crate) nanos: u32,
    /// Minutes that the local clock is ahead of UTC.
    pub(crate) zone: Option<i16>,
}

/// The parts of a [`Moment`] as a calendar and a clock show them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Fields {
    pub(crate) year: i64,
    pub(crate) month: u32,
    pub(crate) day: u32,
    pub(crate) hour: i64,
    pub(crate) minute: i64,
    pub(crate) second: i64,
}

impl Moment {
    /// A point in time in UTC.
    pub fn utc(seconds: i64, nanos: u32) -> Moment {
        Moment { seconds, nanos, zone: Some(0) }
    }

    /// Reads an `xs:date` without white space around it.
    pub(crate) fn parse_date(text: &str) -> Result<Moment, ErrorCode> {
        parse::date(text)
    }

    /// Reads an `xs:time` without white space around it.
    pub(crate) fn parse_time(text: &str) -> Result<Moment, ErrorCode> {
        parse::time(text)
    }

    /// Reads an `xs:dateTime` without white space around it.
    pub(crate) fn parse_date_time(text: &str) -> Result<Moment, ErrorCode> {
        parse::date_time(text)
    }

    /// The parts on the local calendar and clock.
    pub(crate) fn fields(self) -> Fields {
        let (year, month, day) = civil(self.seconds.div_euclid(DAY));
        let rest = self.seconds.rem_euclid(DAY);
        Fields { year, month, day, hour: rest / 3600, minute: rest / 60 % 60, second: rest % 60 }
    }

    /// Only the date.
    pub(crate) fn date(self) -> Moment {
        Moment { seconds: self.seconds.div_euclid(DAY) * DAY, nanos: 0, zone: self.zone }
    }

    /// Only the time.
    pub(crate) fn time(self) -> Moment {
        Moment { seconds: self.seconds.rem_euclid(DAY), ..self }
    }

    /// Seconds since 1970 in UTC.
    fn instant(self) -> i64 {
        self.seconds - i64::from(self.zone.unwrap_or(0)) * 60
    }

    /// Which is earlier, in UTC where a time zone is missing.
    pub(crate) fn compare(self, other: Moment) -> Ordering {
        (self.instant(), self.nanos).cmp(&(other.instant(), other.nanos))
    }

    /// The value that all equal moments share.
    pub(crate) fn key(self) -> (i64, u32) {
        (self.instant(), self.nanos)
    }

    /// Later by a duration of days and seconds (earlier by a negative one).
    pub(crate) fn plus(self, duration: XPathDuration) -> Result<Moment, ErrorCode> {
        let mut moved = self;
        if duration.months != 0 {
            let fields = self.fields();
            let months = fields.year * 12 + i64::from(fields.month) - 1 + duration.months;
            let (year, month) = (months.div_euclid(12), months.rem_euclid(12) as u32 + 1);
            check_year(year)?;
            let day = fields.day.min(calendar::days_of(year, month));
            moved.seconds = days(year, month, day) * DAY + self.seconds.rem_euclid(DAY);
        }
        let nanos = i64::from(self.nanos) + duration.nanos;
        moved.seconds = moved
            .seconds
            .checked_add(duration.seconds)
            .and_then(|seconds| seconds.checked_add(nanos.div_euclid(SECOND)))
            .ok_or(ErrorCode::FODT0001)?;
        moved.nanos = nanos.rem_euclid(SECOND) as u32;
        check_year(moved.fields().year)?;
        Ok(moved)
    }

    /// How long it is from another moment to this one.
    pub(crate) fn minus(self, other: Moment) -> XPathDuration {
        let nanos = i64::from(self.nanos) - i64::from(other.nanos);
        XPathDuration::of_seconds(self.instant() - other.instant(), nanos)
    }

    /// The same moment on the clock of another time zone, or its local time in that zone where it
    /// has none; with `None`, its local time without a zone (Functions and Operators 10.7).
    pub(crate) fn in_zone(self, zone: Option<i16>) -> Moment {
        match (self.zone, zone) {
            (Some(old), Some(new)) => Moment {
                seconds: self.seconds + (i64::from(new) - i64::from(old)) * 60,
                nanos: self.nanos,
                zone,
            },
            _ => Moment { zone, ..self },
        }
    }

    /// As `xs:date`.
    pub(crate) fn date_text(self) -> String {
        let Fields { year, month, day, .. } = self.fields();
        let sign = if year < 0 { "-" } else { "" };
        format!("{sign}{:04}-{month:02}-{day:02}{}", year.abs(), ZoneOffset(self.zone))
    }

    /// As `xs:time`.
    pub(crate) fn time_text(self) -> String {
        format!("{}{}", self.clock(), ZoneOffset(self.zone))
    }

    /// As `xs:dateTime`.
    pub(crate) fn date_time_text(self) -> String {
        let date = Moment { zone: None, ..self }.date_text();
        format!("{date}T{}{}", self.clock(), ZoneOffset(self.zone))
    }

    fn clock(self) -> String {
        let Fields { hour, minute, second, .. } = self.fields();
        format!("{hour:02}:{minute:02}:{second:02}{}", duration::fraction(self.nanos))
    }
}

fn check_year(year: i64) -> Result<(), ErrorCode> {
    if year.abs() > MAX_YEAR { Err(ErrorCode::FODT0001) } else { Ok(()) }
}

struct ZoneOffset(Option<i16>);

impl fmt::Display for ZoneOffset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            None => Ok(()),
            Some(0) => f.write_str("Z"),
            Some(minutes) => {
                let sign = if minutes < 0 { '-' } else { '+' };
                let minutes = minutes.unsigned_abs();
                write!(f, "{sign}{:02}:{:02}", minutes / 60, minutes % 60)
            }
        }
    }
}
