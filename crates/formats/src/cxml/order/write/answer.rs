//! `ConfirmationRequest`: what the seller answers.

use quoin_model::amount::Decimal;
use quoin_model::en16931::{DocumentReference, Price};
use quoin_model::order::{Order, OrderDelivery, OrderedLine};

use super::super::codes::{ANSWERS, BACKORDERED, LINE_STATES};
use super::line::{unit, whole};
use super::{carried, comments, header, moment, party, when};
use crate::cxml::write::line::unit_price;
use crate::reading::lookup_back;
use crate::writing::{InvoiceOutput, OutputAttribute};

/// Writes the answer.
pub(super) fn write<'d>(out: &mut InvoiceOutput<'d>, order: &Order<'d>) {
    let name = "ConfirmationHeader";
    let Some(word) = answer(out, order) else { return };
    let place = "ConfirmationHeader/@noticeDate";
    let date = moment(out, place, &order.issue_date, &order.issue_time);
    let attributes = [
        ("confirmID", carried(order.number.filled())),
        ("operation", Some(OutputAttribute::Constant("new"))),
        ("type", Some(OutputAttribute::Constant(word))),
        ("noticeDate", Some(OutputAttribute::Constant(&date))),
    ];
    out.tagged(name, &attributes, |out| {
        header::total_of(out, order);
        party::contact(out, "buyerCorporate", order.buyer.first());
        party::contact(out, "supplierCorporate", order.seller.first());
        comments(out, &order.notes);
        super::extrinsic(out, "salesOrder", &order.sales_order);
        super::extrinsic(out, "buyerReference", &order.buyer_reference);
    });
    if let Some(one) = order.references.order.first() {
        reference(out, one);
    }
    for (at, one) in order.lines.iter().enumerate() {
        item(out, one, at + 1, order.delivery.first());
    }
    header::identifiers(out, order);
}

/// The answer as a word; that it was received only has none.
fn answer<'d>(out: &mut InvoiceOutput<'d>, order: &Order<'d>) -> Option<&'static str> {
    let Some(code) = order.response.filled() else {
        out.refuse_without(order.element, "answer (tir76-200)", "ConfirmationHeader/@type");
        return None;
    };
    // What is accepted with changes is told line by line.
    let word = match code.trimmed().as_ref() {
        "CA" => Some("detail"),
        text => lookup_back(ANSWERS, text),
    };
    match word {
        Some(_) => out.ledger.carry(*code),
        None => out.refuse_value(*code, "cXML answers accept, reject or with changes only"),
    }
    word
}

/// Which order is answered. The definition asks for the message that it came in: the number of the
/// order stands for that.
fn reference<'d>(out: &mut InvoiceOutput<'d>, one: &DocumentReference<'d>) {
    let day = moment(out, "OrderReference/@orderDate", &one.issue_date, &one.issue_time);
    let id = one.id.filled();
    let number = id.map(|id| id.trimmed().into_owned()).unwrap_or_default();
    let attributes =
        [("orderID", carried(id)), ("orderDate", Some(OutputAttribute::Constant(&day)))];
    out.tagged("OrderReference", &attributes, |out| {
        let payload = carried(one.uuid.filled()).unwrap_or(OutputAttribute::Constant(&number));
        out.tagged("DocumentReference", &[("payloadID", Some(payload))], |_| {});
    });
}

/// A line: what becomes of how much of it, and when.
fn item<'d>(
    out: &mut InvoiceOutput<'d>,
    one: &OrderedLine<'d>,
    place: usize,
    of_all: Option<&OrderDelivery<'d>>,
) {
    let of_order = one.order_line.filled().or_else(|| one.id.filled());
    let number = whole(out, of_order.map(|id| *id), place, one);
    if let (Some(own), Some(of_order)) = (one.id.filled(), of_order) {
        // The number of the line in the answer is that of the line of the order.
        if *own != *of_order && own.is(&of_order.trimmed()) {
            out.ledger.derive(*own);
        }
    }
    let Some(quantity) = one.quantity.filled() else {
        let what = "quantity of the line (tir76-132)";
        return out.refuse_without(one.element, what, "ConfirmationItem/@quantity");
    };
    let Some(state) = state(out, one) else { return };
    let later = one.backorder.filled();
    let sum = later.and_then(|later| quantity.value()?.checked_add(later.value()?));
    let whole = sum.map_or(quantity.trimmed().into_owned(), |sum| sum.to_string());
    let attributes = [
        ("quantity", Some(OutputAttribute::Constant(&whole))),
        ("lineNumber", Some(OutputAttribute::Constant(&number))),
    ];
    out.tagged("ConfirmationItem", &attributes, |out| {
        let own = quantity.unit().map(|unit| *unit);
        unit(out, own, one);
        // What is promised of all lines is promised of each.
        let promised = one.delivery.first().or(of_all).and_then(|own| own.promised.first());
        let day = when(out, "ConfirmationStatus/@deliveryDate", promised);
        let attributes = [
            ("quantity", Some(OutputAttribute::Carried(*quantity))),
            ("type", Some(OutputAttribute::Constant(state))),
            ("deliveryDate", Some(OutputAttribute::Constant(&day))),
        ];
        out.tagged("ConfirmationStatus", &attributes, |out| {
            unit(out, own, one);
            price(out, one.price.first());
            comments(out, &one.notes);
        });
        let Some(later) = later else { return };
        let attributes = [
            ("quantity", Some(OutputAttribute::Carried(*later))),
            ("type", Some(OutputAttribute::Constant(BACKORDERED))),
        ];
        out.tagged("ConfirmationStatus", &attributes, |out| {
            unit(out, later.unit().map(|unit| *unit), one);
        });
    });
}

fn state<'d>(out: &mut InvoiceOutput<'d>, one: &OrderedLine<'d>) -> Option<&'static str> {
    let Some(code) = one.status.filled() else {
        let what = "state of the line (tir76-202)";
        out.refuse_without(one.element, what, "ConfirmationStatus/@type");
        return None;
    };
    let word = lookup_back(LINE_STATES, &code.trimmed());
    match word {
        Some(_) => out.ledger.carry(*code),
        None => out.refuse_value(*code, "a line of cXML is accepted, changed or rejected"),
    }
    word
}

/// The net price, which is for one: a state has no place for what it is of.
fn price<'d>(out: &mut InvoiceOutput<'d>, own: Option<&Price<'d>>) {
    let base = own.filter(|own| own.net.is_filled()).and_then(|own| own.base_quantity.filled());
    if let Some(base) = base.filter(|base| base.value() != Some(Decimal::new(1, 0))) {
        return out.refuse_value(*base, "a price that cXML confirms is for one");
    }
    if let Some(own) = own.filter(|own| own.net.is_filled()) {
        out.group("UnitPrice", |out| unit_price(out, Some(own)));
    }
}
