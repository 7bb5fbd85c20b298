//! Delivery in CII: BG-13, BG-15, BT-15, BT-16.

use quoin_xml::tree::Element;

use super::{date, party, ram, references};
use crate::reading::Pass;
use quoin_model::en16931::{Date, DeliveryInformation, Field, Invoice, PartyRole};

/// Reads `ApplicableHeaderTradeDelivery`, which is BG-13 only where it has a term of it.
pub(super) fn read<'d>(pass: &mut Pass<'d>, invoice: &mut Invoice<'d>, element: Element<'d>) {
    let mut delivery = DeliveryInformation::new(element);
    let mut present = false;
    pass.open(element);
    for child in element.elements() {
        match ram(child) {
            "ShipToTradeParty" => ship_to(pass, &mut delivery, child),
            "ActualDeliverySupplyChainEvent" => event(pass, &mut delivery.date, child),
            "DespatchAdviceReferencedDocument" => {
                invoice.references.despatch_advice.push(references::read(pass, child));
            }
            "ReceivingAdviceReferencedDocument" => {
                invoice.references.receiving_advice.push(references::read(pass, child));
            }
            "DeliveryNoteReferencedDocument" => {
                invoice.references.others.push(references::read(pass, child));
            }
            "UltimateShipToTradeParty" => {
                let party = party::read(pass, PartyRole::UltimateShipTo, child);
                invoice.extensions.parties.push(party);
            }
            "ShipFromTradeParty" => {
                invoice.extensions.parties.push(party::read(pass, PartyRole::ShipFrom, child));
            }
            _ => pass.unread(child),
        }
        present |= matches!(child.local(), "ShipToTradeParty" | "ActualDeliverySupplyChainEvent");
    }
    if present {
        invoice.delivery.push(delivery);
    }
}

/// `ShipToTradeParty`: its identifier is BT-71, its address BG-15.
pub(super) fn ship_to<'d>(
    pass: &mut Pass<'d>,
    delivery: &mut DeliveryInformation<'d>,
    element: Element<'d>,
) {
    let mut party = party::read(pass, PartyRole::DeliverTo, element);
    delivery.location.extend(party.identifiers.iter().copied());
    party.identifiers = Field::default();
    delivery.address.append(&mut party.address);
    delivery.party.push(party);
}

/// `ActualDeliverySupplyChainEvent`: BT-72.
pub(super) fn event<'d>(pass: &mut Pass<'d>, field: &mut Field<Date<'d>>, element: Element<'d>) {
    pass.open(element);
    for child in element.elements() {
        match ram(child) {
            "OccurrenceDateTime" => date(pass, field, child),
            _ => pass.unread(child),
        }
    }
}
