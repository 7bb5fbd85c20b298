//! What goes over the wire, as the OpenAPI description 2.6 has it. Fields and codes that are new
//! to
//! us are let through: the system changes several times a year.

mod auth;
mod availability;
mod exports;
mod invoices;
mod problem;
mod security;
mod sessions;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use jiff::Timestamp;
use quoin_model::text::cut;
use serde::{Deserialize, Serialize};

pub use auth::{
    AuthChallenge, AuthMethodInfo, AuthOperation, AuthStarted, AuthTokens, RefreshedToken,
    TokenInfo,
};
pub use availability::{Availability, AvailabilityMessage, AvailabilityStatus};
pub use exports::{
    ExportMetadata, ExportPackage, ExportPart, ExportStarted, ExportStatus, InvoiceExportRequest,
};
pub use invoices::{
    InvoiceDateRange, InvoiceMetadata, InvoiceMetadataBuyer, InvoiceMetadataPage,
    InvoiceMetadataSeller, InvoiceQuery, QueryIdentifier,
};
pub use problem::{KsefProblem, ProblemError, read_problem};
pub use security::{PublicKeyCertificate, symmetric_key_certificate};
pub use sessions::{
    BatchFile, BatchFilePart, BatchOpened, BatchSessionRequest, EncryptionInfo, FormCode,
    InvoiceStatus, OnlineOpened, OnlineSessionRequest, PartUpload, SendInvoiceRequest, SentInvoice,
    SessionInvoice, SessionInvoices, SessionStatus, SessionSummary, SessionUpo, Sessions, UpoPage,
};

/// The header that asks for errors in the newer form.
pub const ERROR_FORMAT: (&str, &str) = ("X-Error-Format", "problem-details");
/// The header with the token of the next page.
pub const CONTINUATION: &str = "x-continuation-token";
/// Bytes of an answer in JSON at most that is read: a page of 1,000 invoices is about 1 MB.
pub const ANSWER_BYTES: usize = 8 << 20;

/// A status with its text (`StatusInfo`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatusInfo {
    /// The code.
    pub code: u16,
    /// Its text, in Polish.
    #[serde(default)]
    pub description: String,
    /// More about it, in Polish.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub details: Option<Vec<String>>,
}

impl StatusInfo {
    /// Text and details as one line.
    pub fn line(&self) -> String {
        line(&self.description, self.details.as_deref().unwrap_or_default())
    }
}

/// Characters of what the system says in words that are kept of an answer.
pub const SAID: usize = 4_000;

fn line(description: &str, details: &[String]) -> String {
    // No detail behind so many is seen.
    let details = details.get(..SAID.min(details.len())).unwrap_or_default();
    let parts: Vec<Cow<'_, str>> = details.iter().map(|one| cut(one, SAID)).collect();
    let description = cut(description, SAID);
    match parts.is_empty() {
        true => description.into_owned(),
        false => cut(&format!("{description}: {}", parts.join("; ")), SAID).into_owned(),
    }
}

/// Reads an answer in JSON.
///
/// # Errors
/// The reason, with the place, where it is not what the description says.
pub fn read<T: for<'de> Deserialize<'de>>(bytes: &[u8]) -> Result<T, serde_json::Error> {
    serde_json::from_slice(bytes)
}

/// A time as the system writes it, to the second, in UTC.
pub fn moment(time: Timestamp) -> String {
    time.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}
