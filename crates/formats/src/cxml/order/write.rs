//! Writing cXML 1.2 `OrderRequest` and `ConfirmationRequest`, in the order of the definitions.
//!
//! Source: cXML 1.2.063 `cXML.dtd`, `Fulfill.dtd` and the user's guide.

mod answer;
mod header;
mod line;
mod party;

use quoin_model::en16931::{Date, Field, Identifier, Text, Time, ValueType};
use quoin_model::order::{Order, OrderKind, OrderPeriod, OrderSyntax};

use super::codes::LANGUAGE;
use crate::cxml::write::{changed, made, spoken};
use crate::writing::{
    ConversionRefusal, InvoiceOutput, LeafLedger, LossKind, OrderWriter, OutputAttribute,
    written_day,
};

/// The row of the table of targets.
pub(crate) const ORDER_WRITER: OrderWriter = OrderWriter {
    syntax: OrderSyntax::Cxml,
    target: "cxml",
    is_written_so: |_| true,
    write: written,
};

/// The definitions that the documents name.
const ORDER_DTD: &str = "http://xml.cxml.org/schemas/cXML/1.2.063/cXML.dtd";
const ANSWER_DTD: &str = "http://xml.cxml.org/schemas/cXML/1.2.063/Fulfill.dtd";

fn written<'d>(
    ledger: LeafLedger<'d>,
    order: &Order<'d>,
) -> Result<(String, LeafLedger<'d>), ConversionRefusal> {
    let (text, ledger) = InvoiceOutput::ordered(ledger, order, write)?;
    let definition = if order.kind == OrderKind::Response { ANSWER_DTD } else { ORDER_DTD };
    let declared = format!("\n<!DOCTYPE cXML SYSTEM \"{definition}\">\n<cXML");
    Ok((text.replacen("\n<cXML", &declared, 1), ledger))
}

fn write<'d>(out: &mut InvoiceOutput<'d>, order: &Order<'d>) -> Result<(), ConversionRefusal> {
    refuse_what_is_missing(order)?;
    currency(out, order)?;
    let number = order.number.text().unwrap_or_default();
    let day = order.issue_date.get().and_then(written_day);
    // Who sends it has no clock here: the message is as old as the order.
    let stamp = day.map(|day| format!("{}T00:00:00+00:00", day.day)).unwrap_or_default();
    let payload = if number.is_empty() { "order" } else { number.as_ref() };
    let attributes =
        [("payloadID", payload), ("timestamp", stamp.as_str()), ("version", "1.2.063"), LANGUAGE];
    out.root("cXML", &attributes, |out| {
        out.group("Header", |out| party::credentials(out, order));
        let mode = order.extensions.test.get().and_then(|test| test.value());
        let mode = mode.map(|test| if test { "test" } else { "production" });
        if let Some(test) = order.extensions.test.filled() {
            out.ledger.carry(*test);
        }
        let attributes = [("deploymentMode", mode.map(OutputAttribute::Constant))];
        out.tagged("Request", &attributes, |out| match order.kind {
            OrderKind::Response => {
                out.group("ConfirmationRequest", |out| answer::write(out, order));
            }
            _ => {
                out.group("OrderRequest", |out| {
                    header::write(out, order);
                    for (at, one) in order.lines.iter().enumerate() {
                        line::write(out, one, at + 1);
                    }
                });
            }
        });
    });
    Ok(())
}

/// The currency of amounts that say none: the document's, else the one that its syntax means, else
/// that of its total.
fn currency<'d>(out: &mut InvoiceOutput<'d>, order: &Order<'d>) -> Result<(), ConversionRefusal> {
    if !out.currency.is_empty() {
        return Ok(());
    }
    if order.syntax == OrderSyntax::Dico {
        out.currency = "EUR".into();
        let reason = "the document names no currency, and its syntax is one of the Netherlands";
        let path = "/cXML/Request//Money/@currency".to_owned();
        out.ledger.invent(order.element, Some("tir01-007"), "EUR", path, reason);
        return Ok(());
    }
    let total = order.totals.first().and_then(|own| own.line_net.get()?.currency());
    let mut lines = order.lines.iter();
    let price = || lines.find_map(|line| line.price.first()?.net.get()?.currency());
    match total.or_else(price) {
        Some(own) => out.currency = own.trimmed(),
        None if order.kind == OrderKind::Response => {}
        None => return Err(ConversionRefusal::TermMissing { term: "currency (tir01-007)" }),
    }
    Ok(())
}

/// What the definitions ask for and nothing else says.
fn refuse_what_is_missing(order: &Order<'_>) -> Result<(), ConversionRefusal> {
    let missing = |term: &'static str| Err(ConversionRefusal::TermMissing { term });
    let is_response = order.kind == OrderKind::Response;
    let reference = order.references.order.first();
    let has_reference = reference.is_some_and(|one| one.id.is_filled());
    let has_day = order.issue_date.get().is_some_and(|date| written_day(date).is_some());
    match () {
        () if order.kind == OrderKind::Order && !order.number.is_filled() => {
            missing("number of the order (tir01-003)")
        }
        () if order.kind != OrderKind::Order && !has_reference => {
            missing("number of the order that it is about (tir76-011)")
        }
        () if !has_day => missing("day of issue (tir01-004)"),
        () if !is_response && order.lines.is_empty() => {
            missing("line (tir01-120), which cXML repeats of an order that is taken back, too")
        }
        () if !is_response && order.buyer.is_absent() && order.invoicee.is_absent() => {
            missing("buyer (tir01-044)")
        }
        () => Ok(()),
    }
}

/// The zone of a time of which nobody says one.
const UTC: &str = "+00:00";

/// A day and a time as one moment, and their places in the ledger. The definition asks for a time
/// and a zone: a day is its midnight.
fn moment<'d>(
    out: &mut InvoiceOutput<'d>,
    name: &str,
    day: &Field<Date<'d>>,
    time: &Field<Time<'d>>,
) -> String {
    let Some(first) = day.filled() else { return String::new() };
    let Some(written) = out.day(name, first) else { return String::new() };
    let own = time.filled().filter(|time| is_time(&time.trimmed()));
    let Some(own) = own else { return format!("{written}T00:00:00+00:00") };
    out.ledger.carry(*own);
    let text = own.trimmed();
    let has_zone = text.get(8..).is_some_and(|rest| rest.contains(['Z', '+', '-']));
    if has_zone {
        return format!("{written}T{text}");
    }
    let path = out.path_of(name);
    out.ledger.invent(
        own.element(),
        None,
        UTC,
        path,
        "the definition asks for a zone: none is said",
    );
    format!("{written}T{text}{UTC}")
}

/// Whether a text begins as a time of the day does.
fn is_time(text: &str) -> bool {
    let shape = |(at, byte): (usize, u8)| match at {
        2 | 5 => byte == b':',
        _ => byte.is_ascii_digit(),
    };
    text.len() >= 8 && text.bytes().take(8).enumerate().all(shape)
}

/// By when goods are wanted or promised, as one moment: the one day, else the last.
fn when<'d>(out: &mut InvoiceOutput<'d>, name: &str, period: Option<&OrderPeriod<'d>>) -> String {
    let Some(period) = period else { return String::new() };
    let Some(day) = period.day.filled() else {
        let text = moment(out, name, &period.end, &period.end_time);
        if let (Some(_), Some(start)) = (period.one_day(), period.start.filled()) {
            let reason = "one moment says by when: the first day is the last";
            changed(out, *start, name, reason);
        }
        return text;
    };
    let text = moment(out, name, &period.day, &period.time);
    if let Some(end) = period.end.filled().filter(|end| end.is(&day.trimmed())) {
        // The last day is the first one.
        out.ledger.carry(*end);
    }
    text
}

/// Notes are one text, with its language.
fn comments<'d>(out: &mut InvoiceOutput<'d>, notes: &Field<Text<'d>>) {
    let said: Vec<Text<'d>> = notes.iter().copied().filter(|note| !note.is_blank()).collect();
    match said.as_slice() {
        [] => {}
        [one] => spoken(out, "Comments", Some(*one)),
        several => {
            let path = out.path_of("Comments");
            let texts: Vec<_> = several.iter().map(|text| text.trimmed()).collect();
            let whole = texts.join("\n");
            for note in several {
                let reason = "notes are one text here";
                out.ledger.list(**note, LossKind::Merged, Some(path.clone()), reason);
            }
            made(out, "Comments", &whole);
        }
    }
}

/// A term under a name that the two parties agree on.
fn extrinsic<'d, T: ValueType<'d>>(out: &mut InvoiceOutput<'d>, name: &str, field: &Field<T>) {
    if let Some(value) = field.filled() {
        out.attributed("Extrinsic", value, &[("name", Some(OutputAttribute::Constant(name)))]);
    }
}

/// An identifier that is an attribute.
fn carried<'d>(id: Option<Identifier<'d>>) -> Option<OutputAttribute<'static, 'd>> {
    id.map(|id| OutputAttribute::Carried(*id))
}
