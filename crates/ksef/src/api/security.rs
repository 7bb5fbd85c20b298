//! The public keys of the system.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// One item of `GET /security/public-key-certificates`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PublicKeyCertificate {
    /// DER in base64.
    pub certificate: String,
    /// SHA-256 of the DER, in base64.
    #[serde(default)]
    pub certificate_id: String,
    /// SHA-256 of the public key (SPKI), in base64.
    #[serde(default)]
    pub public_key_id: String,
    /// From when it is good.
    pub valid_from: Timestamp,
    /// Until when it is good.
    pub valid_to: Timestamp,
    /// `KsefTokenEncryption`, `SymmetricKeyEncryption`.
    pub usage: Vec<String>,
}

/// The certificate to wrap the key of a session with: the youngest that is good at a time.
pub fn symmetric_key_certificate(
    all: &[PublicKeyCertificate],
    now: Timestamp,
) -> Option<&PublicKeyCertificate> {
    all.iter()
        .filter(|one| one.usage.iter().any(|usage| usage == "SymmetricKeyEncryption"))
        .filter(|one| one.valid_from <= now && now < one.valid_to)
        .max_by_key(|one| one.valid_from)
}
