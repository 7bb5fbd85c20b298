//! The lexical forms of dates and times, XML Schema part 2 sections 3.2.7 to 3.2.9.

use super::calendar::{days, days_of};
use super::duration::parse_fraction;
use super::{DAY, ErrorCode, MAX_YEAR, Moment};

type TemporalResult<T> = std::result::Result<T, ErrorCode>;

/// Minutes of the largest time zone.
const MAX_ZONE: i16 = 14 * 60;

pub(super) fn date(text: &str) -> TemporalResult<Moment> {
    let (text, zone) = split_zone(text)?;
    Ok(Moment { seconds: day_number(text)? * DAY, nanos: 0, zone })
}

pub(super) fn time(text: &str) -> TemporalResult<Moment> {
    let (text, zone) = split_zone(text)?;
    let (seconds, nanos) = clock(text)?;
    Ok(Moment { seconds: seconds % DAY, nanos, zone })
}

pub(super) fn date_time(text: &str) -> TemporalResult<Moment> {
    let (text, zone) = split_zone(text)?;
    let (day, time) = text.split_once('T').ok_or(ErrorCode::FORG0001)?;
    let (seconds, nanos) = clock(time)?;
    Ok(Moment { seconds: day_number(day)? * DAY + seconds, nanos, zone })
}

/// Exactly so many digits.
fn digits(text: &str, count: usize) -> TemporalResult<i64> {
    if text.len() != count || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(ErrorCode::FORG0001);
    }
    text.parse().map_err(|_| ErrorCode::FORG0001)
}

/// Takes `Z`, `+hh:mm` or `-hh:mm` from the end.
fn split_zone(text: &str) -> TemporalResult<(&str, Option<i16>)> {
    if let Some(rest) = text.strip_suffix('Z') {
        return Ok((rest, Some(0)));
    }
    let Some((rest, zone)) = text.len().checked_sub(6).and_then(|at| text.split_at_checked(at))
    else {
        return Ok((text, None));
    };
    let (sign, Some((hours, minutes))) =
        (zone.get(..1), zone.get(1..).and_then(|z| z.split_once(':')))
    else {
        return Ok((text, None));
    };
    let sign = match sign {
        Some("+") => 1,
        Some("-") => -1,
        _ => return Ok((text, None)),
    };
    let (hours, minutes) = (digits(hours, 2)?, digits(minutes, 2)?);
    let total = (hours * 60 + minutes) as i16;
    if minutes > 59 || total > MAX_ZONE {
        return Err(ErrorCode::FORG0001);
    }
    Ok((rest, Some(sign * total)))
}

/// `YYYY-MM-DD` as a day number.
fn day_number(text: &str) -> TemporalResult<i64> {
    let (negative, rest) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let mut parts = rest.split('-');
    let (Some(year), Some(month), Some(day), None) =
        (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return Err(ErrorCode::FORG0001);
    };
    if year.len() < 4 || year.len() > 4 && year.starts_with('0') {
        return Err(ErrorCode::FORG0001);
    }
    if year.len() > 9 && year.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(ErrorCode::FODT0001);
    }
    let year = digits(year, year.len())?;
    let (month, day) = (digits(month, 2)? as u32, digits(day, 2)? as u32);
    let year = if negative { -year } else { year };
    if !(1..=12).contains(&month) || day == 0 || day > days_of(year, month) {
        return Err(ErrorCode::FORG0001);
    }
    if year.abs() > MAX_YEAR {
        return Err(ErrorCode::FODT0001);
    }
    Ok(days(year, month, day))
}

/// `hh:mm:ss.fff` as seconds and nanoseconds; `24:00:00` is the next day.
fn clock(text: &str) -> TemporalResult<(i64, u32)> {
    let (whole, nanos) = match text.split_once('.') {
        None => (text, 0),
        Some((whole, part)) => (whole, parse_fraction(part)?),
    };
    let mut parts = whole.split(':');
    let (Some(hour), Some(minute), Some(second), None) =
        (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return Err(ErrorCode::FORG0001);
    };
    let (hour, minute, second) = (digits(hour, 2)?, digits(minute, 2)?, digits(second, 2)?);
    let midnight = hour == 24 && minute == 0 && second == 0 && nanos == 0;
    if (hour > 23 && !midnight) || minute > 59 || second > 59 {
        return Err(ErrorCode::FORG0001);
    }
    Ok((hour * 3600 + minute * 60 + second, nanos))
}
