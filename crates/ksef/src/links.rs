//! The addresses behind the two printed codes: KOD I leads to the invoice, KOD II to the
//! certificate
//! of who issued it without the system.
//!
//! Source: documentation of KSeF, "kody QR".

#[cfg(test)]
mod tests;

use data_encoding::BASE64URL_NOPAD;
use jiff::civil::Date;
use quoin_xmldsig::keys::KeyError;

use crate::auth::AuthContext;
use crate::certificate::KsefCertificate;

/// KOD I: `BASE/invoice/NIP/DD-MM-YYYY/DIGEST`.
///
/// `base` is the address of the codes' pages, as in `https://qr.ksef.example`; `issued` is `P_1`;
/// `digest` is the SHA-256 of the invoice as it is or will be registered.
pub fn invoice_link(base: &str, seller_nip: &str, issued: Date, digest: &[u8; 32]) -> String {
    let base = base.trim_end_matches('/');
    let day = issued.strftime("%d-%m-%Y");
    format!("{base}/invoice/{seller_nip}/{day}/{}", BASE64URL_NOPAD.encode(digest))
}

/// KOD II: `BASE/certificate/CONTEXT/VALUE/NIP/SERIAL/DIGEST/SIGNATURE`; the signature is over
/// what
/// stands before it, without the scheme.
///
/// # Errors
/// [`KeyError::Operation`].
pub fn certificate_link(
    base: &str,
    context: &AuthContext,
    seller_nip: &str,
    certificate: &KsefCertificate,
    digest: &[u8; 32],
) -> Result<String, KeyError> {
    let base = base.trim_end_matches('/');
    let unsigned = format!(
        "{base}/certificate/{}/{}/{seller_nip}/{}/{}",
        context.kind(),
        context.value(),
        certificate.serial_hex(),
        BASE64URL_NOPAD.encode(digest)
    );
    let signature = certificate.sign_link(without_scheme(&unsigned))?;
    Ok(format!("{unsigned}/{}", BASE64URL_NOPAD.encode(&signature)))
}

/// What of an address is signed.
pub fn without_scheme(link: &str) -> &str {
    link.strip_prefix("https://").or_else(|| link.strip_prefix("http://")).unwrap_or(link)
}
