//! Identifiers whose scheme says how they are made: lengths and check digits (ibr-068 to ibr-070,
//! ibr-113 to ibr-116, ibr-120, ibr-127).

use super::paths::own_text;
use crate::rules::values::{normalized, number};
use crate::rules::{Case, Outcome, Rule, Verdict};

pub(super) const RULES: &[Rule] = &[
    Rule::new("ibr-068", |case| judge(case, is_gln, "digits with a check digit of GS1")),
    Rule::new("ibr-127", |case| judge(case, is_of_ten_digits, "ten digits")),
    Rule::new("ibr-069", |case| judge(case, is_norwegian, "nine digits with a check digit")),
    Rule::new("ibr-070", danish),
    Rule::new("ibr-113", |case| judge(case, is_belgian, "ten digits with check digits")),
    Rule::new("ibr-114", |case| judge(case, is_italian_office, "six letters and digits")),
    Rule::new("ibr-115", |case| judge(case, is_italian_tax_code, "an Italian tax code")),
    Rule::new("ibr-116", |case| judge(case, is_italian_vat, "IT and eleven digits")),
    Rule::new("ibr-120", |case| judge(case, is_australian, "eleven digits with check digits")),
];

fn judge<'d>(case: &Case<'_, 'd>, is: fn(&str) -> bool, expected: &'static str) -> Outcome<'d> {
    let text = normalized(case.at);
    let holds = is(&text);
    Ok(Verdict::of(holds).found(text).expected(expected))
}

/// The digits of a text; `None` where it has something else.
fn digits(text: &str) -> Option<Vec<u32>> {
    text.chars().map(|letter| letter.to_digit(10)).collect()
}

/// Digits, and nothing else, of a length.
fn exactly(text: &str, length: usize) -> Option<Vec<u32>> {
    digits(text).filter(|found| found.len() == length)
}

/// Weights 3 and 1 from the right; the last digit makes the sum a multiple of ten.
fn is_gln(text: &str) -> bool {
    let Some(all) = digits(text) else { return false };
    let Some((check, before)) = all.split_last() else { return false };
    let weighted = before.iter().rev().zip([3, 1].into_iter().cycle());
    let sum: u32 = weighted.map(|(digit, weight)| digit * weight).sum();
    (10 - sum % 10) % 10 == *check
}

fn is_of_ten_digits(text: &str) -> bool {
    text.chars().count() == 10 && number::parse(text).is_some_and(|value| !value.is_nan())
}

/// Weights 2 to 7 from the right, modulo 11.
fn is_norwegian(text: &str) -> bool {
    let Some(all) = exactly(text, 9) else { return false };
    let Some((check, before)) = all.split_last() else { return false };
    let weighted = before.iter().rev().zip((2..=7).cycle());
    let sum: u32 = weighted.map(|(digit, weight)| digit * weight).sum();
    all.iter().any(|digit| *digit > 0) && (11 - sum % 11) % 11 == *check
}

/// `DK` and eight digits, as it is written.
fn danish<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let text = own_text(case.at)?.unwrap_or_default();
    let rest = text.strip_prefix("DK");
    let holds = rest.is_some_and(|rest| exactly(rest, 8).is_some());
    Ok(Verdict::of(holds).found(text).expected("DK and eight digits"))
}

/// The last two digits are 97 less the rest modulo 97.
fn is_belgian(text: &str) -> bool {
    let Some(all) = exactly(text, 10) else { return false };
    let number = |part: &[u32]| part.iter().fold(0, |number, digit| number * 10 + digit);
    let (number, check) = (number(&all[..8]), number(&all[8..]));
    97 - number % 97 == check
}

fn is_italian_office(text: &str) -> bool {
    text.len() == 6 && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// What `castable as xs:integer` takes: digits, a sign before them, white space around them.
fn is_integer(text: &str) -> bool {
    let text = text.trim_matches(crate::ubl::SPACE);
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Of a person 16 letters and digits, of an enterprise 11 digits.
fn is_italian_tax_code(text: &str) -> bool {
    let letters: Vec<char> = text.chars().collect();
    let part = |from: usize, to: usize| letters.get(from..to).map(String::from_iter);
    let is_number = |from, to| part(from, to).is_some_and(|part| is_integer(&part));
    let is_letters = |from: usize, to: usize| {
        letters.get(from..to).is_some_and(|part| part.iter().all(char::is_ascii_alphabetic))
    };
    match letters.len() {
        16 => {
            is_letters(0, 6)
                && is_number(6, 8)
                && is_letters(8, 9)
                && is_number(9, 11)
                && is_number(14, 15)
                && is_letters(15, 16)
        }
        11 => is_integer(text),
        _ => false,
    }
}

/// After `IT` eleven digits whose sum, every second one doubled, is a multiple of ten; other
/// countries are not looked at.
fn is_italian_vat(text: &str) -> bool {
    let Some(number) = text.strip_prefix("IT").or_else(|| text.strip_prefix("it")) else {
        return true;
    };
    let Some(all) = exactly(number, 11) else { return false };
    let doubled = |digit: u32| if digit > 4 { digit * 2 - 9 } else { digit * 2 };
    let value = |(at, digit): (usize, &u32)| if at % 2 == 1 { doubled(*digit) } else { *digit };
    let sum: u32 = all.iter().enumerate().map(value).sum();
    sum.is_multiple_of(10)
}

/// The first digit less one, weights 10, 1, 3, 5 and on, a multiple of 89.
fn is_australian(text: &str) -> bool {
    let Some(all) = exactly(text, 11) else { return false };
    let weights = [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19];
    let sum: i64 = all.iter().zip(weights).map(|(digit, weight)| i64::from(*digit) * weight).sum();
    (sum - 10) % 89 == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn check_digits_are_worked_out() {
        let cases: [(fn(&str) -> bool, &str, &str); 8] = [
            (is_gln, "7300010000001", "7300010000002"),
            (is_of_ten_digits, "5560360793", "556036079X"),
            (is_norwegian, "987654325", "987654321"),
            (is_belgian, "0202239951", "0202239952"),
            (is_italian_office, "UFK2D3", "UFK-D3"),
            (is_italian_tax_code, "RSSMRA80A01H501U", "RSSMRA80A01H501"),
            (is_italian_vat, "IT00743110157", "IT00743110158"),
            (is_australian, "51824753556", "51824753557"),
        ];
        for (is, right, wrong) in cases {
            assert!(is(right), "{right}");
            assert!(!is(wrong), "{wrong}");
        }
        assert!(is_italian_vat("DE1"));
    }
}
