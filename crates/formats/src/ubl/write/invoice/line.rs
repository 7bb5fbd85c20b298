//! Lines in UBL: BG-25 to BG-29, and lines within lines.

use quoin_model::amount::Decimal;
use quoin_model::en16931::{
    DocumentReference, Line, LineExtensions, LineTax, OrderLineReference, Price, VatBreakdown,
};

use super::{amount, item, made_amount, one_amount, period, quantity, references, totals};
use crate::writing::line_levels::LineNode;
use crate::writing::{InvoiceOutput, LossKind, tell_gross_base};

/// Writes a line with the lines in it.
pub(super) fn write_node<'d>(
    out: &mut InvoiceOutput<'d>,
    node: &LineNode<'_, 'd>,
    is_credit: bool,
    is_top: bool,
) {
    let name = match (is_credit, is_top) {
        (true, true) => "cac:CreditNoteLine",
        (false, true) => "cac:InvoiceLine",
        (true, false) => "cac:SubCreditNoteLine",
        (false, false) => "cac:SubInvoiceLine",
    };
    out.group(name, |out| {
        write(out, node.line, is_credit);
        for inner in &node.inside {
            write_node(out, inner, is_credit, false);
        }
        if let Some(more) = node.line.extensions.as_deref() {
            price_extension(out, more);
            told_by_place(out, node, more);
        }
    });
}

/// What Factur-X says of the level of a line is told by where it stands.
fn told_by_place<'d>(
    out: &mut InvoiceOutput<'d>,
    node: &LineNode<'_, 'd>,
    more: &LineExtensions<'d>,
) {
    if let Some(parent) = more.parent.filled() {
        out.ledger.derive(*parent);
    }
    if let Some(reason) = more.status_reason.filled().filter(|_| node.is_told) {
        out.ledger.derive(*reason);
    }
}

/// The amount with tax.
fn price_extension<'d>(out: &mut InvoiceOutput<'d>, more: &LineExtensions<'d>) {
    if !more.gross_amount.is_filled() {
        return;
    }
    out.group("cac:ItemPriceExtension", |out| {
        amount(out, "cbc:Amount", &more.gross_amount);
        if more.gross_tax.is_filled() {
            out.group("cac:TaxTotal", |out| amount(out, "cbc:TaxAmount", &more.gross_tax));
        }
    });
}

/// Writes the inside of `InvoiceLine` or `CreditNoteLine`.
fn write<'d>(out: &mut InvoiceOutput<'d>, line: &Line<'d>, is_credit: bool) {
    out.first("cbc:ID", &line.id);
    note(out, line);
    if let Some(value) = line.quantity.filled() {
        let name = if is_credit { "cbc:CreditedQuantity" } else { "cbc:InvoicedQuantity" };
        quantity(out, name, value);
    }
    amount(out, "cbc:LineExtensionAmount", &line.net_amount);
    out.first("cbc:AccountingCost", &line.accounting_reference);
    if let Some(one) = line.period.first() {
        period(out, one);
    }
    for one in &line.order_lines {
        order_line(out, one);
    }
    let more = line.extensions.as_deref();
    if let Some(more) = more {
        document_lines(out, "cac:DespatchLineReference", &more.despatch_lines);
        document_lines(out, "cac:ReceiptLineReference", &more.receipt_lines);
        billing(out, more);
    }
    for object in line.invoiced_objects() {
        out.group("cac:DocumentReference", |out| references::typed(out, object, "130"));
    }
    for one in more.into_iter().flat_map(|more| &more.deliveries) {
        out.group("cac:Delivery", |out| super::delivery(out, one));
    }
    let taxes = more.map_or(&[][..], |more| &more.taxes);
    if is_credit {
        line_taxes(out, taxes);
    }
    for one in &line.allowance_charges {
        totals::allowance_charge(out, one);
    }
    if !is_credit {
        line_taxes(out, taxes);
    }
    if let Some(one) = line.item.first() {
        out.group("cac:Item", |out| item::write(out, one, line));
    }
    if let Some(one) = line.price.first() {
        out.group("cac:Price", |out| price(out, one));
    }
}

/// BT-127, which is one text (UBL-SR-34).
fn note<'d>(out: &mut InvoiceOutput<'d>, line: &Line<'d>) {
    const NAME: &str = "cbc:Note";
    let all: Vec<_> = line.note.iter().filter(|note| !note.is_blank()).collect();
    let [_, _, ..] = all.as_slice() else {
        return out.each(NAME, &line.note);
    };
    let texts: Vec<_> = all.iter().map(|note| note.trimmed()).collect();
    for note in all {
        out.told_otherwise(
            NAME,
            **note,
            LossKind::Merged,
            "the note of a line (BT-127) is one text",
        );
    }
    out.constant(NAME, &texts.join("\n"), &[]);
}

/// Lines of other documents, which the schema asks for their number.
fn document_lines<'d>(
    out: &mut InvoiceOutput<'d>,
    name: &'static str,
    lines: &[DocumentReference<'d>],
) {
    for one in lines.iter().filter(|one| one.line_id.is_filled()) {
        out.group(name, |out| {
            out.first("cbc:LineID", &one.line_id);
            references::plain(out, "cac:DocumentReference", one);
        });
    }
}

/// The preceding invoice of the line, and the line in it.
fn billing<'d>(out: &mut InvoiceOutput<'d>, more: &LineExtensions<'d>) {
    let is_invoice =
        |one: &&DocumentReference<'d>| one.element.local() == "InvoiceReferencedDocument";
    for one in more.billing_references.iter().filter(is_invoice) {
        out.group("cac:BillingReference", |out| {
            references::plain(out, "cac:InvoiceDocumentReference", one);
            super::wrapped(out, "cac:BillingReferenceLine", "cbc:ID", &one.line_id);
        });
    }
}

/// The tax of the line, which the schema asks for where anything is said of it.
fn line_taxes<'d>(out: &mut InvoiceOutput<'d>, taxes: &[LineTax<'d>]) {
    // The rules ask for both amounts of a part (BR-45, BR-CO-17).
    let is_whole =
        |one: &&VatBreakdown<'d>| one.tax_amount.is_filled() && one.taxable_amount.is_filled();
    for tax in taxes {
        let of_parts = tax.breakdown.iter().find_map(|one| one.tax_amount.filled());
        let Some(sum) = tax.amount.filled().or(of_parts) else { continue };
        out.group("cac:TaxTotal", |out| {
            one_amount(out, "cbc:TaxAmount", sum);
            for one in tax.breakdown.iter().filter(is_whole) {
                out.group("cac:TaxSubtotal", |out| totals::breakdown(out, one));
            }
        });
    }
}

/// BT-132; the order only beside a line of it, which the schema asks for.
fn order_line<'d>(out: &mut InvoiceOutput<'d>, one: &OrderLineReference<'d>) {
    out.group("cac:OrderLineReference", |out| {
        if !out.first("cbc:LineID", &one.line_id) {
            return;
        }
        out.first("cbc:SalesOrderLineID", &one.sales_line_id);
        if let Some(order) = one.order.first() {
            out.group("cac:OrderReference", |out| {
                if out.first("cbc:ID", &order.id) {
                    super::date(out, "cbc:IssueDate", &order.issue_date);
                }
            });
        }
    });
}

/// BG-29. The base quantity of the net price is the one of both.
pub(in crate::ubl) fn price<'d>(out: &mut InvoiceOutput<'d>, price: &Price<'d>) {
    amount(out, "cbc:PriceAmount", &price.net);
    if let Some(base) = price.base_quantity.filled() {
        quantity(out, "cbc:BaseQuantity", base);
        tell_gross_base(&mut out.ledger, price, base);
    }
    if let Some(more) = &price.extensions {
        out.first("cbc:OrderableUnitFactorRate", &more.unit_factor);
    }
    discount(out, price);
}

/// BT-147, BT-148: UBL has the gross price as the base of a discount only. What is no discount but
/// a charge has no place in EN 16931.
fn discount<'d>(out: &mut InvoiceOutput<'d>, price: &Price<'d>) {
    if price.discount_indicator.value() == Some(true) || price.discount.is_repeated() {
        return;
    }
    let difference = || price.gross.value()?.checked_sub(price.net.value()?);
    let made = match price.discount.filled() {
        Some(_) => None,
        None => match difference().filter(|one| !one.is_negative()) {
            Some(difference) => Some(difference),
            None => return,
        },
    };
    out.group("cac:AllowanceCharge", |out| {
        if !out.first("cbc:ChargeIndicator", &price.discount_indicator) {
            out.constant("cbc:ChargeIndicator", "false", &[]);
        }
        if let Some(more) = &price.extensions {
            out.first("cbc:AllowanceChargeReasonCode", &more.reason_code);
            out.first("cbc:AllowanceChargeReason", &more.reason);
            out.first("cbc:MultiplierFactorNumeric", &more.percentage);
        }
        match made {
            None => amount(out, "cbc:Amount", &price.discount),
            Some(difference) => derived_discount(out, price, difference),
        }
        amount(out, "cbc:BaseAmount", &price.gross);
        if let Some(more) = &price.extensions {
            totals::taxed(out, more.tax_category.first(), &more.tax);
        }
    });
}

fn derived_discount<'d>(out: &mut InvoiceOutput<'d>, price: &Price<'d>, difference: Decimal) {
    let text = difference.to_string();
    let path = out.path_of("cbc:Amount");
    let reason = "the gross price stands beside a discount only: gross price less net price";
    out.ledger.invent(price.element, Some("BT-147"), &text, path, reason);
    made_amount(out, "cbc:Amount", &text);
}
