//! What the other access point said to a message of ours, and what to do next.
//!
//! Sources: AS4 profile section 5.1.8; ebMS 3.0 core section 6; Peppol AS4 profile, section 4.

use std::sync::Arc;

use quoin_xml::tree::Document;

use super::error::{As4Refusal, DETAIL_LENGTH, EbmsCode, EbmsError};
use super::incoming::{claimed_signer, parse_envelope};
use super::mime::{self, MimeError};
use super::names::SOAP;
use super::party::{Peer, Peers};
use super::seal::SealedMessage;
use super::signal::{self, Receipt, SignalMessage};
use super::user_message::decode_percent;

/// A code that some access points answer to a message that they took before.
const DUPLICATE: &str = "EBMS:4001";
/// What others say of it, in lower case, in the texts of a general error (EBMS:0004).
const DUPLICATE_WORDS: [&str; 2] = ["already handled", "is a duplicate"];
/// Errors after which the same message may succeed later.
const TRANSIENT: &[&str] = &["EBMS:0005", "EBMS:0202", "EBMS:0301"];

/// An answer that could be read and, where it is a receipt, verified.
#[derive(Debug)]
pub enum As4Answer {
    /// The receiver has taken the message.
    Receipt {
        /// Who signed the receipt.
        signer: Arc<Peer>,
        /// The id of the receipt.
        message_id: String,
        /// Its time, as written.
        timestamp: String,
        /// What the receiver says besides.
        warnings: Vec<EbmsError>,
    },
    /// The receiver refused the message.
    Errors(Vec<EbmsError>),
}

/// What an answer says of the message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Disposition {
    /// It is with the receiver, who signed a receipt.
    Delivered,
    /// The receiver says that it took it before.
    Duplicate,
    /// The recipient, document type or process is not served there.
    NotServiced,
    /// The same message may succeed later.
    Retry,
    /// It is refused.
    Permanent,
}

/// Why an answer says nothing: the fate of the message is unknown, and it is sent again.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AnswerRefusal {
    /// Not an AS4 signal at all.
    #[error("the answer is not an AS4 signal message: {0}")]
    Unreadable(String),
    /// Neither a receipt nor an error (EBMS:0301).
    #[error("the answer holds neither a receipt nor an error")]
    Missing,
    /// Nothing but warnings, of which there is at least one: neither a receipt nor an error
    /// (EBMS:0301).
    #[error("the answer holds neither a receipt nor an error, but a warning: {}", told(.0))]
    Warned(Vec<EbmsError>),
    /// The receiver says that it took the message before, by a signature that is not its own
    /// (EBMS:0301).
    #[error("it says that the message was taken before, but its signature does not hold: {0}")]
    UnprovenWord(String),
    /// A receipt that proves nothing (EBMS:0302).
    #[error("the receipt does not hold: {0}")]
    InvalidReceipt(String),
}

impl AnswerRefusal {
    /// The ebMS code under which the failed exchange is recorded.
    pub fn code(&self) -> EbmsCode {
        match self {
            AnswerRefusal::InvalidReceipt(_) => EbmsCode::InvalidReceipt,
            AnswerRefusal::Unreadable(_)
            | AnswerRefusal::Missing
            | AnswerRefusal::Warned(_)
            | AnswerRefusal::UnprovenWord(_) => EbmsCode::MissingReceipt,
        }
    }

    /// Whether it may be another answer once more is known of who signed it.
    pub fn is_unproven(&self) -> bool {
        matches!(self, AnswerRefusal::InvalidReceipt(_) | AnswerRefusal::UnprovenWord(_))
    }

    /// The warnings in the answer.
    pub fn warnings(&self) -> &[EbmsError] {
        match self {
            AnswerRefusal::Warned(warnings) => warnings,
            _ => &[],
        }
    }
}

/// Errors as one text.
fn told(errors: &[EbmsError]) -> String {
    let texts: Vec<String> = errors.iter().map(ToString::to_string).collect();
    texts.join("; ").chars().take(DETAIL_LENGTH).collect()
}

impl As4Answer {
    /// What it says of the message.
    pub fn disposition(&self) -> Disposition {
        let As4Answer::Errors(errors) = self else { return Disposition::Delivered };
        let codes: Vec<&str> = errors.iter().map(|error| error.code.as_str()).collect();
        if errors.iter().any(EbmsError::is_not_serviced) {
            Disposition::NotServiced
        } else if errors.iter().any(is_held) {
            Disposition::Duplicate
        } else if !codes.is_empty() && codes.iter().all(|code| TRANSIENT.contains(code)) {
            Disposition::Retry
        } else {
            Disposition::Permanent
        }
    }
}

/// Whether an error says that the message was taken before, and names the message: one that names
/// none may be about another one. Where it names another, the answer says nothing at all.
fn is_held(error: &EbmsError) -> bool {
    error.ref_to_message.is_some() && is_duplicate(error)
}

/// Whether an error says that a message was taken before.
fn is_duplicate(error: &EbmsError) -> bool {
    let said = |text: &String| {
        let text = text.to_lowercase();
        DUPLICATE_WORDS.iter().any(|words| text.contains(words))
    };
    let general = error.code == EbmsCode::Other.code();
    error.code == DUPLICATE
        || (general && [&error.description, &error.detail].into_iter().any(said))
}

/// Reads the answer to a message and holds it against what was sent.
///
/// # Errors
/// [`AnswerRefusal`]: the message must be sent again with the same id.
pub fn read_answer(
    content_type: &str,
    body: &[u8],
    sent: &SealedMessage,
    peers: &dyn Peers,
) -> Result<As4Answer, AnswerRefusal> {
    let document = envelope(content_type, body)?;
    let signal = signal::read(&document, peers).map_err(|refusal| match refusal.code {
        EbmsCode::InvalidHeader => unreadable(refusal),
        _ => AnswerRefusal::InvalidReceipt(refusal.to_string()),
    })?;
    if signal.errors.iter().any(|error| error.severity != "warning") {
        let errors = errors_about(signal, &sent.message_id)?;
        if errors.iter().any(is_held) {
            check_word(&document, sent, peers).map_err(AnswerRefusal::UnprovenWord)?;
        }
        return Ok(As4Answer::Errors(errors));
    }
    let warnings = signal.errors;
    let Some(receipt) = signal.receipt else {
        return Err(match warnings.is_empty() {
            true => AnswerRefusal::Missing,
            false => AnswerRefusal::Warned(warnings),
        });
    };
    check_receipt(&receipt, signal.about.as_deref(), sent)
        .map_err(AnswerRefusal::InvalidReceipt)?;
    let (Receipt { signer, .. }, timestamp) = (receipt, signal.timestamp);
    Ok(As4Answer::Receipt { signer, message_id: signal.message_id, timestamp, warnings })
}

/// The certificate (DER) that an answer claims to be signed with, so that a caller can fetch what
/// is needed to judge it.
pub fn claimed_answer_signer(content_type: &str, body: &[u8]) -> Option<Vec<u8>> {
    claimed_signer(&envelope(content_type, body).ok()?)
}

/// The envelope of an answer. One whose content type says something else, or nothing, is taken for
/// what it is: what proves it is its signature, not how it is announced.
fn envelope(content_type: &str, body: &[u8]) -> Result<Document, AnswerRefusal> {
    match mime::parse(content_type, body) {
        Ok(parts) => {
            let envelope = parts.first().map(|part| part.body.as_ref()).unwrap_or_default();
            parse_envelope(envelope).map_err(unreadable)
        }
        Err(error) => {
            let announced = !matches!(error, MimeError::ContentType(_));
            let read = parse_envelope(body).ok().filter(|_| !announced);
            let envelope = read.filter(|document| document.root().is(SOAP, "Envelope"));
            envelope.ok_or_else(|| AnswerRefusal::Unreadable(error.to_string()))
        }
    }
}

/// The errors of a signal, each with the message that it is about, where it or the signal names
/// one: it is ours, or the answer says nothing.
fn errors_about(signal: SignalMessage, sent: &str) -> Result<Vec<EbmsError>, AnswerRefusal> {
    let about = signal.about.filter(|id| !id.is_empty());
    let mut errors = signal.errors;
    for error in &mut errors {
        error.ref_to_message = error.ref_to_message.take().filter(|id| !id.is_empty());
    }
    let named = errors.iter().filter_map(|error| error.ref_to_message.as_deref());
    if let Some(other) = about.as_deref().into_iter().chain(named).find(|id| *id != sent) {
        let what = format!("it is about the message {other:.200}, not about ours");
        return Err(AnswerRefusal::Unreadable(what));
    }
    for error in &mut errors {
        error.ref_to_message = error.ref_to_message.take().or_else(|| about.clone());
    }
    Ok(errors)
}

/// That the message was taken before is the word of its receiver: where it is signed, by nobody
/// else. It need not be signed (checklist C-08).
fn check_word(document: &Document, sent: &SealedMessage, peers: &dyn Peers) -> Result<(), String> {
    match signal::signer(document, peers).map_err(|refusal| refusal.to_string())? {
        Some(signer) if signer.common_name != sent.to => {
            Err(format!("{} signed it, not {}", signer.common_name, sent.to))
        }
        _ => Ok(()),
    }
}

fn unreadable(refusal: As4Refusal) -> AnswerRefusal {
    AnswerRefusal::Unreadable(refusal.detail)
}

/// The receipt is about this message, by this receiver, and repeats every digest that was sent.
fn check_receipt(
    receipt: &Receipt,
    about: Option<&str>,
    sent: &SealedMessage,
) -> Result<(), String> {
    if about != Some(sent.message_id.as_str()) {
        let found = about.unwrap_or("nothing");
        return Err(format!("it refers to {found}, not to {}", sent.message_id));
    }
    if receipt.signer.common_name != sent.to {
        let signer = &receipt.signer.common_name;
        return Err(format!("{signer} signed it, not {}", sent.to));
    }
    for part in &sent.parts {
        let mut repeated =
            receipt.parts.iter().filter(|found| decode_percent(&found.uri) == part.uri);
        match repeated.next() {
            None => return Err(format!("it does not repeat the reference {}", part.uri)),
            Some(found) if found.digest != part.digest => {
                return Err(format!("its digest of {} is not the one that was sent", part.uri));
            }
            Some(_) => {}
        }
    }
    Ok(())
}
