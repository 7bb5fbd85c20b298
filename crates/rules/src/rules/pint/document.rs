//! Totals, currencies, dates and lines of every PINT document.

use quoin_xml::tree::Element;

use super::paths::{at, groups, has, here, leaf, leaves, number, text, too_long};
use crate::rules::en16931::sums::beside;
use crate::rules::en16931::ubl::{lines, totals};
use crate::rules::values;
use crate::rules::values::{
    CAC, Read, SPACE, all_of, cac, cbc, date, decimal_of, number as numbers, one, some,
    some_boolean, some_double, string,
};
use crate::rules::{Case, Facts, Outcome, Rule, RuleVerdict};
use quoin_model::Flag;
use quoin_model::amount::Decimal;

pub(super) const RULES: &[Rule] = &[
    Rule::new("ibr-co-10", totals::co_10),
    Rule::new("ibr-co-11", |case| totals::adjustments(case, "AllowanceTotalAmount", false)),
    Rule::new("ibr-co-12", |case| totals::adjustments(case, "ChargeTotalAmount", true)),
    Rule::new("ibr-co-13", |case| unless_included(case, case.at.parent(), totals::co_13)),
    Rule::new("ibr-co-14", totals::co_14),
    Rule::new("ibr-co-15", |case| unless_included(case, Some(case.at), co_15)),
    Rule::new("ibr-co-16", co_16),
    Rule::new("ibr-sr-63", sr_63),
    Rule::new("ibr-053", totals::br_53),
    Rule::new("ibr-084", ibr_084),
    Rule::new("ibr-027", lines::br_27),
    Rule::new("ibr-028", lines::br_28),
    Rule::new("ibr-087", ibr_087),
    Rule::new("ibr-089", ibr_089),
    Rule::new("ibr-085", |case| in_period(case, "StartDate", |own, outer| own >= outer)),
    Rule::new("ibr-086", |case| in_period(case, "EndDate", |own, outer| own <= outer)),
    Rule::new("ibr-030", lines::period),
    Rule::new("ibr-029", lines::period),
    Rule::new("ibr-073", day),
    Rule::new("ibr-119", time),
    Rule::new("ibr-077", other_currency),
    Rule::new("ibr-093", prepaid).at(Flag::Fatal, first_prepayments),
];

/// Kept where some tax total says that the amounts have tax in them, and as the test says
/// otherwise.
fn unless_included<'d>(
    case: &Case<'_, 'd>,
    parent: Option<Element<'d>>,
    test: fn(&Case<'_, 'd>) -> Outcome<'d>,
) -> Outcome<'d> {
    let totals = parent.into_iter().flat_map(|parent| cac(parent, "TaxTotal"));
    let said = some_boolean(totals.flat_map(|own| cbc(own, "TaxIncludedIndicator")), true);
    match (said, test(case)) {
        (Ok(true), _) | (Err(_), Ok(RuleVerdict::Holds)) => Ok(RuleVerdict::Holds),
        (Err(unreadable), _) => Err(unreadable),
        (Ok(false), outcome) => outcome,
    }
}

/// With tax: without it and the tax of the first total, in the currency of the document.
fn co_15<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let totals = || cac(case.at, "LegalMonetaryTotal");
    let each = |local: &'static str| {
        let read = totals().map(move |total| decimal_of(cbc(total, local)));
        read.filter_map(Read::transpose).collect::<Read<'d, Vec<Decimal>>>()
    };
    let stated = each("TaxInclusiveAmount")?;
    if stated.is_empty() {
        // Nothing is compared, and the other side of the comparison is not read.
        return Ok(at(case, "LegalMonetaryTotal/TaxInclusiveAmount", false));
    }
    let without = each("TaxExclusiveAmount")?;
    if without.len() > 1 {
        return Err(too_long(case));
    }
    let currencies: Vec<_> = cbc(case.root(), "DocumentCurrencyCode").map(string).collect();
    let in_currency = |tax: &Element<'_>| {
        let own = tax.attribute("currencyID");
        own.is_some_and(|own| currencies.iter().any(|code| code == own))
    };
    let first = cac(case.at, "TaxTotal").next();
    let taxes = first.into_iter().flat_map(|total| cbc(total, "TaxAmount"));
    let tax = decimal_of(taxes.filter(in_currency))?;
    let (Some(&without), Some(tax)) = (without.first(), tax) else {
        return Ok(at(case, "LegalMonetaryTotal/TaxInclusiveAmount", false));
    };
    let sum = without.checked_add(tax).ok_or_else(|| too_long(case))?.round_to_cents();
    let shown = leaves(case.at, "LegalMonetaryTotal/TaxInclusiveAmount");
    Ok(beside(shown.first().copied(), stated.contains(&sum), Some(sum)))
}

/// What is to be paid: with tax, less what is paid, and rounded. What is nought is as if absent.
fn co_16<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    const LOCAL: &str = "PayableAmount";
    let given = |local| -> Read<'d, Decimal> { Ok(number(case.at, local)?.unwrap_or_default()) };
    let (paid, rounding) = (given("PrepaidAmount")?, given("PayableRoundingAmount")?);
    let minus = |left: Decimal, right: Decimal| {
        let difference = left.checked_sub(right).ok_or_else(|| too_long(case))?;
        Ok(if right.is_zero() { left } else { difference.round_to_cents() })
    };
    let (Some(due), Some(with_tax)) =
        (number(case.at, LOCAL)?, number(case.at, "TaxInclusiveAmount")?)
    else {
        return Ok(at(case, LOCAL, false));
    };
    let (left, right) = (minus(due, rounding)?, minus(with_tax, paid)?);
    let expected = right.checked_add(rounding);
    Ok(beside(cbc(case.at, LOCAL).next(), left == right, expected))
}

fn sr_63<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let id = text(case.at, "CustomizationID")?;
    Ok(at(case, "CustomizationID", !id.contains('*')))
}

/// The tax in both currencies has one sign.
fn ibr_084<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    if !has(case.at, "TaxCurrencyCode") {
        return Ok(RuleVerdict::Holds);
    }
    let amounts = leaves(case.at, "TaxTotal/TaxAmount");
    if amounts.is_empty() {
        return Ok(RuleVerdict::broken());
    }
    let codes = [text(case.at, "TaxCurrencyCode")?, text(case.at, "DocumentCurrencyCode")?];
    let some_of = |code: &str, is: fn(f64) -> bool| {
        let own = amounts.iter().copied();
        some_double(own.filter(|tax| tax.attribute("currencyID") == Some(code)), is)
    };
    let both = |is: fn(f64) -> bool| Ok(some_of(&codes[0], is)? && some_of(&codes[1], is)?);
    let not_above = || both(|tax| tax <= 0.0);
    let not_below = || both(|tax| tax >= 0.0);
    Ok(at(case, "TaxTotal/TaxAmount", values::any_of([&not_above, &not_below])?))
}

fn ibr_087<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    const PATH: &str = "Price/BaseQuantity";
    let quantity = number(case.at, PATH)?;
    Ok(at(case, PATH, quantity.is_none_or(|own| own > Decimal::ZERO)))
}

/// At most one reference of a line is to an object (code 130); the code is compared as a number.
fn ibr_089<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let mut objects = 0;
    for reference in cac(case.at, "DocumentReference") {
        let is_object = some_double(cbc(reference, "DocumentTypeCode"), |code| code == 130.0)?;
        objects += usize::from(is_object);
    }
    Ok(RuleVerdict::of(objects <= 1))
}

/// The period of a line is within that of the document.
fn in_period<'d>(
    case: &Case<'_, 'd>,
    local: &'static str,
    fits: fn(i64, i64) -> bool,
) -> Outcome<'d> {
    let above = case.at.parent().and_then(Element::parent);
    let outer: Vec<_> = above
        .into_iter()
        .flat_map(|above| leaves(above, &format!("InvoicePeriod/{local}")))
        .collect();
    if outer.is_empty() || !has(case.at, local) {
        return Ok(RuleVerdict::Holds);
    }
    let outer = one(outer.into_iter())?.map_or(Ok(0), date)?;
    let holds = some(cbc(case.at, local).map(|own| Ok(fits(date(own)?, outer))))?;
    Ok(at(case, local, holds))
}

/// A day in ten characters.
pub(super) fn day<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let has_ten = || Ok(values::text::own(case.at)?.chars().count() == 10);
    let is_day = || Ok(numbers::date(&string(case.at)).is_some());
    let holds = all_of([&has_ten, &is_day])?;
    Ok(here(case, holds).expected("2026-01-31"))
}

fn time<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    Ok(here(case, is_time(&string(case.at))).expected("12:30:00"))
}

/// The lexical form of `xs:time`.
fn is_time(text: &str) -> bool {
    let text = text.trim_matches(SPACE);
    let (clock, zone) = match text.find(['Z', '+', '-']) {
        Some(at) => text.split_at(at),
        None => (text, ""),
    };
    let parts: Vec<&str> = clock.split(':').collect();
    let [hour, minute, second] = parts.as_slice() else { return false };
    let (second, fraction) = second.split_once('.').unwrap_or((second, "0"));
    let two = |part: &str| {
        let fits = part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_digit());
        fits.then(|| part.parse::<u32>().ok()).flatten()
    };
    let (Some(hour), Some(minute), Some(second)) = (two(hour), two(minute), two(second)) else {
        return false;
    };
    let is_zone = zone.is_empty() || numbers::date(&format!("2000-01-01{zone}")).is_some();
    let is_digits = !fraction.is_empty() && fraction.bytes().all(|byte| byte.is_ascii_digit());
    let is_midnight =
        hour == 24 && minute == 0 && second == 0 && fraction.trim_matches('0').is_empty();
    is_zone && is_digits && minute < 60 && second < 60 && (hour < 24 || is_midnight)
}

/// The currency of tax is not that of the document.
fn other_currency<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let own = values::normalize(values::text::own(case.at)?);
    let up = case.at.parent();
    let beside = up.into_iter().flat_map(|up| cbc(up, "DocumentCurrencyCode"));
    let other = values::text::one(beside)?.map(values::normalize);
    Ok(here(case, own != other.unwrap_or_default()))
}

/// The first prepayment beside others. What is empty is told by ibr-079, which comes before.
fn first_prepayments<'d>(facts: &Facts<'d>, visit: &mut dyn FnMut(Element<'d>)) {
    for own in facts.named(CAC, "PrepaidPayment") {
        let first = own.parent().and_then(|up| cac(up, "PrepaidPayment").next());
        let is_first = first.is_none_or(|first| first.id() == own.id());
        let is_empty = own.elements().next().is_none() && values::normalized(own).is_empty();
        if is_first && !is_empty {
            visit(own);
        }
    }
}

fn prepaid<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let totals = case.at.parent().map(|up| groups(up, "LegalMonetaryTotal")).unwrap_or_default();
    Ok(RuleVerdict::of(totals.into_iter().any(|own| has(own, "PrepaidAmount"))))
}

/// The country of a party of the document, in capitals: `None` of none, or of several.
pub(super) fn country<'d>(root: Element<'d>, role: &str) -> Option<String> {
    let path = format!("{role}/Party/PostalAddress/Country/IdentificationCode");
    let code = leaf(root, &path).ok()??;
    Some(values::normalized(code).to_uppercase())
}

#[cfg(test)]
mod tests {
    use super::is_time;

    #[test]
    fn times_are_told_apart_from_other_texts() {
        for right in ["12:30:00", " 00:00:00.5 ", "24:00:00", "12:30:00Z", "12:30:00+04:00"] {
            assert!(is_time(right), "{right}");
        }
        for wrong in ["12:30", "1:30:00", "24:00:01", "12:60:00", "12:30:00.", "12:30:00+15:00"] {
            assert!(!is_time(wrong), "{wrong}");
        }
    }
}
