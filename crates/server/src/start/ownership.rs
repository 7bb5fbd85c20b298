//! Who we are: our certificates and keys, and the provider that they make us; and who the Polish
//! national system is.

use std::sync::Arc;

use quoin_peppol::as4::OwnIdentity;
use quoin_peppol::pki::Certificate;

use super::StartError;
use quoin_access_point::authorities;
use quoin_access_point::clock::Clock;
use quoin_access_point::config::{AccessPoint, Config, KsefSection};
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
///
/// # Errors
/// [`StartError`] where one of them, or a key, cannot be opened.
pub fn certificates(config: &Config) -> Result<Vec<OwnCertificate>, StartError> {
    let own = own_access_point(config)?;
    own_certificates(config, own.as_ref(), &authorities::load(&config.trust)?)
}

/// The same, with what is open already.
pub(super) fn own_certificates(
    config: &Config,
    own: Option<&Rollover<Arc<OwnIdentity>>>,
    trusted: &quoin_peppol::pki::Trust,
) -> Result<Vec<OwnCertificate>, StartError> {
    let mut all = trust::expiry::authorities(trusted);
    let uses = [CertificateUse::AccessPoint, CertificateUse::NextAccessPoint];
    for (used, own) in uses.into_iter().zip(own.iter().flat_map(|own| own.all())) {
        let certificate = Certificate::from_der(&own.certificate);
        let certificate = certificate.map_err(authorities::AuthorityError::Anchor)?;
        all.push(OwnCertificate { used, certificate });
    }
    if !config.smp.key_place().is_empty() {
        let over_time = identity::smp_over_time(&config.smp.key_place(), config.smp.next.as_ref())?;
        for (used, own) in
            [CertificateUse::Smp, CertificateUse::NextSmp].into_iter().zip(over_time.all())
        {
            all.push(OwnCertificate { used, certificate: own.certificate.clone() });
        }
    }
    authorities::of_our_stage(&all, trusted.stage())?;
    authorities::of_their_role(&all, trusted.stage())?;
    for (name, door) in config.listen.doors() {
        let file = door.certificate_file.as_ref();
        all.extend(file.and_then(|file| trust::expiry::of_door(name, file)));
    }
    Ok(all)
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
