//! The countries of seller and buyer, each as the national rules find it out.

use std::rc::Rc;

use quoin_xml::tree::{Element, NodeId};

use super::paths::{at, is_of_vat};
use crate::rules::peppol::reading::{normal, substring};
use crate::rules::values::{Read, cac, cbc, one, string};
use crate::rules::{Facts, Unreadable};

/// What stands for a country that is not told.
const UNKNOWN: &str = "XX";
const ADDRESS: &str = "PostalAddress/Country/cbc:IdentificationCode";

/// A country, or the element at which an XPath processor ends.
pub(crate) type Country = Result<String, NodeId>;

/// The countries of a document, worked out once.
pub(crate) struct Countries {
    /// Of the VAT number of the seller or of the tax representative, or of the seller's address.
    pub(crate) supplier: Country,
    /// The same without the tax representative.
    pub(crate) seller: Country,
    /// Of the VAT number of the buyer, or of the buyer's address.
    pub(crate) customer: Country,
    /// Of the seller's address, in capitals and without white space.
    pub(crate) seller_address: Country,
    /// Of the buyer's address, in capitals and without white space.
    pub(crate) buyer_address: Country,
    /// Of the seller's address, as it is written; of an invoice or a credit note only.
    pub(crate) seller_written: Country,
    /// Of the buyer's address, as it is written; of an invoice or a credit note only.
    pub(crate) buyer_written: Country,
}

impl Countries {
    /// Those of a document.
    pub(crate) fn of(facts: &Facts<'_>) -> Rc<Countries> {
        facts.memo(|facts| Countries::read(facts.root(), super::paths::document(facts).is_some()))
    }

    fn read(root: Element<'_>, is_document: bool) -> Countries {
        let sellers = at(root, "AccountingSupplierParty/Party");
        let buyers = at(root, "AccountingCustomerParty/Party");
        let representatives = at(root, "TaxRepresentativeParty");
        let address = |parties: &[Element<'_>]| -> Country {
            one(addresses(parties).into_iter())
                .map(|own| own.map(|own| string(own).into_owned()).unwrap_or_default())
                .map_err(|wrong| wrong.id())
        };
        let written = |country: &Country| match is_document {
            true => country.clone(),
            false => Ok(String::new()),
        };
        let (seller_written, buyer_written) = (address(&sellers), address(&buyers));
        Countries {
            supplier: country(&[&sellers, &representatives], &sellers),
            seller: country(&[&sellers], &sellers),
            customer: country(&[&buyers], &buyers),
            seller_address: seller_written.as_deref().map(capitals).map_err(|id| *id),
            buyer_address: buyer_written.as_deref().map(capitals).map_err(|id| *id),
            seller_written: written(&seller_written),
            buyer_written: written(&buyer_written),
        }
    }

    /// Whether seller and buyer have their address in Germany.
    pub(crate) fn is_german(&self) -> bool {
        is(&self.seller_address, "DE") && is(&self.buyer_address, "DE")
    }

    /// Whether seller and buyer have their address in one country, written exactly so.
    pub(crate) fn is_within(&self, code: &str) -> bool {
        is(&self.seller_written, code) && is(&self.buyer_written, code)
    }

    /// Whether the seller is Greek.
    pub(crate) fn has_greek_supplier(&self) -> bool {
        is(&self.supplier, "GR") || is(&self.supplier, "EL")
    }

    /// Whether seller and buyer are Greek.
    pub(crate) fn is_greek(&self) -> bool {
        self.has_greek_supplier() && (is(&self.customer, "GR") || is(&self.customer, "EL"))
    }
}

/// Whether a country is known, and this one.
pub(crate) fn is(country: &Country, code: &str) -> bool {
    country.as_deref() == Ok(code)
}

/// A country in a test, where not to know it is an error.
pub(crate) fn read<'c, 'd>(country: &'c Country, facts: &Facts<'d>) -> Read<'d, &'c str> {
    country.as_deref().map_err(|id| Unreadable::at(facts, *id))
}

fn addresses<'d>(parties: &[Element<'d>]) -> Vec<Element<'d>> {
    parties.iter().flat_map(|party| at(*party, ADDRESS)).collect()
}

/// `upper-case(normalize-space(x))`.
fn capitals(text: &str) -> String {
    crate::rules::values::normalize(text.into()).to_uppercase()
}

fn country(vat: &[&[Element<'_>]], located: &[Element<'_>]) -> Country {
    let read = || -> Read<'_, String> {
        for parties in vat {
            if let Some(prefix) = prefix(parties)? {
                return Ok(prefix);
            }
        }
        let addresses = addresses(located);
        match addresses.is_empty() {
            true => Ok(UNKNOWN.to_owned()),
            false => Ok(normal(addresses)?.to_uppercase()),
        }
    };
    read().map_err(|wrong| wrong.id())
}

/// The first two characters of the one VAT number of some parties.
fn prefix<'d>(parties: &[Element<'d>]) -> Read<'d, Option<String>> {
    let schemes = parties.iter().flat_map(|party| cac(*party, "PartyTaxScheme"));
    let mut found = None;
    for scheme in schemes.filter(|scheme| is_of_vat(*scheme)) {
        let number = one(cbc(scheme, "CompanyID"))?.map(string).unwrap_or_default();
        if found.is_some() {
            return Err(Unreadable::several(scheme));
        }
        found = Some(substring(&number, 1, 2).to_owned());
    }
    Ok(found.filter(|prefix| !prefix.is_empty()).map(|prefix| capitals(&prefix)))
}
