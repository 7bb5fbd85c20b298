//! Writing ebInterface 6.1, one file a business group, in the order of the schema.
//!
//! Source: the schema of ebInterface 6.1 (AUSTRIAPRO).

mod address;
mod delivery;
mod document;
mod line;
mod party;
mod payment;
mod reduction;
mod tax;
mod totals;

use quoin_model::en16931::{Invoice, ValueSource};

use crate::syntax::Syntax;
use crate::writing::{ConversionRefusal, InvoiceOutput, InvoiceWriter, LossKind, NumberForm};

/// The namespace of version 6.1.
pub(super) const NAMESPACE: &str = "http://www.ebinterface.at/schema/6p1/";

/// `Decimal2Type`, which allows fewer.
const CENTS: NumberForm = NumberForm { least: 0, most: 2, digits: 24 };
/// `Decimal4Type`.
const PRICE: NumberForm = NumberForm { least: 0, most: 4, digits: 24 };

/// Characters of `IDType`.
const MAX_ID: usize = 255;

/// The row of the table of targets.
pub(crate) const WRITER: InvoiceWriter = InvoiceWriter {
    name: "ebinterface",
    title: "ebInterface 6.1",
    syntaxes: &[Syntax::EbInterface],
    is_written_so: |element| element.namespace() == NAMESPACE,
    write: |ledger, invoice| InvoiceOutput::written(ledger, invoice, write),
};

/// Writes the document.
fn write<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) -> Result<(), ConversionRefusal> {
    if invoice.lines.is_empty() {
        return Err(ConversionRefusal::NoLines);
    }
    out.ledger.in_own_words = out.ledger.is_of(WRITER.syntaxes);
    let attributes = document::attributes(out, invoice)?;
    let attributes: Vec<(&str, &str)> =
        attributes.iter().map(|(name, text)| (*name, text.as_str())).collect();
    out.root("eb:Invoice", &attributes, |out| {
        document::head(out, invoice);
        delivery::of_document(out, invoice);
        party::parties(out, invoice);
        document::details(out, invoice);
        reduction::of_document(out, invoice);
        tax::write(out, invoice);
        totals::write(out, invoice);
        payment::method(out, invoice);
        payment::conditions(out, invoice);
        document::comment(out, invoice);
    });
    Ok(())
}

/// Writes a value with attributes, and its fate.
fn kept_with<'d>(
    out: &mut InvoiceOutput<'d>,
    name: &'static str,
    source: ValueSource<'d>,
    attributes: &[(&str, &str)],
) {
    let words = out.words(source);
    out.constant(name, &words, attributes);
    out.ledger.carry(source);
}

/// A fact with a key, for what has no place of its own.
fn fact<'d>(out: &mut InvoiceOutput<'d>, key: &str, source: ValueSource<'d>) {
    if source.is_blank() || out.ledger.is_told(source) {
        return;
    }
    let reason = "the target has no place for it but a text with a key";
    out.constant("eb:AdditionalInformation", &source.trimmed(), &[("Key", key)]);
    out.told_otherwise("eb:AdditionalInformation", source, LossKind::CarriedAsText, reason);
}
