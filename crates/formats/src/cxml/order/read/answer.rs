//! `ConfirmationRequest`: what the seller answers, as a whole and line by line.

use quoin_model::amount::Decimal;
use quoin_model::en16931::{Date, DocumentReference, ItemInformation, ValueSource};
use quoin_model::order::{
    Order, OrderDelivery, OrderPeriod, OrderedLine, PartialDelivery, SubstitutedItem,
};
use quoin_xml::tree::Element;

use super::super::codes::{ANSWERS, BACKORDERED, LINE_STATES};
use super::line::{item_detail, numbers, price, quantity_at, unit_read};
use super::{comments, fact, header, moment, party, told};
use crate::cxml::read::{CxmlWalk, adjustment, child, open, take_at, value};
use crate::reading::{DocumentLeaf, day_of, mapped};

/// Reads `ConfirmationHeader`.
pub(super) fn header<'d>(walk: &mut CxmlWalk<'d>, order: &mut Order<'d>, element: Element<'d>) {
    let is_new = element.attribute("operation") == Some("new");
    let known: &[&str] = match is_new {
        true => &["confirmID", "noticeDate", "type", "operation"],
        false => &["confirmID", "noticeDate", "type"],
    };
    open(&mut walk.pass, element, known);
    if is_new {
        told(walk, element, "operation");
    }
    take_at(&mut order.number, element, "confirmID");
    let Order { issue_date, issue_time, .. } = order;
    moment(issue_date, issue_time, element, "noticeDate");
    if let Some(own) = ValueSource::attribute_called(element, "", "type") {
        order.response.push(mapped(own, ANSWERS));
    }
    for one in element.elements() {
        match one.local() {
            "Total" => {
                let mut totals = quoin_model::en16931::Totals::new(one);
                walk.amount(&mut totals.line_net, one);
                order.totals.push(totals);
            }
            "Shipping" => adjustment::service(walk, &mut order.allowance_charges, one),
            "Tax" => header::tax(walk, order, one),
            "Contact" => party::contact(walk, order, one),
            "Comments" => {
                for attachment in comments(walk, &mut order.notes, one) {
                    walk.pass.unread(attachment);
                }
            }
            "Extrinsic" => extrinsic(walk, order, one),
            _ => walk.pass.unread(one),
        }
    }
}

/// A term that stands under a name, or a fact.
fn extrinsic<'d>(walk: &mut CxmlWalk<'d>, order: &mut Order<'d>, element: Element<'d>) {
    match element.attribute("name").unwrap_or_default() {
        "salesOrder" => order.sales_order.push(value(&mut walk.pass, element, &["name"])),
        "buyerReference" => {
            order.buyer_reference.push(value(&mut walk.pass, element, &["name"]));
        }
        _ => {
            let fact = fact(walk, element);
            order.extensions.facts.push(fact);
        }
    }
}

/// Reads `OrderReference`, or `OrderIDInfo`: which order is answered.
pub(super) fn order<'d>(walk: &mut CxmlWalk<'d>, order: &mut Order<'d>, element: Element<'d>) {
    let mut one = DocumentReference::new(element);
    open(&mut walk.pass, element, &["orderID", "orderDate"]);
    take_at(&mut one.id, element, "orderID");
    let day = ValueSource::attribute_called(element, "", "orderDate");
    one.issue_date.extend(day.map(day_of::<Date<'d>>));
    for child in element.elements() {
        match child.local() {
            "DocumentReference" => {
                open(&mut walk.pass, child, &["payloadID"]);
                match child.attribute("payloadID") == element.attribute("orderID") {
                    // The definition asks for it, and the number of the order stands in for it.
                    true => walk.pass.read -= 1,
                    false => {
                        take_at(&mut one.uuid, child, "payloadID");
                        continue;
                    }
                }
                for attribute in child.attributes().filter(|own| own.local == "payloadID") {
                    walk.pass.derived.push(DocumentLeaf::attribute_of(child, attribute));
                }
            }
            _ => walk.pass.unread(child),
        }
    }
    order.references.order.push(one);
}

/// Reads `ConfirmationItem`: the first state is that of the line; what is delivered later is its
/// backorder; others are parts of it.
pub(super) fn line<'d>(walk: &mut CxmlWalk<'d>, element: Element<'d>) -> OrderedLine<'d> {
    let mut line = OrderedLine::new(element);
    total(walk, element);
    take_at(&mut line.id, element, "lineNumber");
    take_at(&mut line.order_line, element, "lineNumber");
    let mut states = element.elements().filter(|one| one.local() == "ConfirmationStatus");
    let unit = states.find_map(|one| child(one, "UnitOfMeasure")).map(|unit| unit.text());
    let unit = unit.as_deref().unwrap_or_default().trim();
    for one in element.elements() {
        match one.local() {
            // The unit of the line is that of its states.
            "UnitOfMeasure" => walk.pass.derive(one, unit),
            "ConfirmationStatus" => status(walk, &mut line, one),
            _ => walk.pass.unread(one),
        }
    }
    line
}

/// The quantity of the line follows from those of its states.
fn total<'d>(walk: &mut CxmlWalk<'d>, element: Element<'d>) {
    let of = |one: Element<'d>| Decimal::parse(one.attribute("quantity")?.trim()).ok();
    let states = element.elements().filter(|one| one.local() == "ConfirmationStatus");
    let sum: Option<Vec<Decimal>> = states.map(of).collect();
    let agrees = sum.and_then(Decimal::sum).zip(of(element)).is_some_and(|(a, b)| a == b);
    match agrees {
        false => open(&mut walk.pass, element, &["lineNumber"]),
        true => {
            open(&mut walk.pass, element, &["lineNumber", "quantity"]);
            walk.pass.read = walk.pass.read.saturating_sub(1);
            for attribute in element.attributes().filter(|one| one.local == "quantity") {
                walk.pass.derived.push(DocumentLeaf::attribute_of(element, attribute));
            }
        }
    }
}

/// Reads `ConfirmationStatus`.
fn status<'d>(walk: &mut CxmlWalk<'d>, line: &mut OrderedLine<'d>, element: Element<'d>) {
    open(&mut walk.pass, element, &["quantity", "type", "deliveryDate"]);
    let unit = child(element, "UnitOfMeasure").map(ValueSource::of);
    let quantity = quantity_at(element, "quantity", unit);
    let state = ValueSource::attribute_called(element, "", "type");
    let is_later = state.is_some_and(|state| state.is(BACKORDERED));
    let is_first = line.status.is_absent() && !is_later;
    let mut part = PartialDelivery::new(element);
    part.quantity.extend(quantity);
    // By when it will be there.
    let mut period = OrderPeriod::new(element);
    moment(&mut period.end, &mut period.end_time, element, "deliveryDate");
    if period.end.is_present() {
        let mut delivery = OrderDelivery::new(element);
        delivery.promised.push(period);
        part.delivery.push(delivery);
    }
    for one in element.elements() {
        match one.local() {
            "UnitOfMeasure" => unit_read(walk, one),
            "UnitPrice" if is_first => price(walk, &mut line.price, one),
            "ItemIn" if is_first => substitute(walk, line, one),
            "Comments" => {
                for attachment in comments(walk, &mut part.notes, one) {
                    walk.pass.unread(attachment);
                }
            }
            _ => walk.pass.unread(one),
        }
    }
    match (is_first, is_later && line.backorder.is_absent() && part.delivery.is_absent()) {
        (true, _) => {
            line.status.extend(state.map(|state| mapped(state, LINE_STATES)));
            line.quantity.append(&mut part.quantity);
            line.delivery.append(&mut part.delivery);
            line.notes.append(&mut part.notes);
        }
        (_, true) => {
            line.backorder.append(&mut part.quantity);
            line.notes.append(&mut part.notes);
        }
        _ => {
            part.status.extend(state.map(|state| mapped(state, LINE_STATES)));
            line.extensions.get_or_insert_default().parts.push(part);
        }
    }
}

/// Reads `ItemIn`: what is delivered instead.
fn substitute<'d>(walk: &mut CxmlWalk<'d>, line: &mut OrderedLine<'d>, element: Element<'d>) {
    let mut own = ItemInformation::new(element);
    // The numbers and the price of what is delivered; its quantity is that of the state.
    let mut inner = OrderedLine::new(element);
    let count = element.attribute("quantity");
    let is_same = element.parent().is_some_and(|state| state.attribute("quantity") == count);
    let known: &[&str] = if is_same { &["quantity"] } else { &[] };
    open(&mut walk.pass, element, known);
    if is_same {
        told(walk, element, "quantity");
    }
    for one in element.elements() {
        match one.local() {
            "ItemID" => numbers(walk, &mut inner, &mut own, one),
            "ItemDetail" => item_detail(walk, &mut inner, &mut own, one),
            _ => walk.pass.unread(one),
        }
    }
    line.price.append(&mut inner.price);
    if let Some(more) = inner.extensions.take() {
        line.extensions.get_or_insert_default().auxiliary_id = more.auxiliary_id;
    }
    let mut substitute = SubstitutedItem::new(element);
    substitute.item.push(own);
    line.substitute.push(substitute);
}
