//! Comparing, multiplying, dividing and rounding decimals.

use std::cmp::Ordering;

use super::{Decimal, MAX_DIGITS, wide};

/// Decimals that a division is carried to, the last one rounded with a half going towards nought.
/// XPath 2.0 leaves it to the processor; the reference engine of the official rules does this.
pub const DIVISION_DECIMALS: u32 = 18;

/// Units below this can be carried to [`DIVISION_DECIMALS`] decimals.
const SHORT: u128 = 10_u128.pow(18);

/// The largest power of ten that fits.
const MAX_POWER: u32 = MAX_DIGITS as u32;

impl Decimal {
    /// `units / 10^scale`, for constants: `Decimal::new(5, 1)` is 0.5. A scale over 38 gives
    /// nought.
    pub fn new(units: i64, scale: u32) -> Decimal {
        if scale > MAX_POWER {
            return Decimal::ZERO;
        }
        Decimal { units: i128::from(units), scale }.normal()
    }

    /// The exact product. Where it has more than 38 digits its last decimals are rounded away, a
    /// half to even; `None` where the digits before the point are too many.
    pub fn checked_mul(self, other: Decimal) -> Option<Decimal> {
        let scale = self.scale + other.scale;
        let product = match self.units.checked_mul(other.units) {
            Some(units) => Decimal { units, scale },
            None => {
                let wide = Wide::product(self.units.unsigned_abs(), other.units.unsigned_abs());
                let (magnitude, scale) = wide.fit(scale)?;
                let negative = self.is_negative() != other.is_negative();
                Decimal { units: signed(magnitude, negative)?, scale }
            }
        };
        product.normal().within()
    }

    /// The quotient to [`DIVISION_DECIMALS`] decimals (or as many as an operand has, if more);
    /// `None` for a division by nought or a quotient that has too many digits.
    pub fn checked_div(self, other: Decimal) -> Option<Decimal> {
        if other.is_zero() {
            return None;
        }
        if other == Decimal::from(1) && self.units.unsigned_abs() < SHORT {
            return Some(self);
        }
        let scale = DIVISION_DECIMALS.max(self.scale).max(other.scale);
        // self / other = (self.units * 10^shift / other.units) / 10^scale
        let shift = scale + other.scale - self.scale;
        let divisor = other.units.unsigned_abs();
        let quick = || {
            let power = (shift <= MAX_POWER).then(|| 10_u128.pow(shift))?;
            let numerator = Wide::product(self.units.unsigned_abs(), power);
            let (quotient, remainder) = numerator.divide(divisor)?;
            let up = u128::from(remainder > divisor - remainder);
            let magnitude = quotient.checked_add(up)?;
            let units = signed(magnitude, self.is_negative() != other.is_negative())?;
            Decimal { units, scale }.normal().within()
        };
        quick().or_else(|| wide::quotient(self, other, scale))
    }

    /// Rounded to so many decimals, a half going up towards plus infinity, as `round()` of XPath
    /// does it (XPath functions 2.0 section 6.4.4).
    pub fn round(self, decimals: u32) -> Decimal {
        if self.scale <= decimals {
            return self;
        }
        let divisor = 10_i128.checked_pow(self.scale - decimals).unwrap_or(i128::MAX);
        let half_up = self.units.saturating_add(divisor / 2).div_euclid(divisor);
        Decimal { units: half_up, scale: decimals }.normal()
    }

    /// Without its sign.
    pub fn abs(self) -> Decimal {
        Decimal { units: self.units.saturating_abs(), scale: self.scale }
    }

    /// The other sign.
    pub fn negated(self) -> Decimal {
        Decimal { units: self.units.saturating_neg(), scale: self.scale }
    }

    /// The sum of many, as [`Decimal::checked_add`] is that of two.
    pub fn sum(values: impl IntoIterator<Item = Decimal>) -> Option<Decimal> {
        values.into_iter().try_fold(Decimal::ZERO, Decimal::checked_add)
    }

    /// How many decimals it has without trailing noughts.
    pub fn decimals(self) -> u32 {
        self.scale
    }

    /// Itself, where 38 digits hold it on both sides of the point.
    fn within(self) -> Option<Decimal> {
        (self.scale <= MAX_POWER).then_some(self).or_else(|| {
            let drop = self.scale - MAX_POWER;
            let units = 10_i128.checked_pow(drop).map_or(0, |divisor| self.units / divisor);
            Some(Decimal { units, scale: MAX_POWER }.normal())
        })
    }

    /// The whole part (towards minus infinity) and the rest as `10^-38`.
    fn split(self) -> (i128, u128) {
        let one = 10_i128.checked_pow(self.scale).unwrap_or(i128::MAX);
        let rest = self.units.rem_euclid(one).unsigned_abs();
        (self.units.div_euclid(one), rest * 10_u128.pow(MAX_POWER - self.scale.min(MAX_POWER)))
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        let scale = self.scale.max(other.scale);
        match (self.units_at(scale), other.units_at(scale)) {
            (Some(own), Some(others)) => own.cmp(&others),
            _ => self.split().cmp(&other.split()),
        }
    }
}

impl From<i64> for Decimal {
    fn from(whole: i64) -> Self {
        Decimal { units: i128::from(whole), scale: 0 }
    }
}

fn signed(magnitude: u128, negative: bool) -> Option<i128> {
    let units = i128::try_from(magnitude).ok()?;
    Some(if negative { -units } else { units })
}

/// An unsigned number of 256 bits: what two of 128 bits give when multiplied.
#[derive(Clone, Copy)]
struct Wide {
    high: u128,
    low: u128,
}

impl Wide {
    fn product(a: u128, b: u128) -> Wide {
        let mask = u128::from(u64::MAX);
        let (a_high, a_low, b_high, b_low) = (a >> 64, a & mask, b >> 64, b & mask);
        let low = a_low * b_low;
        let middle = a_high * b_low + (low >> 64);
        let (middle, carry) = middle.overflowing_add(a_low * b_high);
        let high = a_high * b_high + (middle >> 64) + (u128::from(carry) << 64);
        Wide { high, low: (middle << 64) | (low & mask) }
    }

    /// Quotient and remainder; `None` where the quotient needs more than 128 bits. Both divisors
    /// in use are below 2^127, so the running remainder never overflows.
    fn divide(self, divisor: u128) -> Option<(u128, u128)> {
        if self.high == 0 {
            return Some((self.low / divisor, self.low % divisor));
        }
        if self.high >= divisor {
            return None;
        }
        let (mut remainder, mut quotient) = (self.high, 0_u128);
        for bit in (0..128).rev() {
            remainder = (remainder << 1) | ((self.low >> bit) & 1);
            quotient <<= 1;
            if remainder >= divisor {
                remainder -= divisor;
                quotient |= 1;
            }
        }
        Some((quotient, remainder))
    }

    /// Cuts decimals, of which there are `scale`, until 38 digits hold the rest; rounds the last
    /// one, a half to even.
    fn fit(self, scale: u32) -> Option<(u128, u32)> {
        let limit = 10_u128.pow(MAX_POWER);
        for cut in 0..=scale.min(MAX_POWER) {
            let divisor = 10_u128.pow(cut);
            let Some((quotient, remainder)) = self.divide(divisor) else { continue };
            if quotient >= limit {
                continue;
            }
            let up = match (remainder * 2).cmp(&divisor) {
                Ordering::Greater => 1,
                Ordering::Equal => quotient % 2,
                Ordering::Less => 0,
            };
            return Some((quotient + up, scale - cut));
        }
        None
    }
}
