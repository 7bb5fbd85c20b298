//! Delivery (BG-13, BG-15) and periods (BG-14, BG-26), of which the target has one of a day and a
//! period.

use quoin_model::en16931::{DeliveryInformation, Field, Invoice, Line, Period};

use super::party;
use crate::writing::{InvoiceOutput, LossKind};

/// Writes `Delivery` of the document.
pub(super) fn of_document<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    let empty = DeliveryInformation::new(invoice.element);
    let delivery = invoice.delivery.first().unwrap_or(&empty);
    write(out, Some(invoice), delivery, &invoice.period);
}

/// Writes `Delivery` of a line.
pub(super) fn of_line<'d>(out: &mut InvoiceOutput<'d>, line: &Line<'d>) {
    let empty = DeliveryInformation::new(line.element);
    let own = line.extensions.as_deref().and_then(|more| more.deliveries.first());
    write(out, None, own.unwrap_or(&empty), &line.period);
}

fn write<'d>(
    out: &mut InvoiceOutput<'d>,
    invoice: Option<&Invoice<'d>>,
    delivery: &DeliveryInformation<'d>,
    periods: &Field<Period<'d>>,
) {
    let is_day = |field: &Field<quoin_model::en16931::Date<'d>>| {
        field.filled().is_some_and(|day| crate::writing::written_day(day).is_some())
    };
    let period = periods.iter().find(|one| is_day(&one.start) && is_day(&one.end));
    let has_date = is_day(&delivery.date);
    if period.is_none() && !has_date {
        return;
    }
    out.group("eb:Delivery", |out| {
        if let Some(id) = delivery.location.filled() {
            out.limited("eb:DeliveryID", *id, 255);
        }
        match period {
            Some(period) => {
                out.group("eb:Period", |out| {
                    out.plain_day("eb:FromDate", &period.start);
                    out.plain_day("eb:ToDate", &period.end);
                });
            }
            None => {
                out.plain_day("eb:Date", &delivery.date);
            }
        }
        party::receiver(out, invoice, delivery);
        let date = delivery.date.filled().filter(|_| period.is_some());
        match (delivery.description.filled(), date) {
            (Some(text), _) => {
                out.text("eb:Description", text);
            }
            (None, Some(date)) if has_date => {
                let reason = "a delivery has a day or a period in the target: the day is in words";
                let words = format!("Lieferdatum {}", date.trimmed());
                out.constant("eb:Description", &words, &[]);
                out.told_otherwise("eb:Description", *date, LossKind::CarriedAsText, reason);
                if let Some(format) = date.format() {
                    out.ledger.regenerate(format);
                }
            }
            _ => {}
        }
    });
}
