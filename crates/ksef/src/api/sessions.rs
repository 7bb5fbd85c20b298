//! Sessions: opening, parts, status, the invoices of one, their receipts.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::StatusInfo;

/// Which form the invoices of a session have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FormCode {
    /// As in `FA (3)`.
    pub system_code: String,
    /// As in `1-0E`.
    pub schema_version: String,
    /// As in `FA`.
    pub value: String,
}

impl FormCode {
    /// FA(3).
    pub fn fa3() -> FormCode {
        let own = str::to_owned;
        FormCode { system_code: own("FA (3)"), schema_version: own("1-0E"), value: own("FA") }
    }
}

/// The key of a session, for the system alone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EncryptionInfo {
    /// The AES key under RSA-OAEP with SHA-256, in base64.
    pub encrypted_symmetric_key: String,
    /// 16 bytes in base64.
    pub initialization_vector: String,
    /// Which public key it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub public_key_id: Option<String>,
}

/// The archive of a batch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BatchFile {
    /// Bytes of the archive before encryption.
    pub file_size: u64,
    /// SHA-256 of the archive before encryption, in base64.
    pub file_hash: String,
    /// `Zip`, where nothing is said, or `TarGz`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compression_type: Option<String>,
    /// Its parts.
    pub file_parts: Vec<BatchFilePart>,
}

/// One part of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BatchFilePart {
    /// From 1.
    pub ordinal_number: u32,
    /// Bytes after encryption.
    pub file_size: u64,
    /// SHA-256 after encryption, in base64.
    pub file_hash: String,
}

/// The body of `POST /sessions/batch`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BatchSessionRequest {
    /// Of the invoices.
    pub form_code: FormCode,
    /// What will be uploaded.
    pub batch_file: BatchFile,
    /// The key.
    pub encryption: EncryptionInfo,
    /// Whether the invoices were issued without the system.
    #[serde(default)]
    pub offline_mode: bool,
}

/// Where a part goes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PartUpload {
    /// From 1.
    pub ordinal_number: u32,
    /// `PUT`.
    pub method: String,
    /// An address that lets us in by itself: no token is sent to it.
    pub url: String,
    /// Headers to send with it.
    #[serde(default)]
    pub headers: BTreeMap<String, Option<String>>,
}

/// The answer of `POST /sessions/batch`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BatchOpened {
    /// Of the session.
    pub reference_number: String,
    /// One for each part.
    pub part_upload_requests: Vec<PartUpload>,
}

/// The body of `POST /sessions/online`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OnlineSessionRequest {
    /// Of the invoices.
    pub form_code: FormCode,
    /// The key.
    pub encryption: EncryptionInfo,
}

/// The answer of `POST /sessions/online`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OnlineOpened {
    /// Of the session.
    pub reference_number: String,
    /// When it closes by itself.
    pub valid_until: Timestamp,
}

/// The body of `POST /sessions/online/{referenceNumber}/invoices`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SendInvoiceRequest {
    /// SHA-256 of the invoice, in base64.
    pub invoice_hash: String,
    /// Its bytes.
    pub invoice_size: u64,
    /// SHA-256 of what is sent, in base64.
    pub encrypted_invoice_hash: String,
    /// Its bytes.
    pub encrypted_invoice_size: u64,
    /// The encrypted invoice, in base64.
    pub encrypted_invoice_content: String,
    /// Whether it was issued without the system.
    #[serde(default)]
    pub offline_mode: bool,
    /// Of a technical correction: the digest of the invoice that was refused, in base64.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash_of_corrected_invoice: Option<String>,
}

/// The answer to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SentInvoice {
    /// Of the invoice in its session.
    pub reference_number: String,
}

/// A page of the receipt of a whole session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct UpoPage {
    /// Of the page.
    pub reference_number: String,
    /// An address that lets us in by itself, for some days.
    pub download_url: String,
    /// Until when.
    pub download_url_expiration_date: Timestamp,
}

/// The receipt of a whole session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionUpo {
    /// Its pages.
    pub pages: Vec<UpoPage>,
}

/// The answer of `GET /sessions/{referenceNumber}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionStatus {
    /// How it stands.
    pub status: StatusInfo,
    /// When it was opened.
    pub date_created: Timestamp,
    /// When something happened last.
    pub date_updated: Timestamp,
    /// When it closes by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub valid_until: Option<Timestamp>,
    /// Its receipt, once it is closed and made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub upo: Option<SessionUpo>,
    /// Invoices that came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invoice_count: Option<u32>,
    /// Of them, those that were registered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub successful_invoice_count: Option<u32>,
    /// Of them, those that were refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed_invoice_count: Option<u32>,
}

/// The status of an invoice, with what is said beside it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InvoiceStatus {
    /// The code.
    pub code: u16,
    /// Its text, in Polish.
    #[serde(default)]
    pub description: String,
    /// More about it, in Polish.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub details: Option<Vec<String>>,
    /// Of a duplicate: `originalSessionReferenceNumber`, `originalKsefNumber`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extensions: Option<BTreeMap<String, Option<String>>>,
}

impl InvoiceStatus {
    /// Text and details as one line.
    pub fn line(&self) -> String {
        super::line(&self.description, self.details.as_deref().unwrap_or_default())
    }

    /// What is said beside it under a name.
    pub fn extension(&self, name: &str) -> Option<&str> {
        self.extensions.as_ref()?.get(name)?.as_deref()
    }
}

/// One invoice of a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionInvoice {
    /// From 1.
    pub ordinal_number: u32,
    /// The number that the seller gave it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invoice_number: Option<String>,
    /// The number that the system gave it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ksef_number: Option<String>,
    /// Of the invoice in its session.
    pub reference_number: String,
    /// SHA-256 of the invoice, in base64.
    pub invoice_hash: String,
    /// The name of its file in the archive of a batch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invoice_file_name: Option<String>,
    /// When it got its number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub acquisition_date: Option<Timestamp>,
    /// When it came.
    pub invoicing_date: Timestamp,
    /// When it was stored for good.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub permanent_storage_date: Option<Timestamp>,
    /// Where its receipt is, for some days; an address that lets us in by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub upo_download_url: Option<String>,
    /// Until when.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub upo_download_url_expiration_date: Option<Timestamp>,
    /// `Online` or `Offline`, as the system judges it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invoicing_mode: Option<String>,
    /// How it stands.
    pub status: InvoiceStatus,
}

/// A page of `GET /sessions/{referenceNumber}/invoices`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionInvoices {
    /// For the next page; none on the last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub continuation_token: Option<String>,
    /// In the order of their numbers.
    pub invoices: Vec<SessionInvoice>,
}

/// One session of `GET /sessions`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionSummary {
    /// Of the session.
    pub reference_number: String,
    /// How it stands.
    pub status: StatusInfo,
    /// When it was opened.
    pub date_created: Timestamp,
    /// When something happened last.
    pub date_updated: Timestamp,
    /// When it closes by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub valid_until: Option<Timestamp>,
    /// Invoices that came.
    pub total_invoice_count: u32,
    /// Of them, those that were registered.
    pub successful_invoice_count: u32,
    /// Of them, those that were refused.
    pub failed_invoice_count: u32,
}

/// A page of `GET /sessions`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Sessions {
    /// For the next page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub continuation_token: Option<String>,
    /// Newest first.
    pub sessions: Vec<SessionSummary>,
}
