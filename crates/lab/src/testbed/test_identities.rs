//! The certificates that the testbed puts on: good ones, and each kind that must not be believed.

use std::path::{Path, PathBuf};

use jiff::{SignedDuration, Timestamp};
use quoin_peppol::as4::{OwnIdentity, Peer};
use quoin_peppol::pki::Certificate;

use crate::lab::pki::{LabPki, LeafCertificate, LeafRole, LeafValidity, PkiError};
use quoin_access_point::config::KeyPlace;
use quoin_access_point::identity::{self, Credentials};

/// A certificate with its key: `NAME.pem` and `NAME.key` in the folder of identities.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TestIdentity {
    /// `ap`: a good one of an access point.
    Ap,
    /// `ap-other`: a good one of another access point.
    ApOther,
    /// `ap-expired`: its time is over.
    ApExpired,
    /// `ap-not-yet`: its time has not come.
    ApNotYet,
    /// `ap-revoked`: its authority took it back.
    ApRevoked,
    /// `ap-foreign`: of an authority that is not Peppol's.
    ApForeign,
    /// `smp`: a good one of an SMP.
    Smp,
    /// `smp-other`: a good one of another SMP.
    SmpOther,
    /// `smp-expired`: its time is over.
    SmpExpired,
    /// `smp-revoked`: its authority took it back.
    SmpRevoked,
    /// `smp-foreign`: of an authority that is not Peppol's.
    SmpForeign,
}

/// Every dress with its name, role and seat number in the lab.
const DRESSES: &[(TestIdentity, &str, LeafRole, &str)] = &[
    (TestIdentity::Ap, "ap", LeafRole::AccessPoint, "POP000901"),
    (TestIdentity::ApOther, "ap-other", LeafRole::AccessPoint, "POP000902"),
    (TestIdentity::ApExpired, "ap-expired", LeafRole::AccessPoint, "POP000901"),
    (TestIdentity::ApNotYet, "ap-not-yet", LeafRole::AccessPoint, "POP000901"),
    (TestIdentity::ApRevoked, "ap-revoked", LeafRole::AccessPoint, "POP000901"),
    (TestIdentity::ApForeign, "ap-foreign", LeafRole::AccessPoint, "POP000901"),
    (TestIdentity::Smp, "smp", LeafRole::Smp, "POP000901"),
    (TestIdentity::SmpOther, "smp-other", LeafRole::Smp, "POP000902"),
    (TestIdentity::SmpExpired, "smp-expired", LeafRole::Smp, "POP000901"),
    (TestIdentity::SmpRevoked, "smp-revoked", LeafRole::Smp, "POP000901"),
    (TestIdentity::SmpForeign, "smp-foreign", LeafRole::Smp, "POP000901"),
];

/// Names of the TLS certificates of the counterpart: one that is believed, one that is not.
pub const TLS: &str = "tls";
/// The TLS certificate that nobody believes.
pub const TLS_FOREIGN: &str = "tls-foreign";

impl TestIdentity {
    /// The name of its files.
    pub fn name(self) -> &'static str {
        DRESSES.iter().find(|row| row.0 == self).map_or("ap", |row| row.1)
    }
}

/// A folder of identities.
#[derive(Debug, Clone)]
pub struct TestIdentities {
    folder: PathBuf,
}

/// Why a certificate cannot be put on.
#[derive(Debug, thiserror::Error)]
pub enum DressError {
    /// It is not in the folder.
    #[error("{0}.pem and {0}.key are not in the folder of identities")]
    Absent(&'static str),
    /// It cannot be used.
    #[error(transparent)]
    Identity(#[from] identity::IdentityError),
    /// Its key is not RSA.
    #[error("{0}.pem: the key is not RSA of 2048 to 8192 bits")]
    Key(&'static str),
}

impl TestIdentities {
    /// The identities in a folder.
    pub fn at(folder: &Path) -> TestIdentities {
        TestIdentities { folder: folder.to_owned() }
    }

    /// The paths of a certificate and its key, whether they are there or not.
    pub fn files(&self, name: &str) -> (PathBuf, PathBuf) {
        let file = |end: &str| self.folder.join(format!("{name}.{end}"));
        (file("pem"), file("key"))
    }

    fn present(&self, dress: TestIdentity) -> Result<KeyPlace, DressError> {
        let (certificate, key) = self.files(dress.name());
        if certificate.is_file() && key.is_file() {
            return Ok(KeyPlace::files(certificate, key));
        }
        Err(DressError::Absent(dress.name()))
    }

    /// A certificate and its key.
    ///
    /// # Errors
    /// [`DressError`].
    pub fn credentials(&self, dress: TestIdentity) -> Result<Credentials, DressError> {
        Ok(Credentials::load(&self.present(dress)?)?)
    }

    /// An access point with this certificate, whatever the certificate is for.
    ///
    /// # Errors
    /// [`DressError`].
    pub fn access_point(&self, dress: TestIdentity) -> Result<OwnIdentity, DressError> {
        Ok(identity::access_point(&self.present(dress)?, &[])?)
    }

    /// The certificate alone.
    ///
    /// # Errors
    /// [`DressError`].
    pub fn certificate(&self, dress: TestIdentity) -> Result<Certificate, DressError> {
        Ok(self.credentials(dress)?.certificate)
    }

    /// An access point that somebody else may encrypt to.
    ///
    /// # Errors
    /// [`DressError`].
    pub fn peer(&self, dress: TestIdentity) -> Result<Peer, DressError> {
        let certificate = self.certificate(dress)?;
        let seat = certificate.seat().map(|seat| seat.to_string()).unwrap_or_default();
        let peer = Peer::new(certificate.der().to_vec(), seat, certificate.spki());
        peer.map_err(|_| DressError::Key(dress.name()))
    }

    /// Fills a folder with a certificate of every kind, issued by the lab.
    ///
    /// # Errors
    /// [`PkiError`].
    pub fn fill(folder: &Path, pki: &LabPki, now: Timestamp) -> Result<TestIdentities, PkiError> {
        // Its names are those of the lab's authorities, its keys are not.
        let foreign = LabPki::generate("http://127.0.0.1:1", now)?;
        for (dress, name, role, seat) in DRESSES {
            let validity = match dress {
                TestIdentity::ApExpired | TestIdentity::SmpExpired => LeafValidity::Expired,
                TestIdentity::ApNotYet => LeafValidity::NotYet,
                _ => LeafValidity::Current,
            };
            let from_abroad = matches!(dress, TestIdentity::ApForeign | TestIdentity::SmpForeign);
            let issuer = if from_abroad { &foreign } else { pki };
            let leaf = issuer.leaf(*role, seat, validity)?;
            if matches!(dress, TestIdentity::ApRevoked | TestIdentity::SmpRevoked) {
                let since = now - SignedDuration::from_hours(1);
                pki.authority(*role).revoke(&leaf, since);
            }
            leaf.write(folder, name)?;
        }
        let server = |pki: &LabPki| -> Result<LeafCertificate, PkiError> {
            pki.server(&["127.0.0.1", "localhost"])
        };
        server(pki)?.write(folder, TLS)?;
        server(&foreign)?.write(folder, TLS_FOREIGN)?;
        Ok(TestIdentities::at(folder))
    }
}
