//! The enveloped signature of Peppol SMP answers: one reference to the whole document, inclusive
//! canonical XML 1.0, RSA-SHA256, SHA-256 and the certificate in `X509Data`.
//!
//! Source: Peppol SMP 1.4.0, section 5.5.

#[cfg(test)]
mod tests;

use crate::keys::{KeyError, PublicKey, Signer, sha256};
use crate::signature::{self, Canonicalization, Signature, SignatureError};
use quoin_xml::base64;
use quoin_xml::c14n::{self, CanonicalTooLong};
use quoin_xml::namespaces::{C14N, C14N_11, DS, ENVELOPED, RSA_SHA256, SHA256};
use quoin_xml::tree::{Document, Element, Limits, ParseError};

/// Why a document could not be signed.
#[derive(Debug, thiserror::Error)]
pub enum SignError {
    /// The document to sign cannot be read.
    #[error("the document to sign cannot be read: {0}")]
    Document(#[from] ParseError),
    /// The document element has no end tag to put the signature before.
    #[error("the document element is empty")]
    Empty,
    /// Its canonical form is larger than the room for it.
    #[error(transparent)]
    TooLong(#[from] CanonicalTooLong),
    /// The key failed.
    #[error(transparent)]
    Key(#[from] KeyError),
}

/// Signs a document: the signature becomes the last child of the document element.
///
/// The answer must be sent as it is; reformatting it breaks the signature.
///
/// # Errors
/// [`SignError`].
pub fn sign(xml: &str, signer: &dyn Signer, certificate_der: &[u8]) -> Result<String, SignError> {
    sign_with(xml, signer, certificate_der, C14N)
}

/// The same, with canonical XML 1.1 named for `SignedInfo`, as OASIS BDXR SMP 2.0 asks for. The
/// bytes are those of canonical XML 1.0, because `SignedInfo` has no attributes of the namespace
/// `xml`, and nothing around it may have any here.
///
/// # Errors
/// [`SignError`].
pub fn sign_c14n_11(
    xml: &str,
    signer: &dyn Signer,
    certificate_der: &[u8],
) -> Result<String, SignError> {
    sign_with(xml, signer, certificate_der, C14N_11)
}

fn sign_with(
    xml: &str,
    signer: &dyn Signer,
    certificate_der: &[u8],
    canonicalization: &str,
) -> Result<String, SignError> {
    let document = Document::parse(xml.as_bytes(), &Limits::default())?;
    let mut canonical = Vec::with_capacity(xml.len() + 256);
    c14n::inclusive(document.root(), &[], &mut canonical);
    let signed_info = signed_info(&sha256(&canonical), canonicalization);
    // Namespaces in scope of the document element are part of the canonical SignedInfo.
    let probe = with_signature(xml, "", &signed_info)?;
    let probe = Document::parse(probe.as_bytes(), &Limits::default())?;
    let mut octets = Vec::with_capacity(2048);
    let placed = probe
        .root()
        .child(DS, "Signature")
        .and_then(|signature| signature.child(DS, "SignedInfo"))
        .ok_or(SignError::Empty)?;
    c14n::inclusive(placed, &[], &mut octets);
    let value = base64::encode(&signer.sign_rsa_sha256(&octets)?);
    let certificate = base64::encode(certificate_der);
    let signature = format!(
        "{signed_info}<ds:SignatureValue>{value}</ds:SignatureValue><ds:KeyInfo><ds:X509Data>\
         <ds:X509Certificate>{certificate}</ds:X509Certificate></ds:X509Data></ds:KeyInfo>"
    );
    with_signature(xml, "", &signature)
}

fn signed_info(digest: &[u8; 32], canonicalization: &str) -> String {
    let digest = base64::encode(digest);
    format!(
        "<ds:SignedInfo><ds:CanonicalizationMethod Algorithm=\"{canonicalization}\"/>\
         <ds:SignatureMethod Algorithm=\"{RSA_SHA256}\"/><ds:Reference URI=\"\"><ds:Transforms>\
         <ds:Transform Algorithm=\"{ENVELOPED}\"/></ds:Transforms>\
         <ds:DigestMethod Algorithm=\"{SHA256}\"/><ds:DigestValue>{digest}</ds:DigestValue>\
         </ds:Reference></ds:SignedInfo>"
    )
}

/// Puts `ds:Signature` with these attributes and this content before the last end tag.
pub(crate) fn with_signature(
    xml: &str,
    attributes: &str,
    content: &str,
) -> Result<String, SignError> {
    let end = xml.trim_end().rfind("</").ok_or(SignError::Empty)?;
    let (before, after) = xml.split_at(end);
    Ok(format!(
        "{before}<ds:Signature xmlns:ds=\"{DS}\"{attributes}>{content}</ds:Signature>{after}"
    ))
}

/// Verifies the enveloped signature of a document; answers the signer's certificate (DER).
///
/// The placement and every algorithm are checked first, then the digest and the signature. The
/// certificate comes from the document itself: trusting it is the caller's decision.
///
/// # Errors
/// [`SignatureError`].
pub fn verify(document: &Document) -> Result<Vec<u8>, SignatureError> {
    let element = find_signature(document)?;
    let signature = signature::read(element, Canonicalization::Inclusive)?;
    check_reference(document, element, &signature)?;
    let certificate = certificate(signature.key_info)?;
    let spki =
        subject_public_key_info(&certificate).ok_or(SignatureError::Encoding("X509Certificate"))?;
    signature.verify_value(&PublicKey::from_spki(spki)?)?;
    Ok(certificate)
}

/// The one signature of the document, which must be a child of the document element.
pub(crate) fn find_signature(document: &Document) -> Result<Element<'_>, SignatureError> {
    let mut signatures = document.root().descendants().filter(|e| e.is(DS, "Signature"));
    let first = signatures.next().ok_or(SignatureError::Missing("ds:Signature"))?;
    if signatures.next().is_some() {
        return Err(SignatureError::Ambiguous("ds:Signature".to_owned()));
    }
    if first.parent() != Some(document.root()) {
        return Err(SignatureError::Missing("ds:Signature as a child of the document element"));
    }
    Ok(first)
}

fn check_reference(
    document: &Document,
    element: Element<'_>,
    signature: &Signature<'_>,
) -> Result<(), SignatureError> {
    let [reference] = signature.references.as_slice() else {
        return Err(SignatureError::Ambiguous("Reference".to_owned()));
    };
    if !reference.uri.is_empty() {
        return Err(SignatureError::Algorithm {
            part: "Reference/@URI",
            expected: "empty (the whole document)",
            found: reference.uri.to_owned(),
        });
    }
    let transforms: Vec<_> = reference.transforms.iter().map(|t| t.algorithm).collect();
    if transforms != [ENVELOPED] {
        return Err(SignatureError::Algorithm {
            part: "Transforms",
            expected: ENVELOPED,
            found: transforms.join(" "),
        });
    }
    let mut canonical = Vec::with_capacity(document.source().len());
    c14n::inclusive(document.root(), &[element], &mut canonical);
    if sha256(&canonical) != reference.digest {
        return Err(SignatureError::Digest("the document".to_owned()));
    }
    Ok(())
}

pub(crate) fn certificate(key_info: Element<'_>) -> Result<Vec<u8>, SignatureError> {
    let text = key_info
        .child(DS, "X509Data")
        .and_then(|data| data.child(DS, "X509Certificate"))
        .ok_or(SignatureError::Missing("X509Certificate"))?
        .text();
    base64::decode(text.as_bytes()).map_err(|_| SignatureError::Encoding("X509Certificate"))
}

/// The `SubjectPublicKeyInfo` of a certificate: the seventh field of `TBSCertificate` when the
/// version is given (RFC 5280, section 4.1), cut out without reading the rest.
pub(crate) fn subject_public_key_info(certificate: &[u8]) -> Option<&[u8]> {
    let (_, body, _) = der_item(certificate)?;
    let (_, mut fields, _) = der_item(body)?;
    let before_key = if fields.first() == Some(&0xA0) { 6 } else { 5 };
    for _ in 0..before_key {
        fields = der_item(fields)?.2;
    }
    Some(der_item(fields)?.0)
}

/// A DER item at the start of `bytes`: the whole item, its content, and what follows.
fn der_item(bytes: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let first = usize::from(*bytes.get(1)?);
    let (header, length) = if first < 0x80 {
        (2, first)
    } else {
        let count = first & 0x7F;
        if count == 0 || count > 4 {
            return None;
        }
        let digits = bytes.get(2..2 + count)?;
        (2 + count, digits.iter().fold(0, |sum, &digit| (sum << 8) | usize::from(digit)))
    };
    let end = header.checked_add(length)?;
    Some((bytes.get(..end)?, bytes.get(header..end)?, bytes.get(end..)?))
}
