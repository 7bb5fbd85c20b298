//! The testbed's name server, over UDP and TCP: it answers for the participants that the testbed
//! plays, each as its case wants it.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, RwLock};
use std::time::Duration;

use hickory_proto::op::{Header, HeaderCounts, Metadata, OpCode, ResponseCode};
use hickory_proto::rr::rdata::{CNAME, NAPTR, SOA};
use hickory_proto::rr::{LowerName, Name, RData, Record, RecordType};
use hickory_server::Server;
use hickory_server::net::runtime::Time;
use hickory_server::server::{Request, RequestHandler, ResponseHandler, ResponseInfo};
use hickory_server::zone_handler::MessageResponseBuilder;
use tokio::net::{TcpListener, UdpSocket};

use super::fault::{Fault, NameFault};
use super::slot::Slot;

/// Lifetime of records, in seconds.
const TTL: u32 = 60;
/// How long "there is none" may be kept, in seconds.
const NEGATIVE_TTL: u32 = 1;
/// Time that a TCP connection may stay silent.
const TCP_TIMEOUT: Duration = Duration::from_secs(5);
/// Answers kept for one TCP connection.
const TCP_BUFFER: usize = 32;
/// Records of an answer that does not fit into a datagram.
const MANY: u16 = 40;
/// Times that a free port is looked for.
const TRIES: usize = 16;

/// What the name server answers from; clones share it.
#[derive(Debug, Clone)]
pub struct Names {
    origin: Name,
    known: Arc<RwLock<HashMap<LowerName, Known>>>,
}

/// What is known of a name.
#[derive(Debug, Clone)]
struct Known {
    /// The address of the SMP.
    url: String,
    /// The participant, where the testbed plays it.
    slot: Option<Arc<Slot>>,
}

/// An answer: none, or a code with records.
enum Reply {
    Silence,
    Code(ResponseCode),
    Records(Vec<Record>),
}

impl Names {
    /// An empty zone.
    ///
    /// # Errors
    /// The zone is no domain name.
    pub fn new(origin: &str) -> Result<Names, String> {
        Ok(Names { origin: name(origin)?, known: Arc::default() })
    }

    /// Points a name to an SMP.
    ///
    /// # Errors
    /// It is no domain name.
    pub fn point(&self, query: &str, url: &str, slot: Option<Arc<Slot>>) -> Result<(), String> {
        let (query, known) = (LowerName::new(&name(query)?), Known { url: url.to_owned(), slot });
        self.known.write().unwrap_or_else(|poisoned| poisoned.into_inner()).insert(query, known);
        Ok(())
    }

    /// Opens the server; port 0 lets the system choose one that is free for UDP and TCP.
    ///
    /// # Errors
    /// The sockets cannot be opened.
    pub async fn open(&self, address: SocketAddr) -> std::io::Result<OpenNames> {
        let (udp, tcp) = sockets(address).await?;
        let address = udp.local_addr()?;
        let mut server = Server::new(Handler(self.clone()));
        server.register_socket(udp);
        server.register_listener(tcp, TCP_TIMEOUT, TCP_BUFFER);
        Ok(OpenNames { address, _server: server })
    }

    fn reply(&self, asked: &LowerName, kind: RecordType) -> Reply {
        if !LowerName::new(&self.origin).zone_of(asked) {
            return Reply::Code(ResponseCode::Refused);
        }
        let known = self.known.read().unwrap_or_else(|poisoned| poisoned.into_inner());
        let Some(known) = known.get(asked).cloned() else {
            return Reply::Code(ResponseCode::NXDomain);
        };
        let Some(slot) = &known.slot else {
            return self.records(asked, kind, &known.url, None);
        };
        let fresh = slot.asked(format!("DNS {kind}"));
        match slot.fault {
            Fault::Name(NameFault::Missing) => Reply::Code(ResponseCode::NXDomain),
            Fault::Name(NameFault::FailsFirst) if fresh => Reply::Code(ResponseCode::ServFail),
            Fault::Name(NameFault::SilentFirst) if fresh => Reply::Silence,
            Fault::Name(NameFault::Silent) => Reply::Silence,
            Fault::Name(fault) => self.records(asked, kind, &known.url, Some(fault)),
            _ => self.records(asked, kind, &known.url, None),
        }
    }

    fn records(
        &self,
        asked: &LowerName,
        kind: RecordType,
        url: &str,
        fault: Option<NameFault>,
    ) -> Reply {
        if kind != RecordType::NAPTR {
            return Reply::Records(Vec::new());
        }
        let owner = Name::from(asked);
        let smp = |order, url: &str| naptr(&owner, order, "U", "Meta:SMP", &format!("!.*!{url}!"));
        let other = |order: u16| {
            let far = format!("!.*!https://cppa-{order}.testbed.example/a/long/path/to/nothing!");
            naptr(&owner, order, "U", "Meta:CPPA", &far)
        };
        let records = match fault {
            Some(NameFault::Empty) => Vec::new(),
            Some(NameFault::Foreign) => vec![other(100)],
            Some(NameFault::Ordered) => vec![
                other(50),
                smp(300, &format!("{url}-that-is-not-there")),
                naptr(&owner, 200, "u", "meta:smp", &format!("!.*!{url}!")),
            ],
            Some(NameFault::Many) => {
                let mut many: Vec<Record> = (1..=MANY).map(|at| other(100 + at)).collect();
                many.push(smp(900, url));
                many
            }
            Some(NameFault::Uri(regexp)) => {
                let rest = url.trim_start_matches("https://");
                vec![naptr(&owner, 100, "U", "Meta:SMP", &regexp.replace("{rest}", rest))]
            }
            Some(NameFault::Alias) => self.alias(&owner, url),
            _ => vec![smp(100, url)],
        };
        Reply::Records(records)
    }

    fn alias(&self, owner: &Name, url: &str) -> Vec<Record> {
        let Ok(publisher) =
            Name::from_ascii("publisher").and_then(|label| label.append_domain(&self.origin))
        else {
            return Vec::new();
        };
        let alias = RData::CNAME(CNAME(publisher.clone()));
        let record = naptr(&publisher, 100, "U", "Meta:SMP", &format!("!.*!{url}!"));
        vec![Record::from_rdata(owner.clone(), TTL, alias), record]
    }

    fn soa(&self) -> Record {
        let host = self.origin.clone();
        let soa = SOA::new(host.clone(), host, 1, 3600, 600, 86_400, NEGATIVE_TTL);
        Record::from_rdata(self.origin.clone(), NEGATIVE_TTL, RData::SOA(soa))
    }
}

fn name(text: &str) -> Result<Name, String> {
    let text = format!("{}.", text.trim_end_matches('.'));
    Name::from_ascii(&text).map_err(|_| format!("{text:?} is not a domain name"))
}

fn naptr(owner: &Name, order: u16, flags: &str, service: &str, regexp: &str) -> Record {
    let record = NAPTR::new(
        order,
        10,
        flags.as_bytes().into(),
        service.as_bytes().into(),
        regexp.as_bytes().into(),
        Name::root(),
    );
    Record::from_rdata(owner.clone(), TTL, RData::NAPTR(record))
}

/// The running server; it ends when this is dropped.
pub struct OpenNames {
    /// Where it listens, UDP and TCP.
    pub address: SocketAddr,
    _server: Server<Handler>,
}

async fn sockets(address: SocketAddr) -> std::io::Result<(UdpSocket, TcpListener)> {
    let mut last = None;
    for _ in 0..TRIES {
        let udp = UdpSocket::bind(address).await?;
        match TcpListener::bind(udp.local_addr()?).await {
            Ok(tcp) => return Ok((udp, tcp)),
            Err(error) => last = Some(error),
        }
    }
    Err(last.unwrap_or_else(|| std::io::ErrorKind::AddrInUse.into()))
}

struct Handler(Names);

#[async_trait::async_trait]
impl RequestHandler for Handler {
    async fn handle_request<R: ResponseHandler, T: Time>(
        &self,
        request: &Request,
        mut response: R,
    ) -> ResponseInfo {
        let mut metadata = Metadata::response_from_request(&request.metadata);
        metadata.authoritative = true;
        let reply = match request.request_info() {
            Ok(info) if info.metadata.op_code == OpCode::Query => {
                self.0.reply(info.query.name(), info.query.query_type())
            }
            Ok(_) => Reply::Code(ResponseCode::NotImp),
            Err(_) => Reply::Code(ResponseCode::FormErr),
        };
        let (code, answers) = match reply {
            Reply::Silence => {
                return ResponseInfo::from(Header { metadata, counts: HeaderCounts::default() });
            }
            Reply::Code(code) => (code, Vec::new()),
            Reply::Records(records) => (ResponseCode::NoError, records),
        };
        metadata.response_code = code;
        let negative =
            answers.is_empty() && matches!(code, ResponseCode::NoError | ResponseCode::NXDomain);
        let soa: Vec<Record> = negative.then(|| self.0.soa()).into_iter().collect();
        let builder = MessageResponseBuilder::from_message_request(request);
        let message = builder.build(metadata, answers.iter(), [], soa.iter(), []);
        response.send_response(message).await.unwrap_or_else(|error| {
            tracing::debug!(%error, "an answer of the testbed's name server was lost");
            ResponseInfo::from(Header { metadata, counts: HeaderCounts::default() })
        })
    }
}
