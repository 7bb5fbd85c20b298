//! Rules of Peppol BIS Billing that XRechnung has taken over, in CII.

use std::borrow::Cow;

use quoin_xml::tree::Element;

use super::bis_ubl::{LineAmounts, less, near, positive, share, slack_of};
use super::cii::{below, settled};
use super::formats::{normal_of, wrong};
use crate::rules::values::{
    Read, all_of, any_of, decimal_of, decimal_sum, normalize, ram, some_double, text, udt,
};
use crate::rules::{Case, Facts, Outcome, Rule, RuleVerdict};
use quoin_model::Flag::Fatal;
use quoin_model::amount::Decimal;

pub(super) const RULES: &[Rule] = &[
    Rule::new("PEPPOL-EN16931-R005", r005),
    Rule::new("PEPPOL-EN16931-R008", |_| Ok(RuleVerdict::broken())).at(Fatal, empty),
    Rule::new("PEPPOL-EN16931-R054", r054),
    Rule::new("PEPPOL-EN16931-R055", r055),
    Rule::new("PEPPOL-EN16931-R040", r040),
    Rule::new("PEPPOL-EN16931-R110", |case| period(case, "StartDateTime")),
    Rule::new("PEPPOL-EN16931-R111", |case| period(case, "EndDateTime")),
    Rule::new("PEPPOL-EN16931-R120", r120),
    Rule::new("PEPPOL-EN16931-R121", |case| positive(ram(case.at, "BasisQuantity"))),
    Rule::new("PEPPOL-EN16931-R046", r046),
];

/// Elements with nothing in them, but one that is allowed so, as its name is written.
fn empty<'d>(facts: &Facts<'d>, add: &mut dyn FnMut(Element<'d>)) {
    let is_empty = |own: &Element<'d>| {
        own.elements().next().is_none()
            && own.string_value().trim_matches(crate::rules::values::SPACE).is_empty()
            && own.qualified_name() != "ram:ApplicableHeaderTradeDelivery"
    };
    facts.root().descendants().filter(is_empty).for_each(add);
}

/// The currency of VAT accounting is another than that of the document.
fn r005<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let own = ram(case.at, "TaxCurrencyCode").next();
    if own.is_none() {
        return Ok(RuleVerdict::Holds);
    }
    let text = |local| -> Read<'d, Cow<'d, str>> {
        Ok(normalize(text::one(ram(case.at, local))?.unwrap_or_default()))
    };
    Ok(wrong(text("TaxCurrencyCode")? != text("InvoiceCurrencyCode")?, own))
}

/// The codes of a currency of the document.
struct BisCurrencies([Vec<String>; 2]);

impl BisCurrencies {
    fn of(facts: &Facts<'_>) -> BisCurrencies {
        BisCurrencies(["InvoiceCurrencyCode", "TaxCurrencyCode"].map(|local| {
            let codes = settled(facts.root(), &[local]).into_iter();
            codes.map(|code| code.string_value().into_owned()).collect()
        }))
    }
}

const TAX: &[&str] = &["SpecifiedTradeSettlementHeaderMonetarySummation", "TaxTotalAmount"];

/// A total of VAT in another currency is there where one is stated.
fn r054<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let currencies = case.memo(BisCurrencies::of);
    let is_other = |amount: &Element<'d>| {
        let own = amount.attribute("currencyID");
        own.is_some_and(|own| currencies.0[0].iter().any(|code| code != own))
    };
    let count = below(case.at, TAX).into_iter().filter(is_other).count();
    let currency = ram(case.at, "TaxCurrencyCode").next();
    Ok(RuleVerdict::of(count == usize::from(currency.is_some())).found(count.to_string()))
}

/// The totals of VAT in both currencies have one sign.
#[expect(clippy::indexing_slicing, reason = "an array of two, by a truth value")]
fn r055<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let currencies = case.memo(BisCurrencies::of);
    let amounts = below(case.at, TAX);
    let [own, tax] = [0, 1].map(|which: usize| {
        let is = |amount: &&Element<'d>| {
            let own = amount.attribute("currencyID");
            own.is_some_and(|own| currencies.0[which].iter().any(|code| code == own))
        };
        amounts.iter().filter(is).copied().collect::<Vec<_>>()
    });
    if currencies.0[1].is_empty() || own.is_empty() {
        return Ok(RuleVerdict::Holds);
    }
    let some = |from: &Vec<Element<'d>>, is: fn(f64) -> bool| some_double(from.iter().copied(), is);
    let both = |is: fn(f64) -> bool| all_of([&|| some(&tax, is), &|| some(&own, is)]);
    let holds = any_of([&|| both(|amount| amount < 0.0), &|| both(|amount| amount >= 0.0)])?;
    Ok(RuleVerdict::of(holds))
}

fn slack(case: &Case<'_, '_>) -> Decimal {
    let currencies = case.memo(BisCurrencies::of);
    slack_of(currencies.0[0].iter().any(|code| code == "HUF"))
}

/// An allowance or a charge is its percentage of its base amount.
fn r040<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let value = |local| decimal_of(ram(case.at, local));
    let has = |local| ram(case.at, local).next().is_some();
    if !has("CalculationPercent") || !has("BasisAmount") {
        return Ok(RuleVerdict::Holds);
    }
    let (percent, base) = (value("CalculationPercent")?, value("BasisAmount")?);
    let amount = value("ActualAmount")?.unwrap_or_default();
    let expected = base.zip(percent).and_then(|(base, percent)| share(base, percent));
    near(case, (amount, ram(case.at, "ActualAmount").next()), expected, slack(case))
}

/// The days of the period of the document: the least and the greatest text, by start and end.
struct Days([Option<(String, String)>; 2]);

impl Days {
    fn of(facts: &Facts<'_>) -> Days {
        Days(["StartDateTime", "EndDateTime"].map(|local| {
            let days = settled(facts.root(), &["BillingSpecifiedPeriod", local]);
            let days = days.into_iter().flat_map(|day| udt(day, "DateTimeString"));
            let days: Vec<String> = days.map(|day| day.string_value().into_owned()).collect();
            Some((days.iter().min()?.clone(), days.iter().max()?.clone()))
        }))
    }
}

/// Texts of days are compared as texts: some day of the line with some of the document.
#[expect(clippy::indexing_slicing, reason = "an array of two, by a truth value")]
fn period<'d>(case: &Case<'_, 'd>, local: &str) -> Outcome<'d> {
    let is_start = local == "StartDateTime";
    let days = case.memo(Days::of);
    let own = udt(case.at, "DateTimeString").next();
    let Some((least, greatest)) = &days.0[usize::from(!is_start)] else {
        return Ok(wrong(false, own));
    };
    let holds = udt(case.at, "DateTimeString").any(|day| match is_start {
        true => *day.string_value() >= **least,
        false => *day.string_value() <= **greatest,
    });
    let expected = if is_start { least } else { greatest };
    Ok(wrong(holds, own).expected(expected.clone()))
}

/// The amounts of the allowances or charges of a line, rounded.
fn adjustments<'d>(line: Element<'d>, indicator: &str) -> Read<'d, Decimal> {
    const PATH: &[&str] = &["SpecifiedLineTradeSettlement", "SpecifiedTradeAllowanceCharge"];
    let mut amounts = Vec::new();
    for own in below(line, PATH) {
        let stated = ram(own, "ChargeIndicator").flat_map(|own| udt(own, "Indicator"));
        if normal_of(stated)? == indicator {
            amounts.extend(ram(own, "ActualAmount"));
        }
    }
    Ok(decimal_sum(amounts.into_iter())?.round_to_cents())
}

/// The net amount of a line is what its quantity and price come to.
fn r120<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    const PRICE: &str = "NetPriceProductTradePrice";
    const GROSS: &str = "GrossPriceProductTradePrice";
    const TOTAL: [&str; 3] = [
        "SpecifiedLineTradeSettlement",
        "SpecifiedTradeSettlementLineMonetarySummation",
        "LineTotalAmount",
    ];
    let value = |path: &[&str]| decimal_of(below(case.at, path).into_iter());
    let agreed = |price, local| value(&["SpecifiedLineTradeAgreement", price, local]);
    let is_some = |base: &Decimal| !base.is_zero();
    let base = match agreed(PRICE, "BasisQuantity")?.filter(is_some) {
        Some(base) => Some(base),
        None => agreed(GROSS, "BasisQuantity")?,
    };
    let line = LineAmounts {
        quantity: value(&["SpecifiedLineTradeDelivery", "BilledQuantity"])?,
        price: agreed(PRICE, "ChargeAmount")?,
        base,
        charges: adjustments(case.at, "true")?,
        allowances: adjustments(case.at, "false")?,
    };
    let element = below(case.at, &TOTAL).first().copied();
    near(case, (value(&TOTAL)?.unwrap_or_default(), element), line.amount(), slack(case))
}

/// The net price is the gross price less the discount.
fn r046<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    if ram(case.at, "ChargeAmount").next().is_none() {
        return Ok(RuleVerdict::Holds);
    }
    let prices = case.at.parent().into_iter();
    let net = prices.flat_map(|up| below(up, &["NetPriceProductTradePrice", "ChargeAmount"]));
    let net: Vec<Element<'d>> = net.collect();
    let gross = decimal_of(ram(case.at, "ChargeAmount"))?;
    let discounts = ram(case.at, "AppliedTradeAllowanceCharge");
    let discount = decimal_of(discounts.filter_map(|own| ram(own, "ActualAmount").next()))?;
    let stated = (decimal_of(net.iter().copied())?, net.first().copied());
    less(case, stated, gross, Some(discount.unwrap_or_default()))
}
