//! Orders and order responses of DICO: SALES005, and the INSBOU messages before it.
//!
//! What is known of the structure, and what is taken from its predecessor, is in the README of the
//! folder.

mod codes;
mod read;
mod write;

use quoin_model::order::{OrderKind, OrderSyntax};
use quoin_xml::tree::Element;

use crate::reading::OrderReader;

pub(crate) use write::ORDER_WRITER;

/// The row of the table of readers of orders.
pub(crate) const ORDER_READER: OrderReader =
    OrderReader { syntax: OrderSyntax::Dico, kind, read: read::read };

/// The start of the namespace of a message of SALES005.
const SALES: &str = "http://www.ketenstandaard.nl/";
/// The start of the namespaces of INSBOU004: `http://www.gs1.nl/order/insbou/004`.
const INSBOU004: &str = "http://www.gs1.nl/";

/// Which message it is. INSBOU003 has no namespace, so that an order is told by what it holds.
fn kind(element: Element<'_>) -> Option<OrderKind> {
    let (kind, number) = match element.local() {
        "Order" => (OrderKind::Order, "OrderNumber"),
        "OrderResponse" => (OrderKind::Response, "OrderResponseNumber"),
        _ => return None,
    };
    let namespace = element.namespace();
    let has = |name: &str| element.elements().any(|child| child.local() == name);
    let is_named = namespace.starts_with(SALES) || namespace.starts_with(INSBOU004);
    let is_bare = || namespace.is_empty() && has(number) && has("Buyer") && has("Supplier");
    (is_named || is_bare()).then_some(kind)
}
