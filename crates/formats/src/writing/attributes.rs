//! Attributes of an item (BG-32) whose value is a quantity, which EN 16931 has not.

use quoin_model::en16931::{ItemAttribute, ValueSource};

use super::{InvoiceOutput, LossKind};

const AS_TEXT: &str = "the value of an attribute (BT-161) is a text: quantity and unit together";

/// Writes the value of an attribute that has a quantity only (BR-54): `330 DKG`. Where the target
/// has the quantity beside it, under the name `beside`, that says the same once more.
pub(crate) fn quantity_as_value<'d>(
    out: &mut InvoiceOutput<'d>,
    name: &'static str,
    beside: &'static str,
    one: &ItemAttribute<'d>,
) {
    let Some(own) = one.quantity.filled().filter(|_| !one.value.is_filled()) else { return };
    if !out.has_place(name) {
        return;
    }
    let unit: Option<ValueSource<'d>> = own.unit().map(|unit| *unit).filter(|own| !own.is_blank());
    let number = own.trimmed();
    let text = match unit {
        Some(unit) => format!("{number} {}", unit.trimmed()),
        None => number.into_owned(),
    };
    if out.has_place(beside) {
        return out.derived(name, &text, one.element, Some("BT-161"), AS_TEXT);
    }
    for part in std::iter::once(*own).chain(unit) {
        let path = Some(out.path_of(name));
        out.ledger.list_as(Some("BT-161"), part, LossKind::Merged, path, AS_TEXT);
    }
    out.constant(name, &text, &[]);
}
