//! ISDOC, the invoice of Czechia and Slovakia.

use crate::syntax::DocumentKind;
use crate::syntax::FormatSignature::{Root, RootPrefix};
use crate::syntax::{Format, Syntax, VersionSign, row};
use crate::syntax_row::SyntaxRow;

/// Its row of the table of syntaxes.
pub(crate) const SYNTAX: SyntaxRow =
    SyntaxRow::of("isdoc", ROWS).issued(&[(Syntax::Isdoc, &["IssueDate"])]);

const ROWS: &[Format] = &[
    row("isdoc", Syntax::Isdoc, "ISDOC", DocumentKind::Invoice, {
        Root("Invoice", "http://isdoc.cz/namespace/2013")
    })
    .version(VersionSign::At(&["@version"]))
    .kinds(
        &["DocumentType"],
        &[
            ("2", DocumentKind::CreditNote),
            ("3", DocumentKind::DebitNote),
            ("6", DocumentKind::CreditNote),
        ],
    ),
    row("isdoc-5", Syntax::Isdoc, "ISDOC 5", DocumentKind::Invoice, {
        RootPrefix("Invoice", "http://isdoc.cz/namespace/")
    })
    .version(VersionSign::At(&["@version"])),
];
