//! JSON: our own form of an invoice, GOBL, UBL, SETU.
//!
//! What is easily got wrong is in the README of the folder.

mod form;
mod lexical;
mod markup;
mod output;
mod pointer;
mod read;
mod schema;
#[cfg(test)]
mod tests;
mod write;

use crate::ElementPath;
use crate::reading::InvoiceReader;
use crate::syntax::FormatSignature::{Bytes, JsonKeys, JsonSchema};
use crate::syntax::{CREDIT_CODES, DocumentKind};
use crate::syntax::{Format, Syntax, row};
use crate::syntax_row::SyntaxRow;

pub(crate) use form::{is_member, member_of};
pub(crate) use markup::{NAMESPACE, SkimmedInvoice, skim};
pub(crate) use pointer::of_path;
pub(crate) use read::{told, tree};
pub use schema::invoice_schema;
pub(crate) use write::WRITER;

/// Its row of the table of syntaxes.
pub(crate) const SYNTAX: SyntaxRow = SyntaxRow::of("json", ROWS).read_by(READER);

const READER: InvoiceReader = InvoiceReader {
    syntax: read::syntax,
    read: read::read,
    every: None,
    #[cfg(test)]
    proof: None,
};

/// BT-3.
const TYPE: ElementPath = &["typeCode"];
/// The types of invoices and credit notes that the buyer issues (UNTDID 1001).
const SELF_BILLED_CODES: &[&str] = &["261", "389", "527"];

const ROWS: &[Format] = &[
    row("gobl", Syntax::Gobl, "GOBL", DocumentKind::Other, JsonSchema("https://gobl.org/")),
    row("ubl-json", Syntax::UblJson, "UBL in JSON", DocumentKind::Other, JsonKeys(&["_D"])),
    row(
        "setu-json",
        Syntax::SetuJson,
        "SETU 2 message in JSON",
        DocumentKind::HumanResource,
        JsonKeys(&["documentId", "supplier", "customer"]),
    ),
    row(
        "invoice-json",
        Syntax::InvoiceJson,
        "EN 16931 in JSON",
        DocumentKind::Invoice,
        JsonSchema(markup::NAMESPACE),
    )
    .kinds(TYPE, CREDIT_CODES)
    .self_billed(&[(TYPE, SELF_BILLED_CODES)]),
    row(
        "invoice-json-plain",
        Syntax::InvoiceJson,
        "EN 16931 in JSON without its schema",
        DocumentKind::Invoice,
        JsonKeys(&["number", "issueDate", "currency", "seller"]),
    )
    .kinds(TYPE, CREDIT_CODES)
    .self_billed(&[(TYPE, SELF_BILLED_CODES)]),
    row("json", Syntax::Json, "JSON", DocumentKind::Other, Bytes(&[b"{", b"["])),
];
