//! The web server of the access point under test: TLS and HTTP (section F of the checklist).

mod hello;
pub(super) mod hostile;

use std::convert::Infallible;
use std::sync::Arc;

use bytes::Bytes;
use futures::FutureExt;
use futures::stream;
use http_body_util::{BodyExt, Limited, StreamBody};
use hyper::body::Frame;
use hyper::client::conn::http1;
use hyper::header::{CONTENT_TYPE, HOST, HeaderValue};
use hyper::{Method, Request};
use hyper_util::rt::TokioIo;
use quoin_peppol::as4::{As4Answer, HttpMessage};
use rustls::pki_types::ServerName;
use rustls::{ClientConfig, ProtocolVersion, RootCertStore, SupportedProtocolVersion};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use url::Url;

use self::hello::{OLD, ServerReply, VERSIONS, Version, WEAK, greet};
use super::bench::Bench;
use super::case::{CaseArea, Expect, TestCase, act};
use super::verdict::{CaseFailure, CaseFixer, CaseVerdict, wrong};
use quoin_access_point::net::HttpCall;

/// Octets of a message in one chunk; Oxalis sends 8 KiB.
const CHUNK: usize = 8 << 10;
/// The largest answer that is read, in bytes.
const LARGEST: usize = 1 << 20;

/// The cases.
pub(super) static CASES: &[TestCase] = &[
    act(
        "F-01a",
        CaseArea::Transport,
        "TLS 1.2 and TLS 1.3 are spoken, or at least one of them",
        "F-01; Transport security \
         policy 1.1.0, P3",
        |bench| modern(bench).map(CaseVerdict::from).boxed(),
    ),
    act(
        "F-01b",
        CaseArea::Transport,
        "nothing older than TLS 1.2 is spoken",
        "F-01; Transport security policy 1.1.0, P3",
        |bench| old(bench).map(CaseVerdict::from).boxed(),
    ),
    act("F-01c", CaseArea::Transport, "no weak cipher is taken", "F-01; grade A", |bench| {
        weak(bench).map(CaseVerdict::from).boxed()
    }),
    act(
        "F-02",
        CaseArea::Transport,
        "the certificate of the web server is one that everybody believes",
        "F-02, F-04; \
         Transport security policy 1.1.0, P1, P2",
        |bench| certificate(bench).map(CaseVerdict::from).boxed(),
    ),
    act("F-06", CaseArea::Transport, "a browser gets a polite answer", "F-06", |bench| {
        polite(bench).map(CaseVerdict::from).boxed()
    }),
    act(
        "X-01",
        CaseArea::Transport,
        "what is not AS4 is refused, neither taken nor stumbled over",
        "RFC 9110, 15.5; \
         eDelivery AS4 1.14",
        |bench| rubbish(bench).map(CaseVerdict::from).boxed(),
    ),
    act(
        "X-02",
        CaseArea::Transport,
        "a request that breaks off does no harm to the next one",
        "RFC 9112, 8",
        |bench| broken_off(bench).map(CaseVerdict::from).boxed(),
    ),
    act(
        "A-17",
        CaseArea::Transport,
        "a message in chunks is taken",
        "A-17; AS4 profile 10",
        |bench| chunks(bench).map(CaseVerdict::from).boxed(),
    ),
];

/// Host and port of the door.
fn place(bench: &Bench) -> Result<(String, u16), CaseFailure> {
    let parsed = Url::parse(&bench.url).ok().and_then(|url| {
        Some((url.host_str()?.trim_matches(['[', ']']).to_owned(), url.port_or_known_default()?))
    });
    parsed.ok_or_else(|| wrong("an absolute address", "none", &bench.url).by(CaseFixer::Testbed))
}

fn server(expected: &str, found: impl Into<String>, bench: &Bench) -> CaseFailure {
    wrong(expected, found, &bench.url).by(CaseFixer::WebServer)
}

async fn modern(bench: &Bench) -> Result<String, CaseFailure> {
    let mut spoken = Vec::new();
    let mut last = String::new();
    for version in [&rustls::version::TLS13, &rustls::version::TLS12] {
        match connect(bench, &[version]).await {
            Ok(stream) => {
                let (_, session) = stream.get_ref();
                let cipher = session.negotiated_cipher_suite().map(|suite| suite.suite());
                let cipher = cipher.and_then(|suite| suite.as_str()).unwrap_or("?");
                spoken.push(format!("{} with {cipher}", name(version.version)));
            }
            Err(error) => last = error,
        }
    }
    if spoken.is_empty() {
        return Err(server("TLS 1.2 or TLS 1.3", last, bench));
    }
    Ok(spoken.join(", "))
}

fn name(version: ProtocolVersion) -> &'static str {
    if version == ProtocolVersion::TLSv1_3 { "TLS 1.3" } else { "TLS 1.2" }
}

/// A connection with these versions, whose certificate verified.
async fn connect(
    bench: &Bench,
    versions: &[&'static SupportedProtocolVersion],
) -> Result<TlsStream<TcpStream>, String> {
    let text = |error: &dyn std::fmt::Display| error.to_string();
    let (host, port) = place(bench).map_err(|failure| failure.found)?;
    let mut roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
    for root in &bench.roots {
        roots.add(root.clone()).map_err(|e| text(&e))?;
    }
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_protocol_versions(versions)
        .map_err(|e| text(&e))?
        .with_root_certificates(roots)
        .with_no_client_auth();
    let connection = async {
        let stream = TcpStream::connect((host.as_str(), port)).await.map_err(|e| text(&e))?;
        let name = ServerName::try_from(host.clone()).map_err(|e| text(&e))?;
        TlsConnector::from(Arc::new(config)).connect(name, stream).await.map_err(|e| text(&e))
    };
    let limit = bench.patience();
    tokio::time::timeout(limit, connection).await.map_err(|_| format!("no TLS within {limit:?}"))?
}

async fn old(bench: &Bench) -> Result<String, CaseFailure> {
    let (host, port) = place(bench)?;
    let mut said = Vec::new();
    for (version, name) in VERSIONS.iter().filter(|(version, _)| *version < Version(0x0303)) {
        let answer = greet(&host, port, *version, OLD, bench.patience()).await;
        match answer.map_err(|error| server("a connection", error, bench))? {
            ServerReply::Hello(spoken, cipher) => {
                let found =
                    format!("a greeting in {name} is answered in {spoken}, cipher {cipher:04x}");
                return Err(server("no version below TLS 1.2", found, bench));
            }
            ServerReply::Alert(alert) => said.push(format!("{name}: alert {alert}")),
            ServerReply::Nothing => said.push(format!("{name}: closed")),
        }
    }
    Ok(said.join(", "))
}

async fn weak(bench: &Bench) -> Result<String, CaseFailure> {
    let (host, port) = place(bench)?;
    let answer = greet(&host, port, Version(0x0303), WEAK, bench.patience()).await;
    match answer.map_err(|error| server("a connection", error, bench))? {
        ServerReply::Hello(version, cipher) => {
            let found = format!("cipher {cipher:04x} in {version}");
            Err(server("forward secrecy and authenticated encryption", found, bench))
        }
        ServerReply::Alert(alert) => Ok(format!("{} weak ciphers, alert {alert}", WEAK.len())),
        ServerReply::Nothing => Ok(format!("{} weak ciphers, closed", WEAK.len())),
    }
}

async fn certificate(bench: &Bench) -> Result<String, CaseFailure> {
    let both = [&rustls::version::TLS13, &rustls::version::TLS12];
    let expected = "a certificate for this name, of an authority that web browsers believe";
    let stream = connect(bench, &both).await.map_err(|error| server(expected, error, bench))?;
    let (_, session) = stream.get_ref();
    let leaf = session.peer_certificates().and_then(|chain| chain.first());
    match leaf {
        Some(leaf) if leaf.as_ref() == bench.certificate.der() => {
            let found = "the Peppol certificate of the access point";
            Err(server("a certificate of a web server", found, bench))
        }
        Some(_) => Ok("it verifies, and no certificate of the client was asked for".to_owned()),
        None => Err(server(expected, "none", bench)),
    }
}

async fn polite(bench: &Bench) -> Result<String, CaseFailure> {
    let answer = bench.peers.call(HttpCall::get(&bench.url, bench.patience(), LARGEST)).await;
    let answer = answer.map_err(|error| server("an answer to GET", error.to_string(), bench))?;
    match answer.status {
        status @ (200..=399 | 401 | 403 | 405) => Ok(format!("GET: HTTP {status}")),
        status => Err(server("a page, or 405", format!("GET: HTTP {status}"), bench)),
    }
}

async fn rubbish(bench: &Bench) -> Result<String, CaseFailure> {
    let related = "multipart/related; type=\"application/soap+xml\"; boundary=\"b\"";
    let cases: [(&str, Option<&str>, &[u8]); 6] = [
        ("no content type", None, b"hello"),
        ("text", Some("text/plain"), b"hello"),
        ("an empty body", Some(related), b""),
        ("no parts", Some(related), b"hello, there is no boundary here"),
        ("a part that is not XML", Some(related), b"--b\r\n\r\nhello\r\n--b--\r\n"),
        ("XML that is not SOAP", Some("application/soap+xml"), b"<hello/>"),
    ];
    let mut seen = Vec::new();
    for (what, kind, body) in cases {
        let kind = kind.and_then(|kind| HeaderValue::from_str(kind).ok());
        let call = HttpCall {
            method: Method::POST,
            headers: kind.map(|kind| (CONTENT_TYPE, kind)).into_iter().collect(),
            body: Some(Bytes::from_static(body)),
            ..HttpCall::get(&bench.url, bench.patience(), LARGEST)
        };
        let answer = bench.peers.call(call).await;
        let answer =
            answer.map_err(|error| server("an answer", format!("{what}: {error}"), bench))?;
        let text = String::from_utf8_lossy(&answer.body);
        let refused = (400..500).contains(&answer.status) || text.contains("errorCode=");
        if !refused || text.contains("NonRepudiationInformation") {
            let found = format!("{what}: HTTP {} without an error", answer.status);
            return Err(wrong("HTTP 4xx, or an error signal", found, &bench.url));
        }
        seen.push(answer.status.to_string());
    }
    Ok(format!("{} requests: {}", seen.len(), seen.join(", ")))
}

async fn broken_off(bench: &Bench) -> Result<String, CaseFailure> {
    let own = |error: &dyn std::fmt::Display| {
        wrong("a message to send", error.to_string(), "the testbed").by(CaseFixer::Testbed)
    };
    let (host, _) = place(bench)?;
    let path = Url::parse(&bench.url).map(|url| url.path().to_owned()).unwrap_or_default();
    let half = bench.forge.good().map_err(|e| own(&e))?.message("half of a message");
    bench.note("X-02", &half.number, 0);
    let both = [&rustls::version::TLS13, &rustls::version::TLS12];
    let stream = connect(bench, &both).await;
    let mut stream = stream.map_err(|error| server("a connection", error, bench))?;
    let body = &half.http().body;
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: {}\r\nContent-Length: {}\r\n\r\n",
        half.http().content_type,
        body.len()
    );
    let sent = async {
        stream.write_all(head.as_bytes()).await?;
        stream.write_all(body.get(..body.len() / 2).unwrap_or_default()).await?;
        stream.flush().await
    };
    sent.await.map_err(|error| server("half of a request is read", error.to_string(), bench))?;
    drop(stream);
    let whole = bench.forge.good().map_err(|e| own(&e))?.message("the next message");
    let seen = bench.expect(&whole, Expect::Receipt).await?;
    bench.note("X-02", &whole.number, 1);
    Ok(format!("the next message: {seen}"))
}

async fn chunks(bench: &Bench) -> Result<String, CaseFailure> {
    let message = bench.forge.good().map_err(|error| {
        wrong("a message to send", error.to_string(), "the testbed").by(CaseFixer::Testbed)
    })?;
    let message = message.message("in chunks of 8 KiB");
    let (kind, body) = in_chunks(bench, message.http())
        .await
        .map_err(|error| bench.wrong_at(&message, "an answer", error))?;
    match bench.read(&message, &kind, &body).await {
        Ok(As4Answer::Receipt { message_id, .. }) => {
            bench.note("A-17", &message.number, 1);
            Ok(format!("receipt {message_id}"))
        }
        Ok(As4Answer::Errors(errors)) => {
            let found = errors.first().map(ToString::to_string).unwrap_or_default();
            Err(bench.wrong_at(&message, "a receipt", found))
        }
        Err(refusal) => Err(bench.wrong_at(&message, "a receipt", refusal)),
    }
}

/// Type and body of the answer to a message that goes in chunks of a request without a length.
async fn in_chunks(bench: &Bench, message: &HttpMessage) -> Result<(String, Bytes), String> {
    let text = |error: &dyn std::fmt::Display| error.to_string();
    let (host, _) = place(bench).map_err(|failure| failure.found)?;
    let path = Url::parse(&bench.url).map(|url| url.path().to_owned()).unwrap_or_default();
    let both = [&rustls::version::TLS13, &rustls::version::TLS12];
    let stream = connect(bench, &both).await?;
    let (mut sender, connection) =
        http1::handshake(TokioIo::new(stream)).await.map_err(|e| text(&e))?;
    let chunks: Vec<Result<Frame<Bytes>, Infallible>> = message
        .body
        .chunks(CHUNK)
        .map(|chunk| Ok(Frame::data(Bytes::copy_from_slice(chunk))))
        .collect();
    let request = Request::post(path)
        .header(HOST, host)
        .header(CONTENT_TYPE, &message.content_type)
        .body(StreamBody::new(stream::iter(chunks)))
        .map_err(|e| text(&e))?;
    let exchange = async {
        let answer = sender.send_request(request).await.map_err(|e| text(&e))?;
        let kind = answer.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
        let kind = kind.unwrap_or_default().to_owned();
        let body = Limited::new(answer.into_body(), LARGEST).collect().await;
        Ok((kind, body.map_err(|e| text(&e))?.to_bytes()))
    };
    let driver = tokio::spawn(connection);
    let limit = bench.patience();
    let answer = tokio::time::timeout(limit, exchange).await;
    driver.abort();
    answer.map_err(|_| format!("no answer within {limit:?}"))?
}
