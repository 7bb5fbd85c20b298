//! EDIFACT and X12 interchanges.

use crate::syntax::DocumentKind as Kind;
use crate::syntax::FormatSignature::Bytes;
use crate::syntax::{Format, Syntax, SyntaxRow, row};

/// Messages of UN/EDIFACT and of the numbers of ANSI X12, by the name in `UNH` and `ST`.
pub(crate) const MESSAGES: &[(&str, Kind)] = &[
    ("810", Kind::Invoice),
    ("850", Kind::Order),
    ("855", Kind::OrderResponse),
    ("856", Kind::DespatchAdvice),
    ("860", Kind::OrderChange),
    ("861", Kind::ReceiptAdvice),
    ("APERAK", Kind::ApplicationResponse),
    ("CONTRL", Kind::ApplicationResponse),
    ("DESADV", Kind::DespatchAdvice),
    ("INVOIC", Kind::Invoice),
    ("ORDCHG", Kind::OrderChange),
    ("ORDERS", Kind::Order),
    ("ORDRSP", Kind::OrderResponse),
    ("PRICAT", Kind::Catalogue),
    ("RECADV", Kind::ReceiptAdvice),
    ("REMADV", Kind::RemittanceAdvice),
];

/// Its row of the table of syntaxes.
pub(crate) const SYNTAX: SyntaxRow = SyntaxRow { name: "interchange", formats: ROWS, reader: None };

const ROWS: &[Format] = &[
    row("edifact", Syntax::Edifact, "UN/EDIFACT interchange", Kind::Other, {
        Bytes(&[b"UNA:+", b"UNB+"])
    }),
    row("x12", Syntax::X12, "ANSI X12 interchange", Kind::Other, Bytes(&[b"ISA*", b"ISA|"])),
];
