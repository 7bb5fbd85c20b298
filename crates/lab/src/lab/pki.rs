//! A test PKI of the shape of the G3 hierarchy (PEPPOL Root CA - G3): a root, a CA for
//! access points and one for SMPs, leaves with the same names, usages and pointers; and beside it
//! a small CA for the certificates of web servers. Nothing in it is believed outside the lab.

mod issue;
mod ocsp;

use std::path::Path;
use std::sync::Mutex;

use jiff::{SignedDuration, Timestamp};
use rcgen::{Certificate, CertificateParams, Issuer, KeyPair};

use crate::rsa_keys::RsaKeys;

pub use issue::LeafCertificate;

/// How long certificates are valid (digest 3.2: about 720 days).
const LEAF_DAYS: i64 = 720;

/// How long CAs are valid: ten years.
const CA_DAYS: i64 = 3652;

/// How long a revocation list or an answer about a status may be kept.
const STATUS_HOURS: i64 = 24;

/// A certificate could not be made. A fault.
#[derive(Debug, thiserror::Error)]
pub enum PkiError {
    /// The certificate library refused.
    #[error("the lab's certificate could not be made: {0}")]
    Issue(#[from] rcgen::Error),
    /// An answer of the responder could not be encoded.
    #[error("the lab's OCSP answer could not be made: {0}")]
    Ocsp(String),
    /// Files could not be written.
    #[error("the lab's certificates could not be written: {0}")]
    Write(#[from] std::io::Error),
}

/// For which role of the network a CA issues.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeafRole {
    /// Access points.
    AccessPoint,
    /// Service metadata publishers.
    Smp,
}

/// When a leaf is valid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeafValidity {
    /// From yesterday for about two years.
    Current,
    /// It ended yesterday.
    Expired,
    /// It starts tomorrow.
    NotYet,
}

/// A certificate authority of the lab.
pub struct Authority {
    /// Name of its files and addresses: `root`, `ap`, `smp` or `tls`.
    pub name: &'static str,
    certificate: Certificate,
    issuer: Issuer<'static, KeyPair>,
    revoked: Mutex<Vec<Revoked>>,
}

#[derive(Debug, Clone)]
struct Revoked {
    serial: Vec<u8>,
    at: Timestamp,
}

/// The whole PKI.
#[derive(Debug)]
pub struct LabPki {
    /// Above both Peppol CAs.
    pub root: Authority,
    /// Issues for access points.
    pub ap: Authority,
    /// Issues for SMPs.
    pub smp: Authority,
    /// Issues for web servers; not part of Peppol.
    pub tls: Authority,
    base_url: String,
    made: Timestamp,
    keys: RsaKeys,
}

impl std::fmt::Debug for Authority {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Authority").field("name", &self.name).finish_non_exhaustive()
    }
}

impl LabPki {
    /// Makes the CAs. Certificates point to `base_url` for revocation lists, responders and
    /// issuers (see [`super::pki_http`]), as in `http://127.0.0.1:18080`.
    ///
    /// # Errors
    /// [`PkiError`].
    pub fn generate(base_url: &str, now: Timestamp) -> Result<LabPki, PkiError> {
        let base_url = base_url.trim_end_matches('/').to_owned();
        let keys = RsaKeys::default();
        let root = issue::root(&keys, now)?;
        let below =
            |name, common| issue::intermediate(&root, (name, common), &keys, &base_url, now);
        let ap = below("ap", "PEPPOL ACCESS POINT TEST CA - LAB")?;
        let smp = below("smp", "PEPPOL SERVICE METADATA PUBLISHER TEST CA - LAB")?;
        let tls = issue::tls_authority(now)?;
        Ok(LabPki { root, ap, smp, tls, base_url, made: now, keys })
    }

    /// Issues a leaf for a seat id such as `POP000001`, with an RSA 2048 key of its own.
    ///
    /// # Errors
    /// [`PkiError`].
    pub fn leaf(
        &self,
        role: LeafRole,
        seat: &str,
        validity: LeafValidity,
    ) -> Result<LeafCertificate, PkiError> {
        let days = |days| self.made + SignedDuration::from_hours(24 * days);
        let (from, until) = match validity {
            LeafValidity::Current => (days(-1), days(LEAF_DAYS)),
            LeafValidity::Expired => (days(-LEAF_DAYS), days(-1)),
            LeafValidity::NotYet => (days(1), days(LEAF_DAYS)),
        };
        let names = (seat, self.base_url.as_str());
        issue::leaf(self.authority(role), role, names, &self.keys, (from, until))
    }

    /// Issues a TLS certificate (ECDSA P-256) for names and addresses.
    ///
    /// # Errors
    /// [`PkiError`].
    pub fn server(&self, names: &[&str]) -> Result<LeafCertificate, PkiError> {
        issue::server(&self.tls, names, self.made)
    }

    /// The CA of a role.
    pub fn authority(&self, role: LeafRole) -> &Authority {
        match role {
            LeafRole::AccessPoint => &self.ap,
            LeafRole::Smp => &self.smp,
        }
    }

    /// The CA with this name.
    pub fn find(&self, name: &str) -> Option<&Authority> {
        [&self.root, &self.ap, &self.smp, &self.tls].into_iter().find(|a| a.name == name)
    }

    /// Writes the certificates of all CAs as `NAME-ca.pem` into a folder. Keys stay in memory.
    ///
    /// # Errors
    /// [`PkiError::Write`].
    pub fn write(&self, folder: &Path) -> Result<(), PkiError> {
        std::fs::create_dir_all(folder)?;
        for authority in [&self.root, &self.ap, &self.smp, &self.tls] {
            std::fs::write(folder.join(format!("{}-ca.pem", authority.name)), authority.pem())?;
        }
        Ok(())
    }
}

impl Authority {
    fn new(
        name: &'static str,
        certificate: Certificate,
        params: CertificateParams,
        key: KeyPair,
    ) -> Authority {
        let issuer = Issuer::new(params, key);
        Authority { name, certificate, issuer, revoked: Mutex::default() }
    }

    /// Its certificate in DER.
    pub fn der(&self) -> &[u8] {
        self.certificate.der()
    }

    /// Its certificate in PEM.
    pub fn pem(&self) -> String {
        self.certificate.pem()
    }

    /// Revokes a leaf from `at` on, for a compromised key.
    pub fn revoke(&self, leaf: &LeafCertificate, at: Timestamp) {
        let mut revoked = self.revoked.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        revoked.push(Revoked { serial: leaf.serial.clone(), at });
    }

    /// Its revocation list in DER, fresh at `now`.
    ///
    /// # Errors
    /// [`PkiError::Issue`].
    pub fn crl(&self, now: Timestamp) -> Result<Vec<u8>, PkiError> {
        issue::crl(self, &self.revoked(), now)
    }

    /// Answers an OCSP request (RFC 6960), both in DER, fresh at `now`.
    ///
    /// # Errors
    /// [`PkiError::Ocsp`] where the answer could not be made; a request that cannot be read gets
    /// the answer that the protocol has for it.
    pub fn ocsp(&self, request: &[u8], now: Timestamp) -> Result<Vec<u8>, PkiError> {
        ocsp::answer(self, &self.revoked(), request, now)
    }

    fn revoked(&self) -> Vec<Revoked> {
        self.revoked.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).clone()
    }
}

#[cfg(test)]
mod tests;
