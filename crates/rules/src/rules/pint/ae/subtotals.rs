//! Rates and the breakdown of tax.

use quoin_xml::tree::Element;

use super::super::paths::{at, cents, leaves};
use super::super::taxes::{self, Of};
use crate::rules::en16931::category::Category;
use crate::rules::en16931::sums::beside;
use crate::rules::en16931::ubl::{Ubl, subtotals};
use crate::rules::values::{cbc, some_double, string};
use crate::rules::{Case, Outcome, Rule, RuleVerdict};
use quoin_model::amount::Decimal;

pub(in crate::rules::pint) const RULES: &[Rule] = &[
    Rule::new("aligned-ibrp-s-05", rate_above_nought),
    Rule::new("aligned-ibrp-s-06", rate_above_nought),
    Rule::new("aligned-ibrp-s-07", rate_above_nought),
    Rule::new("aligned-ibrp-s-08", |case| taxable(case, Category::Standard, Of::All)),
    Rule::new("aligned-ibrp-s-09", standard_tax),
    Rule::new("ibr-102-ae", |case| taxable(case, Category::Margin, Of::Lines)),
    Rule::new("ibr-108-ae", no_tax),
    Rule::new("aligned-ibrp-e-06", rate_is_nought),
    Rule::new("aligned-ibrp-e-07", rate_is_nought),
    Rule::new("aligned-ibrp-e-08", subtotals::exact),
    Rule::new("aligned-ibrp-e-09", subtotals::vat_is_nought),
    Rule::new("aligned-ibrp-z-05", rate_is_nought),
    Rule::new("ibr-165-ae", no_line_tax),
    Rule::new("aligned-ibrp-z-06", rate_is_nought),
    Rule::new("aligned-ibrp-z-07", rate_is_nought),
    Rule::new("aligned-ibrp-z-08", subtotals::exact),
    Rule::new("aligned-ibrp-z-09", subtotals::vat_is_nought),
    Rule::new("ibr-120-ae", ibr_120),
    Rule::new("aligned-ibrp-o-08", subtotals::exact),
    Rule::new("aligned-ibrp-o-09", subtotals::vat_is_nought),
    Rule::new("ibr-162-ae", no_line_tax),
    Rule::new("aligned-ibrp-ae-06", rate_is_nought),
    Rule::new("aligned-ibrp-ae-07", rate_is_nought),
    Rule::new("aligned-ibrp-ae-08-ae", subtotals::exact),
    Rule::new("aligned-ibrp-ae-09-ae", subtotals::vat_is_nought),
];

/// A number where it is castable to one, and nothing else.
fn castable<'d>(at: Element<'d>, local: &str) -> Option<Decimal> {
    let mut found = cbc(at, local);
    let only = found.next().filter(|_| found.next().is_none())?;
    Decimal::parse(&string(only)).ok()
}

fn taxable<'d>(case: &Case<'_, 'd>, category: Category, of: Of) -> Outcome<'d> {
    match castable(case.at, "Percent") {
        Some(rate) => taxes::taxable_at_rate::<Ubl>(case, (category, rate), (of, cents(2))),
        None => Ok(RuleVerdict::broken()),
    }
}

fn standard_tax<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let own = taxes::subtotal(case);
    let amounts = ["TaxAmount", "TaxableAmount"].into_iter();
    let rate = castable(case.at, "Percent");
    if rate.is_none() || amounts.into_iter().any(|local| castable(own, local).is_none()) {
        return Ok(beside(cbc(own, "TaxAmount").next(), false, None));
    }
    taxes::tax(case, rate, cents(2))
}

fn no_tax<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let amounts = || cbc(taxes::subtotal(case), "TaxAmount");
    let holds = some_double(amounts(), |tax| tax == 0.0)?;
    Ok(beside(amounts().next(), holds, Some(Decimal::ZERO)))
}

fn ibr_120<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    Ok(at(case, "Percent", some_double(cbc(case.at, "Percent"), |rate| rate == 0.0)?))
}

/// The tax of a line, stated beside its amount, is nought.
fn no_line_tax<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let line = case.at.parent().and_then(|item| item.parent());
    let amounts = line.map(|line| leaves(line, "ItemPriceExtension/TaxTotal/TaxAmount"));
    let amounts = amounts.unwrap_or_default();
    let holds = some_double(amounts.iter().copied(), |tax| tax == 0.0)?;
    Ok(beside(amounts.first().copied(), holds, Some(Decimal::ZERO)))
}

/// A rate that is there, and nought.
fn rate_is_nought<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let rate = castable(case.at, "Percent");
    Ok(at(case, "Percent", rate.is_some_and(Decimal::is_zero)))
}

/// A rate above nought.
fn rate_above_nought<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let rate = castable(case.at, "Percent");
    Ok(at(case, "Percent", rate.is_some_and(|rate| rate > Decimal::ZERO)))
}
