//! Invoices as a package: asked for, made by the system in its time, encrypted for who asked, and
//! taken in parts.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{EncryptionInfo, InvoiceMetadata, InvoiceQuery, StatusInfo};

/// The body of `POST /invoices/exports`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct InvoiceExportRequest {
    /// The key of the package.
    pub encryption: EncryptionInfo,
    /// Without the invoices themselves.
    #[serde(default)]
    pub only_metadata: bool,
    /// Which invoices.
    pub filters: InvoiceQuery,
    /// `Zip`, where nothing is said, or `TarGz`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compression_type: Option<String>,
}

/// The answer of `POST /invoices/exports`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ExportStarted {
    /// Of the export.
    pub reference_number: String,
}

/// The answer of `GET /invoices/exports/{referenceNumber}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ExportStatus {
    /// 100 while it is made, 200 once it is there.
    pub status: StatusInfo,
    /// When it was done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub completed_date: Option<Timestamp>,
    /// Until when the package can be taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub package_expiration_date: Option<Timestamp>,
    /// The package.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub package: Option<ExportPackage>,
}

/// A package that can be taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ExportPackage {
    /// How many invoices are in it.
    pub invoice_count: u64,
    /// Its bytes before encryption.
    pub size: u64,
    /// How it is packed, where the system says so: later versions do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compression_type: Option<String>,
    /// Where its parts are, in order.
    pub parts: Vec<ExportPart>,
    /// Whether there are more invoices than it holds: the next export begins at the last date.
    pub is_truncated: bool,
    /// When the last invoice in it was stored, where it is truncated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_permanent_storage_date: Option<Timestamp>,
    /// Until when nothing can be added any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub permanent_storage_hwm_date: Option<Timestamp>,
}

/// One part of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ExportPart {
    /// From 1.
    pub ordinal_number: u32,
    /// The name of its file.
    pub part_name: String,
    /// `GET`.
    pub method: String,
    /// An address that lets us in by itself: no token is sent to it.
    pub url: String,
    /// Bytes before encryption.
    pub part_size: u64,
    /// SHA-256 before encryption, in base64.
    pub part_hash: String,
    /// Bytes after encryption.
    pub encrypted_part_size: u64,
    /// SHA-256 after encryption, in base64.
    pub encrypted_part_hash: String,
    /// Until when the address is good.
    pub expiration_date: Timestamp,
}

/// The file `_metadata.json` of a package.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ExportMetadata {
    /// What the system says about each invoice of the package.
    pub invoices: Vec<InvoiceMetadata>,
}
