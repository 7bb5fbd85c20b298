//! Reading CII `CrossIndustryInvoice` D16B and D22B, one file a business group.
//!
//! Sources: UN/CEFACT Cross Industry Invoice (SCRDM) D16B and D22B, CEN/TS 16931-3-3 for the place
//! of each business term, Factur-X 1.09 for the terms of its EXTENDED profile.

mod delivery;
mod document;
mod line;
mod party;
mod payment;
mod product;
mod references;
mod settlement;
mod tax;

use quoin_xml::tree::Element;

use crate::reading::{Pass, Reading};
use crate::syntax::Syntax;
use quoin_model::en16931::{Date, Field, Indicator, ValueType};

/// Elements of the messages.
const RSM: &str = super::CROSS_INDUSTRY_INVOICE;
/// Groups and values.
const RAM: &str = super::CII_AGGREGATES;
/// Data types: the element inside a date or an indicator.
const UDT: &str = "urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100";
/// Qualified data types: the element inside a formatted date.
const QDT: &str = "urn:un:unece:uncefact:data:standard:QualifiedDataType:100";

/// The local name of an element of the message; `""` for any other.
fn rsm(element: Element<'_>) -> &str {
    if element.namespace() == RSM { element.local() } else { "" }
}

/// The local name of a group or value; `""` for any other.
fn ram(element: Element<'_>) -> &str {
    if element.namespace() == RAM { element.local() } else { "" }
}

/// Reads the document element.
pub(super) fn read(syntax: Syntax, element: Element<'_>) -> Reading<'_> {
    let mut pass = Pass::default();
    let invoice = document::read(&mut pass, element);
    pass.reading(syntax, invoice)
}

/// Reads a group of which one value is wanted: `URIUniversalCommunication` for its `URIID`.
fn wrapped<'d, T: ValueType<'d>>(
    pass: &mut Pass<'d>,
    field: &mut Field<T>,
    wrapper: Element<'d>,
    wanted: &str,
) {
    pass.open(wrapper);
    for child in wrapper.elements() {
        match ram(child) {
            local if local == wanted => pass.take(field, child),
            _ => pass.unread(child),
        }
    }
}

/// Reads a date: the string inside `IssueDateTime`, `FormattedIssueDateTime`, `TaxPointDate`.
fn date<'d>(pass: &mut Pass<'d>, field: &mut Field<Date<'d>>, wrapper: Element<'d>) {
    let wanted = ["DateTimeString", "DateString", "DateTime", "Date"];
    typed(pass, field, wrapper, &wanted);
}

/// Reads an indicator: the `Indicator` inside `ChargeIndicator`.
fn indicator<'d>(pass: &mut Pass<'d>, field: &mut Field<Indicator<'d>>, wrapper: Element<'d>) {
    typed(pass, field, wrapper, &["Indicator"]);
}

fn typed<'d, T: ValueType<'d>>(
    pass: &mut Pass<'d>,
    field: &mut Field<T>,
    wrapper: Element<'d>,
    wanted: &[&str],
) {
    pass.open(wrapper);
    for child in wrapper.elements() {
        let in_types = matches!(child.namespace(), UDT | QDT);
        match in_types && wanted.contains(&child.local()) {
            true => pass.take(field, child),
            false => pass.unread(child),
        }
    }
}
