//! What the testbed is told: which access point is tested, as whom it speaks, and how the access
//! point is asked to send. Read from a TOML file; the lab fills it in by itself.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use quoin_access_point::config::{ConfigSecret, TrustSection};

/// The settings of a run.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TestbedSetup {
    /// The access point under test.
    pub subject: TestedAccessPoint,
    /// As whom the testbed speaks, and where it listens.
    pub counterpart: Counterpart,
    /// How the access point under test is found and spoken to.
    pub network: NetworkSetup,
    /// Which certificates of the network are believed; the same section as of `quoin serve`.
    pub trust: TrustSection,
    /// The interface of the access point under test, where it has ours.
    pub api: Option<ApiSetup>,
    /// Time and size.
    pub limits: TestbedLimits,
}

/// The access point under test.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TestedAccessPoint {
    /// Address of its AS4 door; looked up where it is not given.
    pub as4: Option<String>,
    /// PEM file of its certificate; taken from its SMP where it is not given.
    pub certificate_file: Option<PathBuf>,
    /// A participant that it receives for.
    pub receiver: String,
    /// A participant that it sends for.
    pub sender: String,
    /// The document type that the receiver takes.
    pub document_type: String,
    /// The process of that.
    pub process: String,
    /// A document of that type to use instead of an invoice of ours. It is sent as it is.
    pub document_file: Option<PathBuf>,
    /// A PINT document type that the receiver takes by a wildcard registration, without its scheme.
    pub wildcard_type: Option<String>,
    /// Whether it reports what it could do with a message (MLS).
    pub mls: bool,
}

impl Default for TestedAccessPoint {
    fn default() -> TestedAccessPoint {
        TestedAccessPoint {
            as4: None,
            certificate_file: None,
            receiver: String::new(),
            sender: String::new(),
            document_type: super::forge::INVOICE_TYPE.to_owned(),
            process: super::forge::INVOICE_PROCESS.to_owned(),
            document_file: None,
            wildcard_type: None,
            mls: false,
        }
    }
}

/// As whom the testbed speaks, and where it listens.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Counterpart {
    /// Folder of its certificates and keys; [`super::test_identities::TestIdentity`] has their
    /// names.
    pub identities: PathBuf,
    /// Where its SMP and access point listen, with the certificate `tls`.
    pub listen: SocketAddr,
    /// The address of that as others see it; that of `listen` where it is not given.
    pub public_url: Option<String>,
    /// Where its name server listens, over UDP and TCP.
    pub dns_listen: SocketAddr,
    /// The zone that its name server answers for: the access point under test must ask there.
    pub zone: String,
    /// Scheme of the participants that it plays.
    pub scheme: String,
    /// What their identifiers begin with; four digits follow.
    pub prefix: String,
}

impl Default for Counterpart {
    fn default() -> Counterpart {
        let any_port = SocketAddr::from(([127, 0, 0, 1], 0));
        Counterpart {
            identities: PathBuf::from("identities"),
            listen: any_port,
            public_url: None,
            dns_listen: any_port,
            zone: crate::lab::network::ZONE.to_owned(),
            scheme: "0106".to_owned(),
            prefix: "7000".to_owned(),
        }
    }
}

impl Counterpart {
    /// The participant of this number.
    pub fn participant(&self, number: usize) -> String {
        format!("{}:{}{number:04}", self.scheme, self.prefix)
    }
}

/// How the access point under test is found and spoken to.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct NetworkSetup {
    /// The zone in which it is looked up; that of the stage where it is not given.
    pub zone: Option<String>,
    /// Name servers to ask; those of the system where there are none.
    pub dns_servers: Vec<SocketAddr>,
    /// PEM files of authorities of web servers that are believed besides the Mozilla list.
    pub extra_ca_files: Vec<PathBuf>,
    /// Addresses that are not public, and ports other than 443, may be called.
    pub private: bool,
}

/// The interface of the access point under test.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ApiSetup {
    /// Its base address.
    pub url: String,
    /// `client_id`; it needs the rights to send and to look at what was received.
    pub client: String,
    /// `client_secret`: `env:NAME`, `file:PATH`, or as it is.
    pub secret: ConfigSecret,
    /// Prefix of its headers.
    #[serde(default = "prefix")]
    pub header_prefix: String,
}

fn prefix() -> String {
    "X-Service-".to_owned()
}

/// Megabytes of a large message, at most.
pub const LARGEST: usize = 500;

/// Time and size.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TestbedLimits {
    /// Seconds that one case may take.
    pub case_seconds: u64,
    /// Seconds in which the access point under test repeats what failed for now.
    pub repeat_seconds: u64,
    /// Size of the large message that is sent to it, in megabytes.
    pub large_megabytes: usize,
    /// Size of the large document that it is asked to send, in megabytes.
    pub large_upload_megabytes: usize,
    /// Messages that are sent at the same time.
    pub parallel: usize,
}

impl Default for TestbedLimits {
    fn default() -> TestbedLimits {
        TestbedLimits {
            case_seconds: 60,
            repeat_seconds: 900,
            large_megabytes: 50,
            large_upload_megabytes: 10,
            parallel: 16,
        }
    }
}

impl TestbedLimits {
    /// Whether what is large is so, and can be built: it is held in memory, several times.
    ///
    /// # Errors
    /// What is wrong, with the setting.
    pub fn check(&self) -> Result<(), String> {
        let sizes = [
            ("limits.large_megabytes", self.large_megabytes),
            ("limits.large_upload_megabytes", self.large_upload_megabytes),
        ];
        match sizes.into_iter().find(|(_, size)| !(1..=LARGEST).contains(size)) {
            Some((name, size)) => {
                Err(format!("{name} is {size}: expected 1 to {LARGEST} megabytes"))
            }
            None => Ok(()),
        }
    }
}

impl TestbedSetup {
    /// Reads a file; relative paths in it are taken from its folder.
    ///
    /// # Errors
    /// What is wrong with the file, with its line.
    pub fn load(path: &Path) -> Result<TestbedSetup, String> {
        let shown = path.display();
        let text = std::fs::read_to_string(path).map_err(|error| format!("{shown}: {error}"))?;
        let mut setup: TestbedSetup =
            toml::from_str(&text).map_err(|error| format!("{shown}: {error}"))?;
        setup.resolve_paths(path.parent().unwrap_or(Path::new("")));
        setup.limits.check().map_err(|error| format!("{shown}: {error}"))?;
        Ok(setup)
    }

    fn resolve_paths(&mut self, folder: &Path) {
        let TestbedSetup { subject, counterpart, network, trust, .. } = self;
        let single = [&mut subject.certificate_file, &mut subject.document_file];
        let trusted = [
            &mut trust.ap_anchors,
            &mut trust.ap_intermediates,
            &mut trust.smp_anchors,
            &mut trust.smp_intermediates,
            &mut network.extra_ca_files,
        ];
        let paths = single.into_iter().flatten().chain(trusted.into_iter().flatten());
        for path in paths.chain([&mut counterpart.identities]) {
            *path = folder.join(&*path);
        }
    }
}
