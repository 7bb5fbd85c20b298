//! What a service is made of, opened in the order in which one thing needs another.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use quoin_delivery::Policy;
use quoin_peppol::as4::OwnIdentity;
use quoin_peppol::identifiers::ParticipantId;
use quoin_peppol::pki::Certificate;
use quoin_peppol::sml::UriPolicy;
use quoin_store::{OpenOptions, Store, StoreKey};

use super::StartError;
use super::key_fetcher::KeyFetcher;
use crate::authorities;
use crate::clock::Clock;
use crate::config::{Config, KeyFiles};
use crate::http::issuers::KeySource;
use crate::identity::{self, Credentials};
use crate::keyfile::{self, KeyFileError};
use crate::lookup::Lookup;
use crate::mail::{self, Mailer};
use crate::metrics::Metrics;
use crate::net::{Dns, Guard, HttpClient, HttpSettings, extra_roots};
use crate::provider::Provider;
use crate::registers::Registers;
use crate::registers::directory::DirectoryDesk;
use crate::registers::sml::SmlDesk;
use crate::rules::{Registry, RuleDesk};
use crate::seeds;
use crate::sending::Sender;
use crate::trust::{RevocationSources, TrustDesk};
use crate::worker::gate::Gate;
use crate::worker::notify::HookCaller;

/// The parts that doors and hands share.
pub struct Parts {
    /// The configuration they were made from.
    pub config: Config,
    /// What time it is.
    pub clock: Clock,
    /// The memory.
    pub store: Store,
    /// Which certificates are believed.
    pub trust: Arc<TrustDesk>,
    /// Where receivers are found.
    pub lookup: Arc<Lookup>,
    /// Where documents are judged.
    pub rules: Arc<RuleDesk>,
    /// The registers outside.
    pub registers: Registers,
    /// Who we are to other providers; none without an access point certificate.
    pub provider: Option<Arc<Provider>>,
    /// What is counted.
    pub metrics: Arc<Metrics>,
    /// Calls other access points.
    peers: HttpClient,
    /// Calls customers' hooks.
    hooks: HttpClient,
    /// Sends mail, where a server is set.
    mailer: Option<Mailer>,
}

impl Parts {
    pub(super) async fn open(
        config: Config,
        clock: Clock,
        registers: Registers,
    ) -> Result<Parts, StartError> {
        let store = open_store(&config).await?;
        // One process owns an embedded store: what an earlier one had in hand is due again.
        store.end_leases().await?;
        seeds::apply(&store, &config.organisation, &hook_guard(&config), clock.now()).await?;
        let provider = provider(&config)?;
        if let Some(provider) = &provider {
            provider.record(&store, clock.now()).await?;
        }
        let roots = extra_roots(&config.tls.extra_ca_files)?;
        let client = |guard: Guard| {
            HttpClient::new(&HttpSettings {
                extra_roots: roots.clone(),
                guard,
                ..HttpSettings::default()
            })
        };
        let network = peer_guard(&config);
        let sources = RevocationSources {
            crl: config.trust.crl,
            ocsp: config.trust.ocsp,
            soft_fail: config.trust.revocation_soft_fail,
        };
        let plain = client(Guard { plain: true, standard_port: false, ..network.clone() })?;
        let authorities = authorities::load(&config.trust)?;
        let trust = Arc::new(TrustDesk::new(authorities, sources, plain, clock.clone()));
        let network_settings = HttpSettings {
            extra_roots: roots.clone(),
            guard: network.clone(),
            ..HttpSettings::default()
        };
        let peers = client(network)?;
        let dns = Dns::new(&config.network.dns_servers)?;
        let lookup = Arc::new(Lookup::new(
            dns.clone(),
            peers.clone(),
            trust.clone(),
            config.sml_zone(),
            uri_policy(&config),
            Duration::from_secs(config.network.lookup_timeout_seconds),
        ));
        let hooks = client(hook_guard(&config))?;
        let registers = registers_of(&config, network_settings, dns, registers)?;
        let metrics = Arc::<Metrics>::default();
        let (registry, policies) = (Registry::at(&config.data_dir), config.validation.policies());
        let rules = Arc::new(RuleDesk::open(registry, policies, metrics.clone())?);
        let mailer = Mailer::open(&config.mail, &roots)?;
        Ok(Parts {
            config,
            clock,
            store,
            trust,
            lookup,
            rules,
            registers,
            provider,
            metrics,
            peers,
            hooks,
            mailer,
        })
    }

    /// A client for the keys of other issuers.
    pub(super) fn key_source(&self) -> Arc<dyn KeySource> {
        Arc::new(KeyFetcher(self.peers.clone()))
    }

    /// Our identity as an access point.
    pub(super) fn access_point(&self) -> Result<Arc<OwnIdentity>, StartError> {
        let files = self.access_point_files();
        let earlier = &self.config.access_point.old_keys;
        Ok(Arc::new(identity::access_point(&files, earlier)?))
    }

    pub(super) fn access_point_certificate(&self) -> Result<Certificate, StartError> {
        Ok(Credentials::load(&self.access_point_files())?.certificate)
    }

    fn access_point_files(&self) -> KeyFiles {
        let section = &self.config.access_point;
        KeyFiles {
            certificate_file: section.certificate_file.clone().unwrap_or_default(),
            key_file: section.key_file.clone().unwrap_or_default(),
        }
    }

    pub(super) fn smp(&self) -> Result<Credentials, StartError> {
        let section = &self.config.smp;
        let files = KeyFiles {
            certificate_file: section.certificate_file.clone().unwrap_or_default(),
            key_file: section.key_file.clone().unwrap_or_default(),
        };
        Ok(Credentials::load(&files)?)
    }

    pub(super) fn sender(&self) -> Result<Sender, StartError> {
        Ok(Sender::new(self.access_point()?, self.trust.clone(), self.peers.clone()))
    }

    pub(super) fn hook_caller(&self) -> HookCaller {
        HookCaller {
            client: self.hooks.clone(),
            prefix: self.config.api.header_prefix.clone(),
            limit: self.config.limits.hook_timeout(),
            clock: self.clock.clone(),
            mailer: self.mailer.clone(),
            gate: Gate::default(),
            public_url: self.public_url(),
        }
    }

    /// Base address of the interface as customers see it.
    pub fn public_url(&self) -> String {
        let config = &self.config;
        config.api.public_url.clone().unwrap_or_else(|| {
            let encrypted = config.listen.api.certificate_file.is_some();
            let scheme = if encrypted { "https" } else { "http" };
            format!("{scheme}://{}", config.listen.api.address)
        })
    }

    /// The right-hand side of our message ids.
    pub fn as4_domain(&self) -> &str {
        self.config.access_point.as4_domain.as_deref().unwrap_or("localhost")
    }

    /// What hooks may name.
    pub fn hook_guard(&self) -> Guard {
        hook_guard(&self.config)
    }

    /// Which addresses of SMPs and access points are acceptable.
    pub fn uri_policy(&self) -> UriPolicy {
        uri_policy(&self.config)
    }

    /// When failed attempts are repeated.
    pub fn policy(&self) -> Policy {
        self.config.retry.policy()
    }

    /// Participants whose access point address differs from ours, for a laboratory.
    pub(super) fn published_exceptions(&self) -> BTreeMap<ParticipantId, String> {
        let written = &self.config.smp.endpoint_exceptions;
        written
            .iter()
            .filter_map(|(participant, url)| Some((participant.parse().ok()?, url.clone())))
            .collect()
    }
}

/// Who we are, where there is a certificate that says so.
///
/// # Errors
/// [`StartError`].
pub(crate) fn provider(config: &Config) -> Result<Option<Arc<Provider>>, StartError> {
    let section = &config.access_point;
    let (Some(certificate_file), Some(key_file)) = (&section.certificate_file, &section.key_file)
    else {
        return Ok(None);
    };
    let (certificate_file, key_file) = (certificate_file.clone(), key_file.clone());
    let certificate = Credentials::load(&KeyFiles { certificate_file, key_file })?.certificate;
    Ok(Some(Arc::new(Provider::new(config, &certificate)?)))
}

/// The registers that a configuration names, in place of those that are given.
fn registers_of(
    config: &Config,
    settings: HttpSettings,
    dns: Dns,
    given: Registers,
) -> Result<Registers, StartError> {
    let directory = DirectoryDesk::of(config, settings.clone())?;
    let sml = SmlDesk::of(config, settings, dns)?;
    Ok(Registers {
        sml: sml.map_or(given.sml, |desk| Arc::new(desk)),
        directory: directory.map_or(given.directory, |desk| Arc::new(desk)),
    })
}

fn uri_policy(config: &Config) -> UriPolicy {
    UriPolicy { tolerate_http: false, any_port: config.network.allow_any_port }
}

/// What may be called in the network: port 443 on the public internet, unless it is a laboratory.
fn peer_guard(config: &Config) -> Guard {
    let lab = config.network.allow_any_port;
    Guard { any_address: lab, standard_port: !lab, ..Guard::default() }
}

fn hook_guard(config: &Config) -> Guard {
    let hosts = config.network.hook_hosts_allowed.iter().map(|host| host.to_ascii_lowercase());
    // What is wrong with the mail server is told when it is set up.
    let senders = mail::senders(&config.mail).ok().flatten();
    Guard { hosts_allowed: hosts.collect(), senders, ..Guard::default() }
}

pub(crate) async fn open_store(config: &Config) -> Result<Store, StartError> {
    let path = config.data_dir.join("store.key");
    let wrong = |reason: &str| KeyFileError { path: path.clone(), reason: reason.to_owned() };
    let hex = match &config.secrets.master_key {
        Some(key) => key.expose().as_bytes().to_vec(),
        None => keyfile::read_or_make(&path, random_key)?,
    };
    let key = data_encoding::HEXLOWER_PERMISSIVE
        .decode(hex.trim_ascii())
        .ok()
        .and_then(|bytes| bytes.try_into().ok())
        .ok_or_else(|| wrong("expected 32 bytes in hexadecimal"))?;
    Ok(Store::open(OpenOptions::new(config.data_dir.clone(), StoreKey(key))).await?)
}

fn random_key() -> Result<Vec<u8>, String> {
    let mut key = [0; 32];
    aws_lc_rs::rand::fill(&mut key).map_err(|_| "no random bytes".to_owned())?;
    Ok(data_encoding::HEXLOWER.encode(&key).into_bytes())
}
