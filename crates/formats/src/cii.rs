//! CII, the Cross Industry Invoice of UN/CEFACT: its reader and its writer.
//!
//! What is easily got wrong is in the README of the folder.

mod formats;
mod read;
mod write;

use quoin_model::en16931::Root;

use crate::syntax::InvoiceReader;

pub(crate) use formats::SYNTAX;
pub(crate) use write::WRITER;

/// The namespace of the document element `CrossIndustryInvoice`, of D16B and D22B alike.
pub const CROSS_INDUSTRY_INVOICE: &str =
    "urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100";

/// The namespace of what is inside it: reusable aggregates.
pub const CII_AGGREGATES: &str =
    "urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100";

const READER: InvoiceReader = InvoiceReader { root, read: |_, element| read::read(element) };

fn root(namespace: &str, local: &str) -> Option<Root> {
    let is_invoice = (namespace, local) == (CROSS_INDUSTRY_INVOICE, "CrossIndustryInvoice");
    is_invoice.then_some(Root::CrossIndustryInvoice)
}
