//! Lines: their tax, their amounts, what kind of item they are of, and codes of goods.

use quoin_xml::tree::Element;

use super::OmanTransaction::{ImportGoods, ImportReverse, Margin, MarginSelf, Simplified};
use super::{castable, is_any, number_at, unless};
use crate::rules::pint::paths::{at, groups, has, here, leaves, number, text, too_long, within};
use crate::rules::values::{Read, cbc, decimal_sum, normalized, one, string};
use crate::rules::{Case, Outcome, Rule, RuleVerdict};
use quoin_model::amount::Decimal;
use quoin_model::codes;

pub(super) const RULES: &[Rule] = &[
    Rule::new("IBR-039-OM", |case| no_tax(case, "E")),
    Rule::new("IBR-054-OM", |case| no_tax(case, "O")),
    Rule::new("IBR-077-OM", |case| no_tax(case, "Z")),
    Rule::new("ALIGNED-IBRP-Z-05-OM", |case| {
        let is_zero_rated = || Ok(text(case.at, CODE)? == "Z");
        unless([&is_zero_rated], || Ok(at(case, RATE, rate(case.at).is_zero())))
    }),
    Rule::new("IBR-071-OM", amount),
    Rule::new("IBR-075-OM", price_of_base),
    Rule::new("IBR-078-OM", |case| {
        Ok(RuleVerdict::of(is_any(case, &[Simplified]) || !kinds(case.at).is_empty()))
    }),
    Rule::new("IBR-079-OM", |case| {
        let is_goods = kinds(case.at).into_iter().any(|own| string(own) == "G");
        let is_asked = is_goods && !is_any(case, &[Simplified]);
        Ok(RuleVerdict::of(!is_asked || !goods(case.at).is_empty()))
    }),
    Rule::new("IBR-080-OM", code_length),
    Rule::new("IBR-081-OM", |case| {
        let kinds = [Simplified, ImportGoods, ImportReverse, MarginSelf];
        Ok(RuleVerdict::of(is_any(case, &kinds) || has_activity(case.at)))
    }),
    Rule::new("IBR-084-OM", |case| {
        let has_origin = has(case.at, "Item/OriginCountry/IdentificationCode");
        Ok(RuleVerdict::of(!is_any(case, &[ImportGoods]) || has_origin))
    }),
    Rule::new("IBR-086-OM", |case| {
        Ok(at(case, CODE, !is_any(case, &[MarginSelf]) || text(case.at, CODE)? == "O"))
    }),
    Rule::new("IBR-091-OM", margin_goods),
    Rule::new("IBR-038-OM", |case| {
        Ok(RuleVerdict::of(is_any(case, &[Simplified]) || has(case.at, TAX)))
    }),
    Rule::new("IBR-157-OM", net_price),
    Rule::new("IBR-168-OM", |case| tax(case, false)),
    Rule::new("IBR-168-OM-WARN", |case| tax(case, true)),
    Rule::new("IBR-158-OM", with_tax),
    Rule::new("CL-08-OM-HS", |case| {
        let code = normalized(case.at);
        Ok(here(case, code.is_empty() || codes::commodities::has(&code)))
    }),
    Rule::new("CL-08-OM-ISIC", |case| {
        let code = normalized(case.at);
        let known = codes::by_key(ACTIVITIES).is_some_and(|list| list.contains(&code));
        Ok(here(case, code.is_empty() || known))
    }),
];

const CODE: &str = "Item/ClassifiedTaxCategory/ID";
const RATE: &str = "Item/ClassifiedTaxCategory/Percent";
const TAX: &str = "ItemPriceExtension/TaxTotal/TaxAmount";
const AMOUNT: &str = "LineExtensionAmount";
/// The classification of economic activities.
const ACTIVITIES: &str = "isic@pint-om-1.0.1";

/// The rate of a line; nought where it is none.
fn rate(line: Element<'_>) -> Decimal {
    number_at(line, RATE).unwrap_or_default()
}

/// A line of a category that is not taxed has no tax, or nought.
fn no_tax<'d>(case: &Case<'_, 'd>, code: &str) -> Outcome<'d> {
    let first = leaves(case.at, TAX).first().map(|own| normalized(*own));
    let is_nought = |tax: &str| Decimal::parse(tax).is_ok_and(Decimal::is_zero);
    let holds = first.is_none_or(|tax| tax.is_empty() || is_nought(&tax));
    unless([&|| Ok(text(case.at, CODE)? == code)], || Ok(at(case, TAX, holds)))
}

/// Quantity times price by its base, with charges and without allowances; what is no number is
/// read as 0 or 1.
fn amount<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let one = Decimal::new(1, 0);
    let quantities: Vec<_> =
        cbc(case.at, "InvoicedQuantity").chain(cbc(case.at, "CreditedQuantity")).collect();
    let quantity = castable(&quantities).unwrap_or(one);
    let price = number_at(case.at, "Price/PriceAmount").unwrap_or_default();
    let base = number_at(case.at, "Price/BaseQuantity").filter(|base| !base.is_zero());
    let stated = number_at(case.at, AMOUNT).unwrap_or_default();
    let each = price.checked_div(base.unwrap_or(one));
    let sum = each.and_then(|each| quantity.checked_mul(each));
    let sum = sum.and_then(|sum| sum.checked_add(adjusted(case.at, "true")?));
    let sum = sum.and_then(|sum| sum.checked_sub(adjusted(case.at, "false")?));
    let sum = sum.ok_or_else(|| too_long(case))?;
    let verdict = at(case, AMOUNT, within(stated, sum, Decimal::new(1, 2)));
    Ok(verdict.expected(format!("{:.2}", sum.round_to_cents())))
}

/// The charges or allowances of a line that are numbers, rounded.
fn adjusted(line: Element<'_>, indicator: &'static str) -> Option<Decimal> {
    let amounts = super::adjustments(line, indicator).flat_map(|own| cbc(own, "Amount"));
    let numbers = amounts.filter_map(|own| Decimal::parse(&string(own)).ok());
    Decimal::sum(numbers).map(Decimal::round_to_cents)
}

/// A net price beside a gross price of its own, less the discounts.
fn price_of_base<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let gross = number(case.at, "Price/BaseAmount")?.unwrap_or_default();
    if gross.is_zero() {
        return Ok(RuleVerdict::Holds);
    }
    let net = number(case.at, "Price/PriceAmount")?.unwrap_or_default();
    let expected = less_discounts(case, gross)?;
    Ok(at(case, "Price/PriceAmount", net == expected).expected(expected.to_string()))
}

/// A gross price less the discounts, rounded.
fn less_discounts<'d>(case: &Case<'_, 'd>, gross: Decimal) -> Read<'d, Decimal> {
    let discounts = decimal_sum(leaves(case.at, "Price/AllowanceCharge/Amount").into_iter())?;
    Ok(gross.checked_sub(discounts).ok_or_else(|| too_long(case))?.round_to_cents())
}

fn net_price<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    const GROSS: &str = "Price/AllowanceCharge/BaseAmount";
    const NET: &str = "Price/PriceAmount";
    if !has(case.at, GROSS) {
        return Ok(RuleVerdict::Holds);
    }
    let (Some(net), Some(gross)) = (number_at(case.at, NET), number_at(case.at, GROSS)) else {
        return Ok(at(case, NET, false));
    };
    let expected = less_discounts(case, gross)?;
    let verdict = at(case, NET, within(net, expected, Decimal::new(1, 2)));
    Ok(verdict.expected(expected.to_string()))
}

/// The kinds of item of a line: goods or services.
fn kinds<'d>(line: Element<'d>) -> Vec<Element<'d>> {
    let is_kind =
        |own: &Element<'d>| cbc(*own, "ID").any(|id| id.attribute("schemeName") == Some("MP"));
    let references = groups(line, "Item/ItemSpecificationDocumentReference").into_iter();
    references.filter(is_kind).flat_map(|own| cbc(own, "DocumentTypeCode")).collect()
}

/// The codes of goods of a line (Harmonised System).
fn goods<'d>(line: Element<'d>) -> Vec<Element<'d>> {
    let codes = leaves(line, "Item/CommodityClassification/ItemClassificationCode").into_iter();
    codes.filter(|own| own.attribute("listID") == Some("HS")).collect()
}

fn code_length<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let Some(code) = one(goods(case.at).into_iter())? else { return Ok(RuleVerdict::Holds) };
    let holds = normalized(code).chars().count() == 12;
    Ok(RuleVerdict::of(holds).found(string(code)).element(Some(code)))
}

fn has_activity(line: Element<'_>) -> bool {
    let ids = leaves(line, "Item/AdditionalItemIdentification/ID");
    ids.iter().any(|own| own.attribute("schemeName") == Some("CC"))
}

/// Goods that no margin is allowed for: live animals, plants, pearls, stones and their like.
const WITHOUT_MARGIN: &[&str] = &["7101", "7102", "7103", "7104", "01", "06"];

fn margin_goods<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    if !is_any(case, &[Margin]) {
        return Ok(RuleVerdict::Holds);
    }
    let is_out = |own: &Element<'d>| {
        let code = normalized(*own);
        WITHOUT_MARGIN.iter().any(|start| code.starts_with(start))
    };
    Ok(match goods(case.at).into_iter().find(is_out) {
        Some(code) => RuleVerdict::broken().found(string(code)).element(Some(code)),
        None => RuleVerdict::Holds,
    })
}

/// The tax of a line by its rate, within a baisa; what is not the same is a warning.
fn tax<'d>(case: &Case<'_, 'd>, exact: bool) -> Outcome<'d> {
    let rate = rate(case.at);
    if rate.is_zero() {
        return Ok(RuleVerdict::Holds);
    }
    let stated = number_at(case.at, TAX).map(|tax| tax.round(3));
    let expected = match number_at(case.at, AMOUNT) {
        Some(amount) => {
            let part = super::super::paths::share_of(amount, rate);
            Some(part.ok_or_else(|| too_long(case))?.round(3))
        }
        None => None,
    };
    let is_within =
        |slack| stated.zip(expected).is_some_and(|(tax, expected)| within(tax, expected, slack));
    let baisa = Decimal::new(1, 3);
    let holds = match exact {
        true => is_within(Decimal::ZERO) || !is_within(baisa),
        false => is_within(baisa),
    };
    let verdict = at(case, TAX, holds);
    Ok(match expected {
        Some(expected) => verdict.expected(expected.to_string()),
        None => verdict,
    })
}

/// The amount of a line with its tax.
fn with_tax<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    const PATH: &str = "ItemPriceExtension/Amount";
    let is_untaxed = is_any(case, &[Simplified]) && !has(case.at, TAX);
    if is_any(case, &[Margin]) || is_untaxed {
        return Ok(RuleVerdict::Holds);
    }
    let (Some(stated), Some(amount)) = (number_at(case.at, PATH), number_at(case.at, AMOUNT))
    else {
        return Ok(at(case, PATH, false));
    };
    let sum = amount.checked_add(number_at(case.at, TAX).unwrap_or_default());
    let sum = sum.ok_or_else(|| too_long(case))?;
    let verdict = at(case, PATH, within(stated, sum, Decimal::new(1, 2)));
    Ok(verdict.expected(sum.to_string()))
}
