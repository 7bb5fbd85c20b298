//! JSON: GOBL, UBL, SETU.

use crate::syntax::DocumentKind;
use crate::syntax::FormatSignature::{Bytes, JsonKeys, JsonSchema};
use crate::syntax::{Format, Syntax, SyntaxRow, row};

/// Its row of the table of syntaxes.
pub(crate) const SYNTAX: SyntaxRow = SyntaxRow { name: "json", formats: ROWS, reader: None };

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
    row("json", Syntax::Json, "JSON", DocumentKind::Other, Bytes(&[b"{", b"["])),
];
