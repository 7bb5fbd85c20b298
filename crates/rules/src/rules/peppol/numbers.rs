//! Numbers of parties by the scheme that they are in (ISO 6523 and the like): PEPPOL-COMMON.
//!
//! The tables say at which elements; the value is the text of the element in UBL and in CII.

use crate::rules::checksums as check;
use crate::rules::values::{normalize, normalized, string, text};
use crate::rules::{Case, Outcome, Rule, RuleVerdict, Unreadable};

/// Those of every release and syntax.
pub(crate) const RULES: &[Rule] = &[
    Rule::new("PEPPOL-COMMON-R040", |case| valid(case, check::gln)),
    Rule::new("PEPPOL-COMMON-R041", |case| valid(case, check::norwegian)),
    Rule::new("PEPPOL-COMMON-R043", |case| valid(case, check::belgian)),
    Rule::new("PEPPOL-COMMON-R044", |case| valid(case, check::italian_unit)),
    Rule::new("PEPPOL-COMMON-R045", |case| valid(case, check::italian_tax_code)),
    Rule::new("PEPPOL-COMMON-R046", |case| valid(case, check::italian_tax_code)),
    Rule::new("PEPPOL-COMMON-R047", |case| computed(case, check::italian_vat)),
    Rule::new("PEPPOL-COMMON-R048", |case| computed(case, check::italian_vat)),
    Rule::new("PEPPOL-COMMON-R049", |case| computed(case, swedish)),
    Rule::new("PEPPOL-COMMON-R052", |case| as_written(case, |text| check::has_digits(text, 10))),
    Rule::new("PEPPOL-COMMON-R053", |case| as_written(case, check::danish_with_prefix)),
];

/// The Danish company number with or without its prefix.
pub(crate) const DANISH: &[Rule] =
    &[Rule::new("PEPPOL-COMMON-R042", |case| as_written(case, danish))];

/// The Danish company number with its prefix only: self-billing until May 2026.
pub(crate) const DANISH_WITH_PREFIX: &[Rule] = &[Rule::new("PEPPOL-COMMON-R042", |case| {
    let text = text::own(case.at)?;
    Ok(RuleVerdict::of(check::danish_with_prefix(&text)).found(text))
})];

/// The Australian business number in UBL.
pub(crate) const AUSTRALIAN: &[Rule] =
    &[Rule::new("PEPPOL-COMMON-R050", |case| valid(case, check::australian))];

/// The Australian business number in CII.
pub(crate) const AUSTRALIAN_OF_ANY_SHAPE: &[Rule] =
    &[Rule::new("PEPPOL-COMMON-R050", |case| valid(case, check::australian_of_any_shape))];

/// Shapes of Dutch numbers, from May 2026 on.
pub(crate) const DUTCH: &[Rule] = &[
    Rule::new("PEPPOL-COMMON-R054", |case| valid(case, |text| check::has_digits(text, 8))),
    Rule::new("PEPPOL-COMMON-R055", |case| valid(case, |text| check::has_digits(text, 20))),
    Rule::new("PEPPOL-COMMON-R056-1", |case| valid(case, check::dutch_vat)),
    Rule::new("PEPPOL-COMMON-R056-2", |case| valid(case, check::dutch_vat)),
    Rule::new("PEPPOL-COMMON-R057", |case| valid(case, |text| check::has_digits(text, 12))),
];

fn danish(text: &str) -> bool {
    check::danish_with_prefix(text) || check::has_digits(text, 8)
}

fn swedish(text: &str) -> Option<bool> {
    match text.chars().count() == 10 && check::is_number(text) {
        true => check::swedish(text),
        false => Some(false),
    }
}

/// Without white space around it.
fn valid<'d>(case: &Case<'_, 'd>, is_valid: impl Fn(&str) -> bool) -> Outcome<'d> {
    let text = normalized(case.at);
    Ok(RuleVerdict::of(is_valid(&text)).found(text))
}

/// As it is written.
fn as_written<'d>(case: &Case<'_, 'd>, is_valid: impl Fn(&str) -> bool) -> Outcome<'d> {
    let text = string(case.at);
    Ok(RuleVerdict::of(is_valid(&text)).found(text))
}

/// Where the official function may end with an error.
fn computed<'d>(case: &Case<'_, 'd>, is_valid: impl Fn(&str) -> Option<bool>) -> Outcome<'d> {
    let text = normalize(string(case.at));
    match is_valid(&text) {
        Some(holds) => Ok(RuleVerdict::of(holds).found(text)),
        None => Err(Unreadable::value(case.at, text)),
    }
}
