//! The totals and the tax of an order agreement.

use std::collections::HashSet;

use quoin_xml::tree::{Element, NodeId};

use super::reading::{adjustments, known, or_nought, reckoned, top, written, wrong};
use crate::rules::en16931::sums::beside;
use crate::rules::values::{
    CAC, Read, all_of, any_of, cac, cbc, decimal, decimal_of, normalized, one, some_double, string,
};
use crate::rules::{Case, Facts, Outcome, Rule, RuleVerdict, Unreadable};
use quoin_model::amount::Decimal;

pub(super) const T110: &[Rule] = &[
    Rule::new("PEPPOL-T110-R024", tax_of_category),
    Rule::new("PEPPOL-T110-R025", sum_of_tax),
    Rule::new("PEPPOL-T110-R026", rate_in_breakdown),
    Rule::new("PEPPOL-T110-R027", category_in_breakdown),
    Rule::new("PEPPOL-T110-R014", every_line_has_an_amount),
    Rule::new("PEPPOL-T110-R005", due_not_negative),
    Rule::new("PEPPOL-T110-R006", lines_not_negative),
    Rule::new("PEPPOL-T110-R007", sum_of_lines),
    Rule::new("PEPPOL-T110-R008", sum_of_charges),
    Rule::new("PEPPOL-T110-R009", sum_of_allowances),
    Rule::new("PEPPOL-T110-R010", without_tax),
    Rule::new("PEPPOL-T110-R011", with_tax),
    Rule::new("PEPPOL-T110-R012", due),
];

/// What is counted and added up over the document.
struct AgreementSums {
    order_lines: usize,
    line_amounts: usize,
    lines: Result<Decimal, NodeId>,
    allowances: Result<Decimal, NodeId>,
    charges: Result<Decimal, NodeId>,
    tax: Result<Decimal, NodeId>,
    has_tax: bool,
}

impl AgreementSums {
    fn of(facts: &Facts<'_>) -> AgreementSums {
        let id = |wrong: Unreadable<'_>| wrong.id();
        let adjusted = |value| match top(facts, "OrderResponse") {
            Some(root) => adjustments(root, written, value).map_err(id),
            None => Ok(Decimal::ZERO),
        };
        let totals = top(facts, "OrderResponse").into_iter().flat_map(|root| cac(root, "TaxTotal"));
        let amounts = || facts.named(CAC, "LineItem").flat_map(|item| cbc(item, LINES));
        AgreementSums {
            order_lines: facts.named(CAC, "OrderLine").count(),
            line_amounts: amounts().count(),
            lines: lines(facts),
            allowances: adjusted("false"),
            charges: adjusted("true"),
            tax: or_nought(totals.flat_map(|total| cbc(total, "TaxAmount"))).map_err(id),
            has_tax: facts.named(CAC, "TaxTotal").next().is_some(),
        }
    }
}

const LINES: &str = "LineExtensionAmount";

/// The sum of the amounts of all order lines, in cents.
fn lines(facts: &Facts<'_>) -> Result<Decimal, NodeId> {
    let in_line = |item: &Element<'_>| item.parent().is_some_and(|up| up.is(CAC, "OrderLine"));
    let items = facts.named(CAC, "LineItem").filter(in_line);
    let mut sum = Decimal::ZERO;
    for amount in items.flat_map(|item| cbc(item, LINES)) {
        let value = decimal(amount).map_err(|wrong| wrong.id())?;
        sum = sum.checked_add(value).ok_or(amount.id())?;
    }
    Ok(sum.round_to_cents())
}

/// A category with its rate as a text: `S-25000000`.
fn category_and_rate<'d>(category: Element<'d>) -> Read<'d, String> {
    let code = one(cbc(category, "ID"))?.map(normalized).unwrap_or_default();
    let rate = decimal_of(cbc(category, "Percent"))?;
    let million = rate.map(|rate| rate.checked_mul(Decimal::new(1_000_000, 0)));
    let million = million.map(|rate| rate.ok_or_else(|| Unreadable::several(category)));
    let rate = million.transpose()?.map(|rate| rate.round(0).to_string()).unwrap_or_default();
    Ok(format!("{code}-{rate}"))
}

/// The categories of the breakdown, and those with their rates.
struct Breakdown {
    codes: Result<HashSet<String>, NodeId>,
    rates: Result<HashSet<String>, NodeId>,
}

impl Breakdown {
    fn of(facts: &Facts<'_>) -> Breakdown {
        let totals =
            || top(facts, "OrderResponse").into_iter().flat_map(|root| cac(root, "TaxTotal"));
        let subtotals = || totals().flat_map(|total| cac(total, "TaxSubtotal"));
        let categories = || subtotals().flat_map(|own| cac(own, "TaxCategory"));
        let code = |category| -> Read<'_, String> {
            Ok(one(cbc(category, "ID"))?.map(normalized).unwrap_or_default().into_owned())
        };
        let id = |wrong: Unreadable<'_>| wrong.id();
        Breakdown {
            codes: categories().map(|own| code(own).map_err(id)).collect(),
            rates: categories().map(|own| category_and_rate(own).map_err(id)).collect(),
        }
    }
}

/// The rates of the categories of a subtotal: of which there may be one.
fn rate<'d>(subtotal: Element<'d>) -> Read<'d, Option<Decimal>> {
    let mut found = None;
    for category in cac(subtotal, "TaxCategory") {
        if let Some(rate) = decimal_of(cbc(category, "Percent"))? {
            if found.is_some() {
                return Err(Unreadable::several(category));
            }
            found = Some(rate);
        }
    }
    Ok(found)
}

/// The tax of a category is its share of the taxable amount; where the rate is nought or is not
/// there, the tax is nought too.
fn tax_of_category<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    const LOCAL: &str = "TaxAmount";
    let tax = || decimal_of(cbc(case.at, LOCAL));
    let no_tax = || Ok(tax()?.is_some_and(|tax| tax.round(0).is_zero()));
    let is_nought = |rate: Decimal| rate.round(0).is_zero();
    let nought = || Ok(rate(case.at)?.is_some_and(is_nought));
    let some_rate = || Ok(rate(case.at)?.is_some_and(|rate| !is_nought(rate)));
    let equal = || {
        let Some(tax) = tax()? else { return Ok(false) };
        Ok(Some(tax) == share(case)?)
    };
    let holds =
        any_of([&|| all_of([&nought, &no_tax]), &|| all_of([&some_rate, &equal]), &|| {
            all_of([&no_tax, &|| Ok(rate(case.at)?.is_none())])
        }])?;
    let expected = share(case).ok().flatten();
    Ok(beside(cbc(case.at, LOCAL).next(), holds, expected))
}

/// The taxable amount times the rate, in cents.
fn share<'d>(case: &Case<'_, 'd>) -> Read<'d, Option<Decimal>> {
    let taxable = decimal_of(cbc(case.at, "TaxableAmount"))?;
    let Some((taxable, rate)) = taxable.zip(rate(case.at)?) else { return Ok(None) };
    let part = rate.checked_div(Decimal::new(100, 0));
    let tax = reckoned(case, part.and_then(|part| taxable.checked_mul(part)))?;
    Ok(Some(tax.round_to_cents()))
}

fn sum_of_tax<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    const LOCAL: &str = "TaxAmount";
    let stated = decimal_of(cbc(case.at, LOCAL))?;
    let mut sum = Decimal::ZERO;
    for subtotal in cac(case.at, "TaxSubtotal") {
        let tax = or_nought(cbc(subtotal, LOCAL))?;
        sum = reckoned(case, sum.checked_add(tax))?;
    }
    let sum = sum.round_to_cents();
    Ok(beside(cbc(case.at, LOCAL).next(), stated == Some(sum), Some(sum)))
}

/// The category of an allowance, charge or item is in the breakdown, if there is one, with the
/// same rate.
fn rate_in_breakdown<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let rates = || cbc(case.at, "Percent");
    if rates().next().is_none() || !case.memo(AgreementSums::of).has_tax {
        return Ok(RuleVerdict::Holds);
    }
    let breakdown = case.memo(Breakdown::of);
    let listed = breakdown.rates.as_ref().map_err(|id| Unreadable::at(case, *id))?;
    // Of an empty breakdown nothing is compared.
    let holds = !listed.is_empty() && listed.contains(&category_and_rate(case.at)?);
    Ok(wrong(holds, rates()))
}

fn category_in_breakdown<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    if !case.memo(AgreementSums::of).has_tax {
        return Ok(RuleVerdict::Holds);
    }
    let breakdown = case.memo(Breakdown::of);
    let listed = breakdown.codes.as_ref().map_err(|id| Unreadable::at(case, *id))?;
    let holds = cbc(case.at, "ID").any(|code| listed.contains(&*string(code)));
    Ok(wrong(holds, cbc(case.at, "ID")))
}

fn every_line_has_an_amount<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let sums = case.memo(AgreementSums::of);
    let verdict = RuleVerdict::of(sums.order_lines == sums.line_amounts);
    Ok(verdict.found(sums.line_amounts.to_string()).expected(sums.order_lines.to_string()))
}

fn due_not_negative<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let due = || cbc(case.at, "PayableAmount");
    let absent = || Ok(due().next().is_none());
    let holds = any_of([&absent, &|| some_double(due(), |due| due >= 0.0)])?;
    Ok(wrong(holds, due()))
}

fn lines_not_negative<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let lines = or_nought(cbc(case.at, LINES))?;
    Ok(wrong(!lines.is_negative(), cbc(case.at, LINES)))
}

/// A stated total is what is expected; one that is not stated is not looked at.
fn total<'d>(
    case: &Case<'_, 'd>,
    local: &str,
    expected: impl FnOnce() -> Read<'d, Decimal>,
) -> Outcome<'d> {
    let Some(stated) = cbc(case.at, local).next() else { return Ok(RuleVerdict::Holds) };
    let amount = or_nought(cbc(case.at, local))?;
    let expected = expected()?;
    Ok(beside(Some(stated), amount == expected, Some(expected)))
}

fn sum_of_lines<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    total(case, LINES, || known(case, &case.memo(AgreementSums::of).lines))
}

fn sum_of_charges<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    total(case, "ChargeTotalAmount", || known(case, &case.memo(AgreementSums::of).charges))
}

fn sum_of_allowances<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    total(case, "AllowanceTotalAmount", || known(case, &case.memo(AgreementSums::of).allowances))
}

/// One total, plus another, less a third.
fn plus_less<'d>(case: &Case<'_, 'd>, [from, plus, less]: [&str; 3]) -> Read<'d, Decimal> {
    let read = |local| or_nought(cbc(case.at, local));
    let (from, plus, less) = (read(from)?, read(plus)?, read(less)?);
    reckoned(case, from.checked_add(plus).and_then(|sum| sum.checked_sub(less)))
}

fn without_tax<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let parts = [LINES, "ChargeTotalAmount", "AllowanceTotalAmount"];
    total(case, "TaxExclusiveAmount", || plus_less(case, parts))
}

fn with_tax<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    const LOCAL: &str = "TaxInclusiveAmount";
    let stated = or_nought(cbc(case.at, LOCAL))?;
    let before = or_nought(cbc(case.at, "TaxExclusiveAmount"))?;
    let tax = known(case, &case.memo(AgreementSums::of).tax)?;
    let expected = reckoned(case, before.checked_add(tax))?;
    Ok(beside(cbc(case.at, LOCAL).next(), stated == expected, Some(expected)))
}

fn due<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let parts = ["TaxInclusiveAmount", "PayableRoundingAmount", "PrepaidAmount"];
    total(case, "PayableAmount", || plus_less(case, parts))
}
