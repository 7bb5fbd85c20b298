//! The testbed's name server, over UDP and TCP: it answers for the participants that the testbed
//! plays, each as its case wants it.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, RwLock};

use hickory_proto::op::ResponseCode;
use hickory_proto::rr::rdata::CNAME;
use hickory_proto::rr::{LowerName, Name, RData, Record, RecordType};

use super::fault::{NameFault, SimulatedFault};
use super::slot::SimulatedParticipant;
use crate::lab::name_server::{DnsAnswers, DnsReply, NameServer, TTL, domain_name, naptr};

/// Records of an answer that does not fit into a datagram.
const MANY: u16 = 40;

/// What the name server answers from; clones share it.
#[derive(Debug, Clone)]
pub struct SimulatedZone {
    origin: Name,
    known: Arc<RwLock<HashMap<LowerName, NameEntry>>>,
}

/// What is known of a name.
#[derive(Debug, Clone)]
struct NameEntry {
    /// The address of the SMP.
    url: String,
    /// The participant, where the testbed plays it.
    slot: Option<Arc<SimulatedParticipant>>,
}

impl SimulatedZone {
    /// An empty zone.
    ///
    /// # Errors
    /// The zone is no domain name.
    pub fn new(origin: &str) -> Result<SimulatedZone, String> {
        Ok(SimulatedZone { origin: name(origin)?, known: Arc::default() })
    }

    /// Points a name to an SMP.
    ///
    /// # Errors
    /// It is no domain name.
    pub fn point(
        &self,
        query: &str,
        url: &str,
        slot: Option<Arc<SimulatedParticipant>>,
    ) -> Result<(), String> {
        let (query, known) =
            (LowerName::new(&name(query)?), NameEntry { url: url.to_owned(), slot });
        self.known.write().unwrap_or_else(|poisoned| poisoned.into_inner()).insert(query, known);
        Ok(())
    }

    /// Opens the server; port 0 lets the system choose one that is free for UDP and TCP.
    ///
    /// # Errors
    /// The sockets cannot be opened.
    pub async fn open(&self, address: SocketAddr) -> std::io::Result<NameServer> {
        NameServer::open(address, self.clone()).await
    }
    fn records(
        &self,
        asked: &LowerName,
        kind: RecordType,
        url: &str,
        fault: Option<NameFault>,
    ) -> DnsReply {
        if fault == Some(NameFault::AliasLoop) {
            return DnsReply::Records(self.alias_loop(&Name::from(asked)));
        }
        if kind != RecordType::NAPTR {
            return DnsReply::Records(Vec::new());
        }
        let owner = Name::from(asked);
        let record = |order, flags: &str, service: &str, regexp: &str| {
            naptr(owner.clone(), order, flags, service, regexp)
        };
        let smp = |order, url: &str| record(order, "U", "Meta:SMP", &format!("!.*!{url}!"));
        let other = |order: u16| {
            let far = format!("!.*!https://cppa-{order}.testbed.example/a/long/path/to/nothing!");
            record(order, "U", "Meta:CPPA", &far)
        };
        let records = match fault {
            Some(NameFault::Empty) => Vec::new(),
            Some(NameFault::Foreign) => vec![other(100)],
            Some(NameFault::Ordered) => vec![
                other(50),
                smp(300, &format!("{url}-that-is-not-there")),
                record(200, "u", "meta:smp", &format!("!.*!{url}!")),
            ],
            Some(NameFault::Many) => {
                let mut many: Vec<Record> = (1..=MANY).map(|at| other(100 + at)).collect();
                many.push(smp(900, url));
                many
            }
            Some(NameFault::Uri(regexp)) => {
                let rest = url.trim_start_matches("https://");
                vec![record(100, "U", "Meta:SMP", &regexp.replace("{rest}", rest))]
            }
            Some(NameFault::Alias) => self.alias(&owner, url),
            _ => vec![smp(100, url)],
        };
        DnsReply::Records(records)
    }

    fn alias(&self, owner: &Name, url: &str) -> Vec<Record> {
        let Some(publisher) = self.publisher() else { return Vec::new() };
        let record = naptr(publisher.clone(), 100, "U", "Meta:SMP", &format!("!.*!{url}!"));
        vec![cname(owner, publisher), record]
    }

    /// An alias of a publisher that is an alias of the name itself.
    fn alias_loop(&self, owner: &Name) -> Vec<Record> {
        let Some(publisher) = self.publisher() else { return Vec::new() };
        vec![cname(owner, publisher.clone()), cname(&publisher, owner.clone())]
    }

    fn publisher(&self) -> Option<Name> {
        Name::from_ascii("publisher").ok()?.append_domain(&self.origin).ok()
    }
}

impl DnsAnswers for SimulatedZone {
    fn origin(&self) -> &Name {
        &self.origin
    }

    fn reply(&self, asked: &LowerName, kind: RecordType) -> DnsReply {
        let known = self.known.read().unwrap_or_else(|poisoned| poisoned.into_inner());
        let Some(known) = known.get(asked).cloned() else {
            return DnsReply::Code(ResponseCode::NXDomain);
        };
        let Some(slot) = &known.slot else {
            return self.records(asked, kind, &known.url, None);
        };
        let fresh = slot.asked(format!("DNS {kind}"));
        match slot.fault {
            SimulatedFault::Name(NameFault::Missing) => DnsReply::Code(ResponseCode::NXDomain),
            SimulatedFault::Name(NameFault::FailsFirst) if fresh => {
                DnsReply::Code(ResponseCode::ServFail)
            }
            SimulatedFault::Name(NameFault::SilentFirst) if fresh => DnsReply::Silence,
            SimulatedFault::Name(NameFault::Silent) => DnsReply::Silence,
            SimulatedFault::Name(fault) => self.records(asked, kind, &known.url, Some(fault)),
            _ => self.records(asked, kind, &known.url, None),
        }
    }
}

fn cname(owner: &Name, to: Name) -> Record {
    Record::from_rdata(owner.clone(), TTL, RData::CNAME(CNAME(to)))
}

fn name(text: &str) -> Result<Name, String> {
    domain_name(text).ok_or_else(|| format!("{text:?} is not a domain name"))
}
