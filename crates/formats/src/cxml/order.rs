//! Orders of cXML 1.2 and the answers to them: `OrderRequest`, `ConfirmationRequest`.

mod codes;
mod read;
#[cfg(test)]
mod tests;
mod write;

use quoin_model::order::{OrderKind, OrderSyntax};
use quoin_xml::tree::Element;

use super::read::child;
use crate::reading::OrderReader;

pub(crate) use write::ORDER_WRITER;

/// The row of the table of readers of orders.
pub(crate) const ORDER_READER: OrderReader =
    OrderReader { syntax: OrderSyntax::Cxml, kind, read: read::read };

/// The request that is an order or an answer; `None` where it is another message of cXML.
fn request(element: Element<'_>) -> Option<Element<'_>> {
    let mut requests = element.elements().filter(|one| one.local() == "Request");
    requests.find_map(|one| {
        one.elements().find(|one| matches!(one.local(), "OrderRequest" | "ConfirmationRequest"))
    })
}

/// Which message it is, by the request and the type of the order.
fn kind(element: Element<'_>) -> Option<OrderKind> {
    if !element.namespace().is_empty() || !matches!(element.local(), "cXML" | "cxml") {
        return None;
    }
    let request = request(element)?;
    if request.local() == "ConfirmationRequest" {
        return Some(OrderKind::Response);
    }
    let header = child(request, "OrderRequestHeader");
    Some(match header.and_then(|header| header.attribute("type")) {
        Some("update") => OrderKind::Change,
        Some("delete") => OrderKind::Cancellation,
        _ => OrderKind::Order,
    })
}
