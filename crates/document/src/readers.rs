//! Readers: a tree of UBL or CII becomes an [`Invoice`], and nothing is left out silently.
//!
//! A reader walks the tree once and gives every leaf (the text of an element, or an attribute) one
//! of three fates: it is **read** into the model, it is **derived** (what it says follows from the
//! rest, and was checked to), or it is **unread** and returned in the residue with its path. The
//! sum of the three is the number of leaves of the document, which tests assert.
//!
//! A document that is wrong reads too: what stands where it must not is residue, what is there
//! twice is in the [`crate::model::Field`] twice, what is no number is a value without number.

mod cii;
mod pass;
mod ubl;

#[cfg(test)]
mod tests;

use quoin_xml::tree::{Document, Element};

use crate::model::{Invoice, Root};
pub use pass::{Tally, Unread};

/// What a reader found.
#[derive(Debug, Clone)]
pub struct Reading<'d> {
    /// The invoice or credit note.
    pub invoice: Invoice<'d>,
    /// The leaves that are not in it, in document order of their groups.
    pub residue: Vec<Unread<'d>>,
    /// How many leaves had which fate.
    pub tally: Tally,
}

/// UBL 2 document element `Invoice`.
const UBL_INVOICE: &str = "urn:oasis:names:specification:ubl:schema:xsd:Invoice-2";
/// UBL 2 document element `CreditNote`.
const UBL_CREDIT_NOTE: &str = "urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2";
/// CII document element `CrossIndustryInvoice`, D16B and D22B alike.
const CROSS_INDUSTRY_INVOICE: &str = "urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100";

/// Which of the readable document elements a document has; `None` for any other.
pub fn root(document: &Document) -> Option<Root> {
    root_at(document.root())
}

fn root_at(element: Element<'_>) -> Option<Root> {
    match (element.namespace(), element.local()) {
        (UBL_INVOICE, "Invoice") => Some(Root::UblInvoice),
        (UBL_CREDIT_NOTE, "CreditNote") => Some(Root::UblCreditNote),
        (CROSS_INDUSTRY_INVOICE, "CrossIndustryInvoice") => Some(Root::CrossIndustryInvoice),
        _ => None,
    }
}

/// Reads a UBL 2.1 `Invoice` or `CreditNote` or a CII `CrossIndustryInvoice` (D16B, D22B).
///
/// `None` where the document element is another one.
pub fn read_invoice(document: &Document) -> Option<Reading<'_>> {
    read_invoice_at(document.root())
}

/// As [`read_invoice`], of the document at an element, which may stand in an envelope.
pub fn read_invoice_at(element: Element<'_>) -> Option<Reading<'_>> {
    let root = root_at(element)?;
    Some(match root {
        Root::UblInvoice | Root::UblCreditNote => ubl::read(root, element),
        Root::CrossIndustryInvoice => cii::read(element),
    })
}
