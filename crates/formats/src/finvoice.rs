//! Finvoice, the invoice of Finland.

use crate::syntax::DocumentKind;
use crate::syntax::FormatSignature::{Root, RootPrefix};
use crate::syntax::{Format, Syntax, VersionSign, row};
use crate::syntax_row::SyntaxRow;

/// Its row of the table of syntaxes.
pub(crate) const SYNTAX: SyntaxRow = SyntaxRow::of("finvoice", ROWS);

const ROWS: &[Format] = &[
    row("finvoice", Syntax::Finvoice, "Finvoice", DocumentKind::Invoice, Root("Finvoice", ""))
        .version(VersionSign::At(&["@Version"]))
        .kinds(&["InvoiceDetails", "InvoiceTypeCode"], &[("INV02", DocumentKind::CreditNote)]),
    row("finvoice-namespace", Syntax::Finvoice, "Finvoice", DocumentKind::Invoice, {
        RootPrefix("Finvoice", "http://www.finvoice.fi/")
    })
    .version(VersionSign::At(&["@Version"])),
];
