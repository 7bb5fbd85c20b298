//! Settings about documents: how long they are kept, in which order they are answered, and how many
//! requests a client may make.

use std::collections::BTreeMap;

use jiff::SignedDuration;
use quoin_delivery::responses::ResponseOrder;
use quoin_store::Keep;
use serde::{Deserialize, Serialize};

/// What happens to documents.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct DocumentsSection {
    /// Whether the order of Invoice Response states is checked (specification 3.2).
    pub invoice_response_order: ResponseOrder,
    /// Days that an arrived document is kept (specification 3.5: 90).
    pub received_days: u32,
    /// Days that an arrived document is kept after its first download (specification 3.5: 7).
    pub downloaded_days: u32,
    /// Days that a document that failed is kept (specification 8: 90).
    pub failed_days: u32,
    /// Days that a delivered document is kept by its sender; 0 for ever.
    pub sent_days: u32,
    /// Months that the log of exchanges is kept, which statistics reports are made of; 0 for ever.
    pub exchange_months: u32,
}

impl Default for DocumentsSection {
    fn default() -> DocumentsSection {
        DocumentsSection {
            invoice_response_order: ResponseOrder::Strict,
            received_days: 90,
            downloaded_days: 7,
            failed_days: 90,
            sent_days: 0,
            exchange_months: 24,
        }
    }
}

impl DocumentsSection {
    /// How long what is kept.
    pub fn keep(&self) -> Keep {
        let days = |days: u32| SignedDuration::from_hours(24 * i64::from(days));
        Keep {
            received: days(self.received_days),
            downloaded: days(self.downloaded_days),
            failed: days(self.failed_days),
            sent: (self.sent_days > 0).then(|| days(self.sent_days)),
        }
    }
}

/// How many requests a client may make.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Rate {
    /// Requests of one client in a minute; 0 for any number.
    pub requests_per_minute: u32,
    /// The same for single accounts: by the id of a client, or `organisation/name`.
    pub clients: BTreeMap<String, u32>,
}

impl Default for Rate {
    fn default() -> Rate {
        Rate { requests_per_minute: 60_000, clients: BTreeMap::new() }
    }
}
