//! The TLS side of a door: certificate chain and key from PEM.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustls::pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject};
use rustls::server::{WantsServerCert, WebPkiClientVerifier};
use rustls::{ConfigBuilder, RootCertStore, ServerConfig, WantsVerifier};

use crate::plainfile;

/// Why a door cannot speak TLS. A fault of the installation.
#[derive(Debug, thiserror::Error)]
pub enum MaterialError {
    /// A PEM file could not be read.
    #[error("{}: {reason}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// PEM text without what was looked for.
    #[error("the PEM text holds no {0}")]
    Missing(&'static str),
    /// The same of files.
    #[error("{source} ({} and {})", certificate.display(), key.display())]
    Files {
        /// The file of the certificate.
        certificate: PathBuf,
        /// The file of its key.
        key: PathBuf,
        /// What is wrong with them.
        source: Box<MaterialError>,
    },
    /// A private key that no door can sign with.
    #[error(
        "certificate and key are not usable: the private key is none for TLS: expected RSA of 2048 \
         to 8192 bits, ECDSA on P-256, P-384 or P-521, or Ed25519"
    )]
    Key,
    /// Certificate and key are not usable, or do not belong together.
    #[error("certificate and key are not usable: {0}")]
    Unusable(#[from] rustls::Error),
}

/// What a door speaks TLS with.
pub type DoorMaterial = Arc<ServerConfig>;

/// TLS 1.2 and 1.3 with HTTP/2 and HTTP/1.1, from two PEM files.
///
/// # Errors
/// [`MaterialError`].
pub fn server_tls_from_files(
    certificate: &Path,
    key: &Path,
) -> Result<DoorMaterial, MaterialError> {
    let read = |path: &Path| {
        plainfile::bytes(path, plainfile::MOST).map_err(|error| MaterialError::Unreadable {
            path: path.to_owned(),
            reason: error.to_string(),
        })
    };
    server_tls(&read(certificate)?, &read(key)?).map_err(|source| MaterialError::Files {
        certificate: certificate.to_owned(),
        key: key.to_owned(),
        source: Box::new(source),
    })
}

/// TLS 1.2 and 1.3 with HTTP/2 and HTTP/1.1, from PEM texts: the certificate first, then its
/// chain; and the private key.
///
/// # Errors
/// [`MaterialError`].
pub fn server_tls(certificate: &[u8], key: &[u8]) -> Result<Arc<ServerConfig>, MaterialError> {
    let config = server_config()?.with_no_client_auth();
    finished(config, certificate, key)
}

/// The same for a door that only opens to clients with a certificate of these authorities (DER), as
/// the registers of the network do.
///
/// # Errors
/// [`MaterialError`].
pub fn mutual_tls(
    certificate: &[u8],
    key: &[u8],
    authorities: &[&[u8]],
) -> Result<Arc<ServerConfig>, MaterialError> {
    let mut roots = RootCertStore::empty();
    for authority in authorities {
        roots.add(CertificateDer::from(authority.to_vec()))?;
    }
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider)
        .build()
        .map_err(|error| rustls::Error::General(error.to_string()))?;
    finished(server_config()?.with_client_cert_verifier(verifier), certificate, key)
}

fn server_config() -> Result<ConfigBuilder<ServerConfig, WantsVerifier>, rustls::Error> {
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    ServerConfig::builder_with_provider(provider)
        .with_protocol_versions(&[&rustls::version::TLS13, &rustls::version::TLS12])
}

fn finished(
    config: ConfigBuilder<ServerConfig, WantsServerCert>,
    certificate: &[u8],
    key: &[u8],
) -> Result<Arc<ServerConfig>, MaterialError> {
    let chain: Vec<CertificateDer<'static>> = CertificateDer::pem_slice_iter(certificate)
        .collect::<Result<_, _>>()
        .map_err(|_| MaterialError::Missing("certificate"))?;
    if chain.is_empty() {
        return Err(MaterialError::Missing("certificate"));
    }
    let key =
        PrivateKeyDer::from_pem_slice(key).map_err(|_| MaterialError::Missing("private key"))?;
    rustls::crypto::aws_lc_rs::sign::any_supported_type(&key).map_err(|_| MaterialError::Key)?;
    let mut config = config.with_single_cert(chain, key)?;
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(Arc::new(config))
}
