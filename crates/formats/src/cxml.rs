//! cXML, the messages of procurement systems: its formats, and the reader of its invoices.
//!
//! What is easily got wrong is in the README of the folder.

mod codes;
pub(crate) mod order;
mod read;
#[cfg(test)]
mod tests;
mod tree;
mod write;

use quoin_xml::tree::Element;

use crate::reading::InvoiceReader;
use crate::syntax::DocumentKind;
use crate::syntax::FormatSignature::{Doctype, Root};
use crate::syntax::{Format, Syntax, VersionSign, row};
use crate::syntax_row::SyntaxRow;

pub(crate) use tree::tree;
pub(crate) use write::WRITER;

/// Its row of the table of syntaxes.
pub(crate) const SYNTAX: SyntaxRow = SyntaxRow::of("cxml", ROWS).read_by(READER);

const READER: InvoiceReader = InvoiceReader {
    syntax,
    read: read::read,
    every: None,
    #[cfg(test)]
    proof: Some(&tests::PROOF),
};

/// A message of cXML may be anything: its request tells what it is.
fn syntax(element: Element<'_>) -> Option<Syntax> {
    let is_message = element.namespace().is_empty() && matches!(element.local(), "cXML" | "cxml");
    (is_message && read::request(element).is_some()).then_some(Syntax::Cxml)
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
