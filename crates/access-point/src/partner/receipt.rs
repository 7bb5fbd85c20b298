//! Answers of networks without a protocol of their own: the status of HTTP, and a receipt in JSON
//! or XML that may say that the document is refused all the same.

mod reading;

use hyper::header::{CONTENT_ENCODING, CONTENT_TYPE};
use quoin_model::text::plain;
use quoin_store::Secret;

use super::fault::{PartnerFault, PartnerFaultKind, PartnerTaken};
use super::report::PartnerReport;
use crate::net::HttpAnswer;
use reading::ReceiptGleaner;
pub(super) use reading::decoded;

/// The words of a network in its receipts; names of members and elements are taken in any case.
#[derive(Debug, Clone, Copy)]
pub struct ReceiptWords {
    /// The network, in sentences.
    pub network: &'static str,
    /// The names of the state.
    pub states: &'static [&'static str],
    /// The states of a document that is refused, in any case.
    pub rejections: &'static [&'static str],
    /// The names of the reason.
    pub reasons: &'static [&'static str],
    /// The names of the id that the network gives.
    pub ids: &'static [&'static str],
    /// The names of the id of the message that it is about, where it comes by itself.
    pub about: &'static [&'static str],
}

impl ReceiptWords {
    fn is_rejection(&self, status: &str) -> bool {
        self.rejections.iter().any(|own| own.eq_ignore_ascii_case(status.trim()))
    }
}

/// A receipt, as far as it says something.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PartnerReceipt {
    /// The state that it gives the message; where it gives several, the first that refuses it.
    pub status: Option<String>,
    /// Why.
    pub reason: Option<String>,
    /// The id that the network gives it.
    pub id: Option<String>,
    /// The id of the message that it is about.
    pub about: Option<String>,
}

/// Why it is not known what a body says.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnreadReceipt {
    /// It is packed in a way that was not asked for.
    #[error("its body has Content-Encoding: {0}, which was not asked for and is not read")]
    Packed(String),
    /// It is meant to be in this form.
    #[error("its body is no {0} that can be read")]
    Broken(&'static str),
}

impl PartnerReceipt {
    /// Reads an answer.
    ///
    /// # Errors
    /// As [`PartnerReceipt::read`]; a body that is packed.
    pub fn of(answer: &HttpAnswer, words: &ReceiptWords) -> Result<PartnerReceipt, UnreadReceipt> {
        let packings = answer.headers.get_all(CONTENT_ENCODING);
        for packing in packings.iter().map(|value| String::from_utf8_lossy(value.as_bytes())) {
            let packing = packing.trim();
            if !packing.is_empty() && !packing.eq_ignore_ascii_case("identity") {
                return Err(UnreadReceipt::Packed(plain(packing, 40)));
            }
        }
        let kind = answer.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
        PartnerReceipt::read(&answer.body, kind, words)
    }

    /// Reads a receipt in JSON or XML, which it is by its first character, else by its
    /// `Content-Type`. Anything else says nothing.
    ///
    /// # Errors
    /// What is meant to be JSON or XML, and cannot be read.
    pub fn read(
        body: &[u8],
        kind: Option<&str>,
        words: &ReceiptWords,
    ) -> Result<PartnerReceipt, UnreadReceipt> {
        ReceiptGleaner::new(words).all_of(body, kind)
    }

    /// Whether it says that the message is refused.
    pub fn is_rejection(&self, words: &ReceiptWords) -> bool {
        self.status.as_deref().is_some_and(|status| words.is_rejection(status))
    }
}

/// What an answer means. `may_be_there` says that an attempt before this one may have arrived
/// without our hearing of it. A success whose body cannot be read is none: it may say that the
/// document is refused.
///
/// # Errors
/// [`PartnerFault`].
pub fn receipt_verdict(
    http: u16,
    read: Result<PartnerReceipt, UnreadReceipt>,
    words: &ReceiptWords,
    (secret, may_be_there): (&Secret, bool),
) -> Result<PartnerTaken, PartnerFault> {
    let network = words.network;
    let (receipt, unread) = match read {
        Ok(receipt) => (receipt, None),
        // It names what the network wrote.
        Err(unread) => {
            let unread = PartnerReport::shown(&unread.to_string(), secret);
            (PartnerReceipt::default(), Some(unread))
        }
    };
    let shown = |text: &Option<String>| {
        let text = text.as_deref().unwrap_or_default();
        PartnerReport::shown(text, secret).chars().take(500).collect::<String>()
    };
    let why = match shown(&receipt.reason) {
        why if why.is_empty() => String::new(),
        why => format!(": {why}"),
    };
    let fault = |kind, cause: String| {
        Err(PartnerFault { status: Some(http), ..PartnerFault::new(kind, cause) })
    };
    let answer_id = shown(&receipt.id);
    match (http, unread) {
        (200..=299, Some(unread)) => {
            let cause = format!(
                "{network} answered {http}, but {unread}, so that it is not known whether it has \
                 the document"
            );
            let unheard = PartnerFault::new(PartnerFaultKind::Unavailable, cause);
            Err(PartnerFault { status: Some(http), is_unheard: true, ..unheard })
        }
        (200..=299, _) if receipt.is_rejection(words) => fault(
            PartnerFaultKind::Refused,
            format!("{network} took the document and refuses it{why}"),
        ),
        (202, _) => {
            let remark = "The network has it and has still to look at it.".to_owned();
            Ok(PartnerTaken { answer_id, remark: Some(remark) })
        }
        (200..=299, _) => Ok(PartnerTaken { answer_id, remark: None }),
        (409, _) if may_be_there => {
            let remark = "The network says that it had it before, by an attempt whose answer was \
                          lost.";
            Ok(PartnerTaken { answer_id, remark: Some(remark.to_owned()) })
        }
        (401 | 403, _) => fault(
            PartnerFaultKind::Secret,
            format!("{network} does not believe the key or who sends ({http}{why})"),
        ),
        (408 | 425 | 429 | 500.., _) => fault(
            PartnerFaultKind::Unavailable,
            format!("{network} cannot take the document for now ({http}{why})"),
        ),
        _ => fault(
            PartnerFaultKind::Refused,
            format!("{network} refuses the document ({http}{why})"),
        ),
    }
}

#[cfg(test)]
mod tests;
