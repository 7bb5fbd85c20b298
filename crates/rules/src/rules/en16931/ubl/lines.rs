//! Lines: BR-27, BR-28, BR-CO-04, periods (BR-29, BR-30), and rates by category (-05 to -07).

use quoin_xml::tree::Element;

use super::parties::is_scheme_of_vat;
use crate::rules::values::{Read, cac, cbc, date, decimal_of, one, some, some_double, string};
use crate::rules::{Case, Outcome, Rule, RuleVerdict};

pub(super) const RULES: &[Rule] = &[
    Rule::new("BR-27", br_27),
    Rule::new("BR-28", br_28),
    Rule::new("BR-CO-04", co_04),
    Rule::new("BR-29", period),
    Rule::new("BR-30", period),
    Rule::new("BR-S-05", rate_is_above_nought),
    Rule::new("BR-S-06", rate_is_above_nought),
    Rule::new("BR-S-07", rate_is_above_nought),
    Rule::new("BR-AF-05", rate_is_not_below_nought),
    Rule::new("BR-AF-06", rate_is_not_below_nought),
    Rule::new("BR-AF-07", rate_is_not_below_nought),
    Rule::new("BR-AG-05", rate_is_not_below_nought),
    Rule::new("BR-AG-06", rate_is_not_below_nought),
    Rule::new("BR-AG-07", rate_is_not_below_nought),
    Rule::new("BR-IG-05", rate_is_not_below_nought),
    Rule::new("BR-IG-06", rate_is_not_below_nought),
    Rule::new("BR-IG-07", rate_is_not_below_nought),
    Rule::new("BR-IP-05", rate_is_not_below_nought),
    Rule::new("BR-IP-06", rate_is_not_below_nought),
    Rule::new("BR-IP-07", rate_is_not_below_nought),
    Rule::new("BR-AE-05", rate_is_nought),
    Rule::new("BR-AE-06", rate_is_nought),
    Rule::new("BR-AE-07", rate_is_nought),
    Rule::new("BR-E-05", rate_is_nought),
    Rule::new("BR-E-06", rate_is_nought),
    Rule::new("BR-E-07", rate_is_nought),
    Rule::new("BR-G-05", rate_is_nought),
    Rule::new("BR-G-06", rate_is_nought),
    Rule::new("BR-G-07", rate_is_nought),
    Rule::new("BR-IC-05", rate_is_nought),
    Rule::new("BR-IC-06", rate_is_nought),
    Rule::new("BR-IC-07", rate_is_nought),
    Rule::new("BR-Z-05", rate_is_nought),
    Rule::new("BR-Z-06", rate_is_nought),
    Rule::new("BR-Z-07", rate_is_nought),
];

/// With the first element as the one that is wrong, if there is one.
fn wrong<'d>(holds: bool, mut at: impl Iterator<Item = Element<'d>>) -> RuleVerdict<'d> {
    if holds {
        return RuleVerdict::Holds;
    }
    match at.next() {
        Some(element) => RuleVerdict::broken().found(element.text()).element(Some(element)),
        None => RuleVerdict::broken(),
    }
}

pub(in crate::rules) fn br_27<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let prices = || cac(case.at, "Price").flat_map(|price| cbc(price, "PriceAmount"));
    Ok(wrong(some_double(prices(), |price| price >= 0.0)?, prices()))
}

pub(in crate::rules) fn br_28<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let discounts = || cac(case.at, "Price").flat_map(|price| cac(price, "AllowanceCharge"));
    let prices = || discounts().flat_map(|discount| cbc(discount, "BaseAmount"));
    let holds = prices().next().is_none() || some_double(prices(), |price| price >= 0.0)?;
    Ok(wrong(holds, prices()))
}

fn co_04<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let items = cac(case.at, "Item");
    let mut categories = items.flat_map(|item| cac(item, "ClassifiedTaxCategory"));
    let coded = categories.by_ref().map(|category| -> Read<'d, bool> {
        Ok(is_vat_alone(category)? && cbc(category, "ID").next().is_some())
    });
    Ok(RuleVerdict::of(some(coded)?))
}

/// `cac:TaxScheme/(normalize-space(upper-case(cbc:ID)) = 'VAT')` as a condition, of which there may
/// be one value.
pub(super) fn is_vat_alone(parent: Element<'_>) -> Read<'_, bool> {
    one(cac(parent, "TaxScheme"))?.map_or(Ok(false), is_scheme_of_vat)
}

pub(in crate::rules) fn period<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let has = |local| cbc(case.at, local).next().is_some();
    if !has("StartDate") || !has("EndDate") {
        return Ok(RuleVerdict::Holds);
    }
    let (Some(end), Some(start)) = (one(cbc(case.at, "EndDate"))?, one(cbc(case.at, "StartDate"))?)
    else {
        return Ok(RuleVerdict::Holds);
    };
    let holds = date(end)? >= date(start)?;
    Ok(RuleVerdict::of(holds).found(string(end)).expected(string(start)).element(Some(end)))
}

fn rate_is_above_nought<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let rates = || cbc(case.at, "Percent");
    Ok(wrong(some_double(rates(), |rate| rate > 0.0)?, rates()))
}

fn rate_is_not_below_nought<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let rates = || cbc(case.at, "Percent");
    Ok(wrong(some_double(rates(), |rate| rate >= 0.0)?, rates()))
}

pub(in crate::rules) fn rate_is_nought<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let rate = decimal_of(cbc(case.at, "Percent"))?;
    Ok(wrong(rate.is_some_and(|rate| rate.is_zero()), cbc(case.at, "Percent")))
}
