//! Delivery: tir01-092 to tir01-106, tir76-099, tir76-100.

use quoin_model::en16931::{Date, Field};
use quoin_model::order::{Order, OrderDelivery, OrderKind, OrderPeriod};

use super::{party, time};
use crate::ubl::write::invoice::party::address;
use crate::ubl::write::invoice::{date, id};
use crate::writing::{InvoiceOutput, LossKind};

/// Writes the delivery of the document.
pub(super) fn write<'d>(out: &mut InvoiceOutput<'d>, order: &Order<'d>) {
    let Some(delivery) = order.delivery.first() else { return };
    if order.kind == OrderKind::Response {
        out.group("cac:Delivery", |out| promised(out, delivery));
        return;
    }
    out.group("cac:Delivery", |out| {
        out.group("cac:DeliveryLocation", |out| {
            if let Some(location) = delivery.location.filled() {
                id(out, "cbc:ID", location);
            }
            out.first("cbc:Name", &delivery.location_name);
            address(out, "cac:Address", &delivery.address);
        });
        requested(out, delivery);
        if let Some(one) = delivery.party.first() {
            party::receiver(out, one);
        }
    });
}

/// When it is wanted.
pub(super) fn requested<'d>(out: &mut InvoiceOutput<'d>, delivery: &OrderDelivery<'d>) {
    if let Some(one) = delivery.requested.first() {
        out.group("cac:RequestedDeliveryPeriod", |out| period(out, one));
    }
}

/// When it is promised.
pub(super) fn promised<'d>(out: &mut InvoiceOutput<'d>, delivery: &OrderDelivery<'d>) {
    if let Some(one) = delivery.promised.first() {
        out.group("cac:PromisedDeliveryPeriod", |out| period(out, one));
    }
}

/// A period; one day is its first and its last.
fn period<'d>(out: &mut InvoiceOutput<'d>, period: &OrderPeriod<'d>) {
    if let Some(day) = period.day.filled() {
        date(out, "cbc:StartDate", &period.day);
        time(out, "cbc:StartTime", &period.time);
        return last_day(out, day, &period.end);
    }
    date(out, "cbc:StartDate", &period.start);
    time(out, "cbc:StartTime", &period.start_time);
    date(out, "cbc:EndDate", &period.end);
    time(out, "cbc:EndTime", &period.end_time);
}

/// The one day again: the target has a first and a last.
fn last_day<'d>(out: &mut InvoiceOutput<'d>, day: Date<'d>, end: &Field<Date<'d>>) {
    let Some(written) = crate::writing::written_day(day) else { return };
    let text = written.day.to_string();
    let reason = "the target has the first and the last day: it is the same";
    out.derived("cbc:EndDate", &text, day.element(), None, reason);
    for other in end.iter().filter(|other| !other.is_blank()) {
        let path = "cbc:EndDate";
        match other.is(&text) {
            true => out.ledger.carry(**other),
            false => out.told_otherwise(path, **other, LossKind::Lost, "another day stands there"),
        }
    }
}
