//! Orders and what follows them, converted as invoices are: by one ledger, with one list.

use quoin_xml::tree::Element;

use super::{ConversionRequest, ConversionTarget, Converted, copied, specification};
use crate::orders::OrderReading;
use crate::writing::{ConversionRefusal, LeafLedger, OrderWriter, UNREAD_OF_ORDER};
use crate::{cxml, dico, ubl};

/// The targets of orders. One row a syntax.
pub(super) const WRITERS: &[&OrderWriter] =
    &[&ubl::order::ORDER_WRITER, &cxml::order::ORDER_WRITER, &dico::order::ORDER_WRITER];

/// The specifications of Peppol's transactions about orders.
const PEPPOL: &str = "urn:fdc:peppol.eu:poacc:trns:order";

/// Converts the order that was read at an element.
///
/// # Errors
/// As [`super::convert_at`].
pub(super) fn converted(
    element: Element<'_>,
    reading: &OrderReading<'_>,
    request: &ConversionRequest<'_>,
) -> Result<Converted, ConversionRefusal> {
    let order = &reading.order;
    let writer = WRITERS.iter().copied().find(|writer| writer.target == request.target.as_str());
    let Some(writer) = writer else {
        let (what, target) = (order.kind.title(), request.target.title());
        return Err(ConversionRefusal::OtherDocuments { what, target });
    };
    let is_copied = order.syntax == writer.syntax && (writer.is_written_so)(element);
    let of_peppol = request.specification.is_some_and(|wanted| wanted.starts_with(PEPPOL));
    if of_peppol && request.target == ConversionTarget::UBL && !is_copied {
        ubl::order::complete(order, request.ends_follow)?;
    }
    let mut converted =
        if is_copied { copied(element) } else { written(element, reading, writer)? };
    // A specification that is asked for is named whatever the message lacks.
    let is_plain = request.target == ConversionTarget::UBL && request.specification.is_none();
    let lacking = (is_plain && !is_copied).then(|| ubl::order::lacking(order)).flatten();
    converted.losses.extend(lacking);
    let origin = specification::TermOrigin {
        process: &order.process,
        element: order.element,
        terms: ["tir01-001", "tir01-002"],
        is_json: false,
    };
    specification::specified(converted, &origin, request)
}

fn written(
    element: Element<'_>,
    reading: &OrderReading<'_>,
    writer: &OrderWriter,
) -> Result<Converted, ConversionRefusal> {
    let order = &reading.order;
    let mut ledger = LeafLedger::new(element.document());
    ledger.left(reading.fates(), UNREAD_OF_ORDER);
    let (document, ledger) = (writer.write)(ledger, order)?;
    let (mut losses, tally) = ledger.finish_with(|| order.terms(), element)?;
    // What orders write as invoices do is named by the terms of an order only.
    for loss in losses.iter_mut().filter(|loss| loss.term.is_some_and(is_of_invoice)) {
        loss.term = None;
    }
    Ok(Converted { document, losses, tally })
}

fn is_of_invoice(term: &str) -> bool {
    term.starts_with("BT-") || term.starts_with("BG-")
}
