//! Writing the JSON form.

use quoin_model::en16931::Invoice;

use super::form::Form;
use super::markup::NAMESPACE;
use super::output::JsonOutput;
use crate::syntax::Syntax;
use crate::writing::{ConversionRefusal, InvoiceWriter, LeafLedger, written_day};

/// The row of the table of targets.
pub(crate) const WRITER: InvoiceWriter = InvoiceWriter {
    name: "json",
    title: "the JSON form of EN 16931, of which invoice.schema.json is the schema",
    syntaxes: &[Syntax::InvoiceJson],
    // A tree of JSON is no JSON: it is written anew.
    is_written_so: |_| false,
    write,
};

/// Says of what every document must have that the source has it not, so that it is read again.
fn without<'d>(out: &mut JsonOutput<'d>, invoice: &Invoice<'d>) {
    let has_day = invoice.issue_date.filled().and_then(written_day).is_some();
    for (name, is_there) in [
        ("number", invoice.number.is_filled()),
        ("issueDate", has_day),
        ("currency", invoice.currency.is_filled()),
    ] {
        if !is_there {
            out.null(name);
        }
    }
}

fn write<'d>(
    ledger: LeafLedger<'d>,
    invoice: &Invoice<'d>,
) -> Result<(String, LeafLedger<'d>), ConversionRefusal> {
    Ok(JsonOutput::of(ledger, invoice, |out| {
        out.constant("$schema", NAMESPACE);
        without(out, invoice);
        invoice.write(out);
    }))
}
