//! Exact numbers: integers of any size, and decimals as a mantissa and a scale.
//!
//! Both have a fast form in machine words and a big form; results are the same. Division gives as
//! many digits as the reference processor: 18 after the point, or 18 more than the dividend has
//! beyond the divisor, rounded half down (implementation-defined by Functions and Operators 6.2.4).

mod decimal;
mod format;
mod integer;
#[cfg(test)]
mod tests;

pub use decimal::XPathDecimal;
pub use integer::Integer;

pub(crate) use format::{double_text, float_text, parse_double, round_double};

/// Bits of a number at most; a larger result is `FOAR0002`.
pub(crate) const MAX_BITS: u64 = 1 << 17;
/// Digits of a decimal after the point at most.
pub(crate) const MAX_SCALE: u32 = 4096;
/// Digits after the point of a quotient at least, before trailing zeros go.
const DIVISION_DIGITS: i64 = 18;
