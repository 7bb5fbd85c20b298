//! Totals and VAT in UBL: BG-22, BG-23, BT-110, BT-111.

use quoin_xml::tree::Element;

use super::UblName::{Aggregate, Basic};
use super::name;
use crate::reading::Pass;
use quoin_model::en16931::{
    Amount, ExchangeRate, Field, Invoice, LineTax, TaxCategory, TaxTotal, Totals, VatBreakdown,
    WithholdingTax,
};

/// Reads `LegalMonetaryTotal`.
pub(in crate::ubl) fn read<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> Totals<'d> {
    let mut totals = Totals::new(element);
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            Basic("LineExtensionAmount") => pass.take(&mut totals.line_net, child),
            Basic("TaxExclusiveAmount") => pass.take(&mut totals.without_vat, child),
            Basic("TaxInclusiveAmount") => pass.take(&mut totals.with_vat, child),
            Basic("AllowanceTotalAmount") => pass.take(&mut totals.allowances, child),
            Basic("ChargeTotalAmount") => pass.take(&mut totals.charges, child),
            Basic("PrepaidAmount") => pass.take(&mut totals.paid, child),
            Basic("PayableRoundingAmount") => pass.take(&mut totals.rounding, child),
            Basic("PayableAmount") => pass.take(&mut totals.due, child),
            _ => pass.unread(child),
        }
    }
    totals
}

/// Reads `TaxTotal` of the document.
pub(super) fn tax_total<'d>(pass: &mut Pass<'d>, invoice: &mut Invoice<'d>, element: Element<'d>) {
    let mut total = TaxTotal::new(element);
    let first = invoice.vat_breakdown.len();
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            Basic("TaxAmount") => pass.take(&mut total.amount, child),
            Aggregate("TaxSubtotal") => invoice.vat_breakdown.push(subtotal(pass, child)),
            Basic("RoundingAmount") => pass.take(&mut total.rounding, child),
            Basic("TaxIncludedIndicator") => pass.take(&mut total.tax_included, child),
            _ => pass.unread(child),
        }
    }
    total.breakdown = first..invoice.vat_breakdown.len();
    invoice.tax_totals.push(total);
}

/// Reads `TaxTotal` of a line.
pub(super) fn line_tax<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> LineTax<'d> {
    let mut tax = LineTax::new(element);
    amount_and_subtotals(pass, element, &mut tax.amount, &mut tax.breakdown);
    tax
}

/// Reads `WithholdingTaxTotal`.
pub(super) fn withholding<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> WithholdingTax<'d> {
    let mut tax = WithholdingTax::new(element);
    amount_and_subtotals(pass, element, &mut tax.amount, &mut tax.breakdown);
    tax
}

fn amount_and_subtotals<'d>(
    pass: &mut Pass<'d>,
    element: Element<'d>,
    amount: &mut Field<Amount<'d>>,
    breakdown: &mut Vec<VatBreakdown<'d>>,
) {
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            Basic("TaxAmount") => pass.take(amount, child),
            Aggregate("TaxSubtotal") => breakdown.push(subtotal(pass, child)),
            _ => pass.unread(child),
        }
    }
}

fn subtotal<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> VatBreakdown<'d> {
    let mut breakdown = VatBreakdown::new(element);
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            Basic("TaxableAmount") => pass.take(&mut breakdown.taxable_amount, child),
            Basic("TaxAmount") => pass.take(&mut breakdown.tax_amount, child),
            Aggregate("TaxCategory") => breakdown.category.push(category(pass, child)),
            Basic("TransactionCurrencyTaxAmount") => {
                pass.take(&mut breakdown.tax_currency_amount, child);
            }
            Basic("Percent") => pass.take(&mut breakdown.percent, child),
            Basic("BaseUnitMeasure") => pass.take(&mut breakdown.base_unit_measure, child),
            Basic("PerUnitAmount") => pass.take(&mut breakdown.per_unit_amount, child),
            _ => pass.unread(child),
        }
    }
    breakdown
}

/// Reads `TaxCategory`, `ClassifiedTaxCategory`.
pub(in crate::ubl) fn category<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> TaxCategory<'d> {
    let mut category = TaxCategory::new(element);
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            Basic("ID") => pass.take(&mut category.code, child),
            Basic("Percent") => pass.take(&mut category.rate, child),
            Basic("TaxExemptionReason") => pass.take(&mut category.exemption_reason, child),
            Basic("TaxExemptionReasonCode") => {
                pass.take(&mut category.exemption_reason_code, child);
            }
            Basic("Name") => pass.take(&mut category.name, child),
            Basic("PerUnitAmount") => pass.take(&mut category.per_unit_amount, child),
            Aggregate("TaxScheme") => {
                pass.open(child);
                for part in child.elements() {
                    match name(part) {
                        Basic("ID") => pass.take(&mut category.scheme, part),
                        Basic("Name") => pass.take(&mut category.scheme_name, part),
                        Basic("TaxTypeCode") => pass.take(&mut category.scheme_type, part),
                        _ => pass.unread(part),
                    }
                }
            }
            _ => pass.unread(child),
        }
    }
    category
}

/// Reads `TaxExchangeRate` and its like.
pub(super) fn exchange_rate<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> ExchangeRate<'d> {
    let mut rate = ExchangeRate::new(element);
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            Basic("SourceCurrencyCode") => pass.take(&mut rate.source, child),
            Basic("TargetCurrencyCode") => pass.take(&mut rate.target, child),
            Basic("CalculationRate") => pass.take(&mut rate.rate, child),
            Basic("Date") => pass.take(&mut rate.date, child),
            Basic("SourceCurrencyBaseRate") => pass.take(&mut rate.source_base, child),
            Basic("TargetCurrencyBaseRate") => pass.take(&mut rate.target_base, child),
            Basic("MathematicOperatorCode") => pass.take(&mut rate.operator, child),
            _ => pass.unread(child),
        }
    }
    rate
}
