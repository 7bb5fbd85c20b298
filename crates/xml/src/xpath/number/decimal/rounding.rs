//! Whole numbers below, above and nearest to a decimal, Functions and Operators section 6.4.

use std::cmp::Ordering;

use super::{DecimalResult, XPathDecimal, big_power, power};
use crate::xpath::number::{Integer, MAX_SCALE};

impl XPathDecimal {
    /// The largest whole number not above it.
    pub fn floor(&self) -> XPathDecimal {
        let cut = self.truncated();
        if !self.is_negative() || cut == *self {
            return cut;
        }
        cut.subtract(&XPathDecimal::small(1, 0)).unwrap_or(cut)
    }

    /// The smallest whole number not below it.
    pub fn ceiling(&self) -> XPathDecimal {
        self.negate().floor().negate()
    }

    /// The whole part.
    pub(crate) fn truncated(&self) -> XPathDecimal {
        self.to_integer().to_decimal()
    }

    /// The whole part as an integer.
    pub fn to_integer(&self) -> Integer {
        if let Some((mantissa, scale)) = self.parts() {
            return Integer::from(power(scale).map_or(0, |divisor| mantissa / divisor));
        }
        let (mantissa, scale) = self.big_parts();
        Integer::from(mantissa / big_power(scale))
    }

    /// Rounded to so many digits after the point (less than zero: before it), half up.
    pub fn round(&self, digits: i64) -> DecimalResult {
        self.rounded(digits, |half, _| half != Ordering::Less)
    }

    /// Rounded to so many digits, half to even.
    pub fn round_half_even(&self, digits: i64) -> DecimalResult {
        self.rounded(digits, |half, odd| half == Ordering::Greater || half.is_eq() && odd)
    }

    /// Rounds; `up` is told how the rest compares with a half, and whether the floor is odd.
    fn rounded(&self, digits: i64, up: impl Fn(Ordering, bool) -> bool) -> DecimalResult {
        let limit = i64::from(MAX_SCALE);
        let shift = XPathDecimal::big(big_power(digits.unsigned_abs().min(limit as u64) as u32), 0);
        let scaled = if digits >= 0 {
            if self.parts().is_some_and(|(_, scale)| i64::from(scale) <= digits) {
                return Ok(self.clone());
            }
            self.multiply(&shift)?
        } else {
            // The divisor is a power of ten: moving the point is exact.
            let (mantissa, scale) = self.big_parts();
            XPathDecimal::big(mantissa, scale + digits.unsigned_abs().min(limit as u64) as u32)
        };
        let floor = scaled.floor();
        let rest = scaled.subtract(&floor)?;
        let odd = !floor.remainder(&XPathDecimal::small(2, 0))?.is_zero();
        let whole = if up(rest.cmp(&XPathDecimal::small(5, 1)), odd) {
            floor.add(&XPathDecimal::small(1, 0))?
        } else {
            floor
        };
        if digits >= 0 {
            let (mantissa, scale) = whole.big_parts();
            return Ok(XPathDecimal::big(mantissa, scale + digits.min(limit) as u32).stripped());
        }
        whole.multiply(&shift)
    }
}
