//! Writing FA(3), one file a business group, in the order of the schema.
//!
//! Source: FA(3), form 1-0E, and the information sheet on it (Ministry of Finance).

mod again;

use quoin_model::en16931::{Invoice, InvoiceSyntax};

use super::FA_3;
use crate::writing::{ConversionRefusal, InvoiceOutput, InvoiceWriter};

/// Of which form a document is.
const FORM: &[(&str, &str)] = &[("kodSystemowy", "FA (3)"), ("wersjaSchemy", "1-0E")];
/// The first moment at which a document of FA(3) can have been made.
const FIRST_MOMENT: &str = "2025-09-01T00:00:00Z";

/// The row of the table of targets.
pub(crate) const WRITER: InvoiceWriter = InvoiceWriter {
    name: "ksef",
    title: "FA(3), the invoice of KSeF",
    syntax: InvoiceSyntax::Ksef,
    is_written_so: |element| element.namespace() == FA_3,
    write: |ledger, invoice| InvoiceOutput::written(ledger, invoice, write),
};

/// Writes the document.
fn write<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) -> Result<(), ConversionRefusal> {
    if let Some(own) = invoice.extensions.poland.as_deref() {
        out.ledger.in_own_words = true;
        return again::write(out, own);
    }
    Err(ConversionRefusal::NoLines)
}
