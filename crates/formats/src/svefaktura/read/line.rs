//! Lines (BG-25 to BG-31).

use quoin_model::en16931::{
    DeliveryInformation, DocumentReference, Field, Identifier, ItemInformation, Line,
    OrderLineReference, Price,
};
use quoin_xml::tree::Element;

use super::super::codes::GTIN;
use super::{document, name, of_agency, take, tax, wrapped};
use crate::reading::Pass;

/// Reads `InvoiceLine`.
pub(super) fn read<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> Line<'d> {
    let mut line = Line::new(element);
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            "ID" => take(pass, &mut line.id, child),
            "InvoicedQuantity" => take(pass, &mut line.quantity, child),
            "LineExtensionAmount" => take(pass, &mut line.net_amount, child),
            "Note" => take(pass, &mut line.note, child),
            "OrderLineReference" => line.order_lines.push(order(pass, child)),
            "DespatchLineReference" => {
                let reference = despatch(pass, child);
                line.extensions.get_or_insert_default().despatch_lines.push(reference);
            }
            "Delivery" => {
                let mut delivery = DeliveryInformation::new(child);
                pass.open(child);
                for inner in child.elements() {
                    match name(inner) {
                        "ActualDeliveryDateTime" => document::moment(pass, &mut delivery, inner),
                        _ => pass.unread(inner),
                    }
                }
                line.extensions.get_or_insert_default().deliveries.push(delivery);
            }
            "AllowanceCharge" => line.allowance_charges.push(tax::allowance_charge(pass, child)),
            "Item" => item(pass, &mut line, child),
            _ => pass.unread(child),
        }
    }
    line
}

/// BT-132, and the order that BT-13 is made of.
fn order<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> OrderLineReference<'d> {
    let mut own = OrderLineReference::new(element);
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            "BuyersLineID" => take(pass, &mut own.line_id, child),
            "OrderReference" => {
                let mut order = DocumentReference::new(child);
                wrapped(pass, &mut order.id, child, &["BuyersID"]);
                own.order.push(order);
            }
            _ => pass.unread(child),
        }
    }
    own
}

fn despatch<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> DocumentReference<'d> {
    let mut reference = DocumentReference::new(element);
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            "LineID" => take(pass, &mut reference.line_id, child),
            "DocumentReference" => wrapped(pass, &mut reference.id, child, &["ID"]),
            _ => pass.unread(child),
        }
    }
    reference
}

/// BG-31, BG-29 and BG-30, which all stand in the item.
fn item<'d>(pass: &mut Pass<'d>, line: &mut Line<'d>, element: Element<'d>) {
    let mut item = ItemInformation::new(element);
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            "Description" => take(pass, &mut item.name, child),
            "BuyersItemIdentification" => wrapped(pass, &mut item.buyer_id, child, &["ID"]),
            "SellersItemIdentification" => wrapped(pass, &mut item.seller_id, child, &["ID"]),
            "StandardItemIdentification" => {
                let mut ids: Field<Identifier<'d>> = Field::default();
                wrapped(pass, &mut ids, child, &["ID"]);
                item.standard_id.extend(ids.iter().map(|id| of_agency(*id, GTIN)));
            }
            "TaxCategory" => line.tax_category.push(tax::category(pass, child)),
            "BasePrice" => line.price.push(price(pass, child)),
            _ => pass.unread(child),
        }
    }
    line.item.push(item);
}

fn price<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> Price<'d> {
    let mut price = Price::new(element);
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            "PriceAmount" => take(pass, &mut price.net, child),
            "BaseQuantity" => take(pass, &mut price.base_quantity, child),
            _ => pass.unread(child),
        }
    }
    price
}
