//! Responses and despatch advices: delivery periods, line identifiers, quantities, clarifications.

use super::reading::not_negative;
use super::totals::line_identifier;
use crate::rules::values::{cbc, string};
use crate::rules::{Case, Outcome, Rule, RuleVerdict};

/// Order response.
pub(super) const T76: &[Rule] =
    &[Rule::new("PEPPOL-T76-R004", promised_period), Rule::new("PEPPOL-T76-R003", line_identifier)];

/// Order response advanced.
pub(super) const T116: &[Rule] = &[
    Rule::new("PEPPOL-T116-R004", promised_period),
    Rule::new("PEPPOL-T116-R003", line_identifier),
];

/// Despatch advice.
pub(super) const T16: &[Rule] = &[Rule::new("PEPPOL-T16-R006", delivered_not_negative)];

/// Invoice response. The rule is meant to tie a partial payment (PPD) to the response code PD; the
/// official test asks whether a comparison exists, which it always does, and so it is never
/// broken.
pub(super) const T111: &[Rule] = &[Rule::new("PEPPOL-T111-R005", |_| Ok(RuleVerdict::Holds))];

/// The end is not before the start; both are compared as texts.
fn promised_period<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let starts = || cbc(case.at, "StartDate");
    let (Some(start), Some(end)) = (starts().next(), cbc(case.at, "EndDate").next()) else {
        return Ok(RuleVerdict::Holds);
    };
    // Of all pairs one has to be in order: the last end and the first start.
    let first = starts().map(string).min();
    let last = cbc(case.at, "EndDate").map(string).max();
    let holds = last >= first;
    Ok(RuleVerdict::of(holds).found(string(end)).expected(string(start)).element(Some(end)))
}

pub(in crate::rules) fn delivered_not_negative<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    not_negative(|| cbc(case.at, "DeliveredQuantity"))
}
