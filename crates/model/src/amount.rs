//! Exact decimal numbers as `xs:decimal` writes them, and the only place that rounds.
//!
//! Sources: XML Schema part 2 section 3.2.3 (`xs:decimal`: no exponent, no grouping), EN 16931-1
//! section 6.4 (amounts), interface specification section 7 (scientific notation).

use std::fmt;

mod arithmetic;
#[cfg(test)]
mod tests;
mod wide;

pub use arithmetic::DIVISION_DECIMALS;

use crate::text::SPACE;

/// Digits that are kept, before and after the decimal point together, without leading and trailing
/// noughts. An amount never needs them; unit prices computed in floating point come with up to 34.
/// Of a number that has more, the last decimals are rounded away.
pub const MAX_DIGITS: usize = 38;

/// Digits that fit into 64 bits whatever they are; a text no longer has no more of them.
const SHORT_DIGITS: usize = 18;

/// The powers of ten that fit.
#[expect(clippy::indexing_slicing, reason = "done by the compiler")]
const POWERS: [i128; MAX_DIGITS + 1] = {
    let mut powers = [1; MAX_DIGITS + 1];
    let mut at = 1;
    while at <= MAX_DIGITS {
        powers[at] = powers[at - 1] * 10;
        at += 1;
    }
    powers
};

/// An exact decimal number, `units / 10^scale`, without trailing zeros in the fraction.
///
/// Equal numbers are equal values: `1.50` and `1.5` give the same `Decimal`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Decimal {
    units: i128,
    scale: u32,
}

/// Why a text is not a decimal number that can be computed with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DecimalError {
    /// Nothing, or white space only.
    #[error("it is empty")]
    Empty,
    /// `1.2E3`: binary floating point printed by a program.
    #[error("it is in scientific notation (it has an exponent)")]
    Exponent,
    /// `1,200.00`, `1.200,00`, `1 200.00`, `1'200.00`.
    #[error("it has a thousands separator or a decimal comma")]
    Separator,
    /// Anything else that is not digits with at most one point and one sign.
    #[error("it is not a number in digits")]
    Syntax,
    /// A number, but with more than [`MAX_DIGITS`] digits before its point.
    #[error("it has more than {MAX_DIGITS} digits before its point")]
    Range,
}

impl Decimal {
    /// Nought.
    pub const ZERO: Decimal = Decimal { units: 0, scale: 0 };

    /// Reads the lexical form of `xs:decimal`: optional sign, digits, optional point and digits;
    /// white space around it is passed over.
    ///
    /// # Errors
    /// [`DecimalError`] says in which way the text is something else.
    pub fn parse(text: &str) -> Result<Decimal, DecimalError> {
        Decimal::short(text).map_or_else(|| Decimal::any(text), Ok)
    }

    /// What nearly every amount is: a few digits, perhaps with a point among them.
    fn short(text: &str) -> Option<Decimal> {
        if text.len() > SHORT_DIGITS {
            return None;
        }
        let (mut units, mut scale, mut has_point, mut has_digit) = (0_i64, 0, false, false);
        for byte in text.bytes() {
            match byte {
                b'0'..=b'9' => {
                    units = units * 10 + i64::from(byte - b'0');
                    scale += u32::from(has_point);
                    has_digit = true;
                }
                b'.' if !has_point => has_point = true,
                _ => return None,
            }
        }
        has_digit.then(|| Decimal { units: i128::from(units), scale }.normal())
    }

    fn any(text: &str) -> Result<Decimal, DecimalError> {
        let text = text.trim_matches(SPACE);
        if text.is_empty() {
            return Err(DecimalError::Empty);
        }
        let (negative, digits) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let is_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if (whole.is_empty() && fraction.is_empty()) || !is_digits(whole) || !is_digits(fraction) {
            return Err(classify(digits));
        }
        let whole = whole.trim_start_matches('0');
        let fraction = fraction.trim_end_matches('0');
        if whole.len() + fraction.len() > MAX_DIGITS {
            return wide::read(negative, whole, fraction).ok_or(DecimalError::Range);
        }
        // At most 38 digits cannot overflow.
        let digits = whole.bytes().chain(fraction.bytes());
        let units = digits.fold(0_i128, |units, digit| units * 10 + i128::from(digit - b'0'));
        let units = if negative { -units } else { units };
        Ok(Decimal { units, scale: fraction.len() as u32 })
    }

    /// The exact sum; of one with more than 38 digits the last decimals are rounded away, and it is
    /// `None` where the digits before the point are too many.
    pub fn checked_add(self, other: Decimal) -> Option<Decimal> {
        let scale = self.scale.max(other.scale);
        let sum = |own: i128, others: i128| own.checked_add(others);
        let sum = self.units_at(scale).zip(other.units_at(scale)).and_then(|(a, b)| sum(a, b));
        match sum {
            Some(units) => Some(Decimal { units, scale }.normal()),
            None => wide::sum(self, other),
        }
    }

    /// The exact difference, as [`Decimal::checked_add`] is a sum.
    pub fn checked_sub(self, other: Decimal) -> Option<Decimal> {
        self.checked_add(Decimal { units: -other.units, scale: other.scale })
    }

    /// Rounded to 2 decimals, a half going up towards plus infinity: 0.125 to 0.13, and -0.125 to
    /// -0.12. That is `round(x * 100) div 100` of XPath (XPath functions 2.0 section 6.4.4), in
    /// which the official rules BR-CO-10 to BR-CO-16 are written.
    pub fn round_to_cents(self) -> Decimal {
        self.round(2)
    }

    /// Whether it is nought.
    pub fn is_zero(self) -> bool {
        self.units == 0
    }

    /// Whether it is below nought.
    pub fn is_negative(self) -> bool {
        self.units < 0
    }

    fn units_at(self, scale: u32) -> Option<i128> {
        if scale == self.scale {
            return Some(self.units);
        }
        self.units.checked_mul(*POWERS.get((scale - self.scale) as usize)?)
    }

    fn normal(mut self) -> Decimal {
        // Division of 128 bits is slow, and hardly ever needed.
        if let Ok(mut units) = i64::try_from(self.units) {
            while self.scale > 0 && units % 10 == 0 {
                units /= 10;
                self.scale -= 1;
            }
            return Decimal { units: i128::from(units), ..self };
        }
        while self.scale > 0 && self.units % 10 == 0 {
            self.units /= 10;
            self.scale -= 1;
        }
        self
    }
}

/// Fixed notation. A precision pads with noughts and never cuts: `{:.2}` of 7 is `7.00`, of 7.125
/// is `7.125`.
impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scale = self.scale as usize;
        let digits = format!("{:0>width$}", self.units.unsigned_abs(), width = scale + 1);
        let (whole, fraction) = digits.split_at(digits.len() - scale);
        let sign = if self.is_negative() { "-" } else { "" };
        let width = f.precision().unwrap_or(0).max(scale);
        match width {
            0 => write!(f, "{sign}{whole}"),
            _ => write!(f, "{sign}{whole}.{fraction:0<width$}"),
        }
    }
}

/// How many characters follow the first point, as the official rules on decimals count them:
/// trailing noughts and white space included.
pub fn decimals_as_written(text: &str) -> usize {
    text.split_once('.').map_or(0, |(_, fraction)| fraction.chars().count())
}

/// What a text is that is not a decimal number.
fn classify(text: &str) -> DecimalError {
    let is_number = |part: &str| {
        let part = part.strip_prefix(['+', '-']).unwrap_or(part);
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
    };
    if let Some((mantissa, exponent)) = text.split_once(['e', 'E'])
        && is_number(mantissa)
        && is_number(exponent)
    {
        return DecimalError::Exponent;
    }
    let grouped = |c: char| matches!(c, ',' | '.' | '\'' | '\u{2019}' | '_') || c.is_whitespace();
    let has_digit = text.bytes().any(|byte| byte.is_ascii_digit());
    // A point or a blank at an end separates nothing.
    let inner = text.trim_matches(|c: char| c == '.' || c.is_whitespace());
    if is_number(inner) && inner.matches('.').count() < 2 {
        return DecimalError::Syntax;
    }
    if has_digit && text.chars().all(|c| c.is_ascii_digit() || grouped(c)) {
        return DecimalError::Separator;
    }
    DecimalError::Syntax
}
