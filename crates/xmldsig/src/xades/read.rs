//! Verifying an enveloped XAdES signature: placement and algorithms first, then the value, then
//! the
//! digests, by the elements that were found and not by names that somebody may repeat.

use quoin_xml::base64;
use quoin_xml::c14n;
use quoin_xml::namespaces::{C14N, DS, ENVELOPED, EXC_C14N, SIGNED_PROPERTIES, XADES};
use quoin_xml::tree::{Document, Element};

use crate::enveloped::{certificate, find_signature, subject_public_key_info};
use crate::keys::{digest_of, verify_xml};
use crate::signature::{SignatureError, only, shape};

/// What a verified signature says. Trusting the certificate is the caller's decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerifiedXades {
    /// The signer's certificate (DER).
    pub certificate: Vec<u8>,
    /// `SigningTime`, as it is written.
    pub signing_time: Option<String>,
}

/// Verifies the one enveloped XAdES signature of a document: the document and the signed
/// properties
/// are covered, and the properties name the certificate.
///
/// # Errors
/// [`SignatureError`].
pub fn verify(document: &Document) -> Result<VerifiedXades, SignatureError> {
    let signature = find_signature(document)?;
    let info = only(signature, "SignedInfo")?;
    shape::check(info)?;
    let method = algorithm(only(info, "CanonicalizationMethod")?);
    let certificate = certificate(only(signature, "KeyInfo")?)?;
    let spki =
        subject_public_key_info(&certificate).ok_or(SignatureError::Encoding("X509Certificate"))?;
    let value = base64::decode(only(signature, "SignatureValue")?.text().as_bytes())
        .map_err(|_| SignatureError::Encoding("SignatureValue"))?;
    let octets = canonical(info, None, method)?;
    let suite = algorithm(only(info, "SignatureMethod")?);
    match verify_xml(spki, suite, &octets, &value) {
        Some(Ok(())) => {}
        Some(Err(_)) => return Err(SignatureError::Value),
        None => {
            return Err(SignatureError::Algorithm {
                part: "SignatureMethod",
                expected: "RSA with SHA-256, -384 or -512, RSA-PSS with SHA-256, or ECDSA with \
                           SHA-256 or -384",
                found: suite.to_owned(),
            });
        }
    }
    let properties = signed_properties(signature)?;
    check_references(document, info, signature, properties)?;
    check_certificate(properties, &certificate)?;
    let time = properties
        .child(XADES, "SignedSignatureProperties")
        .and_then(|part| part.child(XADES, "SigningTime"))
        .map(|time| time.text().trim().to_owned());
    Ok(VerifiedXades { certificate, signing_time: time })
}

fn algorithm(element: Element<'_>) -> &str {
    element.attribute("Algorithm").unwrap_or_default()
}

fn canonical(
    element: Element<'_>,
    omit: Option<Element<'_>>,
    method: &str,
) -> Result<Vec<u8>, SignatureError> {
    let mut octets = Vec::with_capacity(2048);
    match method {
        EXC_C14N => {
            let room = c14n::room_of(element.document());
            c14n::exclusive_without(element, omit, &[], room, &mut octets)?;
        }
        C14N => c14n::inclusive(element, omit.as_slice(), &mut octets),
        found => {
            return Err(SignatureError::Algorithm {
                part: "CanonicalizationMethod",
                expected: "exclusive or inclusive canonical XML 1.0",
                found: found.to_owned(),
            });
        }
    }
    Ok(octets)
}

/// `SignedProperties` where the schema has it, of properties that are about this signature.
fn signed_properties(signature: Element<'_>) -> Result<Element<'_>, SignatureError> {
    let mut found = signature
        .children_named(DS, "Object")
        .filter_map(|object| object.child(XADES, "QualifyingProperties"));
    let qualifying = found.next().ok_or(SignatureError::Missing("QualifyingProperties"))?;
    if found.next().is_some() {
        return Err(SignatureError::Ambiguous("QualifyingProperties".to_owned()));
    }
    let target = qualifying.attribute("Target").and_then(|target| target.strip_prefix('#'));
    if target.is_none() || target != signature.attribute("Id") {
        return Err(SignatureError::Dangling("QualifyingProperties/@Target".to_owned()));
    }
    qualifying.child(XADES, "SignedProperties").ok_or(SignatureError::Missing("SignedProperties"))
}

/// One reference to the document without the signature, one to the properties, no other.
fn check_references(
    document: &Document,
    info: Element<'_>,
    signature: Element<'_>,
    properties: Element<'_>,
) -> Result<(), SignatureError> {
    let (mut of_document, mut of_properties) = (0, 0);
    for reference in info.children_named(DS, "Reference") {
        let uri = reference.attribute("URI").ok_or(SignatureError::Missing("Reference/@URI"))?;
        let named = uri.strip_prefix('#').filter(|id| !id.is_empty());
        // Nothing is worked out twice: it may be as much work as the whole document.
        let once = |count: usize| match count {
            0 => Ok(1),
            _ => Err(SignatureError::Ambiguous("Reference".to_owned())),
        };
        let octets = if uri.is_empty() {
            of_document = once(of_document)?;
            let method = method_of(reference, &[ENVELOPED])?;
            canonical(document.root(), Some(signature), method)?
        } else if named.is_some() && named == properties.attribute("Id") {
            of_properties = once(of_properties)?;
            if reference.attribute("Type") != Some(SIGNED_PROPERTIES) {
                return Err(SignatureError::Missing("Reference/@Type of the signed properties"));
            }
            canonical(properties, None, method_of(reference, &[])?)?
        } else {
            return Err(SignatureError::Dangling(uri.chars().take(80).collect()));
        };
        let method = algorithm(only(reference, "DigestMethod")?);
        compare(&octets, method, only(reference, "DigestValue")?, uri)?;
    }
    match (of_document, of_properties) {
        (1, 1) => Ok(()),
        (0, _) => Err(SignatureError::Missing("a reference to the document (URI=\"\")")),
        _ => Err(SignatureError::Missing("a reference to SignedProperties")),
    }
}

/// What is done to a part after `first`: one canonicalization, inclusive where none is named.
fn method_of<'d>(
    reference: Element<'d>,
    first: &[&'static str],
) -> Result<&'d str, SignatureError> {
    let transforms = reference.child(DS, "Transforms");
    let all: Vec<&str> =
        transforms.into_iter().flat_map(Element::elements).map(algorithm).take(4).collect();
    match all.strip_prefix(first) {
        Some([]) => Ok(C14N),
        Some([method]) => Ok(method),
        _ => Err(SignatureError::Algorithm {
            part: "Transforms",
            expected: "the enveloped signature transform for the document, then at most one \
                       canonicalization",
            found: all.join(" "),
        }),
    }
}

fn compare(
    octets: &[u8],
    method: &str,
    value: Element<'_>,
    of: &str,
) -> Result<(), SignatureError> {
    let digest = digest_of(method, octets).ok_or_else(|| SignatureError::Algorithm {
        part: "DigestMethod",
        expected: "SHA-256, SHA-384 or SHA-512",
        found: method.to_owned(),
    })?;
    let stated = base64::decode(value.text().as_bytes())
        .map_err(|_| SignatureError::Encoding("DigestValue"))?;
    if digest == stated {
        return Ok(());
    }
    let of = if of.is_empty() { "the document" } else { of };
    Err(SignatureError::Digest(of.chars().take(80).collect()))
}

/// The properties name the certificate by its digest, in the form of XAdES 1.3.2 or the later one.
fn check_certificate(properties: Element<'_>, certificate: &[u8]) -> Result<(), SignatureError> {
    let part = properties
        .child(XADES, "SignedSignatureProperties")
        .ok_or(SignatureError::Missing("SignedSignatureProperties"))?;
    let named = part
        .child(XADES, "SigningCertificate")
        .or_else(|| part.child(XADES, "SigningCertificateV2"))
        .and_then(|signing| signing.child(XADES, "Cert"))
        .and_then(|cert| cert.child(XADES, "CertDigest"))
        .ok_or(SignatureError::Missing("SigningCertificate/Cert/CertDigest"))?;
    let method = algorithm(only(named, "DigestMethod")?);
    compare(certificate, method, only(named, "DigestValue")?, "the signing certificate")
}
