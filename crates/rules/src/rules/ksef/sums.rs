//! Sums, their tax and the total.

use super::{child, children, content, differ, fa, is_correction, kind, number, rounding, text};
use crate::rules::{Case, ElementVisitor, Facts, Outcome, Rule, RuleVerdict};
use quoin_model::Flag;
use quoin_model::amount::Decimal;
use quoin_model::text::trimmed;
use quoin_xml::tree::Element;

pub(super) const RULES: &[Rule] = &[
    Rule::new("QUOIN-FA-TAX", taxed).at(Flag::Fatal, taxes),
    Rule::new("QUOIN-FA-TAX-PLN", tax_in_zloty).at(Flag::Fatal, content),
    Rule::new("QUOIN-FA-RATE", rate).at(Flag::Warning, content),
    Rule::new("QUOIN-FA-TOTAL", total).at(Flag::Fatal, content),
    Rule::new("QUOIN-FA-ROWS", rows).at(Flag::Warning, content),
];

/// A sum with tax: net, tax, tax in zloty, and its rates in percent, the highest first.
struct TaxedSum {
    net: &'static str,
    tax: &'static str,
    zloty: &'static str,
    rates: [i64; 2],
}

const fn sum(
    net: &'static str,
    tax: &'static str,
    zloty: &'static str,
    rates: [i64; 2],
) -> TaxedSum {
    TaxedSum { net, tax, zloty, rates }
}

/// The sums with a rate of Poland.
const SUMS: [TaxedSum; 4] = [
    sum("P_13_1", "P_14_1", "P_14_1W", [23, 22]),
    sum("P_13_2", "P_14_2", "P_14_2W", [8, 7]),
    sum("P_13_3", "P_14_3", "P_14_3W", [5, 5]),
    sum("P_13_4", "P_14_4", "P_14_4W", [4, 3]),
];

/// The sums without, and those whose rate is another state's.
const OTHERS: [&str; 10] = [
    "P_13_5", "P_14_5", "P_13_6_1", "P_13_6_2", "P_13_6_3", "P_13_7", "P_13_8", "P_13_9",
    "P_13_10", "P_13_11",
];

fn taxes<'d>(facts: &Facts<'d>, visit: ElementVisitor<'_, 'd>) {
    let Some(content) = fa(facts) else { return };
    SUMS.iter().filter_map(|sum| child(content, sum.tax)).for_each(visit);
}

/// The tax of a sum is what its rate makes of it. What a correction changes may be the tax alone.
fn taxed<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let sum = SUMS.iter().find(|sum| sum.tax == case.at.local());
    let found = trimmed(case.at);
    let net = sum.zip(fa(case)).and_then(|(sum, fa)| number(fa, sum.net));
    let pair = net.zip(Decimal::parse(&found).ok()).filter(|_| !is_correction(case));
    let Some((net, tax)) = pair else { return Ok(RuleVerdict::Holds) };
    let at = |rate: i64| net.checked_mul(Decimal::new(rate, 2)).map(Decimal::round_to_cents);
    let [high, low] = sum.map_or([0, 0], |sum| sum.rates);
    let Some((high, low)) = at(high).zip(at(low)) else { return Ok(RuleVerdict::Holds) };
    // Both rates may be in one sum.
    let (least, most) = (high.min(low), high.max(low));
    let allowed = rounding(case);
    let is_between = tax >= least && tax <= most;
    let holds = is_between || !differ(tax, least, allowed) || !differ(tax, most, allowed);
    Ok(RuleVerdict::of(holds).found(found).expected(high.to_string()))
}

/// In another currency, the tax stands in zloty beside it.
fn tax_in_zloty<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    if text(case.at, "KodWaluty") == "PLN" {
        return Ok(RuleVerdict::Holds);
    }
    let is_missing = |sum: &&TaxedSum| {
        let tax = number(case.at, sum.tax).is_some_and(|tax| !tax.is_zero());
        tax && child(case.at, sum.zloty).is_none()
    };
    let Some(missing) = SUMS.iter().find(is_missing) else { return Ok(RuleVerdict::Holds) };
    let place = child(case.at, missing.tax);
    Ok(RuleVerdict::broken().expected(missing.zloty).element(place))
}

/// Where all rows have one rate of exchange, the tax in zloty is what it makes of the tax.
fn rate<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let mut rates = children(case.at, "FaWiersz").map(|row| number(row, "KursWaluty"));
    let Some(first) = rates.next().flatten() else { return Ok(RuleVerdict::Holds) };
    if !rates.all(|rate| rate == Some(first)) {
        return Ok(RuleVerdict::Holds);
    }
    for sum in &SUMS {
        let pair = number(case.at, sum.tax).zip(number(case.at, sum.zloty));
        let made = pair.and_then(|(tax, zloty)| Some((tax.checked_mul(first)?, zloty)));
        let Some((expected, zloty)) = made else { continue };
        if differ(expected, zloty, rounding(case)) {
            let expected = expected.round_to_cents().to_string();
            let verdict = RuleVerdict::broken().found(text(case.at, sum.zloty));
            return Ok(verdict.expected(expected).element(child(case.at, sum.zloty)));
        }
    }
    Ok(RuleVerdict::Holds)
}

/// The sums with their tax.
fn all(content: Element<'_>) -> Option<(Decimal, bool)> {
    let taxed = SUMS.iter().flat_map(|sum| [sum.net, sum.tax]);
    let mut has_some = false;
    let mut whole = Decimal::ZERO;
    for name in taxed.chain(OTHERS) {
        if let Some(amount) = number(content, name) {
            whole = whole.checked_add(amount)?;
            has_some = true;
        }
    }
    Some((whole, has_some))
}

/// The total is that of the sums with their tax; some round it to a whole zloty. A simplified
/// invoice needs no sums.
fn total<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let Some((sums, total)) = all(case.at).zip(number(case.at, "P_15")) else {
        return Ok(RuleVerdict::Holds);
    };
    let (sum, has_some) = sums;
    let is_free = !has_some && kind(case) == "UPR";
    let holds = is_free || !differ(sum, total, Decimal::new(1, 0));
    let verdict = RuleVerdict::of(holds).found(text(case.at, "P_15"));
    Ok(verdict.expected(sum.to_string()).element(child(case.at, "P_15")))
}

/// The rows of a rate add up to its sum, where all of them have a net amount. What settles advance
/// payments has the rows of the whole.
fn rows<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    if kind(case) != "VAT" {
        return Ok(RuleVerdict::Holds);
    }
    for sum in &SUMS {
        let is_of = |row: &Element<'d>| {
            let rate = text(*row, "P_12");
            sum.rates.iter().any(|own| own.to_string() == *rate)
        };
        let of_sum = children(case.at, "FaWiersz").filter(is_of);
        let amounts: Option<Vec<Decimal>> = of_sum.map(|row| number(row, "P_11")).collect();
        let Some(rows) = amounts.and_then(Decimal::sum) else { continue };
        let net = number(case.at, sum.net);
        if net.is_none() && rows.is_zero() {
            continue;
        }
        if differ(rows, net.unwrap_or(Decimal::ZERO), rounding(case)) {
            let verdict = RuleVerdict::broken().found(net.unwrap_or(Decimal::ZERO).to_string());
            let place = child(case.at, sum.net);
            return Ok(verdict.expected(rows.to_string()).element(place));
        }
    }
    Ok(RuleVerdict::Holds)
}
