//! Reading signed messages and receipts that were kept, long after they travelled: who signed what,
//! without the keys and the encryption of that day.
//!
//! Sources: AS4 profile section 5.1.8; WS-Security SOAP Message Security 1.1.

use std::sync::Arc;

use super::error::{As4Refusal, EbmsCode};
use super::ids::Ids;
use super::incoming::parse_envelope;
use super::mime;
use super::party::{Peer, Peers};
use super::security::{SignedPart, verify};
use super::signal;
use super::soap::Soap;
use super::user_message::{UserMessage, decode_percent};

/// A user message whose signature verified.
#[derive(Debug)]
pub struct SignedMessage {
    /// Its header.
    pub message: UserMessage,
    /// Who signed it.
    pub signer: Arc<Peer>,
    /// What the signature covers.
    pub parts: Vec<SignedPart>,
}

/// A receipt whose signature verified.
#[derive(Debug)]
pub struct SignedReceipt {
    /// The message that it is about.
    pub about: Option<String>,
    /// Its own id.
    pub message_id: String,
    /// Its time, as written.
    pub timestamp: String,
    /// Who signed it.
    pub signer: Arc<Peer>,
    /// What it says was received.
    pub parts: Vec<SignedPart>,
}

/// Reads the SOAP envelope of a user message and verifies its signature. The attachment is not
/// there: whoever has it compares its digest with that of the part `cid:…`.
///
/// # Errors
/// [`Refusal`]: it cannot be read, does not verify, or its signer is refused by `peers`.
pub fn read_signed_message(
    envelope: &[u8],
    peers: &dyn Peers,
) -> Result<SignedMessage, As4Refusal> {
    let document = parse_envelope(envelope)?;
    let soap = Soap::read(&document)?;
    let (message, _) = UserMessage::read(soap.user_message()?)?;
    let verified = verify(&Ids::of(&document), soap.security()?, peers)?;
    verified.require_element(soap.messaging)?;
    verified.require_element(soap.body)?;
    let references = verified.signature.references.iter();
    let parts = references
        .map(|one| SignedPart { uri: decode_percent(one.uri).into_owned(), digest: one.digest });
    let parts = parts.collect();
    Ok(SignedMessage { message, parts, signer: verified.signer })
}

/// Reads a receipt as it came and verifies its signature.
///
/// # Errors
/// [`Refusal`]: it cannot be read, is no receipt, does not verify, or its signer is refused.
pub fn read_signed_receipt(
    content_type: &str,
    body: &[u8],
    peers: &dyn Peers,
) -> Result<SignedReceipt, As4Refusal> {
    let parts = mime::parse(content_type, body)
        .map_err(|error| As4Refusal::new(EbmsCode::MimeInconsistency, error.to_string()))?;
    let envelope = parts.first().map(|part| part.body.as_ref()).unwrap_or_default();
    let read = signal::read(&parse_envelope(envelope)?, peers)?;
    let receipt = read.receipt.ok_or_else(|| {
        As4Refusal::new(EbmsCode::MissingReceipt, "the answer holds no receipt".to_owned())
    })?;
    let plain =
        |part: SignedPart| SignedPart { uri: decode_percent(&part.uri).into_owned(), ..part };
    Ok(SignedReceipt {
        about: read.about,
        message_id: read.message_id,
        timestamp: read.timestamp,
        signer: receipt.signer,
        parts: receipt.parts.into_iter().map(plain).collect(),
    })
}
