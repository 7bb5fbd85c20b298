//! Svefaktura, the older invoice of Sweden.

use crate::syntax::DocumentKind as Kind;
use crate::syntax::FormatSignature::Root;
use crate::syntax::{Format, Syntax, SyntaxRow, VersionSign, row};

/// Type codes of UNTDID 1001 that CII documents carry for credit notes (EN 16931 code list of
/// BT-3, the codes that UBL writes as `CreditNote`).
const CREDIT_CODES: &[(&str, Kind)] = &[
    ("81", Kind::CreditNote),
    ("83", Kind::CreditNote),
    ("261", Kind::CreditNote),
    ("262", Kind::CreditNote),
    ("296", Kind::CreditNote),
    ("308", Kind::CreditNote),
    ("381", Kind::CreditNote),
    ("396", Kind::CreditNote),
    ("420", Kind::CreditNote),
    ("458", Kind::CreditNote),
    ("502", Kind::CreditNote),
    ("503", Kind::CreditNote),
    ("532", Kind::CreditNote),
];

/// Its row of the table of syntaxes.
pub(crate) const SYNTAX: SyntaxRow = SyntaxRow { name: "svefaktura", formats: ROWS, reader: None };

const ROWS: &[Format] = &[
    row(
        "svefaktura",
        Syntax::Svefaktura,
        "Svefaktura 1.0",
        Kind::Invoice,
        Root("Invoice", "urn:sfti:documents:BasicInvoice:1:0"),
    )
    .version(VersionSign::Is("1.0"))
    .kinds(&["InvoiceTypeCode"], CREDIT_CODES),
    row(
        "svefaktura-envelope",
        Syntax::SvefakturaEnvelope,
        "Svefaktura 1.0 with attachments",
        Kind::Invoice,
        Root("ObjectEnvelope", "urn:sfti:documents:ObjectEnvelope:1:0"),
    )
    .version(VersionSign::Is("1.0")),
];
