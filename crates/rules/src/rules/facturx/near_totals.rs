//! The totals of EXTENDED, which may be some cents from the computed ones: a cent for each line,
//! allowance and charge.
//!
//! Doubles are turned into decimals with all of their digits before they are compared.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use quoin_xml::tree::{Element, NodeId};
use quoin_xml::xpath::XPathDecimal;

use super::totals::{FacturxSum, FacturxSums, says, total};
use crate::rules::en16931::cii::payment_terms;
use crate::rules::values::number::round;
use crate::rules::values::{Read, decimal_of, decimal_sum, double, ram, string};
use crate::rules::{Case, Outcome, Rule, RuleVerdict, Unreadable};
use quoin_model::amount::Decimal;

pub(super) const RULES: &[Rule] = &[
    Rule::new("BR-FXEXT-CO-10", co_10),
    Rule::new("BR-FXEXT-CO-11", |case| adjustments(case, false)),
    Rule::new("BR-FXEXT-CO-12", |case| adjustments(case, true)),
    Rule::new("BR-FXEXT-CO-13", co_13),
    Rule::new("BR-FXEXT-CO-15", co_15),
    Rule::new("BR-FXEXT-CO-16", co_16),
    Rule::new("BR-CO-25", payment_terms),
];

/// Whether a line is one of its own: neither a group of lines nor an information.
pub(super) fn is_detail(line: Element<'_>) -> bool {
    let documents = ram(line, "AssociatedDocumentLineDocument");
    let mut codes = documents.flat_map(|own| ram(own, "LineStatusReasonCode")).peekable();
    codes.peek().is_none() || codes.any(|code| string(code) == "DETAIL")
}

/// `…/ram:LineTotalAmount` of a line.
pub(super) fn line_totals<'d>(line: Element<'d>) -> impl Iterator<Item = Element<'d>> {
    let settlements = ram(line, "SpecifiedLineTradeSettlement");
    let sums =
        settlements.flat_map(|own| ram(own, "SpecifiedTradeSettlementLineMonetarySummation"));
    sums.flat_map(|own| ram(own, "LineTotalAmount"))
}

/// What stands beside some totals.
struct NearTotals {
    lines: i64,
    details: i64,
    allowances: i64,
    charges: i64,
    /// The sum of the lines of their own.
    sum: FacturxSum,
    /// The sum of the financial adjustments.
    changes: Result<Decimal, NodeId>,
    /// The currencies of the document.
    currencies: Vec<String>,
}

impl NearTotals {
    fn of(settlement: Option<Element<'_>>) -> NearTotals {
        let adjustments =
            || settlement.into_iter().flat_map(|own| ram(own, "SpecifiedTradeAllowanceCharge"));
        let services =
            settlement.into_iter().flat_map(|own| ram(own, "SpecifiedLogisticsServiceCharge"));
        let transaction = settlement.and_then(Element::parent);
        let lines =
            || transaction.into_iter().flat_map(|own| ram(own, "IncludedSupplyChainTradeLineItem"));
        let mut sum = Ok(0.0);
        let mut details = 0;
        for line in lines().filter(|line| is_detail(*line)) {
            details += 1;
            for amount in line_totals(line) {
                let amount = double(amount).map_err(|wrong| wrong.id());
                sum = sum.and_then(|sum| Ok(sum + amount?));
            }
        }
        let changes =
            settlement.into_iter().flat_map(|own| ram(own, "SpecifiedFinancialAdjustment"));
        let currencies = settlement.into_iter().flat_map(|own| ram(own, "InvoiceCurrencyCode"));
        let count = |text| adjustments().filter(|own| says(*own, text)).count() as i64;
        NearTotals {
            lines: lines().count() as i64,
            details,
            allowances: count("false"),
            charges: count("true") + services.count() as i64,
            sum,
            changes: decimal_sum(changes.flat_map(|own| ram(own, "ActualAmount")))
                .map_err(|wrong| wrong.id()),
            currencies: currencies.map(|code| string(code).into_owned()).collect(),
        }
    }
}

/// By the settlement that the totals are in.
#[derive(Default)]
struct AllNear(RefCell<HashMap<Option<NodeId>, Rc<NearTotals>>>);

fn near(case: &Case<'_, '_>) -> Rc<NearTotals> {
    let known = case.memo(|_| AllNear::default());
    let settlement = case.at.parent();
    let id = settlement.map(Element::id);
    let mut known = known.0.borrow_mut();
    known.entry(id).or_insert_with(|| Rc::new(NearTotals::of(settlement))).clone()
}

/// `round(x * 100) div 100`, and `round(x * 10 * 10) div 100`, which is not always the same.
#[derive(Clone, Copy)]
enum Times {
    Hundred,
    TenByTen,
}

/// A rounded sum as a decimal.
fn rounded<'d>(case: &Case<'_, 'd>, sum: FacturxSum, times: Times) -> Read<'d, XPathDecimal> {
    let sum = sum.map_err(|id| Unreadable::at(case, id))?;
    let cents = match times {
        Times::Hundred => round(sum * 100.0),
        Times::TenByTen => round(sum * 10.0 * 10.0),
    };
    XPathDecimal::from_f64(cents / 100.0).ok_or_else(|| Unreadable::at(case, case.at.id()))
}

fn computed<'d, E>(case: &Case<'_, 'd>, value: Result<XPathDecimal, E>) -> Read<'d, XPathDecimal> {
    value.map_err(|_| Unreadable::at(case, case.at.id()))
}

/// A stated total, and as a decimal of any size.
fn stated<'d>(case: &Case<'_, 'd>, local: &str) -> Read<'d, Option<XPathDecimal>> {
    let amount = decimal_of(ram(case.at, local))?;
    Ok(amount.and_then(|amount| XPathDecimal::parse(&amount.to_string())))
}

/// Whether a total is no more cents from the expected one than there are parts.
fn compared<'d>(
    case: &Case<'_, 'd>,
    (local, stated): (&str, &XPathDecimal),
    expected: &XPathDecimal,
    parts: i64,
) -> Outcome<'d> {
    let apart = computed(case, stated.subtract(expected))?.absolute();
    if apart <= XPathDecimal::small(i128::from(parts), 2) {
        return Ok(RuleVerdict::Holds);
    }
    let at = ram(case.at, local).next();
    let found = at.map(string).unwrap_or_default();
    let verdict = RuleVerdict::broken().found(found).element(at);
    Ok(match expected.round(2) {
        Ok(expected) => verdict.expected(expected.to_string()),
        Err(_) => verdict,
    })
}

fn co_10<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    const LOCAL: &str = "LineTotalAmount";
    let near = near(case);
    let sum = rounded(case, near.sum, Times::Hundred)?;
    let Some(own) = stated(case, LOCAL)? else { return Ok(RuleVerdict::broken()) };
    compared(case, (LOCAL, &own), &sum, near.lines)
}

/// The charges of the document with those of its logistics services.
fn charges<'d>(case: &Case<'_, 'd>, sums: &FacturxSums) -> Read<'d, XPathDecimal> {
    let services = rounded(case, sums.logistics, Times::TenByTen)?;
    computed(case, rounded(case, sums.charges, Times::Hundred)?.add(&services))
}

fn adjustments<'d>(case: &Case<'_, 'd>, charge: bool) -> Outcome<'d> {
    let (sums, near) = (case.memo(FacturxSums::of), near(case));
    if sums.is_absent(case, charge) {
        return Ok(RuleVerdict::Holds);
    }
    let (sum, parts) = match charge {
        true => (charges(case, &sums)?, near.charges),
        false => (rounded(case, sums.allowances, Times::TenByTen)?, near.allowances),
    };
    let Some(own) = stated(case, total(charge))? else { return Ok(RuleVerdict::broken()) };
    compared(case, (total(charge), &own), &sum, parts)
}

fn co_13<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    const LOCAL: &str = "TaxBasisTotalAmount";
    let Some(own) = stated(case, LOCAL)? else { return Ok(RuleVerdict::broken()) };
    let (sums, near) = (case.memo(FacturxSums::of), near(case));
    let lines = rounded(case, near.sum, Times::Hundred)?;
    let allowances = rounded(case, sums.allowances, Times::TenByTen)?;
    let less = computed(case, lines.subtract(&allowances))?;
    let sum = computed(case, less.add(&charges(case, &sums)?))?;
    compared(case, (LOCAL, &own), &sum, near.details + near.allowances + near.charges)
}

/// Currencies that are looked at; a document with more cannot be computed with.
const MAX_CURRENCIES: usize = 16;

/// The total with VAT, for the one currency of the document that has a total of VAT.
fn co_15<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    const LOCAL: &str = "GrandTotalAmount";
    let near = near(case);
    let parts = near.details + near.allowances + near.charges;
    let mut found = None;
    for code in &near.currencies {
        let is_own = |own: &Element<'d>| own.attribute("currencyID") == Some(&**code);
        let Some(without) = stated(case, "TaxBasisTotalAmount")? else { continue };
        let tax = decimal_of(ram(case.at, "TaxTotalAmount").filter(is_own))?;
        let Some(tax) = tax.and_then(|tax| XPathDecimal::parse(&tax.to_string())) else { continue };
        let Some(own) = stated(case, LOCAL)? else { continue };
        let sum = computed(case, without.add(&tax))?;
        let verdict = compared(case, (LOCAL, &own), &sum, parts)?;
        if found.replace(verdict).is_some() || near.currencies.len() > MAX_CURRENCIES {
            return Err(Unreadable::several(case.at));
        }
    }
    Ok(found.unwrap_or_else(RuleVerdict::broken))
}

/// The amount due, with the financial adjustments.
fn co_16<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    const LOCAL: &str = "DuePayableAmount";
    let Some(due) = decimal_of(ram(case.at, LOCAL))? else { return Ok(RuleVerdict::broken()) };
    let sum = |local| decimal_sum(ram(case.at, local));
    let changes = near(case).changes.map_err(|id| Unreadable::at(case, id))?;
    let parts = [sum("RoundingAmount")?, changes, sum("TotalPrepaidAmount")?.negated()];
    let add = |sum: Option<Decimal>, part: Decimal| sum.and_then(|sum| sum.checked_add(part));
    let expected = parts.into_iter().fold(Some(sum("GrandTotalAmount")?), add);
    let expected = expected.ok_or_else(|| Unreadable::at(case, case.at.id()))?;
    let at = ram(case.at, LOCAL).next();
    let verdict = RuleVerdict::of(due == expected).found(at.map(string).unwrap_or_default());
    Ok(verdict.expected(format!("{expected:.2}")).element(at))
}
