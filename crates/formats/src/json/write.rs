//! Writing the JSON form.

use quoin_model::en16931::{Invoice, InvoiceSyntax};

use super::form::Form;
use super::markup::NAMESPACE;
use super::output::JsonOutput;
use crate::writing::{
    ConversionRefusal, InvoiceWriter, LeafLedger, refuse_line_hierarchy, refuse_pint,
    refuse_third_party_payments,
};

/// The row of the table of targets.
pub(crate) const WRITER: InvoiceWriter = InvoiceWriter {
    name: "json",
    title: "the JSON form of EN 16931, of which invoice.schema.json is the schema",
    syntax: InvoiceSyntax::Json,
    write,
};

fn write<'d>(
    ledger: LeafLedger<'d>,
    invoice: &Invoice<'d>,
) -> Result<(String, LeafLedger<'d>), ConversionRefusal> {
    refuse_pint(invoice)?;
    refuse_line_hierarchy(invoice)?;
    refuse_third_party_payments(invoice)?;
    Ok(JsonOutput::of(ledger, invoice, |out| {
        out.constant("$schema", NAMESPACE);
        invoice.write(out);
    }))
}
