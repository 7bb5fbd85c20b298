//! The key that signs tokens: the operator's, or one that is made at the first start and kept.

use rustls::pki_types::PrivatePkcs8KeyDer;
use rustls::pki_types::pem::PemObject;

use crate::config::Config;
use crate::http::token::{TokenKeyError, Tokens};
use crate::keyfile::{KeyFileError, read_or_make};
use crate::start::StartError;

/// The P-256 key in PKCS#8 DER.
pub(super) fn key(config: &Config) -> Result<Vec<u8>, StartError> {
    let Some(path) = &config.api.token_key_file else {
        let path = config.data_dir.join("token.key");
        let make = || Tokens::generate_key().map_err(|error| error.to_string());
        return Ok(read_or_make(&path, make)?);
    };
    let unreadable = |reason: String| KeyFileError { path: path.clone(), reason };
    let text = std::fs::read(path).map_err(|error| unreadable(error.to_string()))?;
    let key = PrivatePkcs8KeyDer::from_pem_slice(&text)
        .map_err(|_| TokenKeyError("expected a PKCS#8 private key in PEM".to_owned()))?;
    Ok(key.secret_pkcs8_der().to_vec())
}
