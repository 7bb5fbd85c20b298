//! What is uploaded: the archive of a batch in encrypted parts, or one encrypted invoice; and for
//! the laboratory the way back.
//!
//! ```text
//! invoices ─► ZIP ─► parts of at most 100 MB ─► AES-256-CBC each, one key and vector ─► digests
//! ```
//! Source: documentation of KSeF, "sesja wsadowa", "sesja interaktywna".

#[cfg(test)]
mod tests;
mod zip;

use data_encoding::BASE64;
use quoin_xmldsig::keys::{
    AES_256_KEY_LENGTH, AES_BLOCK_LENGTH, KeyError, PublicKey, open_aes256_cbc, seal_aes256_cbc,
    sha256,
};

use crate::api::{
    BatchFile, BatchFilePart, BatchSessionRequest, EncryptionInfo, FormCode, PublicKeyCertificate,
    SendInvoiceRequest,
};
use crate::certificate::public_key_of;

pub use zip::{ArchiveError, read_archive};

/// Invoices in a session at most.
pub const INVOICES: usize = 10_000;
/// Bytes of an invoice at most, one without attachment.
pub const INVOICE_BYTES: usize = 1_000_000;
/// Bytes of an invoice with an attachment at most.
pub const INVOICE_WITH_ATTACHMENT_BYTES: usize = 3_000_000;
/// Bytes of an archive at most, before encryption.
pub const ARCHIVE_BYTES: u64 = 5_000_000_000;
/// Bytes of a part at most, before encryption.
pub const PART_BYTES: usize = 100_000_000;
/// Parts at most.
pub const PARTS: usize = 50;
/// Characters of a file's name in the archive at most.
pub const NAME_CHARACTERS: usize = 128;

/// Why a package cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PackageError {
    /// None.
    #[error("a package needs at least one invoice")]
    Empty,
    /// Too many.
    #[error("a package has at most {INVOICES} invoices, found {0}: split it")]
    Invoices(usize),
    /// One is too large.
    #[error("{name} has {found} bytes, more than the {allowed} that KSeF takes of one invoice")]
    Invoice {
        /// The file.
        name: String,
        /// Its bytes.
        found: usize,
        /// The limit.
        allowed: usize,
    },
    /// Together they are too large.
    #[error("the archive is larger than the format and KSeF allow: split it")]
    Archive,
    /// A name that the archive cannot have.
    #[error(
        "{0:?} cannot be the name of a file in the package: at most {NAME_CHARACTERS} characters, \
             no folder, each name once"
    )]
    Name(String),
    /// The certificate for the key cannot be used.
    #[error("the public key of KSeF cannot be used")]
    PublicKey,
    /// The cryptographic module failed.
    #[error(transparent)]
    Key(#[from] KeyError),
}

/// The key of a session. Its bytes are random and new for each session.
#[derive(Clone, PartialEq, Eq)]
pub struct SessionKey {
    /// AES-256.
    pub key: [u8; AES_256_KEY_LENGTH],
    /// The vector.
    pub iv: [u8; AES_BLOCK_LENGTH],
}

impl std::fmt::Debug for SessionKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SessionKey(***)")
    }
}

impl SessionKey {
    /// From 48 random bytes.
    pub fn from_random(bytes: [u8; AES_256_KEY_LENGTH + AES_BLOCK_LENGTH]) -> SessionKey {
        let (mut key, mut iv) = ([0; AES_256_KEY_LENGTH], [0; AES_BLOCK_LENGTH]);
        for (to, from) in key.iter_mut().chain(&mut iv).zip(bytes) {
            *to = from;
        }
        SessionKey { key, iv }
    }

    /// What the system is told of it: the key for its public key alone.
    ///
    /// # Errors
    /// [`PackageError::PublicKey`], [`PackageError::Key`].
    pub fn wrapped(
        &self,
        certificate: &PublicKeyCertificate,
    ) -> Result<EncryptionInfo, PackageError> {
        let der = BASE64
            .decode(certificate.certificate.as_bytes())
            .ok()
            .and_then(|der| public_key_of(&der))
            .ok_or(PackageError::PublicKey)?;
        let key = PublicKey::from_spki(&der).map_err(|_| PackageError::PublicKey)?;
        let id = &certificate.public_key_id;
        Ok(EncryptionInfo {
            encrypted_symmetric_key: BASE64.encode(&key.encrypt_oaep(&self.key)?),
            initialization_vector: BASE64.encode(&self.iv),
            public_key_id: (!id.is_empty()).then(|| id.clone()),
        })
    }

    /// Encrypts; the vector is not part of the answer.
    ///
    /// # Errors
    /// [`KeyError::Operation`].
    pub fn seal(&self, plain: &[u8]) -> Result<Vec<u8>, KeyError> {
        seal_aes256_cbc(&self.key, self.iv, plain)
    }

    /// Decrypts.
    ///
    /// # Errors
    /// [`KeyError::Decryption`].
    pub fn open(&self, sealed: &[u8]) -> Result<Vec<u8>, KeyError> {
        open_aes256_cbc(&self.key, self.iv, sealed)
    }
}

/// One invoice of a batch.
#[derive(Debug, Clone, Copy)]
pub struct PackageInvoice<'a> {
    /// The name of its file, by which the system speaks of it.
    pub name: &'a str,
    /// FA(3).
    pub xml: &'a [u8],
}

/// An archive, ready for the upload.
#[derive(Debug, Clone)]
pub struct BatchPackage {
    /// What is said about it when the session is opened.
    pub file: BatchFile,
    /// The encrypted parts, in order.
    pub parts: Vec<Vec<u8>>,
}

/// Packs invoices; parts have at most `part_bytes` before encryption, which is [`PART_BYTES`] but
/// in
/// tests. The same input gives the same bytes.
///
/// # Errors
/// [`PackageError`].
pub fn pack(
    invoices: &[PackageInvoice<'_>],
    key: &SessionKey,
    part_bytes: usize,
) -> Result<BatchPackage, PackageError> {
    let archive = zip::archive(invoices)?;
    let mut parts = Vec::new();
    let mut file_parts = Vec::new();
    for (at, piece) in archive.chunks(part_bytes.clamp(1, PART_BYTES)).enumerate() {
        if at == PARTS {
            return Err(PackageError::Archive);
        }
        let sealed = key.seal(piece)?;
        file_parts.push(BatchFilePart {
            ordinal_number: u32::try_from(at + 1).map_err(|_| PackageError::Archive)?,
            file_size: sealed.len() as u64,
            file_hash: digest(&sealed),
        });
        parts.push(sealed);
    }
    let file = BatchFile {
        file_size: archive.len() as u64,
        file_hash: digest(&archive),
        compression_type: None,
        file_parts,
    };
    Ok(BatchPackage { file, parts })
}

/// The body that opens a session for a package.
pub fn batch_request(
    package: &BatchPackage,
    encryption: EncryptionInfo,
    offline_mode: bool,
) -> BatchSessionRequest {
    let batch_file = package.file.clone();
    BatchSessionRequest { form_code: FormCode::fa3(), batch_file, encryption, offline_mode }
}

/// The body that sends one invoice in an online session. `corrected` is the digest of an invoice
/// that was refused for technical reasons and is sent anew.
///
/// # Errors
/// [`PackageError::Invoice`], [`PackageError::Key`].
pub fn send_request(
    xml: &[u8],
    key: &SessionKey,
    offline_mode: bool,
    corrected: Option<&[u8; 32]>,
) -> Result<SendInvoiceRequest, PackageError> {
    check_size("the invoice", xml)?;
    let sealed = key.seal(xml)?;
    Ok(SendInvoiceRequest {
        invoice_hash: digest(xml),
        invoice_size: xml.len() as u64,
        encrypted_invoice_hash: digest(&sealed),
        encrypted_invoice_size: sealed.len() as u64,
        encrypted_invoice_content: BASE64.encode(&sealed),
        offline_mode,
        hash_of_corrected_invoice: corrected.map(|digest| BASE64.encode(digest)),
    })
}

/// SHA-256 in base64, as the interface has it.
pub fn digest(bytes: &[u8]) -> String {
    BASE64.encode(&sha256(bytes))
}

fn check_size(name: &str, xml: &[u8]) -> Result<(), PackageError> {
    // An invoice with an attachment has an element for it.
    let with_attachment = xml.windows(9).any(|window| window == b"Zalacznik");
    let allowed = if with_attachment { INVOICE_WITH_ATTACHMENT_BYTES } else { INVOICE_BYTES };
    if xml.len() > allowed {
        let name = name.to_owned();
        return Err(PackageError::Invoice { name, found: xml.len(), allowed });
    }
    Ok(())
}
