//! Lines, periods, amounts of allowances and rates by category (-05 to -07) in CII.

use quoin_xml::tree::Element;

use crate::rules::values::{Read, SPACE, ram, some, some_double, string, udt};
use crate::rules::{Case, Outcome, Rule, RuleVerdict};

pub(super) const RULES: &[Rule] = &[
    Rule::new("BR-27", br_27),
    Rule::new("BR-28", br_28),
    Rule::new("BR-29", period),
    Rule::new("BR-30", period),
    Rule::new("BR-DEC-01", two_decimals),
    Rule::new("BR-DEC-05", two_decimals),
    Rule::new("BR-DEC-24", two_decimals),
    Rule::new("BR-DEC-27", two_decimals),
    Rule::new("BR-S-05", |case| rate(case, |rate| rate > 0.0)),
    Rule::new("BR-S-06", |case| rate(case, |rate| rate > 0.0)),
    Rule::new("BR-S-07", |case| rate(case, |rate| rate > 0.0)),
    Rule::new("BR-AF-05", rate_of_igic),
    Rule::new("BR-AF-06", rate_of_igic),
    Rule::new("BR-AF-07", rate_of_igic),
    Rule::new("BR-AG-05", |case| rate(case, |rate| rate >= 0.0)),
    Rule::new("BR-AG-06", |case| rate(case, |rate| rate >= 0.0)),
    Rule::new("BR-AG-07", |case| rate(case, |rate| rate >= 0.0)),
    Rule::new("BR-AE-05", |case| rate(case, |rate| rate == 0.0)),
    Rule::new("BR-AE-06", |case| rate(case, |rate| rate == 0.0)),
    Rule::new("BR-AE-07", |case| rate(case, |rate| rate == 0.0)),
    Rule::new("BR-E-05", |case| rate(case, |rate| rate == 0.0)),
    Rule::new("BR-E-06", |case| rate(case, |rate| rate == 0.0)),
    Rule::new("BR-E-07", |case| rate(case, |rate| rate == 0.0)),
    Rule::new("BR-G-05", |case| rate(case, |rate| rate == 0.0)),
    Rule::new("BR-G-06", |case| rate(case, |rate| rate == 0.0)),
    Rule::new("BR-G-07", |case| rate(case, |rate| rate == 0.0)),
    Rule::new("BR-IC-05", |case| rate(case, |rate| rate == 0.0)),
    Rule::new("BR-IC-06", |case| rate(case, |rate| rate == 0.0)),
    Rule::new("BR-IC-07", |case| rate(case, |rate| rate == 0.0)),
    Rule::new("BR-Z-05", |case| rate(case, |rate| rate == 0.0)),
    Rule::new("BR-Z-06", |case| rate(case, |rate| rate == 0.0)),
    Rule::new("BR-Z-07", |case| rate(case, |rate| rate == 0.0)),
];

fn wrong<'d>(holds: bool, element: Option<Element<'d>>) -> RuleVerdict<'d> {
    match (holds, element) {
        (true, _) => RuleVerdict::Holds,
        (false, Some(element)) => {
            RuleVerdict::broken().found(element.text()).element(Some(element))
        }
        (false, None) => RuleVerdict::broken(),
    }
}

fn rate<'d>(case: &Case<'_, 'd>, is: fn(f64) -> bool) -> Outcome<'d> {
    let rates = || ram(case.at, "RateApplicablePercent");
    Ok(wrong(some_double(rates(), is)?, rates().next()))
}

/// In CII the rate is above nought, in UBL it may be nought, and the sentence is one.
fn rate_of_igic<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    Ok(rate(case, |rate| rate > 0.0)?.expected("> 0"))
}

fn prices<'d>(case: &Case<'_, 'd>, kind: &str) -> Vec<Element<'d>> {
    ram(case.at, "SpecifiedLineTradeAgreement")
        .flat_map(|own| ram(own, kind))
        .flat_map(|price| ram(price, "ChargeAmount"))
        .collect()
}

fn br_27<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let prices = prices(case, "NetPriceProductTradePrice");
    let holds = some_double(prices.iter().copied(), |price| price >= 0.0)?;
    Ok(wrong(holds, prices.first().copied()))
}

fn br_28<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let prices = prices(case, "GrossPriceProductTradePrice");
    let holds = some_double(prices.iter().copied(), |price| price >= 0.0)? || prices.is_empty();
    Ok(wrong(holds, prices.first().copied()))
}

/// Texts of days are compared as texts.
fn period<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let days = |local| {
        let days = ram(case.at, local).flat_map(|own| udt(own, "DateTimeString"));
        days.filter(|day| day.attribute("format") == Some("102"))
    };
    let has = |local| ram(case.at, local).next().is_some();
    if !has("StartDateTime") || !has("EndDateTime") {
        return Ok(RuleVerdict::Holds);
    }
    // Some end is not before some start: the last end, then, not before the first start.
    let end = days("EndDateTime").max_by(|left, right| string(*left).cmp(&string(*right)));
    let start = days("StartDateTime").min_by(|left, right| string(*left).cmp(&string(*right)));
    let (Some(end), Some(start)) = (end, start) else { return Ok(RuleVerdict::broken()) };
    let verdict = RuleVerdict::of(string(end) >= string(start));
    Ok(verdict.found(string(end)).expected(string(start)).element(Some(end)))
}

fn two_decimals<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let amount = case.at.parent().and_then(|own| ram(own, "ActualAmount").next());
    let Some(amount) = amount else { return Ok(RuleVerdict::Holds) };
    let text = string(amount);
    let decimals = text.split_once('.').map_or(0, |(_, rest)| rest.chars().count());
    Ok(wrong(decimals <= 2, Some(amount)))
}

/// `normalize-space(upper-case(ram:TypeCode)) = 'VAT'`.
pub(super) fn is_vat(tax: Element<'_>) -> Read<'_, bool> {
    let code = crate::rules::values::one(ram(tax, "TypeCode"))?;
    let is = |code| string(code).trim_matches(SPACE).eq_ignore_ascii_case("VAT");
    some(code.into_iter().map(|code| Ok(is(code))))
}
