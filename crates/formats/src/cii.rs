//! CII, the Cross Industry Invoice of UN/CEFACT: its reader and its writer.
//!
//! What is easily got wrong is in the README of the folder.

mod formats;
mod read;
mod write;

use quoin_xml::tree::Element;

use crate::reading::InvoiceReader;
use crate::syntax::Syntax;

pub(crate) use formats::SYNTAX;
pub(crate) use write::WRITER;

/// The namespace of the document element `CrossIndustryInvoice`, of D16B and D22B alike.
pub const CROSS_INDUSTRY_INVOICE: &str =
    "urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100";

/// The namespace of what is inside it: reusable aggregates.
pub const CII_AGGREGATES: &str =
    "urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100";

const READER: InvoiceReader = InvoiceReader {
    syntax,
    read: read::read,
    every: None,
    #[cfg(test)]
    proof: None,
};

fn syntax(element: Element<'_>) -> Option<Syntax> {
    let name = (element.namespace(), element.local());
    let is_invoice = name == (CROSS_INDUSTRY_INVOICE, "CrossIndustryInvoice");
    is_invoice.then_some(Syntax::Cii)
}
