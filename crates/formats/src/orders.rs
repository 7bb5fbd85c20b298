//! Readers of orders and of what follows them, as [`crate::readers`] are of invoices: every leaf is
//! read, derived, regenerated or unread.

use quoin_model::order::{OrderKind, OrderSyntax};
use quoin_xml::tree::{Document, Element};

use crate::{cxml, dico, ubl};

use crate::reading::OrderReader;
pub use crate::reading::OrderReading;

/// One row a syntax.
const READERS: &[&OrderReader] =
    &[&ubl::order::ORDER_READER, &dico::order::ORDER_READER, &cxml::order::ORDER_READER];

/// Which message about an order the document at an element is; `None` where it is none that is
/// read.
pub fn order_kind_at(element: Element<'_>) -> Option<OrderKind> {
    READERS.iter().find_map(|reader| (reader.kind)(element))
}

/// The syntax of the message about an order that the document at an element is; `None` where it is
/// none that is read.
pub fn order_syntax_at(element: Element<'_>) -> Option<OrderSyntax> {
    let found = READERS.iter().find(|reader| (reader.kind)(element).is_some());
    found.map(|reader| reader.syntax)
}

/// Reads an order, the answer to one, its change or its cancellation: UBL 2.1, DICO SALES005 and
/// INSBOU, cXML 1.2 `OrderRequest` and `ConfirmationRequest`.
///
/// `None` where the document element is another one.
pub fn read_order(document: &Document) -> Option<OrderReading<'_>> {
    read_order_at(document.root())
}

/// As [`read_order`], of the document at an element, which may stand in an envelope.
pub fn read_order_at(element: Element<'_>) -> Option<OrderReading<'_>> {
    READERS.iter().find_map(|reader| Some((reader.read)((reader.kind)(element)?, element)))
}
