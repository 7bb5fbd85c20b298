//! `xs:decimal`: exact, of any size.

mod rounding;

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use num_bigint::{BigInt, Sign};

use super::super::error::ErrorCode;
use super::{DIVISION_DIGITS, Integer, MAX_BITS, MAX_SCALE};

/// An `xs:decimal`: `mantissa / 10^scale`.
#[derive(Clone)]
pub struct XPathDecimal(DecimalForm);

/// The mantissa of the small form is split so that a value needs no more than 8-byte alignment.
#[derive(Clone)]
enum DecimalForm {
    Small { high: i64, low: u64, scale: u32 },
    Big(Arc<(BigInt, u32)>),
}

/// A value or an error code.
type DecimalResult<T = XPathDecimal> = Result<T, ErrorCode>;

fn power(exponent: u32) -> Option<i128> {
    10i128.checked_pow(exponent)
}

fn big_power(exponent: u32) -> BigInt {
    power(exponent).map_or_else(|| BigInt::from(10).pow(exponent), BigInt::from)
}

impl XPathDecimal {
    /// `mantissa / 10^scale`.
    pub fn small(mantissa: i128, scale: u32) -> XPathDecimal {
        XPathDecimal(DecimalForm::Small {
            high: (mantissa >> 64) as i64,
            low: mantissa as u64,
            scale,
        })
    }

    /// `mantissa / 10^scale` of a mantissa of any size.
    pub(crate) fn big(mantissa: BigInt, scale: u32) -> XPathDecimal {
        match i128::try_from(&mantissa) {
            Ok(small) => XPathDecimal::small(small, scale),
            Err(_) => XPathDecimal(DecimalForm::Big(Arc::new((mantissa, scale)))),
        }
    }

    fn checked(mantissa: BigInt, scale: u32) -> DecimalResult {
        if mantissa.bits() > MAX_BITS {
            return Err(ErrorCode::FOAR0002);
        }
        if scale > MAX_SCALE {
            let cut = big_power(scale - MAX_SCALE);
            return Ok(XPathDecimal::big(mantissa / cut, MAX_SCALE));
        }
        Ok(XPathDecimal::big(mantissa, scale))
    }

    fn parts(&self) -> Option<(i128, u32)> {
        match &self.0 {
            DecimalForm::Small { high, low, scale } => {
                Some(((i128::from(*high) << 64) | i128::from(*low), *scale))
            }
            DecimalForm::Big(_) => None,
        }
    }

    fn big_parts(&self) -> (BigInt, u32) {
        match (&self.0, self.parts()) {
            (DecimalForm::Big(held), _) => (held.0.clone(), held.1),
            (_, Some((mantissa, scale))) => (mantissa.into(), scale),
            (DecimalForm::Small { .. }, None) => (BigInt::ZERO, 0),
        }
    }

    /// Both mantissas at the same scale, in 128 bits.
    fn aligned(&self, other: &XPathDecimal) -> Option<(i128, i128, u32)> {
        let ((a, a_scale), (b, b_scale)) = (self.parts()?, other.parts()?);
        match a_scale.cmp(&b_scale) {
            Ordering::Equal => Some((a, b, a_scale)),
            Ordering::Less => Some((a.checked_mul(power(b_scale - a_scale)?)?, b, b_scale)),
            Ordering::Greater => Some((a, b.checked_mul(power(a_scale - b_scale)?)?, a_scale)),
        }
    }

    fn big_aligned(&self, other: &XPathDecimal) -> (BigInt, BigInt, u32) {
        let ((a, a_scale), (b, b_scale)) = (self.big_parts(), other.big_parts());
        let scale = a_scale.max(b_scale);
        (a * big_power(scale - a_scale), b * big_power(scale - b_scale), scale)
    }

    /// Reads the lexical form of `xs:decimal` without white space around it.
    pub fn parse(text: &str) -> Option<XPathDecimal> {
        let bytes = text.as_bytes();
        let (negative, digits) = match bytes.split_first()? {
            (b'-', rest) => (true, rest),
            (b'+', rest) => (false, rest),
            _ => (false, bytes),
        };
        let (mut mantissa, mut scale, mut count, mut point) = (0i128, 0u32, 0usize, false);
        for &byte in digits {
            match byte {
                b'0'..=b'9' => {
                    count += 1;
                    scale += u32::from(point);
                    if count <= 38 {
                        mantissa = mantissa.wrapping_mul(10) + i128::from(byte - b'0');
                    }
                }
                b'.' if !point => point = true,
                _ => return None,
            }
        }
        if count == 0 || count as u64 > MAX_BITS / 4 {
            return None;
        }
        if count <= 38 {
            return Some(XPathDecimal::small(if negative { -mantissa } else { mantissa }, scale));
        }
        let only: Vec<u8> = digits.iter().copied().filter(|byte| *byte != b'.').collect();
        let value = BigInt::parse_bytes(&only, 10)?;
        XPathDecimal::checked(if negative { -value } else { value }, scale).ok()
    }

    /// The exact value of a double; `None` for NaN and the infinities.
    pub fn from_f64(value: f64) -> Option<XPathDecimal> {
        if !value.is_finite() {
            return None;
        }
        if value.fract() == 0.0 && value.abs() < 1e18 {
            return Some(XPathDecimal::small(value as i128, 0));
        }
        let bits = value.to_bits();
        let exponent = ((bits >> 52) & 0x7ff) as i32;
        let fraction = bits & ((1 << 52) - 1);
        let (mantissa, exponent) =
            if exponent == 0 { (fraction, -1074) } else { (fraction | (1 << 52), exponent - 1075) };
        let zeros = mantissa.trailing_zeros().min(52);
        let (mantissa, exponent) = (mantissa >> zeros, exponent + zeros as i32);
        let mut big = BigInt::from(mantissa);
        let scale = exponent.min(0).unsigned_abs();
        if exponent >= 0 {
            big <<= exponent;
        } else {
            big *= BigInt::from(5).pow(scale);
        }
        Some(XPathDecimal::big(if value < 0.0 { -big } else { big }, scale))
    }

    /// The nearest double.
    pub fn to_f64(&self) -> f64 {
        if let Some((mantissa, scale)) = self.parts()
            && mantissa.unsigned_abs() < 1 << 53
            && scale <= 22
        {
            // Both are exact doubles, so one division rounds correctly.
            return mantissa as f64 / 10f64.powi(scale as i32);
        }
        self.to_string().parse().unwrap_or(f64::NAN)
    }

    /// Whether it is zero.
    pub fn is_zero(&self) -> bool {
        self.parts().is_some_and(|(mantissa, _)| mantissa == 0)
    }

    /// Whether it is less than zero.
    pub fn is_negative(&self) -> bool {
        match (&self.0, self.parts()) {
            (DecimalForm::Big(held), _) => held.0.sign() == Sign::Minus,
            (_, parts) => parts.is_some_and(|(mantissa, _)| mantissa < 0),
        }
    }

    /// The sum; `FOAR0002` over the limit of size.
    pub fn add(&self, other: &XPathDecimal) -> DecimalResult {
        if let Some((a, b, scale)) = self.aligned(other)
            && let Some(sum) = a.checked_add(b)
        {
            return Ok(XPathDecimal::small(sum, scale));
        }
        let (a, b, scale) = self.big_aligned(other);
        XPathDecimal::checked(a + b, scale)
    }

    /// The difference; `FOAR0002` over the limit of size.
    pub fn subtract(&self, other: &XPathDecimal) -> DecimalResult {
        self.add(&other.negate())
    }

    /// The product; `FOAR0002` over the limit of size.
    pub fn multiply(&self, other: &XPathDecimal) -> DecimalResult {
        if let (Some((a, a_scale)), Some((b, b_scale))) = (self.parts(), other.parts())
            && let Some(product) = a.checked_mul(b)
            && a_scale + b_scale <= MAX_SCALE
        {
            return Ok(XPathDecimal::small(product, a_scale + b_scale));
        }
        let ((a, a_scale), (b, b_scale)) = (self.big_parts(), other.big_parts());
        XPathDecimal::checked(a * b, a_scale + b_scale)
    }

    /// The quotient; `FOAR0001` for a divisor of zero.
    pub fn divide(&self, other: &XPathDecimal) -> DecimalResult {
        if other.is_zero() {
            return Err(ErrorCode::FOAR0001);
        }
        let (a, b) = (self.stripped(), other.stripped());
        let more = a.signed_scale() - b.signed_scale() + DIVISION_DIGITS;
        let scale = DIVISION_DIGITS.max(more).clamp(0, i64::from(MAX_SCALE)) as u32;
        if let Some(quotient) = a.divide_small(&b, scale) {
            return Ok(quotient.stripped());
        }
        let ((a, a_scale), (b, b_scale)) = (a.big_parts(), b.big_parts());
        // a / 10^a_scale / (b / 10^b_scale) * 10^scale
        let (a, b) = (a * big_power(scale + b_scale), b * big_power(a_scale));
        let (mut quotient, rest) = (&a / &b, &a % &b);
        if rest.magnitude() * 2u32 > *b.magnitude() {
            quotient += if (a.sign() == Sign::Minus) == (b.sign() == Sign::Minus) { 1 } else { -1 };
        }
        Ok(XPathDecimal::checked(quotient, scale)?.stripped())
    }

    fn divide_small(&self, other: &XPathDecimal, scale: u32) -> Option<XPathDecimal> {
        let ((a, a_scale), (b, b_scale)) = (self.parts()?, other.parts()?);
        let shift = scale + b_scale;
        let (a, b) = if shift >= a_scale {
            (a.checked_mul(power(shift - a_scale)?)?, b)
        } else {
            (a, b.checked_mul(power(a_scale - shift)?)?)
        };
        let (mut quotient, rest) = (a.checked_div(b)?, a.checked_rem(b)?);
        if rest.unsigned_abs().checked_mul(2)? > b.unsigned_abs() {
            quotient = quotient.checked_add(if (a < 0) == (b < 0) { 1 } else { -1 })?;
        }
        Some(XPathDecimal::small(quotient, scale))
    }

    /// The scale after trailing zeros went, less than zero for a multiple of ten.
    fn signed_scale(&self) -> i64 {
        let (mantissa, scale) = match self.parts() {
            Some(parts) => parts,
            None => return i64::from(self.big_parts().1),
        };
        if scale > 0 || mantissa == 0 {
            return i64::from(scale);
        }
        let (mut rest, mut zeros) = (mantissa, 0);
        while rest % 10 == 0 {
            rest /= 10;
            zeros += 1;
        }
        -zeros
    }

    /// The quotient cut towards zero, as an integer.
    pub fn quotient(&self, other: &XPathDecimal) -> DecimalResult<Integer> {
        if other.is_zero() {
            return Err(ErrorCode::FOAR0001);
        }
        match self.aligned(other).and_then(|(a, b, _)| a.checked_div(b)) {
            Some(quotient) => Ok(Integer::from(quotient)),
            None => {
                let (a, b, _) = self.big_aligned(other);
                Ok(Integer::from(a / b))
            }
        }
    }

    /// The remainder with the sign of the dividend; `FOAR0001` for a divisor of zero.
    pub fn remainder(&self, other: &XPathDecimal) -> DecimalResult {
        if other.is_zero() {
            return Err(ErrorCode::FOAR0001);
        }
        if let Some((a, b, scale)) = self.aligned(other)
            && let Some(remainder) = a.checked_rem(b)
        {
            return Ok(XPathDecimal::small(remainder, scale));
        }
        let (a, b, scale) = self.big_aligned(other);
        XPathDecimal::checked(a % b, scale)
    }

    /// The value with the other sign.
    pub fn negate(&self) -> XPathDecimal {
        match self.parts() {
            Some((mantissa, scale)) if mantissa != i128::MIN => {
                XPathDecimal::small(-mantissa, scale)
            }
            _ => {
                let (mantissa, scale) = self.big_parts();
                XPathDecimal::big(-mantissa, scale)
            }
        }
    }

    /// The value without its sign.
    pub fn absolute(&self) -> XPathDecimal {
        if self.is_negative() { self.negate() } else { self.clone() }
    }

    /// The value without trailing zeros after the point.
    fn stripped(&self) -> XPathDecimal {
        if let Some((mut mantissa, mut scale)) = self.parts() {
            if mantissa == 0 {
                return XPathDecimal::small(0, 0);
            }
            while scale > 0 && mantissa % 10 == 0 {
                mantissa /= 10;
                scale -= 1;
            }
            return XPathDecimal::small(mantissa, scale);
        }
        let (mut mantissa, mut scale) = self.big_parts();
        let ten = BigInt::from(10);
        while scale > 0 && (&mantissa % &ten).sign() == Sign::NoSign {
            mantissa /= &ten;
            scale -= 1;
        }
        XPathDecimal::big(mantissa, scale)
    }
}

impl Ord for XPathDecimal {
    fn cmp(&self, other: &Self) -> Ordering {
        if let Some((a, b, _)) = self.aligned(other) {
            return a.cmp(&b);
        }
        let (a, b, _) = self.big_aligned(other);
        a.cmp(&b)
    }
}

impl PartialOrd for XPathDecimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for XPathDecimal {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for XPathDecimal {}

impl Hash for XPathDecimal {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.to_f64().to_bits().hash(state);
    }
}

impl fmt::Display for XPathDecimal {
    /// The canonical form of Functions and Operators 17.1.2: no trailing zeros, no point without
    /// digits after it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stripped = self.stripped();
        let (mantissa, scale) = match stripped.parts() {
            Some((mantissa, scale)) => (mantissa.unsigned_abs().to_string(), scale as usize),
            None => {
                let (mantissa, scale) = stripped.big_parts();
                (mantissa.magnitude().to_string(), scale as usize)
            }
        };
        if stripped.is_negative() {
            f.write_str("-")?;
        }
        if scale == 0 {
            return f.write_str(&mantissa);
        }
        let padded = format!("{mantissa:0>width$}", width = scale + 1);
        let (whole, fraction) =
            padded.split_at_checked(padded.len() - scale).unwrap_or((&padded, ""));
        write!(f, "{whole}.{fraction}")
    }
}

impl fmt::Debug for XPathDecimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
