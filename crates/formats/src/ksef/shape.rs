//! The structure of FA as tables: each group with its elements in the order of the schema, and the
//! field of the model that each is. Both directions work by them, so that what is read can be
//! written again.
//!
//! Source: FA(3), form 1-0E.

mod special;
mod tables;

use quoin_model::en16931::{
    Amount, Code, CountryCode, CurrencyCode, Date, Derivation, Field, Identifier, Number,
    Percentage, Quantity, Text, Time, ValueSource, ValueType,
};
use quoin_xml::tree::Element;

use crate::reading::Pass;
use crate::writing::InvoiceOutput;

/// Why a document of FA(2) says something else in FA(3).
const NEWER: &str = "FA(3) asks for what FA(2) has otherwise";

/// What an element of a group is in the model: values, or groups.
pub(super) trait FaPart<'d> {
    /// Reads one more.
    fn take(&mut self, pass: &mut Pass<'d>, element: Element<'d>);

    /// Writes all of them as they stand there.
    fn again(&self, out: &mut InvoiceOutput<'d>, name: &'static str);
}

/// Writes a value as it stands there, or as FA(3) has it where FA(2) has it otherwise.
pub(super) fn value_again<'d>(
    out: &mut InvoiceOutput<'d>,
    name: &'static str,
    source: ValueSource<'d>,
) {
    let text = source.trimmed();
    match source.derivation() {
        None => out.kept(name, &text, source),
        Some(Derivation::Implied) => out.derived(name, &text, source.element(), None, NEWER),
        Some(_) => out.changed(name, &text, ValueSource::of(source.element()), NEWER),
    }
}

/// Declares which values there are.
macro_rules! values {
    ($($value:ident),*) => {$(
        impl<'d> FaPart<'d> for Field<$value<'d>> {
            fn take(&mut self, pass: &mut Pass<'d>, element: Element<'d>) {
                pass.take(self, element);
            }

            fn again(&self, out: &mut InvoiceOutput<'d>, name: &'static str) {
                for value in self {
                    value_again(out, name, value.source());
                }
            }
        }
    )*};
}
values!(
    Amount,
    Code,
    CountryCode,
    CurrencyCode,
    Date,
    Identifier,
    Number,
    Percentage,
    Quantity,
    Text,
    Time
);
