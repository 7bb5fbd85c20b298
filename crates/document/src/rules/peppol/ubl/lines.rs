//! Rules of lines, prices, periods, allowances and charges.

use std::collections::HashMap;

use quoin_xml::tree::{Element, NodeId};

use super::paths::{at, is_invoice};
use crate::amount::Decimal;
use crate::rules::peppol::reading::normal;
use crate::rules::values::{CAC, Read, cac, cbc, date, decimal, decimal_of, one, string};
use crate::rules::{Case, Facts, Outcome, Rule, Unreadable, Verdict};

/// What every release and both profiles have.
pub(in crate::rules) const RULES: &[Rule] = &[
    Rule::new("PEPPOL-EN16931-R040", r040),
    Rule::new("PEPPOL-EN16931-R046", r046),
    Rule::new("PEPPOL-EN16931-R110", |case| within(case, "StartDate")),
    Rule::new("PEPPOL-EN16931-R111", |case| within(case, "EndDate")),
    Rule::new("PEPPOL-EN16931-R120", r120),
    Rule::new("PEPPOL-EN16931-R121", r121),
    Rule::new("PEPPOL-EN16931-R130", r130),
];

/// What an amount may be off.
fn slack() -> Decimal {
    Decimal::new(2, 2)
}

/// `u:slack`: whether two amounts are as near to each other as may be; `None` beyond 38 digits.
pub(in crate::rules) fn is_near(stated: Decimal, computed: Decimal) -> Option<bool> {
    Some(stated.checked_sub(computed)?.abs() <= slack())
}

/// A stated amount beside a computed one.
pub(in crate::rules) fn near<'d>(
    case: &Case<'_, 'd>,
    (element, stated): (Option<Element<'d>>, Decimal),
    computed: Option<Decimal>,
) -> Outcome<'d> {
    let overflow = || Unreadable::at(case, case.at.id());
    let computed = computed.ok_or_else(overflow)?;
    let verdict = Verdict::of(is_near(stated, computed).ok_or_else(overflow)?).element(element);
    let expected = verdict.expected(computed.round(2).to_string());
    Ok(match element {
        Some(element) => expected.found(element.text()),
        None => expected,
    })
}

fn r040<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let has = |local| cbc(case.at, local).next().is_some();
    if !has("MultiplierFactorNumeric") || !has("BaseAmount") {
        return Ok(Verdict::Holds);
    }
    let read = |local| decimal_of(cbc(case.at, local));
    let amount = read("Amount")?.unwrap_or_default();
    let base = read("BaseAmount")?.unwrap_or_default();
    let factor = read("MultiplierFactorNumeric")?.unwrap_or_default();
    let computed = base.checked_mul(factor).and_then(|all| all.checked_div(Decimal::from(100)));
    near(case, (cbc(case.at, "Amount").next(), amount), computed)
}

fn r046<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    if cbc(case.at, "BaseAmount").next().is_none() {
        return Ok(Verdict::Holds);
    }
    let prices = || case.at.parent().into_iter().flat_map(|price| cbc(price, "PriceAmount"));
    let net = decimal_of(prices())?;
    let gross = decimal_of(cbc(case.at, "BaseAmount"))?;
    let discount = decimal_of(cbc(case.at, "Amount"))?;
    let (Some(net), Some(gross), Some(discount)) = (net, gross, discount) else {
        return Ok(Verdict::broken());
    };
    let expected = gross.checked_sub(discount);
    let expected = expected.ok_or_else(|| Unreadable::at(case, case.at.id()))?;
    let price = prices().next();
    let found = price.map(string).unwrap_or_default();
    let verdict = Verdict::of(net == expected).element(price).found(found);
    Ok(verdict.expected(expected.to_string()))
}

/// The periods of documents: those of each element that has some.
struct Periods(HashMap<NodeId, Vec<NodeId>>);

impl Periods {
    fn of(facts: &Facts<'_>) -> Periods {
        let mut found: HashMap<NodeId, Vec<NodeId>> = HashMap::new();
        for period in facts.named(CAC, "InvoicePeriod") {
            if let Some(parent) = period.parent() {
                found.entry(parent.id()).or_default().push(period.id());
            }
        }
        Periods(found)
    }
}

/// A day of the period of a line is within the period of the document.
fn within<'d>(case: &Case<'_, 'd>, local: &str) -> Outcome<'d> {
    let document = case.at.parent().and_then(Element::parent).and_then(Element::parent);
    let periods = case.memo(Periods::of);
    let periods = document.and_then(|own| periods.0.get(&own.id())).into_iter().flatten();
    let periods = periods.filter_map(|id| case.document().element(*id));
    let limit = one(periods.flat_map(|period| cbc(period, local)))?;
    // Of an element without text there is no day, and no comparison holds.
    let own = if case.at.text().is_empty() { None } else { Some(date(case.at)?) };
    let (Some(own), Some(limit)) = (own, limit) else { return Ok(Verdict::broken()) };
    let day = date(limit)?;
    let holds = if local == "StartDate" { own >= day } else { own <= day };
    Ok(Verdict::of(holds).found(case.at.text()).expected(string(limit)))
}

/// The sum of the charges or of the allowances of a line, rounded.
fn adjustments<'d>(line: Element<'d>, indicator: &str) -> Read<'d, Decimal> {
    let mut sum = Decimal::ZERO;
    for group in cac(line, "AllowanceCharge") {
        if normal(cbc(group, "ChargeIndicator").collect())? != indicator {
            continue;
        }
        for amount in cbc(group, "Amount") {
            let next = sum.checked_add(decimal(amount)?);
            sum = next.ok_or_else(|| Unreadable::value(amount, string(amount)))?;
        }
    }
    Ok(sum.round_to_cents())
}

fn r120<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let line = case.at;
    let one_or = |elements: Vec<Element<'d>>, usual: i64| -> Read<'d, Decimal> {
        Ok(decimal_of(elements.into_iter())?.unwrap_or(Decimal::from(usual)))
    };
    let counted = if is_invoice(case.root()) { "InvoicedQuantity" } else { "CreditedQuantity" };
    let amount = one_or(cbc(line, "LineExtensionAmount").collect(), 0)?;
    let quantity = one_or(cbc(line, counted).collect(), 1)?;
    let price = one_or(at(line, "Price/cbc:PriceAmount"), 0)?;
    let base = one_or(at(line, "Price/cbc:BaseQuantity"), 1)?;
    let base = if base.is_zero() { Decimal::from(1) } else { base };
    let allowances = adjustments(line, "false")?;
    let charges = adjustments(line, "true")?;
    let goods = price.checked_div(base).and_then(|each| quantity.checked_mul(each));
    let computed = goods.and_then(|goods| goods.checked_add(charges)?.checked_sub(allowances));
    near(case, (cbc(line, "LineExtensionAmount").next(), amount), computed)
}

fn r121<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let bases = at(case.at, "Price/cbc:BaseQuantity");
    let Some(&first) = bases.first() else { return Ok(Verdict::Holds) };
    let base = decimal_of(bases.into_iter())?.unwrap_or_default();
    let holds = base > Decimal::ZERO;
    Ok(Verdict::of(holds).found(string(first)).element(Some(first)))
}

/// The unit of the base quantity is that of the quantity.
fn r130<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let Some(line) = case.at.parent().and_then(Element::parent) else { return Ok(Verdict::Holds) };
    let has = |local| cbc(line, local).next().is_some();
    let has_quantity = has("InvoicedQuantity") || has("CreditedQuantity");
    let counted = if is_invoice(case.root()) { "InvoicedQuantity" } else { "CreditedQuantity" };
    let own = case.at.attribute("unitCode").unwrap_or_default();
    let units: Vec<_> =
        cbc(line, counted).filter_map(|quantity| quantity.attribute("unitCode")).collect();
    let verdict = Verdict::of(!has_quantity || units.contains(&own)).found(own);
    Ok(match units.first().copied() {
        Some(expected) => verdict.expected(expected),
        None => verdict,
    })
}
