//! Other networks that take documents over HTTPS: what their hooks have in common. Where they are
//! and what is asked of them stands in the action, what lets us in stands behind `#`, and what they
//! answer becomes a delivery, a failure for now or one for good.

mod action;
mod credential;
mod fault;
mod mode;
mod receipt;
mod report;
mod secrets;

pub use action::{PartnerAction, PartnerError};
pub use credential::{token_of, with_scheme_folded};
pub(crate) use fault::outcome;
pub use fault::{PartnerFault, PartnerFaultKind, PartnerTaken};
pub use mode::PartnerMode;
pub use receipt::{PartnerReceipt, ReceiptWords, UnreadReceipt, receipt_verdict};
pub use report::PartnerReport;
pub use secrets::PartnerSecrets;

/// The largest answer that is read, in bytes.
pub const ANSWER_BYTES: usize = 256 << 10;
