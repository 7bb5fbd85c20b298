//! When and where ordered goods are wanted or promised: tir01-092 to tir01-106, tir76-099,
//! tir76-100.

use quoin_model::en16931::PartyRole;
use quoin_model::order::{OrderDelivery, OrderPeriod};
use quoin_xml::tree::Element;

use crate::reading::Pass;
use crate::ubl::read::UblName::{Aggregate, Basic};
use crate::ubl::read::{name, party, wrapped};

/// Reads `Delivery`, of the document or of a line.
pub(super) fn read<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> OrderDelivery<'d> {
    let mut delivery = OrderDelivery::new(element);
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            Basic("ID") => pass.take(&mut delivery.id, child),
            Aggregate("DeliveryLocation") => location(pass, &mut delivery, child),
            Aggregate("RequestedDeliveryPeriod") => delivery.requested.push(period(pass, child)),
            Aggregate("PromisedDeliveryPeriod") => delivery.promised.push(period(pass, child)),
            Aggregate("DeliveryParty") => {
                delivery.party.push(party::read(pass, PartyRole::DeliverTo, child));
            }
            Aggregate("Despatch") => despatch(pass, &mut delivery, child),
            Aggregate("Shipment") => shipment(pass, &mut delivery, child),
            _ => pass.unread(child),
        }
    }
    delivery
}

fn location<'d>(pass: &mut Pass<'d>, delivery: &mut OrderDelivery<'d>, element: Element<'d>) {
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            Basic("ID") => pass.take(&mut delivery.location, child),
            Basic("Name") => pass.take(&mut delivery.location_name, child),
            Aggregate("Address") => delivery.address.push(party::address(pass, child)),
            _ => pass.unread(child),
        }
    }
}

fn despatch<'d>(pass: &mut Pass<'d>, delivery: &mut OrderDelivery<'d>, element: Element<'d>) {
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            Basic("RequestedDespatchDate") => pass.take(&mut delivery.despatch_date, child),
            Basic("RequestedDespatchTime") => pass.take(&mut delivery.despatch_time, child),
            _ => pass.unread(child),
        }
    }
}

fn shipment<'d>(pass: &mut Pass<'d>, delivery: &mut OrderDelivery<'d>, element: Element<'d>) {
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            Basic("ID") => pass.take(&mut delivery.shipment, child),
            Basic("ShippingPriorityLevelCode") => pass.take(&mut delivery.priority, child),
            Aggregate("TransportHandlingUnit") => {
                wrapped(pass, &mut delivery.marks, child, "ShippingMarks");
            }
            _ => pass.unread(child),
        }
    }
}

/// Reads a period with times.
pub(super) fn period<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> OrderPeriod<'d> {
    let mut period = OrderPeriod::new(element);
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            Basic("StartDate") => pass.take(&mut period.start, child),
            Basic("StartTime") => pass.take(&mut period.start_time, child),
            Basic("EndDate") => pass.take(&mut period.end, child),
            Basic("EndTime") => pass.take(&mut period.end_time, child),
            _ => pass.unread(child),
        }
    }
    period
}
