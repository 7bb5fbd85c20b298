//! `OrderRequestHeader`: what the order says of itself, its parties and its delivery.

use quoin_model::en16931::{
    Code, DeliveryTerms, DocumentReference, Field, Identifier, PartyRole, Text, Totals, ValueSource,
};
use quoin_model::order::{Order, OrderKind, OrderPeriod};
use quoin_xml::tree::Element;

use super::super::codes::ORDER_TYPES;
use super::{comments, fact, moment, named, party, told};
use crate::cxml::codes::TAXES;
use crate::cxml::read::{CxmlWalk, adjustment, at, open, take_at, value};
use crate::reading::{day_of, lookup_back, mapped};

/// Attributes that are read.
const KNOWN: &[&str] = &[
    "orderID",
    "orderDate",
    "orderType",
    "type",
    "orderVersion",
    "requisitionID",
    "agreementID",
    "effectiveDate",
    "expirationDate",
    "requestedDeliveryDate",
    "shipComplete",
];

/// Reads the head.
pub(super) fn read<'d>(walk: &mut CxmlWalk<'d>, order: &mut Order<'d>, element: Element<'d>) {
    open(&mut walk.pass, element, KNOWN);
    attributes(order, element);
    // Which message it is says the document element of others.
    told(walk, element, "type");
    let mut bill_to = None;
    for child in element.elements() {
        match child.local() {
            "Total" => total(walk, order, child),
            "ShipTo" => ship_to(walk, order, child),
            "BillTo" => bill_to = wrapped_address(walk, PartyRole::Buyer, child).or(bill_to),
            "Shipping" => adjustment::service(walk, &mut order.allowance_charges, child),
            "Tax" => tax(walk, order, child),
            "Contact" => party::contact(walk, order, child),
            "Comments" => attachments(walk, order, child),
            "DocumentReference" => {
                let mut one = DocumentReference::new(child);
                open(&mut walk.pass, child, &["payloadID"]);
                take_at(&mut one.uuid, child, "payloadID");
                match order.references.order.all_mut().first_mut() {
                    Some(known) => known.uuid.append(&mut one.uuid),
                    None => order.references.order.push(one),
                }
            }
            "SupplierOrderInfo" => {
                open(&mut walk.pass, child, &["orderID"]);
                take_at(&mut order.sales_order, child, "orderID");
            }
            "DeliveryPeriod" => delivery_period(walk, order, child),
            "Extrinsic" => extrinsic(walk, order, child),
            _ => walk.pass.unread(child),
        }
    }
    // Who gets the invoice is who ordered, where nobody else is said to have.
    match (bill_to, order.buyer.is_present()) {
        (Some(party), true) => order.invoicee.push(party),
        (Some(party), false) => order.buyer.push(party),
        (None, _) => {}
    }
}

fn attributes<'d>(order: &mut Order<'d>, element: Element<'d>) {
    let Order { issue_date, issue_time, references, extensions, .. } = order;
    moment(issue_date, issue_time, element, "orderDate");
    let number = at::<Identifier<'d>>(element, "orderID");
    order.number.extend(number);
    if order.kind != OrderKind::Order {
        let mut one = DocumentReference::new(element);
        one.id.extend(number);
        references.order.push(one);
    }
    if let Some(own) = ValueSource::attribute_called(element, "", "orderType") {
        order.type_code.push(mapped(own, ORDER_TYPES));
    }
    let mut codes = Field::<Code<'d>>::default();
    match order.kind {
        OrderKind::Change => take_at(&mut order.sequence, element, "orderVersion"),
        _ => take_at(&mut codes, element, "orderVersion"),
    }
    take_at(&mut codes, element, "shipComplete");
    extensions.codes.extend(codes.iter().copied());
    for (name, field) in
        [("requisitionID", &mut references.originator), ("agreementID", &mut references.contract)]
    {
        if let Some(id) = at::<Identifier<'d>>(element, name) {
            let mut one = DocumentReference::new(element);
            one.id.push(id);
            field.push(one);
        }
    }
    let mut validity = OrderPeriod::new(element);
    for (name, field) in
        [("effectiveDate", &mut validity.start), ("expirationDate", &mut validity.end)]
    {
        let own = ValueSource::attribute_called(element, "", name);
        field.extend(own.map(day_of));
    }
    if validity.start.is_present() || validity.end.is_present() {
        order.validity.push(validity);
    }
    // By when it is to be there.
    let mut period = OrderPeriod::new(element);
    moment(&mut period.end, &mut period.end_time, element, "requestedDeliveryDate");
    if period.end.is_present()
        && let Some(delivery) = order.delivery_at(element)
    {
        delivery.requested.push(period);
    }
}

fn total<'d>(walk: &mut CxmlWalk<'d>, order: &mut Order<'d>, element: Element<'d>) {
    let mut totals = Totals::new(element);
    open(&mut walk.pass, element, &[]);
    for child in element.elements() {
        match child.local() {
            "Money" => totals.line_net.push(walk.money(child)),
            "Modifications" => adjustment::several(walk, &mut order.allowance_charges, child),
            _ => walk.pass.unread(child),
        }
    }
    order.totals.push(totals);
}

/// The tax; its details are in no term. A description that says what every tax is says nothing.
pub(super) fn tax<'d>(walk: &mut CxmlWalk<'d>, order: &mut Order<'d>, element: Element<'d>) {
    open(&mut walk.pass, element, &[]);
    for child in element.elements() {
        match child.local() {
            "Money" => order.tax.push(walk.money(child)),
            "Description" if lookup_back(TAXES, child.text().trim()).is_some() => {
                walk.pass.regenerate(child);
            }
            _ => walk.pass.unread(child),
        }
    }
}

/// The `Address` of `ShipTo` or `BillTo`.
fn wrapped_address<'d>(
    walk: &mut CxmlWalk<'d>,
    role: PartyRole,
    element: Element<'d>,
) -> Option<quoin_model::en16931::Party<'d>> {
    let mut found = None;
    open(&mut walk.pass, element, &[]);
    for child in element.elements() {
        match (child.local(), &found) {
            ("Address", None) => found = Some(party::address(walk, role, child)),
            ("IdReference", Some(_)) => {
                if let Some(found) = &mut found {
                    party::number(walk, found, child);
                }
            }
            _ => walk.pass.unread(child),
        }
    }
    found
}

/// Who receives, and where.
fn ship_to<'d>(walk: &mut CxmlWalk<'d>, order: &mut Order<'d>, element: Element<'d>) {
    let Some(mut party) = wrapped_address(walk, PartyRole::DeliverTo, element) else { return };
    let Some(delivery) = order.delivery_at(element) else { return };
    delivery.address.append(&mut party.address);
    // The number of the address is that of the place; others are those of who receives.
    let address = element.elements().find(|child| child.local() == "Address");
    let of_place = |id: &Identifier<'d>| address == Some(id.element());
    let numbers = std::mem::take(&mut party.identifiers);
    for id in &numbers {
        let field = if of_place(id) { &mut delivery.location } else { &mut party.identifiers };
        field.push(*id);
    }
    delivery.party.push(party);
}

/// Notes, and documents by their address.
fn attachments<'d>(walk: &mut CxmlWalk<'d>, order: &mut Order<'d>, element: Element<'d>) {
    for one in comments(walk, &mut order.notes, element) {
        let mut document = DocumentReference::new(one);
        open(&mut walk.pass, one, &[]);
        for child in one.elements() {
            match child.local() {
                "URL" => document.uri.push(value(&mut walk.pass, child, &[])),
                _ => walk.pass.unread(child),
            }
        }
        order.references.documents.push(document);
    }
}

fn delivery_period<'d>(walk: &mut CxmlWalk<'d>, order: &mut Order<'d>, element: Element<'d>) {
    open(&mut walk.pass, element, &[]);
    for child in element.elements() {
        if child.local() != "Period" {
            walk.pass.unread(child);
            continue;
        }
        open(&mut walk.pass, child, &["startDate", "endDate"]);
        let mut period = OrderPeriod::new(child);
        moment(&mut period.start, &mut period.start_time, child, "startDate");
        moment(&mut period.end, &mut period.end_time, child, "endDate");
        if let Some(delivery) = order.delivery_at(element) {
            delivery.requested.push(period);
        }
    }
}

/// A term that stands under a name, or a fact.
fn extrinsic<'d>(walk: &mut CxmlWalk<'d>, order: &mut Order<'d>, element: Element<'d>) {
    let all = &mut order.references;
    let reference = match element.attribute("name").unwrap_or_default() {
        "quotationReference" => &mut all.quotation,
        "catalogueReference" => &mut all.catalogue,
        "projectReference" => &mut all.project,
        "replacedOrder" if order.kind == OrderKind::Order => &mut all.order,
        "messageID" if order.kind != OrderKind::Order => {
            order.number = Field::default();
            return named(walk, &mut order.number, element);
        }
        "buyerReference" => {
            return order.buyer_reference.push(value(&mut walk.pass, element, &["name"]));
        }
        "accountingCost" => {
            return order.accounting_reference.push(value(&mut walk.pass, element, &["name"]));
        }
        "paymentTerms" => {
            return order.payment_terms.push(value(&mut walk.pass, element, &["name"]));
        }
        "cancellationNote" => {
            return order.cancellation.push(value(&mut walk.pass, element, &["name"]));
        }
        "deliveryTerms" | "deliveryTermsText" => return terms(walk, order, element),
        _ => return order.extensions.facts.push(fact(walk, element)),
    };
    let mut one = DocumentReference::new(element);
    named(walk, &mut one.id, element);
    reference.push(one);
}

fn terms<'d>(walk: &mut CxmlWalk<'d>, order: &mut Order<'d>, element: Element<'d>) {
    let is_text = element.attribute("name") == Some("deliveryTermsText");
    if order.delivery_terms.is_empty() {
        order.delivery_terms.push(DeliveryTerms::new(element));
    }
    let own: Text<'d> = value(&mut walk.pass, element, &["name"]);
    if let Some(terms) = order.delivery_terms.last_mut() {
        match is_text {
            true => terms.text.push(own),
            false => terms.id.push((*own).into()),
        }
    }
}
