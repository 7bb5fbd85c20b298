//! The Netherlands: legal registrations and the means of payment.

use super::paths::{is_credit_note, is_invoice};
use crate::rules::values::{CAC, Read, all_of, any_of, cbc, decimal_of, normalized, string};
use crate::rules::{Case, Outcome, Rule, RuleVerdict};
use quoin_model::amount::Decimal;

pub(crate) const RULES: &[Rule] = &[
    Rule::new("NL-R-003", registration),
    Rule::new("NL-R-005", registration),
    Rule::new("NL-R-007", means_of_payment),
];

/// A number of KvK or OIN. The official test searches the scheme among words.
pub(crate) fn registration<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let scheme = case.at.attribute("schemeID");
    let words = format!(" {} ", scheme.unwrap_or_default());
    let is_known = words.contains(" 0106 ") || words.contains(" 0190 ");
    let holds = is_known && !normalized(case.at).is_empty();
    Ok(RuleVerdict::of(holds).found(scheme.unwrap_or_default()).expected("0106, 0190"))
}

fn means_of_payment<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let due = |is: fn(Decimal) -> bool| -> Read<'d, bool> {
        Ok(decimal_of(cbc(case.at, "PayableAmount"))?.is_some_and(is))
    };
    let nothing_to_pay =
        || all_of([&|| Ok(is_invoice(case.root())), &|| due(|amount| amount <= Decimal::ZERO)]);
    let nothing_back =
        || all_of([&|| Ok(is_credit_note(case.root())), &|| due(|amount| amount >= Decimal::ZERO)]);
    let is_paid = || Ok(case.named(CAC, "PaymentMeans").next().is_some());
    let holds = any_of([&nothing_to_pay, &nothing_back, &is_paid])?;
    let amount = cbc(case.at, "PayableAmount").next();
    let verdict = RuleVerdict::of(holds).element(amount);
    Ok(match amount {
        Some(amount) => verdict.found(string(amount)),
        None => verdict,
    })
}
