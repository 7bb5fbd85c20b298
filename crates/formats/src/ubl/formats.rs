//! The formats of UBL, and what tells them.

use crate::syntax::DocumentKind;
use crate::syntax::FormatSignature::{Namespace, Root, Ubl};
use crate::syntax::{ElementPath, Format, Syntax, VersionSign, row};
use crate::syntax_row::SyntaxRow;

/// Type codes of UNTDID 1001 for documents that the buyer issues.
const SELF_BILLED_CODES: &[&str] = &["261", "389", "527"];

/// Its row of the table of syntaxes.
pub(crate) const SYNTAX: SyntaxRow =
    SyntaxRow::of("ubl", ROWS).issued(ISSUED).read_by(super::READER);

const ISSUED: &[(Syntax, ElementPath)] = &[
    (Syntax::UblInvoice, &["IssueDate"]),
    (Syntax::UblCreditNote, &["IssueDate"]),
    (Syntax::UblOther, &["IssueDate"]),
    (Syntax::Ohnl, &["IssueDate"]),
];

const ROWS: &[Format] = &[
    row(
        "ubl-invoice",
        Syntax::UblInvoice,
        "UBL 2.1 Invoice",
        DocumentKind::Invoice,
        Root("Invoice", "urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"),
    )
    .self_billed(&[(&["InvoiceTypeCode"], SELF_BILLED_CODES)])
    .version(VersionSign::At(&["UBLVersionID"])),
    row(
        "ubl-credit-note",
        Syntax::UblCreditNote,
        "UBL 2.1 CreditNote",
        DocumentKind::CreditNote,
        Root("CreditNote", "urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2"),
    )
    .self_billed(&[(&["CreditNoteTypeCode"], SELF_BILLED_CODES)])
    .version(VersionSign::At(&["UBLVersionID"])),
    row("ubl", Syntax::UblOther, "another UBL 2 document", DocumentKind::Other, Ubl)
        .version(VersionSign::At(&["UBLVersionID"])),
    row(
        "ohnl",
        Syntax::Ohnl,
        "UBL-OHNL document of the Dutch government",
        DocumentKind::Other,
        Namespace("urn:digi-inkoop:ubl:"),
    )
    .version(VersionSign::At(&["CustomizationID"])),
    row(
        "oioubl-utility-statement",
        Syntax::UblOther,
        "OIOUBL utility statement",
        DocumentKind::UtilityStatement,
        Namespace("urn:oioubl:names:specification:oioubl:schema:xsd:"),
    ),
];
