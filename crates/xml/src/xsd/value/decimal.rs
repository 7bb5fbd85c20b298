//! Decimals of any length, compared exactly (section 3.2.3).

use std::cmp::Ordering;
use std::fmt;

/// A decimal without leading zeros before the point and without trailing ones after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) struct LexicalDecimal<'t> {
    is_negative: bool,
    whole: &'t str,
    fraction: &'t str,
}

impl<'t> LexicalDecimal<'t> {
    /// Reads `[+-]? digits [. digits]`; at least one digit somewhere, no exponent.
    pub(in super::super) fn read(text: &'t str) -> Option<LexicalDecimal<'t>> {
        let (is_negative, digits) = match text.as_bytes().first()? {
            b'-' => (true, text.get(1..)?),
            b'+' => (false, text.get(1..)?),
            _ => (false, text),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let are_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if (whole.is_empty() && fraction.is_empty()) || !are_digits(whole) || !are_digits(fraction)
        {
            return None;
        }
        let whole = whole.trim_start_matches('0');
        let fraction = fraction.trim_end_matches('0');
        let is_zero = whole.is_empty() && fraction.is_empty();
        Some(LexicalDecimal { is_negative: is_negative && !is_zero, whole, fraction })
    }

    /// Digits that the value needs, both sides of the point.
    pub(in super::super) fn total_digits(&self) -> usize {
        let after_point = if self.whole.is_empty() {
            self.fraction.trim_start_matches('0').len()
        } else {
            self.fraction.len()
        };
        (self.whole.len() + after_point).max(1)
    }

    /// Digits that the value needs after the point.
    pub(in super::super) fn fraction_digits(&self) -> usize {
        self.fraction.len()
    }
}

impl Ord for LexicalDecimal<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        let size = || {
            self.whole
                .len()
                .cmp(&other.whole.len())
                .then_with(|| self.whole.cmp(other.whole))
                .then_with(|| self.fraction.cmp(other.fraction))
        };
        match (self.is_negative, other.is_negative) {
            (false, true) => Ordering::Greater,
            (true, false) => Ordering::Less,
            (false, false) => size(),
            (true, true) => size().reverse(),
        }
    }
}

impl PartialOrd for LexicalDecimal<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for LexicalDecimal<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.is_negative { "-" } else { "" };
        write!(f, "{sign}{}.{}", self.whole, self.fraction)
    }
}
