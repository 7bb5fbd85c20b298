//! Readers: a tree of UBL, CII or a national syntax becomes an [`Invoice`], and nothing is left out
//! silently.
//!
//! A reader walks the tree once and gives every leaf (the text of an element, or an attribute) one
//! of four fates: it is **read** into the model, it is **derived** (what it says follows from the
//! rest, and was checked to), it is **regenerated** (no content, and made anew by every writer), or
//! it is **unread** and returned in the residue with its path. The sum of the four is the number of
//! leaves of the document, which tests assert.
//!
//! A document that is wrong reads too: what stands where it must not is residue, what is there
//! twice is in the `Field` of the model twice, what is no number is a value without number.

mod places;
#[cfg(test)]
mod tests;
mod unread;

use quoin_xml::tree::{Document, Element};

use crate::SYNTAXES;
use crate::reading::InvoiceReader;
use crate::syntax::Syntax;

pub use crate::reading::{DocumentLeaf, LeafTally, Reading};
pub use places::TermPlaces;
pub use unread::{MAX_UNREAD, UnreadList, UnreadText, unread};

/// The syntax of the invoice that a document is; `None` where no reader reads it.
pub fn syntax(document: &Document) -> Option<Syntax> {
    syntax_at(document.root())
}

/// As [`syntax`], of the document at an element, which may stand in an envelope.
pub fn syntax_at(element: Element<'_>) -> Option<Syntax> {
    reader(element).map(|(_, syntax)| syntax)
}

fn reader(element: Element<'_>) -> Option<(InvoiceReader, Syntax)> {
    let mut readers = SYNTAXES.iter().filter_map(|row| row.reader);
    readers.find_map(|own| Some((own, (own.syntax)(element)?)))
}

/// Reads a UBL 2.1 `Invoice` or `CreditNote`, a CII `CrossIndustryInvoice` (D16B, D22B) or an
/// invoice of any other syntax that has a reader in [`crate::SYNTAXES`].
///
/// `None` where the document element is another one.
pub fn read_invoice(document: &Document) -> Option<Reading<'_>> {
    read_invoice_at(document.root())
}

/// As [`read_invoice`], of the document at an element, which may stand in an envelope.
pub fn read_invoice_at(element: Element<'_>) -> Option<Reading<'_>> {
    let (reader, syntax) = reader(element)?;
    Some((reader.read)(syntax, element))
}

/// Reads every invoice of the document at an element: FatturaPA has several in one file, each with
/// the header of all. Of every other syntax it is what [`read_invoice_at`] reads.
///
/// `None` where the document element is another one, or where the header, once for each invoice,
/// would be very much more than the document itself.
pub fn read_invoices_at(element: Element<'_>) -> Option<Vec<Reading<'_>>> {
    let (reader, syntax) = reader(element)?;
    match reader.every {
        Some(every) => every(syntax, element),
        None => Some(vec![(reader.read)(syntax, element)]),
    }
}
