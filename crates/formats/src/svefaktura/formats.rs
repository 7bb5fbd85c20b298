//! The formats of Svefaktura, and what tells each.

use crate::syntax::DocumentKind;
use crate::syntax::FormatSignature::Root;
use crate::syntax::{Format, Syntax, SyntaxRow, VersionSign, row};

/// Type codes of UNTDID 1001 that CII documents carry for credit notes (EN 16931 code list of
/// BT-3, the codes that UBL writes as `CreditNote`).
const CREDIT_CODES: &[(&str, DocumentKind)] = &[
    ("81", DocumentKind::CreditNote),
    ("83", DocumentKind::CreditNote),
    ("261", DocumentKind::CreditNote),
    ("262", DocumentKind::CreditNote),
    ("296", DocumentKind::CreditNote),
    ("308", DocumentKind::CreditNote),
    ("381", DocumentKind::CreditNote),
    ("396", DocumentKind::CreditNote),
    ("420", DocumentKind::CreditNote),
    ("458", DocumentKind::CreditNote),
    ("502", DocumentKind::CreditNote),
    ("503", DocumentKind::CreditNote),
    ("532", DocumentKind::CreditNote),
];

/// Its row of the table of syntaxes.
pub(crate) const SYNTAX: SyntaxRow =
    SyntaxRow { name: "svefaktura", formats: ROWS, reader: Some(super::READER) };

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
