//! The answer to an order (BIS Ordering 3, transaction T76; BIS Advanced Ordering 3, transaction
//! T116) and the cancellation of an order (BIS Advanced Ordering 3, transaction T115).

use std::collections::BTreeSet;

use jiff::civil::DateTime;
use quoin_xml::tree::Element;

use super::invoice_response::InvoiceResponseCode;
use super::{Participant, UblWriter};
use crate::ubl;

/// The states of an order (UNCL4343-T76).
pub static ORDER_STATUSES: &[InvoiceResponseCode] = &[
    InvoiceResponseCode { code: "AB", name: "Acknowledge", meaning: "received" },
    InvoiceResponseCode { code: "AP", name: "Accept", meaning: "accepted" },
    InvoiceResponseCode {
        code: "CA",
        name: "ConditionallyAccepted",
        meaning: "accepted under conditions",
    },
    InvoiceResponseCode { code: "RE", name: "Reject", meaning: "rejected" },
];

/// The state that has to repeat the lines of what it answers (PEPPOL-T76-R007, PEPPOL-T116-R007).
pub const REPEATS_LINES: &str = "CA";

/// In which process a message about an order is answered, and with which transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OrderAnswerForm {
    /// BIS Ordering 3: T76, which answers an order.
    Ordering,
    /// BIS Advanced Ordering 3: T116, which answers an order, its change and its cancellation.
    Advanced,
}

impl OrderAnswerForm {
    /// The specification identifier of the answer, and its process.
    pub const fn identifiers(self) -> (&'static str, &'static str) {
        match self {
            OrderAnswerForm::Ordering => (
                "urn:fdc:peppol.eu:poacc:trns:order_response:3",
                "urn:fdc:peppol.eu:poacc:bis:ordering:3",
            ),
            OrderAnswerForm::Advanced => (
                "urn:fdc:peppol.eu:poacc:trns:order_response_advanced:3",
                "urn:fdc:peppol.eu:poacc:bis:advanced_ordering:3",
            ),
        }
    }
}

/// A line of an order, as an answer repeats it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderLine {
    /// Its number in the order.
    pub id: String,
    /// The name of its item.
    pub item: String,
}

/// An answer to an order, to its change or to its cancellation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderAnswer {
    /// Its transaction and its process.
    pub form: OrderAnswerForm,
    /// Its own number.
    pub id: String,
    /// When it is issued, in UTC.
    pub issued: DateTime,
    /// The state.
    pub status: &'static InvoiceResponseCode,
    /// A remark.
    pub note: Option<String>,
    /// The currency of the order.
    pub currency: String,
    /// The number of the order.
    pub order: String,
    /// The number of the change, where that is answered: T116 alone has a place for it.
    pub change: Option<String>,
    /// Who answers.
    pub seller: Participant,
    /// Who ordered.
    pub buyer: Participant,
    /// The lines, which only CA repeats.
    pub lines: Vec<OrderLine>,
}

/// The message that answers an order, its change or its cancellation.
pub fn order_response(answer: &OrderAnswer) -> String {
    let (specification, process) = answer.form.identifiers();
    let mut out = UblWriter::document("OrderResponse", specification, process);
    out.value("ID", &answer.id);
    out.issued(answer.issued);
    out.value("OrderResponseCode", answer.status.code);
    out.optional("Note", answer.note.as_deref());
    out.value("DocumentCurrencyCode", &answer.currency);
    out.group("OrderReference", |out| out.value("ID", &answer.order));
    let has_place = answer.form == OrderAnswerForm::Advanced;
    if let Some(change) = answer.change.as_deref().filter(|_| has_place) {
        out.group("OrderChangeDocumentReference", |out| out.value("ID", change));
    }
    both(&mut out, "SellerSupplierParty", &answer.seller, false);
    both(&mut out, "BuyerCustomerParty", &answer.buyer, false);
    if answer.status.code == REPEATS_LINES {
        order_lines_of(&mut out, &answer.lines);
    }
    out.finish()
}

/// The lines, each under its own number. Where two have one number, which the answer may not, each
/// is numbered by its place.
fn order_lines_of(out: &mut UblWriter, lines: &[OrderLine]) {
    let known: BTreeSet<&str> = lines.iter().map(|line| line.id.as_str()).collect();
    let is_clear = known.len() == lines.len();
    for (line, place) in lines.iter().zip(1_usize..) {
        let place = place.to_string();
        order_line(out, line, if is_clear { &line.id } else { &place });
    }
}

/// 3: changed. Which change it is stands in the remark.
fn order_line(out: &mut UblWriter, line: &OrderLine, number: &str) {
    out.group("OrderLine", |out| {
        out.group("LineItem", |out| {
            out.value("ID", number);
            out.value("LineStatusCode", "3");
            out.group("Item", |out| out.value("Name", &line.item));
        });
        out.group("OrderLineReference", |out| out.value("LineID", &line.id));
    });
}

/// The cancellation of an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CancelledOrder {
    /// Its own number.
    pub id: String,
    /// When it is issued, in UTC.
    pub issued: DateTime,
    /// A remark.
    pub note: Option<String>,
    /// Why it is cancelled.
    pub reason: String,
    /// The number of the order.
    pub order: String,
    /// Who ordered.
    pub buyer: Participant,
    /// Who was to deliver.
    pub seller: Participant,
}

/// The message that cancels an order.
pub fn order_cancellation(cancelled: &CancelledOrder) -> String {
    let mut out = UblWriter::document(
        "OrderCancellation",
        "urn:fdc:peppol.eu:poacc:trns:order_cancellation:3",
        "urn:fdc:peppol.eu:poacc:bis:advanced_ordering:3",
    );
    out.value("ID", &cancelled.id);
    out.issued(cancelled.issued);
    out.optional("Note", cancelled.note.as_deref());
    out.value("CancellationNote", &cancelled.reason);
    out.group("OrderReference", |out| out.value("ID", &cancelled.order));
    both(&mut out, "BuyerCustomerParty", &cancelled.buyer, false);
    both(&mut out, "SellerSupplierParty", &cancelled.seller, true);
    out.finish()
}

fn both(out: &mut UblWriter, role: &str, party: &Participant, with_country: bool) {
    out.group(role, |out| out.group("Party", |out| out.party(party, with_country)));
}

/// The lines of an order that is read, for the answer to it.
pub fn order_lines(order: Element<'_>) -> Vec<OrderLine> {
    let item = |line| {
        let item = ubl::aggregate(line, "Item")?;
        ubl::value(item, "Name").or_else(|| ubl::value(item, "Description"))
    };
    ubl::aggregates(order, "OrderLine")
        .filter_map(|line| {
            let line = ubl::aggregate(line, "LineItem")?;
            let id = ubl::value(line, "ID")?.into_owned();
            let item = item(line).map_or_else(|| id.clone(), |name| name.into_owned());
            Some(OrderLine { id, item })
        })
        .collect()
}
