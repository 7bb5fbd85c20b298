//! A name server on loopback, over UDP and TCP, that answers what its owner wants: the lab's SML
//! and the testbed are such owners.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use hickory_proto::op::{Header, HeaderCounts, Metadata, OpCode, ResponseCode};
use hickory_proto::rr::rdata::{NAPTR, SOA};
use hickory_proto::rr::{LowerName, Name, RData, Record, RecordType};
use hickory_server::Server;
use hickory_server::net::runtime::Time;
use hickory_server::server::{Request, RequestHandler, ResponseHandler, ResponseInfo};
use hickory_server::zone_handler::MessageResponseBuilder;
use tokio::net::{TcpListener, UdpSocket};

/// Lifetime of records, in seconds, as seen in the network.
pub const TTL: u32 = 60;
/// How long "there is none" may be kept, in seconds: short, so that a registration shows at once.
const NEGATIVE_TTL: u32 = 1;
/// Time that a TCP connection may stay silent.
const TCP_TIMEOUT: Duration = Duration::from_secs(5);
/// Answers kept for one TCP connection.
const TCP_BUFFER: usize = 32;
/// Times that a port is looked for that is free for UDP and TCP.
const TRIES: usize = 16;

/// What to say to a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DnsReply {
    /// Nothing at all.
    Silence,
    /// This code, without records.
    Code(ResponseCode),
    /// These records; none means that the name exists without such records.
    Records(Vec<Record>),
}

/// Who knows the answers.
pub trait DnsAnswers: Send + Sync + 'static {
    /// The zone that is answered for.
    fn origin(&self) -> &Name;

    /// The answer to a question about a name of the zone.
    fn reply(&self, asked: &LowerName, kind: RecordType) -> DnsReply;
}

/// The running server; it ends when this is dropped.
pub struct NameServer {
    /// Where it listens, UDP and TCP.
    pub address: SocketAddr,
    _server: Server<Handler>,
}

impl std::fmt::Debug for NameServer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NameServer").field("address", &self.address).finish_non_exhaustive()
    }
}

impl NameServer {
    /// Opens a server on `address`; port 0 lets the system choose one that is free for UDP and TCP.
    ///
    /// # Errors
    /// The sockets cannot be opened.
    pub async fn open(
        address: SocketAddr,
        answers: impl DnsAnswers,
    ) -> std::io::Result<NameServer> {
        let (udp, tcp) = sockets(address).await?;
        let address = udp.local_addr()?;
        let mut server = Server::new(Handler(Arc::new(answers)));
        server.register_socket(udp);
        server.register_listener(tcp, TCP_TIMEOUT, TCP_BUFFER);
        Ok(NameServer { address, _server: server })
    }
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

/// A domain name from its text, with or without the dot at its end.
pub fn domain_name(text: &str) -> Option<Name> {
    Name::from_ascii(format!("{}.", text.trim_end_matches('.'))).ok()
}

/// A NAPTR record.
pub fn naptr(owner: Name, order: u16, flags: &str, service: &str, regexp: &str) -> Record {
    let record = NAPTR::new(
        order,
        10,
        flags.as_bytes().into(),
        service.as_bytes().into(),
        regexp.as_bytes().into(),
        Name::root(),
    );
    Record::from_rdata(owner, TTL, RData::NAPTR(record))
}

struct Handler(Arc<dyn DnsAnswers>);

impl Handler {
    fn reply(&self, request: &Request) -> DnsReply {
        match request.request_info() {
            Ok(info) if info.metadata.op_code == OpCode::Query => {
                let (asked, kind) = (info.query.name(), info.query.query_type());
                match LowerName::new(self.0.origin()).zone_of(asked) {
                    true => self.0.reply(asked, kind),
                    false => DnsReply::Code(ResponseCode::Refused),
                }
            }
            Ok(_) => DnsReply::Code(ResponseCode::NotImp),
            Err(_) => DnsReply::Code(ResponseCode::FormErr),
        }
    }

    fn soa(&self) -> Record {
        let host = self.0.origin().clone();
        let soa = SOA::new(host.clone(), host.clone(), 1, 3600, 600, 86_400, NEGATIVE_TTL);
        Record::from_rdata(host, NEGATIVE_TTL, RData::SOA(soa))
    }
}

#[async_trait::async_trait]
impl RequestHandler for Handler {
    async fn handle_request<R: ResponseHandler, T: Time>(
        &self,
        request: &Request,
        mut response: R,
    ) -> ResponseInfo {
        let mut metadata = Metadata::response_from_request(&request.metadata);
        metadata.authoritative = true;
        let unsent =
            |metadata| ResponseInfo::from(Header { metadata, counts: HeaderCounts::default() });
        let (code, answers) = match self.reply(request) {
            DnsReply::Silence => return unsent(metadata),
            DnsReply::Code(code) => (code, Vec::new()),
            DnsReply::Records(records) => (ResponseCode::NoError, records),
        };
        metadata.response_code = code;
        let negative =
            answers.is_empty() && matches!(code, ResponseCode::NoError | ResponseCode::NXDomain);
        let soa: Vec<Record> = negative.then(|| self.soa()).into_iter().collect();
        let builder = MessageResponseBuilder::from_message_request(request);
        let message = builder.build(metadata, answers.iter(), [], soa.iter(), []);
        response.send_response(message).await.unwrap_or_else(|error| {
            tracing::debug!(%error, "an answer of a name server of the lab was lost");
            unsent(metadata)
        })
    }
}
