//! What a report will say of an invoice, before it is made: the country whose authority is told,
//! the scope, the identifier.
//!
//! Sources: ViDA pilot 1.1.0 (TDT-006, TDT-017); Council Directive 2006/112/EC, article 215
//! (prefixes of VAT numbers); Peppol tax data documents AE 1.0.4 and OM 1.0.1 (tdt-011).

use uuid::Uuid;

use crate::assumed;
use crate::invoice::ReportableInvoice;
use crate::invoice_uuid::of_invoice;
use crate::missing::{CannotReport, MissingTerm};
use crate::regime::{Regime, ReporterRole, TaxScope};
use crate::terms::{InvoiceTerms, TradeSide};

/// The member states of the EU by ISO 3166-1.
pub const UNION: &[&str] = &[
    "AT", "BE", "BG", "CY", "CZ", "DE", "DK", "EE", "ES", "FI", "FR", "GR", "HR", "HU", "IE", "IT",
    "LT", "LU", "LV", "MT", "NL", "PL", "PT", "RO", "SE", "SI", "SK",
];

/// What a report will say of an invoice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assessment {
    /// The country (ISO 3166-1) that issued the VAT number of the client that is reported for.
    pub country: String,
    /// Between whom the invoice went.
    pub scope: TaxScope,
    /// TDT-017 (AE: BTAE-07, OM: BTOM-002): what the authority calls the invoice.
    pub invoice_uuid: Uuid,
}

impl ReportableInvoice<'_> {
    /// The country (ISO 3166-1) that issued the VAT number of the client of a provider: of corner 1
    /// for corner 2, of corner 4 for corner 3. By it the authority is chosen, and not by an
    /// address. `None` where the client has no VAT number: then there is nothing to report.
    pub fn reporting_country(&self, role: ReporterRole) -> Option<String> {
        country_of_number(self.terms(), self.client(role))
    }

    /// The side of the client of a provider.
    pub(crate) fn client(&self, role: ReporterRole) -> TradeSide {
        let sender = if self.self_billing() { TradeSide::Buyer } else { TradeSide::Seller };
        match role {
            ReporterRole::Corner2 => sender,
            ReporterRole::Corner3 => sender.other(),
        }
    }
}

/// What a report of the regime will say of an invoice.
///
/// # Errors
/// [`CannotReport`] with the term that is missing: a VAT number of the client, or what names the
/// invoice.
pub fn assess(
    invoice: &ReportableInvoice<'_>,
    regime: Regime,
    role: ReporterRole,
) -> Result<Assessment, CannotReport> {
    let terms = invoice.terms();
    let client = invoice.client(role);
    let country = country_of_number(terms, client)
        .or_else(|| exempt_country(terms, regime, client))
        .ok_or_else(|| CannotReport::one(MissingTerm::named(vat_term(client))))?;
    let invoice_uuid =
        of_invoice(terms, regime).map_err(|term| CannotReport::one(MissingTerm::named(term)))?;
    Ok(Assessment { country, scope: scope(terms, regime), invoice_uuid })
}

/// The term that is the VAT number of a side.
pub(crate) fn vat_term(side: TradeSide) -> &'static str {
    match side {
        TradeSide::Seller => "BT-31",
        TradeSide::Buyer => "BT-48",
    }
}

/// A seller of Oman has no number in imports and profit margin invoices, and one who is outside VAT
/// may have none anywhere: the country of the address stands for it.
fn exempt_country(terms: InvoiceTerms<'_>, regime: Regime, side: TradeSide) -> Option<String> {
    let exempt = match regime {
        Regime::Oman => is_exempt_of_number(terms),
        _ => terms.is_outside_vat(),
    };
    exempt.then(|| address_country(terms, side)).flatten()
}

/// Oman: imports of goods, imports of services under reverse charge and profit margin self invoices
/// (BTOM-001) need no tax number of the seller (ibr-tdd-42).
pub(crate) fn is_exempt_of_number(terms: InvoiceTerms<'_>) -> bool {
    let Some(code) = terms.root.and_then(|root| {
        let codes = quoin_formats::ubl::basics(root, "InvoiceTypeCode")
            .chain(quoin_formats::ubl::basics(root, "CreditNoteTypeCode"));
        codes.filter_map(|code| code.attribute("name")).next()
    }) else {
        return false;
    };
    let digits = code.trim().as_bytes();
    let is_code = digits.len() == 20 && digits.iter().all(|digit| matches!(digit, b'0' | b'1'));
    is_code && [8, 10, 12].into_iter().any(|at| digits.get(at) == Some(&b'1'))
}

/// The country of a side's VAT number: by its prefix, or by the address where its country writes
/// none.
fn country_of_number(terms: InvoiceTerms<'_>, side: TradeSide) -> Option<String> {
    let number = terms.vat_number(side).or_else(|| terms.tax_number(side))?;
    let address = address_country(terms, side);
    let own = prefix_country(&number);
    let own = own.filter(|own| is_prefix(own) || Some(own) == address.as_ref());
    own.or(address.filter(|_| assumed::NUMBERS_WITHOUT_COUNTRY))
}

/// Whether numbers of a country begin with its code: two letters before a number need not be one.
fn is_prefix(country: &str) -> bool {
    in_union(country) || ["CH", "GB", "IS", "LI", "OM"].contains(&country)
}

fn address_country(terms: InvoiceTerms<'_>, side: TradeSide) -> Option<String> {
    terms.country(side).and_then(|code| country(&code))
}

/// The country of the two letters that a VAT number begins with.
pub(crate) fn prefix_country(number: &str) -> Option<String> {
    let prefix = number.trim().get(..2)?;
    country(prefix)
}

/// A code of a country: two letters, `EL` being Greece.
fn country(code: &str) -> Option<String> {
    let code = code.trim();
    let is_code = code.len() == 2 && code.bytes().all(|byte| byte.is_ascii_alphabetic());
    let code = is_code.then(|| code.to_ascii_uppercase())?;
    Some(if code == "EL" { "GR".to_owned() } else { code })
}

/// Between whom the invoice went.
fn scope(terms: InvoiceTerms<'_>, regime: Regime) -> TaxScope {
    let of = |side| country_of_number(terms, side).or_else(|| address_country(terms, side));
    let (seller, buyer) = (of(TradeSide::Seller), of(TradeSide::Buyer));
    match regime {
        Regime::Emirates => by_way(terms, "AE", assumed::EMIRATES_PREDEFINED),
        Regime::Oman => by_way(terms, "OM", assumed::OMAN_PREDEFINED),
        _ => match (seller, buyer) {
            (Some(seller), Some(buyer)) if seller == buyer => TaxScope::Domestic,
            (Some(seller), Some(buyer)) if in_union(&seller) && in_union(&buyer) => {
                TaxScope::IntraCommunity
            }
            (Some(_), None) => TaxScope::Domestic,
            _ => TaxScope::International,
        },
    }
}

fn in_union(country: &str) -> bool {
    UNION.contains(&country) || assumed::BESIDE_THE_UNION.contains(&country)
}

/// Within a country, or abroad and by which way.
fn by_way(terms: InvoiceTerms<'_>, home: &str, predefined: &[&str]) -> TaxScope {
    let abroad = |side| address_country(terms, side).is_some_and(|country| country != home);
    let elsewhere =
        |side| terms.endpoint(side).is_none_or(|(_, value)| predefined.contains(&&*value));
    let at_home = |side| {
        let scheme = terms.endpoint(side).map(|(scheme, _)| scheme);
        assumed::HOME_SCHEMES.iter().any(|(own, code)| *own == home && Some(*code) == scheme)
            && !elsewhere(side)
    };
    let both = [TradeSide::Seller, TradeSide::Buyer];
    if both.into_iter().all(at_home) || !both.into_iter().any(abroad) {
        TaxScope::Domestic
    } else if both.into_iter().any(elsewhere) {
        TaxScope::InternationalElsewhere
    } else {
        TaxScope::InternationalOverPeppol
    }
}
