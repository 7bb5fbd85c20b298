//! BR-CO-10 to BR-CO-16 and the decimals of totals: BG-22 of CII.

use std::cell::RefCell;
use std::collections::HashMap;

use quoin_xml::tree::{Element, NodeId};

use super::layout::indicators;
use super::{settlements, totals};
use crate::rules::en16931::sums::beside;
use crate::rules::values::number::{double as to_double, exact_cents, round, round_to_cents};
use crate::rules::values::{
    Read, all_of, any_of, decimal, decimal_of, double, double_sum, ram, some, some_boolean,
    some_double, string,
};
use crate::rules::{Case, Outcome, Rule, RuleVerdict, Unreadable};
use quoin_model::amount::Decimal;

pub(super) const RULES: &[Rule] = &[
    Rule::new("BR-CO-10", co_10),
    Rule::new("BR-CO-11", co_11::<true>),
    Rule::new("BR-CO-12", co_12::<true>),
    Rule::new("BR-CO-13", co_13::<true>),
    Rule::new("BR-CO-14", co_14),
    Rule::new("BR-CO-15", co_15),
    Rule::new("BR-CO-16", co_16::<true>),
    Rule::new("BR-DEC-13", |case| cents(case, "InvoiceCurrencyCode", false)),
    Rule::new("BR-DEC-15", |case| cents(case, "TaxCurrencyCode", true)),
];

/// Broken, or kept: a total beside what it should be.
fn compared<'d>(
    case: &Case<'_, 'd>,
    local: &str,
    holds: bool,
    expected: Option<Decimal>,
) -> RuleVerdict<'d> {
    beside(ram(case.at, local).next(), holds, expected)
}

/// `xs:decimal(ram:…[1])`; before 1.3.16 `xs:decimal(ram:…)`, of which several are an error.
fn amount<'d, const FIRST: bool>(case: &Case<'_, 'd>, local: &str) -> Read<'d, Option<Decimal>> {
    let mut amounts = ram(case.at, local);
    if FIRST { amounts.next().map(decimal).transpose() } else { decimal_of(amounts) }
}

/// Sums of the lines beside the totals, by the element around both.
#[derive(Default)]
struct LineSums(RefCell<HashMap<NodeId, Result<f64, NodeId>>>);

fn lines(parent: Element<'_>) -> Result<f64, NodeId> {
    let amounts = ram(parent, "IncludedSupplyChainTradeLineItem")
        .flat_map(|line| ram(line, "SpecifiedLineTradeSettlement"))
        .flat_map(|own| ram(own, "SpecifiedTradeSettlementLineMonetarySummation"))
        .flat_map(|own| ram(own, "LineTotalAmount"));
    double_sum(amounts).map_err(|wrong| wrong.id())
}

fn co_10<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    const LOCAL: &str = "LineTotalAmount";
    let Some(stated) = decimal_of(ram(case.at, LOCAL))? else { return Ok(RuleVerdict::broken()) };
    let sums = case.memo(|_| LineSums::default());
    let sum = match case.at.parent().and_then(Element::parent) {
        Some(up) => *sums.0.borrow_mut().entry(up.id()).or_insert_with(|| lines(up)),
        None => Ok(0.0),
    };
    let sum = sum.map_err(|id| Unreadable::at(case, id))?;
    let sum = exact_cents(sum).ok_or_else(|| Unreadable::at(case, case.at.id()))?;
    Ok(compared(case, LOCAL, stated == sum, Some(sum)))
}

pub(super) fn co_11<'d, const FIRST: bool>(case: &Case<'_, 'd>) -> Outcome<'d> {
    adjustments::<FIRST>(case, "AllowanceTotalAmount", false)
}

pub(super) fn co_12<'d, const FIRST: bool>(case: &Case<'_, 'd>) -> Outcome<'d> {
    adjustments::<FIRST>(case, "ChargeTotalAmount", true)
}

/// The allowances and the charges of the document: whether there are any, and their sum, of the
/// first amount of each, or of all amounts.
struct CiiAdjustments<const FIRST: bool>([(Result<bool, NodeId>, Result<f64, NodeId>); 2]);

#[expect(clippy::indexing_slicing, reason = "an array of two, by a truth value")]
fn adjustments<'d, const FIRST: bool>(
    case: &Case<'_, 'd>,
    local: &str,
    charge: bool,
) -> Outcome<'d> {
    let known = case.memo(|facts| {
        CiiAdjustments::<FIRST>([false, true].map(|charge| {
            let groups =
                || settlements(facts).flat_map(|own| ram(own, "SpecifiedTradeAllowanceCharge"));
            let is_wanted = |own| some_boolean(indicators(own), charge);
            let any = some(groups().map(is_wanted)).map_err(|wrong| wrong.id());
            let mut sum = Ok(0.0);
            for own in groups() {
                let amounts = ram(own, "ActualAmount").take(if FIRST { 1 } else { usize::MAX });
                let amount = match is_wanted(own) {
                    Ok(false) => continue,
                    Ok(true) => double_sum(amounts),
                    Err(wrong) => Err(wrong),
                };
                let amount = amount.map_err(|wrong| wrong.id());
                sum = sum.and_then(|sum| Ok(sum + amount?));
            }
            (any, sum)
        }))
    });
    let (any, sum) = known.0[usize::from(charge)];
    let read = |id| Unreadable::at(case, id);
    let is_stated = ram(case.at, local).next().is_some();
    let absent = || all_of([&|| Ok(!any.map_err(read)?), &|| Ok(!is_stated)]);
    let equal = || {
        if !is_stated {
            return Ok(false);
        }
        let sum = round_to_cents(sum.map_err(read)?);
        some_double(ram(case.at, local), |stated| stated == sum)
    };
    let holds = any_of([&absent, &equal])?;
    let sum = sum.ok().and_then(|sum| exact_cents(round_to_cents(sum)));
    Ok(compared(case, local, holds, sum))
}

/// A sum and a difference as XPath computes them: of nothing comes nothing.
fn combined<'d, const FIRST: bool>(
    case: &Case<'_, 'd>,
    start: &str,
    terms: &[(&str, bool)],
) -> Read<'d, Option<Decimal>> {
    let Some(mut sum) = amount::<FIRST>(case, start)? else { return Ok(None) };
    for (local, is_added) in terms {
        let Some(term) = amount::<FIRST>(case, local)? else { return Ok(None) };
        let next = if *is_added { sum.checked_add(term) } else { sum.checked_sub(term) };
        sum = next.ok_or_else(|| Unreadable::at(case, case.at.id()))?;
    }
    Ok(Some(sum))
}

/// One way in which a total may come about: its terms, and what must not be there.
type TotalFormula = (&'static [(&'static str, bool)], &'static [&'static str]);

/// Whether a total is as one of several ways has it.
fn one_way<'d, const FIRST: bool>(
    case: &Case<'_, 'd>,
    (local, start): (&str, &str),
    ways: &[TotalFormula],
    rounded: bool,
) -> Outcome<'d> {
    let mut expected = None;
    let mut failure = None;
    for (terms, absent) in ways {
        let applies = absent.iter().all(|local| ram(case.at, local).next().is_none());
        let equal = || {
            let Some(stated) = amount::<FIRST>(case, local)? else { return Ok((false, None)) };
            let Some(sum) = combined::<FIRST>(case, start, terms)? else {
                return Ok((false, None));
            };
            let sum = if rounded { sum.round_to_cents() } else { sum };
            Ok((stated == sum, Some(sum)))
        };
        match equal() {
            Ok((true, _)) if applies => return Ok(RuleVerdict::Holds),
            Ok((_, sum)) => expected = expected.or(sum),
            // An error counts only where the way applies.
            Err(error) if applies => failure = failure.or(Some(error)),
            Err(_) => {}
        }
    }
    match failure {
        Some(error) => Err(error),
        None => Ok(compared(case, local, false, expected)),
    }
}

pub(super) fn co_13<'d, const FIRST: bool>(case: &Case<'_, 'd>) -> Outcome<'d> {
    const ALLOWANCES: &str = "AllowanceTotalAmount";
    const CHARGES: &str = "ChargeTotalAmount";
    let ways: &[TotalFormula] = &[
        (&[(ALLOWANCES, false), (CHARGES, true)], &[]),
        (&[(ALLOWANCES, false)], &[CHARGES]),
        (&[(CHARGES, true)], &[ALLOWANCES]),
        (&[], &[CHARGES, ALLOWANCES]),
    ];
    one_way::<FIRST>(case, ("TaxBasisTotalAmount", "LineTotalAmount"), ways, true)
}

pub(super) fn co_16<'d, const FIRST: bool>(case: &Case<'_, 'd>) -> Outcome<'d> {
    const PAID: &str = "TotalPrepaidAmount";
    const ROUNDING: &str = "RoundingAmount";
    let ways: &[TotalFormula] = &[
        (&[(PAID, false), (ROUNDING, true)], &[]),
        (&[(ROUNDING, true)], &[PAID]),
        (&[(PAID, false)], &[ROUNDING]),
        (&[], &[PAID, ROUNDING]),
    ];
    one_way::<FIRST>(case, ("DuePayableAmount", "GrandTotalAmount"), ways, false)
}

/// The sum of the VAT of the breakdown.
struct VatSum(Result<f64, NodeId>);

fn co_14<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let stated = double(case.at)?;
    let sum = case.memo(|facts| {
        let taxes = settlements(facts).flat_map(|own| ram(own, "ApplicableTradeTax"));
        let amounts = taxes.flat_map(|own| ram(own, "CalculatedAmount"));
        VatSum(double_sum(amounts).map_err(|wrong| wrong.id()))
    });
    let sum = round_to_cents(sum.0.map_err(|id| Unreadable::at(case, id))?);
    let verdict = RuleVerdict::of(stated == sum).found(case.at.text());
    Ok(match exact_cents(sum) {
        Some(sum) => verdict.expected(format!("{sum:.2}")),
        None => verdict,
    })
}

/// The totals of tax by currency: how many, and the first.
struct CiiTaxTotals(HashMap<String, (usize, NodeId)>);

fn co_15<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let taxes = case.memo(|facts| {
        let mut found = HashMap::new();
        for amount in totals(facts, "TaxTotalAmount") {
            if let Some(currency) = amount.attribute("currencyID") {
                found.entry(currency.to_owned()).or_insert((0, amount.id())).0 += 1;
            }
        }
        CiiTaxTotals(found)
    });
    let total = |local| totals(case, local).next().map(decimal).transpose();
    for currency in settlements(case).flat_map(|own| ram(own, "InvoiceCurrencyCode")) {
        let tax = taxes.0.get(&*string(currency)).filter(|(count, _)| *count == 1);
        let sum = || {
            let Some((_, id)) = tax else { return Ok(None) };
            let Some(without) = total("TaxBasisTotalAmount")? else { return Ok(None) };
            let tax = case.document().element(*id).map(decimal).transpose()?;
            let sum = without.checked_add(tax.unwrap_or_default());
            let sum = sum.ok_or_else(|| Unreadable::at(case, *id))?;
            Ok(Some(sum.round_to_cents()))
        };
        let with_tax = || {
            if tax.is_none() {
                return Ok(false);
            }
            let Some(stated) = total("GrandTotalAmount")? else { return Ok(false) };
            Ok(Some(stated) == sum()?)
        };
        let without_tax = || {
            let Some(stated) = total("GrandTotalAmount")? else { return Ok(false) };
            Ok(Some(stated) == total("TaxBasisTotalAmount")?)
        };
        if any_of([&with_tax, &without_tax])? {
            continue;
        }
        let wrong = totals(case, "GrandTotalAmount").next();
        let verdict = RuleVerdict::broken().element(wrong);
        let verdict = match wrong {
            Some(element) => verdict.found(element.text()),
            None => verdict,
        };
        return Ok(match sum() {
            Ok(Some(expected)) => verdict.expected(format!("{expected:.2}")),
            _ => verdict,
        });
    }
    Ok(RuleVerdict::Holds)
}

/// The currencies of the document, as a set of codes.
struct CurrencySet([Vec<String>; 2]);

/// Some total of tax is not in the currency, or has two decimals. Where the currency is that of
/// VAT accounting, one not stated is enough.
#[expect(clippy::indexing_slicing, reason = "an array of two, by a truth value")]
fn cents<'d>(case: &Case<'_, 'd>, code: &str, accounting: bool) -> Outcome<'d> {
    if ram(case.at, "TaxTotalAmount").next().is_none() {
        return Ok(RuleVerdict::Holds);
    }
    let currencies = case.memo(|facts| {
        CurrencySet(["InvoiceCurrencyCode", "TaxCurrencyCode"].map(|local| {
            let codes = settlements(facts).flat_map(|own| ram(own, local));
            codes.map(|code| string(code).into_owned()).collect()
        }))
    });
    let stated = &currencies.0[usize::from(code == "TaxCurrencyCode")];
    let fits = |amount: Element<'d>| -> Read<'d, bool> {
        let own = amount.attribute("currencyID");
        let is_in = own.is_some_and(|own| stated.iter().any(|code| code == own));
        let is_other = if accounting { stated.is_empty() } else { !is_in };
        any_of([
            &|| {
                let value = if is_in { double(amount)? } else { return Ok(false) };
                Ok(value == round(value * 100.0) / 100.0)
            },
            &|| Ok(is_other),
        ])
    };
    let amounts = || ram(case.at, "TaxTotalAmount");
    let verdict = RuleVerdict::of(some(amounts().map(fits))?);
    Ok(match amounts().next() {
        Some(amount) => verdict.found(amount.text()).element(Some(amount)),
        None => verdict,
    })
}

/// Used by the sums of the breakdown: a decimal as a double.
pub(super) fn as_double(value: Decimal) -> f64 {
    to_double(value)
}
