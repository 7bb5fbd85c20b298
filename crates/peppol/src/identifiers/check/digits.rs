//! The arithmetic of check digits. Every function takes a value whose shape has been checked and
//! answers `false`, never panics, for any other.

/// Whether the value is exactly `count` digits.
pub(super) fn all(value: &str, count: usize) -> bool {
    value.len() == count && value.bytes().all(|b| b.is_ascii_digit())
}

/// Whether the value is `prefix` and then exactly `count` digits.
pub(super) fn after(value: &str, prefix: &str, count: usize) -> bool {
    value.strip_prefix(prefix).is_some_and(|rest| all(rest, count))
}

/// Whether `count` lies in the range and every byte is a digit, a capital or one of `more`.
fn word(text: &str, counts: std::ops::RangeInclusive<usize>, more: &[u8]) -> bool {
    counts.contains(&text.len())
        && text.bytes().all(|b| b.is_ascii_digit() || b.is_ascii_uppercase() || more.contains(&b))
}

/// The digits of a value as numbers; everything else is left out.
fn numbers(value: &str) -> impl DoubleEndedIterator<Item = u32> + '_ {
    value.chars().filter_map(|c| c.to_digit(10))
}

/// The sum of the digits, each times its weight.
fn weighted(value: &str, weights: &[u32]) -> u32 {
    numbers(value).zip(weights).map(|(digit, weight)| digit * weight).sum()
}

/// The remainder of a long decimal number, letters standing for 10 to 35 (ISO 7064).
fn remainder(value: &str, modulus: u32) -> u32 {
    value.chars().filter_map(|c| c.to_digit(36)).fold(0, |rest, number| {
        let shift = if number > 9 { 100 } else { 10 };
        (rest * shift + number) % modulus
    })
}

/// Luhn: every second digit from the right doubled.
pub(super) fn luhn(value: &str) -> bool {
    let sum: u32 = numbers(value)
        .rev()
        .enumerate()
        .map(|(i, digit)| if i % 2 == 0 { digit } else { digit * 2 / 10 + digit * 2 % 10 })
        .sum();
    sum.is_multiple_of(10)
}

/// GS1: weights 1 and 3 from the right, check digit included.
pub(super) fn gln(value: &str) -> bool {
    let sum: u32 = numbers(value)
        .rev()
        .enumerate()
        .map(|(i, digit)| if i % 2 == 0 { digit } else { digit * 3 })
        .sum();
    sum.is_multiple_of(10)
}

/// Belgian enterprise number: the last two digits are 97 minus the rest of the first eight.
pub(super) fn kbo(value: &str) -> bool {
    let (Some(head), Some(tail)) = (value.get(..8), value.get(8..)) else { return false };
    tail.parse() == Ok(97 - remainder(head, 97))
}

/// `NL` + nine digits + `B` + two digits.
pub(super) fn btw_shape(value: &str) -> bool {
    value
        .strip_prefix("NL")
        .and_then(|rest| rest.split_once('B'))
        .is_some_and(|(number, suffix)| all(number, 9) && all(suffix, 2))
}

/// Dutch VAT number: the classic modulus 11 of legal persons, or ISO 7064 of sole traders.
pub(super) fn btw(value: &str) -> bool {
    let number = value.get(2..11).unwrap_or_default();
    let check = number.chars().next_back().and_then(|c| c.to_digit(10));
    let classic = weighted(number, &[9, 8, 7, 6, 5, 4, 3, 2]) % 11;
    check == Some(classic) || iso_97_10(value)
}

/// ISO 7064 modulus 97-10 over digits and letters, separators left out.
pub(super) fn iso_97_10(value: &str) -> bool {
    remainder(value, 97) == 1
}

/// ISO 7064 modulus 11,10 over digits.
pub(super) fn iso_11_10(value: &str) -> bool {
    let mut product = 10;
    let mut digits = numbers(value);
    let Some(check) = digits.next_back() else { return false };
    for digit in digits {
        let sum = (digit + product) % 10;
        product = (if sum == 0 { 10 } else { sum } * 2) % 11;
    }
    (11 - product) % 10 == check
}

/// Norwegian organisation number.
pub(super) fn orgnr(value: &str) -> bool {
    weighted(value, &[3, 2, 7, 6, 5, 4, 3, 2, 1]).is_multiple_of(11)
}

/// Danish company number.
pub(super) fn cvr(value: &str) -> bool {
    weighted(value, &[2, 7, 6, 5, 4, 3, 2, 1]).is_multiple_of(11)
}

/// Swiss unique business number.
pub(super) fn uidb(value: &str) -> bool {
    weighted(value, &[5, 4, 3, 2, 7, 6, 5, 4, 1]).is_multiple_of(11)
}

/// Australian business number: one is taken from the first digit.
pub(super) fn abn(value: &str) -> bool {
    let sum = weighted(value, &[10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19]);
    sum >= 10 && (sum - 10).is_multiple_of(89)
}

/// Estonian company code: a second set of weights where the first gives ten.
pub(super) fn two_step(value: &str) -> bool {
    let Some(check) = numbers(value).next_back() else { return false };
    let mut rest = weighted(value, &[1, 2, 3, 4, 5, 6, 7]) % 11;
    if rest == 10 {
        rest = weighted(value, &[3, 4, 5, 6, 7, 8, 9]) % 11 % 10;
    }
    rest == check
}

/// Legal entity identifier.
pub(super) fn lei_shape(value: &str) -> bool {
    value.len() == 20
        && word(value, 20..=20, &[])
        && value.get(18..).is_some_and(|check| all(check, 2))
}

/// Leitweg-ID: coarse, optional fine and check part.
pub(super) fn leitweg_shape(value: &str) -> bool {
    let parts: Vec<&str> = value.split('-').collect();
    let coarse = |part: &str| (2..=12).contains(&part.len()) && all(part, part.len());
    match parts.as_slice() {
        [first, check] => coarse(first) && all(check, 2),
        [first, fine, check] => coarse(first) && word(fine, 0..=30, &[]) && all(check, 2),
        _ => false,
    }
}

/// Service provider identification: main id, optional use case, optional rest (SPIS 1.0.0).
pub(super) fn spis_shape(value: &str) -> bool {
    let Some((main, rest)) = value.split_once('-') else { return all(value, 6) };
    let tail = b"-._~";
    let fits = match rest.split_once('.') {
        Some((case, more)) => word(case, 3..=12, b"_") && word(more, 3..=24, tail),
        None => word(rest, 3..=12, b"_"),
    };
    all(main, 6) && fits
}
