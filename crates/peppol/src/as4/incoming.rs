//! Opening a message: structure, header, signature, decryption, coverage — cheap checks first.
//!
//! The order matters: nothing of the message is believed before the signature over the header
//! verified, and no private key is used before that.

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use quoin_xml::c14n;
use quoin_xml::namespaces::DS;
use quoin_xml::tree::{Document, Element, Limits};
use quoin_xmldsig::signature::SignatureError;

use super::compression::gunzip_within;
use super::encryption::{self, Unopened};
use super::error::{As4Refusal, EbmsCode};
use super::ids::Ids;
use super::mime::{self, MimeError, MimePart};
use super::names::WSU;
use super::party::{OwnIdentity, Peer, Peers};
use super::seal::WireCopy;
use super::security::{self, CANONICAL_BYTES, certificate_of, refuse};
use super::soap::Soap;
use super::user_message::{PartInfo, UserMessage};
use crate::instant::instant;

/// Bytes of a SOAP envelope at most; the payload travels beside it.
pub(super) const ENVELOPE_BYTES: usize = 1 << 20;
/// By how much the clocks of two access points may differ.
const CLOCKS_DIFFER: SignedDuration = SignedDuration::from_mins(5);
/// Nodes of a SOAP envelope at most.
pub(super) const ENVELOPE_NODES: usize = 20_000;

/// A message that was taken apart; nothing in it is verified yet.
#[derive(Debug)]
pub struct Incoming<'a> {
    parts: Vec<MimePart<'a>>,
    document: Document,
}

/// A message that was verified and decrypted.
#[derive(Debug)]
pub struct ReceivedMessage {
    /// Its header.
    pub message: UserMessage,
    /// The business document, decompressed; empty in a ping.
    pub payload: Vec<u8>,
    /// The access point that signed it.
    pub signer: Arc<Peer>,
    /// The message as it travelled, which its signature proves.
    pub travelled: WireCopy,
    /// Every `ds:Reference` of its signature in canonical form, for the receipt.
    pub(super) references: Vec<String>,
    /// `wsu:Expires` of its security header, if it has one.
    expires: Option<Timestamp>,
}

impl ReceivedMessage {
    /// Whether its sender's time for it is not over, with room for clocks that differ.
    ///
    /// # Errors
    /// EBMS:0101 for a message that expired (Web Services Security 1.1.1, section 10).
    pub fn check_time(&self, now: Timestamp) -> Result<(), As4Refusal> {
        match self.expires {
            Some(until) if now.duration_since(until) > CLOCKS_DIFFER => Err(As4Refusal::new(
                EbmsCode::FailedAuthentication,
                format!("the message expired at {until} (wsu:Timestamp), and it is {now} here"),
            )
            .of(&self.message.message_id)),
            _ => Ok(()),
        }
    }
}

/// Why a message was not opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OpenFailure {
    /// It is refused.
    Refused(As4Refusal),
    /// There is no room for what is in it now.
    NoRoom {
        /// Its id, which its signature proves.
        message_id: String,
    },
    /// Our own key cannot be used now: that says nothing about the message.
    KeyFails {
        /// Its id, which its signature proves.
        message_id: String,
    },
}

impl From<As4Refusal> for OpenFailure {
    fn from(refusal: As4Refusal) -> OpenFailure {
        OpenFailure::Refused(refusal)
    }
}

impl<'a> Incoming<'a> {
    /// Takes an HTTP request apart.
    ///
    /// # Errors
    /// EBMS:0007 when the package, EBMS:0009 when the envelope cannot be read.
    pub fn read(content_type: &str, body: &'a [u8]) -> Result<Incoming<'a>, As4Refusal> {
        let parts = mime::parse(content_type, body).map_err(refuse_package)?;
        let envelope = parts.first().map(|part| part.body.as_ref()).unwrap_or_default();
        let document = parse_envelope(envelope)?;
        Ok(Incoming { parts, document })
    }

    /// The certificate (DER) that the message claims to be signed with, so that a caller can fetch
    /// what is needed to judge it.
    pub fn claimed_signer(&self) -> Option<Vec<u8>> {
        claimed_signer(&self.document)
    }

    /// The id that the message claims to have, so that an answer before anything is verified can
    /// name it.
    pub fn claimed_id(&self) -> Option<String> {
        let soap = Soap::read(&self.document).ok()?;
        let (message, _) = UserMessage::read(soap.user_message().ok()?).ok()?;
        Some(message.message_id)
    }

    /// Verifies and decrypts the message.
    ///
    /// # Errors
    /// A [`Refusal`] with the code of the checklist of the profile; it names the message where its
    /// id could be read.
    pub fn open(
        &self,
        own: &OwnIdentity,
        peers: &dyn Peers,
    ) -> Result<ReceivedMessage, As4Refusal> {
        self.open_within(own, peers, &mut |_, _| true).map_err(|failure| match failure {
            OpenFailure::Refused(refusal) => refusal,
            OpenFailure::NoRoom { message_id } => {
                As4Refusal::new(EbmsCode::Other, "there is no room for it").of(&message_id)
            }
            OpenFailure::KeyFails { message_id } => {
                As4Refusal::new(EbmsCode::Other, "our key cannot be used now").of(&message_id)
            }
        })
    }

    /// As [`Incoming::open`], asking for room for so many bytes in all before they are held, once
    /// it is known who signed the message. What is asked for again is in place of what was before.
    ///
    /// # Errors
    /// As there; [`OpenFailure::NoRoom`] where there was none, [`OpenFailure::KeyFails`] where our
    /// key could not be used.
    pub fn open_within(
        &self,
        own: &OwnIdentity,
        peers: &dyn Peers,
        room: &mut dyn FnMut(&Peer, usize) -> bool,
    ) -> Result<ReceivedMessage, OpenFailure> {
        let soap = Soap::read(&self.document)?;
        let (message, infos) = UserMessage::read(soap.user_message()?)?;
        let message_id = message.message_id.clone();
        let opened = self.open_identified(&soap, message, &infos, (own, peers), room);
        opened.map_err(|why| match why {
            Unopened::NoRoom => OpenFailure::NoRoom { message_id },
            Unopened::KeyFails => OpenFailure::KeyFails { message_id },
            Unopened::Refused(refusal) => refusal.of(&message_id).into(),
        })
    }

    fn open_identified(
        &self,
        soap: &Soap<'_>,
        message: UserMessage,
        infos: &[PartInfo],
        (own, peers): (&OwnIdentity, &dyn Peers),
        room: &mut dyn FnMut(&Peer, usize) -> bool,
    ) -> Result<ReceivedMessage, Unopened> {
        self.check_package(soap, infos)?;
        let security = soap.security()?;
        let ids = Ids::of(&self.document);
        let verified = security::verify(&ids, security, peers)?;
        verified.require_element(soap.messaging)?;
        verified.require_element(soap.body)?;
        check_parties(&message, &verified.signer, own)?;
        let (mut payload, mut octets) = (Vec::new(), Vec::new());
        for info in infos {
            let part = self.attachment(&info.content_id)?;
            let envelope = encryption::read(&ids, security, &info.content_id)?;
            octets = envelope.open(own, &part.body)?;
            verified.require_attachment(&info.content_id, &octets)?;
            let mut room = |bytes| room(&verified.signer, bytes);
            let opened = match info.compressed {
                true => gunzip_within(&octets, &mut room)?,
                false => room(octets.len()).then(|| octets.clone()),
            };
            payload = opened.ok_or(Unopened::NoRoom)?;
        }
        let mut room = CANONICAL_BYTES;
        let references = verified.signature.references.iter();
        let references = references
            .map(|reference| canonical(reference.element, &mut room))
            .collect::<Result<_, As4Refusal>>()?;
        let envelope = self.parts.first().map(|part| part.body.to_vec()).unwrap_or_default();
        let travelled = WireCopy { envelope, payload: octets };
        let expires = expires(security)?;
        let signer = verified.signer;
        Ok(ReceivedMessage { message, payload, signer, travelled, references, expires })
    }

    /// Payloads travel as attachments only, and every attachment is announced.
    fn check_package(&self, soap: &Soap<'_>, infos: &[PartInfo]) -> Result<(), As4Refusal> {
        soap.understood()?;
        let text = soap.body.text();
        if soap.body.elements().next().is_some() || !text.trim_ascii().is_empty() {
            return Err(As4Refusal::new(
                EbmsCode::ProcessingModeMismatch,
                "the SOAP body must be empty: payloads are attachments",
            ));
        }
        let attachments = self.parts.len().saturating_sub(1);
        if attachments > infos.len() {
            let announced = infos.len();
            return Err(As4Refusal::new(
                EbmsCode::MimeInconsistency,
                format!("{attachments} attachments, but eb:PayloadInfo announces {announced}"),
            ));
        }
        Ok(())
    }

    fn attachment(&self, content_id: &str) -> Result<&MimePart<'a>, As4Refusal> {
        self.parts.iter().skip(1).find(|part| part.content_id() == Some(content_id)).ok_or_else(
            || {
                As4Refusal::new(
                    EbmsCode::ExternalPayloadError,
                    format!("no attachment has the Content-ID {content_id}"),
                )
            },
        )
    }
}

/// The certificate (DER) that an envelope claims to be signed with.
pub(super) fn claimed_signer(document: &Document) -> Option<Vec<u8>> {
    let soap = Soap::read(document).ok()?;
    let signature = soap.security().ok()?.child(DS, "Signature")?;
    certificate_of(&Ids::of(document), signature.child(DS, "KeyInfo")?).ok()
}

/// The signer is who the header says, and we are whom it is addressed to.
///
/// Source: Peppol AS4 profile 2.0.3, chapter 5.
pub(super) fn check_parties(
    message: &UserMessage,
    signer: &Peer,
    own: &OwnIdentity,
) -> Result<(), As4Refusal> {
    if signer.common_name != message.from {
        return Err(As4Refusal::new(
            EbmsCode::FailedAuthentication,
            format!("eb:From is {}, but {} signed", message.from, signer.common_name),
        ));
    }
    if message.to != own.seat_id {
        return Err(As4Refusal::new(
            EbmsCode::Other,
            format!("eb:To is {}, but this access point is {}", message.to, own.seat_id),
        ));
    }
    Ok(())
}

/// A reference as the receipt repeats it.
fn canonical(element: Element<'_>, room: &mut usize) -> Result<String, As4Refusal> {
    let mut out = Vec::with_capacity(512);
    c14n::exclusive(element, &[], *room, &mut out)
        .map_err(|too_long| refuse(SignatureError::TooLong(too_long)))?;
    *room = room.saturating_sub(out.len());
    Ok(String::from_utf8(out).unwrap_or_default())
}

pub(super) fn refuse_package(error: MimeError) -> As4Refusal {
    As4Refusal::new(EbmsCode::MimeInconsistency, error.to_string())
}

/// Parses an envelope within its limits; a document type declaration is refused first.
pub(super) fn parse_envelope(bytes: &[u8]) -> Result<Document, As4Refusal> {
    let limits = Limits {
        bytes: ENVELOPE_BYTES,
        nodes: ENVELOPE_NODES,
        bytes_per_node: 0,
        ..Limits::default()
    };
    Document::parse(bytes, &limits).map_err(|error| {
        As4Refusal::new(
            EbmsCode::InvalidHeader,
            format!("the SOAP envelope cannot be read: {error}"),
        )
    })
}

/// Until when the sender of a message means it to be taken.
fn expires(security: Element<'_>) -> Result<Option<Timestamp>, As4Refusal> {
    let Some(timestamp) = security.child(WSU, "Timestamp") else { return Ok(None) };
    let Some(expires) = timestamp.child(WSU, "Expires") else { return Ok(None) };
    let text = expires.text();
    let text = text.trim_ascii();
    let read = instant(text).or_else(|| text.parse().ok());
    read.map(Some).ok_or_else(|| {
        let text: String = text.chars().take(40).collect();
        invalid(format!("wsu:Expires is {text:?}, expected a time"))
    })
}

fn invalid(detail: impl Into<String>) -> As4Refusal {
    As4Refusal::new(EbmsCode::InvalidHeader, detail)
}
