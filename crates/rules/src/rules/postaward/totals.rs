//! The totals of orders and order changes, and the net amounts of their lines.

use std::collections::HashMap;
use std::rc::Rc;

use quoin_xml::tree::{Element, NodeId};

use super::reading::{
    adjustments, indicated, known, nearly, not_negative, or_nought, reckoned, top, wrong,
};
use crate::rules::en16931::sums::beside;
use crate::rules::values::{CAC, Read, all_of, any_of, cac, cbc, decimal, decimal_of, string};
use crate::rules::{Case, Facts, Outcome, Rule, RuleVerdict, Unreadable};
use quoin_model::amount::Decimal;

/// Order.
pub(super) const T01: &[Rule] = &[
    Rule::new("PEPPOL-T01-R006", due_not_negative),
    Rule::new("PEPPOL-T01-R007", lines_not_negative),
    Rule::new("PEPPOL-T01-R008", sum_of_lines),
    Rule::new("PEPPOL-T01-R009", sum_of_allowances),
    Rule::new("PEPPOL-T01-R010", sum_of_charges),
    Rule::new("PEPPOL-T01-R011", without_tax),
    Rule::new("PEPPOL-T01-R016", due),
    Rule::new("PEPPOL-T01-R017", with_tax),
    Rule::new("PEPPOL-T01-R024", net_of_line),
    Rule::new("PEPPOL-T01-R025", base_quantity),
    Rule::new("PEPPOL-T01-R001", line_identifier),
    Rule::new("PEPPOL-T01-R004", quantity_not_negative),
];

/// Order change.
pub(super) const T114: &[Rule] = &[
    Rule::new("PEPPOL-T114-R006", due_not_negative),
    Rule::new("PEPPOL-T114-R007", lines_not_negative),
    Rule::new("PEPPOL-T114-R008", sum_of_lines),
    Rule::new("PEPPOL-T114-R009", sum_of_allowances),
    Rule::new("PEPPOL-T114-R010", sum_of_charges),
    Rule::new("PEPPOL-T114-R011", without_tax),
    Rule::new("PEPPOL-T114-R016", due),
    Rule::new("PEPPOL-T114-R017", with_tax),
    Rule::new("PEPPOL-T114-R024", net_of_line),
    Rule::new("PEPPOL-T114-R025", base_quantity),
    Rule::new("PEPPOL-T114-R001", line_identifier),
    Rule::new("PEPPOL-T114-R004", quantity_not_negative),
];

/// What is added up over the document, each in cents, or what could not be read.
struct OrderSums {
    lines: Result<Decimal, NodeId>,
    allowances: Result<Decimal, NodeId>,
    charges: Result<Decimal, NodeId>,
    tax: Result<Decimal, NodeId>,
}

impl OrderSums {
    fn of(facts: &Facts<'_>, document: &str) -> OrderSums {
        let nought = Ok(Decimal::ZERO);
        let Some(root) = top(facts, document) else {
            return OrderSums { lines: nought, allowances: nought, charges: nought, tax: nought };
        };
        let id = |wrong: Unreadable<'_>| wrong.id();
        let taxes = cac(root, "TaxTotal").flat_map(|total| cbc(total, "TaxAmount"));
        OrderSums {
            lines: lines(root),
            allowances: adjustments(root, indicated, "false").map_err(id),
            charges: adjustments(root, indicated, "true").map_err(id),
            tax: or_nought(taxes).map_err(id),
        }
    }
}

/// What the document element of a rule's documents is called.
fn document(case: &Case<'_, '_>) -> &'static str {
    if case.id.starts_with("PEPPOL-T114-") { "OrderChange" } else { "Order" }
}

fn sums(case: &Case<'_, '_>) -> Rc<OrderSums> {
    case.memo(|facts| OrderSums::of(facts, document(case)))
}

fn lines(root: Element<'_>) -> Result<Decimal, NodeId> {
    let items = cac(root, "OrderLine").flat_map(|line| cac(line, "LineItem"));
    let mut sum = Decimal::ZERO;
    for amount in items.flat_map(|item| cbc(item, "LineExtensionAmount")) {
        let value = decimal(amount).map_err(|wrong| wrong.id())?;
        sum = sum.checked_add(value).ok_or(amount.id())?;
    }
    Ok(sum.round_to_cents())
}

fn stated<'d>(case: &Case<'_, 'd>, local: &str) -> Read<'d, Option<Decimal>> {
    decimal_of(cbc(case.at, local))
}

fn compared<'d>(
    case: &Case<'_, 'd>,
    local: &str,
    stated: Option<Decimal>,
    expected: Option<Decimal>,
) -> RuleVerdict<'d> {
    let holds = stated.is_some() && stated == expected;
    beside(cbc(case.at, local).next(), holds, expected)
}

fn at_least_nought<'d>(case: &Case<'_, 'd>, local: &str) -> Outcome<'d> {
    let amount = stated(case, local)?;
    Ok(wrong(amount.is_some_and(|amount| !amount.is_negative()), cbc(case.at, local)))
}

fn due_not_negative<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    at_least_nought(case, "PayableAmount")
}

fn lines_not_negative<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    at_least_nought(case, "LineExtensionAmount")
}

fn sum_of_lines<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    const LOCAL: &str = "LineExtensionAmount";
    let Some(amount) = stated(case, LOCAL)? else { return Ok(RuleVerdict::broken()) };
    let sum = known(case, &sums(case).lines)?;
    Ok(compared(case, LOCAL, Some(amount), Some(sum)))
}

fn sum_of_allowances<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let sum = known(case, &sums(case).allowances)?;
    sum_of(case, "AllowanceTotalAmount", sum)
}

fn sum_of_charges<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let sum = known(case, &sums(case).charges)?;
    sum_of(case, "ChargeTotalAmount", sum)
}

fn sum_of<'d>(case: &Case<'_, 'd>, local: &str, sum: Decimal) -> Outcome<'d> {
    let amount = or_nought(cbc(case.at, local))?;
    Ok(compared(case, local, Some(amount), Some(sum)))
}

/// Lines less allowances plus charges, as the totals state them.
fn lines_and_adjustments<'d>(case: &Case<'_, 'd>) -> Read<'d, Option<Decimal>> {
    let Some(lines) = stated(case, "LineExtensionAmount")? else { return Ok(None) };
    let less = lines.checked_sub(or_nought(cbc(case.at, "AllowanceTotalAmount"))?);
    let charges = or_nought(cbc(case.at, "ChargeTotalAmount"))?;
    Ok(Some(reckoned(case, less.and_then(|less| less.checked_add(charges)))?))
}

/// The total without tax; where it is not stated, what it would be.
fn exclusive<'d>(case: &Case<'_, 'd>) -> Read<'d, Option<Decimal>> {
    match stated(case, "TaxExclusiveAmount")? {
        Some(amount) => Ok(Some(amount)),
        None => lines_and_adjustments(case),
    }
}

fn without_tax<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let (amount, expected) = (exclusive(case)?, lines_and_adjustments(case)?);
    Ok(compared(case, "TaxExclusiveAmount", amount, expected))
}

/// The total with tax, where it is more or less than nought.
fn inclusive<'d>(case: &Case<'_, 'd>) -> Read<'d, Option<Decimal>> {
    Ok(stated(case, "TaxInclusiveAmount")?.filter(|amount| !amount.is_zero()))
}

fn due<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    const LOCAL: &str = "PayableAmount";
    let Some(total) = inclusive(case)? else { return Ok(RuleVerdict::Holds) };
    let amount = stated(case, LOCAL)?;
    let less = total.checked_sub(or_nought(cbc(case.at, "PrepaidAmount"))?);
    let rounding = or_nought(cbc(case.at, "PayableRoundingAmount"))?;
    let expected = reckoned(case, less.and_then(|less| less.checked_add(rounding)))?;
    Ok(compared(case, LOCAL, amount, Some(expected)))
}

fn with_tax<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    const LOCAL: &str = "TaxInclusiveAmount";
    let taxed =
        || Ok(top(case, document(case)).is_some_and(|root| cac(root, "TaxTotal").next().is_some()));
    if !all_of([&|| Ok(inclusive(case)?.is_some()), &taxed])? {
        return Ok(RuleVerdict::Holds);
    }
    let amount = inclusive(case)?;
    let Some(before) = exclusive(case)? else { return Ok(compared(case, LOCAL, amount, None)) };
    let tax = known(case, &sums(case).tax)?;
    let expected = reckoned(case, before.checked_add(tax))?;
    Ok(compared(case, LOCAL, amount, Some(expected)))
}

fn net_of_line<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let one = Decimal::new(1, 0);
    let price = |local| cac(case.at, "Price").flat_map(move |price| cbc(price, local));
    let amount = or_nought(cbc(case.at, "LineExtensionAmount"))?;
    let quantity = decimal_of(cbc(case.at, "Quantity"))?.unwrap_or(one);
    let base = decimal_of(price("BaseQuantity"))?.filter(|base| !base.is_zero()).unwrap_or(one);
    let unit = or_nought(price("PriceAmount"))?.checked_div(base);
    let charges = adjustments(case.at, indicated, "true")?;
    let allowances = adjustments(case.at, indicated, "false")?;
    let net = unit
        .and_then(|unit| quantity.checked_mul(unit)?.checked_add(charges)?.checked_sub(allowances));
    let net = reckoned(case, net)?;
    let holds = nearly(amount, net).unwrap_or(false);
    Ok(beside(cbc(case.at, "LineExtensionAmount").next(), holds, Some(net.round_to_cents())))
}

fn base_quantity<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let bases = || cac(case.at, "Price").flat_map(|price| cbc(price, "BaseQuantity"));
    let above = || Ok(decimal_of(bases())?.is_some_and(|base| base > Decimal::ZERO));
    let holds = any_of([&|| Ok(bases().next().is_none()), &above])?;
    Ok(wrong(holds, bases()))
}

/// How many line items have an identifier.
struct Identifiers(HashMap<String, IdentifierCount>);

struct IdentifierCount {
    items: usize,
    last: NodeId,
}

impl Identifiers {
    fn of(facts: &Facts<'_>) -> Identifiers {
        let mut all: HashMap<String, IdentifierCount> = HashMap::new();
        for item in facts.named(CAC, "LineItem") {
            for id in cbc(item, "ID") {
                let seen = all.entry(string(id).into_owned());
                let seen = seen.or_insert(IdentifierCount { items: 1, last: item.id() });
                if seen.last != item.id() {
                    (seen.items, seen.last) = (seen.items + 1, item.id());
                }
            }
        }
        Identifiers(all)
    }
}

/// The line has an identifier, and no other line has it.
pub(super) fn line_identifier<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let all = case.memo(Identifiers::of);
    let is_own = |id: Element<'_>| all.0.get(&*string(id)).is_none_or(|seen| seen.items == 1);
    let mut ids = cbc(case.at, "ID");
    let Some(first) = ids.next() else { return Ok(RuleVerdict::broken()) };
    let holds = is_own(first) && ids.all(is_own);
    Ok(wrong(holds, std::iter::once(first)))
}

fn quantity_not_negative<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    not_negative(|| cbc(case.at, "Quantity"))
}
