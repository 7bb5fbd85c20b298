//! What routing has to know about an invoice or credit note, without judging it.
//!
//! Every value is as the document has it, without the white space around it; nothing is required
//! here. Whether it is right is the business of the room `rules`.
//!
//! Sources: EN 16931-1 business terms, Peppol Policy for use of identifiers (document type
//! identifiers), interface specification section 2.5 (self-billing).

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::ParsedDocument;
use crate::detection::Detection;
use crate::detection::MAX_IDENTIFIER;
use crate::ubl;
use crate::ubl::InvoiceGroups;
use quoin_model::ElectronicAddress;
use quoin_model::text::cut;

mod issued;
#[cfg(test)]
mod tests;

use issued::issue_date;

/// The UBL version in Peppol document type identifiers, and of a document that names none.
pub const UBL_VERSION: &str = "2.1";

/// What routing reads in a UBL invoice or credit note.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct UblHeader {
    /// The namespace name of the document element.
    pub root_namespace: String,
    /// The local name of the document element: `Invoice` or `CreditNote`.
    pub root_local: String,
    /// Specification identifier (BT-24), without any white space.
    pub customization_id: Option<String>,
    /// Business process type (BT-23), without any white space.
    pub profile_id: Option<String>,
    /// `UBLVersionID`, or [`UBL_VERSION`]. Informative: senders often write it wrongly.
    pub ubl_version: String,
    /// Invoice number (BT-1).
    pub number: Option<String>,
    /// Issue date (BT-2); `None` also where it is not a date.
    pub issue_date: Option<Date>,
    /// Type code (BT-3): 380, 381, 389 ...
    pub type_code: Option<String>,
    /// Invoice currency (BT-5).
    pub currency: Option<String>,
    /// Amount due for payment (BT-115), as written.
    pub payable_amount: Option<String>,
    /// Electronic address of the seller (BT-34), if there is exactly one with a scheme and a value.
    pub seller: Option<ElectronicAddress>,
    /// Electronic address of the buyer (BT-49), if there is exactly one with a scheme and a value.
    pub buyer: Option<ElectronicAddress>,
    /// Seller country (BT-40), in capitals.
    pub seller_country: Option<String>,
    /// Buyer country (BT-55), in capitals.
    pub buyer_country: Option<String>,
    /// The buyer issued it for the seller: type code 389, 527 or 261, or a self-billing profile.
    pub self_billing: bool,
}

impl UblHeader {
    /// Who sends the document (corner 1): the seller, or the buyer where it is self-billed.
    pub fn sender(&self) -> Option<&ElectronicAddress> {
        if self.self_billing { self.buyer.as_ref() } else { self.seller.as_ref() }
    }

    /// Who receives it (corner 4): the buyer, or the seller where it is self-billed.
    pub fn receiver(&self) -> Option<&ElectronicAddress> {
        if self.self_billing { self.seller.as_ref() } else { self.buyer.as_ref() }
    }

    /// The country of the sender, for `COUNTRY_C1` of the envelope.
    pub fn sender_country(&self) -> Option<&str> {
        let country = if self.self_billing { &self.buyer_country } else { &self.seller_country };
        country.as_deref()
    }

    /// The value of the Peppol document type identifier, without its scheme:
    /// `{namespace}::{root}##{CustomizationID}::2.1`. `None` without a CustomizationID.
    pub fn document_type_id(&self) -> Option<String> {
        let customization = self.customization_id.as_deref()?;
        let (namespace, root) = (&self.root_namespace, &self.root_local);
        Some(format!("{namespace}::{root}##{customization}::{UBL_VERSION}"))
    }

    /// Whether it is a credit note by its document element.
    pub fn is_credit_note(&self) -> bool {
        self.root_local == "CreditNote"
    }

    fn of(invoice: &InvoiceGroups<'_>, detection: &Detection) -> UblHeader {
        let root = invoice.root;
        let text = |local: &str| ubl::value(root, local).map(kept);
        let type_code = text("InvoiceTypeCode").or_else(|| text("CreditNoteTypeCode"));
        let total = invoice.totals.first();
        UblHeader {
            root_namespace: root.namespace().to_owned(),
            root_local: root.local().to_owned(),
            customization_id: detection.customization_id.clone(),
            profile_id: detection.profile_id.clone(),
            ubl_version: text("UBLVersionID").unwrap_or_else(|| UBL_VERSION.to_owned()),
            number: text("ID"),
            issue_date: text("IssueDate").and_then(|date| quoin_model::text::date(&date)),
            type_code,
            currency: text("DocumentCurrencyCode"),
            payable_amount: total.and_then(|total| ubl::value(*total, "PayableAmount")).map(kept),
            seller: invoice.seller_endpoint(),
            buyer: invoice.buyer_endpoint(),
            seller_country: country(&invoice.sellers),
            buyer_country: country(&invoice.buyers),
            self_billing: detection.self_billing,
        }
    }
}

/// A value, cut to [`MAX_IDENTIFIER`] characters.
fn kept(text: std::borrow::Cow<'_, str>) -> String {
    cut(&text, MAX_IDENTIFIER).into_owned()
}

/// The country code of the first postal address that has one.
fn country(parties: &[quoin_xml::tree::Element<'_>]) -> Option<String> {
    let code = |address| {
        let country = ubl::aggregate(address, "Country")?;
        Some(ubl::value(country, "IdentificationCode")?.to_ascii_uppercase())
    };
    parties.iter().flat_map(|party| ubl::aggregates(*party, "PostalAddress")).find_map(code)
}

impl ParsedDocument {
    /// What routing has to know; `None` unless it is a UBL invoice or credit note.
    pub fn header(&self) -> Option<UblHeader> {
        Some(UblHeader::of(&self.invoice()?, self.detection()))
    }

    /// The day of issue of whatever document it is, the last day of the period of a report; `None`
    /// where it states none.
    pub fn issue_date(&self) -> Option<Date> {
        issue_date(self.root()?, self.detection().syntax?)
    }
}
