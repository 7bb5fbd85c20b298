//! Writing the messages about an order in UBL 2.1, in the order of the schemas, with the elements
//! that Peppol BIS Ordering 3 has and no others.
//!
//! Sources: OASIS UBL 2.1 (ISO/IEC 19845) for names and order; Peppol BIS Ordering 3 (T01, T76) and
//! Advanced Ordering 3 (T114, T115) for the place of each term.

mod bis;
mod delivery;
mod line;
mod party;
mod totals;

use quoin_model::en16931::{DocumentReference, Field, Text, Time, ValueType};
use quoin_model::order::{Order, OrderKind, OrderSyntax};
use quoin_model::text::SPACE;

use crate::ubl::write::invoice::{date, id, wrapped};
use crate::ubl::{CAC, CBC, UBL_PREFIX};
use crate::writing::{ConversionRefusal, InvoiceOutput, LossKind, OrderWriter, OutputAttribute};

pub(crate) use bis::lacking;

/// The row of the table of targets.
pub(crate) const ORDER_WRITER: OrderWriter = OrderWriter {
    syntax: OrderSyntax::Ubl,
    target: "ubl",
    is_written_so: |_| true,
    write: |ledger, order| InvoiceOutput::ordered(ledger, order, write),
};

/// Whether a message has what Peppol BIS asks for.
///
/// # Errors
/// The first thing that it has not.
pub(crate) fn complete(order: &Order<'_>, ends_follow: bool) -> Result<(), ConversionRefusal> {
    bis::missing_but(order, ends_follow).map_or(Ok(()), Err)
}

/// The currency of an order of a syntax that has none: DICO is of the Netherlands.
const EURO: &str = "EUR";

fn write<'d>(out: &mut InvoiceOutput<'d>, order: &Order<'d>) -> Result<(), ConversionRefusal> {
    refuse_what_is_missing(order)?;
    let (name, element): (&'static str, _) = match order.kind {
        OrderKind::Order => ("Order", "Order"),
        OrderKind::Response => ("OrderResponse", "OrderResponse"),
        OrderKind::Change => ("OrderChange", "OrderChange"),
        OrderKind::Cancellation => ("OrderCancellation", "OrderCancellation"),
    };
    let namespace = format!("{UBL_PREFIX}{element}-2");
    let declarations = [("xmlns", namespace.as_str()), ("xmlns:cac", CAC), ("xmlns:cbc", CBC)];
    let currency_path = currency(out, order);
    out.has_languages = true;
    out.root(name, &declarations, |out| {
        head(out, order, currency_path);
        references(out, order);
        party::parties(out, order);
        if order.kind == OrderKind::Cancellation {
            return;
        }
        delivery::write(out, order);
        if order.kind != OrderKind::Response {
            terms(out, order);
            totals::write(out, order);
        }
        for one in &order.lines {
            out.group("cac:OrderLine", |out| line::write(out, one, order));
        }
    });
    Ok(())
}

/// What the schemas ask for and nothing else says.
fn refuse_what_is_missing(order: &Order<'_>) -> Result<(), ConversionRefusal> {
    let missing = |term: &'static str| Err(ConversionRefusal::TermMissing { term });
    let has_day = order.issue_date.get().is_some_and(|date| date.day().is_some());
    let needs_lines = matches!(order.kind, OrderKind::Order | OrderKind::Change);
    match () {
        () if !order.number.is_filled() && order.kind != OrderKind::Response => {
            missing("number of the order (tir01-003)")
        }
        () if !has_day => missing("day of issue (tir01-004)"),
        () if needs_lines && order.lines.is_empty() => missing("line of the order (tir01-120)"),
        () => Ok(()),
    }
}

/// The currency of all amounts: what the document says, else the euro.
fn currency<'d>(out: &mut InvoiceOutput<'d>, order: &Order<'d>) -> bool {
    let is_implied = !order.currency.is_filled()
        && order.syntax == OrderSyntax::Dico
        && order.kind != OrderKind::Cancellation;
    if is_implied {
        out.currency = EURO.into();
    }
    is_implied
}

/// tir01-001 to tir01-009, tir76-001 to tir76-007.
fn head<'d>(out: &mut InvoiceOutput<'d>, order: &Order<'d>, is_euro: bool) {
    bis::identifiers(out, order);
    number(out, order);
    if order.kind != OrderKind::Cancellation {
        out.first("cbc:SalesOrderID", &order.sales_order);
    }
    date(out, "cbc:IssueDate", &order.issue_date);
    time(out, "cbc:IssueTime", &order.issue_time);
    match order.kind {
        OrderKind::Order => {
            out.first("cbc:OrderTypeCode", &order.type_code);
        }
        OrderKind::Change => {
            out.first("cbc:SequenceNumberID", &order.sequence);
        }
        OrderKind::Response => {
            out.first("cbc:OrderResponseCode", &order.response);
        }
        OrderKind::Cancellation => {}
    }
    one_text(out, "cbc:Note", &order.notes);
    if order.kind == OrderKind::Cancellation {
        return cancellation(out, order);
    }
    match is_euro {
        false => {
            out.first("cbc:DocumentCurrencyCode", &order.currency);
        }
        true => {
            let reason = "the document names no currency, and its syntax is one of the Netherlands";
            let term = if order.kind == OrderKind::Response { "tir76-007" } else { "tir01-007" };
            out.derived("cbc:DocumentCurrencyCode", EURO, order.element, Some(term), reason);
        }
    }
    out.first("cbc:CustomerReference", &order.buyer_reference);
    if order.kind == OrderKind::Response {
        return;
    }
    out.first("cbc:AccountingCost", &order.accounting_reference);
    if let Some(validity) = order.validity.first() {
        out.group("cac:ValidityPeriod", |out| date(out, "cbc:EndDate", &validity.end));
    }
}

/// The number; an answer without one has that of its order, which is derived.
fn number<'d>(out: &mut InvoiceOutput<'d>, order: &Order<'d>) {
    if out.first("cbc:ID", &order.number) {
        return;
    }
    let known = order.references.order.first().and_then(|one| one.id.filled());
    match known {
        Some(known) => {
            let text = known.trimmed().into_owned();
            let reason = "an answer must have a number: that of the order, which has one answer";
            out.derived("cbc:ID", &text, order.element, Some("tir76-003"), reason);
        }
        None => out.refuse_without(order.element, "number of the answer (tir76-003)", "cbc:ID"),
    }
}

/// T115 asks for words; cXML takes an order back without any.
fn cancellation<'d>(out: &mut InvoiceOutput<'d>, order: &Order<'d>) {
    if !out.first("cbc:CancellationNote", &order.cancellation) {
        let reason = "a cancellation must say why; the message says only that it is one";
        out.derived("cbc:CancellationNote", "Cancelled", order.element, None, reason);
    }
}

/// A time as `xs:time` has it; what is none is lost, with a row.
fn time<'d>(out: &mut InvoiceOutput<'d>, name: &'static str, field: &Field<Time<'d>>) {
    let Some(own) = field.filled() else { return };
    let text = own.trimmed();
    let digits = |range: std::ops::Range<usize>| {
        text.get(range).is_some_and(|part| part.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let is_time = digits(0..2)
        && digits(3..5)
        && digits(6..8)
        && text.get(2..3) == Some(":")
        && text.get(5..6) == Some(":");
    match is_time {
        true => {
            out.text(name, own);
        }
        false => out.lost(*own, "it is no time of the day (hh:mm:ss)"),
    }
}

/// Texts that are one here.
fn one_text<'d>(out: &mut InvoiceOutput<'d>, name: &'static str, field: &Field<Text<'d>>) {
    let said: Vec<_> = field.iter().filter(|text| !text.is_blank()).collect();
    if let [one] = said.as_slice() {
        out.text(name, **one);
        return;
    }
    let whole: Vec<_> = said.iter().map(|text| text.trimmed()).collect();
    let whole = whole.join("\n");
    if whole.trim_matches(SPACE).is_empty() {
        return;
    }
    let path = out.path_of(name);
    for text in said {
        let reason = "notes are one text here";
        out.ledger.list(**text, LossKind::Merged, Some(path.clone()), reason);
    }
    out.constant(name, &whole, &[]);
}

/// tir01-010 to tir01-019, tir76-011, tir116-208.
fn references<'d>(out: &mut InvoiceOutput<'d>, order: &Order<'d>) {
    let all = &order.references;
    let is_order = order.kind == OrderKind::Order;
    let is_response = order.kind == OrderKind::Response;
    if !is_order {
        of_order(out, order);
    }
    if matches!(order.kind, OrderKind::Order | OrderKind::Change) {
        reference(out, "cac:QuotationDocumentReference", &all.quotation);
    }
    if is_order {
        reference(out, "cac:OrderDocumentReference", &all.order);
    }
    if is_response {
        reference(out, "cac:OrderChangeDocumentReference", &all.change);
        return;
    }
    reference(out, "cac:OriginatorDocumentReference", &all.originator);
    if is_order {
        reference(out, "cac:CatalogueReference", &all.catalogue);
    }
    for (at, one) in all.documents.iter().enumerate() {
        out.group("cac:AdditionalDocumentReference", |out| document(out, one, at + 1));
    }
    reference(out, "cac:Contract", &all.contract);
    if is_order {
        reference(out, "cac:ProjectReference", &all.project);
    }
}

/// The order that is answered, changed or taken back.
fn of_order<'d>(out: &mut InvoiceOutput<'d>, order: &Order<'d>) {
    if !reference(out, "cac:OrderReference", &order.references.order) {
        out.refuse_without(order.element, "number of the order (tir76-011)", "cac:OrderReference");
    }
}

/// The number of a document.
fn reference<'d>(
    out: &mut InvoiceOutput<'d>,
    name: &'static str,
    field: &Field<DocumentReference<'d>>,
) -> bool {
    let Some(one) = field.iter().find(|one| one.id.is_filled()) else { return false };
    wrapped(out, name, "cbc:ID", &one.id);
    true
}

/// tir01-154, tir01-016 to tir01-018.
fn document<'d>(out: &mut InvoiceOutput<'d>, one: &DocumentReference<'d>, place: usize) {
    if !out.first("cbc:ID", &one.id) && (one.uri.is_filled() || one.embedded.is_filled()) {
        let reason = "a document must have an identifier: its place among the others";
        let term = Some("tir01-154");
        out.derived("cbc:ID", &place.to_string(), one.element, term, reason);
    }
    out.first("cbc:DocumentType", &one.document_type);
    out.group("cac:Attachment", |out| {
        if let Some(file) = one.embedded.filled() {
            let attributes = [
                ("mimeCode", file.mime_code().map(OutputAttribute::Carried)),
                ("filename", file.filename().map(OutputAttribute::Carried)),
            ];
            out.attributed("cbc:EmbeddedDocumentBinaryObject", file, &attributes);
        }
        wrapped(out, "cac:ExternalReference", "cbc:URI", &one.uri);
    });
}

/// tir01-107 to tir01-109, tir01-p010.
fn terms<'d>(out: &mut InvoiceOutput<'d>, order: &Order<'d>) {
    if let Some(terms) = order.delivery_terms.first() {
        out.group("cac:DeliveryTerms", |out| {
            if let Some(own) = terms.id.filled() {
                id(out, "cbc:ID", own);
            }
            out.first("cbc:SpecialTerms", &terms.text);
        });
    }
    wrapped(out, "cac:PaymentTerms", "cbc:Note", &order.payment_terms);
}

/// Whether a field has a value that says something.
fn says<'d, T: ValueType<'d>>(field: &Field<T>) -> bool {
    field.is_filled()
}
