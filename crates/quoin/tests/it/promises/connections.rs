//! Connections that a peer ends while they are used again (item 5).

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use bytes::Bytes;
use jiff::Timestamp;
use quoin_access_point::net::{
    CallError, CutAnswer, Guard, HttpAnswer, HttpCall, HttpClient, HttpSettings,
};
use quoin_access_point::tls::server_tls;
use quoin_lab::lab::pki::LabPki;
use reqwest::Method;
use rustls::pki_types::CertificateDer;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

const ANSWER: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";

/// A server that answers so many requests on each connection, and ends it at the next one.
async fn server(answers: usize) -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let connections = Arc::new(AtomicUsize::new(0));
    let count = connections.clone();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            count.fetch_add(1, Ordering::Relaxed);
            tokio::spawn(serve(stream, answers));
        }
    });
    (url, connections)
}

async fn serve(mut stream: TcpStream, answers: usize) {
    for _ in 0..answers {
        if !request(&mut stream).await || stream.write_all(ANSWER).await.is_err() {
            return;
        }
    }
    // The next request is read, and the connection ends without a word.
    request(&mut stream).await;
}

async fn request(stream: &mut TcpStream) -> bool {
    let mut seen = Vec::new();
    let mut part = [0; 4096];
    loop {
        match stream.read(&mut part).await {
            Ok(0) | Err(_) => return false,
            Ok(count) => seen.extend_from_slice(&part[..count]),
        }
        let text = String::from_utf8_lossy(&seen);
        let Some((_, body)) = text.split_once("\r\n\r\n") else { continue };
        if text.starts_with("GET") || body == "body" {
            return true;
        }
    }
}

fn client() -> HttpClient {
    let guard = Guard { plain: true, any_address: true, ..Guard::default() };
    HttpClient::new(&HttpSettings { guard, ..HttpSettings::default() }).unwrap()
}

async fn post(client: &HttpClient, url: &str, repeatable: bool) -> Result<HttpAnswer, CallError> {
    let call = HttpCall {
        method: Method::POST,
        body: Some(Bytes::from_static(b"body")),
        repeatable,
        ..HttpCall::get(url, Duration::from_secs(10), 1000)
    };
    client.call(call).await
}

#[tokio::test]
async fn item_5_what_a_kept_connection_loses_is_sent_again_on_a_new_one() {
    let (url, connections) = server(1).await;
    let client = client();
    for turn in 1..=5 {
        let answer = post(&client, &url, true).await;
        assert_eq!(answer.unwrap().body, "ok", "turn {turn}");
    }
    assert!(connections.load(Ordering::Relaxed) >= 5);
}

#[tokio::test]
async fn item_5_what_may_not_be_made_twice_is_not() {
    let (url, _) = server(1).await;
    let client = client();
    assert!(post(&client, &url, false).await.is_ok());
    let lost = post(&client, &url, false).await;
    assert!(matches!(lost, Err(CallError::Closed(_))), "{lost:?}");
}

#[tokio::test]
async fn item_5_a_server_that_never_answers_is_not_asked_twice() {
    let (url, connections) = server(0).await;
    let lost = post(&client(), &url, true).await;
    assert!(matches!(lost, Err(CallError::Closed(_))), "{lost:?}");
    assert_eq!(connections.load(Ordering::Relaxed), 1);
    let text = lost.unwrap_err().to_string();
    assert!(!text.contains("http") && !text.ends_with(':'), "{text}");
}

/// A server as Python's `http.server` is one behind TLS: HTTP/1.0, no length, and an end without
/// `close_notify`. Counts what it is asked.
async fn abrupt(pki: &LabPki) -> (String, Arc<AtomicUsize>) {
    let leaf = pki.server(&["127.0.0.1"]).unwrap();
    let tls = server_tls(leaf.certificate_pem.as_bytes(), leaf.key_pem.as_bytes()).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("https://{}/", listener.local_addr().unwrap());
    let asked = Arc::new(AtomicUsize::new(0));
    let count = asked.clone();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let mut stream = TlsAcceptor::from(tls.clone()).accept(stream).await.unwrap();
            let mut heard = [0; 4096];
            let came = stream.read(&mut heard).await.unwrap();
            assert!(came > 0, "it is asked");
            count.fetch_add(1, Ordering::Relaxed);
            let answer = b"HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\nthanks";
            stream.write_all(answer).await.unwrap();
            stream.flush().await.unwrap();
            // The connection below ends, and TLS does not know.
            drop(stream.into_inner().0);
        }
    });
    (url, asked)
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_counts_though_its_connection_ends_without_a_word() {
    let pki = LabPki::generate("http://127.0.0.1:1", Timestamp::now()).unwrap();
    let (url, asked) = abrupt(&pki).await;
    let client = HttpClient::new(&HttpSettings {
        extra_roots: vec![CertificateDer::from(pki.tls.der().to_vec())],
        guard: Guard { any_address: true, ..Guard::default() },
        ..HttpSettings::default()
    });
    let client = client.unwrap();
    let call = HttpCall {
        method: Method::POST,
        body: Some(Bytes::from_static(b"body")),
        cut_answer: CutAnswer::Beginning,
        ..HttpCall::get(&url, Duration::from_secs(10), 1000)
    };
    let answer = client.call(call.clone()).await.unwrap();
    assert_eq!((answer.status, &answer.body[..]), (200, b"thanks".as_slice()));
    assert_eq!(asked.load(Ordering::Relaxed), 1, "it is not asked again");
    // Where the whole body is asked for, nobody knows whether it is whole.
    let whole = client.call(HttpCall { cut_answer: CutAnswer::Nothing, ..call }).await;
    assert!(matches!(whole, Err(CallError::Broken(_))), "{whole:?}");
}
