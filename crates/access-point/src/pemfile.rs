//! Certificates read from files that the configuration names.

use std::path::{Path, PathBuf};

use quoin_peppol::pki::{Certificate, CertificateError};

use crate::plainfile;

/// Why a file with a certificate cannot be used. A mistake in the configuration.
#[derive(Debug, thiserror::Error)]
pub enum PemFileError {
    /// It cannot be read.
    #[error("{path}: {source}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// It holds something that is not a certificate.
    #[error("{path}: {source}")]
    Certificate {
        /// The file.
        path: PathBuf,
        /// Why.
        source: CertificateError,
    },
}

/// Reads a file.
///
/// # Errors
/// [`PemFileError::Unreadable`].
pub fn read(path: &Path) -> Result<String, PemFileError> {
    plainfile::text(path, plainfile::MOST)
        .map_err(|source| PemFileError::Unreadable { path: path.to_owned(), source })
}

/// The certificate in a text that was read from a file.
///
/// # Errors
/// [`PemFileError::Certificate`].
pub fn certificate(path: &Path, pem: &str) -> Result<Certificate, PemFileError> {
    Certificate::from_text(pem)
        .map_err(|source| PemFileError::Certificate { path: path.to_owned(), source })
}
