//! Signing an envelope anew after it was changed, in the ways that peers do and in ways that a
//! receiver must not take. The canonical form of what stands there is computed here, so that the
//! signature is right whatever was changed.

use aws_lc_rs::digest::{SHA1_FOR_LEGACY_USE_ONLY, SHA256 as SHA256_DIGEST, digest};
use quoin_peppol::as4::{OwnIdentity, SignedPart};
use quoin_xml::base64;
use quoin_xml::c14n;
use quoin_xml::namespaces::{DS, EXC_C14N, RSA_SHA256, SHA256};
use quoin_xml::tree::{Document, Element, Limits};
use quoin_xmldsig::keys::sha256;

use super::ForgeError;

const WSS: &str = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-";
const WSS11: &str = "http://docs.oasis-open.org/wss/oasis-wss-";
const WSU: &str =
    "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd";
const SHA1: &str = "http://www.w3.org/2000/09/xmldsig#sha1";
const TOKEN: &str = "<wsse:BinarySecurityToken";
const SIGNATURE_END: &str = "</ds:Signature>";
/// Stands where the value of the signature goes.
const VALUE: &str = "@VALUE@";

/// How the signer names its certificate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TokenReference {
    /// A direct reference to a token in the message, the only form of the profile.
    #[default]
    Direct,
    /// The SHA-1 of the certificate.
    Thumbprint,
}

/// A way to sign.
#[derive(Debug, Clone, Copy, Default)]
pub struct Style {
    /// Digests are SHA-1.
    pub sha1: bool,
    /// Prefixes that are named as inclusive, as some peers do.
    pub prefixes: &'static str,
    /// How the certificate is named.
    pub token: TokenReference,
    /// What is left out: `Messaging`, `Body` or `attachment`.
    pub without: &'static str,
    /// A transform in place of exclusive canonicalisation.
    pub transform: Option<&'static str>,
}

/// The envelope with a signature over what it is now; and what that signature covers.
///
/// `attachments` are Content-IDs with the octets before encryption.
pub fn resign(
    soap: &str,
    attachments: &[(String, &[u8])],
    own: &OwnIdentity,
    style: &Style,
) -> Result<(String, Vec<SignedPart>), ForgeError> {
    let missing = |what: &str| ForgeError(format!("the envelope has no {what}"));
    let from = soap.rfind(TOKEN).ok_or_else(|| missing("signing token"))?;
    let end = soap.rfind(SIGNATURE_END).ok_or_else(|| missing("signature"))?;
    let before = soap.get(..from).unwrap_or_default();
    let after = soap.get(end + SIGNATURE_END.len()..).unwrap_or_default();
    let bare = parse(&format!("{before}{after}"))?;
    let mut references = Vec::new();
    for local in ["Messaging", "Body"] {
        if style.without == local {
            continue;
        }
        let element = find(bare.root(), local).ok_or_else(|| missing(local))?;
        let id = element.attribute_ns(WSU, "Id").ok_or_else(|| missing("wsu:Id"))?;
        references.push((format!("#{id}"), canonical(element, style)));
    }
    for (id, octets) in attachments.iter().filter(|_| style.without != "attachment") {
        references.push((format!("cid:{id}"), octets.to_vec()));
    }
    let signature = signature(&references, own, style);
    let draft = format!("{before}{signature}{after}");
    let placed = parse(&draft)?;
    let info = find(placed.root(), "SignedInfo").ok_or_else(|| missing("SignedInfo"))?;
    let value = own.signer.sign_rsa_sha256(&canonical(info, style)).map_err(ForgeError::of)?;
    let part = |(uri, octets): (String, Vec<u8>)| SignedPart { uri, digest: sha256(&octets) };
    let parts = references.into_iter().map(part).collect();
    Ok((draft.replacen(VALUE, &base64::encode(&value), 1), parts))
}

fn parse(text: &str) -> Result<Document, ForgeError> {
    Document::parse(text.as_bytes(), &Limits::default()).map_err(ForgeError::of)
}

fn find<'d>(root: Element<'d>, local: &str) -> Option<Element<'d>> {
    root.descendants().find(|element| element.local() == local)
}

fn canonical(element: Element<'_>, style: &Style) -> Vec<u8> {
    let prefixes: Vec<&str> = style.prefixes.split_whitespace().collect();
    let mut octets = Vec::new();
    // The testbed signs what it made itself.
    let _ = c14n::exclusive(element, &prefixes, usize::MAX, &mut octets);
    octets
}

/// Token and signature, with [`VALUE`] for its value.
fn signature(references: &[(String, Vec<u8>)], own: &OwnIdentity, style: &Style) -> String {
    let certificate = base64::encode(&own.certificate);
    let inclusive = match style.prefixes {
        "" => String::new(),
        list => format!(
            "<ec:InclusiveNamespaces xmlns:ec=\"{EXC_C14N}\" PrefixList=\"{list}\">\
             </ec:InclusiveNamespaces>"
        ),
    };
    let references: String =
        references.iter().map(|(uri, octets)| reference(uri, octets, &inclusive, style)).collect();
    format!(
        "{TOKEN} EncodingType=\"{WSS}soap-message-security-1.0#Base64Binary\" \
         ValueType=\"{WSS}x509-token-profile-1.0#X509v3\" wsu:Id=\"_signing-token\">{certificate}\
         </wsse:BinarySecurityToken><ds:Signature xmlns:ds=\"{DS}\"><ds:SignedInfo>\
         <ds:CanonicalizationMethod Algorithm=\"{EXC_C14N}\">{inclusive}\
         </ds:CanonicalizationMethod><ds:SignatureMethod Algorithm=\"{RSA_SHA256}\">\
         </ds:SignatureMethod>{references}</ds:SignedInfo><ds:SignatureValue>{VALUE}\
         </ds:SignatureValue><ds:KeyInfo><wsse:SecurityTokenReference>{}\
         </wsse:SecurityTokenReference></ds:KeyInfo>{SIGNATURE_END}",
        token(own, style.token)
    )
}

fn reference(uri: &str, octets: &[u8], inclusive: &str, style: &Style) -> String {
    let element = uri.starts_with('#');
    let swa = format!("{WSS11}SwAProfile-1.1#Attachment-Content-Signature-Transform");
    let transform = if element { style.transform.unwrap_or(EXC_C14N) } else { swa.as_str() };
    let inclusive = if element { inclusive } else { "" };
    let (algorithm, name) = match style.sha1 {
        true => (&SHA1_FOR_LEGACY_USE_ONLY, SHA1),
        false => (&SHA256_DIGEST, SHA256),
    };
    let value = base64::encode(digest(algorithm, octets).as_ref());
    format!(
        "<ds:Reference URI=\"{uri}\"><ds:Transforms><ds:Transform Algorithm=\"{transform}\">\
         {inclusive}</ds:Transform></ds:Transforms><ds:DigestMethod Algorithm=\"{name}\">\
         </ds:DigestMethod><ds:DigestValue>{value}</ds:DigestValue></ds:Reference>"
    )
}

fn token(own: &OwnIdentity, form: TokenReference) -> String {
    match form {
        TokenReference::Direct => format!(
            "<wsse:Reference URI=\"#_signing-token\" \
             ValueType=\"{WSS}x509-token-profile-1.0#X509v3\"></wsse:Reference>"
        ),
        TokenReference::Thumbprint => {
            let thumb = digest(&SHA1_FOR_LEGACY_USE_ONLY, &own.certificate);
            format!(
                "<wsse:KeyIdentifier EncodingType=\"{WSS}soap-message-security-1.0#Base64Binary\" \
                 ValueType=\"{WSS11}soap-message-security-1.1#ThumbprintSHA1\">{}\
                 </wsse:KeyIdentifier>",
                base64::encode(thumb.as_ref())
            )
        }
    }
}
