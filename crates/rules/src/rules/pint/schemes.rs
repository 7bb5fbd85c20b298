//! Identifiers whose scheme says how they are made: lengths and check digits (ibr-068 to ibr-070,
//! ibr-113 to ibr-116, ibr-120, ibr-127).

use super::paths::own_text;
use crate::rules::checksums as check;
use crate::rules::values::{normalized, number};
use crate::rules::{Case, Outcome, Rule, RuleVerdict, Unreadable};

pub(super) const RULES: &[Rule] = &[
    Rule::new("ibr-068", |case| judge(case, check::gln)),
    Rule::new("ibr-127", |case| judge(case, is_of_ten_characters)),
    Rule::new("ibr-069", |case| judge(case, is_norwegian)),
    Rule::new("ibr-070", danish),
    Rule::new("ibr-113", |case| judge(case, check::belgian)),
    Rule::new("ibr-114", |case| judge(case, check::italian_unit)),
    Rule::new("ibr-115", |case| judge(case, check::italian_tax_code)),
    Rule::new("ibr-116", italian_vat),
    Rule::new("ibr-120", |case| judge(case, check::australian)),
];

fn judge<'d>(case: &Case<'_, 'd>, is: fn(&str) -> bool) -> Outcome<'d> {
    let text = normalized(case.at);
    Ok(RuleVerdict::of(is(&text)).found(text))
}

/// A number of ten characters, in any way that numbers are written.
fn is_of_ten_characters(text: &str) -> bool {
    text.chars().count() == 10 && number::parse(text).is_some_and(|value| !value.is_nan())
}

/// A Norwegian number above nought.
fn is_norwegian(text: &str) -> bool {
    check::norwegian(text) && text.bytes().any(|digit| digit != b'0')
}

/// `DK` and eight digits, as it is written.
fn danish<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let text = own_text(case.at)?.unwrap_or_default();
    Ok(RuleVerdict::of(check::danish_with_prefix(&text)).found(text))
}

fn italian_vat<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let text = normalized(case.at);
    match check::italian_vat(&text) {
        Some(holds) => Ok(RuleVerdict::of(holds).found(text)),
        None => Err(Unreadable::value(case.at, text)),
    }
}

#[cfg(test)]
mod tests {
    use super::{is_norwegian, is_of_ten_characters};

    #[test]
    fn numbers_are_told_apart() {
        assert!(is_of_ten_characters("5560360793") && is_of_ten_characters("55603607.5"));
        assert!(!is_of_ten_characters("556036079X") && !is_of_ten_characters("556036079"));
        assert!(is_norwegian("987654325"));
        assert!(!is_norwegian("987654321") && !is_norwegian("000000000"));
    }
}
