//! Lines in UBL: BG-25 to BG-30.

use quoin_xml::tree::Element;

use super::UblName::{Aggregate, Basic};
use super::{allowance, delivery, item, name, references, totals};
use crate::reading::Pass;
use quoin_model::en16931::{Line, LineExtensions, OrderLineReference, Price, PriceExtension};

/// Reads `InvoiceLine` or `CreditNoteLine`, and the sub-lines of the XRechnung extension.
pub(super) fn read<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> Line<'d> {
    let mut line = Line::new(element);
    let is_credit = element.local().ends_with("CreditNoteLine");
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            Basic("ID") => pass.take(&mut line.id, child),
            Basic("Note") => pass.take(&mut line.note, child),
            Basic("InvoicedQuantity") if !is_credit => pass.take(&mut line.quantity, child),
            Basic("CreditedQuantity") if is_credit => pass.take(&mut line.quantity, child),
            Basic("LineExtensionAmount") => pass.take(&mut line.net_amount, child),
            Basic("AccountingCost") => pass.take(&mut line.accounting_reference, child),
            Aggregate("InvoicePeriod") => line.period.push(delivery::period(pass, child)),
            Aggregate("OrderLineReference") => line.order_lines.push(order_line(pass, child)),
            Aggregate("DocumentReference") => line.documents.push(references::read(pass, child)),
            Aggregate("AllowanceCharge") => {
                line.allowance_charges.push(allowance::read(pass, child));
            }
            Aggregate("Item") => {
                let item = item::read(pass, &mut line.tax_category, child);
                line.item.push(item);
            }
            Aggregate("Price") => line.price.push(price(pass, child)),
            _ => extension(pass, line.extensions.get_or_insert_default(), child),
        }
    }
    line
}

/// What only extensions have.
fn extension<'d>(pass: &mut Pass<'d>, more: &mut LineExtensions<'d>, child: Element<'d>) {
    match name(child) {
        Aggregate("SubInvoiceLine" | "SubCreditNoteLine") => {
            more.sub_lines.push(read(pass, child));
        }
        Aggregate("Delivery") => more.deliveries.push(delivery::read(pass, child)),
        Aggregate("TaxTotal") => more.taxes.push(totals::line_tax(pass, child)),
        Aggregate("ItemPriceExtension") => price_extension(pass, more, child),
        Aggregate("DespatchLineReference") => {
            more.despatch_lines.push(references::line_of(pass, child));
        }
        Aggregate("ReceiptLineReference") => {
            more.receipt_lines.push(references::line_of(pass, child));
        }
        Aggregate("BillingReference") => {
            let (invoices, others) = references::billing(pass, child);
            more.billing_references.extend(invoices);
            more.billing_references.extend(others);
        }
        Aggregate("OriginatorDocumentReference" | "ContractDocumentReference") => {
            more.billing_references.push(references::read(pass, child));
        }
        Basic("UUID") => pass.take(&mut more.uuid, child),
        Basic("AccountingCostCode") => pass.take(&mut more.accounting_code, child),
        Basic("FreeOfChargeIndicator") => pass.take(&mut more.free_of_charge, child),
        Basic("TaxPointDate") => pass.take(&mut more.tax_point_date, child),
        Basic("PaymentPurposeCode") => pass.take(&mut more.purpose, child),
        _ => pass.unread(child),
    }
}

fn price_extension<'d>(pass: &mut Pass<'d>, more: &mut LineExtensions<'d>, element: Element<'d>) {
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            Basic("Amount") => pass.take(&mut more.gross_amount, child),
            Aggregate("TaxTotal") => super::wrapped(pass, &mut more.gross_tax, child, "TaxAmount"),
            _ => pass.unread(child),
        }
    }
}

fn order_line<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> OrderLineReference<'d> {
    let mut reference = OrderLineReference::new(element);
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            Basic("LineID") => pass.take(&mut reference.line_id, child),
            Basic("SalesOrderLineID") => pass.take(&mut reference.sales_line_id, child),
            Aggregate("OrderReference") => {
                reference.order.push(references::line_order(pass, child));
            }
            _ => pass.unread(child),
        }
    }
    reference
}

pub(in crate::ubl) fn price<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> Price<'d> {
    let mut price = Price::new(element);
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            Basic("PriceAmount") => pass.take(&mut price.net, child),
            Basic("BaseQuantity") => pass.take(&mut price.base_quantity, child),
            Aggregate("AllowanceCharge") => discount(pass, &mut price, child),
            Basic("OrderableUnitFactorRate") => {
                pass.take(&mut price.extensions.get_or_insert_default().unit_factor, child);
            }
            Basic("PriceType") => {
                pass.take(&mut price.extensions.get_or_insert_default().price_type, child);
            }
            _ => pass.unread(child),
        }
    }
    price
}

/// `Price/AllowanceCharge`: BT-147 is its amount, BT-148 its base.
fn discount<'d>(pass: &mut Pass<'d>, price: &mut Price<'d>, element: Element<'d>) {
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            Basic("Amount") => pass.take(&mut price.discount, child),
            Basic("BaseAmount") => pass.take(&mut price.gross, child),
            Basic("ChargeIndicator") => pass.take(&mut price.discount_indicator, child),
            _ => discount_part(pass, price.extensions.get_or_insert_default(), child),
        }
    }
}

fn discount_part<'d>(pass: &mut Pass<'d>, more: &mut PriceExtension<'d>, child: Element<'d>) {
    match name(child) {
        Basic("AllowanceChargeReason") => pass.take(&mut more.reason, child),
        Basic("AllowanceChargeReasonCode") => pass.take(&mut more.reason_code, child),
        Basic("MultiplierFactorNumeric") => pass.take(&mut more.percentage, child),
        Aggregate("TaxCategory") => more.tax_category.push(totals::category(pass, child)),
        Aggregate("TaxTotal") => super::wrapped(pass, &mut more.tax, child, "TaxAmount"),
        _ => pass.unread(child),
    }
}
