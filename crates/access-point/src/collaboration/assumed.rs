//! What is assumed of the wire of the platform, each in one place. The page of the channel lists
//! the same; the counterpart of the lab can be told to behave otherwise.
//!
//! 1. A document is posted alone and as it was uploaded, as XML ([`CONTENT_TYPE`]).
//! 2. What lets us in is a bearer token ([`credential`]).
//! 3. Sender and receiver are headers ([`SENDER`], [`RECEIVER`]), and so is what the platform is to
//!    do with the document ([`INSTRUCTION`]); `peppol` asks it to send it over Peppol.
//! 4. The id of a document is a header ([`MESSAGE_ID`]); a repeat of the same id is the same
//!    document, and a platform that says so says 409.
//! 5. A status of 2xx is a receipt; its body may refuse the document all the same ([`RECEIPT`]).
//! 6. 401 and 403 are about the token; 408, 425, 429 and 5xx are for now; other codes are final.

use quoin_store::Secret;

use crate::partner::ReceiptWords;

/// Assumption 1.
pub const CONTENT_TYPE: &str = "application/xml; charset=utf-8";
/// Assumption 3.
pub const SENDER: &str = "x-sender-id";
/// Assumption 3.
pub const RECEIVER: &str = "x-receiver-id";
/// Assumption 3.
pub const INSTRUCTION: &str = "x-send-instruction";
/// Assumption 4.
pub const MESSAGE_ID: &str = "x-message-id";
/// Assumption 5.
pub const RECEIPT: ReceiptWords = ReceiptWords {
    network: "the collaboration platform",
    states: &["status", "state"],
    rejections: &["rejected", "refused", "failed", "error", "invalid"],
    reasons: &["reason", "message", "description", "error"],
    ids: &["id", "documentId", "messageId"],
    about: &[],
};

/// What the header of the token holds (assumption 2).
pub fn credential(secret: &Secret) -> String {
    format!("Bearer {}", secret.reveal())
}
