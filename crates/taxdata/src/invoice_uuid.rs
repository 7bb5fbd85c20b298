//! The identifier of an invoice (TDT-017): a UUID of version 5, which both providers make of the
//! same terms, so that the authority puts both reports together.
//!
//! Sources: ViDA pilot 1.0.0 and 1.1.0, "Invoice UUID calculation"; RFC 9562 section 5.5; the
//! solution architecture of Oman.

use aws_lc_rs::digest::{SHA1_FOR_LEGACY_USE_ONLY, digest};
use uuid::{Builder, Uuid};

use crate::assumed;
use crate::regime::Regime;
use crate::terms::{InvoiceTerms, TradeSide};

/// The namespace of the names.
pub const NAMESPACE: Uuid = Uuid::from_u128(0xe0bc_4ac8_b025_46e5_a76d_0c89_3fc3_027e);

/// The UUID of version 5 of a name: its parts without the white space around them, joined by a
/// blank.
pub fn of_parts(parts: &[&str]) -> Uuid {
    let trimmed: Vec<&str> = parts.iter().map(|part| part.trim()).collect();
    version_5(&trimmed.join(" "))
}

/// The UUID of an invoice by the terms of 1.1: BT-31, BT-3, BT-1, BT-2.
pub fn of_seller(vat_number: &str, type_code: &str, number: &str, issue_date: &str) -> Uuid {
    of_parts(&[vat_number, type_code, number, issue_date])
}

/// The first 16 bytes of SHA-1 over namespace and name, with version and variant put in.
fn version_5(name: &str) -> Uuid {
    let mut text = NAMESPACE.as_bytes().to_vec();
    text.extend_from_slice(name.as_bytes());
    let hash = digest(&SHA1_FOR_LEGACY_USE_ONLY, &text);
    let mut bytes = [0; 16];
    bytes.iter_mut().zip(hash.as_ref()).for_each(|(to, from)| *to = *from);
    Builder::from_sha1_bytes(bytes).into_uuid()
}

/// The UUID of an invoice in a regime; the term that is missing where it cannot be told.
pub(crate) fn of_invoice(terms: InvoiceTerms<'_>, regime: Regime) -> Result<Uuid, &'static str> {
    match regime {
        Regime::Vida10 | Regime::Slovakia => by_seller_identifier(terms),
        Regime::Vida11 => by_vat_number(terms),
        Regime::Emirates => own(terms).ok_or("BTAE-07"),
        Regime::Oman => match own(terms) {
            Some(own) if own.get_version_num() == 5 => Ok(own),
            Some(_) => Err("BTOM-002"),
            None => of_oman(terms),
        },
    }
}

/// The UUID that the invoice has.
fn own(terms: InvoiceTerms<'_>) -> Option<Uuid> {
    terms.text("UUID").and_then(|text| text.parse().ok())
}

fn by_seller_identifier(terms: InvoiceTerms<'_>) -> Result<Uuid, &'static str> {
    match terms.seller_identifier() {
        Some((Some(scheme), value)) => named(terms, &[&*value, scheme]),
        Some((None, value)) => named(terms, &[&*value]),
        None if assumed::VAT_NUMBER_FOR_SELLER_IDENTIFIER => by_vat_number(terms),
        None => Err("BT-29"),
    }
}

fn by_vat_number(terms: InvoiceTerms<'_>) -> Result<Uuid, &'static str> {
    match terms.vat_number(TradeSide::Seller) {
        Some(number) => named(terms, &[&*number]),
        None if terms.is_outside_vat() => named(terms, &[]),
        None => Err("BT-31"),
    }
}

fn named(terms: InvoiceTerms<'_>, seller: &[&str]) -> Result<Uuid, &'static str> {
    let type_code = terms.type_code().ok_or("BT-3")?;
    let number = terms.text("ID").ok_or("BT-1")?;
    let date = terms.text("IssueDate").ok_or("BT-2")?;
    let rest: [&str; 3] = [&type_code, &number, &date];
    Ok(of_parts(&[seller, &rest].concat()))
}

fn of_oman(terms: InvoiceTerms<'_>) -> Result<Uuid, &'static str> {
    let part = |term: &&'static str| of_oman_term(terms, term).ok_or(*term);
    let parts = assumed::OMAN_NAME.iter().map(part).collect::<Result<Vec<String>, _>>()?;
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    Ok(of_parts(&parts))
}

/// A part of the name of an invoice of Oman, by its term.
fn of_oman_term(terms: InvoiceTerms<'_>, term: &str) -> Option<String> {
    let address = || terms.endpoint(TradeSide::Seller);
    let text = match term {
        "IBT-034-1" => address()?.0.into(),
        "IBT-034" => address()?.1,
        "IBT-001" => terms.text("ID")?,
        "IBT-002" => terms.text("IssueDate")?,
        "IBT-003" => terms.type_code()?,
        "IBT-110" => terms.tax_amount(&terms.text("DocumentCurrencyCode")?)?,
        "IBT-112" => terms.total("TaxInclusiveAmount")?,
        _ => return None,
    };
    Some(text.into_owned())
}

#[cfg(test)]
mod tests {
    use quoin_formats::read;

    use super::*;

    /// An invoice of Oman without a UUID is named by all parts of the name, and by each of them.
    #[test]
    fn invoices_of_oman_are_named() {
        let ubl = "urn:oasis:names:specification:ubl:schema:xsd";
        let text = format!(
            "<Invoice xmlns='{ubl}:Invoice-2' xmlns:cac='{ubl}:CommonAggregateComponents-2' \
             xmlns:cbc='{ubl}:CommonBasicComponents-2'><cbc:ID>N-1</cbc:ID><cbc:IssueDate>\
             2026-11-26</cbc:IssueDate><cbc:InvoiceTypeCode>380</cbc:InvoiceTypeCode>\
             <cbc:DocumentCurrencyCode>OMR</cbc:DocumentCurrencyCode><cac:AccountingSupplierParty>\
             <cac:Party><cbc:EndpointID schemeID='0248'>1</cbc:EndpointID></cac:Party>\
             </cac:AccountingSupplierParty><cac:TaxTotal><cbc:TaxAmount currencyID='OMR'>5\
             </cbc:TaxAmount></cac:TaxTotal><cac:LegalMonetaryTotal><cbc:TaxInclusiveAmount>105\
             </cbc:TaxInclusiveAmount></cac:LegalMonetaryTotal></Invoice>"
        );
        let named = |text: &str| {
            let document = read(text.as_bytes());
            of_invoice(InvoiceTerms { root: document.root(), process: None }, Regime::Oman)
        };
        let whole = named(&text);
        assert_eq!(whole, Ok(version_5("0248 1 380 N-1 2026-11-26 5 105")));
        assert!(named(&text.replace("105", "106")).is_ok());
        assert_ne!(named(&text.replace("105", "106")), whole);
        assert_eq!(named(&text.replace("<cbc:ID>N-1</cbc:ID>", "")), Err("IBT-001"));
    }
}
