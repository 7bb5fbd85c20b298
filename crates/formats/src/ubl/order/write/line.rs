//! Lines: tir01-120 to tir01-170, tir76-120 to tir76-207.

use quoin_model::en16931::{Field, ItemInformation, TaxCategory};
use quoin_model::order::{Order, OrderKind, OrderedLine};

use super::{delivery, one_text};
use crate::reading::cents;
use crate::ubl::write::invoice::{amount, id, item, line, made_amount, quantity, totals, wrapped};
use crate::writing::InvoiceOutput;

/// Writes the inside of `OrderLine`.
pub(super) fn write<'d>(out: &mut InvoiceOutput<'d>, one: &OrderedLine<'d>, order: &Order<'d>) {
    let is_response = order.kind == OrderKind::Response;
    if !is_response {
        one_text(out, "cbc:Note", &one.notes);
    }
    out.group("cac:LineItem", |out| line_item(out, one, order.kind));
    if !is_response {
        return;
    }
    if let Some(other) = one.substitute.first() {
        out.group("cac:SellerSubstitutedLineItem", |out| {
            substitute_number(out, one);
            let inner = other.item.first();
            out.required_group("cac:Item", |out| {
                if let Some(inner) = inner {
                    item(out, inner, &other.tax_category);
                }
            });
        });
    }
    wrapped(out, "cac:OrderLineReference", "cbc:LineID", &one.order_line);
}

/// The line that is delivered instead has the number of the line, where it has none of its own.
fn substitute_number<'d>(out: &mut InvoiceOutput<'d>, one: &OrderedLine<'d>) {
    let own = one.substitute.first().is_some_and(|other| out.first("cbc:ID", &other.id));
    if own {
        return;
    }
    let text = one.id.text().unwrap_or_default().into_owned();
    let reason = "what is delivered instead must have a number: that of the line";
    out.derived("cbc:ID", &text, one.element, Some("tir76-p002"), reason);
}

fn line_item<'d>(out: &mut InvoiceOutput<'d>, one: &OrderedLine<'d>, kind: OrderKind) {
    let is_response = kind == OrderKind::Response;
    if !out.first("cbc:ID", &one.id) {
        out.refuse_without(one.element, "identifier of the line (tir01-120)", "cbc:ID");
    }
    if is_response {
        one_text(out, "cbc:Note", &one.notes);
    }
    out.first("cbc:LineStatusCode", &one.status);
    if let Some(own) = one.quantity.filled() {
        quantity(out, "cbc:Quantity", own);
    }
    if !is_response {
        net_amount(out, one);
    } else if let Some(own) = one.backorder.filled() {
        quantity(out, "cbc:MaximumBackorderQuantity", own);
    }
    if !is_response {
        out.first("cbc:PartialDeliveryIndicator", &one.partial);
        out.first("cbc:AccountingCost", &one.accounting_reference);
    }
    if let Some(own) = one.delivery.first() {
        out.group("cac:Delivery", |out| match is_response {
            true => delivery::promised(out, own),
            false => delivery::requested(out, own),
        });
    }
    if !is_response {
        for charge in &one.allowance_charges {
            totals::allowance_charge(out, charge);
        }
    }
    if let Some(own) = one.price.first() {
        out.group("cac:Price", |out| price(out, own, is_response));
    }
    out.required_group("cac:Item", |out| {
        if let Some(own) = one.item.first() {
            match is_response {
                true => answered(out, own),
                false => item(out, own, &one.tax_category),
            }
        }
    });
}

/// The item of an answer: its name and its numbers, tir76-205 to tir76-207.
fn answered<'d>(out: &mut InvoiceOutput<'d>, own: &ItemInformation<'d>) {
    out.first("cbc:Name", &own.name);
    wrapped(out, "cac:BuyersItemIdentification", "cbc:ID", &own.buyer_id);
    wrapped(out, "cac:SellersItemIdentification", "cbc:ID", &own.seller_id);
    standard(out, own);
}

fn standard<'d>(out: &mut InvoiceOutput<'d>, own: &ItemInformation<'d>) {
    out.group("cac:StandardItemIdentification", |out| {
        if let Some(standard) = own.standard_id.filled() {
            id(out, "cbc:ID", standard);
        }
    });
}

/// The price; an answer has the net price only.
fn price<'d>(
    out: &mut InvoiceOutput<'d>,
    own: &quoin_model::en16931::Price<'d>,
    is_response: bool,
) {
    if !is_response {
        return line::price(out, own);
    }
    amount(out, "cbc:PriceAmount", &own.net);
    if let Some(base) = own.base_quantity.filled() {
        quantity(out, "cbc:BaseQuantity", base);
    }
}

/// tir01-128: what the source says, else quantity times price, which Peppol asks for beside a price
/// (PEPPOL-T01-R024).
fn net_amount<'d>(out: &mut InvoiceOutput<'d>, one: &OrderedLine<'d>) {
    if one.net_amount.is_filled() {
        return amount(out, "cbc:LineExtensionAmount", &one.net_amount);
    }
    let is_priced = one.price.first().is_some_and(|price| price.net.is_filled());
    let Some(net) = one.net().filter(|_| is_priced) else { return };
    let (name, text) = ("cbc:LineExtensionAmount", cents(net));
    let path = out.path_of(name);
    let reason = "the target asks for it beside a price: quantity times price";
    out.ledger.invent(one.element, Some("tir01-128"), &text, path, reason);
    made_amount(out, name, &text);
}

/// The item: tir01-133 to tir01-149, tir76-205 to tir76-207.
fn item<'d>(out: &mut InvoiceOutput<'d>, own: &ItemInformation<'d>, tax: &Field<TaxCategory<'d>>) {
    out.first("cbc:Description", &own.description);
    out.first("cbc:Name", &own.name);
    wrapped(out, "cac:BuyersItemIdentification", "cbc:ID", &own.buyer_id);
    wrapped(out, "cac:SellersItemIdentification", "cbc:ID", &own.seller_id);
    let more = own.extensions.as_deref();
    if let Some(more) = more {
        wrapped(out, "cac:ManufacturersItemIdentification", "cbc:ID", &more.other_ids);
    }
    standard(out, own);
    for one in &own.classifications {
        item::classification(out, one);
    }
    if let Some(category) = tax.first() {
        totals::category(out, "cac:ClassifiedTaxCategory", category);
    }
    for attribute in own.attributes.iter().filter(|one| one.value.is_filled()) {
        out.group("cac:AdditionalItemProperty", |out| {
            out.first("cbc:Name", &attribute.name);
            out.first("cbc:Value", &attribute.value);
            if let Some(value) = attribute.quantity.filled() {
                quantity(out, "cbc:ValueQuantity", value);
            }
        });
    }
    for instance in more.iter().flat_map(|more| &more.instances) {
        out.group("cac:ItemInstance", |out| {
            out.first("cbc:SerialID", &instance.serial);
            wrapped(out, "cac:LotIdentification", "cbc:LotNumberID", &instance.lot);
        });
    }
}
