//! A package of invoices that the system made for us: what its status asks for, and opening it.
//!
//! ```text
//! parts ─► digests ─► AES-256-CBC ─► digests ─► ZIP ─► _metadata.json + NUMBER.xml each ─► digests
//! ```
//! Nothing of a package is believed that its digests do not say: one that is not whole is refused
//! as a whole, and asked for again.
//!
//! Source: OpenAPI 2.6, `POST /invoices/exports` and `GET /invoices/exports/{referenceNumber}`.

#[cfg(test)]
mod tests;

use std::collections::HashMap;

use jiff::{SignedDuration, Timestamp};

use crate::api::{self, ExportMetadata, ExportPackage, InvoiceMetadata, StatusInfo};
use crate::package::{ArchiveError, SessionKey, digest, read_archive};

/// Invoices of a package at most.
pub const EXPORT_INVOICES: usize = 10_000;
/// Bytes of a part at most, before encryption.
pub const EXPORT_PART_BYTES: usize = 50_000_000;
/// Bytes of a package at most that we take, though the system makes them of 1 GB: it lies in
/// memory. Of a larger one a shorter period is asked for.
pub const EXPORT_BYTES: u64 = 64 << 20;
/// Bytes of its invoices together at most.
pub const EXPORT_UNPACKED: usize = 512 << 20;
/// The file that says what is in a package.
pub const METADATA: &str = "_metadata.json";

/// What the status of an export asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportVerdict {
    /// Ask again later.
    Wait,
    /// The package is there.
    Take,
    /// There is nothing yet in that period.
    Nothing,
    /// It is gone, or the system failed: another export.
    Anew,
}

/// What a status of an export asks for.
pub fn export_verdict(status: &StatusInfo) -> ExportVerdict {
    match status.code {
        200 => ExportVerdict::Take,
        420 => ExportVerdict::Nothing,
        // 210: it was there, and is no more.
        210 => ExportVerdict::Anew,
        code if code < 400 => ExportVerdict::Wait,
        // 415: another export has another key under the public key of today.
        _ => ExportVerdict::Anew,
    }
}

/// An invoice of a package.
#[derive(Debug, Clone, PartialEq)]
pub struct ExportedInvoice {
    /// What the system says about it.
    pub metadata: InvoiceMetadata,
    /// Its bytes, which have the digest of the metadata.
    pub xml: Vec<u8>,
}

/// Why a package cannot be used. What the system gave is wrong; nothing of it is used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ExportError {
    /// A part is missing, or there are others.
    #[error("the package has {expected} parts, {found} were given")]
    Parts {
        /// As the status says.
        expected: usize,
        /// As they came.
        found: usize,
    },
    /// A part has other bytes than the status says.
    #[error("part {0} of the package has another size or digest than the system says")]
    Part(u32),
    /// A part cannot be decrypted with the key that was given for it.
    #[error("part {0} of the package cannot be decrypted")]
    Sealed(u32),
    /// Its archive cannot be read.
    #[error("the package: {0}")]
    Archive(#[from] ArchiveError),
    /// What it says about itself is missing or cannot be read.
    #[error("the package has no {METADATA} that can be read")]
    Metadata,
    /// An invoice that is named is missing, twice there, or another one.
    #[error("the package names the invoice {0}, and does not have it as it is named")]
    Invoice(String),
    /// An invoice that is not named.
    #[error("the package has a file {0:?} that it does not name")]
    File(String),
    /// It has another number of invoices than the status says.
    #[error("the package has {found} invoices, the system says {expected}")]
    Count {
        /// As the status says.
        expected: u64,
        /// As they came.
        found: usize,
    },
}

/// Opens a package: its parts in order, and the key that was given for it. Work for a thread of the
/// pool, bounded by [`EXPORT_UNPACKED`].
///
/// # Errors
/// [`ExportError`].
pub fn opened_package(
    package: &ExportPackage,
    parts: &[impl AsRef<[u8]>],
    key: &SessionKey,
) -> Result<Vec<ExportedInvoice>, ExportError> {
    if package.parts.len() != parts.len() {
        let (expected, found) = (package.parts.len(), parts.len());
        return Err(ExportError::Parts { expected, found });
    }
    let mut archive = Vec::new();
    for (told, bytes) in package.parts.iter().zip(parts) {
        let (at, bytes) = (told.ordinal_number, bytes.as_ref());
        if bytes.len() as u64 != told.encrypted_part_size
            || digest(bytes) != told.encrypted_part_hash
        {
            return Err(ExportError::Part(at));
        }
        let plain = key.open(bytes).map_err(|_| ExportError::Sealed(at))?;
        if plain.len() as u64 != told.part_size || digest(&plain) != told.part_hash {
            return Err(ExportError::Part(at));
        }
        archive.extend(plain);
    }
    // An export of nothing has no parts.
    if parts.is_empty() && package.invoice_count == 0 {
        return Ok(Vec::new());
    }
    let files = read_archive(&archive, EXPORT_INVOICES + 1, EXPORT_UNPACKED)?;
    matched(files, package.invoice_count)
}

/// Each invoice that is named with its file.
fn matched(
    files: Vec<(String, Vec<u8>)>,
    expected: u64,
) -> Result<Vec<ExportedInvoice>, ExportError> {
    let mut by_name: HashMap<String, Vec<u8>> = HashMap::with_capacity(files.len());
    for (name, content) in files {
        if by_name.insert(name.clone(), content).is_some() {
            return Err(ExportError::File(name));
        }
    }
    let told = by_name.remove(METADATA).ok_or(ExportError::Metadata)?;
    let told: ExportMetadata = api::read(&told).map_err(|_| ExportError::Metadata)?;
    let mut out = Vec::with_capacity(told.invoices.len());
    for metadata in told.invoices {
        let xml = by_name.remove(&format!("{}.xml", metadata.ksef_number));
        let xml = xml.filter(|xml| digest(xml) == metadata.invoice_hash);
        let Some(xml) = xml else { return Err(ExportError::Invoice(metadata.ksef_number)) };
        out.push(ExportedInvoice { metadata, xml });
    }
    if let Some(name) = by_name.into_keys().next() {
        return Err(ExportError::File(name));
    }
    if out.len() as u64 != expected {
        return Err(ExportError::Count { expected, found: out.len() });
    }
    Ok(out)
}

/// Whether a package is larger than we take.
pub fn is_too_large(package: &ExportPackage) -> bool {
    let sealed = package.parts.iter().map(|part| part.encrypted_part_size);
    let sealed = sealed.fold(0_u64, u64::saturating_add);
    let largest = EXPORT_BYTES + 16 * package.parts.len() as u64;
    package.size > EXPORT_BYTES || sealed > largest
}

/// The middle of a period, of which half is asked for instead; none where it is no more than a
/// second: what is stored within one comes together.
pub fn half_of(from: Timestamp, until: Timestamp) -> Option<Timestamp> {
    let span = until.duration_since(from);
    let half = SignedDuration::from_millis(i64::try_from(span.as_millis() / 2).ok()?);
    (span > SignedDuration::from_secs(1)).then(|| from.saturating_add(half).unwrap_or(from))
}

/// Until when the invoices of a period are known once its package was taken: the last one of a
/// package that could not hold more, else the time behind which nothing is added, never behind the
/// end that was asked for, and never later than now.
pub fn reached_by(
    package: &ExportPackage,
    until: Option<Timestamp>,
    now: Timestamp,
) -> Option<Timestamp> {
    let told = match (package.permanent_storage_hwm_date, until) {
        _ if package.is_truncated => package.last_permanent_storage_date,
        (Some(complete), Some(until)) => Some(complete.min(until)),
        (complete, until) => complete.or(until),
    };
    told.map(|told| told.min(now))
}
