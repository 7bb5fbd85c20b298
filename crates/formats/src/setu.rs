//! SETU and HR-XML, staffing in the Netherlands: their formats, the reader and the writer of
//! invoices. The invoice of SETU 2 is UBL, and read as such.
//!
//! What is easily got wrong is in the README of the folder.

mod codes;
mod read;
mod write;

use quoin_model::en16931::Root as DocumentRoot;

use crate::syntax::DocumentKind;
use crate::syntax::FormatSignature::{Namespace, Root, RootPrefix};
use crate::syntax::{Format, InvoiceReader, Syntax, SyntaxRow, row};

pub(crate) use write::WRITER;

/// The invoice, which is OAGIS.
const OAGIS: &str = "http://www.openapplications.org/oagis";

const HR_XML: &str = "http://ns.hr-xml.org/2007-04-15";

const SETU: &str = "https://ontology.setu.nl/";

/// Its row of the table of syntaxes.
pub(crate) const SYNTAX: SyntaxRow =
    SyntaxRow { name: "setu", formats: ROWS, reader: Some(READER) };

const READER: InvoiceReader = InvoiceReader { root, read: |_, element| read::read(element) };

fn root(namespace: &str, local: &str) -> Option<DocumentRoot> {
    ((namespace, local) == (OAGIS, "Invoice")).then_some(DocumentRoot::SetuInvoice)
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
