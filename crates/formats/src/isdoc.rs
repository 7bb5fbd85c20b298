//! ISDOC, the invoice of Czechia and Slovakia.

use crate::syntax::DocumentKind as Kind;
use crate::syntax::FormatSignature::{Root, RootPrefix};
use crate::syntax::{Format, Syntax, SyntaxRow, VersionSign, row};

/// Its row of the table of syntaxes.
pub(crate) const SYNTAX: SyntaxRow = SyntaxRow { name: "isdoc", formats: ROWS, reader: None };

const ROWS: &[Format] = &[
    row("isdoc", Syntax::Isdoc, "ISDOC", Kind::Invoice, {
        Root("Invoice", "http://isdoc.cz/namespace/2013")
    })
    .version(VersionSign::At(&["@version"]))
    .kinds(
        &["DocumentType"],
        &[("2", Kind::CreditNote), ("3", Kind::DebitNote), ("6", Kind::CreditNote)],
    ),
    row("isdoc-5", Syntax::Isdoc, "ISDOC 5", Kind::Invoice, {
        RootPrefix("Invoice", "http://isdoc.cz/namespace/")
    })
    .version(VersionSign::At(&["@version"])),
];
