//! Certificate revocation lists (RFC 5280, section 5): verified once when they arrive, asked often.

use std::collections::HashMap;

use aws_lc_rs::digest::{SHA256, digest};
use jiff::Timestamp;
use webpki::BorrowedCertRevocationList;
use x509_cert::crl::{CertificateList, RevokedCert};
use x509_cert::der::{Decode, Encode};
use x509_cert::ext::pkix::CrlReason;
use x509_cert::ext::pkix::crl::IssuingDistributionPoint;
use x509_cert::ext::pkix::name::DistributionPointName;

use super::certificate::{extension, http, timestamp};
use super::signed::Signed;
use super::{Certificate, RevocationDataError, RevocationStatus};

/// Largest CRL that is read, in bytes. Those of the Peppol authorities are under 100 kB.
pub(super) const CRL_LIMIT: usize = 16 << 20;

const ISSUING_DISTRIBUTION_POINT: &str = "2.5.29.28";
const WHAT: &str = "CRL";

/// A revocation list whose signature was verified.
#[derive(Debug, Clone)]
pub struct Crl {
    issuer: [u8; 32],
    /// SHA-256 of the list as it came.
    sha256: [u8; 32],
    this_update: Timestamp,
    next_update: Option<Timestamp>,
    revoked: HashMap<Vec<u8>, (Timestamp, String)>,
    scope: CrlCoverage,
}

/// Which certificates of the issuer the list is about.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct CrlCoverage {
    /// The distribution points that it is of, where it names them: it is about certificates that
    /// name one of these (RFC 5280, section 6.3.3 (b)(2)), and about none where nothing of what it
    /// names can be compared.
    points: Option<Vec<String>>,
    users_only: bool,
    authorities_only: bool,
}

impl Crl {
    /// Reads a list from DER and verifies that `issuer` signed it.
    ///
    /// # Errors
    /// [`RevocationDataError`]: unreadable, of another issuer, badly signed, or of a kind that
    /// cannot prove anything here (delta, indirect, for some reasons only).
    pub fn verify(der: &[u8], issuer: &Certificate) -> Result<Self, RevocationDataError> {
        let unreadable = |why: String| RevocationDataError::Unreadable { what: WHAT, why };
        if der.len() > CRL_LIMIT {
            return Err(unreadable(format!("it is larger than {CRL_LIMIT} bytes")));
        }
        // This reader refuses versions, delta lists and critical extensions it does not know.
        BorrowedCertRevocationList::from_der(der).map_err(|e| unreadable(e.to_string()))?;
        let list = CertificateList::from_der(der).map_err(|e| unreadable(e.to_string()))?;
        let tbs = list.tbs_cert_list;
        let name = tbs.issuer.to_der().map_err(|e| unreadable(e.to_string()))?;
        if name != issuer.subject_der() {
            let why = "its issuer has another name";
            return Err(RevocationDataError::OtherIssuer { what: WHAT, why });
        }
        if issuer.key_usage().is_some_and(|usage| !usage.crl_sign()) {
            let why = "its issuer may not sign CRLs";
            return Err(RevocationDataError::OtherIssuer { what: WHAT, why });
        }
        let signed = Signed::parse(der).map_err(|e| unreadable(e.to_string()))?;
        if !signed.is_by(issuer) {
            return Err(RevocationDataError::BadSignature { what: WHAT });
        }
        let extensions = tbs.crl_extensions.unwrap_or_default();
        let point = extensions
            .iter()
            .find(|extension| extension.extn_id.to_string() == ISSUING_DISTRIBUTION_POINT)
            .map(|extension| IssuingDistributionPoint::from_der(extension.extn_value.as_bytes()))
            .transpose()
            .map_err(|e| unreadable(e.to_string()))?;
        let revoked = tbs.revoked_certificates.unwrap_or_default();
        Ok(Self {
            issuer: *issuer.fingerprint(),
            sha256: digest(&SHA256, der).as_ref().try_into().unwrap_or_default(),
            this_update: timestamp(&tbs.this_update),
            next_update: tbs.next_update.as_ref().map(timestamp),
            revoked: revoked.iter().map(entry).collect(),
            scope: scope(point)?,
        })
    }

    /// Whether it is the same list, which came once more.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        (self.issuer, self.sha256) == (other.issuer, other.sha256)
    }

    /// When the list was made.
    pub fn this_update(&self) -> Timestamp {
        self.this_update
    }

    /// By when there will be a newer one; after that, the list says nothing.
    pub fn next_update(&self) -> Option<Timestamp> {
        self.next_update
    }

    /// How many certificates it revokes.
    pub fn len(&self) -> usize {
        self.revoked.len()
    }

    /// Whether it revokes none.
    pub fn is_empty(&self) -> bool {
        self.revoked.is_empty()
    }

    /// The fingerprint of the authority that signed it.
    pub(super) fn issuer(&self) -> &[u8; 32] {
        &self.issuer
    }

    /// Whether another list is about the same certificates.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        self.scope == other.scope
    }

    /// Whether the list is about this certificate, given that it is of the same issuer.
    pub(super) fn covers(&self, certificate: &Certificate) -> bool {
        let kind = if certificate.is_authority() {
            !self.scope.users_only
        } else {
            !self.scope.authorities_only
        };
        let is_of_one =
            |points: &Vec<String>| certificate.crl_urls().iter().any(|url| points.contains(url));
        kind && self.scope.points.as_ref().is_none_or(is_of_one)
    }

    /// What the list says about a certificate it covers.
    pub(super) fn status(&self, certificate: &Certificate) -> RevocationStatus {
        match self.revoked.get(certificate.serial()) {
            Some((at, reason)) => RevocationStatus::Revoked { at: *at, reason: reason.clone() },
            None => RevocationStatus::Good,
        }
    }
}

fn entry(revoked: &RevokedCert) -> (Vec<u8>, (Timestamp, String)) {
    let serial = revoked.serial_number.as_bytes();
    let serial = serial.strip_prefix(&[0]).filter(|rest| !rest.is_empty()).unwrap_or(serial);
    let extensions = revoked.crl_entry_extensions.as_deref().unwrap_or_default();
    let reason = match extension::<CrlReason>(extensions) {
        Ok(Some(reason)) => format!("{reason:?}"),
        _ => "no reason given".to_owned(),
    };
    (serial.to_owned(), (timestamp(&revoked.revocation_date), reason))
}

fn scope(point: Option<IssuingDistributionPoint>) -> Result<CrlCoverage, RevocationDataError> {
    let refuse = |why| Err(RevocationDataError::Unsupported { what: WHAT, why });
    let Some(point) = point else { return Ok(CrlCoverage::default()) };
    if point.indirect_crl {
        return refuse("it is an indirect CRL");
    }
    if point.only_some_reasons.is_some() {
        return refuse("it lists some revocation reasons only");
    }
    if point.only_contains_attribute_certs {
        return refuse("it lists attribute certificates only");
    }
    let points = match point.distribution_point {
        None => None,
        Some(DistributionPointName::FullName(names)) => {
            Some(names.iter().filter_map(http).collect())
        }
        Some(DistributionPointName::NameRelativeToCRLIssuer(_)) => {
            return refuse("its distribution point is relative to the issuer");
        }
    };
    let (users_only, authorities_only) =
        (point.only_contains_user_certs, point.only_contains_ca_certs);
    Ok(CrlCoverage { points, users_only, authorities_only })
}
