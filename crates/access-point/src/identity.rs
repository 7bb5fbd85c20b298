//! Our own certificates and keys, the access point's and the SMP's: read from files, or used where
//! a token keeps them.

mod rollover;
mod shown;
#[cfg(feature = "pkcs11")]
mod token;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::Timestamp;
use quoin_peppol::as4::{DecryptionKey, OwnIdentity};
use quoin_peppol::identifiers::IdentifierError;
use quoin_peppol::pki::Certificate;
use quoin_xmldsig::keys::{Decrypter, KeyError, PrivateKey, Signer};
use quoin_xmldsig::pkcs12;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivatePkcs8KeyDer};

use crate::config::{KeyPlace, NextKey, TokenKey};
use crate::pemfile::{self, PemFileError};
use crate::plainfile;
use shown::{ShownChain, ShownKey, chain};

pub use quoin_xmldsig::pkcs12::Pkcs12Error;
pub use rollover::Rollover;

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
        /// The key file, or the token.
        key: PathBuf,
    },
    /// A PKCS#12 file cannot be used.
    #[error("{path}: {source}")]
    Pkcs12 {
        /// The file.
        path: PathBuf,
        /// Why.
        source: Pkcs12Error,
    },
    /// A token cannot be used.
    #[error("the token {label:?} at {module}: {why}")]
    Token {
        /// The library.
        module: PathBuf,
        /// The label.
        label: String,
        /// What it said.
        why: String,
    },
    /// A key that TLS does not take.
    #[error("the key of the certificate {subject} cannot be used for TLS: {source}")]
    Shown {
        /// Whose key.
        subject: String,
        /// Why.
        source: rustls::Error,
    },
    /// No place of the key is set.
    #[error("no certificate and key are set")]
    Nothing,
}

/// A key in a token, to sign with.
///
/// # Errors
/// [`IdentityError::Token`]; also from a program that was built without PKCS#11.
#[cfg(feature = "pkcs11")]
pub fn token_signer(place: &TokenKey) -> Result<Arc<dyn Signer>, IdentityError> {
    Ok(token::TokenPrivateKey::open(place)?)
}

/// The same in a program without PKCS#11, which has none.
///
/// # Errors
/// [`IdentityError::Token`].
#[cfg(not(feature = "pkcs11"))]
pub fn token_signer(place: &TokenKey) -> Result<Arc<dyn Signer>, IdentityError> {
    Err(IdentityError::Token {
        module: place.module.clone(),
        label: place.label.clone(),
        why: "this program was built without PKCS#11".to_owned(),
    })
}

/// Tries every key of this process that is in a token: how each is called, and what its token says
/// where it cannot be used. It waits for the tokens.
pub fn token_keys() -> Vec<(String, Result<(), String>)> {
    #[cfg(feature = "pkcs11")]
    return token::tried();
    #[cfg(not(feature = "pkcs11"))]
    Vec::new()
}

/// A certificate with the private key that belongs to it, wherever that is.
#[derive(Clone)]
pub struct Credentials {
    /// The certificate.
    pub certificate: Certificate,
    /// Its key, to sign.
    pub key: Arc<dyn Signer>,
    /// Its key, to decrypt.
    pub decrypter: Arc<dyn Decrypter>,
    chain: ShownChain,
    shown: ShownKey,
}

impl Credentials {
    /// Opens a certificate and its key, and sees that they belong together.
    ///
    /// # Errors
    /// [`IdentityError`].
    pub fn load(place: &KeyPlace) -> Result<Credentials, IdentityError> {
        if let Some(path) = &place.pkcs12_file {
            let password = place.pkcs12_password.as_ref().map_or("", |secret| secret.expose());
            return Credentials::pkcs12(path, password);
        }
        let file = place.certificate_file.as_ref().ok_or(IdentityError::Nothing)?;
        let pem = pemfile::read(file)?;
        let certificate = pemfile::certificate(file, &pem)?;
        let above = chain(&pem, certificate.der());
        match (&place.token, &place.key_file) {
            (Some(token), _) => Credentials::token((certificate, above), file, token),
            (None, Some(key)) => {
                let der = pkcs8(key)?;
                Credentials::held((certificate, above), file, der.secret_pkcs8_der(), key)
            }
            (None, None) => Err(IdentityError::Nothing),
        }
    }

    fn pkcs12(path: &Path, password: &str) -> Result<Credentials, IdentityError> {
        let unreadable = |source| PemFileError::Unreadable { path: path.to_owned(), source };
        let file = plainfile::bytes(path, plainfile::MOST).map_err(unreadable)?;
        let wrong = |source| IdentityError::Pkcs12 { path: path.to_owned(), source };
        let opened = pkcs12::open(&file, password).map_err(wrong)?;
        if !opened.is_of_today {
            return Err(wrong(Pkcs12Error::Cipher));
        }
        // The certificate is the one that is no authority; its chain may be in the file.
        let read = |der: &Vec<u8>| Certificate::from_der(der);
        let certificates: Result<Vec<_>, _> = opened.certificates.iter().map(read).collect();
        let certificates = certificates
            .map_err(|source| PemFileError::Certificate { path: path.to_owned(), source })?;
        let leaf = certificates.iter().find(|certificate| !certificate.is_authority()).cloned();
        let leaf = leaf.ok_or_else(|| wrong(Pkcs12Error::NoCertificate))?;
        let above = certificates.iter().filter(|other| **other != leaf);
        let chain = std::iter::once(&leaf).chain(above);
        let chain = chain.map(|one| CertificateDer::from(one.der().to_vec())).collect();
        Credentials::held((leaf, chain), path, &opened.key, path)
    }

    /// A key in memory.
    fn held(
        (certificate, chain): (Certificate, ShownChain),
        certificate_file: &Path,
        pkcs8: &[u8],
        key_file: &Path,
    ) -> Result<Credentials, IdentityError> {
        let wrong = |source| IdentityError::Key { path: key_file.to_owned(), source };
        let key = Arc::new(PrivateKey::from_pkcs8(pkcs8).map_err(wrong)?);
        // The SubjectPublicKeyInfo of an RSA certificate ends with its RSAPublicKey.
        if !certificate.spki().ends_with(key.public_key()) {
            return Err(IdentityError::Mismatch {
                certificate: certificate_file.to_owned(),
                key: key_file.to_owned(),
            });
        }
        let shown = ShownKey::held(pkcs8);
        Ok(Credentials { certificate, key: key.clone(), decrypter: key, chain, shown })
    }

    #[cfg(feature = "pkcs11")]
    fn token(
        (certificate, chain): (Certificate, ShownChain),
        file: &Path,
        place: &TokenKey,
    ) -> Result<Credentials, IdentityError> {
        let key = token::TokenPrivateKey::open(place)?;
        if !key.belongs_to(&certificate) {
            return Err(IdentityError::Mismatch {
                certificate: file.to_owned(),
                key: PathBuf::from(format!("token {}, key {}", place.label, place.key)),
            });
        }
        let shown = ShownKey::Token(key.clone());
        Ok(Credentials { certificate, key: key.clone(), decrypter: key, chain, shown })
    }

    #[cfg(not(feature = "pkcs11"))]
    fn token(
        _: (Certificate, ShownChain),
        _: &Path,
        place: &TokenKey,
    ) -> Result<Credentials, IdentityError> {
        Err(IdentityError::Token {
            module: place.module.clone(),
            label: place.label.clone(),
            why: "this program was built without the feature pkcs11".to_owned(),
        })
    }

    fn decryption_key(&self) -> DecryptionKey {
        DecryptionKey { certificate: self.certificate.der().to_vec(), key: self.decrypter.clone() }
    }
}

fn pkcs8(path: &Path) -> Result<PrivatePkcs8KeyDer<'static>, IdentityError> {
    let pem = pemfile::read(path)?;
    PrivatePkcs8KeyDer::from_pem_slice(pem.as_bytes())
        .map_err(|_| IdentityError::Key { path: path.to_owned(), source: KeyError::PrivateKey })
}

/// Our access point: one certificate signs, it and all others decrypt.
///
/// # Errors
/// [`IdentityError`].
pub fn access_point(present: &KeyPlace, others: &[KeyPlace]) -> Result<OwnIdentity, IdentityError> {
    let credentials = Credentials::load(present)?;
    let others = others.iter().map(Credentials::load).collect::<Result<Vec<_>, _>>()?;
    identity(&credentials, &others, &present.name())
}

/// Our access point over time: the present certificate, and the next one from its time on. All keys
/// decrypt at any time.
///
/// # Errors
/// [`IdentityError`].
pub fn access_point_over_time(
    present: &KeyPlace,
    next: Option<&NextKey>,
    earlier: &[KeyPlace],
) -> Result<Rollover<Arc<OwnIdentity>>, IdentityError> {
    let now = Credentials::load(present)?;
    let mut others = earlier.iter().map(Credentials::load).collect::<Result<Vec<_>, _>>()?;
    let Some(next) = next else {
        return Ok(Rollover::of(Arc::new(identity(&now, &others, &present.name())?)));
    };
    let then = Credentials::load(&next.key)?;
    others.extend([then.clone(), now.clone()]);
    let first = Arc::new(identity(&now, &others, &present.name())?);
    let second = Arc::new(identity(&then, &others, &next.key.name())?);
    // Without a time it never takes over; the check of the configuration asks for one.
    Ok(Rollover::of(first).then(next.from.unwrap_or(Timestamp::MAX), second))
}

/// Our SMP over time: the present certificate, and the next one from its time on.
///
/// # Errors
/// [`IdentityError`].
pub fn smp_over_time(
    present: &KeyPlace,
    next: Option<&NextKey>,
) -> Result<Rollover<Arc<Credentials>>, IdentityError> {
    let first = Rollover::of(Arc::new(Credentials::load(present)?));
    let Some(next) = next else { return Ok(first) };
    let second = Arc::new(Credentials::load(&next.key)?);
    Ok(first.then(next.from.unwrap_or(Timestamp::MAX), second))
}

fn identity(
    signs: &Credentials,
    others: &[Credentials],
    name: &Path,
) -> Result<OwnIdentity, IdentityError> {
    let seat = signs.certificate.seat();
    let seat = seat.map_err(|source| IdentityError::Seat { path: name.to_owned(), source })?;
    let mut decryption = vec![signs.decryption_key()];
    for other in others.iter().filter(|other| other.certificate != signs.certificate) {
        decryption.push(other.decryption_key());
    }
    Ok(OwnIdentity {
        seat_id: seat.to_string(),
        certificate: signs.certificate.der().to_vec(),
        signer: signs.key.clone(),
        decryption,
    })
}
