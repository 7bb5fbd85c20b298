//! Rules of lines, prices, periods, allowances and charges.

use std::collections::HashMap;

use quoin_xml::tree::{Element, NodeId};

use super::paths::is_invoice;
use crate::rules::values::{
    CAC, CBC, Read, cac, cbc, date, decimal, decimal_of, normalized, one, string, text,
};
use crate::rules::{Case, Facts, Outcome, Rule, RuleVerdict, Unreadable};
use quoin_model::amount::Decimal;

/// What every release and both profiles have.
pub(crate) const RULES: &[Rule] = &[
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
pub(crate) fn is_near(stated: Decimal, computed: Decimal) -> Option<bool> {
    Some(stated.checked_sub(computed)?.abs() <= slack())
}

/// A stated amount beside a computed one.
pub(crate) fn near<'d>(
    case: &Case<'_, 'd>,
    (element, stated): (Option<Element<'d>>, Decimal),
    computed: Option<Decimal>,
) -> Outcome<'d> {
    let overflow = || Unreadable::at(case, case.at.id());
    let computed = computed.ok_or_else(overflow)?;
    if is_near(stated, computed).ok_or_else(overflow)? {
        return Ok(RuleVerdict::Holds);
    }
    let verdict = RuleVerdict::broken().element(element).expected(computed.round(2).to_string());
    Ok(match element {
        Some(element) => verdict.found(element.text()),
        None => verdict,
    })
}

fn r040<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let has = |local| cbc(case.at, local).next().is_some();
    if !has("MultiplierFactorNumeric") || !has("BaseAmount") {
        return Ok(RuleVerdict::Holds);
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
        return Ok(RuleVerdict::Holds);
    }
    let prices = || case.at.parent().into_iter().flat_map(|price| cbc(price, "PriceAmount"));
    // Where one is missing those behind it are not read.
    let Some(net) = decimal_of(prices())? else { return Ok(RuleVerdict::broken()) };
    let Some(gross) = decimal_of(cbc(case.at, "BaseAmount"))? else {
        return Ok(RuleVerdict::broken());
    };
    let Some(discount) = decimal_of(cbc(case.at, "Amount"))? else {
        return Ok(RuleVerdict::broken());
    };
    let expected = gross.checked_sub(discount);
    let expected = expected.ok_or_else(|| Unreadable::at(case, case.at.id()))?;
    let price = prices().next();
    let found = price.map(string).unwrap_or_default();
    let verdict = RuleVerdict::of(net == expected).element(price).found(found);
    Ok(verdict.expected(expected.to_string()))
}

/// The periods of documents: those of each element that has some.
struct UblPeriods(HashMap<NodeId, Vec<NodeId>>);

impl UblPeriods {
    fn of(facts: &Facts<'_>) -> UblPeriods {
        let mut found: HashMap<NodeId, Vec<NodeId>> = HashMap::new();
        for period in facts.named(CAC, "InvoicePeriod") {
            if let Some(parent) = period.parent() {
                found.entry(parent.id()).or_default().push(period.id());
            }
        }
        UblPeriods(found)
    }
}

/// A day of the period of a line is within the period of the document.
fn within<'d>(case: &Case<'_, 'd>, local: &str) -> Outcome<'d> {
    let document = case.at.parent().and_then(Element::parent).and_then(Element::parent);
    let periods = case.memo(UblPeriods::of);
    let periods = document.and_then(|own| periods.0.get(&own.id())).into_iter().flatten();
    let periods = periods.filter_map(|id| case.document().element(*id));
    let limit = one(periods.flat_map(|period| cbc(period, local)))?;
    // Of an element without text there is no day, and no comparison holds.
    let own = text::own(case.at)?;
    let own = if own.is_empty() { None } else { Some(date(case.at)?) };
    let (Some(own), Some(limit)) = (own, limit) else { return Ok(RuleVerdict::broken()) };
    let day = date(limit)?;
    let holds = if local == "StartDate" { own >= day } else { own <= day };
    Ok(RuleVerdict::of(holds).found(case.at.text()).expected(string(limit)))
}

/// What a line computes with, found in one pass.
#[derive(Default)]
struct LineValues<'d> {
    amount: Only<'d>,
    quantity: Only<'d>,
    price: Only<'d>,
    base: Only<'d>,
    charges: Decimal,
    allowances: Decimal,
}

/// The one element of a path, and the second one where there are several.
#[derive(Default)]
struct Only<'d>(Option<Element<'d>>, Option<Element<'d>>);

impl<'d> Only<'d> {
    fn add(&mut self, element: Element<'d>) {
        match self.0 {
            None => self.0 = Some(element),
            Some(_) => self.1 = self.1.or(Some(element)),
        }
    }

    /// Its value, or what stands for none.
    fn or(&self, usual: i64) -> Read<'d, Decimal> {
        match (self.0, self.1) {
            (_, Some(second)) => Err(Unreadable::several(second)),
            (Some(element), None) => decimal(element),
            (None, None) => Ok(Decimal::from(usual)),
        }
    }
}

impl<'d> LineValues<'d> {
    fn of(line: Element<'d>, counted: &str) -> Read<'d, LineValues<'d>> {
        let mut parts = LineValues::default();
        for child in line.elements() {
            match child.local() {
                "LineExtensionAmount" if child.namespace() == CBC => parts.amount.add(child),
                "Price" if child.namespace() == CAC => parts.add_price(child),
                "AllowanceCharge" if child.namespace() == CAC => parts.adjust(child)?,
                local if local == counted && child.namespace() == CBC => parts.quantity.add(child),
                _ => {}
            }
        }
        Ok(parts)
    }

    fn add_price(&mut self, price: Element<'d>) {
        cbc(price, "PriceAmount").for_each(|amount| self.price.add(amount));
        cbc(price, "BaseQuantity").for_each(|base| self.base.add(base));
    }

    /// Adds the amounts of a charge or of an allowance.
    fn adjust(&mut self, group: Element<'d>) -> Read<'d, ()> {
        let indicator = one(cbc(group, "ChargeIndicator"))?.map(normalized).unwrap_or_default();
        let sum = match &*indicator {
            "true" => &mut self.charges,
            "false" => &mut self.allowances,
            _ => return Ok(()),
        };
        for amount in cbc(group, "Amount") {
            let next = sum.checked_add(decimal(amount)?);
            *sum = next.ok_or_else(|| Unreadable::value(amount, string(amount)))?;
        }
        Ok(())
    }

    /// Quantity times price, plus charges, less allowances; `None` beyond 38 digits.
    fn computed(&self, quantity: Decimal, price: Decimal, base: Decimal) -> Option<Decimal> {
        let base = if base.is_zero() { Decimal::from(1) } else { base };
        let goods = quantity.checked_mul(price.checked_div(base)?)?;
        let (charges, allowances) =
            (self.charges.round_to_cents(), self.allowances.round_to_cents());
        goods.checked_add(charges)?.checked_sub(allowances)
    }
}

fn r120<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let counted = if is_invoice(case.root()) { "InvoicedQuantity" } else { "CreditedQuantity" };
    let parts = LineValues::of(case.at, counted)?;
    let amount = parts.amount.or(0)?;
    let computed = parts.computed(parts.quantity.or(1)?, parts.price.or(0)?, parts.base.or(1)?);
    near(case, (parts.amount.0, amount), computed)
}

fn r121<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let bases = || cac(case.at, "Price").flat_map(|price| cbc(price, "BaseQuantity"));
    let Some(first) = bases().next() else { return Ok(RuleVerdict::Holds) };
    let base = decimal_of(bases())?.unwrap_or_default();
    Ok(RuleVerdict::of(base > Decimal::ZERO).found(string(first)).element(Some(first)))
}

/// The unit of the base quantity is that of the quantity.
fn r130<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let Some(line) = case.at.parent().and_then(Element::parent) else {
        return Ok(RuleVerdict::Holds);
    };
    let has = |local| cbc(line, local).next().is_some();
    let has_quantity = has("InvoicedQuantity") || has("CreditedQuantity");
    let counted = if is_invoice(case.root()) { "InvoicedQuantity" } else { "CreditedQuantity" };
    let own = case.at.attribute("unitCode").unwrap_or_default();
    let units: Vec<_> =
        cbc(line, counted).filter_map(|quantity| quantity.attribute("unitCode")).collect();
    let verdict = RuleVerdict::of(!has_quantity || units.contains(&own)).found(own);
    Ok(match units.first().copied() {
        Some(expected) => verdict.expected(expected),
        None => verdict,
    })
}
