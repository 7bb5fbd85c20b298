//! What an operator may decide: the sections of the configuration. Every setting has a default and
//! a line in `config.default.toml`. How a file is read is in `loading`.

mod breaker;
mod conversion;
mod directory;
mod documents;
mod endpoints;
mod files;
mod issuers;
mod keys;
mod ksef;
mod mail;
mod packages;
mod provider;
mod secret;
mod sections;
mod seeds;
mod sml;
mod smp;
mod tax;
mod trust;
mod validation;
mod verification;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

pub use breaker::BreakerSection;
pub use conversion::ConversionSection;
pub use directory::Directory;
pub use documents::{DocumentsSection, Rate};
pub use endpoints::{OWN_ENDPOINT, PublishedEndpoint};
pub use files::NamedFile;
pub use issuers::IssuerConfig;
pub use keys::{KeyPlace, NextKey, TokenKey};
pub use ksef::{KsefSection, PurchaseSubject};
pub use mail::{DkimSection, MailSection, MailServer, MailTokenSection, Protection};
pub use packages::{PackageRow, table as package_table};
pub use provider::{ProviderSection, RequestedStatuses};
pub use secret::ConfigSecret;
pub(crate) use secret::UNREAD;
pub use sections::{
    AccessPoint, ApiSection, LimitsSection, Listen, ListenerSection, Log, LogFormat,
    NetworkSection, Retry, Secrets, Tls,
};
pub use seeds::{ClientRole, ClientSeed, HookSeed, OrganisationSeed, PartySeed, UndeclaredParties};
pub use sml::SmlSection;
pub use smp::Smp;
pub use tax::{TaxProfileRow, TaxSection};
pub use trust::{Authorities, ConfiguredStage, Outage, TrustSection};
pub use validation::{Unjudged, ValidationSection};
pub use verification::EndUserVerification;

/// The documented defaults, word for word the file an operator starts from.
pub const DEFAULT_TOML: &str = include_str!("../config.default.toml");

/// One of the jobs a process can take on; all of them run in one process unless told otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum ServiceRole {
    /// The JSON and XML interface for customers, with the token issuer.
    Api,
    /// The worker: validates, routes, delivers, calls hooks.
    Worker,
    /// The AS4 door, where other access points deliver (corner 3).
    As4,
    /// The service metadata publisher.
    Smp,
}

impl ServiceRole {
    /// Every role, in the order of the documentation.
    pub const ALL: [ServiceRole; 4] =
        [ServiceRole::Api, ServiceRole::Worker, ServiceRole::As4, ServiceRole::Smp];
}

/// The whole configuration of one process.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// Folder of the database, the blobs and generated keys.
    pub data_dir: PathBuf,
    /// What this process does.
    pub roles: Vec<ServiceRole>,
    /// Whether to go on with whatever database is there, or with none: given at the start only.
    #[serde(skip)]
    pub new_store: bool,
    /// What becomes of published parties that are declared no more.
    pub undeclared_parties: UndeclaredParties,
    /// Addresses and TLS of the doors.
    pub listen: Listen,
    /// The customers' interface.
    pub api: ApiSection,
    /// The certificate with which this service acts as corner 2 and corner 3.
    pub access_point: AccessPoint,
    /// The service metadata publisher.
    pub smp: Smp,
    /// The provider itself, as other providers know it.
    pub provider: ProviderSection,
    /// Endpoints that can be published besides the access point's own, by name.
    pub endpoints: BTreeMap<String, PublishedEndpoint>,
    /// The service metadata locator.
    pub sml: SmlSection,
    /// The Polish national system.
    pub ksef: KsefSection,
    /// Reports to tax authorities.
    pub tax: TaxSection,
    /// The Peppol Directory.
    pub directory: Directory,
    /// Which Peppol certificates are believed.
    pub trust: TrustSection,
    /// Which web servers are believed.
    pub tls: Tls,
    /// Names, resolvers and time limits of look-ups.
    pub network: NetworkSection,
    /// Whose rules decide about documents.
    pub validation: ValidationSection,
    /// Whether documents are converted for their receivers.
    pub conversion: ConversionSection,
    /// When a failed delivery is tried again.
    pub retry: Retry,
    /// When an access point that fails is left alone.
    pub breaker: BreakerSection,
    /// How long documents are kept, and how they are answered.
    pub documents: DocumentsSection,
    /// How many requests a client may make.
    pub rate: Rate,
    /// The packages that organisations can have.
    pub packages: Vec<PackageRow>,
    /// The mail server of mail hooks.
    pub mail: MailSection,
    /// Sizes and times beyond which a caller is refused.
    pub limits: LimitsSection,
    /// Keys that protect what is stored.
    pub secrets: Secrets,
    /// What is written to standard error.
    pub log: Log,
    /// Organisations that exist from the start.
    pub organisation: Vec<OrganisationSeed>,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            data_dir: PathBuf::from("data"),
            new_store: false,
            roles: ServiceRole::ALL.to_vec(),
            undeclared_parties: UndeclaredParties::default(),
            listen: Listen::default(),
            api: ApiSection::default(),
            access_point: AccessPoint::default(),
            smp: Smp::default(),
            provider: ProviderSection::default(),
            endpoints: BTreeMap::new(),
            sml: SmlSection::default(),
            ksef: KsefSection::default(),
            tax: TaxSection::default(),
            directory: Directory::default(),
            trust: TrustSection::default(),
            tls: Tls::default(),
            network: NetworkSection::default(),
            validation: ValidationSection::default(),
            conversion: ConversionSection::default(),
            retry: Retry::default(),
            breaker: BreakerSection::default(),
            documents: DocumentsSection::default(),
            rate: Rate::default(),
            packages: packages::usual(),
            mail: MailSection::default(),
            limits: LimitsSection::default(),
            secrets: Secrets::default(),
            log: Log::default(),
            organisation: Vec::new(),
        }
    }
}

impl Config {
    /// Whether this process plays `role`.
    pub fn has(&self, role: ServiceRole) -> bool {
        self.roles.contains(&role)
    }

    /// The SML zone asked for participants: the configured one, or the stage's, with the trailing
    /// dot that keeps a resolver from trying search domains.
    pub fn sml_zone(&self) -> String {
        let zone = self.network.sml_zone.as_deref().unwrap_or(self.trust.stage.sml_zone());
        format!("{}.", zone.trim_end_matches('.'))
    }

    pub(crate) fn resolve_paths(&mut self, folder: &Path) {
        let join = |path: &mut PathBuf| *path = folder.join(&*path);
        join(&mut self.data_dir);
        self.listen.paths_mut().for_each(join);
        self.access_point.paths_mut().for_each(join);
        self.smp.paths_mut().for_each(join);
        self.trust.paths_mut().for_each(join);
        self.endpoints.values_mut().flat_map(|e| &mut e.certificate_file).for_each(join);
        self.tls.extra_ca_files.iter_mut().for_each(join);
        self.api.token_key_file.iter_mut().for_each(join);
        self.ksef.upo_anchors.iter_mut().for_each(join);
        self.mail.dkim.iter_mut().flat_map(|dkim| &mut dkim.key_file).for_each(join);
    }
}
