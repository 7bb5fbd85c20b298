//! Certificates that end: our own, those of the doors, and the configured authorities. Whoever runs
//! the service is told 30, 14, 7 and 1 days before, and once one has ended.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use quoin_delivery::clock::is_due;
use quoin_delivery::{Notice, OrganisationId, Topic};
use quoin_peppol::pki::{Certificate, Trust};
use quoin_store::Store;

use crate::clock::ClockWatch;
use crate::plainfile;
use crate::tls::Shutdown;

/// Days before the end at which a warning is given; 0 is the end.
pub const WARNINGS: [u32; 5] = [30, 14, 7, 1, 0];
/// How often the certificates are looked at.
const PAUSE: SignedDuration = SignedDuration::from_hours(1);
/// How often the clock is looked at, which a laboratory may move.
const TICK: Duration = Duration::from_millis(500);

/// What a certificate is used for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CertificateUse {
    /// It signs AS4 messages, and others encrypt to it.
    AccessPoint,
    /// It takes over from that one.
    NextAccessPoint,
    /// It signs what the SMP answers.
    Smp,
    /// It takes over from that one.
    NextSmp,
    /// It is that of a door, by the door's name.
    Door(&'static str),
    /// Other access points or SMPs are believed by it.
    Authority,
}

impl CertificateUse {
    /// The stable word in events and answers.
    pub fn name(&self) -> String {
        match self {
            CertificateUse::AccessPoint => "access-point".to_owned(),
            CertificateUse::NextAccessPoint => "next-access-point".to_owned(),
            CertificateUse::Smp => "smp".to_owned(),
            CertificateUse::NextSmp => "next-smp".to_owned(),
            CertificateUse::Door(door) => format!("tls-{door}"),
            CertificateUse::Authority => "authority".to_owned(),
        }
    }
}

/// A certificate that this installation depends on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnCertificate {
    /// What it is used for.
    pub used: CertificateUse,
    /// The certificate.
    pub certificate: Certificate,
}

/// How far a certificate is from its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Expiring {
    /// Whole days that are left; less than nothing once it has ended.
    pub days_left: i64,
    /// The last warning that is due, in days before the end.
    pub warning: Option<u32>,
}

/// Whether a certificate can be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CertificateStanding {
    /// It can.
    Valid,
    /// Its validity begins later.
    NotYet,
    /// Its validity is over.
    Ended,
}

impl CertificateStanding {
    /// How a certificate stands at a time.
    pub fn of(certificate: &Certificate, now: Timestamp) -> CertificateStanding {
        if certificate.not_after() < now {
            CertificateStanding::Ended
        } else if now < certificate.not_before() {
            CertificateStanding::NotYet
        } else {
            CertificateStanding::Valid
        }
    }

    /// What is wrong with a certificate of this standing, in words that follow its name.
    pub fn problem(self, certificate: &Certificate) -> Option<String> {
        match self {
            CertificateStanding::Valid => None,
            CertificateStanding::NotYet => {
                Some(format!("is valid only from {} on", certificate.not_before()))
            }
            CertificateStanding::Ended => Some(format!("ended at {}", certificate.not_after())),
        }
    }
}

impl OwnCertificate {
    /// Whether it can be used. One that takes over later need not be valid yet.
    pub fn standing(&self, now: Timestamp) -> CertificateStanding {
        let is_next =
            matches!(self.used, CertificateUse::NextAccessPoint | CertificateUse::NextSmp);
        match CertificateStanding::of(&self.certificate, now) {
            CertificateStanding::NotYet if is_next => CertificateStanding::Valid,
            standing => standing,
        }
    }

    /// Whether it is one of ours, without which the service cannot do its work.
    pub fn is_needed(&self) -> bool {
        self.used != CertificateUse::Authority
    }

    /// How far it is from its end.
    pub fn expiring(&self, now: Timestamp) -> Expiring {
        let left = self.certificate.not_after().duration_since(now);
        // The second in which it ends is over for whoever has a part of it less.
        let is_over = left.is_negative();
        let days_left = match left.as_secs().div_euclid(86_400) {
            0 if is_over => -1,
            days => days,
        };
        let due = |days: &u32| match days {
            0 => is_over,
            days => left <= SignedDuration::from_hours(24 * i64::from(*days)),
        };
        Expiring { days_left, warning: WARNINGS.into_iter().rev().find(due) }
    }

    fn notice(&self, now: Timestamp) -> Notice {
        let (certificate, used) = (&self.certificate, self.used.name());
        let until = certificate.not_after();
        let days = self.expiring(now).days_left;
        let message = match days {
            ..0 => format!("The certificate {used} of {} ended at {until}.", certificate.subject()),
            _ => format!(
                "The certificate {used} of {} ends in {days} days, at {until}.",
                certificate.subject()
            ),
        };
        let details = [
            ("use", used),
            ("subject", certificate.subject().to_string()),
            ("issuer", certificate.issuer().to_string()),
            ("sha256", data_encoding::HEXLOWER.encode(certificate.fingerprint())),
            ("notAfter", until.to_string()),
            ("daysLeft", days.to_string()),
        ];
        let details = details.into_iter().map(|(name, fact)| (name.to_owned(), fact)).collect();
        Notice::new(Topic::CERTIFICATE_EXPIRING, message, details)
    }
}

/// The authorities of a configuration, each once.
pub fn authorities(trust: &Trust) -> Vec<OwnCertificate> {
    let mut all: Vec<Certificate> = Vec::new();
    for generation in trust.generations() {
        for one in [&generation.root, &generation.access_point, &generation.smp] {
            if !all.contains(one) {
                all.push(one.clone());
            }
        }
    }
    all.into_iter()
        .map(|certificate| OwnCertificate { used: CertificateUse::Authority, certificate })
        .collect()
}

/// The certificate of a door, where it can be read: the first of its file.
pub fn of_door(name: &'static str, file: &Path) -> Option<OwnCertificate> {
    let text = plainfile::text(file, plainfile::MOST).ok()?;
    let certificate = Certificate::from_text(&text).ok()?;
    Some(OwnCertificate { used: CertificateUse::Door(name), certificate })
}

/// Warns of certificates that end, until the service ends. Each warning is an event of the
/// organisations named, or of all, and a line in the log.
pub async fn warn_of_expiry(
    certificates: Arc<Vec<OwnCertificate>>,
    organisations: Vec<OrganisationId>,
    store: Store,
    watch: ClockWatch,
    shutdown: Shutdown,
) {
    let (mut next, mut looked) = (Timestamp::MIN, None);
    while !shutdown.asked() {
        // Nothing has ended by a clock that is not believed.
        if let Some(now) = watch.believed() {
            let is_time = is_due(next, now, PAUSE);
            // A warning that becomes due is given then.
            let is_other = |own: &&OwnCertificate| {
                let before = looked.map(|before| own.expiring(before).warning);
                is_time || before != Some(own.expiring(now).warning)
            };
            for own in certificates.iter().filter(is_other) {
                if let Err(error) = warn(own, &organisations, &store, now).await {
                    tracing::error!(%error, "a warning about a certificate could not be recorded");
                }
            }
            looked = Some(now);
            if is_time {
                next = now.saturating_add(PAUSE).unwrap_or(Timestamp::MAX);
            }
        }
        tokio::select! {
            () = tokio::time::sleep(TICK) => {}
            () = shutdown.wait() => {}
        }
    }
}

async fn warn(
    own: &OwnCertificate,
    organisations: &[OrganisationId],
    store: &Store,
    now: Timestamp,
) -> Result<(), quoin_store::Error> {
    let Some(days) = own.expiring(now).warning else { return Ok(()) };
    let told = match organisations {
        [] => store.organisations().await?.into_iter().map(|one| one.id).collect(),
        named => named.to_vec(),
    };
    let notice = own.notice(now);
    let message = notice.message.clone();
    if store.warn_of_expiry(*own.certificate.fingerprint(), days, notice, told, now).await? {
        tracing::warn!(text = message, "a certificate ends");
    }
    Ok(())
}
