//! UBL 2: its documents, the groups of an invoice, its reader and its writers.
//!
//! What is easily got wrong is in the README of the folder.

mod formats;
mod groups;
mod names;
pub(crate) mod order;
pub(crate) mod read;
pub mod write;

use quoin_xml::tree::Element;

use crate::reading::InvoiceReader;
use crate::syntax::Syntax;

pub(crate) use formats::SYNTAX;
pub use groups::{CAC, CBC, InvoiceGroups, aggregate, aggregates, basic, basics, endpoints, value};
pub use names::{UBL_KINDS, UBL_PREFIX, ubl_kind};
pub(crate) use write::invoice::{WRITER, tax_point_of_2005};

/// UBL 2 document element `Invoice`.
pub const INVOICE: &str = "urn:oasis:names:specification:ubl:schema:xsd:Invoice-2";
/// UBL 2 document element `CreditNote`.
pub const CREDIT_NOTE: &str = "urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2";

const READER: InvoiceReader = InvoiceReader {
    syntax,
    read: read::read,
    every: None,
    #[cfg(test)]
    proof: None,
};

fn syntax(element: Element<'_>) -> Option<Syntax> {
    match (element.namespace(), element.local()) {
        (INVOICE, "Invoice") => Some(Syntax::UblInvoice),
        (CREDIT_NOTE, "CreditNote") => Some(Syntax::UblCreditNote),
        _ => None,
    }
}

/// Whether a document element is a message about an order that is read and written: `Order`,
/// `OrderResponse`, `OrderChange`, `OrderCancellation`.
pub fn is_order(namespace: &str, local: &str) -> bool {
    order::kind_named(namespace, local).is_some()
}
