//! Whether a message that carries a known identifier is the same document again, or another one.
//!
//! A receipt says that a document was taken. A repeat, after an answer that was lost, must get one
//! again; a document that nobody has must never get one, whatever identifier it bears
//! (Peppol AS4 profile 4.6; BME 2.1, `InstanceIdentifier`).

/// Which identifier of a message was seen before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RepeatedIdentifier {
    /// The AS4 message id, from the same access point.
    Message,
    /// The SBDH instance identifier, from the same sender. Some access points repeat under a new
    /// AS4 message id.
    Instance,
    /// The id by which the receiving organisation knows a document, given by whoever hands it in.
    Document,
}

/// What makes a document the same one: its bytes, and whom it is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ContentIdentity<'a> {
    /// SHA-256 of the document without its envelope.
    pub digest: &'a [u8],
    /// The receiver of the envelope, `scheme:identifier`, in any case.
    pub receiver: &'a str,
}

/// What an arrived document is beside the one on record that bears the same identifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repeat {
    /// The same document to the same receiver: it is with us, and its receipt is given again.
    Same,
    /// Another document. It is not with us.
    OtherDocument,
    /// The same bytes for somebody else, who does not have them.
    OtherReceiver,
}

/// Compares an arrived document with the one on record. Only bytes and receiver count: nothing else
/// can make a document that is not stored into one that is.
pub fn repeat(arrived: ContentIdentity<'_>, known: ContentIdentity<'_>) -> Repeat {
    if arrived.digest != known.digest {
        Repeat::OtherDocument
    } else if !arrived.receiver.eq_ignore_ascii_case(known.receiver) {
        Repeat::OtherReceiver
    } else {
        Repeat::Same
    }
}

impl Repeat {
    /// What its sender is told; none where it gets its receipt.
    pub fn refusal(self, known: RepeatedIdentifier) -> Option<String> {
        let id = match known {
            RepeatedIdentifier::Message => "this AS4 message id",
            RepeatedIdentifier::Instance => "this SBDH instance identifier",
            RepeatedIdentifier::Document => "this document id",
        };
        let what = match self {
            Repeat::Same => return None,
            Repeat::OtherDocument => "another document",
            Repeat::OtherReceiver => "the same document for another receiver",
        };
        Some(format!(
            "{what} was received before under {id}; this one is not stored: send it again under an \
             identifier of its own"
        ))
    }
}

#[cfg(test)]
mod tests;
