//! Reading UBL 2.1 `Invoice` and `CreditNote`, one file a business group.
//!
//! Sources: OASIS UBL 2.1 (ISO/IEC 19845), CEN/TS 16931-3-2 for the place of each business term.

pub(super) mod allowance;
pub(super) mod delivery;
mod document;
pub(super) mod item;
pub(super) mod line;
pub(super) mod party;
mod payment;
pub(super) mod references;
pub(super) mod totals;

use quoin_xml::tree::Element;

use crate::reading::{Pass, Reading};
use crate::syntax::Syntax;
use crate::ubl::{CAC, CBC};
use quoin_model::en16931::{Field, ValueType};

/// The name of an element in the two namespaces that UBL documents are made of.
pub(super) enum UblName<'d> {
    /// A basic component: `cbc:`.
    Basic(&'d str),
    /// An aggregate component: `cac:`.
    Aggregate(&'d str),
    /// Any other.
    Foreign,
}

pub(super) fn name(element: Element<'_>) -> UblName<'_> {
    match element.namespace() {
        CBC => UblName::Basic(element.local()),
        CAC => UblName::Aggregate(element.local()),
        _ => UblName::Foreign,
    }
}

/// Reads the document element.
pub(super) fn read(syntax: Syntax, element: Element<'_>) -> Reading<'_> {
    let mut pass = Pass::default();
    let mut invoice = document::read(&mut pass, syntax, element);
    invoice.payment.creditor_identifier = std::mem::take(&mut pass.creditor);
    pass.reading(syntax, invoice)
}

/// Reads an aggregate of which one basic component is wanted: `PartyName` for its `Name`.
pub(super) fn wrapped<'d, T: ValueType<'d>>(
    pass: &mut Pass<'d>,
    field: &mut Field<T>,
    wrapper: Element<'d>,
    wanted: &str,
) {
    pass.open(wrapper);
    for child in wrapper.elements() {
        match name(child) {
            UblName::Basic(local) if local == wanted => pass.take(field, child),
            _ => pass.unread(child),
        }
    }
}
