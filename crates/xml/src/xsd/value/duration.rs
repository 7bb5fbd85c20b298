//! Durations and their partial order (section 3.2.6).

use std::cmp::Ordering;

use super::temporal::{days, days_in_month};

/// Digits of one number of a duration at most.
const MAX_DIGITS: usize = 12;
/// The moments to which two durations are added when they are compared: year and month.
const REFERENCES: [(i64, i64); 4] = [(1696, 9), (1697, 2), (1903, 3), (1903, 7)];

#[derive(Debug, Clone, Copy)]
pub(super) struct LexicalDuration<'t> {
    months: i64,
    /// Whole seconds without the months, signed.
    seconds: i128,
    fraction: &'t str,
    is_negative: bool,
}

/// Reads `-?PnYnMnDTnHnMnS`; at least one part, and one after a `T`.
pub(super) fn read(text: &str) -> Option<LexicalDuration<'_>> {
    let (is_negative, rest) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let rest = rest.strip_prefix('P')?;
    let (date, time) = match rest.split_once('T') {
        Some((_, "")) => return None,
        Some((date, time)) => (date, time),
        None if rest.is_empty() => return None,
        None => (rest, ""),
    };
    let (mut date, mut time) = (date, time);
    let years = part(&mut date, 'Y')?;
    let months = part(&mut date, 'M')?;
    let day_count = part(&mut date, 'D')?;
    let hours = part(&mut time, 'H')?;
    let minutes = part(&mut time, 'M')?;
    let (seconds, fraction) = seconds(&mut time)?;
    if !date.is_empty() || !time.is_empty() {
        return None;
    }
    let sign = if is_negative { -1 } else { 1 };
    let whole = i128::from(day_count) * 86_400
        + i128::from(hours) * 3_600
        + i128::from(minutes) * 60
        + i128::from(seconds);
    Some(LexicalDuration {
        months: sign * (years * 12 + months),
        seconds: i128::from(sign) * whole,
        fraction,
        is_negative,
    })
}

/// The number before a designator; 0 where the part is absent.
fn part(text: &mut &str, designator: char) -> Option<i64> {
    let length = text.bytes().take_while(u8::is_ascii_digit).count();
    let (digits, rest) = text.split_at_checked(length)?;
    match rest.strip_prefix(designator) {
        Some(rest) if length > 0 && length <= MAX_DIGITS => {
            *text = rest;
            digits.parse().ok()
        }
        Some(_) => None,
        None => Some(0),
    }
}

fn seconds<'t>(text: &mut &'t str) -> Option<(i64, &'t str)> {
    if text.is_empty() {
        return Some((0, ""));
    }
    let number = text.strip_suffix('S')?;
    *text = "";
    let (whole, fraction) = match number.split_once('.') {
        Some((_, "")) => return None,
        Some(parts) => parts,
        None => (number, ""),
    };
    let are_digits = |it: &str| it.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || whole.len() > MAX_DIGITS || !are_digits(whole) || !are_digits(fraction) {
        return None;
    }
    Some((whole.parse().ok()?, fraction.trim_end_matches('0')))
}

impl LexicalDuration<'_> {
    /// The order where it is the same from all four reference moments.
    pub(super) fn compare(&self, other: &Self) -> Option<Ordering> {
        let mut orders = REFERENCES.iter().map(|&reference| {
            self.seconds_from(reference)
                .cmp(&other.seconds_from(reference))
                .then_with(|| self.compare_fraction(other))
        });
        let first = orders.next()?;
        orders.all(|order| order == first).then_some(first)
    }

    fn seconds_from(&self, (year, month): (i64, i64)) -> i128 {
        let months = year * 12 + month - 1 + self.months;
        let (year, month) = (months.div_euclid(12), months.rem_euclid(12) + 1);
        let day = 1.min(days_in_month(year, month));
        i128::from(days(year, month, day)) * 86_400 + self.seconds
    }

    fn compare_fraction(&self, other: &Self) -> Ordering {
        match (self.is_negative, other.is_negative) {
            (false, false) => self.fraction.cmp(other.fraction),
            (true, true) => other.fraction.cmp(self.fraction),
            (false, true) if self.fraction.is_empty() && other.fraction.is_empty() => {
                Ordering::Equal
            }
            (true, false) if self.fraction.is_empty() && other.fraction.is_empty() => {
                Ordering::Equal
            }
            (false, true) => Ordering::Greater,
            (true, false) => Ordering::Less,
        }
    }

    pub(super) fn key(&self) -> String {
        let sign = if self.is_negative && !self.fraction.is_empty() { "-" } else { "" };
        format!("{}M{}.{}{sign}", self.months, self.seconds, self.fraction)
    }
}
