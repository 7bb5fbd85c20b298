//! Our certificates in TLS: what a client shows to a server that asks who calls, wherever the key
//! is.

use std::sync::Arc;

use rustls::crypto::aws_lc_rs::sign::any_supported_type;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer, pem::PemObject};
use rustls::sign::{CertifiedKey, SigningKey};

use super::{Credentials, IdentityError};
#[cfg(feature = "pkcs11")]
use crate::identity::token::{TokenPrivateKey, TokenTlsKey};

/// A key as TLS takes it.
#[derive(Clone)]
pub(super) enum ShownKey {
    /// A key in memory, or why TLS does not take it.
    Held(Result<Arc<dyn SigningKey>, rustls::Error>),
    /// A key in a token.
    #[cfg(feature = "pkcs11")]
    Token(Arc<TokenPrivateKey>),
}

impl ShownKey {
    /// Of a key in PKCS#8 (DER).
    pub(super) fn held(pkcs8: &[u8]) -> ShownKey {
        ShownKey::Held(any_supported_type(&PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(pkcs8))))
    }
}

/// What a server of TLS is shown: the certificate, and those above it that are in the same file.
pub(super) type ShownChain = Vec<CertificateDer<'static>>;

/// The certificates of a PEM text, in its order; the one that was read of it where it has no lines
/// that mark it.
pub(super) fn chain(pem: &str, leaf: &[u8]) -> ShownChain {
    let read = CertificateDer::pem_slice_iter(pem.as_bytes()).collect::<Result<Vec<_>, _>>();
    let own = || vec![CertificateDer::from(leaf.to_vec())];
    read.ok().filter(|found| !found.is_empty()).unwrap_or_else(own)
}

impl Credentials {
    /// The certificate with its key, as a client shows it to a server. A token is asked for a
    /// signature first, so that one that cannot do this is told at the start.
    ///
    /// # Errors
    /// [`IdentityError`] where the key cannot sign what TLS asks for.
    pub fn shown(&self) -> Result<Arc<CertifiedKey>, IdentityError> {
        let key = match &self.shown {
            ShownKey::Held(Ok(key)) => key.clone(),
            ShownKey::Held(Err(source)) => {
                let subject = self.certificate.subject().to_string();
                return Err(IdentityError::Shown { subject, source: source.clone() });
            }
            #[cfg(feature = "pkcs11")]
            ShownKey::Token(key) => TokenTlsKey::of(key)?,
        };
        Ok(Arc::new(CertifiedKey::new(self.chain.clone(), key)))
    }
}
