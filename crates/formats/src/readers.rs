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

use quoin_model::en16931::Root;
use quoin_xml::tree::{Document, Element};

use crate::SYNTAXES;
use crate::syntax::InvoiceReader;

pub use crate::reading::{DocumentLeaf, LeafTally, Reading};
pub use places::TermPlaces;
pub use unread::{MAX_UNREAD, UnreadList, UnreadText, unread};

/// Which of the readable document elements a document has; `None` for any other.
pub fn root(document: &Document) -> Option<Root> {
    reader(document.root()).map(|(_, root)| root)
}

/// As [`root`], of the document at an element, which may stand in an envelope.
pub fn root_at(element: Element<'_>) -> Option<Root> {
    reader(element).map(|(_, root)| root)
}

fn reader(element: Element<'_>) -> Option<(InvoiceReader, Root)> {
    let mut readers = SYNTAXES.iter().filter_map(|syntax| syntax.reader);
    let found =
        readers.find_map(|own| Some((own, (own.root)(element.namespace(), element.local())?)));
    found.filter(|(_, root)| match root {
        // A message of cXML may be anything, and so may an invoice without a namespace.
        Root::CxmlInvoice => crate::cxml::is_invoice(element),
        Root::DicoInvoice => crate::dico::is_invoice(element),
        _ => true,
    })
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
    let (reader, root) = reader(element)?;
    Some((reader.read)(root, element))
}

/// Reads every invoice of the document at an element: FatturaPA has several in one file, each with
/// the header of all. Of every other syntax it is what [`read_invoice_at`] reads.
///
/// `None` where the document element is another one, or where the header, once for each invoice,
/// would be very much more than the document itself.
pub fn read_invoices_at(element: Element<'_>) -> Option<Vec<Reading<'_>>> {
    let (reader, root) = reader(element)?;
    match root {
        Root::FatturaElettronica | Root::FatturaElettronicaSemplificata => {
            crate::fatturapa::read_bodies(root, element)
        }
        _ => Some(vec![(reader.read)(root, element)]),
    }
}
