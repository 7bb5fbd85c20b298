//! What somebody does who wants the access point to stop: bytes that are slow to read, and
//! connections that say nothing. After each of them a good message must be taken as if nothing had
//! been.

use std::time::{Duration, Instant};

use bytes::Bytes;
use futures::FutureExt;
use hyper::Method;
use hyper::header::{CONTENT_TYPE, HeaderValue};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::{LARGEST, connect, server};
use crate::testbed::bench::Bench;
use crate::testbed::case::{CaseArea, Expect, TestCase, act};
use crate::testbed::verdict::{CaseFailure, CaseFixer, CaseVerdict, wrong};
use quoin_access_point::net::HttpCall;

/// Bytes of a message that is slow to read.
const BYTES: usize = 1 << 20;
/// How long a refusal may take.
const SOON: Duration = Duration::from_secs(10);
/// How long a connection that says nothing may stay.
const SILENCE: Duration = Duration::from_secs(150);
/// The preface of HTTP/2 with empty settings (RFC 9113, 3.4).
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";

/// The cases.
pub(in crate::testbed) static CASES: &[TestCase] = &[
    act(
        "X-03",
        CaseArea::Transport,
        "a package of nothing but delimiters is refused at once, and stops nobody",
        "RFC 2046, 5.1.1",
        |bench| refused(bench, "X-03", delimiters()).map(CaseVerdict::from).boxed(),
    ),
    act(
        "X-04",
        CaseArea::Transport,
        "a list of 20,000 prefixes is refused at once, before anybody is believed",
        "Exclusive XML Canonicalization 1.0, 3",
        |bench| refused(bench, "X-04", prefixes()).map(CaseVerdict::from).boxed(),
    ),
    act(
        "X-05",
        CaseArea::Transport,
        "connections that say nothing are ended, in TLS and in HTTP/2",
        "RFC 9113, 9.1",
        |bench| silent(bench).map(CaseVerdict::from).boxed(),
    ),
];

/// A content type and a body.
type HostileBody = (&'static str, Bytes);

fn delimiters() -> HostileBody {
    let body = format!("x{}", "--a".repeat(BYTES / 3));
    ("multipart/related; type=\"application/soap+xml\"; boundary=a", body.into())
}

fn prefixes() -> HostileBody {
    let list: String = (0..20_000).map(|at| format!("p{at} ")).collect();
    let exclusive = "http://www.w3.org/2001/10/xml-exc-c14n#";
    let security =
        "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd";
    let envelope = format!(
        "<S:Envelope xmlns:S=\"http://www.w3.org/2003/05/soap-envelope\"><S:Header><w:Security \
         xmlns:w=\"{security}\"><ds:Signature xmlns:ds=\"http://www.w3.org/2000/09/xmldsig#\">\
         <ds:SignedInfo><ds:CanonicalizationMethod Algorithm=\"{exclusive}\">\
         <e:InclusiveNamespaces xmlns:e=\"{exclusive}\" PrefixList=\"{list}\"/>\
         </ds:CanonicalizationMethod>{}</ds:SignedInfo></ds:Signature></w:Security></S:Header>\
         <S:Body/></S:Envelope>",
        "<ds:Reference/>".repeat(4_000)
    );
    ("application/soap+xml", envelope.into())
}

/// Sends something hostile twice at a time, and then a good message.
async fn refused(
    bench: &Bench,
    case: &'static str,
    body: HostileBody,
) -> Result<String, CaseFailure> {
    let (kind, body) = body;
    let call = || HttpCall {
        method: Method::POST,
        headers: vec![(CONTENT_TYPE, HeaderValue::from_static(kind))],
        body: Some(body.clone()),
        ..HttpCall::get(&bench.url, bench.patience(), LARGEST)
    };
    let begun = Instant::now();
    let (one, two) = tokio::join!(bench.peers.call(call()), bench.peers.call(call()));
    for answer in [one, two] {
        let answer = answer.map_err(|error| server("an answer", error.to_string(), bench))?;
        let text = String::from_utf8_lossy(&answer.body);
        let refused = (400..500).contains(&answer.status) || text.contains("errorCode=");
        if !refused {
            let found = format!("HTTP {} without an error", answer.status);
            return Err(wrong("HTTP 4xx, or an error signal", found, &bench.url));
        }
    }
    let took = begun.elapsed();
    if took > SOON {
        let found = format!("after {:.1} s", took.as_secs_f64());
        return Err(wrong("an answer within 10 s", found, &bench.url));
    }
    let good = bench.forge.good().map_err(|error| {
        wrong("a message to send", error.to_string(), "the testbed").by(CaseFixer::Testbed)
    })?;
    let good = good.message("the next message");
    let seen = bench.expect(&good, Expect::Receipt).await?;
    bench.note(case, &good.number, 1);
    Ok(format!("refused after {} ms; the next message: {seen}", took.as_millis()))
}

/// Opens connections that say nothing more, and waits until they are ended.
async fn silent(bench: &Bench) -> Result<String, CaseFailure> {
    let both = [&rustls::version::TLS13, &rustls::version::TLS12];
    let begun = Instant::now();
    let mut waits = Vec::new();
    for said in [&b""[..], b"PRI * HT", PREFACE, b"POST / HTTP/1.1\r\n"] {
        let stream = connect(bench, &both).await;
        let mut stream = stream.map_err(|error| server("a connection", error, bench))?;
        waits.push(async move {
            let _ = stream.write_all(said).await;
            let _ = stream.flush().await;
            let mut rest = [0; 1024];
            while let Ok(1..) = stream.read(&mut rest).await {}
        });
    }
    let ended = tokio::time::timeout(SILENCE, futures::future::join_all(waits)).await;
    match ended {
        Ok(_) => Ok(format!("ended within {:.0} s", begun.elapsed().as_secs_f64())),
        Err(_) => {
            let found = format!("one was still open after {SILENCE:?}");
            Err(server("connections that say nothing are ended", found, bench))
        }
    }
}
