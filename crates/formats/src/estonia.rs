//! The invoice of Estonia.

use crate::syntax::DocumentKind;
use crate::syntax::FormatSignature::Root;
use crate::syntax::{Format, Syntax, VersionSign, row};
use crate::syntax_row::SyntaxRow;

/// Its row of the table of syntaxes.
pub(crate) const SYNTAX: SyntaxRow = SyntaxRow::of("estonia", ROWS);

const ROWS: &[Format] = &[row(
    "estonian-e-invoice",
    Syntax::EstonianEInvoice,
    "Estonian e-invoice",
    DocumentKind::Invoice,
    Root("E_Invoice", ""),
)
.version(VersionSign::At(&["Header", "Version"]))];
