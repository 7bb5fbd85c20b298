//! cXML, the messages of procurement systems: its formats, and the reader of its invoices.
//!
//! What is easily got wrong is in the README of the folder.

mod codes;
pub(crate) mod order;
mod read;
mod tree;
mod write;

use quoin_xml::tree::Element;

use crate::syntax::DocumentKind;
use crate::syntax::FormatSignature::{Doctype, Root};
use crate::syntax::{Format, InvoiceReader, Syntax, SyntaxRow, VersionSign, row};

pub(crate) use tree::tree;
pub(crate) use write::WRITER;

/// Its row of the table of syntaxes.
pub(crate) const SYNTAX: SyntaxRow =
    SyntaxRow { name: "cxml", formats: ROWS, reader: Some(READER) };

const READER: InvoiceReader = InvoiceReader { root, read: |_, element| read::read(element) };

fn root(namespace: &str, local: &str) -> Option<quoin_model::en16931::Root> {
    (namespace.is_empty() && matches!(local, "cXML" | "cxml"))
        .then_some(quoin_model::en16931::Root::CxmlInvoice)
}

/// Whether a message of cXML is an invoice.
pub(crate) fn is_invoice(element: Element<'_>) -> bool {
    read::request(element).is_some()
}

const ROWS: &[Format] = &[
    row("cxml", Syntax::Cxml, "cXML", DocumentKind::Other, Root("cXML", ""))
        .version(VersionSign::At(&["@version"])),
    row(
        "cxml-lower-case",
        Syntax::Cxml,
        "cXML in lower case",
        DocumentKind::Other,
        Root("cxml", ""),
    )
    .version(VersionSign::At(&["@version"])),
    row("cxml-doctype", Syntax::Cxml, "cXML", DocumentKind::Other, Doctype("cXML", "")),
    row(
        "cxml-index",
        Syntax::Cxml,
        "cXML catalogue",
        DocumentKind::Catalogue,
        Doctype("Index", "cxml"),
    ),
];
