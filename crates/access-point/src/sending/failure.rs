//! Why an attempt brought no receipt, and what follows for the document.

use jiff::SignedDuration;
use quoin_delivery::channel::UNREACHABLE;
use quoin_delivery::{DeliveryOutcome, Later, Never};

use super::Destination;
use crate::net::CallError;

/// Why there is no receipt.
#[derive(Debug, Default)]
pub(super) struct SendFailure {
    pub(super) code: &'static str,
    pub(super) message: String,
    pub(super) again: bool,
    pub(super) ebms: Option<String>,
    pub(super) retry_after: Option<SignedDuration>,
}

impl SendFailure {
    pub(super) fn new(code: &'static str, message: String) -> SendFailure {
        SendFailure { code, message, ..SendFailure::default() }
    }

    /// No answer came, or none that can be used.
    pub(super) fn unheard(error: &CallError) -> SendFailure {
        let code = match error {
            CallError::Timeout(_) => "AP-TIMEOUT",
            CallError::Tls(_) | CallError::Unwelcome(_) => "AP-TLS",
            CallError::Refused(_) => "AP-ADDRESS",
            CallError::Connect(_) => UNREACHABLE,
            CallError::Closed(_) | CallError::Broken(_) => "NO-ANSWER",
            CallError::TooLarge(_) | CallError::Unreadable(_) => "NO-RECEIPT",
        };
        let message = format!("The receiver's access point gave no usable answer: {error}.");
        SendFailure { again: error.is_temporary(), ..SendFailure::new(code, message) }
    }

    pub(super) fn into_outcome(
        self,
        to: &Destination,
        http_status: Option<u16>,
    ) -> DeliveryOutcome {
        let (code, endpoint) = (self.code.to_owned(), Some(to.url.clone()));
        let (message, ebms_code) = (self.message, self.ebms);
        if self.again {
            let retry_after = self.retry_after;
            DeliveryOutcome::Later(Later {
                code,
                message,
                endpoint,
                http_status,
                ebms_code,
                retry_after,
            })
        } else {
            DeliveryOutcome::Never(Never { code, message, endpoint, http_status, ebms_code })
        }
    }
}
