//! The DNS of the lab's SML: a real server on loopback, over UDP and TCP, that answers from a zone in
//! memory which is changed while it runs.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, RwLock};
use std::time::Duration;

use hickory_proto::op::{Metadata, OpCode, ResponseCode};
use hickory_proto::rr::rdata::{NAPTR, SOA};
use hickory_proto::rr::{LowerName, Name, RData, Record, RecordType};
use hickory_server::Server;
use hickory_server::net::runtime::Time;
use hickory_server::server::{Request, RequestHandler, ResponseHandler, ResponseInfo};
use hickory_server::zone_handler::MessageResponseBuilder;
use tokio::net::{TcpListener, UdpSocket};

/// Lifetime of records, in seconds, as seen in the network.
const TTL: u32 = 60;

/// How long "there is none" may be kept, in seconds: short, so that a registration shows at once.
const NEGATIVE_TTL: u32 = 1;

/// Time that a TCP connection may stay silent.
const TCP_TIMEOUT: Duration = Duration::from_secs(5);

/// Answers kept for one TCP connection.
const TCP_BUFFER: usize = 32;

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
enum Entry {
    /// Answers these records: service, address.
    Records(Vec<(String, String)>),
    /// Exists without such records.
    Empty,
    /// Answers that it failed.
    Failing,
}

/// The zone; clones share it.
#[derive(Debug, Clone)]
pub struct Zone {
    origin: Name,
    entries: Arc<RwLock<BTreeMap<LowerName, Entry>>>,
}

impl Zone {
    /// An empty zone.
    ///
    /// # Errors
    /// [`SmlError::Name`].
    pub fn new(origin: &str) -> Result<Zone, SmlError> {
        Ok(Zone { origin: name(origin)?, entries: Arc::default() })
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
        self.set(query_name, Entry::Records(records.iter().map(own).collect()))
    }

    /// Lets a name exist without records.
    ///
    /// # Errors
    /// [`SmlError::Name`].
    pub fn empty(&self, query_name: &str) -> Result<(), SmlError> {
        self.set(query_name, Entry::Empty)
    }

    /// Lets questions for a name fail with SERVFAIL.
    ///
    /// # Errors
    /// [`SmlError::Name`].
    pub fn fail(&self, query_name: &str) -> Result<(), SmlError> {
        self.set(query_name, Entry::Failing)
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

    fn set(&self, query_name: &str, entry: Entry) -> Result<(), SmlError> {
        let name = LowerName::new(&name(query_name)?);
        self.entries.write().unwrap_or_else(|poisoned| poisoned.into_inner()).insert(name, entry);
        Ok(())
    }

    /// The answer to a question: the code and the records.
    fn answer(&self, asked: &LowerName, kind: RecordType) -> (ResponseCode, Vec<Record>) {
        if !LowerName::new(&self.origin).zone_of(asked) {
            return (ResponseCode::Refused, Vec::new());
        }
        let entries = self.entries.read().unwrap_or_else(|poisoned| poisoned.into_inner());
        match entries.get(asked) {
            Some(Entry::Failing) => (ResponseCode::ServFail, Vec::new()),
            Some(Entry::Records(records)) if kind == RecordType::NAPTR => {
                let make = |(at, (service, url)): (usize, &(String, String))| {
                    naptr(Name::from(asked), at, service, url)
                };
                (ResponseCode::NoError, records.iter().enumerate().map(make).collect())
            }
            Some(_) => (ResponseCode::NoError, Vec::new()),
            // A name above an existing one exists too (RFC 8020).
            None if self.is_above(&entries, asked) => (ResponseCode::NoError, Vec::new()),
            None => (ResponseCode::NXDomain, Vec::new()),
        }
    }

    fn is_above(&self, entries: &BTreeMap<LowerName, Entry>, asked: &LowerName) -> bool {
        // In the order of names, those below a name follow it.
        let below = entries.range(asked..).next().is_some_and(|(name, _)| asked.zone_of(name));
        *asked == LowerName::new(&self.origin) || below
    }

    fn soa(&self) -> Record {
        let host = self.origin.clone();
        let soa = SOA::new(host.clone(), host, 1, 3600, 600, 86_400, NEGATIVE_TTL);
        Record::from_rdata(self.origin.clone(), NEGATIVE_TTL, RData::SOA(soa))
    }
}

fn name(text: &str) -> Result<Name, SmlError> {
    let text = format!("{}.", text.trim_end_matches('.'));
    Name::from_ascii(&text).map_err(|_| SmlError::Name(text))
}

fn naptr(owner: Name, at: usize, service: &str, url: &str) -> Record {
    let record = NAPTR::new(
        u16::try_from(100 * (at + 1)).unwrap_or(u16::MAX),
        10,
        Box::from(&b"U"[..]),
        service.as_bytes().into(),
        format!("!.*!{url}!").into_bytes().into(),
        Name::root(),
    );
    Record::from_rdata(owner, TTL, RData::NAPTR(record))
}

/// The running server; it ends when this is dropped.
pub struct LabSml {
    /// Where it listens, UDP and TCP.
    pub address: SocketAddr,
    /// The zone it answers from.
    pub zone: Zone,
    _server: Server<Handler>,
}

impl std::fmt::Debug for LabSml {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LabSml").field("address", &self.address).finish_non_exhaustive()
    }
}

impl LabSml {
    /// Opens the server on `address`; port 0 lets the system choose one that is free for UDP
    /// and TCP.
    ///
    /// # Errors
    /// [`SmlError::Open`].
    pub async fn open(address: SocketAddr, zone: Zone) -> Result<LabSml, SmlError> {
        let (udp, tcp) = sockets(address).await?;
        let address = udp.local_addr()?;
        let mut server = Server::new(Handler(zone.clone()));
        server.register_socket(udp);
        server.register_listener(tcp, TCP_TIMEOUT, TCP_BUFFER);
        Ok(LabSml { address, zone, _server: server })
    }
}

async fn sockets(address: SocketAddr) -> Result<(UdpSocket, TcpListener), SmlError> {
    const TRIES: usize = 16;
    let mut last = None;
    for _ in 0..TRIES {
        let udp = UdpSocket::bind(address).await?;
        match TcpListener::bind(udp.local_addr()?).await {
            Ok(tcp) => return Ok((udp, tcp)),
            Err(error) => last = Some(error),
        }
    }
    Err(last.unwrap_or_else(|| std::io::ErrorKind::AddrInUse.into()).into())
}

struct Handler(Zone);

#[async_trait::async_trait]
impl RequestHandler for Handler {
    async fn handle_request<R: ResponseHandler, T: Time>(
        &self,
        request: &Request,
        mut response: R,
    ) -> ResponseInfo {
        let mut metadata = Metadata::response_from_request(&request.metadata);
        metadata.authoritative = true;
        let (code, answers) = match request.request_info() {
            Ok(info) if info.metadata.op_code == OpCode::Query => {
                self.0.answer(info.query.name(), info.query.query_type())
            }
            Ok(_) => (ResponseCode::NotImp, Vec::new()),
            Err(_) => (ResponseCode::FormErr, Vec::new()),
        };
        metadata.response_code = code;
        let negative =
            answers.is_empty() && matches!(code, ResponseCode::NoError | ResponseCode::NXDomain);
        let soa: Vec<Record> = negative.then(|| self.0.soa()).into_iter().collect();
        let builder = MessageResponseBuilder::from_message_request(request);
        let message = builder.build(metadata, answers.iter(), [], soa.iter(), []);
        response.send_response(message).await.unwrap_or_else(|error| {
            tracing::debug!(%error, "an answer of the lab's SML was lost");
            ResponseInfo::from(hickory_proto::op::Header {
                metadata,
                counts: hickory_proto::op::HeaderCounts::default(),
            })
        })
    }
}
