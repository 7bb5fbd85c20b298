//! What an access point of the lab is set up with: certificates, ports, a configuration, a
//! customer.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::PathBuf;

use super::super::pki::{LeafRole, LeafValidity};
use super::ports::Ports;
use super::{LabError, Surroundings, ZONE, loopback};
use quoin_access_point::config::{
    ClientRole, ClientSeed, Config, ConfigSecret, HookSeed, ListenerSection, OrganisationSeed,
    PartySeed,
};

/// What the parties of the lab can receive.
const CAPABILITIES: &[&str] = &[
    "invoices",
    "selfbilling",
    "invoiceResponse",
    "orders",
    "orderOnly",
    "orderAdvanced",
    "orderResponse",
    "orderResponseAdvanced",
];

/// An access point with its SMP, before it is started.
#[derive(Debug, Clone)]
pub struct LabAccessPoint {
    /// Its folder: store, keys, certificates.
    pub folder: PathBuf,
    /// Its AS4 address.
    pub as4_url: String,
    /// Its SMP's base address.
    pub smp_url: String,
    /// The id of its SMP at the SML.
    pub smp_id: String,
    /// Its API.
    pub api_url: String,
    ports: Ports,
}

/// A customer: an organisation with a client and parties.
#[derive(Debug, Clone)]
pub struct Customer {
    /// The organisation's id.
    pub organisation: String,
    /// `client_id`.
    pub client: String,
    /// `client_secret`.
    pub secret: String,
    /// Its participants, one party each.
    pub participants: Vec<String>,
}

impl Customer {
    /// A customer with a fresh secret.
    ///
    /// # Errors
    /// [`LabError`] without random bytes.
    pub fn new(organisation: &str, participants: &[&str]) -> Result<Customer, LabError> {
        Ok(Customer {
            organisation: organisation.to_owned(),
            client: format!("{organisation}-client"),
            secret: secret()?,
            participants: participants.iter().map(|text| (*text).to_owned()).collect(),
        })
    }
}

impl LabAccessPoint {
    /// Makes the certificates of a seat and finds free ports.
    ///
    /// # Errors
    /// [`LabError`].
    pub fn new(around: &Surroundings, name: &str, seat: &str) -> Result<LabAccessPoint, LabError> {
        let folder = around.folder.join(name);
        std::fs::create_dir_all(&folder)?;
        let pki = &around.pki;
        pki.leaf(LeafRole::AccessPoint, seat, LeafValidity::Current)?.write(&folder, "ap")?;
        pki.leaf(LeafRole::Smp, seat, LeafValidity::Current)?.write(&folder, "smp")?;
        pki.server(&["127.0.0.1", "localhost"])?.write(&folder, "tls")?;
        let ports = Ports::claim()?;
        let [api, as4, smp] = ports.numbers;
        Ok(LabAccessPoint {
            folder,
            api_url: format!("http://127.0.0.1:{api}"),
            as4_url: format!("https://127.0.0.1:{as4}/as4"),
            smp_url: format!("https://127.0.0.1:{smp}"),
            smp_id: format!("{seat}-SMP"),
            ports,
        })
    }

    /// The configuration of a service with one customer.
    pub fn config(&self, around: &Surroundings, customer: &Customer) -> Config {
        let mut config = Config { data_dir: self.folder.join("data"), ..Config::default() };
        let [api, as4, smp] = self.ports.numbers.map(loopback);
        config.listen.api = ListenerSection { address: api, ..ListenerSection::default() };
        config.listen.as4 = self.encrypted(as4);
        config.listen.smp = self.encrypted(smp);
        config.api.public_url = Some(self.api_url.clone());
        let file = |name: &str| Some(self.folder.join(name));
        config.access_point.certificate_file = file("ap.pem");
        config.access_point.key_file = file("ap.key");
        config.access_point.as4_domain = Some("lab.quoin.test".to_owned());
        config.access_point.public_url = Some(self.as4_url.clone());
        config.smp.certificate_file = file("smp.pem");
        config.smp.key_file = file("smp.key");
        config.smp.public_url = Some(self.smp_url.clone());
        let authority = |name: &str| vec![around.folder.join(format!("{name}-ca.pem"))];
        config.trust.ap_anchors = authority("root");
        config.trust.smp_anchors = authority("root");
        config.trust.ap_intermediates = authority("ap");
        config.trust.smp_intermediates = authority("smp");
        config.tls.extra_ca_files = authority("tls");
        config.network.sml_zone = Some(ZONE.to_owned());
        config.network.dns_servers = vec![around.sml.address];
        config.network.allow_any_port = true;
        config.network.hook_hosts_allowed = vec!["127.0.0.1".to_owned()];
        config.network.folder_seconds = 3;
        config.mail.server = Some(format!("smtp://{}", around.mail_server));
        config.mail.from = Some("Quoin lab <lab@quoin.test>".to_owned());
        config.organisation = vec![seed(around, customer)];
        config
    }

    fn encrypted(&self, address: SocketAddr) -> ListenerSection {
        ListenerSection {
            address,
            certificate_file: Some(self.folder.join("tls.pem")),
            key_file: Some(self.folder.join("tls.key")),
            behind_proxy: false,
        }
    }
}

fn seed(around: &Surroundings, customer: &Customer) -> OrganisationSeed {
    let hook = HookSeed {
        id: "lab".to_owned(),
        name: "the lab's webhook receiver".to_owned(),
        action: ConfigSecret::new(format!("{}#{}", around.sink_url, around.hook_secret)),
        topics: vec!["*".to_owned()],
        init: BTreeMap::new(),
    };
    let party = |participant: &String| PartySeed {
        identifiers: vec![participant.clone()],
        name: format!("Lab party {participant}"),
        country: "NL".to_owned(),
        capabilities: CAPABILITIES
            .iter()
            .map(|name| ((*name).to_owned(), "on".to_owned()))
            .collect(),
        hooks: Vec::new(),
    };
    OrganisationSeed {
        id: customer.organisation.clone(),
        name: format!("Lab {}", customer.organisation),
        package: None,
        weight: 1,
        clients: vec![ClientSeed {
            id: customer.client.clone(),
            secret: Some(ConfigSecret::new(&customer.secret)),
            secret_sha256: None,
            role: ClientRole::ApManager,
            smp_user: None,
            all_parties: true,
        }],
        parties: customer.participants.iter().map(party).collect(),
        hooks: vec![hook],
    }
}

/// 256 random bits in hexadecimal.
pub(super) fn secret() -> Result<String, LabError> {
    let mut bytes = [0; 32];
    aws_lc_rs::rand::fill(&mut bytes).map_err(|_| LabError::Other("no random bytes".to_owned()))?;
    Ok(data_encoding::HEXLOWER.encode(&bytes))
}
