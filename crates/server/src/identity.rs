//! Our own certificates and keys, read from files: the access point's and the SMP's.

#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::sync::Arc;

use quoin_peppol::as4::{DecryptionKey, OwnIdentity};
use quoin_peppol::identifiers::IdentifierError;
use quoin_peppol::pki::Certificate;
use quoin_xml::keys::{KeyError, PrivateKey};
use rustls::pki_types::PrivatePkcs8KeyDer;
use rustls::pki_types::pem::PemObject;

use crate::config::KeyFiles;
use crate::pemfile::{self, PemFileError};

/// Why our own identity cannot be used. A fault of the installation.
#[derive(Debug, thiserror::Error)]
pub enum IdentityError {
    /// A file cannot be used.
    #[error(transparent)]
    File(#[from] PemFileError),
    /// The subject of the certificate names no seat.
    #[error("{path}: the common name must be a seat id: {source}")]
    Seat {
        /// The file.
        path: PathBuf,
        /// Why.
        source: IdentifierError,
    },
    /// The key file holds no PKCS#8 RSA key.
    #[error("{path}: {source}")]
    Key {
        /// The file.
        path: PathBuf,
        /// Why.
        source: KeyError,
    },
    /// The key is not the certificate's.
    #[error("{key}: this is not the private key of {certificate}")]
    Mismatch {
        /// The certificate file.
        certificate: PathBuf,
        /// The key file.
        key: PathBuf,
    },
}

/// A certificate with the private key that belongs to it.
pub struct Credentials {
    /// The certificate.
    pub certificate: Certificate,
    /// Its key.
    pub key: Arc<PrivateKey>,
}

impl Credentials {
    /// Reads a certificate (PEM) and its PKCS#8 key (PEM), and sees that they belong together.
    ///
    /// # Errors
    /// [`IdentityError`].
    pub fn load(files: &KeyFiles) -> Result<Credentials, IdentityError> {
        let certificate_file = &files.certificate_file;
        let text = pemfile::read(certificate_file)?;
        let certificate = pemfile::certificate(certificate_file, &text)?;
        let pem = pemfile::read(&files.key_file)?;
        let wrong = |source| IdentityError::Key { path: files.key_file.clone(), source };
        let der = PrivatePkcs8KeyDer::from_pem_slice(pem.as_bytes())
            .map_err(|_| wrong(KeyError::PrivateKey))?;
        let key = PrivateKey::from_pkcs8(der.secret_pkcs8_der()).map_err(wrong)?;
        // The SubjectPublicKeyInfo of an RSA certificate ends with its RSAPublicKey.
        if !certificate.spki().ends_with(key.public_key()) {
            return Err(IdentityError::Mismatch {
                certificate: certificate_file.clone(),
                key: files.key_file.clone(),
            });
        }
        Ok(Credentials { certificate, key: Arc::new(key) })
    }

    fn decryption_key(&self) -> DecryptionKey {
        DecryptionKey { certificate: self.certificate.der().to_vec(), key: self.key.clone() }
    }
}

/// Our access point: the present certificate signs, earlier ones still decrypt.
///
/// # Errors
/// [`IdentityError`].
pub fn access_point(
    present: &KeyFiles,
    earlier: &[KeyFiles],
) -> Result<OwnIdentity, IdentityError> {
    let credentials = Credentials::load(present)?;
    let seat = credentials
        .certificate
        .seat()
        .map_err(|source| IdentityError::Seat { path: present.certificate_file.clone(), source })?;
    let mut decryption = vec![credentials.decryption_key()];
    for files in earlier {
        decryption.push(Credentials::load(files)?.decryption_key());
    }
    Ok(OwnIdentity {
        seat_id: seat.to_string(),
        certificate: credentials.certificate.der().to_vec(),
        signer: credentials.key,
        decryption,
    })
}
