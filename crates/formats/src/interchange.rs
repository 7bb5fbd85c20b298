//! EDIFACT and X12 interchanges.

use crate::syntax::DocumentKind;
use crate::syntax::FormatSignature::Bytes;
use crate::syntax::{Format, Syntax, row};
use crate::syntax_row::SyntaxRow;

/// Messages of UN/EDIFACT and of the numbers of ANSI X12, by the name in `UNH` and `ST`.
pub(crate) const MESSAGES: &[(&str, DocumentKind)] = &[
    ("810", DocumentKind::Invoice),
    ("850", DocumentKind::Order),
    ("855", DocumentKind::OrderResponse),
    ("856", DocumentKind::DespatchAdvice),
    ("860", DocumentKind::OrderChange),
    ("861", DocumentKind::ReceiptAdvice),
    ("APERAK", DocumentKind::ApplicationResponse),
    ("CONTRL", DocumentKind::ApplicationResponse),
    ("DESADV", DocumentKind::DespatchAdvice),
    ("INVOIC", DocumentKind::Invoice),
    ("ORDCHG", DocumentKind::OrderChange),
    ("ORDERS", DocumentKind::Order),
    ("ORDRSP", DocumentKind::OrderResponse),
    ("PRICAT", DocumentKind::Catalogue),
    ("RECADV", DocumentKind::ReceiptAdvice),
    ("REMADV", DocumentKind::RemittanceAdvice),
];

/// Its row of the table of syntaxes.
pub(crate) const SYNTAX: SyntaxRow = SyntaxRow::of("interchange", ROWS);

const ROWS: &[Format] = &[
    row("edifact", Syntax::Edifact, "UN/EDIFACT interchange", DocumentKind::Other, {
        Bytes(&[b"UNA:+", b"UNB+"])
    }),
    row(
        "x12",
        Syntax::X12,
        "ANSI X12 interchange",
        DocumentKind::Other,
        Bytes(&[b"ISA*", b"ISA|"]),
    ),
];
