//! The endpoints that the SMP can publish for a party: the access point's own, and those of the
//! configuration, to which bulk jobs move parties.

use std::collections::BTreeMap;

use jiff::Timestamp;
use quoin_delivery::jobs::JobKind;
use quoin_model::text::quoted;
use quoin_peppol::as4::OwnIdentity;
use quoin_peppol::pki::Certificate;

use crate::config::{Config, OWN_ENDPOINT, PublishedEndpoint};
use crate::pemfile::{self, PemFileError};

/// An endpoint of the configuration.
#[derive(Debug, Clone)]
pub struct NamedEndpoint {
    /// Its AS4 address, where it is not the access point's own.
    pub address: Option<String>,
    /// Its certificate, where it is not the present one.
    pub certificate: Option<Certificate>,
}

/// All of them, by name.
#[derive(Debug, Clone, Default)]
pub struct Endpoints(BTreeMap<String, NamedEndpoint>);

impl Endpoints {
    /// Reads the certificates of a configuration.
    ///
    /// # Errors
    /// [`PemFileError`] for a file that holds no certificate.
    pub fn load(config: &Config) -> Result<Endpoints, PemFileError> {
        let read = |endpoint: &PublishedEndpoint| {
            let certificate = endpoint.certificate_file.as_ref().map(|path| {
                let text = pemfile::read(path)?;
                pemfile::certificate(path, &text)
            });
            let address = endpoint.address.clone();
            Ok(NamedEndpoint { address, certificate: certificate.transpose()? })
        };
        let named = config.endpoints.iter().map(|(name, e)| Ok((name.clone(), read(e)?)));
        Ok(Endpoints(named.collect::<Result<_, PemFileError>>()?))
    }

    /// All of them, in the order of their names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &NamedEndpoint)> {
        self.0.iter().map(|(name, endpoint)| (name.as_str(), endpoint))
    }

    /// The endpoint of this name.
    pub fn get(&self, name: &str) -> Option<&NamedEndpoint> {
        self.0.get(name)
    }

    /// Whether a job of this kind may publish the endpoint of this name at `now`.
    ///
    /// # Errors
    /// One sentence that says what is missing, and who can fix it.
    pub fn check(
        &self,
        kind: JobKind,
        name: &str,
        own: Option<&OwnIdentity>,
        now: Timestamp,
    ) -> Result<(), String> {
        if name == OWN_ENDPOINT {
            return Ok(());
        }
        let Some(endpoint) = self.get(name) else {
            return Err(format!(
                "there is no endpoint {name}; the operator of the service has to add it to its \
                 configuration",
                name = quoted(name, 64)
            ));
        };
        if kind == JobKind::Endpoint && endpoint.address.is_none() {
            return Err(format!("endpoint {name:?} has no address of its own"));
        }
        let Some(certificate) = &endpoint.certificate else {
            return match kind {
                JobKind::Certificate => Err(format!("endpoint {name:?} has no certificate")),
                _ => Ok(()),
            };
        };
        let (from, until) = (certificate.not_before(), certificate.not_after());
        if now < from || now > until {
            return Err(format!(
                "its certificate is valid from {from} to {until}, and it is {now}"
            ));
        }
        let known = own.is_some_and(|own| {
            own.decryption.iter().any(|key| key.certificate == certificate.der())
        });
        // Another address is another machine, which has its keys itself.
        if endpoint.address.is_none() && !known {
            return Err(format!(
                "nobody here has the key of the certificate of endpoint {name:?}: messages could \
                 not be decrypted; the operator has to add it to access_point.old_keys"
            ));
        }
        Ok(())
    }
}
