//! cXML, the messages of procurement systems.

use crate::syntax::DocumentKind;
use crate::syntax::FormatSignature::{Doctype, Root};
use crate::syntax::{Format, Syntax, SyntaxRow, VersionSign, row};

/// Its row of the table of syntaxes.
pub(crate) const SYNTAX: SyntaxRow = SyntaxRow { name: "cxml", formats: ROWS, reader: None };

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
