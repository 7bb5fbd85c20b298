//! Orders in UBL 2.1 and what follows them: `Order`, `OrderResponse`, `OrderChange`,
//! `OrderCancellation`.

mod read;
mod write;

use quoin_model::order::{OrderKind, OrderSyntax};
use quoin_xml::tree::Element;

use crate::reading::OrderReader;
use crate::ubl::UBL_PREFIX;

pub(crate) use write::{ORDER_WRITER, complete, lacking};

/// The row of the table of readers of orders.
pub(crate) const ORDER_READER: OrderReader =
    OrderReader { syntax: OrderSyntax::Ubl, kind, read: read::read };

/// Document elements, and the messages that they are.
const KINDS: &[(&str, OrderKind)] = &[
    ("Order", OrderKind::Order),
    ("OrderResponse", OrderKind::Response),
    ("OrderChange", OrderKind::Change),
    ("OrderCancellation", OrderKind::Cancellation),
];

fn kind(element: Element<'_>) -> Option<OrderKind> {
    kind_named(element.namespace(), element.local())
}

/// The message of a document element.
pub(super) fn kind_named(namespace: &str, local: &str) -> Option<OrderKind> {
    let name = namespace.strip_prefix(UBL_PREFIX)?.strip_suffix("-2")?;
    let row = KINDS.iter().find(|(own, _)| *own == name && *own == local);
    row.map(|(_, kind)| *kind)
}
