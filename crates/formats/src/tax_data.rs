//! Tax data documents of Peppol.

use crate::syntax::DocumentKind;
use crate::syntax::FormatSignature::RootPrefix;
use crate::syntax::{Format, Syntax, SyntaxRow, VersionSign, row};

/// Its row of the table of syntaxes.
pub(crate) const SYNTAX: SyntaxRow = SyntaxRow { name: "tax_data", formats: ROWS, reader: None };

const ROWS: &[Format] = &[
    row("tax-data", Syntax::TaxData, "Peppol tax data document", DocumentKind::TaxData, {
        RootPrefix("TaxData", "urn:peppol:schema:")
    })
    .version(VersionSign::Namespace),
    row(
        "tax-data-draft",
        Syntax::TaxData,
        "Peppol tax data document, draft",
        DocumentKind::TaxData,
        RootPrefix("TaxData", "urn:fdc:peppol:tax-data-document:"),
    )
    .version(VersionSign::Namespace),
    row(
        "tax-data-status",
        Syntax::TaxData,
        "Peppol tax data status",
        DocumentKind::TaxDataStatus,
        RootPrefix("TaxDataStatus", "urn:fdc:peppol:tax-data-status:"),
    )
    .version(VersionSign::Namespace),
];
