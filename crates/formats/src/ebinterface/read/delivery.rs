//! Delivery (BG-13, BG-15) of the document and of a line, and the period that stands in it.

use quoin_model::en16931::{DeliveryInformation, Field, Invoice, Party, PartyRole, Period};
use quoin_xml::tree::Element;

use super::{name, party};
use crate::reading::Pass;

/// Reads `Delivery` of the document: BG-13, and BG-14.
pub(super) fn of_document<'d>(
    pass: &mut Pass<'d>,
    invoice: &mut Invoice<'d>,
    element: Element<'d>,
) {
    let delivery = read(pass, &mut invoice.period, element);
    invoice.delivery.push(delivery);
}

/// Reads `Delivery`; its period is one of what is invoiced (BG-14, BG-26).
pub(super) fn read<'d>(
    pass: &mut Pass<'d>,
    periods: &mut Field<Period<'d>>,
    element: Element<'d>,
) -> DeliveryInformation<'d> {
    let mut delivery = DeliveryInformation::new(element);
    let mut receiver = Party::new(PartyRole::DeliverTo, element);
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            "DeliveryID" => pass.take(&mut delivery.location, child),
            "Date" => pass.take(&mut delivery.date, child),
            "Period" => periods.push(period(pass, child)),
            "Address" => party::address(pass, &mut receiver, child),
            "Contact" => {
                receiver.contact.push(party::contact(pass, &mut receiver.extensions, child));
            }
            "Description" => pass.take(&mut delivery.description, child),
            _ => pass.unread(child),
        }
    }
    party::merge_contacts(&mut receiver);
    delivery.address.append(&mut receiver.address);
    let known = receiver.name.is_present()
        || receiver.identifiers.is_present()
        || receiver.trading_name.is_present()
        || receiver.contact.is_present()
        || receiver.extensions.is_some();
    if known {
        delivery.party.push(receiver);
    }
    delivery
}

fn period<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> Period<'d> {
    let mut period = Period::new(element);
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            "FromDate" => pass.take(&mut period.start, child),
            "ToDate" => pass.take(&mut period.end, child),
            _ => pass.unread(child),
        }
    }
    period
}
