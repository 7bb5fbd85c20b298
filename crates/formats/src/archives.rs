//! Containers: PDF, zip, CMS.

use crate::syntax::DocumentKind;
use crate::syntax::FormatSignature::Bytes;
use crate::syntax::{Format, Syntax, row};
use crate::syntax_row::SyntaxRow;

/// Its row of the table of syntaxes.
pub(crate) const SYNTAX: SyntaxRow = SyntaxRow::of("archives", ROWS);

const ROWS: &[Format] = &[
    row("pdf", Syntax::Pdf, "PDF", DocumentKind::Container, Bytes(&[b"%PDF-"])),
    row("zip", Syntax::Zip, "zip archive", DocumentKind::Container, {
        Bytes(&[b"PK\x03\x04", b"PK\x05\x06"])
    }),
    row("cms", Syntax::Cms, "signed CMS container (.p7m)", DocumentKind::Container, {
        Bytes(&[
            b"\x30\x80\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x02",
            b"-----BEGIN PKCS7",
            b"-----BEGIN CMS",
            b"-----BEGIN PKCS #7",
        ])
    }),
];
