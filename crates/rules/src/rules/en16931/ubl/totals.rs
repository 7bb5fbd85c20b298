//! BR-CO-10 to BR-CO-16, BR-CO-25 and BR-53: the totals of the document (BG-22).

use std::collections::{HashMap, HashSet};

use quoin_xml::tree::{Element, NodeId};

use crate::rules::en16931::sums::beside;
use crate::rules::values::{CAC, cac, cbc, decimal, decimal_of, double, some_boolean, string};
use crate::rules::{Case, Facts, Outcome, Rule, RuleVerdict, Unreadable, values};
use quoin_model::amount::Decimal;

pub(super) const RULES: &[Rule] = &[
    Rule::new("BR-CO-10", co_10),
    Rule::new("BR-CO-11", |case| adjustments(case, "AllowanceTotalAmount", false)),
    Rule::new("BR-CO-12", |case| adjustments(case, "ChargeTotalAmount", true)),
    Rule::new("BR-CO-13", co_13),
    Rule::new("BR-CO-14", co_14),
    Rule::new("BR-CO-15", co_15),
    Rule::new("BR-CO-16", co_16),
    Rule::new("BR-CO-25", co_25),
    Rule::new("BR-53", br_53),
];

/// A total of the group that was tested, as a number.
fn total<'d>(case: &Case<'_, 'd>, local: &str) -> values::Read<'d, Option<Decimal>> {
    decimal_of(cbc(case.at, local))
}

/// Compares a stated total with a computed one.
fn compared<'d>(
    case: &Case<'_, 'd>,
    local: &str,
    holds: bool,
    expected: Option<Decimal>,
) -> RuleVerdict<'d> {
    beside(cbc(case.at, local).next(), holds, expected)
}

/// The sum of all lines, or the line whose amount is no number.
struct LineSum(Result<Decimal, NodeId>);

pub(in crate::rules) fn co_10<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    const LOCAL: &str = "LineExtensionAmount";
    let Some(stated) = total(case, LOCAL)? else {
        return Ok(RuleVerdict::broken());
    };
    let sum = case.memo(|facts| {
        let lines = ["InvoiceLine", "CreditNoteLine"].into_iter();
        let mut lines = lines.flat_map(|local| facts.named(CAC, local));
        LineSum(lines.try_fold(Decimal::ZERO, |sum, line| {
            let amount = decimal_of(cbc(line, LOCAL)).map_err(|wrong| wrong.id())?;
            sum.checked_add(amount.unwrap_or_default()).ok_or(line.id())
        }))
    });
    let sum = sum.0.map_err(|id| Unreadable::at(case, id))?.round_to_cents();
    Ok(compared(case, LOCAL, stated == sum, Some(sum)))
}

/// The sum of the allowances or of the charges beside the totals, and whether there are any.
fn adjust(parent: Element<'_>, charge: bool) -> Result<(Decimal, bool), NodeId> {
    let (mut sum, mut any) = (Decimal::ZERO, false);
    for group in cac(parent, "AllowanceCharge") {
        let is_wanted = some_boolean(cbc(group, "ChargeIndicator"), charge);
        if !is_wanted.map_err(|wrong| wrong.id())? {
            continue;
        }
        any = true;
        let amount = decimal_of(cbc(group, "Amount")).map_err(|wrong| wrong.id())?;
        sum = sum.checked_add(amount.unwrap_or_default()).ok_or(group.id())?;
    }
    Ok((sum, any))
}

pub(in crate::rules) fn adjustments<'d>(
    case: &Case<'_, 'd>,
    local: &str,
    charge: bool,
) -> Outcome<'d> {
    let parent = case.at.parent().unwrap_or(case.root());
    let what = if charge { "charges" } else { "allowances" };
    let beside = case.memo_at((parent.id(), what), || adjust(parent, charge));
    let read = |id| Unreadable::at(case, id);
    let stated = total(case, local)?;
    let (sum, any) = match beside {
        Ok(found) => found,
        // Without a stated total the sum is not looked at, only whether there are any.
        Err(id) if stated.is_some() => return Err(read(id)),
        Err(id) => match any_adjustment(case, (parent, what), charge)? {
            true => return Ok(compared(case, local, false, None)),
            false => return Err(read(id)),
        },
    };
    let sum = sum.round_to_cents();
    let absent = || cbc(case.at, local).next().is_none() && !any;
    Ok(compared(case, local, stated == Some(sum) || absent(), Some(sum)))
}

fn any_adjustment<'d>(
    case: &Case<'_, 'd>,
    (parent, what): (Element<'d>, &'static str),
    charge: bool,
) -> values::Read<'d, bool> {
    let found = case.memo_at((parent.id(), what), || {
        let groups = cac(parent, "AllowanceCharge");
        let some = groups.map(|group| some_boolean(cbc(group, "ChargeIndicator"), charge));
        values::some(some).map_err(|wrong| wrong.id())
    });
    found.map_err(|id| Unreadable::at(case, id))
}

pub(in crate::rules) fn co_13<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    const LOCAL: &str = "TaxExclusiveAmount";
    let has = |local| cbc(case.at, local).next().is_some();
    let (charges, allowances) = (has("ChargeTotalAmount"), has("AllowanceTotalAmount"));
    let Some(stated) = total(case, LOCAL)? else {
        return Ok(RuleVerdict::broken());
    };
    let Some(mut expected) = total(case, "LineExtensionAmount")? else {
        return Ok(compared(case, LOCAL, false, None));
    };
    for (local, sign) in [("ChargeTotalAmount", 1), ("AllowanceTotalAmount", -1)] {
        if has(local) {
            let amount = total(case, local)?.unwrap_or_default();
            let amount = if sign < 0 { amount.negated() } else { amount };
            let sum = expected.checked_add(amount);
            expected = sum.ok_or_else(|| Unreadable::at(case, case.at.id()))?;
        }
    }
    if charges || allowances {
        expected = expected.round_to_cents();
    }
    Ok(compared(case, LOCAL, stated == expected, Some(expected)))
}

pub(in crate::rules) fn co_14<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    const LOCAL: &str = "TaxAmount";
    if cac(case.at, "TaxSubtotal").next().is_none() {
        return Ok(RuleVerdict::Holds);
    }
    let Some(stated) = total(case, LOCAL)? else { return Ok(RuleVerdict::broken()) };
    let mut sum = Decimal::ZERO;
    for subtotal in cac(case.at, "TaxSubtotal") {
        let amount = decimal_of(cbc(subtotal, LOCAL))?.unwrap_or_default();
        let next = sum.checked_add(amount);
        sum = next.ok_or_else(|| Unreadable::at(case, subtotal.id()))?;
    }
    let sum = sum.round_to_cents();
    Ok(compared(case, LOCAL, stated == sum, Some(sum)))
}

/// The amounts of tax by currency: how many totals have one, its value, and what is no number.
#[derive(Default)]
struct UblTaxTotals(HashMap<String, Tax>);

#[derive(Default)]
struct Tax {
    count: usize,
    value: Decimal,
    wrong: Option<NodeId>,
}

impl UblTaxTotals {
    fn of(root: Element<'_>) -> UblTaxTotals {
        let mut found = UblTaxTotals::default();
        for total in cac(root, "TaxTotal") {
            let mut here: HashSet<&str> = HashSet::new();
            for amount in cbc(total, "TaxAmount") {
                let Some(currency) = amount.attribute("currencyID") else { continue };
                let tax = found.0.entry(currency.to_owned()).or_default();
                let is_first = here.insert(currency);
                match decimal(amount) {
                    Ok(value) if is_first => {
                        tax.count += 1;
                        tax.value = value;
                    }
                    // Two of a currency in one total, or no number.
                    _ => tax.wrong = tax.wrong.or(Some(amount.id())),
                }
            }
        }
        found
    }
}

fn co_15<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let taxes = case.memo(|facts| UblTaxTotals::of(facts.root()));
    for currency in cbc(case.at, "DocumentCurrencyCode") {
        let Some(tax) = taxes.0.get(&*string(currency)) else { return Ok(RuleVerdict::broken()) };
        if tax.wrong.is_none() && tax.count != 1 {
            return Ok(RuleVerdict::broken());
        }
        let totals = || cac(case.at, "LegalMonetaryTotal");
        let mut stated = Vec::new();
        for total in totals() {
            stated.extend(decimal_of(cbc(total, "TaxInclusiveAmount"))?);
        }
        if stated.is_empty() {
            return Ok(RuleVerdict::broken());
        }
        let mut without = None;
        for total in totals() {
            if let Some(amount) = decimal_of(cbc(total, "TaxExclusiveAmount"))? {
                if without.is_some() {
                    return Err(Unreadable::several(total));
                }
                without = Some(amount);
            }
        }
        let Some(without) = without else { return Ok(RuleVerdict::broken()) };
        if let Some(wrong) = tax.wrong {
            return Err(Unreadable::at(case, wrong));
        }
        let sum = without.checked_add(tax.value);
        let expected = sum.ok_or_else(|| Unreadable::at(case, case.at.id()))?.round_to_cents();
        if !stated.contains(&expected) {
            let mut wrong = totals().flat_map(|total| cbc(total, "TaxInclusiveAmount"));
            let wrong = wrong.next();
            let verdict = RuleVerdict::broken().expected(format!("{expected:.2}"));
            let verdict = verdict.element(wrong.or_else(|| totals().next()));
            return Ok(match wrong {
                Some(element) => verdict.found(element.text()),
                None => verdict,
            });
        }
    }
    Ok(RuleVerdict::Holds)
}

fn co_16<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    const LOCAL: &str = "PayableAmount";
    let has = |local| cbc(case.at, local).next().is_some();
    let (paid, rounded) = (has("PrepaidAmount"), has("PayableRoundingAmount"));
    let Some(due) = total(case, LOCAL)? else {
        return Ok(RuleVerdict::broken());
    };
    let minus = |left: Decimal, right: Option<Decimal>| {
        let difference = left.checked_sub(right.unwrap_or_default());
        difference.ok_or_else(|| Unreadable::at(case, case.at.id()))
    };
    // Both sides without what has been paid and rounded; a side that is computed is rounded.
    let rounding = if rounded { total(case, "PayableRoundingAmount")? } else { None };
    let left = if rounded { minus(due, rounding)?.round_to_cents() } else { due };
    let Some(with_vat) = total(case, "TaxInclusiveAmount")? else {
        return Ok(compared(case, LOCAL, false, None));
    };
    let prepaid = if paid { total(case, "PrepaidAmount")? } else { None };
    let right = if paid { minus(with_vat, prepaid)?.round_to_cents() } else { with_vat };
    let expected = right.checked_add(rounding.unwrap_or_default());
    Ok(compared(case, LOCAL, left == right, expected))
}

/// Whether a day or terms of payment stand anywhere.
struct HasTerms(bool);

fn co_25<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let due = double(case.at)?;
    Ok(RuleVerdict::of((due > 0.0 && has_terms(case)) || due <= 0.0).found(case.at.text()))
}

/// Whether the document has a day of payment or terms of payment.
pub(in crate::rules) fn has_terms(case: &Case<'_, '_>) -> bool {
    let terms = case.memo(|facts| {
        let mut notes = facts.named(CAC, "PaymentTerms").flat_map(|terms| cbc(terms, "Note"));
        HasTerms(facts.named(values::CBC, "DueDate").next().is_some() || notes.next().is_some())
    });
    terms.0
}

/// The currencies in which some total of tax is.
struct TaxCurrencies(HashSet<String>);

pub(in crate::rules) fn br_53<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let known = case.memo(|facts: &Facts<'_>| {
        let amounts = facts.named(CAC, "TaxTotal").flat_map(|total| cbc(total, "TaxAmount"));
        let currencies = amounts.filter_map(|amount| amount.attribute("currencyID"));
        TaxCurrencies(currencies.map(str::to_owned).collect())
    });
    let mut stated = cbc(case.at, "TaxCurrencyCode");
    Ok(match stated.find(|code| !known.0.contains(&*string(*code))) {
        Some(code) => RuleVerdict::broken().found(code.text()).element(Some(code)),
        None => RuleVerdict::Holds,
    })
}
