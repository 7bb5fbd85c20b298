//! The Peppol AS4 profile: messages are built, sealed, opened and answered here, without I/O.
//!
//! A sender calls [`seal()`] and later [`read_answer`]; a receiver calls [`Incoming::read`],
//! [`Incoming::open`], and then signs either a [`receipt`] (sent after the message is durable) or
//! an [`error_signal`]. Certificates are judged by the caller through [`Peers`], so that trust,
//! revocation and caching stay in one place.
//!
//! Sources: Peppol AS4 Profile 2.0.3, CEF eDelivery AS4 1.14, ebMS 3.0 core, WS-Security 1.1 and
//! its SwA profile.

mod answer;
mod builder;
mod compression;
mod encryption;
mod error;
mod evidence;
mod ids;
mod incoming;
mod mime;
mod names;
mod opening;
mod party;
mod seal;
mod security;
mod signal;
mod soap;
mod user_message;

#[cfg(test)]
mod tests;

pub use answer::{AnswerRefusal, As4Answer, Disposition, claimed_answer_signer, read_answer};
pub use compression::{gunzip, gzip};
pub use error::{As4Refusal, EbmsCode, EbmsError};
pub use evidence::{SignedMessage, SignedReceipt, read_signed_message, read_signed_receipt};
pub use incoming::{Incoming, OpenFailure, ReceivedMessage};
pub use mime::{HttpMessage, MimeError, MimePart, parse as parse_mime};
pub use names::{INITIATOR, PING_ACTION, PING_SERVICE, RESPONDER};
pub use opening::{OPENING_BYTES, PartialMessage};
pub use party::{CertificateRefusal, DecryptionKey, OwnIdentity, Peer, Peers};
pub use seal::{Entropy, SealError, SealedMessage, WireCopy, seal, seal_compressed};
pub use security::SignedPart;
pub use signal::{error_signal, receipt};
pub use user_message::UserMessage;
