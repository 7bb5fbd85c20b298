//! A certificate with its authorities, and what of it changes with time.

use jiff::Timestamp;

use super::{Certificate, PkiRefusal, RevocationPolicy, Revocations, Role, Status};
use crate::identifiers::SeatId;

/// A certificate whose chain holds: everything but validity in time and revocation was checked, so
/// that it can be kept and asked again with [`Chain::check`] at little cost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chain {
    /// The certificate itself.
    pub leaf: Certificate,
    /// The authority of its role.
    pub intermediate: Certificate,
    /// The root.
    pub root: Certificate,
    /// The service provider it belongs to.
    pub seat: SeatId,
    /// What it is for.
    pub role: Role,
    /// The name of its generation of authorities.
    pub generation: String,
    pub(super) until: Option<Timestamp>,
}

/// A certificate that passed every check at the instant it was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trusted {
    chain: Chain,
    unconfirmed: Option<String>,
}

impl Trusted {
    /// The certificate and its authorities.
    pub fn chain(&self) -> &Chain {
        &self.chain
    }

    /// The certificate.
    pub fn certificate(&self) -> &Certificate {
        &self.chain.leaf
    }

    /// The service provider it belongs to.
    pub fn seat(&self) -> &SeatId {
        &self.chain.seat
    }

    /// What the policy let pass although nothing current confirms it, in words.
    pub fn unconfirmed(&self) -> Option<&str> {
        self.unconfirmed.as_deref()
    }
}

impl Chain {
    /// The certificates whose revocation matters, each with its issuer: leaf and intermediate.
    pub fn links(&self) -> [(&Certificate, &Certificate); 2] {
        [(&self.leaf, &self.intermediate), (&self.intermediate, &self.root)]
    }

    /// Checks what changes with time: validity, the generation's end, and revocation of leaf and
    /// intermediate.
    ///
    /// # Errors
    /// [`PkiRefusal`].
    pub fn check(
        self,
        now: Timestamp,
        revocations: &Revocations,
        policy: RevocationPolicy,
    ) -> Result<Trusted, PkiRefusal> {
        if self.until.is_some_and(|until| until < now) {
            return Err(PkiRefusal::RetiredIssuer { generation: self.generation });
        }
        for certificate in [&self.leaf, &self.intermediate, &self.root] {
            in_time(certificate, now)?;
        }
        let mut unconfirmed = None;
        for (certificate, issuer) in self.links() {
            let subject = || certificate.subject().to_string();
            let missing = match revocations.status(certificate, issuer, now) {
                Status::Good => continue,
                Status::Revoked { at, reason } => {
                    return Err(PkiRefusal::Revoked { subject: subject(), at, reason });
                }
                Status::Stale { until } => (Some(until), format!("the last word ended at {until}")),
                Status::Unknown { why } => (None, why),
            };
            let passes = match (policy, missing.0) {
                (RevocationPolicy::SoftFail, _) => true,
                (RevocationPolicy::Grace(grace), Some(until)) => now.duration_since(until) <= grace,
                _ => false,
            };
            let why = missing.1;
            if !passes {
                return Err(PkiRefusal::RevocationUnknown { subject: subject(), why });
            }
            unconfirmed.get_or_insert_with(|| format!("{}: {why}", subject()));
        }
        Ok(Trusted { chain: self, unconfirmed })
    }
}

/// A certificate is valid at an instant.
pub(super) fn in_time(certificate: &Certificate, now: Timestamp) -> Result<(), PkiRefusal> {
    let subject = || certificate.subject().to_string();
    if now < certificate.not_before() {
        return Err(PkiRefusal::NotYetValid { subject: subject(), from: certificate.not_before() });
    }
    if now > certificate.not_after() {
        return Err(PkiRefusal::Expired { subject: subject(), until: certificate.not_after() });
    }
    Ok(())
}
