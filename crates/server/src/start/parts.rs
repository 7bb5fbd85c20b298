//! What a service is made of, opened in the order in which one thing needs another.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use quoin_delivery::RetryPolicy;
use quoin_peppol::as4::OwnIdentity;
use quoin_peppol::identifiers::ParticipantId;
use quoin_peppol::pki::Certificate;
use quoin_peppol::sml::UriPolicy;
use quoin_store::Store;

use super::StartError;
use super::doubts::doubts;
use super::key_fetcher::KeyFetcher;
use super::mailboxes::mailboxes;
use super::ownership::{ksef_client, own_access_point, own_certificates, provider};
use super::stored::open_store;
use quoin_access_point::alarms::Alarms;
use quoin_access_point::authorities;
use quoin_access_point::budget::Budgets;
use quoin_access_point::channels::Allowed;
use quoin_access_point::clock::{Clock, ClockWatch};
use quoin_access_point::config::Config;
use quoin_access_point::disk::Disk;
use quoin_access_point::https::HttpsClient;
use quoin_access_point::identity::{self, Credentials, Rollover};
use quoin_access_point::ksef::{KsefClient, KsefSettings};
use quoin_access_point::lookup::{Lookup, LookupSettings};
use quoin_access_point::mail::{self, Mailer};
use quoin_access_point::mailbox::{AnswerLimits, MailboxClient};
use quoin_access_point::metrics::Metrics;
use quoin_access_point::net::{Dns, Guard, HttpClient, HttpSettings, TlsRoot, extra_roots};
use quoin_access_point::oauth::TokenDesk;
use quoin_access_point::provider::Provider;
use quoin_access_point::registers::Registers;
use quoin_access_point::registers::directory::{DirectoryDesk, DirectorySetupError};
use quoin_access_point::registers::sml::SmlDesk;
use quoin_access_point::rules::{Registry, RuleLibrary};
use quoin_access_point::sending::{Breakers, Patience, Sender};
use quoin_access_point::sftp::SftpClient;
use quoin_access_point::trust::{CertificateUse, OwnCertificate, RevocationSettings, TrustService};
use quoin_access_point::worker::bounces::BounceBox;
use quoin_access_point::worker::gate::Gate;
use quoin_access_point::worker::notify::HookCaller;
use quoin_api::http::issuers::KeySource;

/// The parts that doors and the worker share.
pub struct ServiceParts {
    /// The configuration they were made from.
    pub config: Config,
    /// What time it is.
    pub clock: Clock,
    /// Whether that is to be believed.
    pub watch: ClockWatch,
    /// The memory.
    pub store: Store,
    /// Which certificates are believed.
    pub trust: Arc<TrustService>,
    /// Where receivers are found.
    pub lookup: Arc<Lookup>,
    /// Where documents are judged.
    pub rules: Arc<RuleLibrary>,
    /// The registers outside.
    pub registers: Registers,
    /// The Polish national system, where one is configured.
    pub ksef: Option<KsefClient>,
    /// Which access points are left alone.
    pub breakers: Arc<Breakers>,
    /// The certificates that this process depends on, its doors' included.
    pub certificates: Arc<Vec<OwnCertificate>>,
    /// Our access point over time, where there is one.
    own: Option<Rollover<Arc<OwnIdentity>>>,
    /// Who we are to other providers; none without an access point certificate.
    pub provider: Option<Arc<Provider>>,
    /// What is counted.
    pub metrics: Arc<Metrics>,
    /// What whoever runs the service hears.
    pub alarms: Alarms,
    /// What others may cost us.
    pub budgets: Budgets,
    /// Whether there is room for what comes in.
    pub disk: Disk,
    /// Calls other access points.
    peers: HttpClient,
    /// Calls customers' hooks, and posts documents.
    https: HttpsClient,
    /// Sends mail, where a server is set.
    mailer: Option<Mailer>,
    /// Reads mailboxes of customers.
    mailboxes: MailboxClient,
    /// Where mail comes back to, where there is such a mailbox.
    bounces: Option<BounceBox>,
}

impl ServiceParts {
    /// Opens the parts of a configuration.
    ///
    /// # Errors
    /// What keeps the service from starting.
    pub async fn open(
        config: Config,
        clock: Clock,
        registers: Registers,
    ) -> Result<ServiceParts, StartError> {
        let budgets = Budgets::new(&config.limits);
        // Before the store is opened, which upgrades it: who has a file missing goes back, if need
        // be, with the database that was there.
        let roots = extra_roots(&config.tls.extra_ca_files)?;
        let authorities = authorities::load(&config.trust)?;
        let own = own_access_point(&config)?;
        let certificates = Arc::new(own_certificates(&config, own.as_ref(), &authorities)?);
        for doubt in doubts((&config, &authorities), &certificates, clock.now()) {
            tracing::warn!(doubt, "our own certificates are not as they should be");
        }
        let (store, watch) = begin(&config, &clock).await?;
        let provider = provider(&config)?;
        if let Some(provider) = &provider {
            provider.record(&store, clock.now()).await?;
        }
        let client = |guard: Guard| HttpClient::new(&settings_of(&roots, guard));
        let network = peer_guard(&config);
        let settings = RevocationSettings::of(&config.trust);
        let plain = client(Guard { plain: true, standard_port: false, ..network.clone() })?;
        let trust = TrustService::new(authorities, settings, plain, clock.clone());
        let trust = Arc::new(trust.remembering(store.clone()).watching(watch.clone()));
        let network_settings = settings_of(&roots, network.clone());
        let peers = client(network)?;
        let dns = Dns::new(&config.network.dns_servers)?;
        let lookup = lookup_of(&config, &dns, &peers, &trust, &budgets);
        let https = hook_client(&config, network_settings.clone())?;
        let registers = registers_of(&config, network_settings, (dns, &clock), registers)?;
        let metrics = Arc::<Metrics>::default();
        let ksef = ksef_client(&config.ksef, &roots, (&clock, &store))?;
        let rules = Arc::new(rule_desk(&config, &metrics, &clock)?);
        let tokens =
            TokenDesk::new(https.plain().clone(), config.limits.hook_timeout(), clock.clone());
        let mailer = Mailer::open(&config.mail, &roots, tokens.clone())?;
        let (mailboxes, bounces) = mailboxes(&config, &roots, (mailer.as_ref(), tokens))?;
        let breakers = Arc::new(Breakers::new(config.breaker.policy(), store.breakers().await?));
        let alarms = Alarms::new(store.clone(), provider.clone(), metrics.clone(), clock.clone());
        let reserve = config.limits.disk_reserve_megabytes.saturating_mul(1 << 20);
        Ok(ServiceParts {
            disk: Disk::new(vec![config.data_dir.clone(), store.blob_folder()], reserve),
            budgets,
            certificates,
            own,
            config,
            clock,
            watch,
            store,
            trust,
            lookup,
            rules,
            registers,
            ksef,
            breakers,
            provider,
            alarms,
            metrics,
            peers,
            https,
            mailer,
            mailboxes,
            bounces,
        })
    }

    /// A client for the keys of other issuers.
    pub(super) fn key_source(&self) -> Arc<dyn KeySource> {
        Arc::new(KeyFetcher(self.peers.clone()))
    }

    /// Our identity as an access point.
    pub fn access_point(&self) -> Result<Rollover<Arc<OwnIdentity>>, StartError> {
        Ok(self.own.clone().ok_or(identity::IdentityError::Nothing)?)
    }

    /// Whose key signs dossiers, where there is one.
    pub(super) fn signs_dossiers(&self) -> Option<Rollover<Arc<OwnIdentity>>> {
        self.own.clone()
    }

    /// The certificate of the access point that the SMP publishes.
    pub(super) fn access_point_certificate(&self) -> Result<Rollover<Certificate>, StartError> {
        let wanted = [CertificateUse::AccessPoint, CertificateUse::NextAccessPoint];
        let [present, next] = wanted.map(|used| {
            let found = self.certificates.iter().find(|own| own.used == used);
            found.map(|own| own.certificate.clone())
        });
        let present = Rollover::of(present.ok_or(identity::IdentityError::Nothing)?);
        let from = self.config.access_point.next.as_ref().and_then(|next| next.from);
        Ok(match from.zip(next) {
            Some((from, next)) => present.then(from, next),
            None => present,
        })
    }

    pub(super) fn smp(&self) -> Result<Rollover<Arc<Credentials>>, StartError> {
        let smp = &self.config.smp;
        Ok(identity::smp_over_time(&smp.key_place(), smp.next.as_ref())?)
    }

    pub(super) fn sender(&self) -> Result<Sender, StartError> {
        let network = &self.config.network;
        let patience = Patience {
            least: Duration::from_secs(network.answer_timeout_seconds),
            per_megabyte: Duration::from_secs(network.answer_timeout_seconds_per_megabyte),
        };
        let (trust, peers) = (self.trust.clone(), self.peers.clone());
        let spool = self.config.data_dir.join("spool").into();
        let budgets = (self.budgets.clone(), spool);
        Ok(Sender::new(self.access_point()?, trust, peers, patience, budgets))
    }

    pub(super) fn hook_caller(&self) -> HookCaller {
        let (guard, patience) = (self.hook_guard().guard, self.config.limits.hook_timeout());
        HookCaller {
            https: self.https.clone(),
            mailer: self.mailer.clone(),
            mailboxes: self.mailboxes.clone(),
            answers: AnswerLimits::default(),
            bounces: self.bounces.clone(),
            sftp: SftpClient::new(guard, patience),
            folder_pause: Duration::from_secs(self.config.network.folder_seconds),
            document_bytes: usize::try_from(self.config.limits.request_bytes).unwrap_or(usize::MAX),
            gate: Gate::new(&self.budgets),
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
    pub fn hook_guard(&self) -> Allowed {
        hook_guard(&self.config)
    }

    /// Which addresses of SMPs and access points are acceptable.
    pub fn uri_policy(&self) -> UriPolicy {
        uri_policy(&self.config)
    }

    /// When failed attempts are repeated.
    pub fn policy(&self) -> RetryPolicy {
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

/// Opens the store, and takes up what an earlier process left.
async fn begin(config: &Config, clock: &Clock) -> Result<(Store, ClockWatch), StartError> {
    let store = open_store(config).await?;
    // Before anything of this start is on record.
    let watch = ClockWatch::begin(clock.clone(), store.newest_time().await?);
    // One process owns an embedded store: what an earlier one had in hand is due again.
    store.end_leases().await?;
    let held = store.release_held(clock.now()).await?;
    if held > 0 {
        tracing::warn!(steps = held, "steps that were held are taken up once more");
    }
    Ok((store, watch))
}

pub(super) fn rule_desk(
    config: &Config,
    metrics: &Arc<Metrics>,
    clock: &Clock,
) -> Result<RuleLibrary, StartError> {
    let registry = Registry::at(&config.data_dir);
    let time = Duration::from_secs(config.limits.validation_seconds);
    let told = (metrics.clone(), clock.clone());
    Ok(RuleLibrary::open(registry, &config.validation, told, time)?)
}

/// Where receivers are found.
fn lookup_of(
    config: &Config,
    dns: &Dns,
    peers: &HttpClient,
    trust: &Arc<TrustService>,
    budgets: &Budgets,
) -> Arc<Lookup> {
    let settings = LookupSettings {
        zone: config.sml_zone(),
        uris: uri_policy(config),
        limit: Duration::from_secs(config.network.lookup_timeout_seconds),
    };
    let (dns, peers, trust) = (dns.clone(), peers.clone(), trust.clone());
    Arc::new(Lookup::new(dns, peers, trust, settings, budgets.clone()))
}

/// The registers that a configuration names, in place of those that are given.
pub(super) fn registers_of(
    config: &Config,
    settings: HttpSettings,
    (dns, clock): (Dns, &Clock),
    given: Registers,
) -> Result<Registers, StartError> {
    let directory = DirectoryDesk::of(config, settings.clone(), clock);
    let directory = directory.map_err(|error| match error {
        DirectorySetupError::Roots(error) => StartError::Roots(error),
        DirectorySetupError::Identity(error) => StartError::Identity(error),
    })?;
    let sml = SmlDesk::of(config, settings, dns, clock)?;
    Ok(Registers {
        sml: sml.map_or(given.sml, |desk| Arc::new(desk)),
        directory: directory.map_or(given.directory, |desk| Arc::new(desk)),
    })
}

/// How servers are called: by the authorities that are believed, and where the guard allows it.
pub(super) fn settings_of(roots: &[TlsRoot], guard: Guard) -> HttpSettings {
    HttpSettings { extra_roots: roots.to_vec(), guard, ..HttpSettings::default() }
}

/// Calls customers' hooks.
pub(super) fn hook_client(
    config: &Config,
    of_network: HttpSettings,
) -> Result<HttpsClient, StartError> {
    let settings = HttpSettings { guard: hook_guard(config).guard, ..of_network };
    let (prefix, patience) = (config.api.header_prefix.clone(), config.limits.hook_timeout());
    Ok(HttpsClient::new(HttpClient::new(&settings)?, settings, prefix, patience))
}

fn uri_policy(config: &Config) -> UriPolicy {
    UriPolicy { tolerate_http: false, any_port: config.network.allow_any_port }
}

/// What may be called in the network: port 443 on the public internet, unless it is a laboratory.
pub(super) fn peer_guard(config: &Config) -> Guard {
    let lab = config.network.allow_any_port;
    Guard { any_address: lab, standard_port: !lab, ..Guard::default() }
}

pub(super) fn hook_guard(config: &Config) -> Allowed {
    let hosts = config.network.hook_hosts_allowed.iter().map(|host| host.to_ascii_lowercase());
    // What is wrong with the mail server is told when it is set up.
    let senders = mail::senders(&config.mail).ok().flatten();
    let guard = Guard { hosts_allowed: hosts.collect(), ..Guard::default() };
    Allowed { guard, senders, ksef: KsefSettings::of(&config.ksef).is_some() }
}
