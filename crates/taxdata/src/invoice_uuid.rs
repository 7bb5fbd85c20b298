//! The identifier of an invoice (TDT-017): a UUID of version 5, which both providers make of the same
//! terms, so that the authority puts both reports together.
//!
//! Sources: ViDA pilot 1.0.0 and 1.1.0, "Invoice UUID calculation"; RFC 9562 section 5.5; the
//! solution architecture of Oman.

use aws_lc_rs::digest::{SHA1_FOR_LEGACY_USE_ONLY, digest};
use uuid::{Builder, Uuid};

use crate::regime::Regime;
use crate::terms::{InvoiceTerms, Side};

/// The namespace of the names.
pub const NAMESPACE: Uuid = Uuid::from_u128(0xe0bc_4ac8_b025_46e5_a76d_0c89_3fc3_027e);

/// The UUID of version 5 of a name: its parts without the white space around them, joined by a blank.
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
        None => by_vat_number(terms),
    }
}

fn by_vat_number(terms: InvoiceTerms<'_>) -> Result<Uuid, &'static str> {
    match terms.vat_number(Side::Seller) {
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
    let (scheme, address) = terms.endpoint(Side::Seller).ok_or("IBT-034")?;
    let currency = terms.text("DocumentCurrencyCode").ok_or("IBT-005")?;
    let type_code = terms.type_code().ok_or("IBT-003")?;
    let number = terms.text("ID").ok_or("IBT-001")?;
    let date = terms.text("IssueDate").ok_or("IBT-002")?;
    let tax = terms.tax_amount(&currency).ok_or("IBT-110")?;
    let total = terms.total("TaxInclusiveAmount").ok_or("IBT-112")?;
    Ok(of_parts(&[scheme, &address, &type_code, &number, &date, &tax, &total]))
}
