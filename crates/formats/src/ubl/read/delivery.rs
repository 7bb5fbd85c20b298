//! Delivery and periods in UBL: BG-13 to BG-15, BG-26.

use quoin_xml::tree::Element;

use super::UblName::{Aggregate, Basic};
use super::{allowance, name, party, wrapped};
use crate::reading::Pass;
use quoin_model::en16931::{DeliveryInformation, DeliveryTerms, PartyRole, Period, Shipment};

/// Reads `Delivery`, of the document or of a line.
pub(super) fn read<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> DeliveryInformation<'d> {
    let mut delivery = DeliveryInformation::new(element);
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            Basic("ActualDeliveryDate") => pass.take(&mut delivery.date, child),
            Aggregate("DeliveryLocation") => location(pass, &mut delivery, child),
            Aggregate("DeliveryParty") => {
                delivery.party.push(party::read(pass, PartyRole::DeliverTo, child));
            }
            Basic("ActualDeliveryTime") => pass.take(&mut delivery.time, child),
            Basic("LatestDeliveryDate") => pass.take(&mut delivery.latest_date, child),
            Basic("ID") => pass.take(&mut delivery.id, child),
            Basic("Quantity") => pass.take(&mut delivery.quantity, child),
            Aggregate("DeliveryAddress") => {
                delivery.other_addresses.push(party::address(pass, child));
            }
            Aggregate("DeliveryTerms") => delivery.terms.push(terms(pass, child)),
            Aggregate("Shipment") => delivery.shipments.push(shipment(pass, child)),
            Aggregate(
                "RequestedDeliveryPeriod" | "PromisedDeliveryPeriod" | "EstimatedDeliveryPeriod",
            ) => delivery.periods.push(period(pass, child)),
            _ => pass.unread(child),
        }
    }
    delivery
}

fn location<'d>(pass: &mut Pass<'d>, delivery: &mut DeliveryInformation<'d>, element: Element<'d>) {
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            Basic("ID") => pass.take(&mut delivery.location, child),
            Aggregate("Address") => delivery.address.push(party::address(pass, child)),
            Basic("Name") => pass.take(&mut delivery.location_name, child),
            _ => pass.unread(child),
        }
    }
}

/// Reads `DeliveryTerms`.
pub(in crate::ubl) fn terms<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> DeliveryTerms<'d> {
    let mut terms = DeliveryTerms::new(element);
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            Basic("ID") => pass.take(&mut terms.id, child),
            Basic("SpecialTerms") => pass.take(&mut terms.text, child),
            _ => pass.unread(child),
        }
    }
    terms
}

fn shipment<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> Shipment<'d> {
    let mut shipment = Shipment::new(element);
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            Basic("ID") => pass.take(&mut shipment.id, child),
            Aggregate("Consignment") => {
                pass.open(child);
                for part in child.elements() {
                    match name(part) {
                        Basic("ID") => pass.take(&mut shipment.consignment, part),
                        Aggregate("DeliveryTerms") => shipment.terms.push(terms(pass, part)),
                        _ => pass.unread(part),
                    }
                }
            }
            Aggregate("Delivery") => {
                wrapped(pass, &mut shipment.delivery_date, child, "ActualDeliveryDate");
            }
            Aggregate("FreightAllowanceCharge") => {
                shipment.freight.push(allowance::read(pass, child));
            }
            _ => pass.unread(child),
        }
    }
    shipment
}

/// Reads `InvoicePeriod`, of the document or of a line, and other periods.
pub(super) fn period<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> Period<'d> {
    let mut period = Period::new(element);
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            Basic("StartDate") => pass.take(&mut period.start, child),
            Basic("EndDate") => pass.take(&mut period.end, child),
            Basic("DescriptionCode") => pass.take(&mut period.description_code, child),
            Basic("Description") => pass.take(&mut period.description, child),
            Basic("DurationMeasure") => pass.take(&mut period.duration, child),
            Basic("StartTime" | "EndTime") => period.times.push(pass.value(child)),
            _ => pass.unread(child),
        }
    }
    period
}
