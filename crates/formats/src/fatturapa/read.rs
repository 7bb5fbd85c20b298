//! Reading FatturaPA 1.0 to 1.2.3, ordinary and simplified, one file a business group.
//!
//! Source: FatturaPA 1.2.3 and simplified invoice 1.0.2 (Agenzia delle Entrate, annex A of the
//! technical specifications 1.9).

mod adjustment;
mod attachment;
mod body;
mod general;
mod header;
mod line;
mod party;
mod payment;
mod references;
mod simplified;
#[cfg(test)]
mod tests;
mod totals;
mod transport;
mod vat;

use quoin_model::en16931::{
    AttributeName, Date, Derivation, Field, Identifier, Invoice, ItalianExtensions, Text,
    ValueSource, ValueType,
};
use quoin_xml::tree::Element;

use super::codes::{BY_CUSTOMER, SELF_BILLED};
use crate::reading::{Pass, Reading, day_of, joined, lookup};
use crate::syntax::Syntax;

/// Leaves that the headers of all invoices of one file may have together for each node of it, so
/// that reading them is no more work than the file is long. A header has some 40 leaves and a body
/// a hundred nodes; a file of one body has whatever header it likes.
const MAX_HEADER_LEAVES: usize = 24;

/// The local name of an element; `""` for one in a namespace, which none has below the document
/// element.
fn name(element: Element<'_>) -> &str {
    if element.namespace().is_empty() { element.local() } else { "" }
}

/// Reads the first invoice of the document element. Other bodies are residue: they are invoices of
/// their own ([`read_bodies`]).
pub(super) fn read(syntax: Syntax, element: Element<'_>) -> Reading<'_> {
    let (mut pass, mut invoice) = head(element);
    let mut bodies = element.elements().filter(is_body);
    if let Some(first) = bodies.next() {
        read_body(&mut pass, syntax, &mut invoice, first);
    }
    for other in bodies {
        pass.unread(other);
    }
    pass.reading(syntax, invoice)
}

/// Reads every invoice of the document element. Each has the leaves of the header and its own.
/// `None` where the headers of all of them are more than [`MAX_HEADER_LEAVES`].
pub(super) fn read_bodies<'d>(syntax: Syntax, element: Element<'d>) -> Option<Vec<Reading<'d>>> {
    let bodies = element.elements().filter(is_body).count();
    if bodies < 2 {
        return Some(vec![read(syntax, element)]);
    }
    let (header, invoice) = head(element);
    let leaves = header.read + header.derived.len() + header.residue.len();
    let most = element.document().node_count().saturating_mul(MAX_HEADER_LEAVES);
    if leaves.checked_mul(bodies)? > most {
        return None;
    }
    let one = |body: Element<'d>| {
        let (mut pass, mut invoice) = (header.clone(), invoice.clone());
        read_body(&mut pass, syntax, &mut invoice, body);
        pass.reading(syntax, invoice)
    };
    Some(element.elements().filter(is_body).map(one).collect())
}

fn is_body(element: &Element<'_>) -> bool {
    name(*element) == "FatturaElettronicaBody"
}

/// The document element and everything but the bodies.
fn head<'d>(element: Element<'d>) -> (Pass<'d>, Invoice<'d>) {
    let (mut pass, mut invoice) = (Pass::default(), Invoice::new(element));
    let known = ["versione", "SistemaEmittente"];
    pass.open_root_of(element, |one| one.namespace.is_empty() && known.contains(&one.local));
    let italy = italy(&mut invoice);
    italy.version.extend(attribute(element, "versione"));
    italy.issuing_system.extend(attribute(element, "SistemaEmittente"));
    for child in element.elements() {
        match name(child) {
            "FatturaElettronicaHeader" => header::read(&mut pass, &mut invoice, child),
            "FatturaElettronicaBody" => {}
            _ => pass.unread(child),
        }
    }
    (pass, invoice)
}

fn read_body<'d>(
    pass: &mut Pass<'d>,
    syntax: Syntax,
    invoice: &mut Invoice<'d>,
    element: Element<'d>,
) {
    match syntax {
        Syntax::FatturaPaSimplified => simplified::read(pass, invoice, element),
        _ => body::read(pass, invoice, element),
    }
    let is_by_customer = italy(invoice).issuer.is(BY_CUSTOMER);
    for code in invoice.type_code.all_mut().iter_mut().filter(|_| is_by_customer) {
        if let Some(own) = lookup(SELF_BILLED, &code.trimmed()) {
            *code = code.saying(Derivation::Mapped, own).into();
        }
    }
}

fn attribute<'d, T: ValueType<'d>>(element: Element<'d>, local: &str) -> Option<T> {
    ValueSource::attribute_called(element, "", local).map(T::from)
}

/// What only Italy has, of this invoice.
fn italy<'i, 'd>(invoice: &'i mut Invoice<'d>) -> &'i mut ItalianExtensions<'d> {
    let element = invoice.element;
    let empty = || Box::new(ItalianExtensions::new(element));
    invoice.extensions.italy.get_or_insert_with(empty)
}

/// Reads a day, which may come with a time zone.
fn day<'d>(pass: &mut Pass<'d>, field: &mut Field<Date<'d>>, element: Element<'d>) {
    let own: Date<'d> = pass.value(element);
    field.push(day_of(own.source()));
}

/// Reads `IdFiscaleIVA` or `IdTrasmittente`: country and code, one after the other.
fn tax_id<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> Identifier<'d> {
    let (mut countries, mut codes): (Vec<Text<'d>>, Vec<_>) = (Vec::new(), Vec::new());
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            "IdPaese" if countries.is_empty() => countries.push(pass.value(child)),
            "IdCodice" if codes.is_empty() => codes.push(pass.value(child)),
            _ => pass.unread(child),
        }
    }
    countries.append(&mut codes);
    joined(element, &[], &countries, "")
}

/// An identifier of a scheme that the syntax has no words for.
fn schemed<'d>(source: ValueSource<'d>, scheme: &'static str) -> Identifier<'d> {
    let scheme = source.saying(Derivation::Implied, scheme);
    Identifier::from(source.with(&[(AttributeName::SchemeId, scheme)]))
}
