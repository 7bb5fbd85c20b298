//! Check digits and shapes of the numbers that parties are told by, each exactly as the official
//! rules compute it, wherever that is stricter or laxer than the register behind the number.
//!
//! Sources: GS1 general specifications section 7.9 (GLN), Brønnøysund register centre (Norwegian
//! organisation number), Crossroads bank for enterprises (Belgian number), Agenzia delle Entrate
//! (codice fiscale, partita IVA), Skatteverket (organisation number), Australian business register,
//! ISO 13616 (IBAN), the Greek tax number, all as PEPPOL BIS Billing 3.0.20 and 3.0.21 test them.

use super::values::number;

#[cfg(test)]
mod tests;

/// Whether a text is digits, at least one.
pub(in crate::rules) fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a text is exactly so many digits.
pub(in crate::rules) fn has_digits(text: &str, count: usize) -> bool {
    text.len() == count && is_digits(text)
}

/// The values of digits; what is no digit counts as nought.
fn values(text: &str) -> impl DoubleEndedIterator<Item = u32> + ExactSizeIterator + '_ {
    text.bytes().map(|byte| u32::from(byte.saturating_sub(b'0')))
}

/// All but the last digit from the right, and the last one.
fn before_check(text: &str) -> (impl Iterator<Item = u32> + '_, Option<u32>) {
    let mut digits = values(text);
    let check = digits.next_back();
    (digits.rev(), check)
}

/// GLN, and any number with a check digit of GS1: weights 3 and 1 from the right. Of any length.
pub(in crate::rules) fn gln(text: &str) -> bool {
    let (digits, check) = before_check(text);
    let sum: u32 = digits.enumerate().map(|(at, own)| own * if at % 2 == 0 { 3 } else { 1 }).sum();
    is_digits(text) && check == Some((10 - sum % 10) % 10)
}

/// The Norwegian organisation number without its length: weights 2 to 7 from the right, modulo 11.
pub(in crate::rules) fn mod11(text: &str) -> bool {
    let (digits, check) = before_check(text);
    let sum: u32 = digits.enumerate().map(|(at, own)| own * (at as u32 % 6 + 2)).sum();
    let is_positive = text.bytes().any(|byte| byte != b'0');
    is_digits(text) && is_positive && check == Some((11 - sum % 11) % 11)
}

/// Norway: nine digits, the last of them by [`mod11`].
pub(in crate::rules) fn norwegian(text: &str) -> bool {
    has_digits(text, 9) && mod11(text)
}

/// Belgium: ten digits, the last two 97 less the first eight modulo 97.
pub(in crate::rules) fn belgian(text: &str) -> bool {
    if !has_digits(text, 10) {
        return false;
    }
    let number = |text: &str| values(text).fold(0, |all, own| all * 10 + own);
    let (first, check) = text.split_at(8);
    97 - number(first) % 97 == number(check)
}

/// Denmark: `DK` and eight digits.
pub(in crate::rules) fn danish_with_prefix(text: &str) -> bool {
    text.strip_prefix("DK").is_some_and(|digits| has_digits(digits, 8))
}

/// Italy, a unit of the public administration (IPA): six letters or digits.
pub(in crate::rules) fn italian_unit(text: &str) -> bool {
    text.len() == 6 && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Whether a text may be cast to a whole number, as XPath does it.
fn is_integer(text: &str) -> bool {
    let text = text.trim_matches(super::values::SPACE);
    is_digits(text.strip_prefix(['+', '-']).unwrap_or(text))
}

/// Italy, codice fiscale: eleven digits, or sixteen letters and digits in their order. Of the
/// three characters after the day, the official test asks nothing.
pub(in crate::rules) fn italian_tax_code(text: &str) -> bool {
    let letters: Vec<char> = text.chars().collect();
    let part = |from: usize, to: usize| letters.get(from..to).unwrap_or_default();
    let is_letters =
        |from, to| part(from, to).iter().all(|letter: &char| letter.is_ascii_alphabetic());
    let is_number = |from, to| is_integer(&part(from, to).iter().collect::<String>());
    match letters.len() {
        11 => is_integer(text),
        16 => {
            is_letters(0, 6)
                && is_number(6, 8)
                && is_letters(8, 9)
                && is_number(9, 11)
                && is_number(14, 15)
                && is_letters(15, 16)
        }
        _ => false,
    }
}

/// Italy, partita IVA: `IT` and eleven digits whose check digit is that of Luhn; what does not
/// begin with `IT` is not looked at. `None` where the official function ends with an error: it
/// reads the sign of a number as a digit.
pub(in crate::rules) fn italian_vat(text: &str) -> Option<bool> {
    let Some(code) = text.strip_prefix("IT").or_else(|| text.strip_prefix("it")) else {
        return Some(true);
    };
    if code.chars().count() != 11 || !is_integer(code) {
        return Some(false);
    }
    is_digits(code).then(|| luhn(code, 1).is_multiple_of(10))
}

/// The sum of digits, of which every second one, from `first` on, is doubled and cast out nines.
fn luhn(digits: &str, first: usize) -> u32 {
    let doubled = |digit: u32| digit * 2 / 10 + digit * 2 % 10;
    let digits = values(digits).enumerate();
    digits.map(|(at, own)| if at % 2 == first % 2 { doubled(own) } else { own }).sum()
}

/// Sweden: the tenth digit is that of Luhn; what comes after it is not looked at. `None` where the
/// official function ends with an error: digits that are not those of ASCII.
pub(in crate::rules) fn swedish(text: &str) -> Option<bool> {
    if text.is_empty() || !text.chars().all(char::is_numeric) {
        return Some(false);
    }
    let main: String = text.chars().take(9).collect();
    if !is_digits(&main) {
        return None;
    }
    // The last digit of the main part is doubled.
    let sum = luhn(&main, main.len() - 1);
    let check = text.chars().nth(9).and_then(|digit| digit.to_digit(10));
    Some(check == Some((10 - sum % 10) % 10))
}

/// Australia: eleven digits, weighted with the first one less one, a multiple of 89.
pub(in crate::rules) fn australian(text: &str) -> bool {
    has_digits(text, 11) && australian_of_any_shape(text)
}

/// The same without looking at the shape, as the rules of CII do it: of eleven characters of any
/// kind, and what comes after them is not looked at.
pub(in crate::rules) fn australian_of_any_shape(text: &str) -> bool {
    const WEIGHTS: [i64; 11] = [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19];
    let values = text.chars().map(|own| i64::from(u32::from(own)) - i64::from(b'0'));
    let weighted = values.zip(WEIGHTS).map(|(digit, weight)| digit * weight);
    text.chars().count() >= 11 && (weighted.sum::<i64>() - 10) % 89 == 0
}

/// Greece: of the first nine characters, digits all, the last is the others by powers of two,
/// modulo 11 and 10. What comes after them is not looked at.
pub(in crate::rules) fn greek(text: &str) -> bool {
    let first: Option<Vec<u32>> = text.chars().take(9).map(|own| own.to_digit(10)).collect();
    let Some([digits @ .., check]) = first.as_deref().filter(|all| all.len() == 9) else {
        return false;
    };
    let sum: u32 = digits.iter().rev().enumerate().map(|(at, own)| own << (at + 1)).sum();
    sum % 11 % 10 == *check
}

/// A VAT number of the Netherlands: `NL`, nine digits, `B`, two digits.
pub(in crate::rules) fn dutch_vat(text: &str) -> bool {
    let parts = text.strip_prefix("NL").and_then(|rest| rest.split_once('B'));
    parts.is_some_and(|(number, suffix)| has_digits(number, 9) && has_digits(suffix, 2))
}

/// An IBAN without its white space: shape, and 1 modulo 97. A small letter after the first four
/// characters does not have the value of the capital one in the official rules; nor has it here.
pub(in crate::rules) fn iban(text: &str) -> bool {
    let Some((head, rest)) = text.split_at_checked(4) else { return false };
    let (country, check) = head.split_at_checked(2).unwrap_or_default();
    let has_shape = country.bytes().all(|byte| byte.is_ascii_uppercase())
        && has_digits(check, 2)
        && rest.len() <= 30
        && rest.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if !has_shape {
        return false;
    }
    let digits = rest.bytes().chain(country.bytes()).chain(check.bytes());
    let remainder = digits.fold(0, |remainder, byte| match byte {
        b'0'..=b'9' => (remainder * 10 + u64::from(byte - b'0')) % 97,
        _ => (remainder * 100 + u64::from(byte) - 55) % 97,
    });
    remainder == 1
}

/// `string(number(x)) != 'NaN'`.
pub(in crate::rules) fn is_number(text: &str) -> bool {
    number::parse(text).is_some_and(|value| !value.is_nan())
}

/// Whether a text may be cast to a whole number of nought or more; `None` where the cast ends with
/// an error.
pub(in crate::rules) fn is_whole(text: &str) -> Option<bool> {
    let inner = text.trim_matches(super::values::SPACE);
    let is_negative =
        inner.starts_with('-') && inner.bytes().any(|byte| matches!(byte, b'1'..=b'9'));
    is_integer(text).then_some(!is_negative)
}
