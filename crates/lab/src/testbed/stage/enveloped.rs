//! Enveloped signatures over metadata that a receiver must not believe: with SHA-1, or with a
//! transform too many. Everything else about them is right.

use aws_lc_rs::digest::{SHA1_FOR_LEGACY_USE_ONLY, digest};
use quoin_xml::base64;
use quoin_xml::c14n;
use quoin_xml::namespaces::{C14N, DS, ENVELOPED, EXC_C14N, RSA_SHA256, SHA256};
use quoin_xml::tree::{Document, Limits};
use quoin_xmldsig::keys::sha256;

use crate::testbed::forge::ForgeError;
use crate::testbed::stage::fault::SignatureFault;
use quoin_access_point::identity::Credentials;

const SHA1: &str = "http://www.w3.org/2000/09/xmldsig#sha1";
/// Stands where the value of the signature goes.
const VALUE: &str = "@VALUE@";

/// Metadata with its signature, which has this fault.
pub(super) fn sign(
    unsigned: &str,
    by: &Credentials,
    fault: SignatureFault,
) -> Result<String, ForgeError> {
    let document = parse(unsigned)?;
    let mut octets = Vec::new();
    let extra = fault == SignatureFault::ExtraTransform;
    if extra {
        let room = c14n::room_of(&document);
        c14n::exclusive(document.root(), &[], room, &mut octets).map_err(ForgeError::of)?;
    } else {
        c14n::inclusive(document.root(), &[], &mut octets);
    }
    let (method, value) = match fault {
        SignatureFault::Sha1 => {
            (SHA1, digest(&SHA1_FOR_LEGACY_USE_ONLY, &octets).as_ref().to_vec())
        }
        _ => (SHA256, sha256(&octets).to_vec()),
    };
    let extra =
        if extra { format!("<ds:Transform Algorithm=\"{EXC_C14N}\"/>") } else { String::new() };
    let signature = format!(
        "<ds:Signature xmlns:ds=\"{DS}\"><ds:SignedInfo><ds:CanonicalizationMethod \
         Algorithm=\"{C14N}\"/><ds:SignatureMethod Algorithm=\"{RSA_SHA256}\"/><ds:Reference \
         URI=\"\"><ds:Transforms><ds:Transform Algorithm=\"{ENVELOPED}\"/>{extra}</ds:Transforms>\
         <ds:DigestMethod Algorithm=\"{method}\"/><ds:DigestValue>{}</ds:DigestValue>\
         </ds:Reference></ds:SignedInfo><ds:SignatureValue>{VALUE}</ds:SignatureValue><ds:KeyInfo>\
         <ds:X509Data><ds:X509Certificate>{}</ds:X509Certificate></ds:X509Data></ds:KeyInfo>\
         </ds:Signature>",
        base64::encode(&value),
        by.certificate.base64()
    );
    let end = unsigned.rfind("</").ok_or_else(|| ForgeError("no document element".to_owned()))?;
    let (before, after) = unsigned.split_at(end);
    let placed = format!("{before}{signature}{after}");
    let document = parse(&placed)?;
    let info = document
        .root()
        .child(DS, "Signature")
        .and_then(|signature| signature.child(DS, "SignedInfo"))
        .ok_or_else(|| ForgeError("no SignedInfo".to_owned()))?;
    let mut octets = Vec::new();
    c14n::inclusive(info, &[], &mut octets);
    let value = by.key.sign_rsa_sha256(&octets).map_err(ForgeError::of)?;
    Ok(placed.replacen(VALUE, &base64::encode(&value), 1))
}

fn parse(text: &str) -> Result<Document, ForgeError> {
    Document::parse(text.as_bytes(), &Limits::default()).map_err(ForgeError::of)
}
