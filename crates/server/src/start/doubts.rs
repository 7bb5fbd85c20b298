//! What a start takes and the network would not: certificates of ours that nobody who trusts the
//! authorities of the configuration would believe, and changes of certificates that leave a gap.
//! `check-config` ends with 2 for it; a start says it in the log.

use jiff::Timestamp;
use quoin_peppol::pki::{Certificate, CertificateRole, Trust};

use quoin_access_point::config::{Config, NextKey};
use quoin_access_point::identity::Credentials;
use quoin_access_point::trust::{CertificateUse, OwnCertificate};

/// What is doubtful of our own certificates, a sentence each.
pub(super) fn doubts(
    (config, trust): (&Config, &Trust),
    own: &[OwnCertificate],
    now: Timestamp,
) -> Vec<String> {
    let mut all: Vec<String> = own.iter().filter_map(|own| refused(own, trust, now)).collect();
    let of =
        |used: CertificateUse| own.iter().find(|own| own.used == used).map(|own| &own.certificate);
    let changes = [
        (
            "access_point.next",
            &config.access_point.next,
            [CertificateUse::AccessPoint, CertificateUse::NextAccessPoint],
        ),
        ("smp.next", &config.smp.next, [CertificateUse::Smp, CertificateUse::NextSmp]),
    ];
    for (setting, next, uses) in changes {
        if let (Some(next), [Some(present), Some(then)]) = (next, uses.map(of)) {
            all.extend(changing(setting, next, (present, then)));
        }
    }
    all.extend(earlier(config, trust));
    all
}

/// Why others refuse what a certificate signs, whenever it is valid.
fn refused(own: &OwnCertificate, trust: &Trust, now: Timestamp) -> Option<String> {
    let role = match own.used {
        CertificateUse::AccessPoint | CertificateUse::NextAccessPoint => {
            CertificateRole::AccessPoint
        }
        CertificateUse::Smp | CertificateUse::NextSmp => CertificateRole::Smp,
        CertificateUse::Door(_) | CertificateUse::Authority => return None,
    };
    let certificate = &own.certificate;
    // That it has ended, or is not valid yet, is told of it anyway.
    let at = now.max(certificate.not_before()).min(certificate.not_after());
    let refusal = trust.chain(certificate, role, at).err()?;
    let (used, subject) = (own.used.name(), certificate.subject());
    Some(format!(
        "the certificate {used} ({subject}) would be refused by whoever trusts the authorities of \
         [trust]: {refusal}"
    ))
}

/// What is doubtful of a certificate that takes over.
fn changing(
    setting: &str,
    next: &NextKey,
    (present, then): (&Certificate, &Certificate),
) -> Vec<String> {
    let Some(from) = next.from else { return Vec::new() };
    let mut all = Vec::new();
    if from > then.not_after() {
        all.push(format!(
            "{setting}.from: it takes over at {from}, and ends at {} before that: choose an earlier \
             time",
            then.not_after()
        ));
    } else if from < then.not_before() {
        all.push(format!(
            "{setting}.from: it takes over at {from}, and is valid only from {} on: choose a later \
             time",
            then.not_before()
        ));
    }
    if from > present.not_after() {
        all.push(format!(
            "{setting}.from: it takes over at {from}, and the present certificate ends at {}: \
             nobody believes what is signed in between, so choose an earlier time",
            present.not_after()
        ));
    }
    if let (Ok(now), Ok(later)) = (present.seat(), then.seat())
        && now != later
    {
        all.push(format!(
            "{setting}: it is one of {later}, and the present certificate one of {now}: they are \
             of two providers"
        ));
    }
    all
}

/// Certificates that decrypt and are none of an access point: nobody encrypted to them.
fn earlier(config: &Config, trust: &Trust) -> Vec<String> {
    let unit = trust.stage().unit(CertificateRole::Smp);
    let loaded = config.access_point.old_keys.iter().filter_map(|key| Credentials::load(key).ok());
    let foreign = loaded.filter(|own| own.certificate.subject().values("OU").any(|ou| ou == unit));
    let told = foreign.map(|own| {
        format!(
            "access_point.old_keys: the certificate {} is one of an SMP, to which nobody encrypts: \
             give the earlier certificate of the access point",
            own.certificate.subject()
        )
    });
    told.collect()
}
