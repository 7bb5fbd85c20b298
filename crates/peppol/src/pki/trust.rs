//! The configured authorities and the check of a certificate against them.

use std::fmt;

use jiff::Timestamp;

use super::path::{anchor, verify_path};
use super::signed::Signed;
use super::{
    Certificate, CertificateError, PkiRefusal, RevocationPolicy, RevocationStatus, Revocations,
};
use crate::identifiers::SeatId;

/// What a certificate is for. The two kinds are issued by different authorities, and one is never
/// accepted as the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CertificateRole {
    /// Signs and decrypts AS4 messages; published as endpoint certificate.
    AccessPoint,
    /// Signs SMP answers; TLS client towards SML and Directory.
    Smp,
}

/// Which network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stage {
    /// The network of real documents.
    Production,
    /// The test network.
    Test,
}

impl Stage {
    /// The organisational unit of the certificates of a role in this stage.
    pub const fn unit(self, role: CertificateRole) -> &'static str {
        match (self, role) {
            (Self::Production, CertificateRole::AccessPoint) => "PEPPOL PRODUCTION AP",
            (Self::Production, CertificateRole::Smp) => "PEPPOL PRODUCTION SMP",
            (Self::Test, CertificateRole::AccessPoint) => "PEPPOL TEST AP",
            (Self::Test, CertificateRole::Smp) => "PEPPOL TEST SMP",
        }
    }

    /// The stage that a certificate says it is of: by the unit of a leaf, or by the name of an
    /// authority of Peppol (TEST in the test network). `None` where it says nothing about it.
    pub fn said_by(certificate: &Certificate) -> Option<Self> {
        let subject = certificate.subject();
        let units: Vec<&str> = subject.values("OU").collect();
        for stage in [Self::Production, Self::Test] {
            let own = [stage.unit(CertificateRole::AccessPoint), stage.unit(CertificateRole::Smp)];
            if units.iter().any(|unit| own.contains(unit)) {
                return Some(stage);
            }
        }
        let name = subject.common_name()?.to_ascii_uppercase();
        let mut words = name.split_ascii_whitespace();
        let is_peppol = certificate.is_authority() && words.next() == Some("PEPPOL");
        let is_test = words.any(|word| word == "TEST") || units.contains(&"FOR TEST ONLY");
        is_peppol.then_some(if is_test { Self::Test } else { Self::Production })
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(match self {
            Self::Production => "production",
            Self::Test => "test",
        })
    }
}

impl CertificateRole {
    const fn other(self) -> Self {
        match self {
            Self::AccessPoint => Self::Smp,
            Self::Smp => Self::AccessPoint,
        }
    }
}

impl fmt::Display for CertificateRole {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(match self {
            Self::AccessPoint => "access point",
            Self::Smp => "SMP",
        })
    }
}

/// One generation of authorities: a root and an intermediate per role, trusted for a time.
///
/// During a change of generations two are configured side by side; when the old one is given up,
/// its `until` is set. No code changes.
#[derive(Debug, Clone)]
pub struct Generation {
    /// Name for messages, such as `G3`.
    pub name: String,
    /// The root.
    pub root: Certificate,
    /// Issues access point certificates.
    pub access_point: Certificate,
    /// Issues SMP certificates.
    pub smp: Certificate,
    /// Trusted from this instant on; `None` for always.
    pub from: Option<Timestamp>,
    /// Trusted until this instant; `None` for always.
    pub until: Option<Timestamp>,
}

impl Generation {
    fn intermediate(&self, role: CertificateRole) -> &Certificate {
        match role {
            CertificateRole::AccessPoint => &self.access_point,
            CertificateRole::Smp => &self.smp,
        }
    }

    fn is_trusted(&self, now: Timestamp) -> bool {
        self.from.is_none_or(|from| from <= now) && self.until.is_none_or(|until| now <= until)
    }
}

/// The authorities of a stage.
#[derive(Debug, Clone)]
pub struct Trust {
    stage: Stage,
    generations: Vec<Generation>,
}

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
    pub role: CertificateRole,
    /// The name of its generation of authorities.
    pub generation: String,
    until: Option<Timestamp>,
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

    /// Until when its certificates and its generation of authorities hold.
    pub fn valid_until(&self) -> Timestamp {
        let Chain { leaf, intermediate, root, until, .. } = &self.chain;
        let ends = [leaf, intermediate, root].map(Certificate::not_after);
        ends.into_iter().chain(*until).min().unwrap_or(Timestamp::MIN)
    }

    /// What the policy let pass although nothing current confirms it, in words.
    pub fn unconfirmed(&self) -> Option<&str> {
        self.unconfirmed.as_deref()
    }
}

impl Trust {
    /// The authorities of a stage.
    ///
    /// # Errors
    /// [`CertificateError`] for a root that cannot be a trust anchor.
    pub fn new(stage: Stage, generations: Vec<Generation>) -> Result<Self, CertificateError> {
        for generation in &generations {
            anchor(&generation.root)?;
        }
        Ok(Self { stage, generations })
    }

    /// The stage.
    pub fn stage(&self) -> Stage {
        self.stage
    }

    /// The generations, as configured.
    pub fn generations(&self) -> &[Generation] {
        &self.generations
    }

    /// The configured authority that signed a certificate, in time or not.
    pub fn issuer_of(&self, certificate: &Certificate) -> Option<&Certificate> {
        let all = self.generations.iter().flat_map(|g| [&g.access_point, &g.smp, &g.root]);
        let mut named = all.filter(|one| one.subject_der() == certificate.issuer_der());
        named.find(|one| Signed::parse(certificate.der()).is_ok_and(|signed| signed.is_by(one)))
    }

    /// Checks everything: chain, role, shape, validity, revocation.
    ///
    /// # Errors
    /// [`PkiRefusal`] with the first thing that does not hold.
    pub fn check(
        &self,
        certificate: &Certificate,
        role: CertificateRole,
        now: Timestamp,
        revocations: &Revocations,
        policy: RevocationPolicy,
    ) -> Result<Trusted, PkiRefusal> {
        self.chain(certificate, role, now)?.check(now, revocations, policy)
    }

    /// Checks all but revocation: validity, issuer pinned by role, signatures, key usages, unit and
    /// seat id.
    ///
    /// # Errors
    /// [`PkiRefusal`].
    pub fn chain(
        &self,
        certificate: &Certificate,
        role: CertificateRole,
        now: Timestamp,
    ) -> Result<Chain, PkiRefusal> {
        in_time(certificate, now)?;
        let generation = self.issuing_generation(certificate, role, now)?;
        let intermediate = generation.intermediate(role);
        let unit = self.stage.unit(role);
        let units: Vec<&str> = certificate.subject().values("OU").collect();
        if !units.contains(&unit) {
            let found = format!("'{}' by its OU", units.join(", "));
            return Err(PkiRefusal::WrongRole { expected: role, found });
        }
        let shape = |why: String| PkiRefusal::WrongShape {
            subject: certificate.subject().to_string(),
            why,
        };
        if certificate.key_usage().is_some_and(|usage| !usage.digital_signature()) {
            return Err(shape("its key usage lacks digitalSignature".to_owned()));
        }
        Ok(Chain {
            seat: certificate.seat().map_err(|error| shape(error.to_string()))?,
            leaf: certificate.clone(),
            intermediate: intermediate.clone(),
            root: generation.root.clone(),
            role,
            generation: generation.name.clone(),
            until: generation.until,
        })
    }

    /// The generation whose authority for the role issued the certificate. Authorities may have
    /// equal names and other keys: of those the one counts whose key has signed.
    fn issuing_generation(
        &self,
        certificate: &Certificate,
        role: CertificateRole,
        now: Timestamp,
    ) -> Result<&Generation, PkiRefusal> {
        let issued = |role| {
            self.generations
                .iter()
                .filter(move |g| g.intermediate(role).subject_der() == certificate.issuer_der())
        };
        let mut refused = None;
        for generation in issued(role).filter(|generation| generation.is_trusted(now)) {
            match verify_path(certificate, generation.intermediate(role), &generation.root, now) {
                Ok(()) => return Ok(generation),
                Err(refusal) => refused = refused.or(Some(refusal)),
            }
        }
        if let Some(refusal) = refused {
            return Err(refusal);
        }
        if let Some(generation) = issued(role).next() {
            return Err(PkiRefusal::RetiredIssuer { generation: generation.name.clone() });
        }
        if issued(role.other()).next().is_some() {
            let found = format!("the role {}", role.other());
            return Err(PkiRefusal::WrongRole { expected: role, found });
        }
        let issuer = certificate.issuer().to_string();
        Err(PkiRefusal::UnknownIssuer { issuer, expected: role })
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
                RevocationStatus::Good => continue,
                RevocationStatus::Revoked { at, reason } => {
                    return Err(PkiRefusal::Revoked { subject: subject(), at, reason });
                }
                RevocationStatus::Stale { until } => {
                    (Some(until), format!("the last word ended at {until}"))
                }
                RevocationStatus::Unknown { why } => (None, why),
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

fn in_time(certificate: &Certificate, now: Timestamp) -> Result<(), PkiRefusal> {
    let subject = || certificate.subject().to_string();
    if now < certificate.not_before() {
        return Err(PkiRefusal::NotYetValid { subject: subject(), from: certificate.not_before() });
    }
    if now > certificate.not_after() {
        return Err(PkiRefusal::Expired { subject: subject(), until: certificate.not_after() });
    }
    Ok(())
}
