//! The outcome of looking a receiver up: one vocabulary for what DNS, SMP and PKI can answer, and
//! for what a failed look-up means for the delivery (permanent, temporary, or a broken
//! registration that somebody must be told about); and which SMP the records of DNS name.

use crate::sml::UriRefusal;
use crate::smp::{EndpointRefusal, SmpRefusal};

/// The code of a failure that nobody on the receiver's side made: it is not known whether one of
/// its certificates is revoked.
pub const REVOCATION_UNKNOWN: &str = "revocation-unknown";

mod naptr;
#[cfg(test)]
mod tests;

pub use naptr::{Naptr, base};

/// Why a receiver cannot be reached.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LookupError {
    /// The network does not know the participant.
    #[error("the receiver is not registered in the network: {0}")]
    NotRegistered(NotRegistered),
    /// The registration in DNS names an address that nobody may use.
    #[error("the receiver's registration names a broken SMP address: {0}")]
    InvalidSmpAddress(#[from] UriRefusal),
    /// No usable answer of DNS: server failure, refusal, time-out, or a bogus DNSSEC signature.
    #[error("DNS gave no usable answer: {what}")]
    DnsTrouble {
        /// What happened.
        what: String,
    },
    /// No usable answer of the SMP: no connection, TLS, a status that passes, one that is too large
    /// or not whole, a time-out.
    #[error("the receiver's SMP gave no usable answer: {what}")]
    SmpTrouble {
        /// What happened.
        what: String,
    },
    /// As many look-ups as may be are under way at this SMP already: it was not asked.
    #[error("as many look-ups as may be are under way at the receiver's SMP ({host})")]
    Crowded {
        /// The host of the SMP.
        host: String,
    },
    /// The SMP answered with a status that means nothing here.
    #[error("the receiver's SMP answered with status {status}: expected 200 or 404")]
    SmpStatus {
        /// The HTTP status.
        status: u16,
    },
    /// The receiver is registered, but not for this document type.
    #[error("the receiver does not accept this type of document")]
    UnsupportedDocumentType,
    /// The SMP's answer cannot be trusted or read.
    #[error("the answer of the receiver's SMP is refused: {0}")]
    Metadata(#[from] SmpRefusal),
    /// The answer names no endpoint that can be used.
    #[error("the receiver has no usable endpoint: {0}")]
    NoUsableEndpoint(#[from] EndpointRefusal),
}

/// How the network said that it does not know a participant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotRegistered {
    /// NXDOMAIN: the name does not exist.
    #[error("its name does not exist in the SML (NXDOMAIN)")]
    NoName,
    /// NODATA: the name exists, but has no NAPTR record.
    #[error("its name in the SML has no NAPTR record")]
    NoRecord,
    /// The name is an alias, and where it leads to there is no record; often it leads back to
    /// itself.
    #[error("its name in the SML is an alias (CNAME) that leads to no record")]
    DeadAlias,
    /// There are NAPTR records, but none for an SMP.
    #[error("its name in the SML has no record for service Meta:SMP")]
    NoSmpService,
    /// The SML names an SMP that does not know the participant.
    #[error("the SML names an SMP that does not know it; its provider must repair one of the two")]
    UnknownToSmp,
}

impl LookupError {
    /// The outcome of a status that is not 200, for a request of the service group.
    pub fn of_service_group_status(status: u16) -> Self {
        match status {
            404 => Self::NotRegistered(NotRegistered::UnknownToSmp),
            _ => Self::of_status(status),
        }
    }

    /// The outcome of a status that is not 200, for a request of service metadata.
    pub fn of_service_metadata_status(status: u16) -> Self {
        match status {
            404 => Self::UnsupportedDocumentType,
            _ => Self::of_status(status),
        }
    }

    fn of_status(status: u16) -> Self {
        match status {
            // A server that leads elsewhere shows a page of maintenance or a login, and comes back.
            300..=399 | 408 | 425 | 429 | 500..=599 => {
                Self::SmpTrouble { what: format!("status {status}") }
            }
            _ => Self::SmpStatus { status },
        }
    }

    /// Whether the same look-up may succeed later without anybody changing a registration.
    pub fn is_temporary(&self) -> bool {
        match self {
            Self::DnsTrouble { .. } | Self::SmpTrouble { .. } | Self::Crowded { .. } => true,
            Self::Metadata(refusal) => refusal.is_temporary(),
            Self::NoUsableEndpoint(refusal) => refusal.is_temporary(),
            _ => false,
        }
    }

    /// Whether everything was answered, and what is registered begins later
    /// ([`EndpointRefusal::is_not_yet`]).
    pub fn is_not_yet(&self) -> bool {
        matches!(self, Self::NoUsableEndpoint(refusal) if refusal.is_not_yet())
    }

    /// Whether the registration itself is broken or suspicious, so that an operator should know.
    pub fn is_alarm(&self) -> bool {
        match self {
            Self::InvalidSmpAddress(_) | Self::SmpStatus { .. } => true,
            Self::NotRegistered(how) => {
                matches!(how, NotRegistered::UnknownToSmp | NotRegistered::DeadAlias)
            }
            Self::Metadata(refusal) => !refusal.is_temporary(),
            _ => false,
        }
    }

    /// A short, stable code for logs and answers.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotRegistered(_) => "not-registered",
            Self::InvalidSmpAddress(_) => "invalid-smp-address",
            Self::DnsTrouble { .. } => "dns-trouble",
            Self::SmpTrouble { .. } | Self::Crowded { .. } => "smp-trouble",
            Self::SmpStatus { .. } => "smp-status",
            Self::UnsupportedDocumentType => "unsupported-document-type",
            Self::Metadata(SmpRefusal::Signer(refusal))
            | Self::NoUsableEndpoint(EndpointRefusal::Certificate(refusal))
                if refusal.is_temporary() =>
            {
                REVOCATION_UNKNOWN
            }
            Self::Metadata(_) => "untrusted-metadata",
            Self::NoUsableEndpoint(EndpointRefusal::Certificate(_)) => "receiver-certificate",
            Self::NoUsableEndpoint(_) => "no-usable-endpoint",
        }
    }
}
