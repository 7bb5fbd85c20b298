//! Who takes part: our own certificate and keys, and the other access point's certificate.

use std::fmt;
use std::sync::Arc;

use quoin_xml::base64;
use quoin_xmldsig::keys::{Decrypter, KeyError, PublicKey, Signer};

/// The other access point: a certificate that was parsed once and judged by the caller.
#[derive(Debug)]
pub struct Peer {
    /// The certificate in DER.
    pub certificate: Vec<u8>,
    /// The subject common name: the seat id.
    pub common_name: String,
    /// Its public key.
    pub key: PublicKey,
    base64: String,
}

impl Peer {
    /// A peer from its certificate (DER), the common name and the SubjectPublicKeyInfo (DER).
    ///
    /// # Errors
    /// [`KeyError::PublicKey`] when the key is not RSA.
    pub fn new(
        certificate: Vec<u8>,
        common_name: String,
        subject_public_key_info: &[u8],
    ) -> Result<Peer, KeyError> {
        let key = PublicKey::from_spki(subject_public_key_info)?;
        let base64 = base64::encode(&certificate);
        Ok(Peer { certificate, common_name, key, base64 })
    }

    pub(super) fn certificate_base64(&self) -> &str {
        &self.base64
    }
}

/// Why a certificate is not trusted: expired, revoked, of another authority or role.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct CertificateRefusal {
    /// What is wrong with it, in a sentence that the other side may read.
    pub reason: String,
}

/// Judges certificates of access points: chain, validity, role and revocation.
pub trait Peers {
    /// The peer behind a certificate (DER).
    ///
    /// # Errors
    /// [`CertificateRefusal`] when it is not trusted now.
    fn access_point(&self, certificate: &[u8]) -> Result<Arc<Peer>, CertificateRefusal>;
}

/// A key that others may have encrypted to.
#[derive(Clone)]
pub struct DecryptionKey {
    /// The certificate (DER) that they used.
    pub certificate: Vec<u8>,
    /// The key behind it.
    pub key: Arc<dyn Decrypter>,
}

/// Our own access point.
#[derive(Clone)]
pub struct OwnIdentity {
    /// The seat id: the common name of the certificate.
    pub seat_id: String,
    /// The certificate (DER) that signs.
    pub certificate: Vec<u8>,
    /// The key that signs.
    pub signer: Arc<dyn Signer>,
    /// All keys that may decrypt: the present one and, during a roll-over, earlier ones.
    pub decryption: Vec<DecryptionKey>,
}

impl fmt::Debug for OwnIdentity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OwnIdentity").field("seat_id", &self.seat_id).finish_non_exhaustive()
    }
}

impl OwnIdentity {
    /// Whether one of its keys may take long: then messages are sealed and opened off threads that
    /// serve others.
    pub fn is_slow(&self) -> bool {
        self.signer.is_slow() || self.decryption.iter().any(|own| own.key.is_slow())
    }

    /// The key whose certificate is this one.
    pub(super) fn decrypter(&self, certificate: &[u8]) -> Option<&dyn Decrypter> {
        let found = self.decryption.iter().find(|own| own.certificate == certificate)?;
        Some(found.key.as_ref())
    }
}
