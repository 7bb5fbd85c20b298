//! Writing the JSON form.

use quoin_model::en16931::{Invoice, InvoiceSyntax};

use super::form::Form;
use super::markup::NAMESPACE;
use super::output::JsonOutput;
use crate::writing::{ConversionRefusal, InvoiceWriter, LeafLedger};

/// The row of the table of targets.
pub(crate) const WRITER: InvoiceWriter = InvoiceWriter {
    name: "json",
    title: "the JSON form of EN 16931, of which invoice.schema.json is the schema",
    syntax: InvoiceSyntax::Json,
    // A tree of JSON is no JSON: it is written anew.
    is_written_so: |_| false,
    write,
};

fn write<'d>(
    ledger: LeafLedger<'d>,
    invoice: &Invoice<'d>,
) -> Result<(String, LeafLedger<'d>), ConversionRefusal> {
    Ok(JsonOutput::of(ledger, invoice, |out| {
        out.constant("$schema", NAMESPACE);
        invoice.write(out);
    }))
}
