//! EDIFACT messages written as XML.

use crate::syntax::DocumentKind;
use crate::syntax::FormatSignature::Root;
use crate::syntax::{Format, Syntax, row};
use crate::syntax_row::SyntaxRow;

/// Its row of the table of syntaxes.
pub(crate) const SYNTAX: SyntaxRow = SyntaxRow::of("edifact_xml", ROWS);

const ROWS: &[Format] = &[row(
    "edifact-xml",
    Syntax::EdifactXml,
    "EDIFACT INVOIC in XML",
    DocumentKind::Invoice,
    Root("M_INVOIC", ""),
)];
