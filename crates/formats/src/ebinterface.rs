//! ebInterface, the invoice of Austria: its formats, its reader and its writer.
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

const READER: InvoiceReader = InvoiceReader { root, read: |_, element| read::read(element) };

fn root(namespace: &str, local: &str) -> Option<Root> {
    (local == "Invoice" && read::is_ours(namespace)).then_some(Root::EbInterface)
}
