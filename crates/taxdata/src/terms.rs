//! The business terms of a UBL invoice that decide what is reported.

use std::borrow::Cow;

use quoin_formats::ubl::{CAC, CBC, aggregates, basic, basics};
use quoin_model::text::trimmed;
use quoin_xml::tree::Element;

/// The side of an invoice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TradeSide {
    /// BG-4.
    Seller,
    /// BG-7.
    Buyer,
}

impl TradeSide {
    fn element(self) -> &'static str {
        match self {
            TradeSide::Seller => "AccountingSupplierParty",
            TradeSide::Buyer => "AccountingCustomerParty",
        }
    }

    pub(crate) fn other(self) -> TradeSide {
        match self {
            TradeSide::Seller => TradeSide::Buyer,
            TradeSide::Buyer => TradeSide::Seller,
        }
    }
}

/// What an invoice says.
#[derive(Debug, Clone, Copy)]
pub(crate) struct InvoiceTerms<'d> {
    pub(crate) root: Option<Element<'d>>,
    /// The process in which it was exchanged, where that is known.
    pub(crate) process: Option<&'d str>,
}

/// The text of an element where it has one.
pub(crate) fn said(element: Element<'_>) -> Option<Cow<'_, str>> {
    Some(trimmed(element)).filter(|text| !text.is_empty())
}

/// The first text of that name that says something.
pub(crate) fn text_of<'d>(parent: Element<'d>, local: &str) -> Option<Cow<'d, str>> {
    basics(parent, local).find_map(said)
}

/// The first element at the end of a path of aggregates.
pub(crate) fn group_at<'d>(parent: Element<'d>, path: &[&str]) -> Option<Element<'d>> {
    path.iter().try_fold(parent, |parent, local| aggregates(parent, local).next())
}

/// The tax scheme that a party or a category is of.
pub(crate) fn scheme_of(element: Element<'_>) -> Option<Cow<'_, str>> {
    group_at(element, &["TaxScheme"]).and_then(|scheme| text_of(scheme, "ID"))
}

/// Whether the scheme is that of VAT, in any case of letters.
pub(crate) fn is_vat(element: Element<'_>) -> bool {
    scheme_of(element).is_some_and(|scheme| scheme.eq_ignore_ascii_case("VAT"))
}

impl<'d> InvoiceTerms<'d> {
    /// A text of the document: `ID`, `IssueDate`.
    pub(crate) fn text(self, local: &str) -> Option<Cow<'d, str>> {
        self.root.and_then(|root| text_of(root, local))
    }

    /// BT-23, else the process in which the invoice was exchanged.
    pub(crate) fn process(self) -> Option<Cow<'d, str>> {
        let known = self.process.filter(|process| !process.is_empty());
        self.text("ProfileID").or(known.map(Cow::Borrowed))
    }

    /// BT-3.
    pub(crate) fn type_code(self) -> Option<Cow<'d, str>> {
        self.text("InvoiceTypeCode").or_else(|| self.text("CreditNoteTypeCode"))
    }

    /// The party of a side (`cac:Party`).
    pub(crate) fn party(self, side: TradeSide) -> Option<Element<'d>> {
        group_at(self.root?, &[side.element(), "Party"])
    }

    /// BT-31, BT-48: the VAT number; the first one of the scheme `VAT`.
    pub(crate) fn vat_number(self, side: TradeSide) -> Option<Cow<'d, str>> {
        let schemes = aggregates(self.party(side)?, "PartyTaxScheme");
        schemes.filter(|scheme| is_vat(*scheme)).find_map(|scheme| text_of(scheme, "CompanyID"))
    }

    /// BT-31 or BT-32: a number of any scheme.
    pub(crate) fn tax_number(self, side: TradeSide) -> Option<Cow<'d, str>> {
        let mut schemes = aggregates(self.party(side)?, "PartyTaxScheme");
        schemes.find_map(|scheme| text_of(scheme, "CompanyID"))
    }

    /// BT-40, BT-55: the country of the address.
    pub(crate) fn country(self, side: TradeSide) -> Option<Cow<'d, str>> {
        let country = group_at(self.party(side)?, &["PostalAddress", "Country"])?;
        text_of(country, "IdentificationCode")
    }

    /// BT-27, BT-44: the registered name.
    pub(crate) fn name(self, side: TradeSide) -> Option<Cow<'d, str>> {
        let mut entities = aggregates(self.party(side)?, "PartyLegalEntity");
        entities.find_map(|entity| text_of(entity, "RegistrationName"))
    }

    /// BT-34, BT-49: scheme and value of the electronic address.
    pub(crate) fn endpoint(self, side: TradeSide) -> Option<(&'d str, Cow<'d, str>)> {
        let endpoint = basic(self.party(side)?, "EndpointID")?;
        Some((endpoint.attribute("schemeID").unwrap_or_default(), said(endpoint)?))
    }

    /// BT-29 with its scheme: the first identifier of the seller that is not one of a creditor
    /// (BT-90), which stands in the same place.
    pub(crate) fn seller_identifier(self) -> Option<(Option<&'d str>, Cow<'d, str>)> {
        let identifiers = aggregates(self.party(TradeSide::Seller)?, "PartyIdentification");
        identifiers.flat_map(|one| basics(one, "ID")).find_map(|id| {
            let scheme = id.attribute("schemeID").map(str::trim).filter(|text| !text.is_empty());
            if scheme == Some("SEPA") { None } else { Some((scheme, said(id)?)) }
        })
    }

    /// The totals of tax in a currency; those that say none are in that of the document.
    pub(crate) fn tax_totals(self, currency: &str) -> impl Iterator<Item = Element<'d>> {
        let document = self.text("DocumentCurrencyCode");
        let totals = self.root.into_iter().flat_map(|root| aggregates(root, "TaxTotal"));
        let currency = currency.to_owned();
        totals.filter(move |total| match currency_of(*total) {
            Some(own) => own == currency,
            None => document.as_deref() == Some(currency.as_str()),
        })
    }

    /// BT-110 or BT-111, by the currency.
    pub(crate) fn tax_amount(self, currency: &str) -> Option<Cow<'d, str>> {
        self.tax_totals(currency).find_map(|total| text_of(total, "TaxAmount"))
    }

    /// BG-22.
    pub(crate) fn totals(self) -> Option<Element<'d>> {
        group_at(self.root?, &["LegalMonetaryTotal"])
    }

    /// An amount of BG-22.
    pub(crate) fn total(self, local: &str) -> Option<Cow<'d, str>> {
        self.totals().and_then(|totals| text_of(totals, local))
    }

    /// BG-23: the breakdown of VAT in the currency of the document.
    pub(crate) fn breakdown(self) -> impl Iterator<Item = Element<'d>> {
        let currency = self.text("DocumentCurrencyCode").unwrap_or_default();
        let totals: Vec<_> = self.tax_totals(&currency).collect();
        totals.into_iter().flat_map(|total| aggregates(total, "TaxSubtotal"))
    }

    /// BG-25.
    pub(crate) fn lines(self) -> impl Iterator<Item = Element<'d>> {
        let elements = self.root.into_iter().flat_map(Element::elements);
        elements.filter(|line| line.is(CAC, "InvoiceLine") || line.is(CAC, "CreditNoteLine"))
    }

    /// Whether every category of the breakdown is "not subject to VAT".
    pub(crate) fn is_outside_vat(self) -> bool {
        let mut categories = self.breakdown().map(|one| {
            group_at(one, &["TaxCategory"]).and_then(|category| text_of(category, "ID"))
        });
        let outside = Some(crate::assumed::UNNAMED_SELLER_NEEDS_CATEGORY);
        let first = categories.next();
        first.is_some_and(|code| code.as_deref() == outside)
            && categories.all(|code| code.as_deref() == outside)
    }

    /// `AdditionalDocumentReference/DocumentDescription` of a document type code.
    pub(crate) fn described(self, code: &str) -> Option<Cow<'d, str>> {
        let mut references = aggregates(self.root?, "AdditionalDocumentReference");
        let found = references
            .find(|one| text_of(*one, "DocumentTypeCode").is_some_and(|own| own == code))?;
        text_of(found, "DocumentDescription")
    }
}

/// The currency of a total of tax, by its amount.
pub(crate) fn currency_of(total: Element<'_>) -> Option<&str> {
    let amount = total.child(CBC, "TaxAmount").or_else(|| {
        group_at(total, &["TaxSubtotal"]).and_then(|part| part.child(CBC, "TaxableAmount"))
    })?;
    amount.attribute("currencyID").map(str::trim).filter(|currency| !currency.is_empty())
}
