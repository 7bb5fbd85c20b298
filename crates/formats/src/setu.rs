//! SETU and HR-XML, staffing in the Netherlands: their formats, the reader and the writer of
//! invoices. The invoice of SETU 2 is UBL, and read as such.
//!
//! What is easily got wrong is in the README of the folder.

mod codes;
mod read;
#[cfg(test)]
mod tests;
mod write;

use quoin_xml::tree::Element;

use crate::reading::InvoiceReader;
use crate::syntax::DocumentKind;
use crate::syntax::FormatSignature::{Namespace, Root, RootPrefix};
use crate::syntax::{Format, Syntax, row};
use crate::syntax_row::SyntaxRow;

pub(crate) use write::WRITER;

/// The invoice, which is OAGIS.
const OAGIS: &str = "http://www.openapplications.org/oagis";

const HR_XML: &str = "http://ns.hr-xml.org/2007-04-15";

const SETU: &str = "https://ontology.setu.nl/";

/// Its row of the table of syntaxes.
pub(crate) const SYNTAX: SyntaxRow = SyntaxRow::of("setu", ROWS)
    .issued(&[(Syntax::Setu, &["Header", "DocumentDateTime"])])
    .read_by(READER);

const READER: InvoiceReader = InvoiceReader {
    syntax,
    read: read::read,
    every: None,
    #[cfg(test)]
    proof: Some(&tests::PROOF),
};

fn syntax(element: Element<'_>) -> Option<Syntax> {
    let is_invoice = (element.namespace(), element.local()) == (OAGIS, "Invoice");
    is_invoice.then_some(Syntax::Setu)
}

const ROWS: &[Format] = &[
    row("setu-1", Syntax::Setu, "SETU 1", DocumentKind::Invoice, Root("Invoice", OAGIS)),
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
