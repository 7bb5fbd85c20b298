//! Reading invoices of SETU 1.0 to 1.4, one file a business group.
//!
//! Sources: HR-XML 2.5 `Invoice.xsd` (OAGIS), SETU Standard for Invoicing 1.0 to 1.4.

mod document;
mod line;
mod money;
mod party;
mod staffing;
#[cfg(test)]
mod tests;

use quoin_model::amount::Decimal;
use quoin_model::en16931::{
    Amount, AttributeName, Derivation, DutchExtensions, Field, Invoice, Percentage, Quantity,
    ValueSource, ValueType,
};
use quoin_xml::tree::Element;

use super::{HR_XML, OAGIS};
use crate::reading::{DocumentLeaf, Pass, Reading, negated};
use crate::syntax::Syntax;

pub(super) use party::PHYSICAL;

/// One walk over a document.
#[derive(Default)]
struct SetuWalk<'d> {
    pass: Pass<'d>,
    /// Whether amounts and quantities have the other sign: a credit note whose total is negative.
    is_negated: bool,
}

/// The local name of an element of SETU; `""` for any other.
fn name(element: Element<'_>) -> &str {
    match element.namespace() {
        OAGIS | HR_XML => element.local(),
        _ => "",
    }
}

/// The first child element of a name.
fn child<'d>(element: Element<'d>, wanted: &str) -> Option<Element<'d>> {
    element.elements().find(|child| name(*child) == wanted)
}

/// Reads the document element.
pub(super) fn read(syntax: Syntax, element: Element<'_>) -> Reading<'_> {
    let mut walk = SetuWalk { is_negated: is_negative_credit(element), ..SetuWalk::default() };
    let invoice = document::read(&mut walk, element);
    walk.pass.reading(syntax, invoice)
}

/// Whether the type is to credit, and the first total that says something is negative.
fn is_negative_credit(element: Element<'_>) -> bool {
    let Some(header) = child(element, "Header") else { return false };
    let credits = child(header, "Type").is_some_and(|kind| kind.text().trim() == "Credit");
    let names = ["TotalAmount", "TotalCharges"].into_iter().filter(|_| credits);
    let mut amounts = names
        .filter_map(|name| child(header, name))
        .filter_map(|total| Decimal::parse(total.text().trim()).ok());
    amounts.find(|amount| !amount.is_zero()).is_some_and(Decimal::is_negative)
}

/// What only the Netherlands have, of this invoice.
fn dutch<'i, 'd>(invoice: &'i mut Invoice<'d>) -> &'i mut DutchExtensions<'d> {
    let element = invoice.element;
    let empty = || Box::new(DutchExtensions::new(element));
    invoice.extensions.netherlands.get_or_insert_with(empty)
}

/// Whether two elements say the same, with everything inside them.
fn is_same(one: Element<'_>, other: Element<'_>) -> bool {
    let (mut left, mut right) = (one.descendants(), other.descendants());
    loop {
        match (left.next(), right.next()) {
            (None, None) => return true,
            (Some(a), Some(b)) => {
                let is_named = a.local() == b.local() || (a == one && b == other);
                let attributes = |element: Element<'_>| element.attributes().count();
                let says_same = a.text().trim() == b.text().trim();
                let has_none = attributes(a) == 0 && attributes(b) == 0;
                let is_nested = a.elements().count() == b.elements().count();
                if !(is_named && says_same && has_none && is_nested) {
                    return false;
                }
            }
            _ => return false,
        }
    }
}

impl<'d> SetuWalk<'d> {
    /// A number with the sign that the model has.
    fn signed(&self, source: ValueSource<'d>) -> ValueSource<'d> {
        let text = source.trimmed();
        match self.is_negated && !text.is_empty() {
            true => source.saying(Derivation::Negated, negated(&text)),
            false => source,
        }
    }

    /// Reads an element with one attribute that belongs to it.
    fn with<T: ValueType<'d>>(
        &mut self,
        element: Element<'d>,
        local: &str,
    ) -> (T, Option<ValueSource<'d>>) {
        let value =
            self.pass.value_of(element, |one| one.namespace.is_empty() && one.local == local);
        (value, ValueSource::attribute_called(element, "", local))
    }

    /// Reads an amount with its currency, of which the sign is that of the document.
    fn price(&mut self, element: Element<'d>) -> Amount<'d> {
        let (own, currency): (Amount<'d>, _) = self.with(element, "currency");
        match currency {
            Some(currency) => own.with(&[(AttributeName::CurrencyId, currency)]).into(),
            None => own,
        }
    }

    /// Reads an amount into a field.
    fn amount(&mut self, field: &mut Field<Amount<'d>>, element: Element<'d>) {
        let own = self.price(element);
        field.push(self.signed(*own).into());
    }

    /// Reads a percentage, of which the unit says that it is one.
    fn percentage(
        &mut self,
        field: &mut Field<Percentage<'d>>,
        element: Element<'d>,
        units: &[&str],
    ) {
        let is_known = |text: &str| units.contains(&text.trim());
        let own: Percentage<'d> = self.pass.value_of(element, |one| {
            one.namespace.is_empty() && one.local == "uom" && is_known(one.value)
        });
        field.push(own);
        let unit = element
            .attributes()
            .find(|one| one.namespace.is_empty() && one.local == "uom" && is_known(one.value));
        if let Some(unit) = unit {
            // It was counted as read, and is made anew.
            self.pass.read = self.pass.read.saturating_sub(1);
            self.pass.regenerated.push(DocumentLeaf::attribute_of(element, unit));
        }
    }

    /// Reads a quantity, and gives its unit as it stands.
    fn quantity(&mut self, element: Element<'d>) -> (Quantity<'d>, Option<ValueSource<'d>>) {
        self.with(element, "uom")
    }

    /// Reads a group of which one value is wanted, in a group of that name each.
    fn wrapped<T: ValueType<'d>>(
        &mut self,
        field: &mut Field<T>,
        wrapper: Element<'d>,
        wanted: &[&str],
    ) {
        self.pass.open(wrapper);
        for child in wrapper.elements() {
            match wanted {
                [last] if name(child) == *last => self.pass.take(field, child),
                [first, rest @ ..] if !rest.is_empty() && name(child) == *first => {
                    self.wrapped(field, child, rest);
                }
                _ => self.pass.unread(child),
            }
        }
    }

    /// Opens a group with one attribute whose value is always this: it is made anew.
    fn open_of(&mut self, element: Element<'d>, local: &str, usual: &str) {
        let is_usual = |one: &quoin_xml::tree::Attribute<'d>| {
            one.namespace.is_empty() && one.local == local && one.value == usual
        };
        self.pass.open_of(element, is_usual);
        if let Some(one) = element.attributes().find(is_usual) {
            self.pass.read = self.pass.read.saturating_sub(1);
            self.pass.regenerated.push(DocumentLeaf::attribute_of(element, one));
        }
    }
}
