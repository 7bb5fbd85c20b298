//! The formats of Svefaktura, and what tells each.

use crate::syntax::FormatSignature::Root;
use crate::syntax::{CREDIT_CODES, DocumentKind};
use crate::syntax::{Format, Syntax, VersionSign, row};
use crate::syntax_row::SyntaxRow;

/// Its row of the table of syntaxes.
pub(crate) const SYNTAX: SyntaxRow = SyntaxRow::of("svefaktura", ROWS)
    .issued(&[(Syntax::Svefaktura, &["IssueDate"])])
    .read_by(super::READER);

const ROWS: &[Format] = &[
    row(
        "svefaktura",
        Syntax::Svefaktura,
        "Svefaktura 1.0",
        DocumentKind::Invoice,
        Root("Invoice", super::INVOICE),
    )
    .version(VersionSign::Is("1.0"))
    .kinds(&["InvoiceTypeCode"], CREDIT_CODES),
    row(
        "svefaktura-envelope",
        Syntax::SvefakturaEnvelope,
        "Svefaktura 1.0 with attachments",
        DocumentKind::Invoice,
        Root("ObjectEnvelope", "urn:sfti:documents:ObjectEnvelope:1:0"),
    )
    .version(VersionSign::Is("1.0")),
];
