//! Sealing: compress, sign, encrypt, package — in this order (Peppol AS4 profile, security).

use quoin_xmldsig::keys::{AES_128_KEY_LENGTH, GCM_IV_LENGTH, KeyError, append_aes128_gcm};

use super::compression::gzip;
use super::encryption;
use super::mime::HttpMessage;
use super::names::{SOAP, WSSE, WSU};
use super::party::{OwnIdentity, Peer};
use super::security::{BODY_ID, MESSAGING_ID, SignedPart, sign};
use super::user_message::UserMessage;

/// Random bytes for one message, drawn by the caller from a cryptographic generator.
#[derive(Clone)]
pub struct Entropy {
    pub(super) content_key: [u8; AES_128_KEY_LENGTH],
    pub(super) iv: [u8; GCM_IV_LENGTH],
    pub(super) boundary: [u8; 16],
}

impl Entropy {
    /// How many random bytes a message takes.
    pub const BYTES: usize = AES_128_KEY_LENGTH + GCM_IV_LENGTH + 16;

    /// Cuts random bytes into content key, initialisation vector and MIME boundary.
    ///
    /// The same bytes must never be used for two messages.
    pub fn from_bytes(bytes: &[u8; Entropy::BYTES]) -> Entropy {
        let mut entropy =
            Entropy { content_key: Default::default(), iv: Default::default(), boundary: [0; 16] };
        let (key, rest) = bytes.split_at(AES_128_KEY_LENGTH);
        let (iv, boundary) = rest.split_at(GCM_IV_LENGTH);
        entropy.content_key.copy_from_slice(key);
        entropy.iv.copy_from_slice(iv);
        entropy.boundary.copy_from_slice(boundary);
        entropy
    }
}

/// A sealed message: what goes over the wire, and what its receipt must repeat.
#[derive(Debug, Clone)]
pub struct SealedMessage {
    /// The request.
    pub http: HttpMessage,
    /// `eb:MessageId`.
    pub message_id: String,
    /// The seat id of the access point that must answer.
    pub to: String,
    /// What proves that it was sent: the message as it travelled.
    pub travelled: WireCopy,
    /// What its signature covers, which the receipt must repeat.
    pub parts: Vec<SignedPart>,
}

/// A message as it travelled, but for the encryption: what its signature covers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WireCopy {
    /// The SOAP envelope.
    pub envelope: Vec<u8>,
    /// The attachment before encryption: the enveloped document, compressed. Empty in a ping.
    pub payload: Vec<u8>,
}

/// Why a message could not be sealed.
#[derive(Debug, thiserror::Error)]
pub enum SealError {
    /// A key failed.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// The payload could not be compressed.
    #[error("the payload could not be compressed: {0}")]
    Compression(#[from] std::io::Error),
}

/// Seals a business document (an SBD) to a peer.
///
/// # Errors
/// [`SealError`] when a key cannot be used.
pub fn seal(
    message: &UserMessage,
    payload: &[u8],
    own: &OwnIdentity,
    peer: &Peer,
    entropy: &Entropy,
) -> Result<SealedMessage, SealError> {
    seal_compressed(message, gzip(payload)?, own, peer, entropy)
}

/// As [`seal`], of a document that [`gzip`] compressed, so that nobody needs to have it as it was.
///
/// # Errors
/// [`SealError`] when a key cannot be used.
pub fn seal_compressed(
    message: &UserMessage,
    compressed: Vec<u8>,
    own: &OwnIdentity,
    peer: &Peer,
    entropy: &Entropy,
) -> Result<SealedMessage, SealError> {
    let content_id = format!("payload.{}", message.message_id);
    let messaging = message.write(MESSAGING_ID, &content_id);
    let body = soap_body();
    let parts = vec![
        SignedPart::element(MESSAGING_ID, &messaging),
        SignedPart::element(BODY_ID, &body),
        SignedPart::attachment(&content_id, &compressed),
    ];
    let signature = sign(own, &parts)?;
    let security = format!("{}{signature}", encryption::header(peer, entropy, &content_id)?);
    let envelope = envelope(&messaging, &security, &body);
    let http = package(&envelope, &content_id, &compressed, entropy)?;
    let travelled = WireCopy { envelope: envelope.into_bytes(), payload: compressed };
    let (message_id, to) = (message.message_id.clone(), message.to.clone());
    Ok(SealedMessage { http, message_id, to, travelled, parts })
}

/// The canonical empty `Body`, which is signed as well.
pub(super) fn soap_body() -> String {
    format!("<S12:Body xmlns:S12=\"{SOAP}\" xmlns:wsu=\"{WSU}\" wsu:Id=\"{BODY_ID}\"></S12:Body>")
}

/// A SOAP envelope around canonical pieces.
pub(super) fn envelope(messaging: &str, security: &str, body: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><S12:Envelope xmlns:S12=\"{SOAP}\">\
         <S12:Header>{messaging}<wsse:Security xmlns:wsse=\"{WSSE}\" xmlns:wsu=\"{WSU}\" \
         S12:mustUnderstand=\"true\">{security}</wsse:Security></S12:Header>{body}</S12:Envelope>"
    )
}

/// The SOAP part and, right after it, the payload, which is encrypted where it stands; no file name
/// is given away.
fn package(
    envelope: &str,
    content_id: &str,
    payload: &[u8],
    entropy: &Entropy,
) -> Result<HttpMessage, KeyError> {
    let boundary = data_encoding::HEXLOWER.encode(&entropy.boundary);
    let start = format!("soap.{content_id}");
    let mut body = Vec::with_capacity(envelope.len() + payload.len() + 1024);
    let head = format!(
        "--{boundary}\r\nContent-Type: application/soap+xml; charset=UTF-8\r\n\
         Content-Transfer-Encoding: binary\r\nContent-ID: <{start}>\r\n\r\n{envelope}\r\n\
         --{boundary}\r\nContent-Type: application/octet-stream\r\n\
         Content-Transfer-Encoding: binary\r\nContent-ID: <{content_id}>\r\n\r\n"
    );
    body.extend_from_slice(head.as_bytes());
    append_aes128_gcm(&entropy.content_key, entropy.iv, payload, &mut body)?;
    body.extend_from_slice(format!("\r\n--{boundary}--\r\n").as_bytes());
    let content_type = format!(
        "multipart/related; type=\"application/soap+xml\"; boundary=\"{boundary}\"; \
         start=\"<{start}>\"; charset=UTF-8"
    );
    Ok(HttpMessage { content_type, body })
}
