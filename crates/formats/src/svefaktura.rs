//! Svefaktura 1.0, the older invoice of Sweden: its formats, its reader and its writer.
//!
//! What is easily got wrong is in the README of the folder.

mod codes;
mod formats;
mod read;
#[cfg(test)]
mod tests;
mod write;

use quoin_xml::tree::Element;

use crate::reading::InvoiceReader;
use crate::syntax::Syntax;

pub(crate) use formats::SYNTAX;
pub(crate) use write::WRITER;

/// The document element and what is particular to it.
const INVOICE: &str = "urn:sfti:documents:BasicInvoice:1:0";

const READER: InvoiceReader = InvoiceReader {
    syntax,
    read: read::read,
    every: None,
    #[cfg(test)]
    proof: Some(&tests::PROOF),
};

fn syntax(element: Element<'_>) -> Option<Syntax> {
    let is_invoice = (element.namespace(), element.local()) == (INVOICE, "Invoice");
    is_invoice.then_some(Syntax::Svefaktura)
}
