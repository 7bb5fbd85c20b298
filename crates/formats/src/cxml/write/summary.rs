//! Totals: BG-20 to BG-23, BT-6, BT-7, BT-110, BT-111.

use quoin_model::amount::Decimal;
use quoin_model::en16931::{Amount, Invoice, TaxCategory};

use super::money::{amount, detail, made_money, modification, money, signed};
use super::{made, moment};
use crate::reading::cents;
use crate::writing::{InvoiceOutput, LossKind};

/// Writes the inside of `InvoiceDetailSummary`.
pub(super) fn write<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>, is_credit: bool) {
    let Some(totals) = invoice.totals.first() else { return };
    amount(out, "SubtotalAmount", &totals.line_net, is_credit);
    out.group("Tax", |out| tax(out, invoice, is_credit));
    out.group("InvoiceHeaderModifications", |out| {
        for one in &invoice.allowance_charges {
            modification(out, one, ["BT-97", "BT-104"], is_credit);
        }
    });
    amount(out, "TotalCharges", &totals.charges, is_credit);
    amount(out, "TotalAllowances", &totals.allowances, is_credit);
    amount(out, "TotalAmountWithoutTax", &totals.without_vat, is_credit);
    amount(out, "NetAmount", &totals.with_vat, is_credit);
    amount(out, "DepositAmount", &totals.paid, is_credit);
    amount(out, "DueAmount", &totals.due, is_credit);
}

fn tax<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>, is_credit: bool) {
    let own = invoice.vat_total().chain(invoice.vat_total_without_currency()).next();
    match own.filter(|own| !own.is_blank()) {
        Some(total) => total_tax(out, invoice, total, is_credit),
        None => {
            let parts = invoice.vat_breakdown.iter().filter_map(|one| one.tax_amount.value());
            let sum = parts.into_iter().try_fold(Decimal::ZERO, Decimal::checked_add);
            let text = cents(sum.unwrap_or_default());
            let path = out.path_of("Money");
            let reason = "the definition asks for the tax: the sum of BT-117";
            out.ledger.invent(invoice.element, Some("BT-110"), &text, path, reason);
            made_money(out, &text);
        }
    }
    made(out, "Description", "VAT");
    let mut point = invoice.tax_point_date.filled();
    if let Some(day) = point {
        out.repeated(&invoice.tax_point_date, day);
    }
    for one in invoice.breakdown_in_document_currency() {
        let empty = TaxCategory::new(one.element);
        let category = one.category.first().unwrap_or(&empty);
        let day = moment(out, "TaxDetail/@taxPointDate", point.take());
        let reason = category.exemption_reason.filled();
        detail(out, category, reason, &day, "BT-118", |out| {
            amount(out, "TaxableAmount", &one.taxable_amount, is_credit);
            if !amount(out, "TaxAmount", &one.tax_amount, is_credit) {
                out.group("TaxAmount", |out| made_money(out, ""));
            }
        });
    }
}

/// BT-110, with BT-111 and BT-6 beside it.
fn total_tax<'d>(
    out: &mut InvoiceOutput<'d>,
    invoice: &Invoice<'d>,
    total: Amount<'d>,
    is_credit: bool,
) {
    let is_other = invoice.tax_currency.text() != invoice.currency.text();
    let other = invoice.vat_total_in_tax_currency().find(|one| is_other && !one.is_blank());
    if !is_other {
        // BT-6 that is BT-5 says nothing, and the total of it is the other one.
        let path = out.path_of("Money");
        for one in invoice.vat_total_in_tax_currency() {
            let reason = "it is the currency of the document (BT-5): one total says both";
            let path = Some(path.clone());
            out.ledger.list_as(Some("BT-111"), *one, LossKind::Merged, path, reason);
        }
    }
    let Some((other, currency)) = other.zip(invoice.tax_currency.filled()) else {
        return money(out, total, is_credit, &[]);
    };
    let text = signed(out, "Money/@alternateAmount", *other, is_credit);
    let code = currency.trimmed().into_owned();
    out.ledger.carry(*currency);
    if let Some(own) = other.currency() {
        out.ledger.carry(*own);
    }
    money(out, total, is_credit, &[("alternateAmount", &text), ("alternateCurrency", &code)]);
}
