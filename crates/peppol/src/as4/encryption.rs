//! Encryption of the attachment: AES-128-GCM, its key wrapped with RSA-OAEP.
//!
//! Sources: XML Encryption 1.1; WS-Security SwA profile 1.1, section 5.5; Peppol AS4 profile.

use quoin_xml::base64;
use quoin_xml::namespaces::{DS, SHA256, XENC, XENC11};
use quoin_xml::tree::Element;
use quoin_xmldsig::keys::{AES_128_KEY_LENGTH, KeyError, open_aes128_gcm};

use super::builder::Canonical;
use super::error::{As4Refusal, EbmsCode};
use super::ids::Ids;
use super::names::{
    AES128_GCM, ENCRYPTED_KEY_TOKEN, MGF1_SHA256, RSA_OAEP, SWA_CIPHERTEXT, SWA_CONTENT_ONLY, WSSE,
    WSSE11,
};
use super::party::{OwnIdentity, Peer};
use super::seal::Entropy;
use super::security::{certificate_of, policy, token, token_reference};
use super::user_message::decode_percent;

const TOKEN_ID: &str = "_encryption-token";
const KEY_ID: &str = "_encrypted-key";
const DATA_ID: &str = "_encrypted-data";

/// What the security header says of an attachment that is encrypted to a peer with the content key
/// of a message.
pub(super) fn header(peer: &Peer, entropy: &Entropy, content_id: &str) -> Result<String, KeyError> {
    let wrapped = base64::encode(&peer.key.encrypt_oaep(&entropy.content_key)?);
    let mut xml = Canonical::with_capacity(8192);
    xml.raw(&token(TOKEN_ID, peer.certificate_base64()));
    encrypted_key(&mut xml, &wrapped);
    encrypted_data(&mut xml, content_id);
    Ok(xml.finish())
}

fn encrypted_key(xml: &mut Canonical, wrapped: &str) {
    xml.open("xenc:EncryptedKey", &[("xmlns:xenc", XENC), ("Id", KEY_ID)]);
    xml.open("xenc:EncryptionMethod", &[("Algorithm", RSA_OAEP)]);
    xml.open("ds:DigestMethod", &[("xmlns:ds", DS), ("Algorithm", SHA256)]);
    xml.close("ds:DigestMethod");
    xml.open("xenc11:MGF", &[("xmlns:xenc11", XENC11), ("Algorithm", MGF1_SHA256)]);
    xml.close("xenc11:MGF").close("xenc:EncryptionMethod");
    xml.open("ds:KeyInfo", &[("xmlns:ds", DS)]).raw(&token_reference(TOKEN_ID));
    xml.close("ds:KeyInfo");
    xml.open("xenc:CipherData", &[]).leaf("xenc:CipherValue", &[], wrapped);
    xml.close("xenc:CipherData").open("xenc:ReferenceList", &[]);
    xml.open("xenc:DataReference", &[("URI", &format!("#{DATA_ID}"))]);
    for name in ["xenc:DataReference", "xenc:ReferenceList", "xenc:EncryptedKey"] {
        xml.close(name);
    }
}

fn encrypted_data(xml: &mut Canonical, content_id: &str) {
    xml.open(
        "xenc:EncryptedData",
        &[
            ("xmlns:xenc", XENC),
            ("Id", DATA_ID),
            ("MimeType", "application/gzip"),
            ("Type", SWA_CONTENT_ONLY),
        ],
    );
    xml.open("xenc:EncryptionMethod", &[("Algorithm", AES128_GCM)]);
    xml.close("xenc:EncryptionMethod").open("ds:KeyInfo", &[("xmlns:ds", DS)]);
    xml.open(
        "wsse:SecurityTokenReference",
        &[("xmlns:wsse11", WSSE11), ("wsse11:TokenType", ENCRYPTED_KEY_TOKEN)],
    );
    xml.open("wsse:Reference", &[("URI", &format!("#{KEY_ID}"))]).close("wsse:Reference");
    xml.close("wsse:SecurityTokenReference").close("ds:KeyInfo");
    xml.open("xenc:CipherData", &[]);
    xml.open("xenc:CipherReference", &[("URI", &format!("cid:{content_id}"))]);
    xml.open("xenc:Transforms", &[]);
    xml.open("ds:Transform", &[("xmlns:ds", DS), ("Algorithm", SWA_CIPHERTEXT)]);
    for name in [
        "ds:Transform",
        "xenc:Transforms",
        "xenc:CipherReference",
        "xenc:CipherData",
        "xenc:EncryptedData",
    ] {
        xml.close(name);
    }
}

/// Why a message was not opened, once it is known which one it is.
#[derive(Debug)]
pub(super) enum Unopened {
    Refused(As4Refusal),
    NoRoom,
    KeyFails,
}

impl From<As4Refusal> for Unopened {
    fn from(refusal: As4Refusal) -> Unopened {
        Unopened::Refused(refusal)
    }
}

/// How one attachment is encrypted, checked against the profile; nothing is decrypted yet.
pub(super) struct AttachmentEncryption {
    certificate: Vec<u8>,
    wrapped_key: Vec<u8>,
}

/// Finds and checks the encryption of an attachment.
pub(super) fn read(
    ids: &Ids<'_>,
    security: Element<'_>,
    content_id: &str,
) -> Result<AttachmentEncryption, As4Refusal> {
    let data = security
        .children_named(XENC, "EncryptedData")
        .find(|data| cipher_reference(*data).is_some_and(|id| decode_percent(id) == content_id))
        .ok_or_else(|| {
            As4Refusal::new(EbmsCode::FailedDecryption, "the attachment is not encrypted")
        })?;
    // Two with one Id would both belong to the key that lists it (checklist B-07).
    data.attribute("Id").map(|id| ids.element(id)).transpose()?;
    require(data, "EncryptionMethod", AES128_GCM)?;
    if data.attribute("Type") != Some(SWA_CONTENT_ONLY) {
        return Err(policy(format!("EncryptedData/@Type must be {SWA_CONTENT_ONLY}")));
    }
    let key = key_of(security, data)?;
    let method = require(key, "EncryptionMethod", RSA_OAEP)?;
    let digest = method.child(DS, "DigestMethod").and_then(|m| m.attribute("Algorithm"));
    let mask = method.child(XENC11, "MGF").and_then(|m| m.attribute("Algorithm"));
    if digest != Some(SHA256) || mask != Some(MGF1_SHA256) {
        return Err(policy(format!(
            "RSA-OAEP must name DigestMethod {SHA256} and MGF {MGF1_SHA256}, found {} and {}",
            digest.unwrap_or("none"),
            mask.unwrap_or("none"),
        )));
    }
    let key_info = key.child(DS, "KeyInfo").ok_or_else(|| policy("EncryptedKey has no KeyInfo"))?;
    let certificate = certificate_of(ids, key_info)?;
    let wrapped = key
        .child(XENC, "CipherData")
        .and_then(|data| data.child(XENC, "CipherValue"))
        .map(|value| value.text().into_owned())
        .unwrap_or_default();
    let wrapped_key = base64::decode(wrapped.trim().as_bytes()).map_err(|_| failed())?;
    Ok(AttachmentEncryption { certificate, wrapped_key })
}

impl AttachmentEncryption {
    /// Decrypts the attachment with whichever of our keys it was encrypted to.
    pub(super) fn open(&self, own: &OwnIdentity, ciphertext: &[u8]) -> Result<Vec<u8>, Unopened> {
        let decrypter = own.decrypter(&self.certificate).ok_or_else(failed)?;
        let key = decrypter.decrypt_oaep(&self.wrapped_key).map_err(|error| match error {
            KeyError::Operation => Unopened::KeyFails,
            _ => failed().into(),
        })?;
        if key.len() != AES_128_KEY_LENGTH {
            return Err(failed().into());
        }
        open_aes128_gcm(&key, ciphertext).map_err(|_| failed().into())
    }
}

/// The same words for every failure, so that no one learns from trying.
fn failed() -> As4Refusal {
    As4Refusal::new(
        EbmsCode::FailedDecryption,
        "the attachment could not be decrypted with our keys",
    )
}

fn cipher_reference(data: Element<'_>) -> Option<&str> {
    data.child(XENC, "CipherData")?
        .child(XENC, "CipherReference")?
        .attribute("URI")?
        .strip_prefix("cid:")
}

/// The key of an `EncryptedData`: listed in its `ReferenceList`, or named by the data's `KeyInfo`.
fn key_of<'d>(security: Element<'d>, data: Element<'d>) -> Result<Element<'d>, As4Refusal> {
    let id = data.attribute("Id").unwrap_or_default();
    let named = data
        .child(DS, "KeyInfo")
        .and_then(|info| info.child(WSSE, "SecurityTokenReference"))
        .and_then(|token| token.child(WSSE, "Reference"))
        .and_then(|reference| reference.attribute("URI"))
        .and_then(|uri| uri.strip_prefix('#'));
    let mut keys = security.children_named(XENC, "EncryptedKey").filter(|key| {
        let lists = key
            .child(XENC, "ReferenceList")
            .into_iter()
            .flat_map(|list| list.children_named(XENC, "DataReference"))
            .filter_map(|reference| reference.attribute("URI"))
            .any(|uri| uri.strip_prefix('#') == Some(id));
        (lists && !id.is_empty()) || (named.is_some() && key.attribute("Id") == named)
    });
    let key = keys.next().ok_or_else(|| policy("no EncryptedKey belongs to the EncryptedData"))?;
    match keys.next() {
        None => Ok(key),
        Some(_) => Err(policy("more than one EncryptedKey belongs to the EncryptedData")),
    }
}

fn require<'d>(
    parent: Element<'d>,
    name: &str,
    algorithm: &str,
) -> Result<Element<'d>, As4Refusal> {
    let element = parent
        .child(XENC, name)
        .ok_or_else(|| policy(format!("{} has no {name}", parent.local())))?;
    let found = element.attribute("Algorithm").unwrap_or("none");
    if found == algorithm {
        return Ok(element);
    }
    let of = parent.local();
    Err(policy(format!("the {name} of {of} must be {algorithm}, found {found}")))
}
