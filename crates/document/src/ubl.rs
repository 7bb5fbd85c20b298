//! Reading UBL: the namespaces, values and groups of an invoice or a credit note.
//!
//! [`Invoice`] groups the children of the document element once, so that nobody who asks for the
//! parties or the totals walks the document again.

use std::borrow::Cow;

use jiff::civil::Date;
use quoin_xml::tree::Element;

use crate::header::Endpoint;

/// UBL 2 basic components: the elements with text.
pub(crate) const CBC: &str = "urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2";
/// UBL 2 aggregate components: the elements with elements.
pub(crate) const CAC: &str =
    "urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2";

/// The white space of XML.
pub(crate) const SPACE: [char; 4] = [' ', '\t', '\r', '\n'];

/// The basic components of one name inside an element.
pub(crate) fn basics<'d>(parent: Element<'d>, local: &str) -> impl Iterator<Item = Element<'d>> {
    parent.children_named(CBC, local)
}

/// The aggregate components of one name inside an element.
pub(crate) fn aggregates<'d>(
    parent: Element<'d>,
    local: &str,
) -> impl Iterator<Item = Element<'d>> {
    parent.children_named(CAC, local)
}

/// The first basic component of a name.
pub(crate) fn basic<'d>(parent: Element<'d>, local: &str) -> Option<Element<'d>> {
    basics(parent, local).next()
}

/// The first aggregate component of a name.
pub(crate) fn aggregate<'d>(parent: Element<'d>, local: &str) -> Option<Element<'d>> {
    aggregates(parent, local).next()
}

/// The text of an element without the white space around it.
pub(crate) fn trimmed(element: Element<'_>) -> Cow<'_, str> {
    match element.text() {
        Cow::Borrowed(text) => Cow::Borrowed(text.trim_matches(SPACE)),
        Cow::Owned(text) => Cow::Owned(text.trim_matches(SPACE).to_owned()),
    }
}

/// The trimmed text of the first basic component of a name; `None` where there is none or it is
/// empty.
pub(crate) fn value<'d>(parent: Element<'d>, local: &str) -> Option<Cow<'d, str>> {
    basic(parent, local).map(trimmed).filter(|text| !text.is_empty())
}

/// An `xs:date` without time zone: exactly `YYYY-MM-DD`, and a day of the calendar.
pub(crate) fn date(text: &str) -> Option<Date> {
    let shape = |(at, byte): (usize, u8)| match at {
        4 | 7 => byte == b'-',
        _ => byte.is_ascii_digit(),
    };
    if text.len() != 10 || !text.bytes().enumerate().all(shape) {
        return None;
    }
    text.parse().ok()
}

/// An `xs:date`, with or without a time zone (XML Schema part 2, section 3.2.9).
pub(crate) fn zoned_date(text: &str) -> Option<Date> {
    let (day, zone) = text.split_at_checked(10)?;
    let is_offset = |zone: &str| {
        let digits = |at: usize| zone.get(at..at + 2).and_then(|text| text.parse::<u8>().ok());
        let plain = zone.len() == 6 && zone.starts_with(['+', '-']) && zone.get(3..4) == Some(":");
        match (digits(1), digits(4)) {
            (Some(14), Some(0)) => plain,
            (Some(0..=13), Some(0..=59)) => plain,
            _ => false,
        }
    };
    (zone.is_empty() || zone == "Z" || is_offset(zone)).then(|| date(day)).flatten()
}

/// The groups of an invoice or credit note that routing and its header start from, in document
/// order.
#[derive(Debug)]
pub(crate) struct Invoice<'d> {
    pub root: Element<'d>,
    /// `AccountingSupplierParty/Party` (BG-4).
    pub sellers: Vec<Element<'d>>,
    /// `AccountingCustomerParty/Party` (BG-7).
    pub buyers: Vec<Element<'d>>,
    /// `LegalMonetaryTotal` (BG-22).
    pub totals: Vec<Element<'d>>,
}

impl<'d> Invoice<'d> {
    /// Groups the children of a document element `Invoice` or `CreditNote`.
    pub(crate) fn new(root: Element<'d>) -> Invoice<'d> {
        let parties = |role| aggregates(root, role).flat_map(|role| aggregates(role, "Party"));
        let sellers = parties("AccountingSupplierParty").collect();
        let buyers = parties("AccountingCustomerParty").collect();
        let totals = aggregates(root, "LegalMonetaryTotal").collect();
        Invoice { root, sellers, buyers, totals }
    }

    /// Whether the document element is `CreditNote`.
    pub(crate) fn is_credit_note(&self) -> bool {
        self.root.local() == "CreditNote"
    }

    /// The electronic address of the seller, if there is exactly one with a scheme and a value.
    pub(crate) fn seller_endpoint(&self) -> Option<Endpoint> {
        endpoint(&self.sellers)
    }

    /// The electronic address of the buyer, if there is exactly one with a scheme and a value.
    pub(crate) fn buyer_endpoint(&self) -> Option<Endpoint> {
        endpoint(&self.buyers)
    }
}

/// All `EndpointID` of the parties in one role.
pub(crate) fn endpoints<'d>(parties: &[Element<'d>]) -> Vec<Element<'d>> {
    parties.iter().flat_map(|party| basics(*party, "EndpointID")).collect()
}

fn endpoint(parties: &[Element<'_>]) -> Option<Endpoint> {
    let [element] = endpoints(parties)[..] else { return None };
    let scheme = element.attribute("schemeID")?.trim_matches(SPACE).to_owned();
    let value = trimmed(element).into_owned();
    (!scheme.is_empty() && !value.is_empty()).then_some(Endpoint { scheme, value })
}
