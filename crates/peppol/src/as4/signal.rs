//! Signal messages: signed receipts with non-repudiation information, and signed errors.
//!
//! Sources: ebMS 3.0 core section 5.2.3; AS4 profile section 5.1.8; ebBP signals 2.0.

use std::sync::Arc;

use jiff::Timestamp;
use quoin_xml::base64;
use quoin_xml::namespaces::DS;
use quoin_xml::tree::{Document, Element};
use quoin_xmldsig::keys::KeyError;

use super::builder::{Canonical, timestamp};
use super::error::{As4Refusal, EbmsError};
use super::ids::Ids;
use super::incoming::ReceivedMessage;
use super::mime::HttpMessage;
use super::names::{EB, EBBP, SOAP, WSU};
use super::party::{OwnIdentity, Peer, Peers};
use super::seal::{envelope, soap_body};
use super::security::{BODY_ID, MESSAGING_ID, SignedPart, sign, verify};
use super::soap::Soap;

/// The signed receipt of a message: every reference of its signature is repeated.
///
/// Sending it takes responsibility for the message: send it only when the message is durable.
/// `signal_id` is the `eb:MessageId` of the receipt itself.
///
/// # Errors
/// [`KeyError`] when the key fails; the message stays unanswered and its sender will repeat it.
pub fn receipt(
    received: &ReceivedMessage,
    own: &OwnIdentity,
    signal_id: &str,
    now: Timestamp,
) -> Result<HttpMessage, KeyError> {
    let mut xml = Canonical::with_capacity(6144);
    open_signal(&mut xml, signal_id, Some(&received.message.message_id), now);
    xml.open("eb:Receipt", &[]);
    xml.open("ebbp:NonRepudiationInformation", &[("xmlns:ebbp", EBBP)]);
    for reference in &received.references {
        xml.open("ebbp:MessagePartNRInformation", &[]).raw(reference);
        xml.close("ebbp:MessagePartNRInformation");
    }
    xml.close("ebbp:NonRepudiationInformation").close("eb:Receipt");
    close_signal(xml, own)
}

/// The signed error signal that tells the sender why its message is refused.
///
/// # Errors
/// [`KeyError`] when the key fails.
pub fn error_signal(
    refusal: &As4Refusal,
    own: &OwnIdentity,
    signal_id: &str,
    now: Timestamp,
) -> Result<HttpMessage, KeyError> {
    let mut xml = Canonical::with_capacity(2048);
    let about = refusal.message_id.as_deref();
    open_signal(&mut xml, signal_id, about, now);
    let mut attributes = vec![
        ("category", refusal.code.category()),
        ("errorCode", refusal.code.code()),
        ("origin", "ebMS"),
    ];
    attributes.extend(about.map(|id| ("refToMessageInError", id)));
    attributes.push(("severity", "failure"));
    attributes.push(("shortDescription", refusal.code.short_description()));
    xml.open("eb:Error", &attributes);
    xml.leaf("eb:Description", &[("xml:lang", "en")], &refusal.detail);
    xml.leaf("eb:ErrorDetail", &[], &refusal.detail).close("eb:Error");
    close_signal(xml, own)
}

fn open_signal(xml: &mut Canonical, id: &str, about: Option<&str>, now: Timestamp) {
    xml.open(
        "eb:Messaging",
        &[
            ("xmlns:S12", SOAP),
            ("xmlns:eb", EB),
            ("xmlns:wsu", WSU),
            ("wsu:Id", MESSAGING_ID),
            ("S12:mustUnderstand", "true"),
        ],
    );
    xml.open("eb:SignalMessage", &[]).open("eb:MessageInfo", &[]);
    xml.leaf("eb:Timestamp", &[], &timestamp(now)).leaf("eb:MessageId", &[], id);
    if let Some(about) = about {
        xml.leaf("eb:RefToMessageId", &[], about);
    }
    xml.close("eb:MessageInfo");
}

fn close_signal(mut xml: Canonical, own: &OwnIdentity) -> Result<HttpMessage, KeyError> {
    xml.close("eb:SignalMessage").close("eb:Messaging");
    let messaging = xml.finish();
    let body = soap_body();
    let parts =
        [SignedPart::element(MESSAGING_ID, &messaging), SignedPart::element(BODY_ID, &body)];
    let security = sign(own, &parts)?;
    Ok(HttpMessage {
        content_type: "application/soap+xml; charset=UTF-8".to_owned(),
        body: envelope(&messaging, &security, &body).into_bytes(),
    })
}

/// A signal message that was read.
#[derive(Debug)]
pub(super) struct SignalMessage {
    pub message_id: String,
    pub timestamp: String,
    pub about: Option<String>,
    pub errors: Vec<EbmsError>,
    pub receipt: Option<Receipt>,
}

/// A receipt whose signature verified.
#[derive(Debug)]
pub(super) struct Receipt {
    pub signer: Arc<Peer>,
    /// `URI` and digest of every reference that it repeats.
    pub parts: Vec<SignedPart>,
}

/// Reads a signal message. A receipt must be signed; an error may be unsigned.
pub(super) fn read(document: &Document, peers: &dyn Peers) -> Result<SignalMessage, As4Refusal> {
    let soap = Soap::read(document)?;
    let signal = soap.signal_message()?;
    let info = signal.child(EB, "MessageInfo");
    let text =
        |name: &str| info.and_then(|info| info.child(EB, name)).map(|e| e.text().trim().to_owned());
    let errors = signal.children_named(EB, "Error").map(error).collect();
    let receipt = match signal.child(EB, "Receipt") {
        Some(receipt) => {
            let verified = verify(&Ids::of(document), soap.security()?, peers)?;
            verified.require_element(soap.messaging)?;
            Some(Receipt { signer: verified.signer, parts: non_repudiation(receipt) })
        }
        None => None,
    };
    Ok(SignalMessage {
        message_id: text("MessageId").unwrap_or_default(),
        timestamp: text("Timestamp").unwrap_or_default(),
        about: text("RefToMessageId"),
        errors,
        receipt,
    })
}

/// Who signed a signal; nobody where it holds no signature.
///
/// # Errors
/// The signature does not verify, does not cover the signal, or is by nobody who is believed.
pub(super) fn signer(
    document: &Document,
    peers: &dyn Peers,
) -> Result<Option<Arc<Peer>>, As4Refusal> {
    let soap = Soap::read(document)?;
    if !soap.is_signed() {
        return Ok(None);
    }
    let verified = verify(&Ids::of(document), soap.security()?, peers)?;
    verified.require_element(soap.messaging)?;
    Ok(Some(verified.signer))
}

fn error(error: Element<'_>) -> EbmsError {
    let attribute = |name: &str| error.attribute(name).unwrap_or_default().to_owned();
    let child =
        |name: &str| error.child(EB, name).map(|e| e.text().trim().to_owned()).unwrap_or_default();
    EbmsError {
        code: attribute("errorCode"),
        severity: attribute("severity"),
        short_description: attribute("shortDescription"),
        ref_to_message: error.attribute("refToMessageInError").map(str::to_owned),
        description: child("Description"),
        detail: child("ErrorDetail"),
    }
}

fn non_repudiation(receipt: Element<'_>) -> Vec<SignedPart> {
    receipt
        .child(EBBP, "NonRepudiationInformation")
        .into_iter()
        .flat_map(|information| information.children_named(EBBP, "MessagePartNRInformation"))
        .flat_map(|part| part.children_named(DS, "Reference"))
        .filter_map(|reference| {
            let value = reference.child(DS, "DigestValue")?.text();
            let digest = base64::decode(value.trim().as_bytes()).ok()?.try_into().ok()?;
            Some(SignedPart { uri: reference.attribute("URI")?.to_owned(), digest })
        })
        .collect()
}
