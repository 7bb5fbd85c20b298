//! Lines (BG-25 to BG-32).

use quoin_model::en16931::{
    AttributeName, Classification, Derivation, Identifier, ItemAttribute, ItemInformation,
    ItemInstance, Line, LineTax, OrderLineReference, Price, Quantity, TaxCategory, Text,
    ValueSource,
};
use quoin_xml::tree::Element;

use super::super::codes::UNITS;
use super::{adjustment, delivery, document, name, party, tax, with_attribute};
use crate::reading::{Pass, lookup, mapped};

/// Reads `ListLineItem`, which is the line with this number in the document.
pub(super) fn read<'d>(pass: &mut Pass<'d>, number: usize, element: Element<'d>) -> Line<'d> {
    let mut line = Line::new(element);
    let (mut item, mut price) = (ItemInformation::new(element), Price::new(element));
    let mut category = TaxCategory::new(element);
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            "PositionNumber" => pass.take(&mut line.id, child),
            "Description" if item.name.is_absent() => pass.take(&mut item.name, child),
            "Description" if item.description.is_absent() => {
                pass.take(&mut item.description, child);
            }
            "Description" => pass.take(&mut line.note, child),
            "ArticleNumber" => article(pass, &mut item, child),
            "Quantity" => line.quantity.push(quantity(pass, child)),
            "UnitPrice" => {
                let (net, base) = with_attribute(pass, child, "BaseQuantity");
                price.net.push(net);
                price.base_quantity.extend(base.map(Quantity::from));
            }
            "ReductionAndSurchargeListLineItemDetails" => {
                adjustment::read(pass, &mut line.allowance_charges, child);
            }
            "Delivery" => {
                let own = delivery::read(pass, &mut line.period, child);
                line.extensions.get_or_insert_default().deliveries.push(own);
            }
            "BillersOrderReference" | "InvoiceRecipientsOrderReference" => {
                line.order_lines.push(order(pass, child));
            }
            "Classification" => classification(pass, &mut item, child),
            "AdditionalInformation" => information(pass, &mut item, child),
            "DiscountFlag" => {
                pass.take(&mut line.extensions.get_or_insert_default().discountable, child);
            }
            "TaxItem" => tax_item(pass, &mut line, child),
            "LineItemAmount" => pass.take(&mut line.net_amount, child),
            _ if tax::rate(pass, &mut category, child) => {}
            _ => pass.unread(child),
        }
    }
    if category.rate.is_present() || category.code.is_present() {
        line.tax_category.push(category);
    }
    if line.id.is_absent() {
        let place = ValueSource::of(element).saying(Derivation::Implied, number.to_string());
        line.id.push(place.into());
    }
    if price.net.is_present() {
        line.price.push(price);
    }
    line.item.push(item);
    line
}

/// BT-129 and BT-130.
fn quantity<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> Quantity<'d> {
    let (quantity, unit): (Quantity<'d>, _) = with_attribute(pass, element, "Unit");
    let unit = unit.map(|unit| match lookup(UNITS, &unit.trimmed()) {
        Some(code) => unit.saying(Derivation::Mapped, code),
        None => unit,
    });
    let unit = unit.map(|unit| (AttributeName::UnitCode, unit));
    quantity.with(unit.as_slice()).into()
}

/// Reads `ArticleNumber`: its kind decides which term it is.
fn article<'d>(pass: &mut Pass<'d>, item: &mut ItemInformation<'d>, element: Element<'d>) {
    let (id, kind): (Identifier<'d>, _) = with_attribute(pass, element, "ArticleNumberType");
    let text = kind.map(|kind| kind.trimmed().into_owned()).unwrap_or_default();
    match text.as_str() {
        "BillersArticleNumber" => item.seller_id.push(id),
        "InvoiceRecipientsArticleNumber" => item.buyer_id.push(id),
        "GTIN" => {
            let gtin = kind.map(|kind| mapped::<Identifier<'d>>(kind, &[("GTIN", "0160")]));
            let scheme = gtin.map(|gtin| (AttributeName::SchemeId, *gtin));
            item.standard_id.push(id.with(scheme.as_slice()).into());
        }
        _ => {
            let scheme = kind.map(|kind| (AttributeName::SchemeId, kind));
            let id = Identifier::from(id.with(scheme.as_slice()));
            item.extensions.get_or_insert_default().other_ids.push(id);
        }
    }
}

/// BT-132 of the buyer's order; of the seller's an extension.
fn order<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> OrderLineReference<'d> {
    let mut own = OrderLineReference::new(element);
    let mut order = quoin_model::en16931::DocumentReference::new(element);
    let of_seller = name(element) == "BillersOrderReference";
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            "OrderPositionNumber" if of_seller => pass.take(&mut own.sales_line_id, child),
            "OrderPositionNumber" => pass.take(&mut own.line_id, child),
            _ => party::order_term(pass, &mut order, child),
        }
    }
    if order.id.is_present() || order.issue_date.is_present() || order.description.is_present() {
        own.order.push(order);
    }
    own
}

/// BT-158.
fn classification<'d>(pass: &mut Pass<'d>, item: &mut ItemInformation<'d>, element: Element<'d>) {
    let mut own = Classification::new(element);
    let (code, list): (quoin_model::en16931::Code<'d>, _) =
        with_attribute(pass, element, "ClassificationSchema");
    let list = list.map(|list| (AttributeName::ListId, list));
    own.code.push(code.with(list.as_slice()).into());
    item.classifications.push(own);
}

/// BG-32: a text with a key (5.0), or a group of facts whose names are those of elements (4.x).
fn information<'d>(pass: &mut Pass<'d>, item: &mut ItemInformation<'d>, element: Element<'d>) {
    if !element.elements().any(|_| true) {
        item.attributes.push(document::fact(pass, element));
        return;
    }
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            "Classification" => classification(pass, item, child),
            "SerialNumber" => {
                let mut instance = ItemInstance::new(child);
                pass.take(&mut instance.serial, child);
                item.extensions.get_or_insert_default().instances.push(instance);
            }
            "ChargeNumber" => {
                let mut instance = ItemInstance::new(child);
                pass.take(&mut instance.lot, child);
                item.extensions.get_or_insert_default().instances.push(instance);
            }
            "Weight" | "AlternativeQuantity" => {
                let mut own = named(child);
                own.quantity.push(quantity(pass, child));
                item.attributes.push(own);
            }
            "Boxes" | "Color" | "Size" => {
                let mut own = named(child);
                pass.take(&mut own.value, child);
                item.attributes.push(own);
            }
            _ => pass.unread(child),
        }
    }
}

/// An attribute whose name (BT-160) is that of the element.
fn named<'d>(element: Element<'d>) -> ItemAttribute<'d> {
    let mut own = ItemAttribute::new(element);
    let text = ValueSource::of(element);
    own.name.push(Text::from(text.saying(Derivation::Implied, element.local().to_owned())));
    own
}

/// BG-30, and how much tax it is.
fn tax_item<'d>(pass: &mut Pass<'d>, line: &mut Line<'d>, element: Element<'d>) {
    let item = tax::item(pass, element);
    line.tax_category.extend(item.category.iter().cloned());
    let mut total = LineTax::new(element);
    total.amount.extend(item.tax_amount.iter().copied());
    total.breakdown.push(item);
    line.extensions.get_or_insert_default().taxes.push(total);
}
