//! Orders and their lines: BT-12 to BT-14, BG-25 to BG-30.

use quoin_model::en16931::{
    DocumentReference, Field, Invoice, Line, OrderLineReference, Price, ValueSource,
};
use quoin_xml::tree::Element;

use super::header::{period, reference};
use super::{CxmlWalk, adjustment, child, item, open, summary, take, take_at, tax, value};

/// Reads `InvoiceDetailOrder`: lines of one order.
pub(super) fn read<'d>(walk: &mut CxmlWalk<'d>, invoice: &mut Invoice<'d>, element: Element<'d>) {
    open(&mut walk.pass, element, &[]);
    let first = invoice.lines.len();
    let mut own = None;
    for child in element.elements() {
        match child.local() {
            "InvoiceDetailOrderInfo" => own = Some(info(walk, invoice, child)).flatten(),
            "InvoiceDetailItem" | "InvoiceDetailServiceItem" => {
                let line = line(walk, child);
                invoice.lines.push(line);
            }
            _ => walk.pass.unread(child),
        }
    }
    let Some(order) = own else { return };
    let lines = invoice.lines.get_mut(first..).unwrap_or_default();
    let references = lines.iter_mut().flat_map(|line| line.order_lines.all_mut());
    references.for_each(|one| one.order.push(order.clone()));
    one_order(&mut invoice.references.purchase_order, order);
}

/// BT-13 is one order: with several the lines name theirs.
fn one_order<'d>(field: &mut Field<DocumentReference<'d>>, order: DocumentReference<'d>) {
    let text = |one: Option<&DocumentReference<'d>>| one.and_then(|one| one.id.text());
    if text(field.first()) != text(Some(&order)) {
        field.push(order);
    }
}

/// Reads `InvoiceDetailOrderInfo`; the order of the buyer, if it names one.
fn info<'d>(
    walk: &mut CxmlWalk<'d>,
    invoice: &mut Invoice<'d>,
    element: Element<'d>,
) -> Option<DocumentReference<'d>> {
    let mut own = None;
    open(&mut walk.pass, element, &[]);
    for child in element.elements() {
        match child.local() {
            "OrderReference" => own = Some(nested(walk, child, ["orderID", "orderDate"])),
            "OrderIDInfo" => own = Some(reference(walk, child, ["orderID", "orderDate"])),
            "MasterAgreementReference" => {
                let contract = nested(walk, child, ["agreementID", "agreementDate"]);
                invoice.references.contract.push(contract);
            }
            "MasterAgreementIDInfo" => {
                let contract = reference(walk, child, ["agreementID", "agreementDate"]);
                invoice.references.contract.push(contract);
            }
            "SupplierOrderInfo" => {
                let sales = reference(walk, child, ["orderID", "orderDate"]);
                invoice.references.sales_order.push(sales);
            }
            _ => walk.pass.unread(child),
        }
    }
    own
}

/// A reference that names the message of the other document, too. Without a number of its own the
/// name of the message is the number.
fn nested<'d>(
    walk: &mut CxmlWalk<'d>,
    element: Element<'d>,
    [id, day]: [&str; 2],
) -> DocumentReference<'d> {
    let mut own = DocumentReference::new(element);
    open(&mut walk.pass, element, &[id, day]);
    take_at(&mut own.id, element, id);
    own.issue_date.extend(super::header::day_at(element, day));
    for child in element.elements() {
        if child.local() != "DocumentReference" {
            walk.pass.unread(child);
            continue;
        }
        open(&mut walk.pass, child, &["payloadID"]);
        child.elements().for_each(|inner| walk.pass.unread(inner));
        match own.id.is_absent() {
            true => take_at(&mut own.id, child, "payloadID"),
            false => take_at(&mut own.uuid, child, "payloadID"),
        }
    }
    own
}

/// Reads `InvoiceDetailItem` or `InvoiceDetailServiceItem`.
fn line<'d>(walk: &mut CxmlWalk<'d>, element: Element<'d>) -> Line<'d> {
    let mut line = Line::new(element);
    let known = ["invoiceLineNumber", "quantity", "parentInvoiceLineNumber"];
    open(&mut walk.pass, element, &known);
    take_at(&mut line.id, element, "invoiceLineNumber");
    if ValueSource::attribute_called(element, "", "parentInvoiceLineNumber").is_some() {
        let extensions = line.extensions.get_or_insert_default();
        take_at(&mut extensions.parent, element, "parentInvoiceLineNumber");
    }
    let unit = child(element, "UnitOfMeasure").map(ValueSource::of);
    line.quantity.extend(walk.quantity(element, unit, true));
    let mut totals = summary::LineTotals::default();
    for child in element.elements() {
        match child.local() {
            "UnitOfMeasure" => {
                // The unit of the quantity, which is one value with it.
                let _: quoin_model::en16931::Text<'d> = value(&mut walk.pass, child, &[]);
            }
            "UnitPrice" => price(walk, &mut line, child),
            "PriceBasisQuantity" => basis(walk, &mut line, child),
            "InvoiceDetailItemReference" | "InvoiceDetailServiceItemReference" => {
                let mut order_line = OrderLineReference::new(child);
                line.item.push(item::read(walk, &mut order_line, child));
                line.order_lines.push(order_line);
            }
            "Period" => line.period.push(period(walk, child)),
            "Tax" => tax::of_line(walk, &mut line, child),
            "InvoiceItemModifications" => {
                adjustment::several(walk, &mut line.allowance_charges, child);
            }
            "InvoiceDetailDiscount" => {
                adjustment::discount(walk, &mut line.allowance_charges, child);
            }
            "InvoiceDetailLineShipping" | "InvoiceDetailLineSpecialHandling" => {
                adjustment::service(walk, &mut line.allowance_charges, child);
            }
            "Distribution" => distribution(walk, &mut line, child),
            "Comments" if !child.elements().any(|_| true) => {
                take(&mut walk.pass, &mut line.note, child);
            }
            "Extrinsic" => item::attribute(walk, &mut line, child),
            _ if totals.knows(child) => {}
            _ => walk.pass.unread(child),
        }
    }
    totals.settle(walk, &mut line);
    line
}

/// BT-146; BT-147 and BT-148 where the price was changed.
fn price<'d>(walk: &mut CxmlWalk<'d>, line: &mut Line<'d>, element: Element<'d>) {
    // Prices have no sign.
    let is_negated = std::mem::take(&mut walk.is_negated);
    let mut own = Price::new(element);
    open(&mut walk.pass, element, &[]);
    for child in element.elements() {
        match child.local() {
            "Money" => own.net.push(walk.money(child)),
            "Modifications" => adjustment::of_price(walk, &mut own, child),
            _ => walk.pass.unread(child),
        }
    }
    walk.is_negated = is_negated;
    line.price.push(own);
}

/// BT-149, BT-150. A factor of 1 says nothing.
fn basis<'d>(walk: &mut CxmlWalk<'d>, line: &mut Line<'d>, element: Element<'d>) {
    let is_one = element.attribute("conversionFactor") == Some("1");
    let known: &[&str] = if is_one { &["quantity", "conversionFactor"] } else { &["quantity"] };
    open(&mut walk.pass, element, known);
    let unit = child(element, "UnitOfMeasure").map(ValueSource::of);
    let quantity = walk.quantity(element, unit, false);
    for child in element.elements() {
        match child.local() {
            "UnitOfMeasure" => {
                let _: quoin_model::en16931::Text<'d> = value(&mut walk.pass, child, &[]);
            }
            _ => walk.pass.unread(child),
        }
    }
    let price = line.price.all_mut().first_mut();
    if let (Some(price), Some(quantity)) = (price, quantity) {
        price.base_quantity.push(quantity);
    } else if let Some(quantity) = quantity {
        let mut price = Price::new(element);
        price.base_quantity.push(quantity);
        line.price.push(price);
    }
}

/// BT-133: the segments of the account that the buyer books the line to.
fn distribution<'d>(walk: &mut CxmlWalk<'d>, line: &mut Line<'d>, element: Element<'d>) {
    open(&mut walk.pass, element, &[]);
    for accounting in element.elements() {
        if accounting.local() != "Accounting" {
            walk.pass.unread(accounting);
            continue;
        }
        open(&mut walk.pass, accounting, &[]);
        for segment in accounting.elements() {
            let is_segment = matches!(segment.local(), "AccountingSegment" | "Segment");
            if !is_segment {
                walk.pass.unread(segment);
                continue;
            }
            open(&mut walk.pass, segment, &["id"]);
            take_at(&mut line.accounting_reference, segment, "id");
            segment.elements().for_each(|inner| walk.pass.unread(inner));
        }
    }
}
