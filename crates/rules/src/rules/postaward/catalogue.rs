//! Catalogues and punch-out baskets: periods inside one another, quantities and prices.
//!
//! A day is compared as the number that its digits make, so that a text without digits is no
//! number, which is neither before nor after anything.

use quoin_xml::tree::{Element, NodeId};

use super::amounts::{price_not_negative, standard_rate};
use super::reading::{known, not_negative, number_of, top, wrong};
use crate::rules::values::{Read, all_of, any_of, cac, cbc, number, one, string};
use crate::rules::{Case, Facts, Outcome, Rule, RuleVerdict};

/// Catalogue.
pub(super) const T19: &[Rule] = &[
    Rule::new("PEPPOL-T19-R001", period),
    Rule::new("PEPPOL-T19-R008", |case| optional_not_negative(case, "MaximumOrderQuantity")),
    Rule::new("PEPPOL-T19-R009", |case| optional_not_negative(case, "MinimumOrderQuantity")),
    Rule::new("PEPPOL-T19-R010", most_and_least),
    Rule::new("PEPPOL-T19-R007", line_in_catalogue),
    Rule::new("PEPPOL-T19-R013", line_period),
    Rule::new("PEPPOL-T19-R006", price),
    Rule::new("PEPPOL-T19-R011", price_in_line),
    Rule::new("PEPPOL-T19-R016", price_period),
    Rule::new("PEPPOL-T19-R015", standard_rate),
];

/// Punch out.
pub(super) const T77: &[Rule] = &[
    Rule::new("PEPPOL-T77-R001", basket_period),
    Rule::new("PEPPOL-T77-R003", price_not_negative),
    Rule::new("PEPPOL-T77-R002", quantities),
    Rule::new("PEPPOL-T77-R009", standard_rate),
];

/// `number(translate(path, '-', ''))`; `None` where there is nothing.
fn day<'d>(elements: impl Iterator<Item = Element<'d>>) -> Read<'d, Option<f64>> {
    let text = one(elements)?.map(|element| string(element).replace('-', ""));
    Ok(text.map(|text| number::parse(&text).unwrap_or(f64::NAN)))
}

/// One end of a period, read when it is asked for.
type PeriodEnd<'c, 'd> = &'c dyn Fn() -> Read<'d, f64>;

/// The days of the catalogue: from the first of all to the last of all where they are not stated.
struct CataloguePeriod {
    from: Result<f64, NodeId>,
    to: Result<f64, NodeId>,
}

impl CataloguePeriod {
    fn of(facts: &Facts<'_>) -> CataloguePeriod {
        let days = |local, without: f64| {
            let periods =
                top(facts, "Catalogue").into_iter().flat_map(|root| cac(root, "ValidityPeriod"));
            let found = day(periods.flat_map(|period| cbc(period, local)));
            found.map(|day| day.unwrap_or(without)).map_err(|wrong| wrong.id())
        };
        CataloguePeriod { from: days("StartDate", 0.0), to: days("EndDate", 99_999_999.0) }
    }
}

fn catalogue_from<'d>(case: &Case<'_, 'd>) -> Read<'d, f64> {
    known(case, &case.memo(CataloguePeriod::of).from)
}

fn catalogue_to<'d>(case: &Case<'_, 'd>) -> Read<'d, f64> {
    known(case, &case.memo(CataloguePeriod::of).to)
}

fn line_from<'d>(case: &Case<'_, 'd>, line: Option<Element<'d>>) -> Read<'d, f64> {
    line_day(case, line, "StartDate")?.map_or_else(|| catalogue_from(case), Ok)
}

fn line_to<'d>(case: &Case<'_, 'd>, line: Option<Element<'d>>) -> Read<'d, f64> {
    line_day(case, line, "EndDate")?.map_or_else(|| catalogue_to(case), Ok)
}

/// A day of the period of a line, which each of its prices asks for.
fn line_day<'d>(
    case: &Case<'_, 'd>,
    line: Option<Element<'d>>,
    local: &'static str,
) -> Read<'d, Option<f64>> {
    let Some(line) = line else { return Ok(None) };
    let found = case.memo_at((line.id(), local), || {
        let periods = cac(line, "LineValidityPeriod");
        day(periods.flat_map(|period| cbc(period, local))).map_err(|wrong| wrong.id())
    });
    known(case, &found)
}

fn price_days<'d>(case: &Case<'_, 'd>, local: &str) -> Read<'d, Option<f64>> {
    let periods = cac(case.at, "Price").flat_map(|price| cac(price, "ValidityPeriod"));
    day(periods.flat_map(|period| cbc(period, local)))
}

fn price_from<'d>(case: &Case<'_, 'd>) -> Read<'d, f64> {
    price_days(case, "StartDate")?.map_or_else(|| line_from(case, case.at.parent()), Ok)
}

fn price_to<'d>(case: &Case<'_, 'd>) -> Read<'d, f64> {
    price_days(case, "EndDate")?.map_or_else(|| line_to(case, case.at.parent()), Ok)
}

/// Whether both ends of a period lie inside another.
fn inside<'d>(
    [from, to]: [PeriodEnd<'_, 'd>; 2],
    [first, last]: [PeriodEnd<'_, 'd>; 2],
) -> Read<'d, bool> {
    all_of([
        &|| Ok(from()? >= first()?),
        &|| Ok(from()? <= last()?),
        &|| Ok(to()? <= last()?),
        &|| Ok(to()? >= first()?),
    ])
}

fn period<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let holds = catalogue_to(case)? >= catalogue_from(case)?;
    Ok(wrong(holds, cbc(case.at, "EndDate")))
}

fn line_in_catalogue<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let (from, to) = (|| line_from(case, Some(case.at)), || line_to(case, Some(case.at)));
    let (first, last) = (|| catalogue_from(case), || catalogue_to(case));
    let holds = inside([&from, &to], [&first, &last])?;
    Ok(wrong(holds, cac(case.at, "LineValidityPeriod")))
}

fn line_period<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let holds = line_from(case, Some(case.at))? <= line_to(case, Some(case.at))?;
    Ok(wrong(holds, cac(case.at, "LineValidityPeriod")))
}

fn price_in_line<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let line = case.at.parent();
    let (from, to) = (|| price_from(case), || price_to(case));
    let (first, last) = (|| line_from(case, line), || line_to(case, line));
    Ok(RuleVerdict::of(inside([&from, &to], [&first, &last])?))
}

fn price_period<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    Ok(RuleVerdict::of(price_from(case)? <= price_to(case)?))
}

fn price<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    not_negative(|| cac(case.at, "Price").flat_map(|price| cbc(price, "PriceAmount")))
}

fn optional_not_negative<'d>(case: &Case<'_, 'd>, local: &'static str) -> Outcome<'d> {
    if cbc(case.at, local).next().is_none() {
        return Ok(RuleVerdict::Holds);
    }
    not_negative(|| cbc(case.at, local))
}

fn most_and_least<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let most = || cbc(case.at, "MaximumOrderQuantity");
    let least = || cbc(case.at, "MinimumOrderQuantity");
    if most().next().is_none() || least().next().is_none() {
        return Ok(RuleVerdict::Holds);
    }
    let holds = number_of(most())? >= number_of(least())?;
    let verdict = wrong(holds, most());
    Ok(match least().next() {
        Some(least) => verdict.expected(string(least)),
        None => verdict,
    })
}

fn basket_period<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let ends = || cbc(case.at, "EndDate");
    if ends().next().is_none() {
        return Ok(RuleVerdict::broken());
    }
    let issued = case.at.parent().into_iter().flat_map(|root| cbc(root, "IssueDate"));
    let holds = day(ends())?.unwrap_or(f64::NAN) >= day(issued)?.unwrap_or(f64::NAN);
    Ok(wrong(holds, ends()))
}

/// The price base and the batch are above nought, or one of them is not stated.
fn quantities<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let bases = || cac(case.at, "Price").flat_map(|price| cbc(price, "BaseQuantity"));
    let batches = || cac(case.at, "DeliveryUnit").flat_map(|unit| cbc(unit, "BatchQuantity"));
    let base = || Ok(number_of(bases())? > 0.0);
    let batch = || Ok(number_of(batches())? > 0.0);
    let holds = any_of([&|| all_of([&base, &batch]), &|| Ok(bases().next().is_none()), &|| {
        Ok(batches().next().is_none())
    }])?;
    Ok(wrong(holds, bases()))
}
