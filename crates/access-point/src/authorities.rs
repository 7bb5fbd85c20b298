//! The Peppol authorities that the configuration names, put together into generations.

use std::path::{Path, PathBuf};

use quoin_peppol::pki::{Certificate, CertificateError, CertificateRole, Generation, Stage, Trust};

use crate::config;
use crate::pemfile::{self, PemFileError};
use crate::trust::{self, CertificateUse, OwnCertificate};

/// Why the configured authorities cannot be used. A mistake in the configuration.
#[derive(Debug, thiserror::Error)]
pub enum AuthorityError {
    /// A file cannot be used.
    #[error(transparent)]
    File(#[from] PemFileError),
    /// Not all that is needed is set.
    #[error(
        "trust: {} not set: name the files of the Peppol roots and of both their authorities, or \
         give rows of trust.authorities", are(.0)
    )]
    Unset(Vec<&'static str>),
    /// A certificate that may not issue any: nobody would be believed by it.
    #[error(
        "trust: {path}: the certificate of {subject} is no authority, so that nobody is believed by it: \
         name the root, or the authority that signs access points or SMPs"
    )]
    NoAuthority {
        /// The file.
        path: PathBuf,
        /// Its subject.
        subject: String,
    },
    /// No root has an authority for access points and one for SMPs.
    #[error(
        "trust: none of the roots ({}) is above both an access point authority \
         (trust.ap_intermediates: {}) and an SMP authority (trust.smp_intermediates: {}); check \
         that these files belong together", files(&.0.roots), files(&.0.access_points),
         files(&.0.smps)
    )]
    Incomplete(Box<NamedFiles>),
    /// A certificate of the other network: nothing that it proves counts in this one.
    #[error(
        "{what} {subject} is of the {found} network, but trust.stage is {configured:?}: take the \
         certificates of one network, or set the stage"
    )]
    OtherStage {
        /// What the certificate is for.
        what: String,
        /// Its subject.
        subject: String,
        /// Its network.
        found: Stage,
        /// The network of the configuration, as it is written there.
        configured: String,
    },
    /// A certificate of ours is one for something else.
    #[error("the certificate {what} ({subject}) is one of the role {found}: give the other one")]
    OtherRole {
        /// Where it is used.
        what: String,
        /// Its subject.
        subject: String,
        /// What it is for.
        found: CertificateRole,
    },
    /// The authorities of access points and of SMPs are exchanged.
    #[error(
        "trust: the certificate {what} ({subject}) is signed by {issuer}, which stands among the \
         authorities of the other role: exchange trust.ap_intermediates and \
         trust.smp_intermediates (in a row of trust.authorities access_point and smp)"
    )]
    OtherAuthority {
        /// Where the certificate is used.
        what: String,
        /// Its subject.
        subject: String,
        /// Who signed it.
        issuer: String,
    },
    /// A root that cannot be a trust anchor.
    #[error("trust: {0}")]
    Anchor(#[from] CertificateError),
}

/// The files of `[trust]` that do not belong together.
#[derive(Debug)]
pub struct NamedFiles {
    /// Those of roots.
    pub roots: Vec<PathBuf>,
    /// Those of authorities of access points.
    pub access_points: Vec<PathBuf>,
    /// Those of authorities of SMPs.
    pub smps: Vec<PathBuf>,
}

fn files(files: &[PathBuf]) -> String {
    let names: Vec<_> = files.iter().map(|file| file.display().to_string()).collect();
    names.join(", ")
}

fn are(settings: &[&str]) -> String {
    let verb = if settings.len() == 1 { "is" } else { "are" };
    format!("{} {verb}", settings.join(", "))
}

/// The lists of `[trust]` that are needed and empty, where no generation is named by itself.
fn unset(trust: &config::TrustSection) -> Vec<&'static str> {
    let lists = [
        ("ap_anchors", &trust.ap_anchors),
        ("ap_intermediates", &trust.ap_intermediates),
        ("smp_anchors", &trust.smp_anchors),
        ("smp_intermediates", &trust.smp_intermediates),
    ];
    lists.into_iter().filter(|(_, files)| files.is_empty()).map(|(name, _)| name).collect()
}

/// Reads the files of `[trust]`. Each root with its two authorities is a generation, so that two
/// generations can be trusted side by side.
///
/// # Errors
/// [`AuthorityError`].
pub fn load(trust: &config::TrustSection) -> Result<Trust, AuthorityError> {
    let stage = match trust.stage {
        config::ConfiguredStage::Production => Stage::Production,
        config::ConfiguredStage::Test => Stage::Test,
    };
    let roots = issuers(trust.ap_anchors.iter().chain(&trust.smp_anchors))?;
    let access_points = issuers(&trust.ap_intermediates)?;
    let smps = issuers(&trust.smp_intermediates)?;
    let mut generations = trust.authorities.iter().map(dated).collect::<Result<Vec<_>, _>>()?;
    for root in &roots {
        let below = |authority: &&Certificate| authority.issuer() == root.subject();
        for access_point in access_points.iter().filter(below) {
            for smp in smps.iter().filter(below) {
                let known = generations.iter().any(|generation| {
                    generation.access_point == *access_point && generation.smp == *smp
                });
                if !known {
                    generations.push(generation(root, access_point, smp));
                }
            }
        }
    }
    if generations.is_empty() {
        let unset = unset(trust);
        if !unset.is_empty() {
            return Err(AuthorityError::Unset(unset));
        }
        let roots = [&trust.ap_anchors[..], &trust.smp_anchors].concat();
        let (access_points, smps) =
            (trust.ap_intermediates.clone(), trust.smp_intermediates.clone());
        let named = NamedFiles { roots, access_points, smps };
        return Err(AuthorityError::Incomplete(Box::new(named)));
    }
    let trust = Trust::new(stage, generations)?;
    of_our_stage(&trust::expiry::authorities(&trust), stage)?;
    Ok(trust)
}

/// Refuses certificates of the network and of ours that say that they are of the other network.
///
/// # Errors
/// [`AuthorityError::OtherStage`] with the first of them.
pub fn of_our_stage(certificates: &[OwnCertificate], stage: Stage) -> Result<(), AuthorityError> {
    for OwnCertificate { used, certificate } in certificates {
        let found = Stage::said_by(certificate).filter(|found| *found != stage);
        if let (Some(found), false) = (found, matches!(used, CertificateUse::Door(_))) {
            return Err(AuthorityError::OtherStage {
                what: format!("trust: the certificate {}", used.name()),
                subject: certificate.subject().to_string(),
                found,
                configured: stage.to_string(),
            });
        }
    }
    Ok(())
}

/// Refuses a certificate of ours in the place of another kind: what it signed would be believed by
/// nobody.
///
/// # Errors
/// [`AuthorityError::OtherRole`] with the first of them.
pub fn of_their_role(certificates: &[OwnCertificate], stage: Stage) -> Result<(), AuthorityError> {
    for OwnCertificate { used, certificate } in certificates {
        let other = match used {
            CertificateUse::Smp | CertificateUse::NextSmp => CertificateRole::AccessPoint,
            CertificateUse::AccessPoint | CertificateUse::NextAccessPoint => CertificateRole::Smp,
            CertificateUse::Door(_) | CertificateUse::Authority => continue,
        };
        if certificate.subject().values("OU").any(|unit| unit == stage.unit(other)) {
            return Err(AuthorityError::OtherRole {
                what: used.name(),
                subject: certificate.subject().to_string(),
                found: other,
            });
        }
    }
    Ok(())
}

/// Refuses authorities in each other's place, by who signed our own certificates: every certificate
/// of others would be one of the wrong role.
///
/// # Errors
/// [`AuthorityError::OtherAuthority`] with the first that shows it.
pub fn of_their_authority(
    certificates: &[OwnCertificate],
    trust: &Trust,
) -> Result<(), AuthorityError> {
    for OwnCertificate { used, certificate } in certificates {
        let is_smp = match used {
            CertificateUse::Smp | CertificateUse::NextSmp => true,
            CertificateUse::AccessPoint | CertificateUse::NextAccessPoint => false,
            CertificateUse::Door(_) | CertificateUse::Authority => continue,
        };
        let Some(issuer) = trust.issuer_of(certificate) else { continue };
        let stands = |smp: bool| {
            trust.generations().iter().any(|generation| {
                let authority = if smp { &generation.smp } else { &generation.access_point };
                authority == issuer
            })
        };
        if stands(!is_smp) && !stands(is_smp) {
            return Err(AuthorityError::OtherAuthority {
                what: used.name(),
                subject: certificate.subject().to_string(),
                issuer: issuer.subject().to_string(),
            });
        }
    }
    Ok(())
}

/// A generation that is trusted for a time.
fn dated(files: &config::Authorities) -> Result<Generation, AuthorityError> {
    let one = |path: &PathBuf| {
        let certificate = pemfile::certificate(path, &pemfile::read(path)?)?;
        issues(path, &certificate).map(|()| certificate)
    };
    Ok(Generation {
        name: files.name.clone(),
        root: one(&files.root)?,
        access_point: one(&files.access_point)?,
        smp: one(&files.smp)?,
        from: files.from,
        until: files.until,
    })
}

fn generation(root: &Certificate, access_point: &Certificate, smp: &Certificate) -> Generation {
    Generation {
        name: root.subject().common_name().unwrap_or("unnamed root").to_owned(),
        root: root.clone(),
        access_point: access_point.clone(),
        smp: smp.clone(),
        from: None,
        until: None,
    }
}

/// The authorities of PEM files.
fn issuers<'p>(
    files: impl IntoIterator<Item = &'p PathBuf>,
) -> Result<Vec<Certificate>, AuthorityError> {
    let mut all = Vec::new();
    for path in files {
        let found = certificates([path])?;
        found.iter().try_for_each(|certificate| issues(path, certificate))?;
        all.extend(found);
    }
    Ok(all)
}

/// Refuses what may issue no certificates (RFC 5280, section 4.2.1.9).
fn issues(path: &Path, certificate: &Certificate) -> Result<(), AuthorityError> {
    match certificate.is_authority() {
        true => Ok(()),
        false => Err(AuthorityError::NoAuthority {
            path: path.to_owned(),
            subject: certificate.subject().to_string(),
        }),
    }
}

/// The certificates of PEM files, each of which may hold several.
///
/// # Errors
/// [`AuthorityError`].
pub fn certificates<'p>(
    files: impl IntoIterator<Item = &'p PathBuf>,
) -> Result<Vec<Certificate>, AuthorityError> {
    let mut found = Vec::new();
    for path in files {
        let text = pemfile::read(path)?;
        let before = found.len();
        for block in blocks(&text) {
            found.push(pemfile::certificate(path, block)?);
        }
        if found.len() == before {
            // It says what is wrong with it, or is a certificate in another form.
            found.push(pemfile::certificate(path, &text)?);
        }
    }
    Ok(found)
}

/// The PEM blocks of a file, which may hold several certificates.
fn blocks(text: &str) -> impl Iterator<Item = &str> {
    const END: &str = "-----END CERTIFICATE-----";
    text.split_inclusive(END).filter(|block| block.contains("-----BEGIN CERTIFICATE-----"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_set_is_named() {
        let mut trust = config::TrustSection::default();
        let said = load(&trust).unwrap_err().to_string();
        let all = "trust: ap_anchors, ap_intermediates, smp_anchors, smp_intermediates are not set";
        assert!(said.starts_with(all), "{said}");
        trust.ap_intermediates = Vec::new();
        trust.ap_anchors = vec!["/gone/root.pem".into()];
        let said = load(&trust).unwrap_err().to_string();
        assert!(said.contains("/gone/root.pem"), "{said}");
    }
}
