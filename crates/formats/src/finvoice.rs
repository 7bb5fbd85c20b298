//! Finvoice, the invoice of Finland.

use crate::syntax::DocumentKind as Kind;
use crate::syntax::FormatSignature::{Root, RootPrefix};
use crate::syntax::{Format, Syntax, SyntaxRow, VersionSign, row};

/// Its row of the table of syntaxes.
pub(crate) const SYNTAX: SyntaxRow = SyntaxRow { name: "finvoice", formats: ROWS, reader: None };

const ROWS: &[Format] = &[
    row("finvoice", Syntax::Finvoice, "Finvoice", Kind::Invoice, Root("Finvoice", ""))
        .version(VersionSign::At(&["@Version"]))
        .kinds(&["InvoiceDetails", "InvoiceTypeCode"], &[("INV02", Kind::CreditNote)]),
    row("finvoice-namespace", Syntax::Finvoice, "Finvoice", Kind::Invoice, {
        RootPrefix("Finvoice", "http://www.finvoice.fi/")
    })
    .version(VersionSign::At(&["@Version"])),
];
