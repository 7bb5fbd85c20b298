//! HTTPS as customers' servers see it: webhooks, and documents that are posted or put. How a call
//! is signed and authorised, what an answer means, and what was seen of it. When it is made again
//! is decided in the room `delivery`.
//!
//! The address of a hook is called as it is written, its query included; everything that is ours
//! stands in the hook's `init`. A document has the same `Idempotency-Key`, its id, and the same
//! bytes on every attempt, so that a server knows it again.

mod action;
mod answer;
mod client;
mod envelope;
mod fault;
mod login;
mod report;
mod sign;
mod target;
mod webhook;

pub use action::{DocumentForm, HttpsAction, OPEN, SEALED, check_names};
pub use client::{HttpsClient, HttpsMessage};
pub use envelope::{HandedDocument, WrappedDocument, wrap};
pub use fault::{HttpsFault, HttpsFaultKind};
pub use login::HttpsLogin;
pub use report::HttpsReport;
pub use sign::{
    ROTATION, Signatures, UnusableSecret, checked_secret, previous_until, rotated, secrets_in_use,
    signatures,
};
pub use target::HttpsTarget;
pub use webhook::call;

use std::time::Duration;

/// The longest body that is posted, in bytes: the largest document in base64, and what is known of
/// it.
pub const HTTPS_BYTES: usize = 34 << 20;
/// How long a whole attempt may take, which is less than the lease of a step.
pub const HTTPS_LIMIT: Duration = Duration::from_secs(240);
