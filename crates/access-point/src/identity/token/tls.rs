//! A key in a token that signs the handshakes of TLS: a server asks its client for RSASSA-PSS
//! (RFC 8446 section 4.2.3), in TLS 1.2 for RSASSA-PKCS1-v1_5 as well.

use std::sync::Arc;

use cryptoki::mechanism::rsa::PkcsPssParams;
use quoin_xmldsig::keys::Signer as _;
use rustls::sign::{Signer, SigningKey};
use rustls::{SignatureAlgorithm, SignatureScheme};

use super::{Error, IdentityError, Mechanism, MechanismType, PROBE, PkcsMgfType, TokenPrivateKey};
use crate::budget::in_place;

/// What it signs with, the best first.
const SCHEMES: [SignatureScheme; 2] =
    [SignatureScheme::RSA_PSS_SHA256, SignatureScheme::RSA_PKCS1_SHA256];

/// A key in a token, for TLS.
#[derive(Debug)]
pub(in crate::identity) struct TokenTlsKey(Arc<TokenPrivateKey>);

impl TokenTlsKey {
    /// Sees that the token does what TLS asks for.
    ///
    /// # Errors
    /// [`IdentityError::Token`] with what the token said.
    pub(in crate::identity) fn of(
        key: &Arc<TokenPrivateKey>,
    ) -> Result<Arc<dyn SigningKey>, IdentityError> {
        key.sign_pss(PROBE).map_err(|error| IdentityError::Token {
            module: key.place.module.clone(),
            label: key.place.label.clone(),
            why: format!(
                "expected a token that signs with RSA-PSS and SHA-256 \
                 (CKM_SHA256_RSA_PKCS_PSS), which TLS asks of a certificate that is shown to a \
                 server; the key {:?} of this one does not: {error}. Whoever runs the token can \
                 allow it; else keep the key in a file",
                key.place.key
            ),
        })?;
        Ok(Arc::new(TokenTlsKey(key.clone())))
    }
}

impl TokenPrivateKey {
    /// The signature with RSASSA-PSS, SHA-256 and a salt of 32 bytes.
    fn sign_pss(&self, message: &[u8]) -> Result<Vec<u8>, Error> {
        let (hash_alg, mgf) = (MechanismType::SHA256, PkcsMgfType::MGF1_SHA256);
        let mechanism =
            Mechanism::Sha256RsaPkcsPss(PkcsPssParams { hash_alg, mgf, s_len: 32.into() });
        self.call(|session, key| session.sign(&mechanism, key, message))
    }
}

impl SigningKey for TokenTlsKey {
    fn choose_scheme(&self, offered: &[SignatureScheme]) -> Option<Box<dyn Signer>> {
        let scheme = SCHEMES.into_iter().find(|scheme| offered.contains(scheme))?;
        Some(Box::new(TokenTlsSigner { key: self.0.clone(), scheme }))
    }

    fn algorithm(&self) -> SignatureAlgorithm {
        SignatureAlgorithm::RSA
    }
}

/// The same for one handshake.
#[derive(Debug)]
struct TokenTlsSigner {
    key: Arc<TokenPrivateKey>,
    scheme: SignatureScheme,
}

impl Signer for TokenTlsSigner {
    fn sign(&self, message: &[u8]) -> Result<Vec<u8>, rustls::Error> {
        let signed = in_place(|| match self.scheme {
            SignatureScheme::RSA_PSS_SHA256 => {
                self.key.sign_pss(message).map_err(|error| error.to_string())
            }
            _ => self.key.sign_rsa_sha256(message).map_err(|error| error.to_string()),
        });
        signed.map_err(|error| {
            tracing::error!(%error, key = ?self.key, "the token could not sign for TLS");
            rustls::Error::General(format!("the token could not sign for TLS: {error}"))
        })
    }

    fn scheme(&self) -> SignatureScheme {
        self.scheme
    }
}
