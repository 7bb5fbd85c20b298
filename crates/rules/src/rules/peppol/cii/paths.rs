//! Paths of CII.

use quoin_xml::tree::Element;

use crate::rules::Facts;
use crate::rules::values::{RSM, ram, rsm, string, udt};

/// `rsm:SupplyChainTradeTransaction/ram:ApplicableHeaderTradeAgreement`.
pub(crate) const AGREEMENT: &str = "rsm:SupplyChainTradeTransaction/ApplicableHeaderTradeAgreement";
/// `rsm:SupplyChainTradeTransaction/ram:ApplicableHeaderTradeSettlement`.
pub(crate) const SETTLEMENT: &str =
    "rsm:SupplyChainTradeTransaction/ApplicableHeaderTradeSettlement";

/// The elements that a path leads to: `SellerTradeParty/PostalTradeAddress/CountryID`. A step is
/// a reusable aggregate unless it says otherwise.
pub(crate) fn at<'d>(parent: Element<'d>, path: &str) -> Vec<Element<'d>> {
    let mut found = vec![parent];
    for step in path.split('/') {
        let mut next = Vec::new();
        for element in found {
            match step.split_once(':') {
                Some(("rsm", local)) => next.extend(rsm(element, local)),
                Some((_, local)) => next.extend(udt(element, local)),
                None => next.extend(ram(element, step)),
            }
        }
        found = next;
    }
    found
}

/// The document element, where it is a cross industry invoice.
pub(crate) fn document<'d>(facts: &Facts<'d>) -> Option<Element<'d>> {
    Some(facts.root()).filter(|root| root.is(RSM, "CrossIndustryInvoice"))
}

/// A path from the document element.
pub(crate) fn of_document<'d>(facts: &Facts<'d>, path: &str) -> Vec<Element<'d>> {
    document(facts).into_iter().flat_map(|root| at(root, path)).collect()
}

/// A path from the agreement of the document.
pub(crate) fn agreed<'d>(facts: &Facts<'d>, path: &str) -> Vec<Element<'d>> {
    of_document(facts, &format!("{AGREEMENT}/{path}"))
}

/// A path from the settlement of the document.
pub(crate) fn settled<'d>(facts: &Facts<'d>, path: &str) -> Vec<Element<'d>> {
    of_document(facts, &format!("{SETTLEMENT}/{path}"))
}

/// `path = 'value'`.
pub(crate) fn says(elements: &[Element<'_>], wanted: &str) -> bool {
    elements.iter().any(|own| string(*own) == wanted)
}

/// `ram:ID[@schemeID = …]` of registrations.
pub(crate) fn in_scheme<'d>(
    registration: Element<'d>,
    scheme: &'static str,
) -> impl Iterator<Item = Element<'d>> {
    ram(registration, "ID").filter(move |id| id.attribute("schemeID") == Some(scheme))
}
