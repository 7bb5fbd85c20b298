//! What does not fit into 128 bits on the way: exact integers of any size, rounded to the digits
//! that are kept. Amounts never come here; quotients with many decimals do.

use num_bigint::{BigInt, Sign};

use super::{Decimal, MAX_DIGITS};

/// Digits of an integer without its sign.
fn digits(units: &BigInt) -> usize {
    match units.sign() {
        Sign::NoSign => 1,
        _ => units.magnitude().to_string().len(),
    }
}

fn power(exponent: u32) -> BigInt {
    BigInt::from(10).pow(exponent)
}

/// `units / 10^scale`, its last decimals rounded away (a half to even) until there are no more than
/// [`MAX_DIGITS`], and as many digits hold the rest; `None` where those before the point are too
/// many.
pub(super) fn fit(units: &BigInt, scale: u32) -> Option<Decimal> {
    let excess = u32::try_from(digits(units).saturating_sub(MAX_DIGITS)).ok()?;
    if excess > scale {
        return None;
    }
    let excess = excess.max(scale.saturating_sub(MAX_DIGITS as u32));
    let (cut, mut scale) = (rounded(units, &power(excess)), scale - excess);
    let mut units = i128::try_from(&cut).ok()?;
    // 99.9 may have become 100.
    if units.unsigned_abs() >= 10_u128.pow(MAX_DIGITS as u32) {
        units /= 10;
        scale = scale.checked_sub(1)?;
    }
    Some(Decimal { units, scale }.normal())
}

/// The quotient of two integers, a half to even.
fn rounded(units: &BigInt, divisor: &BigInt) -> BigInt {
    let quotient: BigInt = units / divisor;
    let rest: BigInt = units - &quotient * divisor;
    let twice = BigInt::from(2) * BigInt::from(rest.magnitude().clone());
    let up = match twice.cmp(divisor) {
        std::cmp::Ordering::Greater => true,
        std::cmp::Ordering::Equal => quotient.bit(0),
        std::cmp::Ordering::Less => false,
    };
    match (up, units.sign()) {
        (true, Sign::Minus) => quotient - 1,
        (true, _) => quotient + 1,
        (false, _) => quotient,
    }
}

/// A sum whose parts have their points far apart.
pub(super) fn sum(one: Decimal, other: Decimal) -> Option<Decimal> {
    let scale = one.scale.max(other.scale);
    let at = |own: Decimal| BigInt::from(own.units) * power(scale - own.scale);
    fit(&(at(one) + at(other)), scale)
}

/// A quotient to so many decimals, the last one rounded with a half going towards nought.
pub(super) fn quotient(one: Decimal, other: Decimal, decimals: u32) -> Option<Decimal> {
    let shift = decimals + other.scale - one.scale;
    let numerator = BigInt::from(one.units) * power(shift);
    let divisor = BigInt::from(other.units);
    let (whole, rest) = (&numerator / &divisor, &numerator % &divisor);
    let up = BigInt::from(2) * BigInt::from(rest.magnitude().clone())
        > BigInt::from(divisor.magnitude().clone());
    let away =
        if (numerator.sign() == Sign::Minus) == (divisor.sign() == Sign::Minus) { 1 } else { -1 };
    fit(&(whole + if up { away } else { 0 }), decimals)
}

/// A number with more digits than are kept, `whole.fraction`.
pub(super) fn read(negative: bool, whole: &str, fraction: &str) -> Option<Decimal> {
    if whole.len() > MAX_DIGITS {
        return None;
    }
    // Digits far behind the last one that is kept only say on which side of a half the rest is.
    let (near, far) = fraction.split_at(fraction.len().min(2 * MAX_DIGITS));
    let sticky = if far.bytes().any(|digit| digit != b'0') { "1" } else { "" };
    let units: BigInt = format!("{whole}{near}{sticky}").parse().ok()?;
    let scale = u32::try_from(near.len() + sticky.len()).ok()?;
    fit(&if negative { -units } else { units }, scale)
}
