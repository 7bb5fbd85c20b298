//! VAT (BG-23, BG-30), allowances and charges (BG-20, BG-21, BG-27, BG-28).

use quoin_model::en16931::{AllowanceCharge, Amount, Derivation, Field, Invoice, TaxCategory};

use super::super::codes::{ALLOWANCES, CATEGORIES, CHARGES, OTHER_SERVICE};
use super::amount;
use crate::reading::lookup_back;
use crate::writing::{InvoiceOutput, WrittenSign};

/// Writes `VATInformation`, with the base amount of a total.
pub(super) fn information<'d>(
    out: &mut InvoiceOutput<'d>,
    category: &TaxCategory<'d>,
    base: Option<(&Field<Amount<'d>>, WrittenSign)>,
) {
    out.group("VATInformation", |out| {
        match category.code.filled() {
            Some(code) if out.ledger.in_own_words || CATEGORIES.contains(&&*code.trimmed()) => {
                out.kept("VATRate", &code.trimmed(), *code);
            }
            Some(code) => out.refuse_value(*code, "the target has no such VAT category"),
            None if out.ledger.in_own_words => {}
            None => {
                let what = "the VAT category (BT-95, BT-102, BT-118, BT-151)";
                out.refuse_without(category.element, what, "VATRate");
            }
        }
        if let Some(rate) = category.rate.filled() {
            out.kept("VATPercentage", &rate.trimmed(), *rate);
        }
        if let Some((base, sign)) = base {
            amount(out, "VATBaseAmount", base, sign);
        }
    });
    category.scheme.iter().for_each(|scheme| out.ledger.carry(**scheme));
}

/// Writes `InvoiceAllowance` or `InvoiceCharge`.
pub(super) fn of_document<'d>(
    out: &mut InvoiceOutput<'d>,
    one: &AllowanceCharge<'d>,
    sign: WrittenSign,
) {
    let name = if one.is_charge() { "InvoiceCharge" } else { "InvoiceAllowance" };
    let term = if one.is_charge() { "BT-105" } else { "BT-98" };
    out.group(name, |out| {
        inside(out, one, term, sign);
        match one.tax_category.first() {
            Some(category) => information(out, category, None),
            None if out.ledger.in_own_words => {}
            None => {
                let what = "the VAT category of an allowance or charge (BT-95, BT-102)";
                out.refuse_without(one.element, what, "VATInformation");
            }
        }
    });
}

/// Writes `Allowance` or `Charge` of a line.
pub(super) fn of_line<'d>(
    out: &mut InvoiceOutput<'d>,
    one: &AllowanceCharge<'d>,
    sign: WrittenSign,
) {
    let name = if one.is_charge() { "Charge" } else { "Allowance" };
    let term = if one.is_charge() { "BT-145" } else { "BT-140" };
    out.group(name, |out| {
        inside(out, one, term, sign);
        if out.ledger.in_own_words {
            one.tax_category.iter().for_each(|category| information(out, category, None));
        }
    });
}

/// Reason, amount, percentage and words.
fn inside<'d>(
    out: &mut InvoiceOutput<'d>,
    one: &AllowanceCharge<'d>,
    term: &'static str,
    sign: WrittenSign,
) {
    let is_charge = one.is_charge();
    reason(out, one, term);
    let name = if is_charge { "ChargeAmount" } else { "AllowanceAmount" };
    if !amount(out, name, &one.amount, sign) {
        let what = "the amount of an allowance or charge (BT-92, BT-99, BT-136, BT-141)";
        out.refuse_without(one.element, what, name);
    }
    match is_charge {
        true => {
            if let Some(words) = one.reason.filled() {
                out.kept("ChargeDescription", &words.trimmed(), *words);
            }
        }
        false => {
            if let Some(percentage) = one.percentage.filled() {
                out.kept("AllowancePercentage", &percentage.trimmed(), *percentage);
            }
        }
    }
    if let Some(indicator) = one.indicator.filled() {
        out.ledger.carry(*indicator);
    }
}

/// The reason as a code, which the target asks for: its lists are short.
fn reason<'d>(out: &mut InvoiceOutput<'d>, one: &AllowanceCharge<'d>, term: &'static str) {
    let code = one.reason_code.filled();
    if out.ledger.in_own_words {
        let name = if one.is_charge() { "ChargeTypeCode" } else { "AllowanceTypeCode" };
        if let Some(code) = code.filter(|code| code.derivation() != Some(Derivation::Implied)) {
            let words = out.words(*code);
            out.kept(name, &words, *code);
        }
        return;
    }
    let why = "the target has few reasons for allowances and charges: another one";
    if one.is_charge() {
        const NAME: &str = "ChargeTypeCode";
        return match code {
            Some(code) if CHARGES.contains(&&*code.trimmed()) => {
                out.kept(NAME, &code.trimmed(), *code);
            }
            Some(code) => out.changed(NAME, OTHER_SERVICE, *code, why),
            None => out.derived(NAME, OTHER_SERVICE, one.element, Some(term), why),
        };
    }
    const NAME: &str = "AllowanceTypeCode";
    let discount = lookup_back(ALLOWANCES, "95").unwrap_or_default();
    match code {
        Some(code) if code.is("95") => out.kept(NAME, discount, *code),
        Some(code) => out.changed(NAME, discount, *code, why),
        None => {
            out.implied(NAME, "95", one.element, Some(term), why);
            out.constant(NAME, discount, &[]);
        }
    }
}

/// Writes `VATSubTotal`, one for each category and rate.
pub(super) fn breakdown<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>, sign: WrittenSign) {
    for one in invoice.breakdown_in_document_currency() {
        out.group("VATSubTotal", |out| {
            if !amount(out, "VATAmount", &one.tax_amount, sign) && !out.ledger.in_own_words {
                out.refuse_without(one.element, "the VAT amount (BT-117)", "VATAmount");
            }
            match one.category.first() {
                Some(category) => information(out, category, Some((&one.taxable_amount, sign))),
                None if out.ledger.in_own_words => {}
                None => {
                    let what = "the VAT category (BT-118)";
                    out.refuse_without(one.element, what, "VATInformation");
                }
            }
        });
    }
}
