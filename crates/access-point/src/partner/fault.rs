//! Why a document was not taken, and whether it is tried again; what is known of one that was.

use jiff::SignedDuration;
use quoin_delivery::{DeliveryOutcome, Later, Never, Proof};

use crate::net::CallError;

/// What kind of failure it is; a row of the causes in the room `delivery` each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PartnerFaultKind {
    /// The hook itself: it is gone, or nothing can be done with it.
    Hook,
    /// The network does not believe the secret.
    Secret,
    /// No relationship between the two parties is on record.
    Relationship,
    /// No TLS: the certificate of the network is not believed.
    Tls,
    /// The network is not reached, is silent, breaks off, or asks to come again.
    Unavailable,
    /// The network said no. It would say so again.
    Refused,
}

impl PartnerFaultKind {
    /// The code on timelines and in events.
    pub fn code(self) -> &'static str {
        match self {
            PartnerFaultKind::Hook => "partner-hook",
            PartnerFaultKind::Secret => "partner-secret",
            PartnerFaultKind::Relationship => "partner-relationship",
            PartnerFaultKind::Tls => "partner-tls",
            PartnerFaultKind::Unavailable => "partner-unavailable",
            PartnerFaultKind::Refused => "partner-refused",
        }
    }

    /// Whether it is never tried again.
    pub fn is_final(self) -> bool {
        match self {
            PartnerFaultKind::Hook | PartnerFaultKind::Tls | PartnerFaultKind::Unavailable => false,
            PartnerFaultKind::Secret
            | PartnerFaultKind::Relationship
            | PartnerFaultKind::Refused => true,
        }
    }
}

/// Why a document was not taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartnerFault {
    /// What kind of failure.
    pub kind: PartnerFaultKind,
    /// What happened, for people: the beginning of a sentence, without its full stop.
    pub cause: String,
    /// The HTTP status, where an answer came.
    pub status: Option<u16>,
    /// How long the network asks us to stay away.
    pub retry_after: Option<SignedDuration>,
    /// Whether the network may have the document all the same: the call was made, and what it said
    /// was not heard.
    pub is_unheard: bool,
}

/// What is known of a document that was taken.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PartnerTaken {
    /// By which id the network answered; empty where it gave none.
    pub answer_id: String,
    /// What the timeline says besides.
    pub remark: Option<String>,
}

impl PartnerFault {
    /// A failure of a kind.
    pub fn new(kind: PartnerFaultKind, cause: impl Into<String>) -> PartnerFault {
        PartnerFault {
            kind,
            cause: cause.into(),
            status: None,
            retry_after: None,
            is_unheard: false,
        }
    }

    /// A call without an answer. An address that is refused stays refused.
    pub fn unanswered(error: &CallError) -> PartnerFault {
        let kind = match error {
            CallError::Tls(_) | CallError::Unwelcome(_) => PartnerFaultKind::Tls,
            error if error.is_temporary() => PartnerFaultKind::Unavailable,
            _ => PartnerFaultKind::Refused,
        };
        // Without a connection nothing was said.
        let is_unsaid = matches!(
            error,
            CallError::Connect(_)
                | CallError::Tls(_)
                | CallError::Unwelcome(_)
                | CallError::Refused(_)
        );
        PartnerFault { is_unheard: !is_unsaid, ..PartnerFault::new(kind, error.to_string()) }
    }
}

/// An attempt for the room `delivery`.
pub(crate) fn outcome(
    done: Result<PartnerTaken, PartnerFault>,
    endpoint: Option<String>,
    (protocol, message_id): (&str, String),
) -> DeliveryOutcome {
    let fault = match done {
        Ok(PartnerTaken { answer_id, remark }) => {
            return DeliveryOutcome::Delivered(Proof {
                endpoint: endpoint.unwrap_or_default(),
                protocol: protocol.to_owned(),
                message_id,
                returned_message_id: answer_id,
                remark,
            });
        }
        Err(fault) => fault,
    };
    let PartnerFault { kind, cause, status: http_status, retry_after, .. } = fault;
    let (code, message) = (kind.code().to_owned(), format!("{}.", cause.trim_end_matches('.')));
    match kind.is_final() {
        true => DeliveryOutcome::Never(Never {
            code,
            message,
            endpoint,
            http_status,
            ..Never::default()
        }),
        false => DeliveryOutcome::Later(Later {
            code,
            message,
            endpoint,
            http_status,
            retry_after,
            ..Later::default()
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_connection_nothing_was_said() {
        for (error, unheard) in [
            (CallError::Connect("refused".to_owned()), false),
            (CallError::Tls("unknown issuer".to_owned()), false),
            (CallError::Timeout(std::time::Duration::from_secs(1)), true),
            (CallError::Closed("eof".to_owned()), true),
            (CallError::Broken("eof".to_owned()), true),
            (CallError::TooLarge(1), true),
            (CallError::Unreadable("many headers".to_owned()), true),
        ] {
            assert_eq!(PartnerFault::unanswered(&error).is_unheard, unheard, "{error}");
        }
    }
}
