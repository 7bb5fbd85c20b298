//! Paths of UBL and what functions read at their end.

use std::borrow::Cow;

use quoin_xml::tree::Element;

use crate::rules::Facts;
use crate::rules::values::{CAC, Read, cac, cbc, normalized, one, string};

/// The elements that a path leads to: `Party/PostalAddress/cbc:CityName`. A step is an aggregate
/// unless it says that it is a basic component.
pub(in crate::rules) fn at<'d>(parent: Element<'d>, path: &str) -> Vec<Element<'d>> {
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
pub(in crate::rules) fn has(parent: Element<'_>, path: &str) -> bool {
    !at(parent, path).is_empty()
}

/// `normalize-space(path)`.
pub(in crate::rules) fn normal<'d>(elements: Vec<Element<'d>>) -> Read<'d, Cow<'d, str>> {
    Ok(one(elements.into_iter())?.map_or(Cow::Borrowed(""), normalized))
}

/// `string(path)`.
pub(in crate::rules) fn text<'d>(elements: Vec<Element<'d>>) -> Read<'d, Cow<'d, str>> {
    Ok(one(elements.into_iter())?.map_or(Cow::Borrowed(""), string))
}

/// The elements of a path that have a text of their own, as `path/text()` leads to it.
pub(in crate::rules) fn with_text(elements: Vec<Element<'_>>) -> Vec<Element<'_>> {
    elements.into_iter().filter(|element| !element.text().is_empty()).collect()
}

/// `string(path/@name)`.
pub(in crate::rules) fn attribute<'d>(elements: Vec<Element<'d>>, name: &str) -> Read<'d, &'d str> {
    let mut having = elements.into_iter().filter(|own| own.attribute(name).is_some());
    Ok(one(having.by_ref())?.and_then(|own| own.attribute(name)).unwrap_or_default())
}

/// `path = 'value'`: some element says exactly this.
pub(in crate::rules) fn says(parent: Element<'_>, local: &str, wanted: &str) -> bool {
    cbc(parent, local).any(|own| string(own) == wanted)
}

/// `path[boolean(normalize-space(.))]`: some element of a name says something.
pub(in crate::rules) fn says_something(parent: Element<'_>, local: &str) -> bool {
    cbc(parent, local).any(|own| !normalized(own).is_empty())
}

/// `cac:TaxScheme/cbc:ID = 'VAT'`.
pub(in crate::rules) fn is_of_vat(parent: Element<'_>) -> bool {
    cac(parent, "TaxScheme").any(|scheme| says(scheme, "ID", "VAT"))
}

/// `normalize-space(cac:TaxScheme/cbc:ID)`.
pub(in crate::rules) fn scheme_of(parent: Element<'_>) -> Read<'_, Cow<'_, str>> {
    normal(at(parent, "TaxScheme/cbc:ID"))
}

/// `cac:PartyTaxScheme[normalize-space(cac:TaxScheme/cbc:ID) = …]`.
pub(in crate::rules) fn tax_schemes<'d>(
    party: Element<'d>,
    wanted: &str,
) -> Read<'d, Vec<Element<'d>>> {
    let mut found = Vec::new();
    for scheme in cac(party, "PartyTaxScheme") {
        if scheme_of(scheme)? == wanted {
            found.push(scheme);
        }
    }
    Ok(found)
}

/// `cbc:…` inside some elements.
pub(in crate::rules) fn inside<'d>(elements: &[Element<'d>], local: &str) -> Vec<Element<'d>> {
    elements.iter().flat_map(|own| cbc(*own, local)).collect()
}

/// `substring(x, from, count)` of a text, counted from 1.
pub(in crate::rules) fn substring(text: &str, from: usize, count: usize) -> &str {
    let mut starts = text.char_indices().map(|(at, _)| at).skip(from.saturating_sub(1));
    let Some(start) = starts.next() else { return "" };
    let end = starts.nth(count.saturating_sub(1)).unwrap_or(text.len());
    if count == 0 { "" } else { text.get(start..end).unwrap_or_default() }
}

/// `substring(x, from)`.
pub(in crate::rules) fn substring_from(text: &str, from: usize) -> &str {
    substring(text, from, usize::MAX)
}

/// The document element, where it is an invoice or a credit note.
pub(in crate::rules) fn document<'d>(facts: &Facts<'d>) -> Option<Element<'d>> {
    let root = facts.root();
    (is_invoice(root) || is_credit_note(root)).then_some(root)
}

/// Whether an element is `Invoice` of UBL.
pub(in crate::rules) fn is_invoice(element: Element<'_>) -> bool {
    element.is("urn:oasis:names:specification:ubl:schema:xsd:Invoice-2", "Invoice")
}

/// Whether an element is `CreditNote` of UBL.
pub(in crate::rules) fn is_credit_note(element: Element<'_>) -> bool {
    element.is("urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2", "CreditNote")
}

/// `cac:AccountingSupplierParty/cac:Party`, wherever it stands.
pub(in crate::rules) fn sellers<'d>(facts: &Facts<'d>) -> impl Iterator<Item = Element<'d>> {
    facts.named(CAC, "AccountingSupplierParty").flat_map(|role| cac(role, "Party"))
}

/// `cac:AccountingCustomerParty/cac:Party`, wherever it stands.
pub(in crate::rules) fn buyers<'d>(facts: &Facts<'d>) -> impl Iterator<Item = Element<'d>> {
    facts.named(CAC, "AccountingCustomerParty").flat_map(|role| cac(role, "Party"))
}
