//! Allowances, charges, VAT and totals in UBL: BG-20 to BG-23, BG-27, BG-28, BG-30.

use quoin_model::amount::Decimal;
use quoin_model::en16931::{
    AllowanceCharge, Amount, Field, Invoice, LogisticsCharge, TaxCategory, Totals, VatBreakdown,
};

use super::{amount, made_amount, one_amount};
use crate::writing::{InvoiceOutput, LossKind};

/// BG-20, BG-21, BG-27, BG-28.
pub(in crate::ubl) fn allowance_charge<'d>(out: &mut InvoiceOutput<'d>, one: &AllowanceCharge<'d>) {
    out.group("cac:AllowanceCharge", |out| {
        out.first("cbc:ID", &one.id);
        out.first("cbc:ChargeIndicator", &one.indicator);
        out.first("cbc:AllowanceChargeReasonCode", &one.reason_code);
        out.first("cbc:AllowanceChargeReason", &one.reason);
        out.first("cbc:MultiplierFactorNumeric", &one.percentage);
        out.first("cbc:SequenceNumeric", &one.sequence);
        amount(out, "cbc:Amount", &one.amount);
        amount(out, "cbc:BaseAmount", &one.base_amount);
        taxed(out, one.tax_category.first(), &one.tax);
    });
}

/// The category of an allowance or a discount, and the tax on it.
pub(super) fn taxed<'d>(
    out: &mut InvoiceOutput<'d>,
    tax: Option<&TaxCategory<'d>>,
    sum: &Field<Amount<'d>>,
) {
    if let Some(tax) = tax {
        category(out, "cac:TaxCategory", tax);
    }
    out.group("cac:TaxTotal", |out| amount(out, "cbc:TaxAmount", sum));
}

/// A charge for logistics of Factur-X is a charge of the document, which its totals count.
pub(super) fn logistics<'d>(out: &mut InvoiceOutput<'d>, charge: &LogisticsCharge<'d>) {
    let Some(value) = charge.amount.filled() else { return };
    out.group("cac:AllowanceCharge", |out| {
        let tax = charge.tax_category.first();
        let terms = [
            ("BT-99", "cbc:Amount", Some(*value)),
            ("BT-104", "cbc:AllowanceChargeReason", charge.description.filled().map(|one| *one)),
            ("BT-102", "cac:TaxCategory", tax.and_then(|tax| tax.code.filled()).map(|one| *one)),
            ("BT-103", "cac:TaxCategory", tax.and_then(|tax| tax.rate.filled()).map(|one| *one)),
        ];
        for (term, name, source) in terms {
            let path = Some(out.path_of(name));
            let reason = "a charge for logistics is a charge of the document (BG-21)";
            if let Some(source) = source {
                out.ledger.list_as(Some(term), source, LossKind::Changed, path, reason);
            }
        }
        out.constant("cbc:ChargeIndicator", "true", &[]);
        out.first("cbc:AllowanceChargeReason", &charge.description);
        one_amount(out, "cbc:Amount", value);
        if let Some(tax) = tax {
            category(out, "cac:TaxCategory", tax);
        }
    });
}

/// `TaxCategory`, `ClassifiedTaxCategory`.
pub(in crate::ubl) fn category<'d>(
    out: &mut InvoiceOutput<'d>,
    name: &'static str,
    category: &TaxCategory<'d>,
) {
    out.group(name, |out| {
        out.first("cbc:ID", &category.code);
        out.first("cbc:Percent", &category.rate);
        out.first("cbc:TaxExemptionReasonCode", &category.exemption_reason_code);
        out.first("cbc:TaxExemptionReason", &category.exemption_reason);
        out.group("cac:TaxScheme", |out| {
            if !out.first("cbc:ID", &category.scheme) {
                out.constant("cbc:ID", "VAT", &[]);
            }
        });
    });
}

/// BT-110 with BG-23, and BT-111: two totals, told by their currency and never by their order.
pub(super) fn tax<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    out.group("cac:TaxTotal", |out| {
        let own = invoice.vat_total().next();
        match own.or_else(|| invoice.vat_total_without_currency().next()) {
            Some(total) if !total.is_blank() => one_amount(out, "cbc:TaxAmount", total),
            _ => derived_total(out, invoice),
        }
        for one in &invoice.vat_breakdown {
            out.group("cac:TaxSubtotal", |out| breakdown(out, one));
        }
    });
    if let Some(total) = invoice
        .vat_total_in_tax_currency()
        .next()
        .filter(|_| invoice.tax_currency.text() != invoice.currency.text())
    {
        out.group("cac:TaxTotal", |out| one_amount(out, "cbc:TaxAmount", total));
    }
}

/// UBL has BG-23 within a total only.
fn derived_total<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    if invoice.vat_breakdown.is_empty() {
        return;
    }
    let mut parts = invoice.vat_breakdown.iter().filter_map(|one| one.tax_amount.value());
    let sum = parts.try_fold(Decimal::ZERO, Decimal::checked_add).unwrap_or_default();
    let text = format!("{sum:.2}");
    let path = out.path_of("cbc:TaxAmount");
    let reason = "the breakdown (BG-23) stands in a total: the sum of BT-117";
    if let Some(first) = invoice.vat_breakdown.first() {
        out.ledger.invent(first.element, Some("BT-110"), &text, path, reason);
    }
    made_amount(out, "cbc:TaxAmount", &text);
}

/// BG-23, and the tax of a line.
pub(super) fn breakdown<'d>(out: &mut InvoiceOutput<'d>, one: &VatBreakdown<'d>) {
    amount(out, "cbc:TaxableAmount", &one.taxable_amount);
    amount(out, "cbc:TaxAmount", &one.tax_amount);
    if let Some(tax) = one.category.first() {
        category(out, "cac:TaxCategory", tax);
    }
}

/// BG-22.
pub(super) fn write<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    let empty = Totals::new(invoice.element);
    let totals = invoice.totals.first().unwrap_or(&empty);
    amount(out, "cbc:LineExtensionAmount", &totals.line_net);
    amount(out, "cbc:TaxExclusiveAmount", &totals.without_vat);
    amount(out, "cbc:TaxInclusiveAmount", &totals.with_vat);
    amount(out, "cbc:AllowanceTotalAmount", &totals.allowances);
    amount(out, "cbc:ChargeTotalAmount", &totals.charges);
    amount(out, "cbc:PrepaidAmount", &totals.paid);
    amount(out, "cbc:PayableRoundingAmount", &totals.rounding);
    amount(out, "cbc:PayableAmount", &totals.due);
}
