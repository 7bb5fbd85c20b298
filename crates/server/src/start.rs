//! Putting the rooms together: from a configuration to a service with open doors.

mod api;
pub mod checking;
mod declaring;
mod doubts;
mod key_fetcher;
mod mailboxes;
pub mod ownership;
pub mod parts;
mod restored;
mod stopping;
mod stored;
mod watching;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use axum::Router;
use tokio::task::JoinHandle;

use quoin_access_point::as4_inbound::{As4Door, MESSAGE_BYTES};
use quoin_access_point::budget::BodyLimits;
use quoin_access_point::channels::DestinationQueue;
use quoin_access_point::clock::Clock;
use quoin_access_point::config::{Config, ListenerSection, ServiceRole, package_table};
use quoin_access_point::endpoints::Endpoints;
use quoin_access_point::loading::ConfigError;
use quoin_access_point::metrics::Scrape;
use quoin_access_point::registers::Registers;
use quoin_access_point::rules;
use quoin_access_point::smp_publisher::{self, Published, PublisherSetup, SmpPublisher};
use quoin_access_point::tax::TaxProfiles;
use quoin_access_point::tls::{self, Door, DoorLimits, DoorMaterial, OpenDoor, Shutdown};
use quoin_access_point::trust;
use quoin_access_point::worker::faults::{Unrecorded, Unreturned};
use quoin_access_point::worker::{self, Bulk, Worker};

pub use parts::ServiceParts;
pub use stored::{StoppedService, is_there, open_existing, open_store};

/// Why the service cannot start. A mistake in the configuration, or a fault of the installation.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// Settings are missing or contradict each other.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The store cannot be opened.
    #[error("the store cannot be opened: {0}")]
    Store(#[from] quoin_store::Fault),
    /// The store failed.
    #[error(transparent)]
    StoreCall(#[from] quoin_store::Error),
    /// A certificate or key of ours cannot be used.
    #[error(transparent)]
    Identity(#[from] quoin_access_point::identity::IdentityError),
    /// The provider cannot be set up.
    #[error(transparent)]
    Provider(#[from] quoin_access_point::provider::ProviderError),
    /// This needs an access point certificate.
    #[error("access_point.certificate_file is not set, but the worker and the AS4 door need it")]
    NoProvider,
    /// The authorities cannot be used.
    #[error(transparent)]
    Authorities(#[from] quoin_access_point::authorities::AuthorityError),
    /// A key file cannot be used.
    #[error(transparent)]
    KeyFile(#[from] quoin_access_point::keyfile::KeyFileError),
    /// The outgoing client cannot be set up.
    #[error(transparent)]
    Roots(#[from] quoin_access_point::net::RootsError),
    /// A certificate file cannot be used.
    #[error(transparent)]
    Pem(#[from] quoin_access_point::pemfile::PemFileError),
    /// The SML cannot be spoken to.
    #[error(transparent)]
    Sml(#[from] quoin_access_point::registers::sml::SmlSetupError),
    /// Mail cannot be set up.
    #[error(transparent)]
    Mail(#[from] quoin_access_point::mail::MailerError),
    /// The mailbox of mail that came back.
    #[error("mail.bounce_mailbox: {0}")]
    Bounces(#[from] quoin_access_point::mailbox::MailFromError),
    /// The resolver cannot be set up.
    #[error(transparent)]
    Dns(#[from] quoin_access_point::net::DnsError),
    /// The key that signs tokens, which the service made for itself.
    #[error(
        "{}: {source}; put the file back that was there, or remove it: another key is made, and \
         the tokens that were given end",
        path.display()
    )]
    TokenKey {
        /// The file.
        path: PathBuf,
        /// Why.
        source: quoin_api::http::token::TokenKeyError,
    },
    /// Registered rule files cannot be loaded.
    #[error("the official rule files: {0}")]
    Rules(#[from] rules::RulesError),
    /// A declared organisation cannot be recorded.
    #[error(transparent)]
    Seed(#[from] crate::seeds::SeedError),
    /// An address of ours is not acceptable.
    #[error(transparent)]
    Address(#[from] quoin_peppol::sml::UriRefusal),
    /// The TLS material of a door cannot be used.
    #[error("door {door}: {source}")]
    Tls {
        /// The door.
        door: &'static str,
        /// Why.
        source: tls::MaterialError,
    },
    /// The key that signs tokens, in a file that the configuration names.
    #[error("api.token_key_file: {}: {source}", path.display())]
    NamedTokenKey {
        /// The file.
        path: PathBuf,
        /// Why.
        source: quoin_api::http::token::TokenKeyError,
    },
    /// The data folder lies behind a link that leads to nothing.
    #[error("data_dir: {} leads to what is not there; is its disk mounted?", link.display())]
    NotMounted {
        /// The link.
        link: PathBuf,
    },
    /// There is no store to look at.
    #[error(
        "{} has no quoin.db: no service was ever started with this data_dir; check the setting",
        folder.display()
    )]
    NoStore {
        /// The folder.
        folder: PathBuf,
    },
    /// A door cannot be opened.
    #[error("door {0}")]
    Door(std::io::Error),
}

/// A running service.
pub struct Running {
    /// What it is made of.
    pub parts: Arc<ServiceParts>,
    /// The customers' door.
    pub api: Option<OpenDoor>,
    /// The door of other access points.
    pub as4: Option<OpenDoor>,
    /// The door of the SMP.
    pub smp: Option<OpenDoor>,
    /// The private door of monitoring.
    pub metrics: Option<OpenDoor>,
    shutdown: Shutdown,
    /// The end of the doors of other services, which comes after that of what is in hand.
    peers: Shutdown,
    worker: Option<JoinHandle<()>>,
    watches: Vec<JoinHandle<()>>,
}

/// Starts everything that the configuration's roles ask for.
///
/// # Errors
/// [`StartError`]; nothing is left running.
pub async fn start(config: Config, clock: Clock) -> Result<Running, StartError> {
    start_with(config, clock, Registers::unset()).await
}

/// The same, with registers of the caller's choice.
///
/// # Errors
/// [`StartError`]; nothing is left running.
pub async fn start_with(
    config: Config,
    clock: Clock,
    registers: Registers,
) -> Result<Running, StartError> {
    config.ready()?;
    // Before the store is opened: a start that ends on a key has changed nothing there.
    if config.has(ServiceRole::Api) {
        checking::token_key(&config)?;
    }
    let tls = door_tls(&config)?;
    let parts = Arc::new(ServiceParts::open(config, clock, registers).await?);
    declaring::declare(&parts).await?;
    if parts.store.is_taken_anew().await? {
        restored::tell(&parts.store, &parts.alarms).await?;
    }
    let (shutdown, peers) = (Shutdown::default(), Shutdown::default());
    let (worker, watches) = (None, Vec::new());
    let (api, as4, smp, metrics) = (None, None, None, None);
    let mut running = Running { parts, api, as4, smp, metrics, shutdown, peers, worker, watches };
    if let Err(error) = running.open(tls).await {
        running.stop().await;
        return Err(error);
    }
    Ok(running)
}

impl Running {
    async fn open(&mut self, tls: DoorTls) -> Result<(), StartError> {
        let parts = self.parts.clone();
        let config = &parts.config;
        // Before anybody can come in.
        self.watch_certificates(&parts).await?;
        if let Some(listener) = &config.listen.metrics {
            let (metrics, store) = (parts.metrics.clone(), parts.store.clone());
            let (clock, budgets) = (parts.clock.clone(), parts.budgets.clone());
            let alarms = parts.alarms.clone();
            let unrecorded = Arc::new(move || alarms.unrecorded().len());
            let scrape = Scrape { metrics, store, clock, budgets, unrecorded };
            self.metrics =
                Some(self.door("metrics", (listener, &tls), (scrape.router(), &self.peers)).await?);
        }
        if config.has(ServiceRole::As4) {
            let router = as4_router(&parts)?;
            self.as4 =
                Some(self.door("as4", (&config.listen.as4, &tls), (router, &self.peers)).await?);
        }
        let mut publisher = None;
        if config.has(ServiceRole::Smp) {
            let opened = publisher.insert(open_publisher(&parts).await?);
            let router = smp_publisher::router(opened.clone(), parts.clock.clone());
            self.smp =
                Some(self.door("smp", (&config.listen.smp, &tls), (router, &self.peers)).await?);
        }
        if config.has(ServiceRole::Worker) || config.has(ServiceRole::Api) {
            let watching = rules::watch(parts.rules.clone(), self.shutdown.clone());
            self.watches.push(tokio::spawn(watching));
        }
        if config.has(ServiceRole::Worker) {
            let worker = Arc::new(worker(&parts)?);
            if let Some(now) = parts.watch.believed().filter(|_| worker.provider.reports.is_some())
            {
                parts.store.plan_reports(now).await?;
            }
            self.worker = Some(tokio::spawn(worker::run(worker, self.shutdown.clone())));
        }
        if config.has(ServiceRole::Api) {
            let router = api::router(&parts, publisher)?;
            self.api =
                Some(self.door("api", (&config.listen.api, &tls), (router, &self.shutdown)).await?);
        }
        Ok(())
    }

    /// Keeps what is known about revocation fresh, and warns of certificates that end.
    async fn watch_certificates(&mut self, parts: &ServiceParts) -> Result<(), StartError> {
        let own = parts.certificates.clone();
        let certificates: Vec<_> = own.iter().map(|own| own.certificate.clone()).collect();
        parts.trust.begin(&certificates).await?;
        self.watches.push(tokio::spawn(parts.trust.clone().refresh(self.shutdown.clone())));
        let (store, watch) = (parts.store.clone(), parts.watch.clone());
        let told = &parts.config.trust.warn_organisations;
        let told = told.iter().filter_map(|id| id.parse().ok()).collect();
        let warning = trust::warn_of_expiry(own, told, store, watch, self.shutdown.clone());
        self.watches.push(tokio::spawn(warning));
        let (own, watch) = (parts.certificates.clone(), parts.watch.clone());
        let looking =
            watching::certificates(own, parts.alarms.clone(), watch, self.shutdown.clone());
        self.watches.push(tokio::spawn(looking));
        let looking = watching::token_keys(parts.alarms.clone(), self.shutdown.clone());
        self.watches.push(tokio::spawn(looking));
        let hears = (parts.store.clone(), parts.alarms.clone());
        let (disk, clock) = (parts.disk.clone(), parts.clock.clone());
        let disk = (disk, parts.config.data_dir.join("spool"));
        let looking = watching::disk(disk, hears, clock, self.shutdown.clone());
        self.watches.push(tokio::spawn(looking));
        Ok(())
    }

    async fn door(
        &self,
        name: &'static str,
        (listener, tls): (&ListenerSection, &DoorTls),
        (router, end): (Router, &Shutdown),
    ) -> Result<OpenDoor, StartError> {
        let tls = tls.get(name).cloned();
        let mut limits = DoorLimits::from(&self.parts.config.limits);
        // Whoever comes through a proxy has the address of the proxy.
        if listener.behind_proxy || listener.address.ip().is_loopback() {
            limits.of_one_address = limits.connections;
        }
        let door = Door { name, address: listener.address, tls, limits };
        let open = door.open(router, end.clone()).await.map_err(StartError::Door)?;
        self.parts.budgets.listens(open.connections());
        tracing::info!(door = name, url = open.url(), "open");
        Ok(open)
    }
}

/// The TLS material of doors, by their names.
type DoorTls = BTreeMap<&'static str, DoorMaterial>;

/// Reads certificates and keys of the doors that are opened.
fn door_tls(config: &Config) -> Result<DoorTls, StartError> {
    let mut all = DoorTls::new();
    let roles = [("api", ServiceRole::Api), ("as4", ServiceRole::As4), ("smp", ServiceRole::Smp)];
    let is_closed = |door| roles.iter().any(|(name, role)| *name == door && !config.has(*role));
    for (door, listener) in config.listen.doors().filter(|(door, _)| !is_closed(*door)) {
        if let (Some(certificate), Some(key)) = (&listener.certificate_file, &listener.key_file) {
            let material = tls::server_tls_from_files(certificate, key);
            all.insert(door, material.map_err(|source| StartError::Tls { door, source })?);
        }
    }
    Ok(all)
}

fn as4_router(parts: &ServiceParts) -> Result<Router, StartError> {
    let door = As4Door {
        own: parts.access_point()?,
        trust: parts.trust.clone(),
        store: parts.store.clone(),
        domain: parts.as4_domain().to_owned(),
        provider: parts.provider.clone().ok_or(StartError::NoProvider)?,
        metrics: parts.metrics.clone(),
        alarms: parts.alarms.clone(),
        watch: parts.watch.clone(),
        disk: parts.disk.clone(),
        budgets: parts.budgets.clone(),
        spool: parts.config.data_dir.join("spool"),
        body: BodyLimits { bytes: MESSAGE_BYTES, ..(&parts.config.limits).into() },
    };
    Ok(Arc::new(door).router())
}

/// What the SMP's door and those who manage it share.
async fn open_publisher(parts: &ServiceParts) -> Result<Arc<SmpPublisher>, StartError> {
    let config = &parts.config;
    let access_point = Published {
        address: config.access_point.public_url.clone().unwrap_or_default(),
        certificate: parts.access_point_certificate()?,
        clock: parts.clock.clone(),
        contact: config.smp.public_url.clone().unwrap_or_default(),
        exceptions: parts.published_exceptions(),
        named: Endpoints::load(config)?,
    };
    let base = config.smp.public_url.as_deref().unwrap_or_default();
    let setup = PublisherSetup {
        store: parts.store.clone(),
        credentials: parts.smp()?,
        base: quoin_peppol::sml::SmpBase::new(base, parts.uri_policy())?,
        access_point,
        uris: parts.uri_policy(),
        memory: config.smp.cache_megabytes.saturating_mul(1 << 20),
    };
    Ok(Arc::new(SmpPublisher::open(setup, parts.clock.now()).await?))
}

fn worker(parts: &ServiceParts) -> Result<Worker, StartError> {
    Ok(Worker {
        alarms: parts.alarms.clone(),
        store: parts.store.clone(),
        lookup: parts.lookup.clone(),
        rules: parts.rules.clone(),
        sender: Some(parts.sender()?),
        hooks: parts.hook_caller(),
        registers: parts.registers.clone(),
        ksef: parts.ksef.clone(),
        tax: Arc::new(TaxProfiles::of(&parts.config.tax)),
        breakers: parts.breakers.clone(),
        provider: parts.provider.clone().ok_or(StartError::NoProvider)?,
        bulk: Bulk {
            endpoints: Endpoints::load(&parts.config)?,
            own: parts.access_point()?,
            verification: parts.config.api.end_user_verification,
            smp: parts
                .config
                .smp
                .public_url
                .as_deref()
                .and_then(|url| quoin_peppol::sml::SmpBase::new(url, parts.uri_policy()).ok()),
        },
        metrics: parts.metrics.clone(),
        budgets: parts.budgets.clone(),
        queue: DestinationQueue::default(),
        turns: Arc::default(),
        unrecorded: Unrecorded::default(),
        unreturned: Unreturned::default(),
        policy: parts.policy(),
        conversion: parts.config.conversion.policy(),
        packages: package_table(&parts.config.packages),
        keep: parts.config.documents.keep(),
        keep_exchanges: parts.config.documents.exchange_months,
        clock: parts.clock.clone(),
        watch: parts.watch.clone(),
    })
}
