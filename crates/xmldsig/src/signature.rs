//! Reading an XML signature strictly: what it covers, how, and whether its value verifies.
//!
//! A caller says which algorithms it accepts by choosing a [`Canonicalization`]; anything else is
//! refused before a key is used. Whether the certificate can be trusted, and whether what is
//! covered is what matters, stays with the caller.
//!
//! Source: XML Signature Syntax and Processing 1.0.

pub(crate) mod shape;
#[cfg(test)]
mod tests;

use crate::keys::{KeyError, PublicKey};
use quoin_xml::base64;
use quoin_xml::c14n::{self, CanonicalTooLong};
use quoin_xml::namespaces::{C14N, DS, EXC_C14N, RSA_SHA256, SHA256};
use quoin_xml::tree::Element;

/// References in one signature at most.
pub const REFERENCES: usize = 64;
/// Prefixes in one `PrefixList` at most.
pub const PREFIXES: usize = 16;
/// Bytes of one `PrefixList` at most.
pub const PREFIX_LIST_BYTES: usize = 1 << 10;
/// Bytes of a canonical `SignedInfo` at most, with the namespaces around it.
pub const SIGNED_INFO_BYTES: usize = 4 << 20;

/// The canonicalization that `SignedInfo` must use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Canonicalization {
    /// Canonical XML 1.0 (SMP).
    Inclusive,
    /// Exclusive canonical XML 1.0 (AS4).
    Exclusive,
}

/// Why a signature is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SignatureError {
    /// A part that must be there is not.
    #[error("the signature lacks {0}")]
    Missing(&'static str),
    /// There is more than one of something that must be unique.
    #[error("there is more than one {0}")]
    Ambiguous(String),
    /// An algorithm outside the profile.
    #[error("{part} must be {expected}, found {found}")]
    Algorithm {
        /// What uses it.
        part: &'static str,
        /// The only one that is accepted.
        expected: &'static str,
        /// What the document says.
        found: String,
    },
    /// An element, attribute or text where the schema of signatures has none.
    #[error(
        "the signature has {found} in {parent}, where the schema of XML signatures has no place for it"
    )]
    Unexpected {
        /// What is there.
        found: String,
        /// The element that it is in.
        parent: String,
    },
    /// A list of inclusive namespaces that is longer than any that is needed.
    #[error(
        "a PrefixList has more than {PREFIXES} prefixes or {PREFIX_LIST_BYTES} bytes; list only the \
         prefixes that are used in text"
    )]
    Prefixes,
    /// A canonical form that is larger than the room for it.
    #[error(transparent)]
    TooLong(#[from] CanonicalTooLong),
    /// A value that is not base64, or of a wrong length.
    #[error("{0} is not valid base64 of the right length")]
    Encoding(&'static str),
    /// A reference that leads nowhere.
    #[error("the signature refers to {0}, which is not there")]
    Dangling(String),
    /// What a reference names was changed.
    #[error("the digest of {0} does not match: it was changed after signing")]
    Digest(String),
    /// The signature value does not verify.
    #[error("the signature value does not verify with the certificate")]
    Value,
    /// The certificate's key cannot be used.
    #[error("the signer's key cannot be used: {0}")]
    Key(#[from] KeyError),
}

/// A signature that was read, not yet verified. Nothing of it was canonicalized either: that is
/// work for a signer who is believed.
#[derive(Debug)]
pub struct Signature<'d> {
    signed_info: Element<'d>,
    canonicalization: Canonicalization,
    /// The `PrefixList` of `CanonicalizationMethod`.
    inclusive_prefixes: Vec<&'d str>,
    /// What it covers.
    pub references: Vec<SignatureReference<'d>>,
    /// The signature value.
    pub value: Vec<u8>,
    /// `KeyInfo`.
    pub key_info: Element<'d>,
}

/// One `ds:Reference`.
#[derive(Debug)]
pub struct SignatureReference<'d> {
    /// The element itself: a receipt repeats it.
    pub element: Element<'d>,
    /// `URI`.
    pub uri: &'d str,
    /// The transforms in order.
    pub transforms: Vec<Transform<'d>>,
    /// The SHA-256 digest.
    pub digest: [u8; 32],
}

/// One `ds:Transform`.
#[derive(Debug)]
pub struct Transform<'d> {
    /// Its algorithm identifier.
    pub algorithm: &'d str,
    /// The `PrefixList` of its `InclusiveNamespaces`.
    pub inclusive_prefixes: Vec<&'d str>,
}

/// Reads a `ds:Signature`.
///
/// # Errors
/// [`SignatureError`] when a part is missing or an algorithm is outside the profile.
pub fn read(
    signature: Element<'_>,
    canonicalization: Canonicalization,
) -> Result<Signature<'_>, SignatureError> {
    let signed_info = only(signature, "SignedInfo")?;
    shape::check(signed_info)?;
    let method = only(signed_info, "CanonicalizationMethod")?;
    let expected = match canonicalization {
        Canonicalization::Inclusive => C14N,
        Canonicalization::Exclusive => EXC_C14N,
    };
    require_algorithm(method, "CanonicalizationMethod", expected)?;
    let signature_method = only(signed_info, "SignatureMethod")?;
    require_algorithm(signature_method, "SignatureMethod", RSA_SHA256)?;
    let inclusive_prefixes = inclusive_prefixes(method)?;
    let references: Vec<_> =
        signed_info.children_named(DS, "Reference").take(REFERENCES + 1).collect();
    match references.len() {
        0 => return Err(SignatureError::Missing("Reference")),
        n if n > REFERENCES => {
            return Err(SignatureError::Ambiguous(format!("{REFERENCES} references")));
        }
        _ => {}
    }
    let references = references.into_iter().map(reference).collect::<Result<Vec<_>, _>>()?;
    let value = base64::decode(only(signature, "SignatureValue")?.text().as_bytes())
        .map_err(|_| SignatureError::Encoding("SignatureValue"))?;
    let key_info = only(signature, "KeyInfo")?;
    Ok(Signature { signed_info, canonicalization, inclusive_prefixes, references, value, key_info })
}

impl Signature<'_> {
    /// The canonical `SignedInfo`: the signed octets.
    ///
    /// # Errors
    /// [`SignatureError::TooLong`] where they are more than [`SIGNED_INFO_BYTES`].
    pub fn signed_octets(&self) -> Result<Vec<u8>, SignatureError> {
        let mut octets = Vec::with_capacity(2048);
        match self.canonicalization {
            Canonicalization::Inclusive => c14n::inclusive(self.signed_info, &[], &mut octets),
            Canonicalization::Exclusive => {
                let prefixes = &self.inclusive_prefixes;
                c14n::exclusive(self.signed_info, prefixes, SIGNED_INFO_BYTES, &mut octets)?;
            }
        }
        Ok(octets)
    }

    /// Verifies the signature value; the digests are the caller's to compare.
    ///
    /// # Errors
    /// [`SignatureError::Value`], [`SignatureError::TooLong`].
    pub fn verify_value(&self, key: &PublicKey) -> Result<(), SignatureError> {
        let octets = self.signed_octets()?;
        key.verify_rsa_sha256(&octets, &self.value).map_err(|_| SignatureError::Value)
    }
}

fn reference(element: Element<'_>) -> Result<SignatureReference<'_>, SignatureError> {
    let uri = element.attribute("URI").ok_or(SignatureError::Missing("Reference/@URI"))?;
    require_algorithm(only(element, "DigestMethod")?, "DigestMethod", SHA256)?;
    let digest = base64::decode(only(element, "DigestValue")?.text().as_bytes())
        .ok()
        .and_then(|bytes| bytes.try_into().ok())
        .ok_or(SignatureError::Encoding("DigestValue"))?;
    let transforms = element
        .child(DS, "Transforms")
        .into_iter()
        .flat_map(Element::elements)
        .map(|transform| {
            Ok(Transform {
                algorithm: transform.attribute("Algorithm").unwrap_or_default(),
                inclusive_prefixes: inclusive_prefixes(transform)?,
            })
        })
        .collect::<Result<_, SignatureError>>()?;
    Ok(SignatureReference { element, uri, transforms, digest })
}

fn inclusive_prefixes(method: Element<'_>) -> Result<Vec<&str>, SignatureError> {
    let list = method
        .child(EXC_C14N, "InclusiveNamespaces")
        .and_then(|element| element.attribute("PrefixList"))
        .unwrap_or_default();
    let prefixes: Vec<&str> = list.split_ascii_whitespace().take(PREFIXES + 1).collect();
    if prefixes.len() > PREFIXES || list.len() > PREFIX_LIST_BYTES {
        return Err(SignatureError::Prefixes);
    }
    Ok(prefixes)
}

fn require_algorithm(
    element: Element<'_>,
    part: &'static str,
    expected: &'static str,
) -> Result<(), SignatureError> {
    let found = element.attribute("Algorithm").unwrap_or_default();
    if found == expected {
        return Ok(());
    }
    Err(SignatureError::Algorithm { part, expected, found: found.to_owned() })
}

/// The one child of this name in the signature namespace.
pub(crate) fn only<'d>(
    parent: Element<'d>,
    local: &'static str,
) -> Result<Element<'d>, SignatureError> {
    let mut found = parent.children_named(DS, local);
    let first = found.next().ok_or(SignatureError::Missing(local))?;
    match found.next() {
        None => Ok(first),
        Some(_) => Err(SignatureError::Ambiguous(local.to_owned())),
    }
}
