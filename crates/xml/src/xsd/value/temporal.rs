//! Dates and times (sections 3.2.7 to 3.2.14 and appendix D).

use std::cmp::Ordering;

use super::Primitive;

const DAY: i64 = 86_400;
/// The widest time zone, in seconds: values with and without a zone compare only beyond it.
const WIDEST_ZONE: i64 = 14 * 3_600;
/// Digits of a year at most.
const MAX_YEAR_DIGITS: usize = 12;

/// A point on the time line; what a type leaves out is filled with a reference value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TimePoint<'t> {
    /// Seconds since the first of March of year 0 of the proleptic calendar; UTC where zoned.
    seconds: i64,
    /// Digits after the decimal point, without trailing zeros.
    fraction: &'t str,
    is_zoned: bool,
}

impl TimePoint<'_> {
    pub(super) fn compare(&self, other: &Self) -> Option<Ordering> {
        let order =
            self.seconds.cmp(&other.seconds).then_with(|| self.fraction.cmp(other.fraction));
        if self.is_zoned == other.is_zoned {
            return Some(order);
        }
        let apart = (self.seconds - other.seconds).abs();
        (apart > WIDEST_ZONE).then_some(order)
    }

    pub(super) fn key(&self) -> String {
        let zone = if self.is_zoned { "Z" } else { "" };
        format!("{}.{}{zone}", self.seconds, self.fraction)
    }
}

/// A cursor over the text of a value.
struct TemporalReader<'t> {
    text: &'t str,
}

/// Reads a value of one of the eight types; `None` where the text is not one.
pub(super) fn read(primitive: Primitive, text: &str) -> Option<TimePoint<'_>> {
    let mut reader = TemporalReader { text };
    let (mut year, mut month, mut day) = (2000, 1, 1);
    let (mut seconds, mut fraction) = (0, "");
    match primitive {
        Primitive::DateTime | Primitive::Date => {
            year = reader.year()?;
            reader.eat("-")?;
            month = reader.two(1..=12)?;
            reader.eat("-")?;
            day = reader.two(1..=31)?;
        }
        Primitive::YearMonth => {
            year = reader.year()?;
            reader.eat("-")?;
            month = reader.two(1..=12)?;
        }
        Primitive::Year => year = reader.year()?,
        Primitive::MonthDay => {
            reader.eat("--")?;
            month = reader.two(1..=12)?;
            reader.eat("-")?;
            day = reader.two(1..=31)?;
        }
        Primitive::Day => {
            reader.eat("---")?;
            day = reader.two(1..=31)?;
        }
        Primitive::Month => {
            reader.eat("--")?;
            month = reader.two(1..=12)?;
        }
        _ => {}
    }
    if day > days_in_month(year, month) {
        return None;
    }
    if primitive == Primitive::DateTime {
        reader.eat("T")?;
    }
    if matches!(primitive, Primitive::DateTime | Primitive::Time) {
        (seconds, fraction) = reader.time()?;
    }
    if primitive == Primitive::Time {
        seconds %= DAY;
    }
    let zone = reader.zone()?;
    if !reader.text.is_empty() {
        return None;
    }
    let seconds = days(year, month, day) * DAY + seconds - zone.unwrap_or(0);
    Some(TimePoint { seconds, fraction, is_zoned: zone.is_some() })
}

impl<'t> TemporalReader<'t> {
    fn eat(&mut self, wanted: &str) -> Option<()> {
        self.text = self.text.strip_prefix(wanted)?;
        Some(())
    }

    fn digits(&mut self) -> &'t str {
        let length = self.text.bytes().take_while(u8::is_ascii_digit).count();
        let (digits, rest) = self.text.split_at_checked(length).unwrap_or_default();
        self.text = rest;
        digits
    }

    fn two(&mut self, allowed: std::ops::RangeInclusive<i64>) -> Option<i64> {
        let digits =
            self.text.get(..2).filter(|it| it.bytes().all(|byte| byte.is_ascii_digit()))?;
        self.text = self.text.get(2..)?;
        digits.parse().ok().filter(|number| allowed.contains(number))
    }

    /// `-?` and four digits or more, no needless leading zero; there is no year 0.
    fn year(&mut self) -> Option<i64> {
        let is_negative = self.eat("-").is_some();
        let digits = self.digits();
        let is_sound = digits.len() == 4
            || (digits.len() > 4 && digits.len() <= MAX_YEAR_DIGITS && !digits.starts_with('0'));
        let year: i64 = digits.parse().ok().filter(|year| is_sound && *year > 0)?;
        // The year before 1 is -1: shifted, so that day counts have no gap.
        Some(if is_negative { 1 - year } else { year })
    }

    fn time(&mut self) -> Option<(i64, &'t str)> {
        let hour = self.two(0..=24)?;
        self.eat(":")?;
        let minute = self.two(0..=59)?;
        self.eat(":")?;
        let second = self.two(0..=59)?;
        let mut fraction = "";
        if self.eat(".").is_some() {
            let digits = self.digits();
            if digits.is_empty() {
                return None;
            }
            fraction = digits.trim_end_matches('0');
        }
        if hour == 24 && (minute > 0 || second > 0 || !fraction.is_empty()) {
            return None;
        }
        Some((hour * 3_600 + minute * 60 + second, fraction))
    }

    /// `Z`, `+hh:mm` or `-hh:mm`, or nothing; in seconds east of UTC.
    fn zone(&mut self) -> Option<Option<i64>> {
        if self.text.is_empty() {
            return Some(None);
        }
        if self.eat("Z").is_some() {
            return Some(Some(0));
        }
        let sign = if self.eat("+").is_some() { 1 } else { self.eat("-").map(|()| -1)? };
        let hours = self.two(0..=14)?;
        self.eat(":")?;
        let minutes = self.two(0..=59)?;
        if hours == 14 && minutes > 0 {
            return None;
        }
        Some(Some(sign * (hours * 3_600 + minutes * 60)))
    }
}

pub(super) fn days_in_month(year: i64, month: i64) -> i64 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        _ => 31,
    }
}

/// Days since the first of March of year 0.
pub(super) fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year
}
