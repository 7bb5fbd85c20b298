//! Paths of UBL and what functions read at their end.

use std::borrow::Cow;

use quoin_xml::tree::Element;

use crate::rules::Facts;
use crate::rules::peppol::reading::normal;
use crate::rules::values::{CAC, Read, cac, cbc, normalized, string};

/// The elements that a path leads to: `Party/PostalAddress/cbc:CityName`. A step is an aggregate
/// unless it says that it is a basic component.
pub(crate) fn at<'d>(parent: Element<'d>, path: &str) -> Vec<Element<'d>> {
    let mut found = vec![parent];
    for step in path.split('/') {
        let mut next = Vec::new();
        for element in found {
            match step.strip_prefix("cbc:") {
                Some(local) => next.extend(cbc(element, local)),
                None => next.extend(cac(element, step)),
            }
        }
        found = next;
    }
    found
}

/// Whether a path leads to some element.
pub(crate) fn has(parent: Element<'_>, path: &str) -> bool {
    !at(parent, path).is_empty()
}

/// `path = 'value'`: some element says exactly this.
pub(crate) fn says(parent: Element<'_>, local: &str, wanted: &str) -> bool {
    cbc(parent, local).any(|own| string(own) == wanted)
}

/// `path[boolean(normalize-space(.))]`: some element of a name says something.
pub(crate) fn says_something(parent: Element<'_>, local: &str) -> bool {
    cbc(parent, local).any(|own| !normalized(own).is_empty())
}

/// `cac:TaxScheme/cbc:ID = 'VAT'`.
pub(crate) fn is_of_vat(parent: Element<'_>) -> bool {
    cac(parent, "TaxScheme").any(|scheme| says(scheme, "ID", "VAT"))
}

/// `normalize-space(cac:TaxScheme/cbc:ID)`.
pub(crate) fn scheme_of(parent: Element<'_>) -> Read<'_, Cow<'_, str>> {
    normal(at(parent, "TaxScheme/cbc:ID"))
}

/// `cac:PartyTaxScheme[normalize-space(cac:TaxScheme/cbc:ID) = …]`.
pub(crate) fn tax_schemes<'d>(party: Element<'d>, wanted: &str) -> Read<'d, Vec<Element<'d>>> {
    let mut found = Vec::new();
    for scheme in cac(party, "PartyTaxScheme") {
        if scheme_of(scheme)? == wanted {
            found.push(scheme);
        }
    }
    Ok(found)
}

/// `cbc:…` inside some elements.
pub(crate) fn inside<'d>(elements: &[Element<'d>], local: &str) -> Vec<Element<'d>> {
    elements.iter().flat_map(|own| cbc(*own, local)).collect()
}

/// The document element, where it is an invoice or a credit note.
pub(crate) fn document<'d>(facts: &Facts<'d>) -> Option<Element<'d>> {
    let root = facts.root();
    (is_invoice(root) || is_credit_note(root)).then_some(root)
}

/// Whether an element is `Invoice` of UBL.
pub(crate) fn is_invoice(element: Element<'_>) -> bool {
    element.is("urn:oasis:names:specification:ubl:schema:xsd:Invoice-2", "Invoice")
}

/// Whether an element is `CreditNote` of UBL.
pub(crate) fn is_credit_note(element: Element<'_>) -> bool {
    element.is("urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2", "CreditNote")
}

/// `cac:AccountingSupplierParty/cac:Party`, wherever it stands.
pub(crate) fn sellers<'d>(facts: &Facts<'d>) -> impl Iterator<Item = Element<'d>> {
    facts.named(CAC, "AccountingSupplierParty").flat_map(|role| cac(role, "Party"))
}

/// `cac:AccountingCustomerParty/cac:Party`, wherever it stands.
pub(crate) fn buyers<'d>(facts: &Facts<'d>) -> impl Iterator<Item = Element<'d>> {
    facts.named(CAC, "AccountingCustomerParty").flat_map(|role| cac(role, "Party"))
}
