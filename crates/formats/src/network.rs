//! What the network says of itself: service metadata, business cards.

use crate::syntax::DocumentKind;
use crate::syntax::FormatSignature::Namespace;
use crate::syntax::{Format, Syntax, VersionSign, row};
use crate::syntax_row::SyntaxRow;

/// Its row of the table of syntaxes.
pub(crate) const SYNTAX: SyntaxRow = SyntaxRow::of("network", ROWS);

const ROWS: &[Format] = &[
    row("smp-1", Syntax::ServiceMetadata, "Peppol SMP document", DocumentKind::ServiceMetadata, {
        Namespace("http://busdox.org/serviceMetadata/publishing/")
    })
    .version(VersionSign::Is("1.0")),
    row(
        "smp-1-oasis",
        Syntax::ServiceMetadata,
        "OASIS SMP 1 document",
        DocumentKind::ServiceMetadata,
        Namespace("http://docs.oasis-open.org/bdxr/ns/SMP/2016/"),
    )
    .version(VersionSign::Is("1.0")),
    row(
        "smp-2-oasis",
        Syntax::ServiceMetadata,
        "OASIS SMP 2 document",
        DocumentKind::ServiceMetadata,
        Namespace("http://docs.oasis-open.org/bdxr/ns/SMP/2/"),
    )
    .version(VersionSign::Is("2.0")),
    row(
        "business-card",
        Syntax::BusinessCard,
        "Peppol business card",
        DocumentKind::BusinessCard,
        Namespace("http://www.peppol.eu/schema/pd/businesscard"),
    )
    .version(VersionSign::Namespace),
];
