//! Lines of DICO: `OrderLine`, `OrderResponseLine`.

use quoin_model::en16931::{
    AttributeName, Derivation, Field, Identifier, ItemAttribute, ItemInformation, ItemInstance,
    Price, Quantity, ValueSource,
};
use quoin_model::order::{OrderDelivery, OrderedLine, OrderedLineExtensions, PartialDelivery};
use quoin_xml::tree::Element;

use super::super::codes::LINE_STATES;
use super::{charge, instruction, period, take_code, texts, with_unit, wrapper};
use crate::reading::{DocumentLeaf, Pass, view};

/// Reads a line of either message.
pub(super) fn read<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> OrderedLine<'d> {
    let mut line = OrderedLine::new(element);
    let is_answer = element.local() == "OrderResponseLine";
    let unit = unit_of(element, &["OrderedQuantityMeasureUnitCode", "QuantityMeasureUnitCode"]);
    pass.open(element);
    for child in element.elements() {
        match child.local() {
            // Identified by more than its place: both misspellings are out there.
            "LineIdentification" | "LineIdentitfication" => pass.take(&mut line.id, child),
            "OrderedQuantity" if !is_answer => quantity(pass, &mut line.quantity, child, unit),
            "PlannedDeliveryQuantity" if is_answer => {
                quantity(pass, &mut line.quantity, child, unit);
            }
            "OrderedQuantityMeasureUnitCode" | "QuantityMeasureUnitCode" => unit_read(pass, child),
            "StatusCode" if is_answer => take_code(pass, &mut line.status, child, LINE_STATES),
            "NetLineAmount" => pass.take(&mut line.net_amount, child),
            "AdditionalInformation" => texts(pass, &mut line.notes, child),
            "FreeText" => pass.take(&mut line.notes, child),
            "OrderLineIdentification" => pass.take(&mut line.order_line, child),
            "OrderLineReference" => order_line(pass, &mut line, child),
            "LineCharge" | "LineAllowance" => line.allowance_charges.push(charge(pass, child)),
            "TradeItemIdentification" => line.item.push(item(pass, child)),
            "DifferentPriceAgreement" if line.price.is_absent() => price(pass, &mut line, child),
            "PriceInformation" if line.price.is_absent() => price(pass, &mut line, child),
            "DeliveryDateTimeInformation" => {
                let mut delivery = OrderDelivery::new(child);
                let period = period(pass, child);
                match is_answer {
                    true => delivery.promised.push(period),
                    false => delivery.requested.push(period),
                }
                line.delivery.push(delivery);
            }
            _ => extension(pass, line.extensions.get_or_insert_default(), child, unit),
        }
    }
    place(&mut line);
    whole(pass, &mut line);
    line
}

/// One part that is the whole line says when the line is delivered.
fn whole<'d>(pass: &mut Pass<'d>, line: &mut OrderedLine<'d>) {
    let Some(more) = line.extensions.as_deref_mut() else { return };
    let planned = line.quantity.value();
    let [part] = more.parts.as_mut_slice() else { return };
    if planned.is_none() || part.quantity.value() != planned || line.delivery.is_present() {
        return;
    }
    line.delivery.append(&mut part.delivery);
    let names = ["PlannedPartialDeliveryQuantity", "QuantityMeasureUnitCode"];
    for one in part.element.elements().filter(|one| names.contains(&one.local())) {
        pass.read = pass.read.saturating_sub(1);
        pass.derived.push(DocumentLeaf::text_of(one));
    }
    more.parts.clear();
}

/// What only extensions have.
fn extension<'d>(
    pass: &mut Pass<'d>,
    more: &mut OrderedLineExtensions<'d>,
    child: Element<'d>,
    unit: Option<ValueSource<'d>>,
) {
    match child.local() {
        "LineNumber" => pass.take(&mut more.position, child),
        "DifferenceWithOrderedQuantity" => quantity(pass, &mut more.difference, child, unit),
        "PartialDelivery" => more.parts.push(part(pass, child)),
        "TransportInstruction" => more.instructions.push(instruction(pass, child)),
        "ContractReference" => {
            wrapper(pass, &mut more.contract, child, ["ContractNumber", "ContractDate"]);
        }
        _ => pass.unread(child),
    }
}

/// A line without an identifier has its place for one.
fn place(line: &mut OrderedLine<'_>) {
    let Some(more) = line.extensions.as_deref_mut() else { return };
    if line.id.is_absent() {
        let places = std::mem::take(&mut more.position);
        line.id.extend(places.iter().map(|place| Identifier::from(**place)));
    }
}

/// The unit of a group, before it is read.
fn unit_of<'d>(element: Element<'d>, names: &[&str]) -> Option<ValueSource<'d>> {
    let found = element.elements().find(|child| names.contains(&child.local()));
    found.map(ValueSource::of).filter(|unit| !unit.is_blank())
}

/// The unit is read with its quantity.
fn unit_read<'d>(pass: &mut Pass<'d>, element: Element<'d>) {
    let _: Quantity<'d> = pass.value(element);
}

fn quantity<'d>(
    pass: &mut Pass<'d>,
    field: &mut Field<Quantity<'d>>,
    element: Element<'d>,
    unit: Option<ValueSource<'d>>,
) {
    let own = pass.value(element);
    field.push(with_unit(own, unit));
}

fn order_line<'d>(pass: &mut Pass<'d>, line: &mut OrderedLine<'d>, element: Element<'d>) {
    pass.open(element);
    for child in element.elements() {
        match child.local() {
            "OrderLineIdentification" => pass.take(&mut line.order_line, child),
            _ => pass.unread(child),
        }
    }
}

/// `DifferentPriceAgreement`, `PriceInformation`.
fn price<'d>(pass: &mut Pass<'d>, line: &mut OrderedLine<'d>, element: Element<'d>) {
    let mut price = Price::new(element);
    pass.open(element);
    for child in element.elements() {
        match child.local() {
            "DifferentPrice" | "Price" | "NetPrice" => pass.take(&mut price.net, child),
            "GrossPrice" => pass.take(&mut price.gross, child),
            "DifferentPriceAgreementIndicator" => {
                line.extensions.get_or_insert_default().codes.push(pass.value(child));
            }
            "PriceBase" => price_base(pass, &mut price, child),
            _ => pass.unread(child),
        }
    }
    line.price.push(price);
}

fn price_base<'d>(pass: &mut Pass<'d>, price: &mut Price<'d>, element: Element<'d>) {
    let unit = unit_of(element, &["MeasureUnitPriceBasis"]);
    pass.open(element);
    for child in element.elements() {
        match child.local() {
            "NumberOfUnitsInPriceBasis" => quantity(pass, &mut price.base_quantity, child, unit),
            "MeasureUnitPriceBasis" => unit_read(pass, child),
            _ => pass.unread(child),
        }
    }
}

/// `PartialDelivery`.
fn part<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> PartialDelivery<'d> {
    let mut part = PartialDelivery::new(element);
    let unit = unit_of(element, &["QuantityMeasureUnitCode"]);
    pass.open(element);
    for child in element.elements() {
        match child.local() {
            "PlannedPartialDeliveryQuantity" => quantity(pass, &mut part.quantity, child, unit),
            "QuantityMeasureUnitCode" => unit_read(pass, child),
            "DeliveryDateTimeInformation" => {
                let mut delivery = OrderDelivery::new(child);
                delivery.promised.push(period(pass, child));
                part.delivery.push(delivery);
            }
            _ => pass.unread(child),
        }
    }
    part
}

/// `TradeItemIdentification`.
fn item<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> ItemInformation<'d> {
    let mut item = ItemInformation::new(element);
    pass.open(element);
    for child in element.elements() {
        match child.local() {
            "GTIN" => {
                let own: Identifier<'d> = pass.value(child);
                let scheme = ValueSource::of(child).saying(Derivation::Implied, "0160");
                item.standard_id.push(own.with(&[(AttributeName::SchemeId, scheme)]).into());
            }
            "SuppliersTradeItemIdentification" => pass.take(&mut item.seller_id, child),
            "BuyersTradeItemIdentification" => pass.take(&mut item.buyer_id, child),
            "AdditionalItemIdentification" => additional(pass, &mut item, child),
            _ => pass.unread(child),
        }
    }
    item
}

fn additional<'d>(pass: &mut Pass<'d>, item: &mut ItemInformation<'d>, element: Element<'d>) {
    pass.open(element);
    for child in element.elements() {
        match child.local() {
            "TradeItemDescription" => pass.take(&mut item.name, child),
            "Colour" => item.attributes.push(attribute(pass, child, "Colour")),
            "Size" => item.attributes.push(attribute(pass, child, "Size")),
            "SerialNumber" => {
                let mut instance = ItemInstance::new(child);
                pass.take(&mut instance.serial, child);
                item.extensions.get_or_insert_default().instances.push(instance);
            }
            "PhysicalDimensions" => dimensions(pass, item, child),
            _ => pass.unread(child),
        }
    }
}

/// What the name of an element says of an item, and its text.
fn attribute<'d>(
    pass: &mut Pass<'d>,
    element: Element<'d>,
    name: &'static str,
) -> ItemAttribute<'d> {
    let mut one = ItemAttribute::new(element);
    one.name.push(ValueSource::of(element).saying(Derivation::Named, name).into());
    pass.take(&mut one.value, element);
    one
}

fn dimensions<'d>(pass: &mut Pass<'d>, item: &mut ItemInformation<'d>, element: Element<'d>) {
    let unit = unit_of(element, &["MeasurementUnitCode"]);
    pass.open(element);
    for child in element.elements() {
        let name = match child.local() {
            "Width" => "Width",
            "Length" => "Length",
            "Height" => "Height",
            "MeasurementUnitCode" => {
                unit_read(pass, child);
                continue;
            }
            _ => {
                pass.unread(child);
                continue;
            }
        };
        let mut one = attribute(pass, child, name);
        one.quantity.push(with_unit(view(child), unit));
        item.attributes.push(one);
    }
}
