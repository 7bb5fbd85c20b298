//! Tax data documents of Peppol.

use quoin_xml::tree::Element;

use crate::syntax::DocumentKind;
use crate::syntax::FormatSignature::RootPrefix;
use crate::syntax::{Format, Syntax, VersionSign, row};
use crate::syntax_row::SyntaxRow;

/// Its row of the table of syntaxes.
pub(crate) const SYNTAX: SyntaxRow =
    SyntaxRow::of("tax_data", ROWS).issued(&[(Syntax::TaxData, &["IssueDate"])]);

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

/// The structure of a document of the ViDA pilot, whose versions have one namespace: 1.1 has the
/// identifier of the transmission (TDT-018), which 1.0 does not know. `None` of any other document.
pub(crate) fn structure_of(root: Element<'_>) -> Option<&'static str> {
    const VIDA: &str = "urn:peppol:schema:vida-taxdata:1.0";
    if !root.is(VIDA, "TaxData") {
        return None;
    }
    let mut transactions = root.children_named(VIDA, "ReportedTransaction");
    let is_newer = transactions.any(|one| one.child(VIDA, "TransmissionUUID").is_some());
    Some(if is_newer { "tdd-vida-1.1" } else { "tdd-vida-1.0" })
}
