//! What ViDA 1.1 asks where the provider of the buyer reports.

use super::{is_of_1_1, own, report};
use crate::rules::values::{cac, cbc, normalized, one};
use crate::rules::{Case, Outcome, Rule, RuleVerdict};

pub(super) const RULES: &[Rule] = &[
    Rule::new("ibr-tdd-90", |case| tax_total(case, "DocumentCurrencyCode")),
    Rule::new("ibr-tdd-91", total_with_tax),
    Rule::new("ibr-tdd-92", breakdown),
    Rule::new("ibr-tdd-93", in_tax_currency),
];

/// Whether corner 3 reports, by 1.1.
fn buys<'d>(case: &Case<'_, 'd>) -> Result<bool, crate::rules::Unreadable<'d>> {
    // Before 1.1 nobody looks at the role, not even at one that is there twice.
    if !is_of_1_1(case) {
        return Ok(false);
    }
    let role = one(own(report(case.at), "ReporterRole"))?;
    Ok(role.is_some_and(|role| normalized(role) == "C3"))
}

/// A total of tax in a currency of the document.
fn tax_total<'d>(case: &Case<'_, 'd>, name: &str) -> Outcome<'d> {
    if !buys(case)? {
        return Ok(RuleVerdict::Holds);
    }
    let code = one(cbc(case.at, name))?.map(normalized).unwrap_or_default();
    let mut amounts = cac(case.at, "TaxTotal").flat_map(|total| cbc(total, "TaxAmount"));
    let holds = amounts.any(|amount| amount.attribute("currencyID") == Some(&*code));
    Ok(RuleVerdict::of(holds).expected(code))
}

fn total_with_tax<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let mut totals = own(case.at, "MonetaryTotal");
    let there = totals.any(|total| cbc(total, "TaxInclusiveAmount").next().is_some());
    Ok(RuleVerdict::of(there || !buys(case)?))
}

fn in_tax_currency<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    match cbc(case.at, "TaxCurrencyCode").next() {
        Some(_) => tax_total(case, "TaxCurrencyCode"),
        None => Ok(RuleVerdict::Holds),
    }
}

/// At a part of the breakdown.
fn breakdown<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let of_category =
        |local| cac(case.at, "TaxCategory").any(|category| cbc(category, local).next().is_some());
    let amount = cbc(case.at, "TaxAmount").next().is_some();
    let there = amount && of_category("ID") && of_category("Percent");
    Ok(RuleVerdict::of(there || !buys(case)?))
}
