//! Allowances and charges: those of a line are one discount (`P_10`: BG-27, BG-28), those of the
//! document rows of their own (BG-20, BG-21).

use quoin_model::amount::Decimal;
use quoin_model::en16931::{AllowanceCharge, Line};

use super::super::read::other_sign;
use super::category::{self, FaTaxed};
use super::number::{AMOUNT, PRICE, collapsed, decimal, number, number_text};
use super::plan::{FaPlan, SignChange};
use super::row::RowNames;
use crate::writing::{InvoiceOutput, LossKind};

/// `P_10`: allowances less charges of a line (BG-27, BG-28).
pub(super) fn changes<'d>(out: &mut InvoiceOutput<'d>, line: &Line<'d>, signs: SignChange) {
    const TOGETHER: &str = "the target has one discount for a row: all of them together";
    const NAME: &str = "P_10";
    let all = &line.allowance_charges;
    all.iter().flat_map(|one| one.indicator.iter()).for_each(|own| {
        out.ledger.regenerate(**own);
    });
    if let [one] = all.as_slice() {
        let Some(own) = one.amount.filled() else { return };
        out.one_currency(own);
        if own.value().is_some_and(|value| value.is_zero()) {
            return out.lost(*own, "it is nought, and no discount in the target");
        }
        let is_charge = one.is_charge();
        let signs =
            SignChange { written: signs.written != is_charge, read: signs.read != is_charge };
        return number(out, NAME, *own, PRICE, signs);
    }
    if all.is_empty() {
        return;
    }
    let signed = |one: &AllowanceCharge<'d>| {
        let value = one.amount.filled()?.value()?;
        Some(if one.is_charge() { value.negated() } else { value })
    };
    let parts: Option<Vec<Decimal>> = all.iter().map(signed).collect();
    let sum = parts.and_then(Decimal::sum);
    let Some((sum, text)) = sum.and_then(|sum| Some((sum, decimal(sum, 8, 14)?))) else {
        let what = "the amount of an allowance or charge of a line (BT-136, BT-141)";
        return out.refuse_without(line.element, what, NAME);
    };
    for own in all.iter().filter_map(|one| one.amount.filled()) {
        out.told_otherwise(NAME, *own, LossKind::Merged, TOGETHER);
        out.one_currency(own);
    }
    if sum.is_zero() {
        return;
    }
    let term = if sum.is_negative() { "BT-141" } else { "BT-136" };
    out.implied(NAME, &text, line.element, Some(term), TOGETHER);
    out.constant(NAME, &if signs.written { other_sign(&text) } else { text }, &[]);
}

/// The row of an allowance or a charge of the document.
pub(super) fn extra<'d>(
    out: &mut InvoiceOutput<'d>,
    plan: &FaPlan,
    names: &RowNames,
    one: &AllowanceCharge<'d>,
    taxed: FaTaxed,
    row: u64,
) {
    const ROW: &str = "the target has a row for an allowance or charge of the document";
    let is_charge = one.is_charge();
    let usual = if is_charge { "Opłata" } else { "Rabat" };
    out.derived(names.number, &row.to_string(), one.element, Some("BT-126"), ROW);
    one.indicator.iter().for_each(|own| out.ledger.regenerate(**own));
    match one.reason.filled() {
        Some(reason) => {
            let whole: String = collapsed(&reason.trimmed()).chars().take(512).collect();
            out.implied(names.name, &whole, one.element, Some("BT-153"), ROW);
            out.changed(names.name, whole.trim_end(), *reason, ROW);
        }
        None => out.derived(names.name, usual, one.element, Some("BT-153"), ROW),
    }
    let net = if taxed.sum == category::MARGIN { "P_11A" } else { names.net };
    let Some(own) = one.amount.filled() else {
        let what = "the amount of an allowance or charge (BT-92, BT-99)";
        return out.refuse_without(one.element, what, net);
    };
    let Some(same) = number_text(*own, AMOUNT) else {
        return out.refuse_value(*own, "an amount is a number");
    };
    let less = if is_charge { same } else { other_sign(&same) };
    let text = if plan.signs.written { other_sign(&less) } else { less };
    let again = if plan.signs.read { other_sign(&text) } else { text.clone() };
    out.implied(net, &again, one.element, Some("BT-131"), ROW);
    out.changed(net, &text, *own, ROW);
    out.one_currency(own);
    let Some(category) = one.tax_category.first() else { return };
    for (term, text) in [
        ("BT-151", Some(taxed.again().into())),
        ("BT-152", category.rate.text().filter(|_| taxed.again() != "O")),
    ] {
        if let Some(text) = text {
            out.implied(names.rate, &text, one.element, Some(term), ROW);
        }
    }
    category::of_row(out, category, taxed, [names.rate, names.foreign_rate]);
    let values = category.code.iter().map(|code| **code);
    for own in values.chain(category.rate.iter().map(|rate| **rate)) {
        out.told_otherwise(names.rate, own, LossKind::Changed, ROW);
    }
}
