//! Writing the invoice of DICO SALES005, one file a business group.
//!
//! The schema is not public. Names and order are those of public invoices of the family and of the
//! code lists of SALES005; the limits are those of INSBOU003.

mod document;
mod line;
mod party;
mod tax;
mod totals;

use quoin_model::amount::Decimal;
use quoin_model::en16931::{Amount, Field, Invoice, Quantity, ValueSource};
use quoin_model::text::cut;

use super::codes::UNITS;
use crate::reading::{lookup, lookup_back};
use crate::syntax::Syntax;
use crate::writing::{ConversionRefusal, InvoiceOutput, InvoiceWriter, LossKind, WrittenSign};

/// The namespace of the invoice of SALES005.
pub(super) const NAMESPACE: &str = "http://www.ketenstandaard.nl/factuur/SALES/005";

/// The row of the table of targets.
pub(crate) const WRITER: InvoiceWriter = InvoiceWriter {
    name: "dico",
    title: "DICO SALES005 invoice",
    syntaxes: &[Syntax::Dico],
    is_written_so: |element| element.namespace().starts_with(super::SALES),
    write: |ledger, invoice| InvoiceOutput::written(ledger, invoice, write),
};

/// Writes the document.
fn write<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) -> Result<(), ConversionRefusal> {
    if invoice.lines.is_empty() {
        return Err(ConversionRefusal::NoLines);
    }
    out.ledger.in_own_words = out.ledger.is_of(WRITER.syntaxes);
    let kind = document::DicoKind::of(invoice)?;
    totals::refuse(invoice, out.ledger.in_own_words)?;
    out.root("Invoice", &[("xmlns", NAMESPACE)], |out| {
        document::head(out, invoice, &kind);
        document::references(out, invoice);
        document::payment(out, invoice, kind.sign);
        document::texts(out, invoice);
        for one in &invoice.references.supporting_documents {
            document::attachment(out, one);
        }
        party::parties(out, invoice);
        document::discount(out, invoice);
        for one in &invoice.allowance_charges {
            tax::of_document(out, one, kind.sign);
        }
        for (at, one) in invoice.lines.iter().enumerate() {
            out.group("InvoiceLine", |out| line::write(out, one, at, kind.sign));
        }
        totals::write(out, invoice, kind.sign);
        tax::breakdown(out, invoice, kind.sign);
    });
    Ok(())
}

/// The first amount of a field. Whether there is one.
fn amount<'d>(
    out: &mut InvoiceOutput<'d>,
    name: &'static str,
    field: &Field<Amount<'d>>,
    sign: WrittenSign,
) -> bool {
    let Some(value) = field.filled() else { return false };
    one_amount(out, name, value, sign);
    true
}

/// An amount, whose currency is that of the document.
fn one_amount<'d>(
    out: &mut InvoiceOutput<'d>,
    name: &'static str,
    value: Amount<'d>,
    sign: WrittenSign,
) {
    if value.value().is_none() {
        return out.refuse_value(*value, "an amount is a number");
    }
    let text = out.signed(name, *value, sign);
    out.constant(name, &text, &[]);
    out.one_currency(value);
}

/// A number that the source does not say, under the name of its term.
fn made(out: &mut InvoiceOutput<'_>, name: &'static str, number: Decimal, sign: WrittenSign) {
    let text = sign.of(&format!("{number:.2}"));
    out.constant(name, &text, &[]);
}

/// What the target calls the unit of a quantity: its code, and what readers take that for. `None`
/// where it has none.
fn unit<'d>(quantity: Quantity<'d>) -> Option<(&'static str, &'static str)> {
    let unit = quantity.unit().filter(|unit| !unit.is_blank())?;
    let own = lookup_back(UNITS, &unit.trimmed())?;
    Some((own, lookup(UNITS, own).unwrap_or_default()))
}

/// Writes the unit of a quantity. A unit that is not in the list is lost.
fn write_unit<'d>(out: &mut InvoiceOutput<'d>, name: &'static str, quantity: Quantity<'d>) {
    let Some(source) = quantity.unit().filter(|unit| !unit.is_blank()) else { return };
    if out.ledger.in_own_words {
        let words = out.words(*source);
        return out.kept(name, &words, *source);
    }
    match unit(quantity) {
        Some((own, read)) if source.is(read) => out.kept(name, own, *source),
        Some((own, _)) => {
            out.changed(name, own, *source, "the target has one code for pieces");
        }
        None => out.lost(*source, "the target has no such unit"),
    }
}

/// A value told with others in one text of the target, cut as rows cut theirs.
fn merged<'d>(
    out: &mut InvoiceOutput<'d>,
    name: &'static str,
    sources: &[ValueSource<'d>],
    text: &str,
    reason: &'static str,
) {
    for source in sources {
        out.told_otherwise(name, *source, LossKind::Merged, reason);
    }
    out.constant(name, &cut(text, usize::MAX), &[]);
}
