//! Connections that a peer ends while they are used again (item 5).

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use bytes::Bytes;
use quoin_access_point::net::{CallError, Guard, HttpAnswer, HttpCall, HttpClient, HttpSettings};
use reqwest::Method;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

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
