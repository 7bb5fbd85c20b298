//! Which certificate authorities of web servers are believed on outgoing connections: the Mozilla
//! list (Peppol transport security policy P1), plus what the operator adds.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustls::pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject};
use rustls::sign::CertifiedKey;
use rustls::{ClientConfig, RootCertStore};

/// The certificate of an authority of servers.
pub type TlsRoot = CertificateDer<'static>;

/// Why trusted roots could not be set up. A fault of the installation.
#[derive(Debug, thiserror::Error)]
pub enum RootsError {
    /// A file could not be read as PEM.
    #[error("{}: {reason}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A certificate cannot serve as a root.
    #[error("a certificate or key for TLS is not usable: {0}")]
    Unusable(rustls::Error),
}

/// Reads the certificates of PEM files.
///
/// # Errors
/// A file that cannot be read, or holds no certificate.
pub fn extra_roots(files: &[PathBuf]) -> Result<Vec<CertificateDer<'static>>, RootsError> {
    let mut roots = Vec::new();
    for path in files {
        roots.extend(certificates(path)?);
    }
    Ok(roots)
}

/// Reads all certificates of one PEM file, in its order.
pub(crate) fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, RootsError> {
    let unreadable = |reason: String| RootsError::Unreadable { path: path.to_owned(), reason };
    let found: Vec<_> = CertificateDer::pem_file_iter(path)
        .and_then(|certificates| certificates.collect())
        .map_err(|error| unreadable(error.to_string()))?;
    if found.is_empty() {
        return Err(unreadable("holds no certificate in PEM form".to_owned()));
    }
    Ok(found)
}

/// A certificate, with the chain that its file holds, and its key: what a client shows to a server
/// that asks for one.
///
/// # Errors
/// A file that cannot be read, or holds something else; a key that is not the certificate's.
pub fn client_identity(certificate: &Path, key: &Path) -> Result<Arc<CertifiedKey>, RootsError> {
    let chain = certificates(certificate)?;
    let key = PrivateKeyDer::from_pem_file(key).map_err(|error| RootsError::Unreadable {
        path: key.to_owned(),
        reason: error.to_string(),
    })?;
    let provider = rustls::crypto::aws_lc_rs::default_provider();
    let identity = CertifiedKey::from_der(chain, key, &provider).map_err(RootsError::Unusable)?;
    Ok(Arc::new(identity))
}

/// TLS 1.2 and 1.3 for a client that believes the Mozilla list and `extra`.
///
/// # Errors
/// [`RootsError::Unusable`] where an extra root is no certificate.
pub fn client_tls(extra: &[CertificateDer<'static>]) -> Result<ClientConfig, RootsError> {
    let mut roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
    for root in extra {
        roots.add(root.clone()).map_err(RootsError::Unusable)?;
    }
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_protocol_versions(&[&rustls::version::TLS13, &rustls::version::TLS12])
        .map_err(RootsError::Unusable)?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(config)
}
