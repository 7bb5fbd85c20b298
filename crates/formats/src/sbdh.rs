//! The Peppol envelope, and what stands in it as content.

use crate::syntax::DocumentKind;
use crate::syntax::FormatSignature::Namespace;
use crate::syntax::{Format, Syntax, VersionSign, row};
use crate::syntax_row::SyntaxRow;

/// Its row of the table of syntaxes.
pub(crate) const SYNTAX: SyntaxRow = SyntaxRow::of("sbdh", ROWS);

const ROWS: &[Format] = &[
    row(
        "sbdh",
        Syntax::Sbdh,
        "standard business document header without a document",
        DocumentKind::Envelope,
        Namespace(crate::detection::SBDH),
    ),
    row(
        "peppol-binary",
        Syntax::PeppolContent,
        "file in a Peppol envelope",
        DocumentKind::Container,
        Namespace("http://peppol.eu/xsd/ticc/envelope/"),
    )
    .version(VersionSign::Namespace),
];
