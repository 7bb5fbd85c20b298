//! Svefaktura 1.0, the older invoice of Sweden: its formats, its reader and its writer.
//!
//! What is easily got wrong is in the README of the folder.

mod codes;
mod formats;
mod read;
mod write;

use quoin_model::en16931::Root;

use crate::syntax::InvoiceReader;

pub(crate) use formats::SYNTAX;
pub(crate) use write::WRITER;

/// The document element and what is particular to it.
const INVOICE: &str = "urn:sfti:documents:BasicInvoice:1:0";

const READER: InvoiceReader = InvoiceReader { root, read: |_, element| read::read(element) };

fn root(namespace: &str, local: &str) -> Option<Root> {
    ((namespace, local) == (INVOICE, "Invoice")).then_some(Root::Svefaktura)
}
