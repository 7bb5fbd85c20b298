//! An invoice across the border, as flux 10.1 tells it.

use std::borrow::Cow;

use jiff::civil::Date;
use quoin_formats::ubl::{aggregates, basics};
use quoin_model::text::{date, zoned_date};
use quoin_xml::tree::Element;

use super::{EReportInvoice, EReportParty, VatPart};
use crate::assess::{UNION, prefix_country};
use crate::assumed::FRANCE_OVERSEAS;
use crate::invoice::ReportableInvoice;
use crate::missing::MissingTerm;
use crate::terms::{InvoiceTerms, TradeSide, group_at, said, text_of};

/// The country.
const FRANCE: &str = "FR";

/// Why an invoice is not told by flux 10.1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotEReportable {
    /// Both ends are in France: it is told by flux 1, when it is sent.
    #[error("the invoice is domestic: it is told by flux 1, not by flux 10")]
    Domestic,
    /// A term is missing, or is no value of its kind.
    #[error("the invoice has no usable {}", .0.term)]
    Lacks(MissingTerm),
}

impl EReportInvoice {
    /// What flux 10.1 tells of an invoice.
    ///
    /// # Errors
    /// [`NotEReportable`].
    pub fn of(invoice: &ReportableInvoice<'_>) -> Result<EReportInvoice, NotEReportable> {
        let own = EReportInvoice::told(invoice)?;
        if is_domestic(invoice) { Err(NotEReportable::Domestic) } else { Ok(own) }
    }

    /// The same of any invoice.
    pub(crate) fn told(invoice: &ReportableInvoice<'_>) -> Result<EReportInvoice, NotEReportable> {
        let terms = invoice.terms();
        let lacks = |term| NotEReportable::Lacks(MissingTerm::named(term));
        let text = |local: &str, term| terms.text(local).ok_or_else(|| lacks(term));
        let seller = party(terms, TradeSide::Seller).ok_or_else(|| lacks("BT-31"))?;
        let buyer = party(terms, TradeSide::Buyer).ok_or_else(|| lacks("BT-48"))?;
        let currency = text("DocumentCurrencyCode", "BT-5")?.into_owned();
        let tax = terms.tax_amount("EUR").ok_or_else(|| lacks("BT-110"))?;
        let issued = text("IssueDate", "BT-2")?;
        Ok(EReportInvoice {
            number: text("ID", "BT-1")?.into_owned(),
            issued: day(&issued).ok_or_else(|| lacks("BT-2"))?,
            type_code: terms.type_code().ok_or_else(|| lacks("BT-3"))?.into_owned(),
            due: terms.text("DueDate").and_then(|text| day(&text)),
            tax_due_code: group(terms, &["InvoicePeriod"])
                .and_then(|period| text_of(period, "DescriptionCode"))
                .map(|code| code.into_owned()),
            notes: notes(terms),
            process: text("ProfileID", "BT-23")?.into_owned(),
            references: references(terms),
            representative: group(terms, &["TaxRepresentativeParty", "PartyTaxScheme"])
                .and_then(|scheme| text_of(scheme, "CompanyID"))
                .map(|number| number.into_owned()),
            delivered: group(terms, &["Delivery"])
                .and_then(|delivery| text_of(delivery, "ActualDeliveryDate"))
                .and_then(|text| day(&text)),
            delivery_country: group(terms, &["Delivery", "DeliveryLocation", "Address", "Country"])
                .and_then(|country| text_of(country, "IdentificationCode"))
                .map(|code| code.into_owned()),
            period: period(terms),
            total: terms.total("TaxExclusiveAmount").map(|total| total.into_owned()),
            tax: tax.into_owned(),
            vat: terms.breakdown().map(part).collect(),
            currency,
            seller,
            buyer,
        })
    }
}

fn group<'d>(terms: InvoiceTerms<'d>, path: &[&str]) -> Option<Element<'d>> {
    group_at(terms.root?, path)
}

fn day(text: &str) -> Option<Date> {
    date(text).or_else(|| zoned_date(text))
}

/// A party by SIREN, by its VAT number inside the union, or by country and name outside it.
fn party(terms: InvoiceTerms<'_>, side: TradeSide) -> Option<EReportParty> {
    let number = terms.vat_number(side).map(|number| number.into_owned());
    let country = terms.country(side).map(|code| code.into_owned());
    let of_number = number.as_deref().and_then(prefix_country);
    let home = of_number.or_else(|| country.clone())?;
    let (scheme, id) = match (siren_of(terms, side), &number) {
        (Some(siren), _) => ("0002", siren.into_owned()),
        (None, Some(number)) if UNION.contains(&home.as_str()) => ("0223", number.clone()),
        (None, _) => {
            let name: String = terms.name(side)?.chars().take(16).collect();
            ("0227", format!("{home}{}", name.trim_end()))
        }
    };
    Some(EReportParty { scheme: scheme.to_owned(), id, vat_number: number, country })
}

/// Whether both ends are companies in France, so that the invoice is told by flux 1. It is that
/// also where one of them does not say its SIREN: then the extract lacks it.
pub fn is_domestic(invoice: &ReportableInvoice<'_>) -> bool {
    let terms = invoice.terms();
    [TradeSide::Seller, TradeSide::Buyer].into_iter().all(|side| is_french_company(terms, side))
}

/// Whether a side has a SIREN or a SIRET, or a French VAT number and no address abroad.
pub(super) fn is_french_company(terms: InvoiceTerms<'_>, side: TradeSide) -> bool {
    let has_number = || {
        let number = terms.vat_number(side);
        number.as_deref().and_then(prefix_country).as_deref() == Some(FRANCE)
    };
    let is_home = |country: &str| country == FRANCE || FRANCE_OVERSEAS.contains(&country);
    let is_abroad = || terms.country(side).is_some_and(|country| !is_home(&country));
    siren_of(terms, side).is_some() || has_siret(terms, side) || (has_number() && !is_abroad())
}

/// BT-29, BT-30, BT-46, BT-47: whether a side says its SIRET.
fn has_siret(terms: InvoiceTerms<'_>, side: TradeSide) -> bool {
    let Some(party) = terms.party(side) else { return false };
    let entities = aggregates(party, "PartyLegalEntity").map(|group| (group, "CompanyID"));
    let others = aggregates(party, "PartyIdentification").map(|group| (group, "ID"));
    entities.chain(others).any(|(group, local)| {
        basics(group, local)
            .any(|id| id.attribute("schemeID") == Some("0009") && said(id).is_some())
    })
}

/// BT-30, BT-47: the SIREN of a side.
pub(super) fn siren_of(terms: InvoiceTerms<'_>, side: TradeSide) -> Option<Cow<'_, str>> {
    aggregates(terms.party(side)?, "PartyLegalEntity").find_map(|entity| {
        let mut ids = basics(entity, "CompanyID");
        ids.find(|id| id.attribute("schemeID") == Some("0002")).and_then(said)
    })
}

fn notes(terms: InvoiceTerms<'_>) -> Vec<(Option<String>, String)> {
    let root = terms.root.into_iter();
    let notes = root.flat_map(|root| basics(root, "Note")).filter_map(said);
    notes
        .map(|text| {
            // UBL has the subject in the text: `#AAB#...`.
            let coded = text.strip_prefix('#').and_then(|rest| rest.split_once('#'));
            match coded.filter(|(code, _)| code.len() == 3) {
                Some((code, rest)) => (Some(code.to_owned()), rest.to_owned()),
                None => (None, text.into_owned()),
            }
        })
        .collect()
}

fn references(terms: InvoiceTerms<'_>) -> Vec<(String, Option<Date>)> {
    let root = terms.root.into_iter();
    let groups = root.flat_map(|root| aggregates(root, "BillingReference"));
    let references = groups.flat_map(|one| aggregates(one, "InvoiceDocumentReference"));
    references
        .filter_map(|one| {
            let issued = text_of(one, "IssueDate").and_then(|text| day(&text));
            Some((text_of(one, "ID")?.into_owned(), issued))
        })
        .collect()
}

fn period(terms: InvoiceTerms<'_>) -> Option<(Option<Date>, Option<Date>)> {
    let period = group(terms, &["InvoicePeriod"])?;
    let of = |local| text_of(period, local).and_then(|text| day(&text));
    let both = (of("StartDate"), of("EndDate"));
    (both != (None, None)).then_some(both)
}

pub(super) fn part(one: Element<'_>) -> VatPart {
    let own = |local| text_of(one, local).map(|text| text.into_owned()).unwrap_or_default();
    let category = group_at(one, &["TaxCategory"]);
    let of = |local| category.and_then(|category| text_of(category, local));
    let owned = |local| of(local).map(|text| text.into_owned());
    VatPart {
        taxable: own("TaxableAmount"),
        tax: own("TaxAmount"),
        category: owned("ID"),
        rate: owned("Percent").unwrap_or_else(|| "0".to_owned()),
        reason: owned("TaxExemptionReason"),
        reason_code: owned("TaxExemptionReasonCode"),
    }
}
