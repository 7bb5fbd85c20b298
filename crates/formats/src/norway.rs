//! Norwegian payment handling and digital post.

use crate::syntax::DocumentKind;
use crate::syntax::FormatSignature::Namespace;
use crate::syntax::{Format, Syntax, row};
use crate::syntax_row::SyntaxRow;

/// Its row of the table of syntaxes.
pub(crate) const SYNTAX: SyntaxRow = SyntaxRow::of("norway", ROWS);

const ROWS: &[Format] = &[
    row(
        "payment-handling",
        Syntax::PaymentHandling,
        "Norwegian payment handling",
        DocumentKind::Payment,
        Namespace("urn:fdc:difi.no:2017:payment:extras"),
    ),
    row("digital-post", Syntax::DigitalPost, "Norwegian digital post", DocumentKind::Other, {
        Namespace("urn:fdc:digdir.no:2020:innbyggerpost:xsd")
    }),
];
