//! The `wsse:Security` header: writing a signature, and verifying one by what it covers.
//!
//! A signature that verifies says nothing by itself. Each reference is resolved to an element of
//! this very tree or to an attachment of this very package, ids must be unique, and the caller
//! then asks whether exactly the element that it is going to read is among them.
//!
//! Sources: WS-Security SOAP Message Security 1.1, its X.509 token and SwA profiles.

use std::sync::Arc;

use quoin_xml::base64;
use quoin_xml::c14n::{self, CanonicalTooLong};
use quoin_xml::namespaces::{DS, EXC_C14N, RSA_SHA256, SHA256};
use quoin_xml::tree::Element;
use quoin_xmldsig::keys::{KeyError, sha256};
use quoin_xmldsig::signature::{
    self, Canonicalization, Signature, SignatureError, SignatureReference,
};

use super::builder::Canonical;
use super::error::{As4Refusal, EbmsCode};
use super::ids::Ids;
use super::names::{BASE64_BINARY, SWA_CONTENT_SIGNATURE, WSSE, X509_V3};
use super::party::{OwnIdentity, Peer, Peers};
use super::user_message::decode_percent;

/// Ids inside one envelope; they need to be unique in it only.
pub(super) const MESSAGING_ID: &str = "_messaging";
pub(super) const BODY_ID: &str = "_body";
const SIGNING_TOKEN_ID: &str = "_signing-token";

/// Canonical bytes of an envelope that one signature covers at most, each element counted as often
/// as it is referred to.
pub(super) const CANONICAL_BYTES: usize = 4 << 20;

/// What a signature will cover: `URI` and digest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedPart {
    /// `#id` or `cid:…`.
    pub uri: String,
    /// SHA-256.
    pub digest: [u8; 32],
}

impl SignedPart {
    pub(super) fn element(id: &str, canonical: &str) -> SignedPart {
        SignedPart { uri: format!("#{id}"), digest: sha256(canonical.as_bytes()) }
    }

    pub(super) fn attachment(content_id: &str, octets: &[u8]) -> SignedPart {
        SignedPart { uri: format!("cid:{content_id}"), digest: sha256(octets) }
    }

    fn transform(&self) -> &'static str {
        if self.uri.starts_with('#') { EXC_C14N } else { SWA_CONTENT_SIGNATURE }
    }
}

/// A binary security token with an X.509 certificate.
pub(super) fn token(id: &str, certificate_base64: &str) -> String {
    let mut xml = Canonical::with_capacity(certificate_base64.len() + 512);
    xml.leaf(
        "wsse:BinarySecurityToken",
        &[("EncodingType", BASE64_BINARY), ("ValueType", X509_V3), ("wsu:Id", id)],
        certificate_base64,
    );
    xml.finish()
}

/// `wsse:SecurityTokenReference` to a token by its id.
pub(super) fn token_reference(id: &str) -> String {
    let uri = format!("#{id}");
    let mut xml = Canonical::with_capacity(256);
    xml.open("wsse:SecurityTokenReference", &[]);
    xml.open("wsse:Reference", &[("URI", &uri), ("ValueType", X509_V3)]).close("wsse:Reference");
    xml.close("wsse:SecurityTokenReference");
    xml.finish()
}

/// The token and the `ds:Signature` over these parts, for a header that declares `wsse` and `wsu`.
pub(super) fn sign(own: &OwnIdentity, parts: &[SignedPart]) -> Result<String, KeyError> {
    let mut info = Canonical::with_capacity(2048);
    info.open("ds:SignedInfo", &[("xmlns:ds", DS)]);
    empty(&mut info, "ds:CanonicalizationMethod", EXC_C14N);
    empty(&mut info, "ds:SignatureMethod", RSA_SHA256);
    for part in parts {
        info.open("ds:Reference", &[("URI", &part.uri)]).open("ds:Transforms", &[]);
        empty(&mut info, "ds:Transform", part.transform());
        info.close("ds:Transforms");
        empty(&mut info, "ds:DigestMethod", SHA256);
        info.leaf("ds:DigestValue", &[], &base64::encode(&part.digest)).close("ds:Reference");
    }
    info.close("ds:SignedInfo");
    let info = info.finish();
    let value = base64::encode(&own.signer.sign_rsa_sha256(info.as_bytes())?);
    let mut xml = Canonical::with_capacity(info.len() + 4096);
    xml.raw(&token(SIGNING_TOKEN_ID, &base64::encode(&own.certificate)));
    xml.open("ds:Signature", &[("xmlns:ds", DS)]).raw(&info);
    xml.leaf("ds:SignatureValue", &[], &value);
    xml.open("ds:KeyInfo", &[]).raw(&token_reference(SIGNING_TOKEN_ID)).close("ds:KeyInfo");
    xml.close("ds:Signature");
    Ok(xml.finish())
}

fn empty(xml: &mut Canonical, name: &str, algorithm: &str) {
    xml.open(name, &[("Algorithm", algorithm)]).close(name);
}

/// A signature whose value and signer were verified; the attachments are still to be compared.
pub(super) struct Verified<'d> {
    pub signer: Arc<Peer>,
    pub signature: Signature<'d>,
    elements: Vec<Element<'d>>,
}

/// Verifies the one signature of a security header: the signer is trusted, the value verifies, and
/// every reference to an element matches. Nothing is canonicalized for a signer who is not
/// believed, and no private key is used here.
pub(super) fn verify<'d>(
    ids: &Ids<'d>,
    security: Element<'d>,
    peers: &dyn Peers,
) -> Result<Verified<'d>, As4Refusal> {
    let mut signatures = security.children_named(DS, "Signature");
    let element = signatures.next().ok_or_else(|| {
        As4Refusal::new(EbmsCode::PolicyNoncompliance, "the message is not signed")
    })?;
    if signatures.next().is_some() {
        return Err(policy("there is more than one ds:Signature"));
    }
    let signature = signature::read(element, Canonicalization::Exclusive).map_err(refuse)?;
    let certificate = certificate_of(ids, signature.key_info)?;
    let signer = peers.access_point(&certificate).map_err(|refusal| {
        As4Refusal::new(EbmsCode::FailedAuthentication, format!("signing certificate: {refusal}"))
    })?;
    signature.verify_value(&signer.key).map_err(refuse)?;
    let (mut elements, mut room) = (Vec::new(), CANONICAL_BYTES);
    for reference in &signature.references {
        if let Some(id) = reference.uri.strip_prefix('#') {
            elements.push(verify_element(ids, reference, id, &mut room)?);
        } else if !reference.uri.starts_with("cid:") {
            return Err(policy(format!(
                "the reference {:?} is neither #id nor cid:",
                reference.uri
            )));
        }
    }
    Ok(Verified { signer, signature, elements })
}

fn verify_element<'d>(
    ids: &Ids<'d>,
    reference: &SignatureReference<'d>,
    id: &str,
    room: &mut usize,
) -> Result<Element<'d>, As4Refusal> {
    let [transform] = reference.transforms.as_slice() else {
        return Err(policy(format!("the reference #{id} must have exactly one transform")));
    };
    if transform.algorithm != EXC_C14N {
        let found = transform.algorithm;
        return Err(policy(format!("the transform of #{id} must be {EXC_C14N}, found {found}")));
    }
    let element = ids.element(id)?;
    let mut canonical = Vec::with_capacity(4096);
    c14n::exclusive(element, &transform.inclusive_prefixes, *room, &mut canonical).map_err(
        |CanonicalTooLong { .. }| {
            policy(format!(
                "the signature covers more than {CANONICAL_BYTES} bytes of the envelope"
            ))
        },
    )?;
    *room = room.saturating_sub(canonical.len());
    if sha256(&canonical) != reference.digest {
        return Err(refuse(SignatureError::Digest(format!("#{id}"))));
    }
    Ok(element)
}

impl<'d> Verified<'d> {
    /// Demands that this very element is signed.
    pub(super) fn require_element(&self, element: Element<'d>) -> Result<(), As4Refusal> {
        if self.elements.contains(&element) {
            return Ok(());
        }
        let name = element.local();
        Err(policy(format!("the signature does not cover {name}")))
    }

    /// Demands that an attachment is signed and that these are the signed octets.
    pub(super) fn require_attachment(
        &self,
        content_id: &str,
        octets: &[u8],
    ) -> Result<(), As4Refusal> {
        let mut found = self.signature.references.iter().filter(|reference| {
            reference.uri.strip_prefix("cid:").is_some_and(|id| decode_percent(id) == content_id)
        });
        let reference = found.next().ok_or_else(|| {
            policy(format!("the signature does not cover the attachment {content_id}"))
        })?;
        if found.next().is_some() {
            return Err(policy(format!("the attachment {content_id} is signed twice")));
        }
        let algorithms: Vec<_> = reference.transforms.iter().map(|t| t.algorithm).collect();
        if algorithms != [SWA_CONTENT_SIGNATURE] {
            return Err(policy(format!(
                "the transform of an attachment must be {SWA_CONTENT_SIGNATURE}"
            )));
        }
        if sha256(octets) != reference.digest {
            return Err(refuse(SignatureError::Digest(format!("the attachment {content_id}"))));
        }
        Ok(())
    }
}

/// The certificate (DER) behind a `KeyInfo` with a direct reference to an X.509 token.
///
/// Source: Peppol AS4 profile 2.0.3, chapter 7: no other token form is allowed.
pub(super) fn certificate_of(ids: &Ids<'_>, key_info: Element<'_>) -> Result<Vec<u8>, As4Refusal> {
    let reference = key_info
        .child(WSSE, "SecurityTokenReference")
        .and_then(|token| token.child(WSSE, "Reference"))
        .ok_or_else(|| policy("KeyInfo must refer directly to a wsse:BinarySecurityToken"))?;
    let uri = reference.attribute("URI").unwrap_or_default();
    let id = uri
        .strip_prefix('#')
        .ok_or_else(|| policy(format!("the token reference must be #id, found {uri:?}")))?;
    let token = ids.element(id)?;
    if !token.is(WSSE, "BinarySecurityToken") || token.attribute("ValueType") != Some(X509_V3) {
        return Err(policy(format!("{uri} must be a BinarySecurityToken of type {X509_V3}")));
    }
    base64::decode(token.text().trim().as_bytes())
        .map_err(|_| policy("the BinarySecurityToken is not base64"))
}

pub(super) fn policy(detail: impl Into<String>) -> As4Refusal {
    As4Refusal::new(EbmsCode::PolicyNoncompliance, detail)
}

/// Algorithms outside the profile are a policy matter; anything else is failed authentication.
pub(super) fn refuse(error: SignatureError) -> As4Refusal {
    let code = match error {
        SignatureError::Algorithm { .. }
        | SignatureError::Prefixes
        | SignatureError::TooLong(_)
        | SignatureError::Unexpected { .. } => EbmsCode::PolicyNoncompliance,
        _ => EbmsCode::FailedAuthentication,
    };
    As4Refusal::new(code, error.to_string())
}
