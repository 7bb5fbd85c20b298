//! What the processing of a document by the system ends with, as the hook says it: five codes,
//! each
//! with the topic that is published.
//!
//! They are not HTTP statuses of KSeF: its own 410, for instance, says that an operation is too
//! old.

/// One of the five.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum KsefOutcome {
    /// 200: registered online.
    Registered,
    /// 201: registered after it was issued without the system.
    RegisteredLater,
    /// 410: the system is not there (outage, end of the day); the document goes out with the codes
    /// of the offline mode and is registered later.
    Offline,
    /// 429: not now; it is tried again by itself.
    Unavailable,
    /// 500: it cannot be registered as it is.
    Failed,
}

impl KsefOutcome {
    /// All of them.
    pub const ALL: [KsefOutcome; 5] = [
        KsefOutcome::Registered,
        KsefOutcome::RegisteredLater,
        KsefOutcome::Offline,
        KsefOutcome::Unavailable,
        KsefOutcome::Failed,
    ];

    /// The code of `output[].when`.
    pub fn code(self) -> u16 {
        match self {
            KsefOutcome::Registered => 200,
            KsefOutcome::RegisteredLater => 201,
            KsefOutcome::Offline => 410,
            KsefOutcome::Unavailable => 429,
            KsefOutcome::Failed => 500,
        }
    }

    /// The topic that is published where the hook names no other.
    pub fn topic(self) -> &'static str {
        match self {
            KsefOutcome::Registered | KsefOutcome::Offline => "SendInvoice",
            KsefOutcome::RegisteredLater => "InvoiceCleared",
            KsefOutcome::Unavailable => "InvoiceClearedRetry",
            KsefOutcome::Failed => "InvoiceClearedError",
        }
    }

    /// Whether nothing follows for the document.
    pub fn is_final(self) -> bool {
        matches!(self, KsefOutcome::Registered | KsefOutcome::RegisteredLater | KsefOutcome::Failed)
    }
}
