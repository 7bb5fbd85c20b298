//! SETU and HR-XML: staffing, in the Netherlands.

use crate::syntax::DocumentKind;
use crate::syntax::FormatSignature::{Namespace, Root, RootPrefix};
use crate::syntax::{Format, Syntax, SyntaxRow, row};

const HR_XML: &str = "http://ns.hr-xml.org/2007-04-15";

const SETU: &str = "https://ontology.setu.nl/";

/// Its row of the table of syntaxes.
pub(crate) const SYNTAX: SyntaxRow = SyntaxRow { name: "setu", formats: ROWS, reader: None };

const ROWS: &[Format] = &[
    row(
        "setu-1",
        Syntax::Setu,
        "SETU 1",
        DocumentKind::Invoice,
        Root("Invoice", "http://www.openapplications.org/oagis"),
    ),
    row("setu-1-timecard", Syntax::SetuHrXml, "SETU 1 time card", DocumentKind::TimeCard, {
        Root("TimeCard", HR_XML)
    }),
    row("setu-1-assignment", Syntax::SetuHrXml, "SETU 1 assignment", DocumentKind::Assignment, {
        Root("Assignment", HR_XML)
    }),
    row("setu-1-order", Syntax::SetuHrXml, "SETU 1 staffing order", DocumentKind::StaffingOrder, {
        Root("StaffingOrder", HR_XML)
    }),
    row("setu-1-human", Syntax::SetuHrXml, "SETU 1 human resource", DocumentKind::HumanResource, {
        Root("HumanResource", HR_XML)
    }),
    row(
        "setu-1-hr-xml",
        Syntax::SetuHrXml,
        "SETU HR-XML message",
        DocumentKind::HumanResource,
        Namespace(HR_XML),
    ),
    row("setu-2-timecard", Syntax::SetuV2, "SETU 2 time card", DocumentKind::TimeCard, {
        RootPrefix("Timecard", SETU)
    }),
    row("setu-2-assignment", Syntax::SetuV2, "SETU 2 assignment", DocumentKind::Assignment, {
        RootPrefix("Assignment", SETU)
    }),
    row("setu-2-order", Syntax::SetuV2, "SETU 2 staffing order", DocumentKind::StaffingOrder, {
        RootPrefix("StaffingOrder", SETU)
    }),
    row(
        "setu-2-message",
        Syntax::SetuV2,
        "SETU 2 message",
        DocumentKind::HumanResource,
        Namespace(SETU),
    ),
];
