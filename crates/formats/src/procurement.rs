//! Messages of public procurement: ebXML registry, virtual company dossier.

use crate::syntax::DocumentKind;
use crate::syntax::FormatSignature::Namespace;
use crate::syntax::{Format, Syntax, VersionSign, row};
use crate::syntax_row::SyntaxRow;

/// Its row of the table of syntaxes.
pub(crate) const SYNTAX: SyntaxRow = SyntaxRow::of("procurement", ROWS);

const ROWS: &[Format] = &[
    row("ebxml", Syntax::EbXmlRegistry, "ebXML registry message", DocumentKind::Tendering, {
        Namespace("urn:oasis:names:tc:ebxml-regrep:xsd:")
    })
    .version(VersionSign::Namespace),
    row(
        "vcd",
        Syntax::VirtualCompanyDossier,
        "Peppol pilot document, such as a virtual company dossier",
        DocumentKind::Tendering,
        Namespace("urn:www.peppol.eu:schema:xsd:"),
    ),
];
