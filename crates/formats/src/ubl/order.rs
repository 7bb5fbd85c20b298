//! Orders in UBL 2.1 and what follows them: `Order`, `OrderResponse`, `OrderChange`,
//! `OrderCancellation`.

mod read;
mod write;

use quoin_model::order::OrderKind;
use quoin_xml::tree::Element;

use crate::reading::OrderReader;
use crate::ubl::UBL_PREFIX;

pub(crate) use write::{ORDER_WRITER, complete};

/// The row of the table of readers of orders.
pub(crate) const ORDER_READER: OrderReader = OrderReader { kind, read: read::read };

/// Document elements, and the messages that they are.
const KINDS: &[(&str, OrderKind)] = &[
    ("Order", OrderKind::Order),
    ("OrderResponse", OrderKind::Response),
    ("OrderChange", OrderKind::Change),
    ("OrderCancellation", OrderKind::Cancellation),
];

fn kind(element: Element<'_>) -> Option<OrderKind> {
    let name = element.namespace().strip_prefix(UBL_PREFIX)?.strip_suffix("-2")?;
    let row = KINDS.iter().find(|(local, _)| *local == name && *local == element.local());
    row.map(|(_, kind)| *kind)
}
