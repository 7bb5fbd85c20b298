//! Reading invoices of DICO, one file a business group: SALES005, INSBOU004 and INSBOU003.
//!
//! The three have the same groups; INSBOU003 has no namespace, and longer names for some values.
//! Sources: the code lists of SALES005; invoices of INSBOU003 and INSBOU004.

mod document;
mod line;
mod money;
mod party;
#[cfg(test)]
mod tests;

use quoin_model::amount::Decimal;
use quoin_model::en16931::{
    Amount, AttributeName, Derivation, DutchExtensions, Field, Identifier, Invoice, ValueType,
};
use quoin_xml::tree::Element;

use super::codes::CORRECTION;
use super::{INSBOU, SALES};
use crate::reading::{Pass, Reading, negated};
use crate::syntax::Syntax;

/// One walk over a document.
#[derive(Default)]
struct DicoWalk<'d> {
    pass: Pass<'d>,
    /// Whether amounts and quantities have the other sign: a correction whose total is negative.
    is_negated: bool,
}

/// Whether a namespace is that of an invoice that is read. INSBOU003 has none.
pub(super) fn is_ours(namespace: &str) -> bool {
    namespace.is_empty() || namespace.starts_with(SALES) || namespace.starts_with(INSBOU)
}

/// The local name of an element of DICO; `""` for any other.
fn name(element: Element<'_>) -> &str {
    if is_ours(element.namespace()) { element.local() } else { "" }
}

/// The first child element of a name.
fn child<'d>(element: Element<'d>, wanted: &str) -> Option<Element<'d>> {
    element.elements().find(|child| name(*child) == wanted)
}

/// Reads the document element.
pub(super) fn read(syntax: Syntax, element: Element<'_>) -> Reading<'_> {
    let mut walk = DicoWalk { is_negated: is_negative_credit(element), ..DicoWalk::default() };
    let invoice = document::read(&mut walk, element);
    walk.pass.reading(syntax, invoice)
}

/// Whether the type is one that credits, and the first total that says something is negative.
fn is_negative_credit(element: Element<'_>) -> bool {
    let kind = child(element, "InvoiceType").map(|kind| kind.text().trim().to_owned());
    let credits = kind.is_some_and(|kind| {
        let credits = quoin_model::codes::is_credit_note_type(&kind);
        kind == CORRECTION || credits
    });
    let totals = child(element, "InvoiceTotals").filter(|_| credits);
    let names = ["TotalInvoiceAmount", "TotalNetLineAmount"].into_iter();
    let mut amounts = names
        .filter_map(|name| child(totals?, name))
        .filter_map(|total| Decimal::parse(total.text().trim()).ok());
    amounts.find(|amount| !amount.is_zero()).is_some_and(Decimal::is_negative)
}

/// An identifier whose element says of which scheme it is.
fn of_scheme<'d>(id: Identifier<'d>, scheme: &'static str) -> Identifier<'d> {
    let scheme = id.source().saying(Derivation::Named, scheme);
    id.with(&[(AttributeName::SchemeId, scheme)]).into()
}

/// What only the Netherlands have, of this invoice.
fn dutch<'i, 'd>(invoice: &'i mut Invoice<'d>) -> &'i mut DutchExtensions<'d> {
    let element = invoice.element;
    let empty = || Box::new(DutchExtensions::new(element));
    invoice.extensions.netherlands.get_or_insert_with(empty)
}

impl<'d> DicoWalk<'d> {
    /// Reads a number whose sign is that of the model.
    fn signed<T: ValueType<'d>>(&mut self, element: Element<'d>) -> T {
        let own: T = self.pass.value(element);
        let text = own.source().trimmed();
        match self.is_negated && !text.is_empty() {
            true => own.source().saying(Derivation::Negated, negated(&text)).into(),
            false => own,
        }
    }

    /// Reads an amount into a field.
    fn amount(&mut self, field: &mut Field<Amount<'d>>, element: Element<'d>) {
        let own = self.signed(element);
        field.push(own);
    }

    /// Reads an identifier whose element says of which scheme it is.
    fn id_of(
        &mut self,
        field: &mut Field<Identifier<'d>>,
        element: Element<'d>,
        scheme: &'static str,
    ) {
        field.push(of_scheme(self.pass.value(element), scheme));
    }

    /// Reads a group of which one value is wanted, in a group of that name each.
    fn wrapped<T: ValueType<'d>>(
        &mut self,
        field: &mut Field<T>,
        wrapper: Element<'d>,
        wanted: &str,
    ) {
        self.pass.open(wrapper);
        for child in wrapper.elements() {
            match name(child) == wanted {
                true => self.pass.take(field, child),
                false => self.pass.unread(child),
            }
        }
    }
}
