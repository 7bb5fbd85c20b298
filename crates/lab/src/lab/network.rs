//! The whole network, started in one go. Nothing in it is simulated that a message meets on its
//! way:
//! sockets, TLS, DNS, signatures and stores are the real ones.

pub mod collector;
mod doors;
mod folder;
mod poland;
mod ports;
mod setup;

use std::fs::File;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use quoin_peppol::identifiers::ParticipantId;
use quoin_peppol::sml::dns_name;
use quoin_peppol::sml::soap::{Entries, Publisher, SmlAnswer, SmlRequest};

use super::directory::LabDirectory;
use super::faults::Faults;
use super::locator::{self, Locator};
use super::mailbox::Mailbox;
use super::partner::PartnerNetworks;
use super::pki::{LabPki, PkiError};
use super::pki_http::PkiDoor;
use super::sink::HookReceiver;
use super::sml::{LabSml, LabZone, SmlError};
use super::tax_office::{self, TaxOffice};
use crate::ksef::KsefLab;
use quoin_access_point::clock::Clock;
use quoin_access_point::config::{Config, Directory, RequestedStatuses, SmlSection};
use quoin_access_point::net::{Dns, Guard, HttpClient, HttpSettings, RootsError, extra_roots};
use quoin_access_point::registers;
use quoin_access_point::tls::{MaterialError, OpenDoor, Shutdown};
use quoin_server::start::{Running, StartError, start};

use doors::{encrypted, loopback, plain, smp_only};
use folder::begin_afresh;
pub(super) use folder::{VARIABLES, write_sample};
pub use poland::POLISH;
pub use ports::ClaimedPort;
pub use setup::{Customer, LabAccessPoint};

/// The zone of the lab's SML.
pub const ZONE: &str = "participant.sml.lab.test";
/// Corner 1: who sends.
pub const SENDER: &str = "0106:12345678";
/// Corner 4: who receives.
pub const RECEIVER: &str = "0106:87654321";
/// A recipient whose access point answers 503 twice to each message, and then takes it.
pub const BUSY: &str = "0106:50300503";
/// A recipient that is registered nowhere.
pub const UNREGISTERED: &str = "0106:40440404";
/// A recipient whose access point says that it does not serve it.
pub const REFUSING: &str = "0106:40940940";

/// Who collects the statistics reports of providers.
pub const COLLECTOR: &str = "9925:be0848934496";

/// Why the lab cannot start.
#[derive(Debug, thiserror::Error)]
pub enum LabError {
    /// Certificates.
    #[error(transparent)]
    Pki(#[from] PkiError),
    /// The SML.
    #[error(transparent)]
    Sml(#[from] SmlError),
    /// A folder, file or port.
    #[error("the lab's files and ports: {0}")]
    Io(#[from] std::io::Error),
    /// The HTTP client.
    #[error(transparent)]
    Roots(#[from] RootsError),
    /// TLS.
    #[error(transparent)]
    Tls(#[from] MaterialError),
    /// A service.
    #[error("access point {name}: {source}")]
    Service {
        /// Which.
        name: &'static str,
        /// Why.
        source: Box<StartError>,
    },
    /// Anything else.
    #[error("{0}")]
    Other(String),
}

/// Everything around the access points: certificates, DNS, the customer's webhook receiver.
pub struct Surroundings {
    /// Where files are.
    pub folder: PathBuf,
    /// The certificates.
    pub pki: Arc<LabPki>,
    /// Where their revocation is told.
    pub pki_door: PkiDoor,
    /// The SML.
    pub sml: LabSml,
    /// The interface of the SML, where SMPs register participants.
    pub locator: Locator,
    /// Its address.
    pub sml_url: String,
    /// The Directory.
    pub directory: LabDirectory,
    /// The address at which SMPs announce business cards to it.
    pub directory_url: String,
    /// The address at which it is searched.
    pub search_url: String,
    /// The webhook receiver of both customers.
    pub sink: HookReceiver,
    /// Its address.
    pub sink_url: String,
    /// The secret that its hooks are signed with.
    pub hook_secret: String,
    /// The other networks: procurement and the like.
    pub partner: PartnerNetworks,
    /// Their host and port; they are called over https.
    pub partner_host: String,
    /// The secret that they believe.
    pub partner_secret: String,
    /// The mail server of both access points.
    pub mailbox: Mailbox,
    /// Its address.
    pub mail_server: SocketAddr,
    clock: Clock,
    shutdown: Shutdown,
    _doors: Vec<OpenDoor>,
}

/// The running network.
pub struct LabNetwork {
    /// What is around the access points.
    pub around: Surroundings,
    /// The sender's access point (corner 2) and its customer.
    pub one: Running,
    /// The sender.
    pub sender: Customer,
    /// The receiver's access point (corner 3).
    pub two: Running,
    /// The receiver.
    pub receiver: Customer,
    /// The Polish national system.
    pub ksef: KsefLab,
    /// The provider of the tax authorities (corner 5).
    pub office: TaxOffice,
    /// As long as it is held, no other lab begins in the folder.
    _lock: File,
}

impl Surroundings {
    /// Starts what is around the access points; files go into `folder`.
    ///
    /// # Errors
    /// [`LabError`].
    pub async fn start(folder: &Path, clock: Clock) -> Result<Surroundings, LabError> {
        std::fs::create_dir_all(folder)?;
        let shutdown = Shutdown::default();
        let pki_door = PkiDoor::new(clock.clone());
        let pki_http = plain("pki", pki_door.routes(), &shutdown).await?;
        let pki = Arc::new(LabPki::generate(&pki_http.url(), clock.now())?);
        pki_door.serve(pki.clone());
        pki.write(folder)?;
        let sml = LabSml::open(loopback(0), LabZone::new(ZONE)?).await?;
        let locator = Locator::new(&sml.zone, clock.clone());
        let locator_door = smp_only("sml", &pki, locator.routes(), &shutdown).await?;
        let sml_url = format!("{}{}", locator_door.url(), locator::BASE);
        let directory = LabDirectory::new(dns(&sml)?, lab_client(folder)?);
        let indexer = smp_only("indexer", &pki, directory.indexer(), &shutdown).await?;
        let search = plain("search", directory.searching(), &shutdown).await?;
        let hook_secret = setup::secret()?;
        let sink = HookReceiver::new(&hook_secret, "X-Service-");
        let sink_http = plain("sink", sink.routes(), &shutdown).await?;
        let sink_url = format!("{}/hook", sink_http.url());
        let partner_secret = setup::secret()?;
        let partner = PartnerNetworks::new(&partner_secret);
        let partner_door = encrypted("partner", &pki, partner.routes(), &shutdown).await?;
        let partner_host = partner_door.url().trim_start_matches("https://").to_owned();
        let mailbox = Mailbox::default();
        let mail_server = mailbox.open().await?;
        Ok(Surroundings {
            folder: folder.to_owned(),
            pki,
            pki_door,
            sml,
            locator,
            sml_url,
            directory,
            directory_url: indexer.url(),
            search_url: search.url(),
            sink,
            sink_url,
            hook_secret,
            partner,
            partner_host,
            partner_secret,
            mailbox,
            mail_server,
            clock,
            shutdown,
            _doors: vec![pki_http, sink_http, partner_door, locator_door, indexer, search],
        })
    }

    /// Points a participant to an SMP.
    ///
    /// # Errors
    /// [`LabError`] where the participant is not one.
    pub fn register(&self, participant: &str, smp: &str) -> Result<(), LabError> {
        let id: ParticipantId =
            participant.parse().map_err(|error| LabError::Other(format!("{error}")))?;
        Ok(self.sml.zone.register(&dns_name(&id, ZONE), smp)?)
    }

    /// What the configuration of a corner says of the SML.
    pub fn sml_section(&self, corner: &LabAccessPoint) -> SmlSection {
        let smp_id = Some(corner.smp_id.clone());
        SmlSection { url: Some(self.sml_url.clone()), smp_id, ..SmlSection::default() }
    }

    /// Registers the SMP of a configuration at the SML, and participants with it.
    ///
    /// # Errors
    /// [`LabError`].
    pub async fn enlist(&self, config: &Config, participants: &[String]) -> Result<(), LabError> {
        let other = |error: String| LabError::Other(error);
        let client = registers::sml::client(config, self.call_settings()?, &self.clock);
        let client = client.map_err(|error| other(error.to_string()))?;
        let client = client.ok_or_else(|| other("the configuration names no SML".to_owned()))?;
        let publisher = Publisher {
            id: client.publisher().to_owned(),
            logical_address: config.smp.public_url.clone().unwrap_or_default(),
            physical_address: "127.0.0.1".to_owned(),
        };
        let ids = participants.iter().map(|text| text.parse::<ParticipantId>());
        let ids = ids.collect::<Result<Vec<_>, _>>().map_err(|error| other(error.to_string()))?;
        let entries = Entries { publisher: publisher.id.clone(), participants: ids };
        for request in [SmlRequest::CreatePublisher(publisher), SmlRequest::CreateList(entries)] {
            match client.call(&request).await {
                Ok(SmlAnswer::Done) => {}
                Ok(answer) => return Err(other(format!("the lab's SML: {answer:?}"))),
                Err(error) => return Err(other(error.to_string())),
            }
        }
        Ok(())
    }

    /// Settings of a client that believes the lab's web servers and may call loopback.
    ///
    /// # Errors
    /// [`LabError`].
    pub fn call_settings(&self) -> Result<HttpSettings, LabError> {
        call_settings(&self.folder)
    }

    /// What the configuration of a corner says of the Directory.
    pub fn directory_section(&self) -> Directory {
        Directory { url: Some(self.directory_url.clone()), ..Directory::default() }
    }

    /// A client that believes the lab's web servers and may call loopback.
    ///
    /// # Errors
    /// [`LabError`].
    pub fn client(&self) -> Result<HttpClient, LabError> {
        Ok(HttpClient::new(&self.call_settings()?)?)
    }

    /// Doors that misbehave, in front of the access point that `config` describes.
    async fn faulty_door(&self, config: &Config) -> Result<OpenDoor, LabError> {
        let section = &config.access_point;
        let own = quoin_access_point::identity::access_point(&section.key_place(), &[])
            .map_err(|error| LabError::Other(error.to_string()))?;
        let real = section.public_url.clone().unwrap_or_default();
        let faults = Faults::new(real, self.client()?, Arc::new(own), self.clock.clone());
        encrypted("faults", &self.pki, faults.routes(), &self.shutdown).await
    }
}

impl LabNetwork {
    /// Starts two access points with their SMPs and customers.
    ///
    /// # Errors
    /// [`LabError`]; what was started ends.
    pub async fn start(folder: &Path, clock: Clock) -> Result<LabNetwork, LabError> {
        let lock = begin_afresh(folder)?;
        let around = Surroundings::start(folder, clock.clone()).await?;
        let one = LabAccessPoint::new(&around, "one", "POP000001")?;
        let two = LabAccessPoint::new(&around, "two", "POP000002")?;
        let sender = Customer::new("sender", &[SENDER, POLISH])?;
        let receiver = Customer::new("receiver", &[RECEIVER, BUSY, REFUSING])?;
        let mut two_config = two.config(&around, &receiver);
        let faulty = around.faulty_door(&two_config).await?.url();
        let exceptions = &mut two_config.smp.endpoint_exceptions;
        exceptions.insert(BUSY.to_owned(), format!("{faulty}/busy/as4"));
        exceptions.insert(REFUSING.to_owned(), format!("{faulty}/refusing/as4"));
        let mut one_config = one.config(&around, &sender);
        one_config.sml = around.sml_section(&one);
        two_config.sml = around.sml_section(&two);
        one_config.directory = around.directory_section();
        two_config.directory = around.directory_section();
        around.enlist(&one_config, &sender.participants).await?;
        let mut enlisted = receiver.participants.clone();
        enlisted.push(COLLECTOR.to_owned());
        around.enlist(&two_config, &enlisted).await?;
        // Providers of the lab tell each other everything, and report as real ones do.
        for config in [&mut one_config, &mut two_config] {
            config.provider.ask_for_statuses = RequestedStatuses::Always;
            config.provider.reports = Some(true);
        }
        // A customer of the lab does not wait five minutes for the second attempt.
        one_config.retry.delivery_seconds = vec![0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0];
        let ksef = poland::open(folder, &mut one_config, &clock).await?;
        let office = TaxOffice::open(&around, clock.clone()).await?;
        tax_office::take_pint(&mut two_config);
        one_config.tax.profiles = tax_office::profiles("C2");
        two_config.tax.profiles = tax_office::profiles("C3");
        let one_running = service("one", one_config, &around).await?;
        let two_running = service("two", two_config, &around).await?;
        collector::open(&two_running, &receiver, clock.now()).await?;
        let (one, two) = (one_running, two_running);
        Ok(LabNetwork { around, one, sender, two, receiver, ksef, office, _lock: lock })
    }

    /// Ends everything.
    pub async fn stop(self) {
        self.one.stop().await;
        self.two.stop().await;
        self.office.stop().await;
        self.around.shutdown.now();
    }
}

async fn service(
    name: &'static str,
    config: Config,
    around: &Surroundings,
) -> Result<Running, LabError> {
    start(config, around.clock.clone())
        .await
        .map_err(|source| LabError::Service { name, source: Box::new(source) })
}

fn call_settings(folder: &Path) -> Result<HttpSettings, LabError> {
    let guard = Guard { any_address: true, plain: true, ..Guard::default() };
    let extra_roots = extra_roots(&[folder.join("tls-ca.pem")])?;
    Ok(HttpSettings { extra_roots, guard, ..HttpSettings::default() })
}

fn lab_client(folder: &Path) -> Result<HttpClient, LabError> {
    Ok(HttpClient::new(&call_settings(folder)?)?)
}

fn dns(sml: &LabSml) -> Result<Dns, LabError> {
    Dns::new(&[sml.address]).map_err(|error| LabError::Other(error.to_string()))
}
