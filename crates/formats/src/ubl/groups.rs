//! Reading UBL: the namespaces, values and groups of an invoice or a credit note.
//!
//! [`Invoice`] groups the children of the document element once, so that nobody who asks for the
//! parties or the totals walks the document again.

use std::borrow::Cow;

use quoin_xml::tree::Element;

use quoin_model::ElectronicAddress;
use quoin_model::text::{SPACE, trimmed};

/// UBL 2 basic components: the elements with text.
pub const CBC: &str = "urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2";
/// UBL 2 aggregate components: the elements with elements.
pub const CAC: &str = "urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2";

/// The basic components of one name inside an element.
pub fn basics<'d>(parent: Element<'d>, local: &str) -> impl Iterator<Item = Element<'d>> {
    parent.children_named(CBC, local)
}

/// The aggregate components of one name inside an element.
pub fn aggregates<'d>(parent: Element<'d>, local: &str) -> impl Iterator<Item = Element<'d>> {
    parent.children_named(CAC, local)
}

/// The first basic component of a name.
pub fn basic<'d>(parent: Element<'d>, local: &str) -> Option<Element<'d>> {
    basics(parent, local).next()
}

/// The first aggregate component of a name.
pub fn aggregate<'d>(parent: Element<'d>, local: &str) -> Option<Element<'d>> {
    aggregates(parent, local).next()
}

/// The trimmed text of the first basic component of a name; `None` where there is none or it is
/// empty.
pub fn value<'d>(parent: Element<'d>, local: &str) -> Option<Cow<'d, str>> {
    basic(parent, local).map(trimmed).filter(|text| !text.is_empty())
}

/// The groups of an invoice or credit note that routing and its header start from, in document
/// order.
#[derive(Debug)]
pub struct InvoiceGroups<'d> {
    /// The document element.
    pub root: Element<'d>,
    /// `AccountingSupplierParty/Party` (BG-4).
    pub sellers: Vec<Element<'d>>,
    /// `AccountingCustomerParty/Party` (BG-7).
    pub buyers: Vec<Element<'d>>,
    /// `LegalMonetaryTotal` (BG-22).
    pub totals: Vec<Element<'d>>,
}

impl<'d> InvoiceGroups<'d> {
    /// Groups the children of a document element `Invoice` or `CreditNote`.
    pub fn new(root: Element<'d>) -> InvoiceGroups<'d> {
        let parties = |role| aggregates(root, role).flat_map(|role| aggregates(role, "Party"));
        let sellers = parties("AccountingSupplierParty").collect();
        let buyers = parties("AccountingCustomerParty").collect();
        let totals = aggregates(root, "LegalMonetaryTotal").collect();
        InvoiceGroups { root, sellers, buyers, totals }
    }

    /// Whether the document element is `CreditNote`.
    pub fn is_credit_note(&self) -> bool {
        self.root.local() == "CreditNote"
    }

    /// The electronic address of the seller, if there is exactly one with a scheme and a value.
    pub fn seller_endpoint(&self) -> Option<ElectronicAddress> {
        endpoint(&self.sellers)
    }

    /// The electronic address of the buyer, if there is exactly one with a scheme and a value.
    pub fn buyer_endpoint(&self) -> Option<ElectronicAddress> {
        endpoint(&self.buyers)
    }
}

/// All `EndpointID` of the parties in one role.
pub fn endpoints<'d>(parties: &[Element<'d>]) -> Vec<Element<'d>> {
    parties.iter().flat_map(|party| basics(*party, "EndpointID")).collect()
}

fn endpoint(parties: &[Element<'_>]) -> Option<ElectronicAddress> {
    let [element] = endpoints(parties)[..] else { return None };
    let scheme = element.attribute("schemeID")?.trim_matches(SPACE).to_owned();
    let value = trimmed(element).into_owned();
    (!scheme.is_empty() && !value.is_empty()).then_some(ElectronicAddress { scheme, value })
}
