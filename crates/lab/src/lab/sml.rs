//! The DNS of the lab's SML: a real server on loopback that answers from a zone in memory, which is
//! changed while it runs.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, RwLock};

use hickory_proto::op::ResponseCode;
use hickory_proto::rr::{LowerName, Name, RecordType};

use super::name_server::{DnsAnswers, DnsReply, NameServer, domain_name, naptr};

/// The zone could not be served or a name is not a name. A fault of the lab.
#[derive(Debug, thiserror::Error)]
pub enum SmlError {
    /// The name is no domain name.
    #[error("{0:?} is not a domain name")]
    Name(String),
    /// The sockets could not be opened.
    #[error("the lab's SML could not be opened: {0}")]
    Open(#[from] std::io::Error),
}

/// What the server does with a name, so that tests can have every outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
enum ZoneEntry {
    /// Answers these records: service, address.
    Records(Vec<(String, String)>),
    /// Exists without such records.
    Empty,
    /// Answers that it failed.
    Failing,
}

/// The zone; clones share it.
#[derive(Debug, Clone)]
pub struct LabZone {
    origin: Name,
    entries: Arc<RwLock<BTreeMap<LowerName, ZoneEntry>>>,
}

impl LabZone {
    /// An empty zone.
    ///
    /// # Errors
    /// [`SmlError::Name`].
    pub fn new(origin: &str) -> Result<LabZone, SmlError> {
        Ok(LabZone { origin: name(origin)?, entries: Arc::default() })
    }

    /// Registers a participant's name with the address of its SMP.
    ///
    /// # Errors
    /// [`SmlError::Name`].
    pub fn register(&self, query_name: &str, smp_url: &str) -> Result<(), SmlError> {
        self.records(query_name, &[("Meta:SMP", smp_url)])
    }

    /// Registers records of any services and addresses, in their order.
    ///
    /// # Errors
    /// [`SmlError::Name`].
    pub fn records(&self, query_name: &str, records: &[(&str, &str)]) -> Result<(), SmlError> {
        let own = |(service, url): &(&str, &str)| ((*service).to_owned(), (*url).to_owned());
        self.set(query_name, ZoneEntry::Records(records.iter().map(own).collect()))
    }

    /// Lets a name exist without records.
    ///
    /// # Errors
    /// [`SmlError::Name`].
    pub fn empty(&self, query_name: &str) -> Result<(), SmlError> {
        self.set(query_name, ZoneEntry::Empty)
    }

    /// Lets questions for a name fail with SERVFAIL.
    ///
    /// # Errors
    /// [`SmlError::Name`].
    pub fn fail(&self, query_name: &str) -> Result<(), SmlError> {
        self.set(query_name, ZoneEntry::Failing)
    }

    /// Removes a name.
    ///
    /// # Errors
    /// [`SmlError::Name`].
    pub fn unregister(&self, query_name: &str) -> Result<(), SmlError> {
        let name = LowerName::new(&name(query_name)?);
        self.entries.write().unwrap_or_else(|poisoned| poisoned.into_inner()).remove(&name);
        Ok(())
    }

    fn set(&self, query_name: &str, entry: ZoneEntry) -> Result<(), SmlError> {
        let name = LowerName::new(&name(query_name)?);
        self.entries.write().unwrap_or_else(|poisoned| poisoned.into_inner()).insert(name, entry);
        Ok(())
    }

    fn is_above(&self, entries: &BTreeMap<LowerName, ZoneEntry>, asked: &LowerName) -> bool {
        // In the order of names, those below a name follow it.
        let below = entries.range(asked..).next().is_some_and(|(name, _)| asked.zone_of(name));
        *asked == LowerName::new(&self.origin) || below
    }
}

impl DnsAnswers for LabZone {
    fn origin(&self) -> &Name {
        &self.origin
    }

    fn reply(&self, asked: &LowerName, kind: RecordType) -> DnsReply {
        let entries = self.entries.read().unwrap_or_else(|poisoned| poisoned.into_inner());
        match entries.get(asked) {
            Some(ZoneEntry::Failing) => DnsReply::Code(ResponseCode::ServFail),
            Some(ZoneEntry::Records(records)) if kind == RecordType::NAPTR => {
                let make = |(at, (service, url)): (usize, &(String, String))| {
                    let order = u16::try_from(100 * (at + 1)).unwrap_or(u16::MAX);
                    naptr(Name::from(asked), order, "U", service, &format!("!.*!{url}!"))
                };
                DnsReply::Records(records.iter().enumerate().map(make).collect())
            }
            Some(_) => DnsReply::Records(Vec::new()),
            // A name above an existing one exists too (RFC 8020).
            None if self.is_above(&entries, asked) => DnsReply::Records(Vec::new()),
            None => DnsReply::Code(ResponseCode::NXDomain),
        }
    }
}

fn name(text: &str) -> Result<Name, SmlError> {
    domain_name(text).ok_or_else(|| SmlError::Name(text.to_owned()))
}

/// The running server; it ends when this is dropped.
#[derive(Debug)]
pub struct LabSml {
    /// Where it listens, UDP and TCP.
    pub address: SocketAddr,
    /// The zone it answers from.
    pub zone: LabZone,
    _server: NameServer,
}

impl LabSml {
    /// Opens the server on `address`; port 0 lets the system choose one that is free for UDP
    /// and TCP.
    ///
    /// # Errors
    /// [`SmlError::Open`].
    pub async fn open(address: SocketAddr, zone: LabZone) -> Result<LabSml, SmlError> {
        let server = NameServer::open(address, zone.clone()).await?;
        Ok(LabSml { address: server.address, zone, _server: server })
    }
}
