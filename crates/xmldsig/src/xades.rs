//! XAdES-BES, enveloped: a document signed by the certificate of a person or a company, with the
//! properties of the signature under it.
//!
//! It is written in the form of XAdES 1.3.2 that KSeF's own programs write: exclusive canonical
//! XML,
//! one reference to the document and one to the signed properties. What is read may be a little
//! wider; anything else is refused before a key is used.
//!
//! Source: ETSI TS 101 903 v1.4.2, sections 6.2 and 7.2; ETSI EN 319 132-1
//! (`SigningCertificateV2`).

mod read;
#[cfg(test)]
mod tests;

use quoin_xml::base64;
use quoin_xml::c14n;
use quoin_xml::namespaces::{DS, ENVELOPED, EXC_C14N, SHA256, SIGNED_PROPERTIES, XADES};
use quoin_xml::tree::{Document, Limits};
use quoin_xml::write::escape_text;

use crate::enveloped::{SignError, with_signature};
use crate::keys::{SigningKey, sha256};

pub use read::{VerifiedXades, verify};

/// `Id` of the signature that is written.
const SIGNATURE_ID: &str = "Signature";
/// `Id` of the signed properties that are written.
const PROPERTIES_ID: &str = "SignedProperties";

/// Who signs.
#[derive(Debug, Clone, Copy)]
pub struct XadesSigner<'a> {
    /// The private key.
    pub key: &'a SigningKey,
    /// Its certificate (DER).
    pub certificate: &'a [u8],
    /// The name of the certificate's issuer as text (RFC 2253).
    pub issuer: &'a str,
    /// The certificate's serial number in decimal digits.
    pub serial: &'a str,
}

/// Signs a document at a time (`xs:dateTime`); the signature becomes the last child of the
/// document
/// element. The answer must be sent as it is.
///
/// # Errors
/// [`SignError`].
pub fn sign(xml: &str, signer: &XadesSigner<'_>, time: &str) -> Result<String, SignError> {
    let document = Document::parse(xml.as_bytes(), &Limits::default())?;
    let mut canonical = Vec::with_capacity(xml.len() + 256);
    c14n::exclusive(document.root(), &[], c14n::room_of(&document), &mut canonical)?;
    let document_digest = sha256(&canonical);
    let object = object(signer, time);
    let placed = envelope(xml, &object)?;
    let path = [(DS, "Object"), (XADES, "QualifyingProperties"), (XADES, "SignedProperties")];
    let properties_digest = sha256(&canonical_part(&placed, &path)?);
    let info = signed_info(signer.key.xml_algorithm(), &document_digest, &properties_digest);
    let placed = envelope(xml, &info)?;
    let octets = canonical_part(&placed, &[(DS, "SignedInfo")])?;
    let value = base64::encode(&signer.key.sign_xml(&octets)?);
    let certificate = base64::encode(signer.certificate);
    envelope(
        xml,
        &format!(
            "{info}<ds:SignatureValue>{value}</ds:SignatureValue><ds:KeyInfo><ds:X509Data>\
             <ds:X509Certificate>{certificate}</ds:X509Certificate></ds:X509Data></ds:KeyInfo>\
             {object}"
        ),
    )
}

fn envelope(xml: &str, content: &str) -> Result<String, SignError> {
    with_signature(xml, &format!(" Id=\"{SIGNATURE_ID}\""), content)
}

/// The canonical form of what a path leads to inside the signature.
fn canonical_part(xml: &str, path: &[(&str, &str)]) -> Result<Vec<u8>, SignError> {
    let document = Document::parse(xml.as_bytes(), &Limits::default())?;
    let mut at = document.root().child(DS, "Signature").ok_or(SignError::Empty)?;
    for (namespace, local) in path {
        at = at.child(namespace, local).ok_or(SignError::Empty)?;
    }
    let mut octets = Vec::with_capacity(2048);
    c14n::exclusive(at, &[], c14n::room_of(&document), &mut octets)?;
    Ok(octets)
}

fn object(signer: &XadesSigner<'_>, time: &str) -> String {
    let digest = base64::encode(&sha256(signer.certificate));
    let (mut issuer, mut serial) = (String::new(), String::new());
    escape_text(signer.issuer, &mut issuer);
    escape_text(signer.serial, &mut serial);
    format!(
        "<ds:Object><xades:QualifyingProperties xmlns:xades=\"{XADES}\" Target=\"#{SIGNATURE_ID}\">\
         <xades:SignedProperties Id=\"{PROPERTIES_ID}\"><xades:SignedSignatureProperties>\
         <xades:SigningTime>{time}</xades:SigningTime><xades:SigningCertificate><xades:Cert>\
         <xades:CertDigest><ds:DigestMethod Algorithm=\"{SHA256}\"/><ds:DigestValue>{digest}\
         </ds:DigestValue></xades:CertDigest><xades:IssuerSerial><ds:X509IssuerName>{issuer}\
         </ds:X509IssuerName><ds:X509SerialNumber>{serial}</ds:X509SerialNumber>\
         </xades:IssuerSerial></xades:Cert></xades:SigningCertificate>\
         </xades:SignedSignatureProperties></xades:SignedProperties>\
         </xades:QualifyingProperties></ds:Object>"
    )
}

fn signed_info(algorithm: &str, document: &[u8; 32], properties: &[u8; 32]) -> String {
    let (document, properties) = (base64::encode(document), base64::encode(properties));
    let exclusive = format!("<ds:Transform Algorithm=\"{EXC_C14N}\"/>");
    let digest = |value: &str| {
        format!(
            "<ds:DigestMethod Algorithm=\"{SHA256}\"/><ds:DigestValue>{value}</ds:DigestValue>\
             </ds:Reference>"
        )
    };
    format!(
        "<ds:SignedInfo><ds:CanonicalizationMethod Algorithm=\"{EXC_C14N}\"/>\
         <ds:SignatureMethod Algorithm=\"{algorithm}\"/><ds:Reference URI=\"\"><ds:Transforms>\
         <ds:Transform Algorithm=\"{ENVELOPED}\"/>{exclusive}</ds:Transforms>{}\
         <ds:Reference Type=\"{SIGNED_PROPERTIES}\" URI=\"#{PROPERTIES_ID}\"><ds:Transforms>\
         {exclusive}</ds:Transforms>{}</ds:SignedInfo>",
        digest(&document),
        digest(&properties),
    )
}
