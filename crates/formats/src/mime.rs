//! MIME multipart bodies.

use crate::syntax::DocumentKind;
use crate::syntax::FormatSignature::Bytes;
use crate::syntax::{Format, Syntax, row};
use crate::syntax_row::SyntaxRow;

/// Its row of the table of syntaxes.
pub(crate) const SYNTAX: SyntaxRow = SyntaxRow::of("mime", ROWS);

const ROWS: &[Format] = &[row("mime", Syntax::Mime, "MIME message", DocumentKind::Container, {
    Bytes(&[b"MIME-Version:", b"Content-Type:", b"Content-type:", b"--"])
})];
