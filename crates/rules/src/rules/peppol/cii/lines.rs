//! Rules of lines, prices, periods, allowances and charges.

use std::collections::HashMap;

use quoin_xml::tree::{Element, NodeId};

use super::paths::at;
use crate::rules::peppol::reading::normal;
use crate::rules::peppol::ubl::lines::near;
use crate::rules::values::{RAM, Read, decimal, decimal_of, ram, string, udt};
use crate::rules::{Case, Facts, Outcome, Rule, RuleVerdict, Unreadable};
use quoin_model::amount::Decimal;

pub(crate) const RULES: &[Rule] = &[
    Rule::new("PEPPOL-EN16931-R040", r040),
    Rule::new("PEPPOL-EN16931-R110", |case| within(case, true)),
    Rule::new("PEPPOL-EN16931-R111", |case| within(case, false)),
    Rule::new("PEPPOL-EN16931-R120", r120),
    Rule::new("PEPPOL-EN16931-R121", r121),
];

fn r040<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let has = |local| ram(case.at, local).next().is_some();
    if !has("CalculationPercent") || !has("BasisAmount") {
        return Ok(RuleVerdict::Holds);
    }
    let read = |local| decimal_of(ram(case.at, local));
    let amount = read("ActualAmount")?.unwrap_or_default();
    let base = read("BasisAmount")?.unwrap_or_default();
    let percent = read("CalculationPercent")?.unwrap_or_default();
    let computed = base.checked_mul(percent).and_then(|all| all.checked_div(Decimal::from(100)));
    near(case, (ram(case.at, "ActualAmount").next(), amount), computed)
}

/// The first and the last day of the periods of documents, as texts, by the transaction.
struct CiiPeriods(HashMap<NodeId, [Option<String>; 2]>);

impl CiiPeriods {
    fn of(facts: &Facts<'_>) -> CiiPeriods {
        let mut found: HashMap<NodeId, [Option<String>; 2]> = HashMap::new();
        for settlement in facts.named(RAM, "ApplicableHeaderTradeSettlement") {
            let Some(parent) = settlement.parent() else { continue };
            let texts = |local: &str| {
                let days = at(settlement, &format!("BillingSpecifiedPeriod/{local}"));
                let days = days.into_iter().flat_map(|day| udt(day, "DateTimeString"));
                days.map(|day| string(day).into_owned()).collect::<Vec<_>>()
            };
            let [start, end] = found.entry(parent.id()).or_default();
            *start = start.take().into_iter().chain(texts("StartDateTime")).min();
            *end = end.take().into_iter().chain(texts("EndDateTime")).max();
        }
        CiiPeriods(found)
    }
}

/// A day of the period of a line is within the period of the document: the days are compared as
/// texts, as elements without type are.
fn within<'d>(case: &Case<'_, 'd>, is_start: bool) -> Outcome<'d> {
    let line = case.at.parent().and_then(Element::parent).and_then(Element::parent);
    let transaction = line.and_then(Element::parent);
    let periods = case.memo(CiiPeriods::of);
    let period = transaction.and_then(|own| periods.0.get(&own.id()));
    let limit = period.and_then(|[start, end]| if is_start { start.clone() } else { end.clone() });
    let Some(limit) = limit else { return Ok(RuleVerdict::broken()) };
    let mut days = udt(case.at, "DateTimeString").map(string);
    let fits = |day: &str| if is_start { *day >= *limit } else { *day <= *limit };
    let holds = days.any(|day| fits(&day));
    let first = udt(case.at, "DateTimeString").next();
    let verdict = RuleVerdict::of(holds).element(first).expected(limit);
    Ok(match first {
        Some(first) => verdict.found(string(first)),
        None => verdict,
    })
}

/// The sum of the charges or of the allowances of a line, rounded.
fn adjustments<'d>(line: Element<'d>, indicator: &str) -> Read<'d, Decimal> {
    let mut sum = Decimal::ZERO;
    for group in at(line, "SpecifiedLineTradeSettlement/SpecifiedTradeAllowanceCharge") {
        if normal(at(group, "ChargeIndicator/udt:Indicator"))? != indicator {
            continue;
        }
        for amount in ram(group, "ActualAmount") {
            let next = sum.checked_add(decimal(amount)?);
            sum = next.ok_or_else(|| Unreadable::value(amount, string(amount)))?;
        }
    }
    Ok(sum.round_to_cents())
}

const TOTAL: &str =
    "SpecifiedLineTradeSettlement/SpecifiedTradeSettlementLineMonetarySummation/LineTotalAmount";
const PRICE: &str = "SpecifiedLineTradeAgreement/NetPriceProductTradePrice";

fn r120<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let one_or = |path: &str, usual: i64| -> Read<'d, Decimal> {
        Ok(decimal_of(at(case.at, path).into_iter())?.unwrap_or(Decimal::from(usual)))
    };
    let amount = one_or(TOTAL, 0)?;
    let quantity = one_or("SpecifiedLineTradeDelivery/BilledQuantity", 1)?;
    let price = one_or(&format!("{PRICE}/ChargeAmount"), 0)?;
    let base = one_or(&format!("{PRICE}/BasisQuantity"), 1)?;
    let base = if base.is_zero() { Decimal::from(1) } else { base };
    let allowances = adjustments(case.at, "false")?;
    let charges = adjustments(case.at, "true")?;
    let goods = price.checked_div(base).and_then(|each| quantity.checked_mul(each));
    let computed = goods.and_then(|goods| goods.checked_add(charges)?.checked_sub(allowances));
    near(case, (at(case.at, TOTAL).into_iter().next(), amount), computed)
}

fn r121<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let Some(first) = ram(case.at, "BasisQuantity").next() else { return Ok(RuleVerdict::Holds) };
    let base = decimal_of(ram(case.at, "BasisQuantity"))?.unwrap_or_default();
    Ok(RuleVerdict::of(base > Decimal::ZERO).found(string(first)).element(Some(first)))
}
