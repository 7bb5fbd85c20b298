//! An access point of a few lines, over plain HTTP: what the interoperability suite talks to when
//! it wants the AS4 room alone, without a store, a worker or DNS.
//!
//! `as4_peer serve PKI SEAT OUT` answers messages on a free port, which it prints, until its
//! standard input ends; payloads and receipts go into the folder `OUT`. A recipient that ends with
//! `notserviced` is refused. `as4_peer send PKI SEAT TO URL INVOICE RECIPIENT` sends one document
//! and prints what the answer says.
//!
//! The folder `PKI` holds `root.crt`, `ca.crt`, and `SEAT.crt` with `SEAT.key` (PKCS#8) in PEM.
#![expect(clippy::disallowed_methods, reason = "a program reads files, time and sockets")]

use std::error::Error;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use quoin_peppol::as4::{
    As4Answer, As4Refusal, CertificateRefusal, DecryptionKey, EbmsCode, Entropy, HttpMessage,
    Incoming, OwnIdentity, Peer, Peers, UserMessage, error_signal, read_answer, receipt, seal,
};
use quoin_peppol::pki::{Certificate, CertificateRole, Generation, Stage, Trust};
use quoin_peppol::sbdh::{self, CountryC1, Sbdh};
use quoin_xml::base64;
use quoin_xmldsig::keys::PrivateKey;

type Outcome<T> = Result<T, Box<dyn Error>>;

const INVOICE: &str = "busdox-docid-qns::urn:oasis:names:specification:ubl:schema:xsd:Invoice-2::\
                       Invoice##urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:\
                       billing:3.0::2.1";
const PROCESS: &str = "cenbii-procid-ubl::urn:fdc:peppol.eu:2017:poacc:billing:01:1.0";
const SENDER: &str = "9915:test";
/// How long the other side may be silent.
const PATIENCE: Duration = Duration::from_secs(20);
/// Largest message in bytes.
const LIMIT: usize = 64 << 20;

/// The certificates of the test network.
struct Network {
    folder: PathBuf,
    trust: Trust,
}

impl Network {
    fn open(folder: &str) -> Outcome<Network> {
        let folder = PathBuf::from(folder);
        let [root, ca] = [certificate(&folder, "root")?, certificate(&folder, "ca")?];
        let generation = Generation {
            name: "test".to_owned(),
            root: root.clone(),
            access_point: ca,
            smp: root,
            from: None,
            until: None,
        };
        let trust = Trust::new(Stage::Test, vec![generation])?;
        Ok(Network { folder, trust })
    }

    fn own(&self, seat: &str) -> Outcome<OwnIdentity> {
        let der = certificate(&self.folder, seat)?.der().to_owned();
        let pem = std::fs::read_to_string(self.folder.join(format!("{seat}.key")))?;
        let text: String = pem.lines().filter(|line| !line.starts_with("-----")).collect();
        let key = Arc::new(PrivateKey::from_pkcs8(&base64::decode(text.as_bytes())?)?);
        let decryption = vec![DecryptionKey { certificate: der.clone(), key: key.clone() }];
        Ok(OwnIdentity { seat_id: seat.to_owned(), certificate: der, signer: key, decryption })
    }
}

fn certificate(folder: &Path, name: &str) -> Outcome<Certificate> {
    let text = std::fs::read_to_string(folder.join(format!("{name}.crt")))?;
    Ok(Certificate::from_text(&text)?)
}

impl Peers for Network {
    fn access_point(&self, der: &[u8]) -> Result<Arc<Peer>, CertificateRefusal> {
        let refuse = |reason: String| CertificateRefusal { reason };
        let certificate = Certificate::from_der(der).map_err(|e| refuse(e.to_string()))?;
        let chain = self
            .trust
            .chain(&certificate, CertificateRole::AccessPoint, Timestamp::now())
            .map_err(|e| refuse(e.to_string()))?;
        let peer = Peer::new(der.to_owned(), chain.seat.to_string(), certificate.spki());
        peer.map(Arc::new).map_err(|e| refuse(e.to_string()))
    }
}

fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["serve", pki, seat, out] => serve(&Network::open(pki)?, seat, Path::new(out)),
        ["send", pki, seat, to, url, invoice, recipient] => {
            send(&Network::open(pki)?, seat, to, url, &std::fs::read(invoice)?, recipient)
        }
        _ => Err("usage: as4_peer serve PKI SEAT OUT | send PKI SEAT TO URL FILE RECIPIENT".into()),
    }
}

fn serve(network: &Network, seat: &str, out: &Path) -> Outcome<()> {
    let own = network.own(seat)?;
    let listener = TcpListener::bind("127.0.0.1:0")?;
    println!("port {}", listener.local_addr()?.port());
    std::thread::spawn(|| {
        // Whoever started this program ends it by closing its input.
        let _ = std::io::stdin().read_to_end(&mut Vec::new());
        std::process::exit(0);
    });
    for (number, stream) in listener.incoming().enumerate() {
        let mut stream = stream?;
        stream.set_read_timeout(Some(PATIENCE))?;
        if let Err(error) = handle(network, &own, &mut stream, &out.join(number.to_string())) {
            println!("fault {error}");
        }
    }
    Ok(())
}

fn handle(
    network: &Network,
    own: &OwnIdentity,
    stream: &mut TcpStream,
    file: &Path,
) -> Outcome<()> {
    let (_, request) = read_http(stream)?;
    let now = Timestamp::now();
    let signal_id = format!("signal-{}@as4-peer.test", now.as_nanosecond());
    let opened = Incoming::read(&request.content_type, &request.body)
        .and_then(|incoming| incoming.open(own, network))
        .and_then(|received| {
            let id = received.message.message_id.clone();
            if received.message.final_recipient.ends_with("notserviced") {
                return Err(As4Refusal::not_serviced().of(&id));
            }
            let envelope = sbdh::read(&received.payload)
                .map_err(|e| As4Refusal::new(EbmsCode::Other, e.to_string()).of(&id))?;
            Ok((received, envelope))
        });
    let answer = match opened {
        Ok((received, envelope)) => {
            std::fs::write(file.with_extension("xml"), &received.payload)?;
            let (message, receiver) = (&received.message, envelope.sbdh.receiver);
            println!("received {} from {} for {receiver}", message.message_id, message.from);
            receipt(&received, own, &signal_id, now)?
        }
        Err(refusal) => {
            println!("refused {refusal}");
            error_signal(&refusal, own, &signal_id, now)?
        }
    };
    std::fs::write(file.with_extension("signal"), &answer.body)?;
    write!(
        stream,
        "HTTP/1.1 200 OK\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        answer.content_type,
        answer.body.len()
    )?;
    stream.write_all(&answer.body)?;
    Ok(())
}

fn send(
    network: &Network,
    seat: &str,
    to: &str,
    url: &str,
    invoice: &[u8],
    recipient: &str,
) -> Outcome<()> {
    let own = network.own(seat)?;
    let receiver = certificate(&network.folder, to)?;
    let peer = network.access_point(receiver.der())?;
    let now = Timestamp::now();
    let header = Sbdh {
        sender: SENDER.parse()?,
        receiver: recipient.parse()?,
        document_type: INVOICE.parse()?,
        process: PROCESS.parse()?,
        instance: format!("instance-{}", now.as_nanosecond()),
        created: now,
        country: CountryC1::new("AT").ok_or("a country")?,
        mls_to: None,
        mls_type: None,
        others: Vec::new(),
    };
    let (service_type, service) = PROCESS.split_once("::").ok_or("a process")?;
    let message = UserMessage {
        message_id: format!("{}@as4-peer.test", now.as_nanosecond()),
        conversation_id: format!("conversation-{}", now.as_nanosecond()),
        timestamp: now,
        from: own.seat_id.clone(),
        to: peer.common_name.clone(),
        service: service.to_owned(),
        service_type: service_type.to_owned(),
        action: INVOICE.to_owned(),
        original_sender: SENDER.to_owned(),
        final_recipient: recipient.to_owned(),
    };
    let mut random = [0; Entropy::BYTES];
    aws_lc_rs::rand::fill(&mut random)?;
    let payload = sbdh::wrap(&header, invoice)?;
    let sent = seal(&message, &payload, &own, &peer, &Entropy::from_bytes(&random))?;
    let (status, answer) = post(url, &sent.http)?;
    match read_answer(&answer.content_type, &answer.body, &sent, network) {
        Ok(As4Answer::Receipt { signer, .. }) => println!("receipt by {}", signer.common_name),
        Ok(As4Answer::Errors(errors)) => {
            for error in errors {
                println!("error {error}");
            }
        }
        Err(refusal) => println!("unknown HTTP {status}: {refusal}"),
    }
    Ok(())
}

fn post(url: &str, http: &HttpMessage) -> Outcome<(String, HttpMessage)> {
    let (host, path) =
        url.strip_prefix("http://").ok_or("only http://")?.split_once('/').ok_or(url)?;
    let mut stream = TcpStream::connect(host)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    write!(
        stream,
        "POST /{path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: {}\r\nContent-Length: {}\r\n\
         Connection: close\r\n\r\n",
        http.content_type,
        http.body.len()
    )?;
    stream.write_all(&http.body)?;
    read_http(&mut stream)
}

/// The first line of a request or answer, and its content.
fn read_http(stream: &mut TcpStream) -> Outcome<(String, HttpMessage)> {
    let mut reader = BufReader::new(stream);
    let mut first = String::new();
    reader.read_line(&mut first)?;
    let (mut content_type, mut length) = (String::new(), 0);
    let mut folded = String::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 {
            return Err("the connection ended inside the headers".into());
        }
        if line.starts_with([' ', '\t']) {
            folded.push_str(line.trim());
            continue;
        }
        if folded.to_ascii_lowercase().starts_with("content-type:") {
            content_type = folded.split_off("content-type:".len()).trim().to_owned();
        }
        let line = line.trim_end().to_owned();
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse()?;
        }
        if line.is_empty() {
            break;
        }
        folded = line;
    }
    if length > LIMIT {
        return Err("the message is too large".into());
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    Ok((first, HttpMessage { content_type, body }))
}
