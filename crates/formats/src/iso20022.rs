//! ISO 20022, the messages of banks.

use crate::syntax::DocumentKind;
use crate::syntax::FormatSignature::RootPrefix;
use crate::syntax::{Format, Syntax, row};
use crate::syntax_row::SyntaxRow;

/// Its row of the table of syntaxes.
pub(crate) const SYNTAX: SyntaxRow = SyntaxRow::of("iso20022", ROWS);

const ROWS: &[Format] = &[row(
    "iso20022",
    Syntax::Iso20022,
    "ISO 20022 message",
    DocumentKind::Payment,
    RootPrefix("Document", "urn:iso:std:iso:20022:tech:xsd:"),
)];
