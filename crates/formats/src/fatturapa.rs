//! FatturaPA, the invoice of Italy: its formats, its reader and its writer.
//!
//! What is easily got wrong is in the README of the folder.

mod codes;
mod formats;
mod read;
mod write;

use quoin_model::en16931::{Identifier, Invoice, Root, ValueSource};
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

/// What an invoice says of its transmission and not of itself: the form, who transmits and under
/// which number, and a recipient code that stands for none. Every transmission makes them anew.
pub(crate) fn envelope<'d>(invoice: &Invoice<'d>) -> Vec<ValueSource<'d>> {
    let Some(italy) = invoice.extensions.italy.as_deref() else { return Vec::new() };
    let forms = italy.version.iter().chain(&italy.transmission_format).map(|code| **code);
    let is_none = |code: &&Identifier<'d>| codes::NO_RECIPIENT.iter().any(|none| code.is(none));
    let codes = italy.recipient_code.iter().filter(is_none);
    let ids = italy.transmitter.iter().chain(&italy.transmission_number).chain(codes);
    forms.chain(ids.map(|id| **id)).collect()
}
