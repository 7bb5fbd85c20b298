//! The formats of ebInterface, and what tells each.

use crate::syntax::DocumentKind;
use crate::syntax::FormatSignature::{Bare, RootPrefix};
use crate::syntax::{Format, Syntax, VersionSign, row};
use crate::syntax_row::SyntaxRow;

/// Document types of ebInterface that reduce what is owed.
const EB_TYPES: &[(&str, DocumentKind)] =
    &[("CreditMemo", DocumentKind::CreditNote), ("SubsequentCredit", DocumentKind::CreditNote)];

/// Its row of the table of syntaxes.
pub(crate) const SYNTAX: SyntaxRow = SyntaxRow::of("ebinterface", ROWS)
    .issued(&[(Syntax::EbInterface, &["InvoiceDate"])])
    .read_by(super::READER);

/// What namespaces begin with; the version follows.
pub(super) const NAMESPACES: &str = "http://www.ebinterface.at/schema/";

const ROWS: &[Format] = &[
    row(
        "ebinterface",
        Syntax::EbInterface,
        "ebInterface",
        DocumentKind::Invoice,
        RootPrefix("Invoice", NAMESPACES),
    )
    .version(VersionSign::Namespace)
    .kinds(&["@DocumentType"], EB_TYPES)
    .self_billed(&[(&["@DocumentType"], &["SelfBilling"])]),
    row(
        "ebinterface-1.0",
        Syntax::EbInterface,
        "ebInterface 1.0",
        DocumentKind::Invoice,
        Bare("Invoice", "", &["Biller"]),
    )
    .version(VersionSign::Is("1.0")),
];
