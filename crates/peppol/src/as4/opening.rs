//! The beginning of a message whose payload is still arriving: its SOAP part says who sent it and
//! is signed, so it is judged before the rest is taken.

use std::sync::Arc;

use quoin_xml::tree::Document;

use super::error::{As4Refusal, EbmsCode};
use super::ids::Ids;
use super::incoming::{
    ENVELOPE_BYTES, check_parties, claimed_signer, parse_envelope, refuse_package,
};
use super::mime::{self, HEADER_BYTES};
use super::party::{OwnIdentity, Peer, Peers};
use super::security;
use super::soap::Soap;
use super::user_message::UserMessage;

/// Bytes within which the first part of a package has to end: the largest envelope, its headers,
/// and what may stand before it.
pub const OPENING_BYTES: usize = ENVELOPE_BYTES + 2 * HEADER_BYTES;

/// The SOAP part of a message that is still arriving.
#[derive(Debug)]
pub struct PartialMessage {
    document: Document,
}

impl PartialMessage {
    /// Reads what has come so far; `None` where the SOAP part is not whole yet.
    ///
    /// # Errors
    /// EBMS:0007 where the package is none, or does not begin with its SOAP part within
    /// [`OPENING_BYTES`]; EBMS:0009 where that cannot be read.
    pub fn read(content_type: &str, start: &[u8]) -> Result<Option<PartialMessage>, As4Refusal> {
        let Some(part) = mime::first_part(content_type, start).map_err(refuse_package)? else {
            if start.len() > OPENING_BYTES {
                return Err(As4Refusal::new(
                    EbmsCode::MimeInconsistency,
                    format!(
                        "a message must begin with its SOAP part, of at most {ENVELOPE_BYTES} bytes"
                    ),
                ));
            }
            return Ok(None);
        };
        Ok(Some(PartialMessage { document: parse_envelope(&part.body)? }))
    }

    /// The certificate (DER) that the message claims to be signed with.
    pub fn claimed_signer(&self) -> Option<Vec<u8>> {
        claimed_signer(&self.document)
    }

    /// Verifies everything that can be without the attachments: header, parties, certificate,
    /// signature value, and that the header and the body are signed. The payload is compared with
    /// its digest when it is there.
    ///
    /// # Errors
    /// A [`Refusal`], as when the whole message is opened.
    pub fn check(&self, own: &OwnIdentity, peers: &dyn Peers) -> Result<Arc<Peer>, As4Refusal> {
        let soap = Soap::read(&self.document)?;
        let (message, _) = UserMessage::read(soap.user_message()?)?;
        let verified = security::verify(&Ids::of(&self.document), soap.security()?, peers);
        let verified = verified.map_err(|refusal| refusal.of(&message.message_id))?;
        let check = || {
            verified.require_element(soap.messaging)?;
            verified.require_element(soap.body)?;
            check_parties(&message, &verified.signer, own)
        };
        check().map_err(|refusal| refusal.of(&message.message_id))?;
        Ok(verified.signer)
    }
}
