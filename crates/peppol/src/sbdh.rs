//! The business message envelope (Peppol Business Message Envelope 2.0, a profile of the UN/CEFACT
//! Standard Business Document Header 1.3): every message between access points is one of these.
//!
//! [`Sbdh`] is the header as values, [`wrap`] writes an envelope around a document, [`read`] finds
//! header and payload in one without building a tree of the payload, and [`read_checked`] does the
//! same after the whole text was proved to be well-formed.

mod header;
mod read;
mod refusal;
mod scan;
mod write;

#[cfg(test)]
mod tests;

pub use read::{Envelope, PayloadKind, read, read_checked};
pub use refusal::{SbdhRefusal, WrapRefusal};
pub use write::{wrap, wrap_binary};

use jiff::Timestamp;

use crate::countries::is_country;
use crate::identifiers::{DocumentTypeId, IdentifierError, ParticipantId, ProcessId, SeatId};

/// Namespace of the envelope and its header.
pub const NAMESPACE: &str = "http://www.unece.org/cefact/namespaces/StandardBusinessDocumentHeader";
/// Namespace of `BinaryContent` and `TextContent`, which carry what is not XML.
pub const CONTENT_NAMESPACE: &str = "http://peppol.eu/xsd/ticc/envelope/1.0";
/// Most bytes from the start of the envelope to the end of its header. Real ones have under 3,000.
pub const HEADER_LIMIT: usize = 64 << 10;
/// Most scopes in one header. Real ones have under 10.
pub const SCOPE_LIMIT: usize = 100;

/// The header: who sends what to whom, in which process, and what the network adds to that.
///
/// `Standard`, `Type` and `TypeVersion` of the wire form are not fields: they are parts of the
/// document type (BME section 2.9) and are derived when written, compared when read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sbdh {
    /// Corner 1.
    pub sender: ParticipantId,
    /// Corner 4.
    pub receiver: ParticipantId,
    /// Scope DOCUMENTID. Never a pattern with `*`.
    pub document_type: DocumentTypeId,
    /// Scope PROCESSID.
    pub process: ProcessId,
    /// Globally unique per envelope: a UUID; not the invoice number and not the AS4 message id.
    pub instance: String,
    /// When the envelope was made.
    pub created: Timestamp,
    /// Scope COUNTRY_C1: the country of corner 1.
    pub country: CountryC1,
    /// Scope MLS_TO: where the sending provider wants the message level status; an SPIS id.
    pub mls_to: Option<ParticipantId>,
    /// Scope MLS_TYPE; absent means [`MlsType::FailureOnly`].
    pub mls_type: Option<MlsType>,
    /// All other scopes, in their order; they are passed on, never understood (BME section 2.7).
    pub others: Vec<Scope>,
}

/// A scope that the envelope carries along: key, value and an optional scheme.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scope {
    /// `Type`: the key, compared with case.
    pub key: String,
    /// `InstanceIdentifier`: the value, which may be empty.
    pub value: String,
    /// `Identifier`: the scheme of the value.
    pub scheme: Option<String>,
}

/// When the receiving provider owes a message level status (BME section 2.6.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MlsType {
    /// `FAILURE_ONLY`, which also holds where nothing is said.
    #[default]
    FailureOnly,
    /// `ALWAYS_SEND`.
    AlwaysSend,
}

impl MlsType {
    /// The code as it is written.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::FailureOnly => "FAILURE_ONLY",
            Self::AlwaysSend => "ALWAYS_SEND",
        }
    }

    fn from_code(code: &str) -> Option<Self> {
        [Self::FailureOnly, Self::AlwaysSend].into_iter().find(|kind| kind.as_str() == code)
    }
}

/// The country of corner 1: one of [`crate::countries`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CountryC1([u8; 2]);

impl CountryC1 {
    /// The code as text.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or_default()
    }

    /// Reads a code; `None` unless it names a country (BME section 2.5): one that does not would
    /// make the report about the month invalid (SCH-TSR-20).
    pub fn new(code: &str) -> Option<Self> {
        let bytes: [u8; 2] = code.as_bytes().try_into().ok()?;
        is_country(code).then_some(Self(bytes))
    }
}

impl Sbdh {
    /// Whether what it says about statuses is what it may say: a receiver passes over what is not,
    /// and a sender does not write it.
    ///
    /// # Errors
    /// [`SbdhRefusal::Value`].
    pub fn check_statuses(&self) -> Result<(), SbdhRefusal> {
        header::check_statuses(self)
    }

    /// Whether a positive message level status is wanted too.
    pub fn wants_positive_mls(&self) -> bool {
        self.mls_type == Some(MlsType::AlwaysSend)
    }

    /// Where the message level status goes: to MLS_TO if that is an id of the sending provider
    /// itself, else to the main id of the provider (BME section 2.6.1).
    ///
    /// `sender` is the seat id of the certificate that signed the AS4 message.
    ///
    /// # Errors
    /// None in practice; see [`SeatId::participant`].
    pub fn mls_receiver(&self, sender: &SeatId) -> Result<ParticipantId, IdentifierError> {
        let own = |id: &&ParticipantId| {
            id.icd() == SeatId::SPIS && id.value().split('-').next() == Some(sender.digits())
        };
        match self.mls_to.as_ref().filter(own) {
            Some(id) => Ok(id.clone()),
            None => sender.participant(),
        }
    }
}
