//! Facturae, the invoice of Spain.

use crate::syntax::DocumentKind;
use crate::syntax::FormatSignature::RootPrefix;
use crate::syntax::{ElementPath, Format, Syntax, VersionSign, row};
use crate::syntax_row::SyntaxRow;

/// The party that issued the file is the buyer.
const FACTURAE_SELF: &[(ElementPath, &[&str])] = &[(&["FileHeader", "InvoiceIssuerType"], &["RE"])];

/// Its row of the table of syntaxes.
pub(crate) const SYNTAX: SyntaxRow = SyntaxRow::of("facturae", ROWS);

const ROWS: &[Format] = &[
    row("facturae", Syntax::Facturae, "Facturae", DocumentKind::Invoice, {
        RootPrefix("Facturae", "http://www.facturae.gob.es/formato/Versiones/")
    })
    .version(VersionSign::At(&["FileHeader", "SchemaVersion"]))
    .self_billed(FACTURAE_SELF),
    row("facturae-3.2", Syntax::Facturae, "Facturae 3.2 or older", DocumentKind::Invoice, {
        RootPrefix("Facturae", "http://www.facturae.es/Facturae/")
    })
    .version(VersionSign::At(&["FileHeader", "SchemaVersion"]))
    .self_billed(FACTURAE_SELF),
];
