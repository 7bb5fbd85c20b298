//! `ItemOut`: a line of an order.

use quoin_model::en16931::{
    AttributeName, Field, ItemInformation, Price, Quantity, Text, ValueSource,
};
use quoin_model::order::{OrderDelivery, OrderPeriod, OrderedLine};
use quoin_xml::tree::Element;

use super::super::codes::ACCOUNT;
use super::{comments, fact, moment};
use crate::cxml::read::{CxmlWalk, adjustment, child, item, open, take, take_at, value};
use crate::reading::{DocumentLeaf, joined};

/// Reads a line.
pub(super) fn read<'d>(walk: &mut CxmlWalk<'d>, element: Element<'d>) -> OrderedLine<'d> {
    let mut line = OrderedLine::new(element);
    open(&mut walk.pass, element, &["lineNumber", "quantity", "requestedDeliveryDate"]);
    take_at(&mut line.id, element, "lineNumber");
    // By when it is to be there.
    let mut period = OrderPeriod::new(element);
    moment(&mut period.end, &mut period.end_time, element, "requestedDeliveryDate");
    if period.end.is_present() {
        let mut delivery = OrderDelivery::new(element);
        delivery.requested.push(period);
        line.delivery.push(delivery);
    }
    let detail = child(element, "ItemDetail");
    let unit = detail.and_then(|detail| child(detail, "UnitOfMeasure")).map(ValueSource::of);
    line.quantity.extend(walk.quantity(element, unit, false));
    let mut own = ItemInformation::new(element);
    let mut accounts = Vec::new();
    for one in element.elements() {
        match one.local() {
            "ItemID" => numbers(walk, &mut line, &mut own, one),
            "ItemDetail" => item_detail(walk, &mut line, &mut own, one),
            "Tax" => walk.amount(&mut line.extensions.get_or_insert_default().tax, one),
            "Shipping" => adjustment::service(walk, &mut line.allowance_charges, one),
            "Distribution" => distribution(walk, &mut line, &mut accounts, one),
            "Comments" => {
                for attachment in comments(walk, &mut line.notes, one) {
                    walk.pass.unread(attachment);
                }
            }
            _ => walk.pass.unread(one),
        }
    }
    match accounts.as_slice() {
        [] => {}
        [one] => line.accounting_reference.push(*one),
        several => line.accounting_reference.push(joined(element, &[], several, "/")),
    }
    line.item.push(own);
    line
}

/// `ItemID`: the numbers of the item, of which the auxiliary one is the sender's own.
pub(super) fn numbers<'d>(
    walk: &mut CxmlWalk<'d>,
    line: &mut OrderedLine<'d>,
    own: &mut ItemInformation<'d>,
    element: Element<'d>,
) {
    let before = walk.pass.residue.len();
    item::numbers(walk, own, element);
    let Some(auxiliary) = child(element, "SupplierPartAuxiliaryID") else { return };
    // What the reader of invoices left unread is read here.
    let rest = walk.pass.residue.split_off(before);
    let is_it = |leaf: &DocumentLeaf<'d>| leaf.element() == auxiliary;
    walk.pass.residue.extend(rest.into_iter().filter(|leaf| !is_it(leaf)));
    let more = line.extensions.get_or_insert_default();
    take(&mut walk.pass, &mut more.auxiliary_id, auxiliary);
}

/// `ItemDetail`: price, name, unit, classifications.
pub(super) fn item_detail<'d>(
    walk: &mut CxmlWalk<'d>,
    line: &mut OrderedLine<'d>,
    own: &mut ItemInformation<'d>,
    element: Element<'d>,
) {
    open(&mut walk.pass, element, &[]);
    for one in element.elements() {
        match one.local() {
            "UnitPrice" => price(walk, &mut line.price, one),
            "Description" => item::description(walk, own, one),
            "UnitOfMeasure" => unit_read(walk, one),
            "PriceBasisQuantity" => basis(walk, &mut line.price, one),
            "Classification" => {
                let class = item::classification(walk, one);
                own.classifications.push(class);
            }
            "ManufacturerPartID" => {
                let more = own.extensions.get_or_insert_default();
                take(&mut walk.pass, &mut more.other_ids, one);
            }
            "ManufacturerName" => {
                let more = own.extensions.get_or_insert_default();
                take(&mut walk.pass, &mut more.brand, one);
            }
            "Extrinsic" => own.attributes.push(fact(walk, one)),
            _ => walk.pass.unread(one),
        }
    }
}

/// The unit is read with the quantity that has it.
pub(super) fn unit_read<'d>(walk: &mut CxmlWalk<'d>, element: Element<'d>) {
    let _: Text<'d> = value(&mut walk.pass, element, &[]);
}

/// `UnitPrice`.
pub(super) fn price<'d>(
    walk: &mut CxmlWalk<'d>,
    field: &mut Field<Price<'d>>,
    element: Element<'d>,
) {
    let mut own = Price::new(element);
    open(&mut walk.pass, element, &[]);
    for child in element.elements() {
        match child.local() {
            "Money" => own.net.push(walk.money(child)),
            "Modifications" => adjustment::of_price(walk, &mut own, child),
            _ => walk.pass.unread(child),
        }
    }
    field.push(own);
}

/// `PriceBasisQuantity`, whose factor of 1 says nothing.
fn basis<'d>(walk: &mut CxmlWalk<'d>, field: &mut Field<Price<'d>>, element: Element<'d>) {
    let is_one = element.attribute("conversionFactor") == Some("1");
    let known: &[&str] = if is_one { &["quantity", "conversionFactor"] } else { &["quantity"] };
    open(&mut walk.pass, element, known);
    let unit = child(element, "UnitOfMeasure").map(ValueSource::of);
    let quantity = walk.quantity(element, unit, false);
    for one in element.elements() {
        match one.local() {
            "UnitOfMeasure" => unit_read(walk, one),
            _ => walk.pass.unread(one),
        }
    }
    if field.is_absent() {
        field.push(Price::new(element));
    }
    if let (Some(price), Some(quantity)) = (field.all_mut().first_mut(), quantity) {
        price.base_quantity.push(quantity);
    }
}

/// The accounts that the buyer books the line to: the identifiers of their segments, and what is
/// booked there, which is the net amount of a line that is booked to one account.
fn distribution<'d>(
    walk: &mut CxmlWalk<'d>,
    line: &mut OrderedLine<'d>,
    ids: &mut Vec<Text<'d>>,
    element: Element<'d>,
) {
    let is_only = ids.is_empty() && line.net_amount.is_absent();
    open(&mut walk.pass, element, &[]);
    for one in element.elements() {
        match one.local() {
            "Accounting" => accounting(walk, ids, one),
            "Charge" if is_only => walk.amount(&mut line.net_amount, one),
            _ => walk.pass.unread(one),
        }
    }
}

fn accounting<'d>(walk: &mut CxmlWalk<'d>, ids: &mut Vec<Text<'d>>, element: Element<'d>) {
    named(walk, element, &["name"], &[]);
    for segment in element.elements() {
        if !matches!(segment.local(), "AccountingSegment" | "Segment") {
            walk.pass.unread(segment);
            continue;
        }
        named(walk, segment, &["type", "description"], &["id"]);
        ids.extend(ValueSource::attribute_called(segment, "", "id").map(Text::from));
        segment.elements().for_each(|inner| walk.pass.unread(inner));
    }
}

/// Begins a group; a name that says nothing is made anew.
fn named<'d>(walk: &mut CxmlWalk<'d>, element: Element<'d>, names: &[&str], known: &[&str]) {
    let is_nothing = |name: &str| element.attribute(name) == Some(ACCOUNT);
    let empty: Vec<&str> = names.iter().copied().filter(|name| is_nothing(name)).collect();
    let all: Vec<&str> = known.iter().copied().chain(empty.iter().copied()).collect();
    open(&mut walk.pass, element, &all);
    for attribute in element.attributes().filter(|one| empty.contains(&one.local)) {
        walk.pass.read = walk.pass.read.saturating_sub(1);
        walk.pass.regenerated.push(DocumentLeaf::attribute_of(element, attribute));
    }
}

/// A quantity that is an attribute of this name.
pub(super) fn quantity_at<'d>(
    element: Element<'d>,
    name: &str,
    unit: Option<ValueSource<'d>>,
) -> Option<Quantity<'d>> {
    let own = ValueSource::attribute_called(element, "", name)?;
    Some(unit.map_or(own, |unit| own.with(&[(AttributeName::UnitCode, unit)])).into())
}
