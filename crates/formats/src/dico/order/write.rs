//! Writing orders and order responses of DICO SALES005.
//!
//! Source: the structure of INSBOU003 as documents have it; the code lists of SALES005. Lengths are
//! those of INSBOU003.

mod line;
mod party;

use quoin_model::en16931::{Amount, Code, DocumentReference, Field, Time, ValueType};
use quoin_model::order::{Order, OrderKind, OrderPeriod, OrderSyntax, TransportInstruction};

use super::SALES;
use super::codes::{ANSWERS, ORDER};
use crate::reading::lookup_back;
use crate::writing::{ConversionRefusal, InvoiceOutput, LossKind, OrderWriter, pieces};

/// The row of the table of targets.
pub(crate) const ORDER_WRITER: OrderWriter = OrderWriter {
    syntax: OrderSyntax::Dico,
    target: "dico",
    is_written_so: |element| element.namespace().starts_with(SALES),
    write: |mut ledger, order| {
        ledger.in_own_words = order.syntax == OrderSyntax::Dico;
        InvoiceOutput::ordered(ledger, order, write)
    },
};

/// The namespaces of the messages, by the pattern of those that are published.
const ORDER_NAMESPACE: &str = "http://www.ketenstandaard.nl/order/SALES/005";
const RESPONSE_NAMESPACE: &str = "http://www.ketenstandaard.nl/orderbevestiging/SALES/005";

/// Characters of a number of a document.
const NUMBER: usize = 17;
/// Characters of a line of free text.
const FREE_TEXT: usize = 70;
/// The kinds of order of the list of SALES005.
const TYPES: &[&str] = &["220", "402", "732", "733"];

fn write<'d>(out: &mut InvoiceOutput<'d>, order: &Order<'d>) -> Result<(), ConversionRefusal> {
    refuse_what_has_no_place(out, order)?;
    let (name, namespace) = match order.kind {
        OrderKind::Response => ("OrderResponse", RESPONSE_NAMESPACE),
        _ => ("Order", ORDER_NAMESPACE),
    };
    out.root(name, &[("xmlns", namespace)], |out| {
        match order.kind {
            OrderKind::Response => answer(out, order),
            _ => head(out, order),
        }
        notes(out, &order.notes);
        let delivery = order.delivery.first();
        let period = delivery.and_then(|own| match order.kind {
            OrderKind::Response => own.promised.first(),
            _ => own.requested.first(),
        });
        if let Some(period) = period {
            self::period(out, period, order.kind == OrderKind::Response);
        }
        party::write(out, order);
        if order.kind == OrderKind::Response {
            for one in &order.allowance_charges {
                line::charge(out, one, ["Charge", "Allowance"]);
            }
        }
        for (at, one) in order.lines.iter().enumerate() {
            line::write(out, one, at + 1, order.kind);
        }
    });
    identifiers(out, order);
    Ok(())
}

/// DICO neither changes an order nor takes one back, and says no currency.
fn refuse_what_has_no_place<'d>(
    out: &mut InvoiceOutput<'d>,
    order: &Order<'d>,
) -> Result<(), ConversionRefusal> {
    let what = order.kind.title();
    if matches!(order.kind, OrderKind::Change | OrderKind::Cancellation) {
        return Err(ConversionRefusal::OtherDocuments { what, target: "DICO" });
    }
    if order.lines.is_empty() && order.kind == OrderKind::Order {
        return Err(ConversionRefusal::TermMissing { term: "line of the order (tir01-120)" });
    }
    if let Some(currency) = order.currency.filled().filter(|currency| !currency.is("EUR")) {
        out.refuse_value(*currency, "orders of DICO say no currency: they are in euro");
    }
    Ok(())
}

/// What is told by the namespace, and by there being no currency.
fn identifiers<'d>(out: &mut InvoiceOutput<'d>, order: &Order<'d>) {
    out.identifiers_without_place(order);
    for currency in order.currency.iter().filter(|currency| currency.is("EUR")) {
        out.ledger.derive(**currency);
    }
}

/// tir01-003 to tir01-019.
fn head<'d>(out: &mut InvoiceOutput<'d>, order: &Order<'d>) {
    order_type(out, order);
    number(out, "OrderNumber", order);
    day(out, "OrderDate", order);
    time(out, "OrderTime", &order.issue_time);
    let codes = &order.extensions.codes;
    for name in ["ScenarioTypeCode", "DraftOrderIndicator", "DeliveryOnDemandIndicator"] {
        code_of(out, name, codes);
    }
    let all = &order.references;
    let names = ["CustomerOrderReference", "EndCustomerOrderNumber", ""];
    reference(out, names, &all.originator);
    let names = ["ContractReference", "ContractNumber", "ContractDate"];
    reference(out, names, &all.contract);
    reference(out, ["ProjectReference", "ProjectNumber", ""], &all.project);
    out.group("DeliveryConditions", |out| code_of(out, "BackhaulingIndicator", codes));
    for one in &order.extensions.instructions {
        instruction(out, one);
    }
}

/// tir76-003 to tir76-011, tir76-200.
fn answer<'d>(out: &mut InvoiceOutput<'d>, order: &Order<'d>) {
    number(out, "OrderResponseNumber", order);
    day(out, "OrderResponseDate", order);
    time(out, "OrderResponseTime", &order.issue_time);
    match order.response.filled() {
        None => out.refuse_without(order.element, "answer (tir76-200)", "StatusCode"),
        Some(code) => match lookup_back(ANSWERS, &code.trimmed()) {
            Some(own) => out.kept("StatusCode", own, *code),
            None => out.refuse_value(*code, "an answer of DICO is 4, 12, 27 or 29"),
        },
    }
    if let Some(totals) = order.totals.first() {
        amount(out, "TotalAmount", &totals.line_net);
    }
    let names = ["OrderReference", "BuyersOrderNumber", ""];
    if !reference(out, names, &order.references.order) {
        let what = "number of the order (tir76-011)";
        out.refuse_without(order.element, what, "BuyersOrderNumber");
    }
    reference(out, ["ProjectReference", "ProjectNumber", ""], &order.references.project);
}

/// The kind of order: one that the list has not would be another order.
fn order_type<'d>(out: &mut InvoiceOutput<'d>, order: &Order<'d>) {
    match order.type_code.filled() {
        Some(code) if TYPES.contains(&code.trimmed().as_ref()) => {
            let text = out.words(*code).into_owned();
            out.kept("OrderType", &text, *code);
        }
        Some(code) => out.refuse_value(*code, "DICO has orders of type 220, 402, 732 and 733"),
        None => {
            let reason = "the message must say which order it is: the usual one";
            out.derived("OrderType", ORDER, order.element, Some("tir01-153"), reason);
        }
    }
}

/// The number of the message.
fn number<'d>(out: &mut InvoiceOutput<'d>, name: &'static str, order: &Order<'d>) {
    let Some(own) = order.number.filled() else {
        if order.kind == OrderKind::Order {
            out.refuse_without(order.element, "number of the order (tir01-003)", name);
        }
        return;
    };
    short(out, name, own);
}

/// A number of a document, which is never cut.
fn short<'d, T: ValueType<'d>>(out: &mut InvoiceOutput<'d>, name: &'static str, value: T) {
    let source = value.source();
    let text = out.words(source).into_owned();
    if text.chars().count() > NUMBER {
        return out.refuse_value(source, "a number has at most 17 characters in DICO");
    }
    out.kept(name, &text, source);
}

fn day<'d>(out: &mut InvoiceOutput<'d>, name: &'static str, order: &Order<'d>) {
    if !out.plain_day(name, &order.issue_date) {
        out.refuse_without(order.element, "day of issue (tir01-004)", name);
    }
}

fn time<'d>(out: &mut InvoiceOutput<'d>, name: &'static str, field: &Field<Time<'d>>) {
    if let Some(own) = field.filled() {
        out.number(name, own, &[]);
    }
}

/// A word of DICO, where the source is of DICO, too: the element says which it is.
fn code_of<'d>(out: &mut InvoiceOutput<'d>, name: &'static str, codes: &[Code<'d>]) {
    for code in codes.iter().filter(|code| code.element().local() == name) {
        out.text(name, *code);
    }
}

/// A reference in its wrapper, with its day where there is one. Whether there is a reference.
fn reference<'d>(
    out: &mut InvoiceOutput<'d>,
    [wrapper, number, day]: [&'static str; 3],
    field: &Field<DocumentReference<'d>>,
) -> bool {
    let Some(one) = field.iter().find(|one| one.id.is_filled()) else { return false };
    out.group(wrapper, |out| {
        if let Some(id) = one.id.filled() {
            short(out, number, id);
        }
        if !day.is_empty() {
            out.plain_day(day, &one.issue_date);
        }
    })
}

fn instruction<'d>(out: &mut InvoiceOutput<'d>, one: &TransportInstruction<'d>) {
    out.group("TransportInstruction", |out| {
        out.first("TransportInstructionTypeCode", &one.code);
        out.first("DeliveryNoteText", &one.text);
    });
}

/// Notes, in lines of so many characters.
fn notes<'d, T: ValueType<'d>>(out: &mut InvoiceOutput<'d>, field: &Field<T>) {
    out.group("AdditionalInformation", |out| {
        for note in field.iter().filter(|note| !note.source().is_blank()) {
            let source = note.source();
            let text = source.trimmed().into_owned();
            let pieces = pieces(&text, FREE_TEXT);
            if pieces.len() < 2 {
                out.kept("FreeText", &text, source);
                continue;
            }
            let reason = "a text of DICO has at most 70 characters: it goes on in the next one";
            out.told_otherwise("FreeText", source, LossKind::Changed, reason);
            for piece in pieces {
                out.constant("FreeText", piece, &[]);
            }
        }
    });
}

/// When goods are wanted or promised: one day, or the first and the last.
fn period<'d>(out: &mut InvoiceOutput<'d>, period: &OrderPeriod<'d>, is_promise: bool) {
    let (day_name, time_name) = match is_promise {
        true => ("ScheduledDeliveryDate", "ScheduledDeliveryTime"),
        false => ("RequiredDeliveryDate", "RequiredDeliveryTime"),
    };
    let is_said = period.day.is_filled();
    let one = period.one_day().filter(|_| is_said || !period.end_time.is_filled());
    out.group("DeliveryDateTimeInformation", |out| {
        let is_day = one.is_some_and(|day| out.one_day(day_name, day));
        if is_day {
            let times = [&period.time, &period.start_time];
            let own = times.into_iter().find(|time| time.is_filled());
            if let Some(own) = own {
                time(out, time_name, own);
            }
            if period.day.is_absent()
                && let Some(end) = period.end.filled()
            {
                // The last day is the first one.
                out.ledger.carry(*end);
                return;
            }
        }
        let has_frame = period.end.is_filled() || period.start.is_filled() && !is_day;
        if !has_frame {
            return;
        }
        out.group("DeliveryTimeFrame", |out| {
            out.plain_day("DeliveryDateEarliest", &period.start);
            time(out, "DeliveryTimeEarliest", &period.start_time);
            out.plain_day("DeliveryDateLatest", &period.end);
            time(out, "DeliveryTimeLatest", &period.end_time);
        });
    });
}

/// An amount, which is in euro.
fn amount<'d>(out: &mut InvoiceOutput<'d>, name: &'static str, field: &Field<Amount<'d>>) -> bool {
    let Some(value) = field.filled() else { return false };
    let is_written = out.number(name, value, &[]);
    if let Some(currency) = value.currency().filter(|currency| !currency.is_blank()) {
        match currency.is("EUR") {
            true => out.ledger.derive(*currency),
            false => {
                out.refuse_value(*currency, "orders of DICO say no currency: they are in euro");
            }
        }
    }
    is_written
}
