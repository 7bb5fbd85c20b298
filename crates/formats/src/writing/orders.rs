//! The specification and the process of an order, where the target says neither.

use quoin_model::order::{Order, OrderKind};

use super::{InvoiceOutput, LossKind};

const OTHER: &str =
    "the target does not say it, and what is read again is of the usual ordering process";

/// The specification and the process of Peppol BIS that a message of a kind is usually of.
pub(crate) fn usual_identifiers(kind: OrderKind) -> (&'static str, &'static str) {
    const ORDERING: &str = "urn:fdc:peppol.eu:poacc:bis:ordering:3";
    const ADVANCED: &str = "urn:fdc:peppol.eu:poacc:bis:advanced_ordering:3";
    match kind {
        OrderKind::Order => ("urn:fdc:peppol.eu:poacc:trns:order:3", ORDERING),
        OrderKind::Response => ("urn:fdc:peppol.eu:poacc:trns:order_response:3", ORDERING),
        OrderKind::Change => ("urn:fdc:peppol.eu:poacc:trns:order_change:3", ADVANCED),
        OrderKind::Cancellation => ("urn:fdc:peppol.eu:poacc:trns:order_cancellation:3", ADVANCED),
    }
}

impl<'d> InvoiceOutput<'d> {
    /// Gives both their fate in a target that has no place for them: the usual ones are made anew
    /// by whoever needs them, others are lost.
    pub(crate) fn identifiers_without_place(&mut self, order: &Order<'d>) {
        let (specification, process) = usual_identifiers(order.kind);
        let both =
            [(&order.process.customization, specification), (&order.process.profile, process)];
        for (field, usual) in both {
            for id in field {
                match id.is(usual) {
                    true => self.ledger.regenerate(**id),
                    false => self.ledger.list(**id, LossKind::Lost, None, OTHER),
                }
            }
        }
    }
}
