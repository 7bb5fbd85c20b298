//! The client of the SML, as the configuration describes it.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use quoin_peppol::sml::UriRefusal;
use rustls::sign::SingleCertAndKey;

use super::SmlClient;
use crate::clock::Clock;
use crate::config::Config;
use crate::identity::IdentityError;
use crate::net::{HttpClient, HttpSettings, RootsError, client_identity};
use crate::registers::identity::shown;

/// Why the SML cannot be spoken to. A fault of the installation.
#[derive(Debug, thiserror::Error)]
pub enum SmlSetupError {
    /// A setting that the SML needs is missing.
    #[error("{0} is not set, but the SML (sml.url) needs it")]
    Missing(&'static str),
    /// The address of our SMP is not acceptable.
    #[error(transparent)]
    Address(#[from] UriRefusal),
    /// Certificates of servers.
    #[error(transparent)]
    Roots(#[from] RootsError),
    /// The certificate of our SMP.
    #[error(transparent)]
    Identity(#[from] IdentityError),
}

/// The client of the SML that a configuration describes; `None` where it names no SML. `settings`
/// are those of calls in the network; `clock` tells which certificate of the SMP is shown.
///
/// # Errors
/// [`SmlSetupError`].
pub fn client(
    config: &Config,
    settings: HttpSettings,
    clock: &Clock,
) -> Result<Option<SmlClient>, SmlSetupError> {
    let Some(url) = &config.sml.url else { return Ok(None) };
    let identity = shown(&config.smp, clock)?;
    let missing = SmlSetupError::Missing("smp.certificate_file");
    let identity = Some(identity.ok_or(missing)?);
    let id = config.sml.smp_id.as_deref().ok_or(SmlSetupError::Missing("sml.smp_id"))?;
    let unkept = config.smp.next.is_some();
    let http = HttpClient::new(&HttpSettings { identity, unkept, ..settings })?;
    let timeout = Duration::from_secs(config.sml.timeout_seconds);
    Ok(Some(SmlClient::new(http, url, id, timeout)))
}

/// A client that shows a certificate.
///
/// # Errors
/// [`RootsError`].
pub fn with_identity(
    settings: HttpSettings,
    certificate: &Path,
    key: &Path,
) -> Result<HttpClient, RootsError> {
    let identity = SingleCertAndKey::from(client_identity(certificate, key)?);
    HttpClient::new(&HttpSettings { identity: Some(Arc::new(identity)), ..settings })
}
