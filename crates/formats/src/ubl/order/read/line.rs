//! Lines: tir01-120 to tir01-170, tir76-120 to tir76-207.

use quoin_model::en16931::PartyRole;
use quoin_model::order::{OrderedLine, SubstitutedItem};
use quoin_xml::tree::Element;

use super::delivery;
use crate::reading::Pass;
use crate::ubl::read::UblName::{Aggregate, Basic};
use crate::ubl::read::{allowance, item, line, name, party, wrapped};

/// Reads `OrderLine`: the `LineItem`, what is delivered instead, and which line is answered.
pub(super) fn read<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> OrderedLine<'d> {
    let mut one = OrderedLine::new(element);
    let mut seen = false;
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            Basic("Note") => pass.take(&mut one.notes, child),
            Aggregate("LineItem") if !std::mem::replace(&mut seen, true) => {
                line_item(pass, &mut one, child);
            }
            Aggregate("SellerSubstitutedLineItem") => {
                one.substitute.push(substitute(pass, child));
            }
            Aggregate("OrderLineReference") => {
                wrapped(pass, &mut one.order_line, child, "LineID");
            }
            _ => pass.unread(child),
        }
    }
    one
}

fn line_item<'d>(pass: &mut Pass<'d>, one: &mut OrderedLine<'d>, element: Element<'d>) {
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            Basic("ID") => pass.take(&mut one.id, child),
            Basic("Note") => pass.take(&mut one.notes, child),
            Basic("LineStatusCode") => pass.take(&mut one.status, child),
            Basic("Quantity") => pass.take(&mut one.quantity, child),
            Basic("MaximumBackorderQuantity") => pass.take(&mut one.backorder, child),
            Basic("LineExtensionAmount") => pass.take(&mut one.net_amount, child),
            Basic("PartialDeliveryIndicator") => pass.take(&mut one.partial, child),
            Basic("AccountingCost") => pass.take(&mut one.accounting_reference, child),
            Basic("TotalTaxAmount") => {
                let more = one.extensions.get_or_insert_default();
                pass.take(&mut more.tax, child);
            }
            Aggregate("Delivery") => one.delivery.push(delivery::read(pass, child)),
            Aggregate("OriginatorParty") => {
                one.originator.push(party::read(pass, PartyRole::Originator, child));
            }
            Aggregate("AllowanceCharge") => {
                one.allowance_charges.push(allowance::read(pass, child));
            }
            Aggregate("Price") => one.price.push(line::price(pass, child)),
            Aggregate("Item") => {
                let item = item::read(pass, &mut one.tax_category, child);
                one.item.push(item);
            }
            _ => pass.unread(child),
        }
    }
}

fn substitute<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> SubstitutedItem<'d> {
    let mut one = SubstitutedItem::new(element);
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            Basic("ID") => pass.take(&mut one.id, child),
            Aggregate("Item") => {
                let item = item::read(pass, &mut one.tax_category, child);
                one.item.push(item);
            }
            _ => pass.unread(child),
        }
    }
    one
}
