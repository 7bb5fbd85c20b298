//! Reductions and surcharges of the document (BG-20, BG-21) and of a line (BG-27, BG-28).

use quoin_model::amount::Decimal;
use quoin_model::en16931::{AllowanceCharge, Amount, Derivation, Invoice, Line, ReasonCode};

use super::{CENTS, kept_with, tax};
use crate::writing::{InvoiceOutput, in_form};

/// Which terms the base has, and the list of reasons.
struct ReductionTerms {
    base: &'static str,
    list: &'static str,
}

/// Whether a charge is a tax beside VAT (`OtherTax`), which stands with the taxes.
pub(super) fn is_other_tax(one: &AllowanceCharge<'_>) -> bool {
    one.element.local() == "OtherTax"
}

/// Writes `ReductionAndSurchargeDetails`.
pub(super) fn of_document<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    out.group("eb:ReductionAndSurchargeDetails", |out| {
        for one in invoice.allowance_charges.iter().filter(|one| !is_other_tax(one)) {
            let (name, terms) = match one.is_charge() {
                true => ("eb:Surcharge", ReductionTerms { base: "BT-100", list: "UNTDID7161" }),
                false => ("eb:Reduction", ReductionTerms { base: "BT-93", list: "UNTDID5189" }),
            };
            if one.element.local() == "OtherVATableTax" {
                out.required_group("eb:OtherVATableTax", |out| other_tax(out, one));
                continue;
            }
            let lines = invoice.totals.first().and_then(|totals| totals.line_net.value());
            out.required_group(name, |out| {
                reduction(out, one, &terms, lines);
                tax::of_reduction(out, one);
            });
        }
    });
}

/// Writes `ReductionAndSurchargeListLineItemDetails`.
pub(super) fn of_line<'d>(out: &mut InvoiceOutput<'d>, line: &Line<'d>) {
    out.group("eb:ReductionAndSurchargeListLineItemDetails", |out| {
        for one in &line.allowance_charges {
            let (name, terms) = match one.is_charge() {
                true => (
                    "eb:SurchargeListLineItem",
                    ReductionTerms { base: "BT-142", list: "UNTDID7161" },
                ),
                false => (
                    "eb:ReductionListLineItem",
                    ReductionTerms { base: "BT-137", list: "UNTDID5189" },
                ),
            };
            if one.element.local() == "OtherVATableTaxListLineItem" {
                out.required_group("eb:OtherVATableTaxListLineItem", |out| other_tax(out, one));
                continue;
            }
            let gross = gross(line);
            out.required_group(name, |out| reduction(out, one, &terms, gross));
        }
    });
}

/// Price times quantity.
fn gross(line: &Line<'_>) -> Option<Decimal> {
    let price = line.price.first()?;
    let base = price.base().and_then(|base| base.value()).unwrap_or(Decimal::new(1, 0));
    let unit = price.net.value()?.checked_div(base)?;
    Some(unit.checked_mul(line.quantity.value()?)?.round_to_cents())
}

fn reduction<'d>(
    out: &mut InvoiceOutput<'d>,
    one: &AllowanceCharge<'d>,
    terms: &ReductionTerms,
    usual: Option<Decimal>,
) {
    if let Some(indicator) = one.indicator.filled() {
        out.ledger.carry(*indicator);
    }
    let amount = one.amount.filled();
    if !out.first_amount_in("eb:BaseAmount", &one.base_amount, CENTS) {
        let base = usual.or_else(|| amount.and_then(Amount::value));
        let reason = "the target asks what a reduction or surcharge is of: the lines or the line";
        match base.and_then(|base| in_form(base.round_to_cents(), CENTS)) {
            Some(base) => {
                out.derived("eb:BaseAmount", &base, one.element, Some(terms.base), reason);
            }
            None => {
                let what = "the amount of an allowance or charge (BT-92, BT-99, BT-136, BT-141)";
                out.refuse_without(one.element, what, "BaseAmount");
            }
        }
    }
    if let Some(percentage) = one.percentage.filled() {
        out.number_in("eb:Percentage", *percentage, CENTS);
    }
    // One that follows from the percentage is not written.
    match amount {
        Some(amount) if is_computed(amount) && out.ledger.in_own_words => {}
        Some(amount) => out.amount_in("eb:Amount", amount, CENTS),
        None => {}
    }
    out.first("eb:Comment", &one.reason);
    let is_said = |code: &ReasonCode<'d>| {
        !out.ledger.in_own_words || code.derivation() != Some(Derivation::Implied)
    };
    if let Some(code) = one.reason_code.filled().filter(is_said) {
        let list = code.attribute(quoin_model::en16931::AttributeName::ListId);
        let name = list.map_or(terms.list.into(), |list| list.trimmed());
        kept_with(out, "eb:Classification", *code, &[("ClassificationSchema", &name)]);
        if let Some(list) = list {
            out.ledger.carry(list);
        }
    }
}

fn is_computed(amount: Amount<'_>) -> bool {
    matches!(amount.derivation(), Some(Derivation::Computed(_)))
}

/// `OtherVATableTax`, of a document of ebInterface.
fn other_tax<'d>(out: &mut InvoiceOutput<'d>, one: &AllowanceCharge<'d>) {
    out.first_amount_in("eb:TaxableAmount", &one.base_amount, CENTS);
    if let Some(rate) = one.percentage.filled() {
        let code = one.tax_category.first().and_then(|tax| tax.code.filled());
        let letters = code.map_or("S".into(), |code| code.trimmed());
        kept_with(out, "eb:TaxPercent", *rate, &[("TaxCategoryCode", &letters)]);
        if let Some(code) = code {
            out.ledger.carry(*code);
        }
    } else if let Some(tax) = one.tax_category.first() {
        tax::percent(out, tax, ["BT-102", "BT-103"], "the VAT category of a tax (BT-102)");
    }
    if let Some(amount) = one.amount.filled().filter(|amount| !is_computed(*amount)) {
        out.amount_in("eb:TaxAmount", amount, CENTS);
    }
    out.first("eb:Comment", &one.reason);
    match one.id.filled() {
        Some(id) => {
            out.limited("eb:TaxID", *id, 255);
        }
        None => out.refuse_without(one.element, "the identifier of a tax", "TaxID"),
    }
}
