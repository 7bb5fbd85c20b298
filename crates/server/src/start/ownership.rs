//! Who we are: our certificates and keys, and the provider that they make us; and who the Polish
//! national system is.

use std::sync::Arc;

use quoin_peppol::as4::OwnIdentity;
use quoin_peppol::pki::{Certificate, Stage};

use super::StartError;
use quoin_access_point::authorities;
use quoin_access_point::clock::Clock;
use quoin_access_point::config::{AccessPoint, Config, ConfiguredStage, KsefSection};
use quoin_access_point::identity::{self, Credentials, Rollover};
use quoin_access_point::ksef::{KsefClient, KsefSettings};
use quoin_access_point::net::TlsRoot;
use quoin_access_point::provider::Provider;
use quoin_access_point::trust::{self, CertificateUse, OwnCertificate};
use quoin_store::Store;

/// Our access point over time, where one is configured.
pub(super) fn own_access_point(
    config: &Config,
) -> Result<Option<Rollover<Arc<OwnIdentity>>>, StartError> {
    let AccessPoint { next, old_keys, .. } = &config.access_point;
    let present = config.access_point.key_place();
    if present.is_empty() {
        return Ok(None);
    }
    Ok(Some(identity::access_point_over_time(&present, next.as_ref(), old_keys)?))
}

/// The certificates that a service with this configuration depends on.
pub(super) fn own_certificates(
    config: &Config,
    own: Option<&Rollover<Arc<OwnIdentity>>>,
    trusted: &quoin_peppol::pki::Trust,
) -> Result<Vec<OwnCertificate>, StartError> {
    let mut all = trust::expiry::authorities(trusted);
    all.extend(of_access_point(own)?);
    all.extend(of_smp(config)?);
    are_in_place(&all, config)?;
    authorities::of_their_authority(&all, trusted)?;
    all.extend(of_doors(config));
    Ok(all)
}

/// The certificates of our access point.
pub(super) fn of_access_point(
    own: Option<&Rollover<Arc<OwnIdentity>>>,
) -> Result<Vec<OwnCertificate>, StartError> {
    let uses = [CertificateUse::AccessPoint, CertificateUse::NextAccessPoint];
    let own = uses.into_iter().zip(own.iter().flat_map(|own| own.all()));
    let read = |(used, own): (CertificateUse, &Arc<OwnIdentity>)| {
        let certificate = Certificate::from_der(&own.certificate);
        let certificate = certificate.map_err(authorities::AuthorityError::Anchor)?;
        Ok(OwnCertificate { used, certificate })
    };
    own.map(read).collect()
}

/// The certificates of our SMP.
pub(super) fn of_smp(config: &Config) -> Result<Vec<OwnCertificate>, StartError> {
    let place = config.smp.key_place();
    if place.is_empty() {
        return Ok(Vec::new());
    }
    let over_time = identity::smp_over_time(&place, config.smp.next.as_ref())?;
    let uses = [CertificateUse::Smp, CertificateUse::NextSmp];
    let own = uses.into_iter().zip(over_time.all());
    let one = |(used, own): (CertificateUse, &Arc<Credentials>)| OwnCertificate {
        used,
        certificate: own.certificate.clone(),
    };
    Ok(own.map(one).collect())
}

/// The certificates of the doors, as far as they can be read.
pub(super) fn of_doors(config: &Config) -> Vec<OwnCertificate> {
    let doors = config.listen.doors();
    let found = doors
        .filter_map(|(name, door)| trust::expiry::of_door(name, door.certificate_file.as_deref()?));
    found.collect()
}

/// Whether certificates are of the network of the configuration, and in the place of their kind.
pub(super) fn are_in_place(all: &[OwnCertificate], config: &Config) -> Result<(), StartError> {
    let stage = match config.trust.stage {
        ConfiguredStage::Production => Stage::Production,
        ConfiguredStage::Test => Stage::Test,
    };
    authorities::of_our_stage(all, stage)?;
    Ok(authorities::of_their_role(all, stage)?)
}

/// Who we are, where there is a certificate that says so.
///
/// # Errors
/// [`StartError`].
pub fn provider(config: &Config) -> Result<Option<Arc<Provider>>, StartError> {
    let place = config.access_point.key_place();
    if place.is_empty() {
        return Ok(None);
    }
    let certificate = Credentials::load(&place)?.certificate;
    Ok(Some(Arc::new(Provider::new(config, &certificate)?)))
}

/// The client of the Polish national system, where one is configured.
pub(super) fn ksef_client(
    section: &KsefSection,
    roots: &[TlsRoot],
    (clock, store): (&Clock, &Store),
) -> Result<Option<KsefClient>, StartError> {
    let Some(settings) = KsefSettings::of(section) else { return Ok(None) };
    let sealers = authorities::certificates(&section.upo_anchors)?;
    let around = (clock.clone(), store.clone());
    Ok(Some(KsefClient::new(settings, roots.to_vec(), sealers, around)?))
}
