//! `xs:integer` of any size.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use num_bigint::BigInt;
use num_bigint::Sign;

use super::super::error::ErrorCode;
use super::{MAX_BITS, XPathDecimal};

/// An `xs:integer`.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Integer(IntegerForm);

#[derive(Clone, PartialEq, Eq, Hash)]
enum IntegerForm {
    Small(i64),
    /// Never one that fits into the small form.
    Big(Arc<BigInt>),
}

use IntegerForm::{Big, Small};

impl From<i64> for Integer {
    fn from(value: i64) -> Self {
        Integer(Small(value))
    }
}

impl From<i128> for Integer {
    fn from(value: i128) -> Self {
        match i64::try_from(value) {
            Ok(small) => Integer(Small(small)),
            Err(_) => Integer(Big(Arc::new(value.into()))),
        }
    }
}

impl From<BigInt> for Integer {
    fn from(value: BigInt) -> Self {
        match i64::try_from(&value) {
            Ok(small) => Integer(Small(small)),
            Err(_) => Integer(Big(Arc::new(value))),
        }
    }
}

impl Ord for Integer {
    fn cmp(&self, other: &Self) -> Ordering {
        match (&self.0, &other.0) {
            (Small(a), Small(b)) => a.cmp(b),
            (Big(a), Big(b)) => a.cmp(b),
            (Small(_), Big(b)) => {
                if b.sign() == Sign::Minus {
                    Ordering::Greater
                } else {
                    Ordering::Less
                }
            }
            (Big(a), Small(_)) => {
                if a.sign() == Sign::Minus {
                    Ordering::Less
                } else {
                    Ordering::Greater
                }
            }
        }
    }
}

impl PartialOrd for Integer {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Integer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Small(value) => value.fmt(f),
            Big(value) => value.fmt(f),
        }
    }
}

impl fmt::Debug for Integer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// What is possible for two numbers: a value or an error code.
type IntegerResult = Result<Integer, ErrorCode>;

impl Integer {
    /// The value in 64 bits, where it fits.
    pub fn to_i64(&self) -> Option<i64> {
        match &self.0 {
            Small(value) => Some(*value),
            Big(_) => None,
        }
    }

    /// The value as a big number.
    pub(crate) fn to_big(&self) -> BigInt {
        match &self.0 {
            Small(value) => BigInt::from(*value),
            Big(value) => value.as_ref().clone(),
        }
    }

    /// The nearest double.
    pub fn to_f64(&self) -> f64 {
        match &self.0 {
            Small(value) => *value as f64,
            Big(value) => value.to_string().parse().unwrap_or(f64::NAN),
        }
    }

    /// Whether it is zero.
    pub fn is_zero(&self) -> bool {
        self.0 == Small(0)
    }

    /// Whether it is less than zero.
    pub fn is_negative(&self) -> bool {
        match &self.0 {
            Small(value) => *value < 0,
            Big(value) => value.sign() == Sign::Minus,
        }
    }

    /// Reads the lexical form of `xs:integer` without white space around it.
    pub fn parse(text: &str) -> Option<Integer> {
        let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let text = text.strip_prefix('+').unwrap_or(text);
        if digits.len() <= 18 {
            return text.parse().ok().map(|value| Integer(Small(value)));
        }
        if digits.len() as u64 > MAX_BITS / 4 {
            return None;
        }
        BigInt::from_str(text).ok().map(Integer::from)
    }

    fn big(value: BigInt) -> IntegerResult {
        if value.bits() > MAX_BITS { Err(ErrorCode::FOAR0002) } else { Ok(value.into()) }
    }

    /// The sum; `FOAR0002` over the limit of size.
    pub fn add(&self, other: &Integer) -> IntegerResult {
        if let (Small(a), Small(b)) = (&self.0, &other.0)
            && let Some(sum) = a.checked_add(*b)
        {
            return Ok(Integer(Small(sum)));
        }
        Integer::big(self.to_big() + other.to_big())
    }

    /// The difference; `FOAR0002` over the limit of size.
    pub fn subtract(&self, other: &Integer) -> IntegerResult {
        if let (Small(a), Small(b)) = (&self.0, &other.0)
            && let Some(difference) = a.checked_sub(*b)
        {
            return Ok(Integer(Small(difference)));
        }
        Integer::big(self.to_big() - other.to_big())
    }

    /// The product; `FOAR0002` over the limit of size.
    pub fn multiply(&self, other: &Integer) -> IntegerResult {
        if let (Small(a), Small(b)) = (&self.0, &other.0)
            && let Some(product) = a.checked_mul(*b)
        {
            return Ok(Integer(Small(product)));
        }
        Integer::big(self.to_big() * other.to_big())
    }

    /// The quotient cut towards zero; `FOAR0001` for a divisor of zero.
    pub fn quotient(&self, other: &Integer) -> IntegerResult {
        if other.is_zero() {
            return Err(ErrorCode::FOAR0001);
        }
        if let (Small(a), Small(b)) = (&self.0, &other.0)
            && let Some(quotient) = a.checked_div(*b)
        {
            return Ok(Integer(Small(quotient)));
        }
        Integer::big(self.to_big() / other.to_big())
    }

    /// The remainder with the sign of the dividend; `FOAR0001` for a divisor of zero.
    pub fn remainder(&self, other: &Integer) -> IntegerResult {
        if other.is_zero() {
            return Err(ErrorCode::FOAR0001);
        }
        if let (Small(a), Small(b)) = (&self.0, &other.0)
            && let Some(remainder) = a.checked_rem(*b)
        {
            return Ok(Integer(Small(remainder)));
        }
        Integer::big(self.to_big() % other.to_big())
    }

    /// The value with the other sign.
    pub fn negate(&self) -> Integer {
        match &self.0 {
            Small(value) => Integer::from(-i128::from(*value)),
            Big(value) => Integer::from(-value.as_ref().clone()),
        }
    }

    /// The value without its sign.
    pub fn absolute(&self) -> Integer {
        if self.is_negative() { self.negate() } else { self.clone() }
    }

    /// The same value as a decimal.
    pub fn to_decimal(&self) -> XPathDecimal {
        match &self.0 {
            Small(value) => XPathDecimal::small(i128::from(*value), 0),
            Big(value) => XPathDecimal::big(value.as_ref().clone(), 0),
        }
    }
}
