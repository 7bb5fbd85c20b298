//! Writing cXML 1.2 `InvoiceDetailRequest`, one file a business group, in the order of the
//! definition.
//!
//! Source: cXML 1.2.037 `InvoiceDetail.dtd` and the user's guide.

pub(super) mod basis;
mod comments;
mod header;
pub(super) mod line;
pub(super) mod money;
pub(super) mod party;
mod summary;
#[cfg(test)]
mod tests;

use quoin_model::en16931::{Date, Invoice, Text};

use crate::syntax::Syntax;
use crate::writing::{
    CREDIT_BELOW, ConversionRefusal, InvoiceOutput, InvoiceWriter, LeafLedger, LossKind,
    OutputAttribute, is_credit_below, language_of, without_place,
};

/// The language of a text of which nobody says it (BCP 47).
const LANGUAGE: (&str, &str) = ("xml:lang", "und");

/// The definition that the document names.
const DECLARATION: &str =
    "<!DOCTYPE cXML SYSTEM \"http://xml.cxml.org/schemas/cXML/1.2.037/InvoiceDetail.dtd\">";

/// The row of the table of targets.
pub(crate) const WRITER: InvoiceWriter = InvoiceWriter {
    name: "cxml",
    title: "cXML 1.2 InvoiceDetailRequest",
    syntaxes: &[Syntax::Cxml],
    is_written_so: |_| true,
    write: written,
};

fn written<'d>(
    ledger: LeafLedger<'d>,
    invoice: &Invoice<'d>,
) -> Result<(String, LeafLedger<'d>), ConversionRefusal> {
    let (text, ledger) = InvoiceOutput::written(ledger, invoice, write)?;
    Ok((text.replacen("\n<cXML", &format!("\n{DECLARATION}\n<cXML"), 1), ledger))
}

/// Writes the document.
fn write<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) -> Result<(), ConversionRefusal> {
    refuse_what_is_missing(invoice)?;
    let purpose = header::CxmlPurpose::of(invoice);
    let number = invoice.number.text().unwrap_or_default();
    let day = invoice.issue_date.get().and_then(|date| header::day(date)).unwrap_or_default();
    // Who sends it has no clock here: the message is as old as the invoice.
    let attributes = [
        ("payloadID", number.as_ref()),
        ("timestamp", day.as_str()),
        ("version", "1.2.037"),
        LANGUAGE,
    ];
    if let Some(currency) = invoice.currency.filled() {
        // Each total says it.
        out.ledger.carry(*currency);
    }
    out.root("cXML", &attributes, |out| {
        out.group("Header", |out| header::credentials(out, invoice));
        out.tagged("Request", &[], |out| {
            out.group("InvoiceDetailRequest", |out| {
                header::write(out, invoice, &purpose);
                out.group("InvoiceDetailOrder", |out| {
                    out.group("InvoiceDetailOrderInfo", |out| header::order(out, invoice));
                    for (at, line) in invoice.lines.iter().enumerate() {
                        line::write(out, line, at + 1, purpose.is_credit);
                    }
                });
                out.group("InvoiceDetailSummary", |out| {
                    summary::write(out, invoice, purpose.is_credit);
                });
            });
        });
    });
    Ok(())
}

/// Lines, totals and the number of an order are in every document of the definition.
fn refuse_what_is_missing(invoice: &Invoice<'_>) -> Result<(), ConversionRefusal> {
    if invoice.lines.is_empty() {
        return Err(ConversionRefusal::NoLines);
    }
    let references = &invoice.references;
    let orders = [&references.contract, &references.sales_order, &references.purchase_order];
    let is_named = |at: usize, filler: bool| {
        let order = orders.get(at).and_then(|field| field.first());
        !filler && order.is_some_and(|order| order.id.is_filled())
    };
    let has_filler = references.filler_of_order().is_some();
    if !is_named(0, false) && !is_named(1, false) && !is_named(2, has_filler) {
        let term = "order (BT-13, BT-14) or contract (BT-12)";
        return Err(ConversionRefusal::TermMissing { term });
    }
    let totals = invoice.totals.first();
    let has_totals = totals.is_some_and(|one| {
        let all = [&one.line_net, &one.without_vat, &one.with_vat, &one.due];
        // The currency of the document is that of its total.
        let own = one.with_vat.get().and_then(quoin_model::en16931::Amount::currency);
        let is_own = own.is_none_or(|own| invoice.currency.is(&own.trimmed()));
        is_own && all.iter().all(|total| total.is_filled())
    });
    let total = totals.and_then(|one| one.with_vat.filled());
    if let Some(total) = total.filter(|_| is_credit_below(invoice)) {
        return Err(without_place(*total, CREDIT_BELOW));
    }
    let is_dated = invoice.issue_date.get().is_some_and(|date| header::day(date).is_some());
    match () {
        () if !invoice.number.is_filled() => {
            Err(ConversionRefusal::TermMissing { term: "number (BT-1)" })
        }
        () if !is_dated => Err(ConversionRefusal::TermMissing { term: "day of issue (BT-2)" }),
        () if !invoice.currency.is_filled() => {
            Err(ConversionRefusal::TermMissing { term: "currency (BT-5)" })
        }
        () if !has_totals => {
            let term = "total (BT-106, BT-109, BT-112 or BT-115) in its currency";
            Err(ConversionRefusal::TermMissing { term })
        }
        () => Ok(()),
    }
}

/// A text with its language, which the definition asks for.
pub(super) fn spoken<'d>(out: &mut InvoiceOutput<'d>, name: &'static str, value: Option<Text<'d>>) {
    let attributes = [language(value)];
    let is_written = value.is_some_and(|value| out.attributed(name, value, &attributes));
    if !is_written {
        out.tagged(name, &attributes, |_| {});
    }
}

/// The language of a text, as an attribute.
pub(super) fn language<'d>(
    value: Option<Text<'d>>,
) -> (&'static str, Option<OutputAttribute<'static, 'd>>) {
    let (attribute, unknown) = LANGUAGE;
    let own = value.and_then(|value| language_of(*value)).map(OutputAttribute::Carried);
    (attribute, Some(own.unwrap_or(OutputAttribute::Constant(unknown))))
}

/// A text that was made, with its language.
pub(super) fn made(out: &mut InvoiceOutput<'_>, name: &'static str, text: &str) {
    out.constant(name, text, &[LANGUAGE]);
}

/// The day of a date as a day and time, and its place in the ledger.
fn moment<'d>(out: &mut InvoiceOutput<'d>, name: &str, date: Option<Date<'d>>) -> String {
    let day = date.and_then(|date| out.day(name, date));
    day.map(|day| format!("{day}T00:00:00+00:00")).unwrap_or_default()
}

/// A value that the target says in other words.
pub(super) fn changed<'d>(
    out: &mut InvoiceOutput<'d>,
    value: quoin_model::en16931::ValueSource<'d>,
    name: &str,
    reason: &'static str,
) {
    let path = Some(out.path_of(name));
    out.ledger.list(value, LossKind::Changed, path, reason);
}
