//! FatturaPA, the invoice of Italy: its formats, its reader and its writer.
//!
//! What is easily got wrong is in the README of the folder.

mod codes;
mod formats;
mod read;
mod write;

use quoin_model::en16931::Root;
use quoin_xml::tree::Element;

use crate::reading::Reading;
use crate::syntax::InvoiceReader;

pub(crate) use formats::SYNTAX;
pub(crate) use write::WRITER;

const READER: InvoiceReader = InvoiceReader { root, read: read::read };

/// The ordinary invoice and the simplified one, of every version: their elements below the
/// document element are in no namespace and have kept their names since 1.0.
fn root(namespace: &str, local: &str) -> Option<Root> {
    let current = namespace.starts_with(formats::FATTURE);
    match local {
        "FatturaElettronica" if current || namespace.starts_with(formats::FATTURE_1) => {
            Some(Root::FatturaElettronica)
        }
        "FatturaElettronicaSemplificata" if current => Some(Root::FatturaElettronicaSemplificata),
        _ => None,
    }
}

/// The bodies of a file, each an invoice with the header of all; see
/// [`crate::readers::read_invoices_at`].
pub(crate) fn read_bodies(root: Root, element: Element<'_>) -> Option<Vec<Reading<'_>>> {
    read::read_bodies(root, element)
}
