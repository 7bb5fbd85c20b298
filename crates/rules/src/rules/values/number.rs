//! Numbers and days of XPath 2.0 beyond the exact decimals of the room `model`: doubles, their
//! rounding and exact comparison with decimals, and dates with a time zone.
//!
//! Source: XPath functions 2.0 sections 6.2 (promotion), 6.4.4 (`round`), 10.4 (dates) and 17.1.3
//! (casts); XML Schema part 2 sections 3.2.5 (`xs:double`) and 3.2.9 (`xs:date`).

use std::cmp::Ordering;

use super::SPACE;
use quoin_model::amount::Decimal;

/// Digits of a year that are read.
const YEAR_DIGITS: usize = 9;

/// The lexical form of `xs:double`, white space around it apart.
pub fn parse(text: &str) -> Option<f64> {
    let text = text.trim_matches(SPACE);
    match text {
        "INF" => return Some(f64::INFINITY),
        "-INF" => return Some(f64::NEG_INFINITY),
        "NaN" => return Some(f64::NAN),
        _ => {}
    }
    let is_number = |byte: u8| byte.is_ascii_digit() || b"+-.eE".contains(&byte);
    // What remains is read by the same grammar; `inf` and the like have other letters.
    text.bytes().all(is_number).then(|| text.parse().ok()).flatten()
}

/// A decimal as the nearest double.
pub fn double(decimal: Decimal) -> f64 {
    decimal.to_string().parse().unwrap_or(f64::NAN)
}

/// `round(x)` of a double: a half goes towards plus infinity.
pub fn round(x: f64) -> f64 {
    if !x.is_finite() || x == 0.0 {
        return x;
    }
    let floor = x.floor();
    if x - floor >= 0.5 { floor + 1.0 } else { floor }
}

/// `round(x * 10 * 10) div 100` of a double.
pub fn round_to_cents(x: f64) -> f64 {
    round(x * 10.0 * 10.0) / 100.0
}

/// Compares the exact value of a double, as `xs:decimal(x)` gives it, with a decimal; `None` for
/// what is no decimal: not a number, or infinite.
pub fn compare_exactly(x: f64, with: Decimal) -> Option<Ordering> {
    if !x.is_finite() {
        return None;
    }
    // Rounding to doubles keeps the order, so that only the nearest one needs its digits.
    match x.partial_cmp(&double(with))? {
        Ordering::Equal => Some(compare_texts(&exact(x), &with.to_string())),
        order => Some(order),
    }
}

/// `round(xs:decimal(x) * 100) div 100`, from the exact value of a double.
pub fn exact_cents(x: f64) -> Option<Decimal> {
    let text = x.is_finite().then(|| exact(x))?;
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let (kept, rest) = fraction.split_at(fraction.len().min(2));
    let cents = Decimal::parse(&format!("{whole}.{kept}")).ok()?;
    // By its digits: there are more of them than a decimal keeps.
    let beyond = compare_texts(&format!("0.{rest}"), "0.5");
    let negative = text.starts_with('-');
    let away = beyond == Ordering::Greater || (beyond == Ordering::Equal && !negative);
    let cent = Decimal::new(if negative { -1 } else { 1 }, 2);
    if away { cents.checked_add(cent) } else { Some(cents) }
}

/// Every digit of a double.
fn exact(x: f64) -> String {
    // The lowest bit of a double of exponent e is 2^(e - 52), which has 52 - e decimals.
    let exponent = ((x.to_bits() >> 52) & 0x7ff) as i64 - 1023;
    let decimals = (52 - exponent).clamp(0, 1074) as usize;
    format!("{x:.decimals$}")
}

/// Compares two numbers in digits.
fn compare_texts(left: &str, right: &str) -> Ordering {
    let signed = |text: &str| {
        let (negative, digits) = match text.strip_prefix('-') {
            Some(digits) => (true, digits.to_owned()),
            None => (false, text.to_owned()),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((&digits, ""));
        let whole = whole.trim_start_matches('0').to_owned();
        let fraction = fraction.trim_end_matches('0').to_owned();
        let is_zero = whole.is_empty() && fraction.is_empty();
        (negative && !is_zero, whole.len(), whole, fraction)
    };
    let (left, right) = (signed(left), signed(right));
    let size = (left.1, &left.2, &left.3).cmp(&(right.1, &right.2, &right.3));
    match (left.0, right.0) {
        (false, false) => size,
        (true, true) => size.reverse(),
        (true, false) => Ordering::Less,
        (false, true) => Ordering::Greater,
    }
}

/// The lexical form of `xs:date`, as minutes from the first day of the year 0 in UTC.
pub fn date(text: &str) -> Option<i64> {
    let text = text.trim_matches(SPACE);
    let (before_christ, rest) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (year, rest) = rest.split_once('-')?;
    let (month, rest) = rest.split_once('-')?;
    let (day, zone) = rest.split_at_checked(2)?;
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let fits = (4..=YEAR_DIGITS).contains(&year.len()) && month.len() == 2;
    let padded = year.len() > 4 && year.starts_with('0');
    if !fits || padded || ![year, month, day].iter().all(|part| digits(part)) {
        return None;
    }
    let (year, month, day): (i64, i64, i64) =
        (year.parse().ok()?, month.parse().ok()?, day.parse().ok()?);
    let year = if before_christ { -year } else { year };
    let last = match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    if !(1..=last).contains(&day) {
        return None;
    }
    Some(days(year, month, day) * 24 * 60 - offset(zone)?)
}

/// Days of the proleptic Gregorian calendar from the first of March of the year 0.
fn days(year: i64, month: i64, day: i64) -> i64 {
    // Years that begin in March have the leap day at their end.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let leaps = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    365 * year + leaps + (153 * month + 2) / 5 + day - 1
}

/// Minutes of a time zone: none, `Z`, `+01:00`.
fn offset(zone: &str) -> Option<i64> {
    if zone.is_empty() || zone == "Z" {
        return Some(0);
    }
    let (sign, rest) = zone.split_at_checked(1)?;
    let (hours, minutes) = rest.split_once(':')?;
    let number = |text: &str| {
        let fits = text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit());
        fits.then(|| text.parse::<i64>().ok()).flatten()
    };
    let (hours, minutes) = (number(hours)?, number(minutes)?);
    let total = hours * 60 + minutes;
    if minutes > 59 || total > 14 * 60 {
        return None;
    }
    match sign {
        "+" => Some(total),
        "-" => Some(-total),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
