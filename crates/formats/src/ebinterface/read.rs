//! Reading ebInterface 4.0 to 6.1, one file a business group.
//!
//! Source: the schemas of ebInterface (AUSTRIAPRO). Until 4.3 attributes are in the namespace of
//! the elements, since 5.0 in none.

mod adjustment;
mod delivery;
mod document;
mod line;
mod party;
mod payment;
mod tax;
#[cfg(test)]
mod tests;
mod totals;

use quoin_model::en16931::{AustrianExtensions, Field, Invoice, ValueSource, ValueType};
use quoin_xml::tree::{Attribute, Element};

use super::formats::NAMESPACES;
use crate::reading::{Pass, Reading};
use crate::syntax::Syntax;

/// The versions that are read.
const VERSIONS: &[&str] = &["4p0", "4p1", "4p2", "4p3", "5p0", "6p0", "6p1"];

/// Whether a namespace is that of a version that is read.
pub(super) fn is_ours(namespace: &str) -> bool {
    let version = namespace.strip_prefix(NAMESPACES);
    version.is_some_and(|version| VERSIONS.contains(&version.trim_end_matches('/')))
}

/// The local name of an element of ebInterface; `""` for any other.
fn name(element: Element<'_>) -> &str {
    if is_ours(element.namespace()) { element.local() } else { "" }
}

/// Reads the document element.
pub(super) fn read(syntax: Syntax, element: Element<'_>) -> Reading<'_> {
    let mut pass = Pass::default();
    let invoice = document::read(&mut pass, element);
    pass.reading(syntax, invoice)
}

/// Whether an attribute is one of these, whatever version it is of.
fn is_one_of(attribute: &Attribute<'_>, known: &[&str]) -> bool {
    let ours = attribute.namespace.is_empty() || is_ours(attribute.namespace);
    ours && known.contains(&attribute.local)
}

/// An attribute, whatever version it is of.
fn attribute<'d>(element: Element<'d>, local: &str) -> Option<ValueSource<'d>> {
    let unqualified = ValueSource::attribute_called(element, "", local);
    unqualified.or_else(|| ValueSource::attribute_called(element, element.namespace(), local))
}

/// Reads an element with one attribute that belongs to it, and the attribute.
fn with_attribute<'d, T: ValueType<'d>>(
    pass: &mut Pass<'d>,
    element: Element<'d>,
    local: &str,
) -> (T, Option<ValueSource<'d>>) {
    let value = pass.value_of(element, |one| is_one_of(one, &[local]));
    (value, attribute(element, local))
}

/// Puts an attribute in a field, if it is there.
fn put<'d, T: ValueType<'d>>(field: &mut Field<T>, element: Element<'d>, local: &str) {
    field.extend(attribute(element, local).map(T::from));
}

/// What only Austria has, of this invoice.
fn austria<'i, 'd>(invoice: &'i mut Invoice<'d>) -> &'i mut AustrianExtensions<'d> {
    let element = invoice.element;
    let empty = || Box::new(AustrianExtensions::new(element));
    invoice.extensions.austria.get_or_insert_with(empty)
}
