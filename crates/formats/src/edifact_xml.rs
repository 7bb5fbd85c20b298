//! EDIFACT messages written as XML.

use crate::syntax::DocumentKind;
use crate::syntax::FormatSignature::Root;
use crate::syntax::{Format, Syntax, SyntaxRow, row};

/// Its row of the table of syntaxes.
pub(crate) const SYNTAX: SyntaxRow = SyntaxRow { name: "edifact_xml", formats: ROWS, reader: None };

const ROWS: &[Format] = &[row(
    "edifact-xml",
    Syntax::EdifactXml,
    "EDIFACT INVOIC in XML",
    DocumentKind::Invoice,
    Root("M_INVOIC", ""),
)];
