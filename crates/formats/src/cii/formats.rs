//! The formats of CII, and what tells them.

use crate::syntax::FormatSignature::{Root, RootPrefix};
use crate::syntax::{CREDIT_CODES, DocumentKind};
use crate::syntax::{ElementPath, Format, Syntax, VersionSign, row};
use crate::syntax_row::SyntaxRow;

/// Type codes of UNTDID 1001 for documents that the buyer issues.
const SELF_BILLED_CODES: &[&str] = &["261", "389", "527"];

const CII_TYPE: ElementPath = &["ExchangedDocument", "TypeCode"];

/// Its row of the table of syntaxes.
pub(crate) const SYNTAX: SyntaxRow =
    SyntaxRow::of("cii", ROWS).issued(ISSUED).read_by(super::READER);

const ISSUED: &[(Syntax, ElementPath)] = &[
    (Syntax::Cii, EXCHANGED),
    (Syntax::Cdar, EXCHANGED),
    (Syntax::OrderX, EXCHANGED),
    (Syntax::Zugferd1, &["HeaderExchangedDocument", "IssueDateTime", "DateTimeString"]),
];
const EXCHANGED: ElementPath = &["ExchangedDocument", "IssueDateTime", "DateTimeString"];

const ROWS: &[Format] = &[
    row(
        "cii",
        Syntax::Cii,
        "UN/CEFACT Cross Industry Invoice",
        DocumentKind::Invoice,
        Root(
            "CrossIndustryInvoice",
            "urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100",
        ),
    )
    .kinds(CII_TYPE, CREDIT_CODES)
    .self_billed(&[(CII_TYPE, SELF_BILLED_CODES)]),
    row(
        "cdar",
        Syntax::Cdar,
        "UN/CEFACT Cross Domain Acknowledgement and Response",
        DocumentKind::LifecycleStatus,
        RootPrefix(
            "CrossDomainAcknowledgementAndResponse",
            "urn:un:unece:uncefact:data:standard:CrossDomainAcknowledgementAndResponse:",
        ),
    ),
    row(
        "zugferd-1",
        Syntax::Zugferd1,
        "ZUGFeRD 1",
        DocumentKind::Invoice,
        Root("CrossIndustryDocument", "urn:ferd:CrossIndustryDocument:invoice:1p0"),
    )
    .version(VersionSign::Is("1.0"))
    .kinds(&["HeaderExchangedDocument", "TypeCode"], CREDIT_CODES),
    row(
        "order-x",
        Syntax::OrderX,
        "Order-X",
        DocumentKind::Order,
        RootPrefix(
            "SCRDMCCBDACIOMessageStructure",
            "urn:un:unece:uncefact:data:SCRDMCCBDACIOMessageStructure:",
        ),
    )
    .kinds(CII_TYPE, &[("230", DocumentKind::OrderChange), ("231", DocumentKind::OrderResponse)]),
];
