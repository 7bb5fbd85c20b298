//! Reading Svefaktura 1.0, one file a business group.
//!
//! Source: SFTI Basic Invoice 1.0, which is made of UBL 1.0.

mod document;
mod line;
mod party;
mod payment;
mod tax;
#[cfg(test)]
mod tests;

use quoin_model::en16931::{AttributeName, Derivation, Field, Identifier, ValueSource, ValueType};
use quoin_xml::tree::{Attribute, Element};

use super::codes::{ATTRIBUTES, GS1};
use crate::reading::{Pass, Reading};
use crate::syntax::Syntax;

/// Groups.
const CAC: &str = "urn:sfti:CommonAggregateComponents:1:0";
/// Values.
const CBC: &str = "urn:oasis:names:tc:ubl:CommonBasicComponents:1:0";

/// The local name of an element of Svefaktura; `""` for any other. No name is in two of its
/// namespaces but `ID` and `AllowanceCharge`, which mean the same in both.
fn name(element: Element<'_>) -> &str {
    match element.namespace() {
        super::INVOICE | CAC | CBC => element.local(),
        _ => "",
    }
}

/// Reads the document element.
pub(super) fn read(syntax: Syntax, element: Element<'_>) -> Reading<'_> {
    let mut pass = Pass::default();
    let invoice = document::read(&mut pass, element);
    pass.reading(syntax, invoice)
}

/// Reads an element into a value that has the attributes of UBL 1.0 as those of the model.
fn value<'d, T: ValueType<'d>>(pass: &mut Pass<'d>, element: Element<'d>) -> T {
    let ours = |attribute: &Attribute<'d>| {
        let known = |(own, name): &&(&str, AttributeName)| {
            *own == attribute.local && T::ATTRIBUTES.contains(name)
        };
        ATTRIBUTES.iter().find(known).map(|(_, name)| *name)
    };
    let same = |attribute: &Attribute<'d>| {
        T::ATTRIBUTES.iter().any(|name| name.as_str() == attribute.local)
    };
    let own: T = pass.value_of(element, |attribute| {
        attribute.namespace.is_empty() && (ours(attribute).is_some() || same(attribute))
    });
    let attributes: Vec<_> = element
        .attributes()
        .filter(|attribute| attribute.namespace.is_empty())
        .filter_map(|attribute| {
            let place = ValueSource::attribute_called(element, "", attribute.local)?;
            Some((ours(&attribute)?, place))
        })
        .collect();
    match attributes.is_empty() {
        true => own,
        false => T::from(own.source().with(&attributes)),
    }
}

/// Reads an element into a field.
fn take<'d, T: ValueType<'d>>(pass: &mut Pass<'d>, field: &mut Field<T>, element: Element<'d>) {
    field.push(value(pass, element));
}

/// Reads a group of which one value is wanted, in a group of that name each: `Country` for its
/// `IdentificationCode`.
fn wrapped<'d, T: ValueType<'d>>(
    pass: &mut Pass<'d>,
    field: &mut Field<T>,
    wrapper: Element<'d>,
    wanted: &[&str],
) {
    pass.open(wrapper);
    for child in wrapper.elements() {
        match wanted {
            [last] if name(child) == *last => take(pass, field, child),
            [first, rest @ ..] if name(child) == *first => wrapped(pass, field, child, rest),
            _ => pass.unread(child),
        }
    }
}

/// An identifier of GS1 is of this scheme.
fn of_agency<'d>(id: Identifier<'d>, scheme: &'static str) -> Identifier<'d> {
    let agency = id.attribute(AttributeName::SchemeAgencyId).filter(|agency| agency.is(GS1));
    match agency {
        Some(agency) if id.scheme().is_none() => {
            let scheme = agency.saying(Derivation::Mapped, scheme);
            Identifier::from(id.with(&[(AttributeName::SchemeId, scheme)]))
        }
        _ => id,
    }
}
