//! The calendar of Poland: the time in Warsaw, days that are free by law.
//!
//! The rule of summer time is in the directive (from the last Sunday of March to the last Sunday
//! of
//! October, at 1:00 UTC), so no data of time zones is needed.
//!
//! Sources: directive 2000/84/EC; act of 18 January 1951 on days free from work, with 24 December
//! since 2025.

use jiff::civil::{Date, DateTime, Weekday, date};
use jiff::{SignedDuration, Timestamp};

/// The clock in Warsaw at an instant.
pub fn warsaw(now: Timestamp) -> DateTime {
    let utc = now.to_zoned(jiff::tz::TimeZone::UTC).datetime();
    let hours = if is_summer(utc) { 2 } else { 1 };
    utc.checked_add(SignedDuration::from_hours(hours)).unwrap_or(utc)
}

/// The instant at which the clock in Warsaw shows a time; the first of two in the hour that comes
/// twice. `None` outside of the years that can be said.
pub fn warsaw_instant(clock: DateTime) -> Option<Timestamp> {
    [2, 1].into_iter().find_map(|hours| {
        let utc = clock.checked_sub(SignedDuration::from_hours(hours)).ok()?;
        let instant = utc.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp();
        (warsaw(instant) == clock || hours == 1).then_some(instant)
    })
}

fn is_summer(utc: DateTime) -> bool {
    let change = |month| last_sunday(utc.year(), month).map(|day| day.at(1, 0, 0, 0));
    match (change(3), change(10)) {
        (Some(begin), Some(end)) => begin <= utc && utc < end,
        _ => false,
    }
}

fn last_sunday(year: i16, month: i8) -> Option<Date> {
    Date::new(year, month, 31).ok()?.nth_weekday_of_month(-1, Weekday::Sunday).ok()
}

/// Whether somebody works on a day: neither a Saturday, nor a Sunday, nor free by law.
pub fn is_working_day(day: Date) -> bool {
    !matches!(day.weekday(), Weekday::Saturday | Weekday::Sunday) && !is_free_by_law(day)
}

/// The working day that is `days` after a day.
pub fn add_working_days(day: Date, days: u32) -> Date {
    let mut at = day;
    let mut left = days;
    while left > 0 {
        let Ok(next) = at.tomorrow() else { return at };
        at = next;
        if is_working_day(at) {
            left -= 1;
        }
    }
    at
}

fn is_free_by_law(day: Date) -> bool {
    let fixed = [(1, 1), (1, 6), (5, 1), (5, 3), (8, 15), (11, 1), (11, 11), (12, 25), (12, 26)];
    if fixed.contains(&(day.month(), day.day())) {
        return true;
    }
    if day.month() == 12 && day.day() == 24 && day.year() >= 2025 {
        return true;
    }
    // Easter Monday, Corpus Christi; the other two are Sundays.
    let easter = easter(day.year());
    let after = |days: i64| easter.checked_add(SignedDuration::from_hours(24 * days)).ok();
    [1, 60].into_iter().any(|days| after(days) == Some(day))
}

/// Easter Sunday of the Gregorian calendar (the anonymous method of 1876).
fn easter(year: i16) -> Date {
    let y = i32::from(year);
    let (a, b, c) = (y % 19, y / 100, y % 100);
    let (d, e) = (b / 4, b % 4);
    let f = (b + 8) / 25;
    let g = (b - f + 1) / 3;
    let h = (19 * a + b - d - g + 15) % 30;
    let (i, k) = (c / 4, c % 4);
    let l = (32 + 2 * e + 2 * i - h - k) % 7;
    let m = (a + 11 * h + 22 * l) / 451;
    let sum = h + l - 7 * m + 114;
    let part = |value: i32| i8::try_from(value).unwrap_or(1);
    Date::new(year, part(sum / 31), part(sum % 31 + 1)).unwrap_or(date(1, 1, 1))
}
