//! Rules of Peppol BIS Billing that XRechnung has taken over, in UBL.

use std::borrow::Cow;

use quoin_xml::tree::{Element, NodeId};

use super::formats::{normal_of, wrong};
use super::kind;
use crate::rules::values::{
    Read, all_of, any_of, cac, cbc, decimal_of, decimal_sum, normalize, number, one, some_double,
    text,
};
use crate::rules::{Case, Facts, Outcome, Rule, RuleVerdict, Unreadable};
use quoin_model::amount::Decimal;

pub(super) const RULES: &[Rule] = &[
    Rule::new("PEPPOL-EN16931-R054", r054),
    Rule::new("PEPPOL-EN16931-R055", r055),
    Rule::new("PEPPOL-EN16931-R005", r005),
    Rule::new("PEPPOL-EN16931-R040", r040),
    Rule::new("PEPPOL-EN16931-R110", |case| period(case, "StartDate", |own, of| own >= of)),
    Rule::new("PEPPOL-EN16931-R111", |case| period(case, "EndDate", |own, of| own <= of)),
    Rule::new("PEPPOL-EN16931-R120", r120),
    Rule::new("PEPPOL-EN16931-R121", r121),
    Rule::new("PEPPOL-EN16931-R046", r046),
    Rule::new("PEPPOL-EN16931-R130", r130),
];

/// A total without breakdown is there where a currency of VAT accounting is stated.
fn r054<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let totals = cac(case.at, "TaxTotal");
    let count = totals.filter(|total| cac(*total, "TaxSubtotal").next().is_none()).count();
    let currency = cbc(case.at, "TaxCurrencyCode").next();
    Ok(RuleVerdict::of(count == usize::from(currency.is_some())).found(count.to_string()))
}

/// The totals of VAT in both currencies have one sign.
fn r055<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    if cbc(case.at, "TaxCurrencyCode").next().is_none() {
        return Ok(RuleVerdict::Holds);
    }
    let amounts = || cac(case.at, "TaxTotal").flat_map(|total| cbc(total, "TaxAmount"));
    let some = |local: &'static str, is: fn(f64) -> bool| {
        let currency = normal_of(cbc(case.at, local))?;
        let own = amounts().filter(|own| own.attribute("currencyID") == Some(&*currency));
        some_double(own, is)
    };
    let both = |is: fn(f64) -> bool| {
        all_of([&|| some("TaxCurrencyCode", is), &|| some("DocumentCurrencyCode", is)])
    };
    let holds = any_of([&|| both(|amount| amount <= 0.0), &|| both(|amount| amount >= 0.0)])?;
    Ok(RuleVerdict::of(holds))
}

/// The currency of VAT accounting is another than that of the document.
fn r005<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let own = normalize(text::own(case.at)?);
    let beside = case.at.parent().into_iter().flat_map(|up| cbc(up, "DocumentCurrencyCode"));
    Ok(wrong(own != normalize(text::one(beside)?.unwrap_or_default()), Some(case.at)))
}

/// How far an amount may be from the computed one: half a forint, or two cents.
fn slack(facts: &Facts<'_>) -> Decimal {
    slack_of(facts.memo(LineContext::of).in_forint)
}

/// What rules of every line ask of the document.
struct LineContext {
    in_forint: bool,
    /// The days of its period, or the second where there are several.
    start: Result<Option<NodeId>, NodeId>,
    end: Result<Option<NodeId>, NodeId>,
}

impl LineContext {
    fn of(facts: &Facts<'_>) -> LineContext {
        let mut currencies = cbc(facts.root(), "DocumentCurrencyCode");
        let day = |local| {
            let days = cac(facts.root(), "InvoicePeriod").flat_map(|period| cbc(period, local));
            let day = one(days).map_err(|wrong| wrong.id())?;
            Ok(day.map(Element::id))
        };
        LineContext {
            in_forint: currencies.any(|code| code.string_value() == "HUF"),
            start: day("StartDate"),
            end: day("EndDate"),
        }
    }
}

pub(super) fn slack_of(in_forint: bool) -> Decimal {
    if in_forint { Decimal::new(5, 1) } else { Decimal::new(2, 2) }
}

/// A stated amount is near a computed one; `None` where there are too many digits to compute.
pub(super) fn near<'d>(
    case: &Case<'_, 'd>,
    (stated, element): (Decimal, Option<Element<'d>>),
    expected: Option<Decimal>,
    slack: Decimal,
) -> Outcome<'d> {
    let apart = expected.and_then(|expected| stated.checked_sub(expected));
    let apart = apart.ok_or_else(|| Unreadable::at(case, case.at.id()))?;
    let verdict = wrong(apart.abs() <= slack, element);
    Ok(match expected {
        Some(expected) => verdict.expected(format!("{:.2}", expected.round_to_cents())),
        None => verdict,
    })
}

/// A base amount and a percentage of it.
pub(super) fn share(base: Decimal, percent: Decimal) -> Option<Decimal> {
    base.checked_mul(percent)?.checked_div(Decimal::new(100, 0))
}

/// An allowance or a charge is its percentage of its base amount.
fn r040<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let value = |local| decimal_of(cbc(case.at, local));
    let has = |local| cbc(case.at, local).next().is_some();
    if !has("MultiplierFactorNumeric") || !has("BaseAmount") {
        return Ok(RuleVerdict::Holds);
    }
    let (percent, base) = (value("MultiplierFactorNumeric")?, value("BaseAmount")?);
    let amount = value("Amount")?.unwrap_or_default();
    let expected = base.zip(percent).and_then(|(base, percent)| share(base, percent));
    near(case, (amount, cbc(case.at, "Amount").next()), expected, slack(case))
}

/// A day of a line is inside the period of the invoice.
fn period<'d>(case: &Case<'_, 'd>, local: &str, is: fn(i64, i64) -> bool) -> Outcome<'d> {
    let day = |text: Option<Cow<'d, str>>| match text {
        Some(text) => {
            let day = number::date(&text);
            day.map(Some).ok_or_else(|| Unreadable::value(case.at, text))
        }
        None => Ok(None),
    };
    let document = case.memo(LineContext::of);
    let of = if local == "StartDate" { document.start } else { document.end };
    let of = of.map_err(|id| Unreadable::at(case, id))?;
    let of = of.and_then(|id| case.document().element(id));
    let of = of.map(|of| of.string_value());
    let own = day(text::one(std::iter::once(case.at))?)?;
    let holds = own.zip(day(of.clone())?).is_some_and(|(own, of)| is(own, of));
    Ok(wrong(holds, Some(case.at)).expected(of.unwrap_or_default()))
}

/// What a line amounts to: quantity by price and base quantity, charges and allowances.
pub(super) struct LineAmounts {
    pub(super) quantity: Option<Decimal>,
    pub(super) price: Option<Decimal>,
    pub(super) base: Option<Decimal>,
    pub(super) charges: Decimal,
    pub(super) allowances: Decimal,
}

impl LineAmounts {
    /// The net amount; `None` where there are too many digits to compute.
    pub(super) fn amount(&self) -> Option<Decimal> {
        let one = Decimal::new(1, 0);
        let base = self.base.filter(|base| !base.is_zero()).unwrap_or(one);
        let each = self.price.unwrap_or_default().checked_div(base)?;
        let all = self.quantity.unwrap_or(one).checked_mul(each)?;
        all.checked_add(self.charges)?.checked_sub(self.allowances)
    }
}

/// The amounts of the allowances or charges of a line, rounded.
fn adjustments<'d>(line: Element<'d>, indicator: &str) -> Read<'d, Decimal> {
    let mut amounts = Vec::new();
    for own in cac(line, "AllowanceCharge") {
        if normal_of(cbc(own, "ChargeIndicator"))? == indicator {
            amounts.extend(cbc(own, "Amount"));
        }
    }
    Ok(decimal_sum(amounts.into_iter())?.round_to_cents())
}

fn prices<'d>(line: Element<'d>, local: &'static str) -> impl Iterator<Item = Element<'d>> {
    cac(line, "Price").flat_map(move |price| cbc(price, local))
}

/// The net amount of a line is what its quantity and price come to.
fn r120<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    const LOCAL: &str = "LineExtensionAmount";
    let quantity =
        if kind::is_invoice(case.root()) { "InvoicedQuantity" } else { "CreditedQuantity" };
    let stated = decimal_of(cbc(case.at, LOCAL))?.unwrap_or_default();
    let line = LineAmounts {
        quantity: decimal_of(cbc(case.at, quantity))?,
        price: decimal_of(prices(case.at, "PriceAmount"))?,
        base: decimal_of(prices(case.at, "BaseQuantity"))?,
        charges: adjustments(case.at, "true")?,
        allowances: adjustments(case.at, "false")?,
    };
    near(case, (stated, cbc(case.at, LOCAL).next()), line.amount(), slack(case))
}

/// A base quantity is above nought.
fn r121<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    positive(prices(case.at, "BaseQuantity"))
}

pub(super) fn positive<'d>(elements: impl Iterator<Item = Element<'d>>) -> Outcome<'d> {
    let mut elements = elements.peekable();
    let first = elements.peek().copied();
    let holds =
        decimal_of(elements)?.is_none_or(|quantity| !quantity.is_negative() && !quantity.is_zero());
    Ok(wrong(holds, first))
}

/// The net price is the gross price less the discount.
fn r046<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    if cbc(case.at, "BaseAmount").next().is_none() {
        return Ok(RuleVerdict::Holds);
    }
    let net = || case.at.parent().into_iter().flat_map(|price| cbc(price, "PriceAmount"));
    let stated = decimal_of(net())?;
    let gross = decimal_of(cbc(case.at, "BaseAmount"))?;
    let discount = decimal_of(cbc(case.at, "Amount"))?;
    less(case, (stated, net().next()), gross, discount)
}

/// A net price beside the difference of two amounts, all of which must be there.
pub(super) fn less<'d>(
    case: &Case<'_, 'd>,
    (stated, element): (Option<Decimal>, Option<Element<'d>>),
    gross: Option<Decimal>,
    discount: Option<Decimal>,
) -> Outcome<'d> {
    let (Some(stated), Some((gross, discount))) = (stated, gross.zip(discount)) else {
        return Ok(wrong(false, element));
    };
    let expected = gross.checked_sub(discount);
    let expected = expected.ok_or_else(|| Unreadable::at(case, case.at.id()))?;
    Ok(wrong(stated == expected, element).expected(expected.to_string()))
}

/// The unit of a base quantity is that of the quantity.
#[expect(clippy::indexing_slicing, reason = "an array of two, by a truth value")]
fn r130<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let line = case.at.parent().and_then(Element::parent);
    let quantities = |local| line.into_iter().flat_map(move |line| cbc(line, local));
    let both = ["InvoicedQuantity", "CreditedQuantity"];
    if both.iter().all(|local| quantities(local).next().is_none()) {
        return Ok(RuleVerdict::Holds);
    }
    let own = case.at.attribute("unitCode");
    let local = both[usize::from(!kind::is_invoice(case.root()))];
    let mut units = quantities(local).filter_map(|quantity| quantity.attribute("unitCode"));
    let verdict =
        RuleVerdict::of(quantities(local).any(|quantity| quantity.attribute("unitCode") == own));
    let verdict = verdict.found(own.unwrap_or_default());
    Ok(match units.next() {
        Some(unit) => verdict.expected(unit),
        None => verdict,
    })
}
