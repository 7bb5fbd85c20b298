//! GS1 XML, the messages of retail.

use crate::syntax::DocumentKind;
use crate::syntax::FormatSignature::Namespace;
use crate::syntax::{Format, Syntax, row};
use crate::syntax_row::SyntaxRow;

/// Its row of the table of syntaxes.
pub(crate) const SYNTAX: SyntaxRow = SyntaxRow::of("gs1", ROWS);

const ROWS: &[Format] = &[
    row("gs1-xml", Syntax::Gs1Xml, "GS1 XML message", DocumentKind::Other, {
        Namespace("http://www.ean-ucc.org/schemas/")
    }),
    row(
        "gs1-xml-3",
        Syntax::Gs1Xml,
        "GS1 XML 3 message",
        DocumentKind::Other,
        Namespace("urn:gs1:ecom:"),
    ),
];
