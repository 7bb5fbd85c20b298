//! Connections that say nothing, and connections that take nothing.

use std::time::{Duration, Instant};

use axum::Router;
use axum::routing::{get, post};
use jiff::Timestamp;
use quoin_access_point::tls::{Door, DoorLimits, OpenDoor, Shutdown, server_tls};
use quoin_lab::lab::pki::LabPki;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::SOON;

const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";

/// More than the buffers of a connection take.
const HUGE: usize = 24 << 20;

fn limits() -> DoorLimits {
    DoorLimits {
        header_timeout: Duration::from_millis(300),
        idle: Duration::from_millis(300),
        write: Duration::from_millis(500),
        ..DoorLimits::default()
    }
}

async fn door(tls: bool, limits: DoorLimits) -> OpenDoor {
    let routes = Router::new()
        .route("/hello", get(async || "hello"))
        .route("/large", get(async || "x".repeat(4 << 20)))
        .route("/refused", post(async || ([("connection", "close")], "too large")))
        .route("/huge", get(async || "x".repeat(HUGE)))
        .route(
            "/slow",
            get(async || {
                tokio::time::sleep(Duration::from_secs(2)).await;
                "late"
            }),
        );
    let pki = LabPki::generate("http://127.0.0.1:1", Timestamp::now()).unwrap();
    let leaf = pki.server(&["localhost", "127.0.0.1"]).unwrap();
    let tls =
        tls.then(|| server_tls(leaf.certificate_pem.as_bytes(), leaf.key_pem.as_bytes()).unwrap());
    let door = Door { name: "test", address: "127.0.0.1:0".parse().unwrap(), tls, limits };
    door.open(routes, Shutdown::default()).await.unwrap()
}

/// Whether the other side ends a connection within the time.
async fn ends(stream: &mut TcpStream, within: Duration) -> bool {
    let mut rest = vec![0; 4096];
    let end = async {
        loop {
            match stream.read(&mut rest).await {
                Ok(0) | Err(_) => return,
                Ok(_) => {}
            }
        }
    };
    tokio::time::timeout(within, end).await.is_ok()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a4_connections_that_say_nothing_are_ended() {
    for (tls, said) in [
        (false, &b""[..]),
        (false, b"PRI * HT"),
        (false, PREFACE),
        (false, b"GET /hello HT"),
        (false, b"GET /hello HTTP/1.1\r\nhost: x\r\n\r\n"),
        (true, b""),
    ] {
        let door = door(tls, limits()).await;
        let mut stream = TcpStream::connect(door.address).await.unwrap();
        stream.write_all(said).await.unwrap();
        let text = String::from_utf8_lossy(said).into_owned();
        assert!(ends(&mut stream, SOON).await, "{text:?} holds its place for ever (TLS {tls})");
        assert_eq!(door.connections().read().held, 0, "{text:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a4_answers_that_nobody_reads_end_their_connection() {
    let door = door(false, limits()).await;
    let mut stream = TcpStream::connect(door.address).await.unwrap();
    let request = b"GET /large HTTP/1.1\r\nhost: x\r\n\r\n".repeat(50);
    stream.write_all(&request).await.unwrap();
    let begun = Instant::now();
    while door.connections().read().held > 0 {
        assert!(begun.elapsed() < SOON, "it is held for ever");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a4_a_request_that_takes_its_time_is_not_idle() {
    let door = door(false, limits()).await;
    let mut stream = TcpStream::connect(door.address).await.unwrap();
    stream.write_all(b"GET /slow HTTP/1.1\r\nhost: x\r\n\r\n").await.unwrap();
    let mut answer = vec![0; 1024];
    let read = tokio::time::timeout(SOON, stream.read(&mut answer)).await.unwrap().unwrap();
    assert!(String::from_utf8_lossy(&answer[..read]).ends_with("late"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a4_who_has_said_all_and_closes_its_side_has_its_answer() {
    let door = door(false, limits()).await;
    let mut stream = TcpStream::connect(door.address).await.unwrap();
    stream.write_all(b"GET /slow HTTP/1.1\r\nhost: x\r\n\r\n").await.unwrap();
    stream.shutdown().await.unwrap();
    let mut answer = Vec::new();
    let whole = stream.read_to_end(&mut answer);
    tokio::time::timeout(SOON, whole).await.expect("the connection ends").unwrap();
    let answer = String::from_utf8_lossy(&answer);
    assert!(answer.starts_with("HTTP/1.1 200") && answer.ends_with("late"), "{answer:?}");
    // Half a request is none, and nobody waits for the rest of it.
    let mut stream = TcpStream::connect(door.address).await.unwrap();
    stream
        .write_all(b"POST /slow HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\nhalf")
        .await
        .unwrap();
    stream.shutdown().await.unwrap();
    assert!(ends(&mut stream, SOON).await, "half a request holds its place");
    let begun = Instant::now();
    while door.connections().read().held > 0 {
        assert!(begun.elapsed() < SOON, "a place is held for who is gone");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a4_an_answer_that_is_taken_slowly_comes_whole() {
    let door = door(false, limits()).await;
    let socket = tokio::net::TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(64 << 10).unwrap();
    let mut stream = socket.connect(door.address).await.unwrap();
    stream.write_all(b"GET /huge HTTP/1.1\r\nhost: x\r\n\r\n").await.unwrap();
    let (begun, mut part, mut read) = (Instant::now(), vec![0; 256 << 10], 0);
    while read < HUGE {
        let more = stream.read(&mut part).await.unwrap();
        assert!(more > 0, "it is cut off at {read} of {HUGE} after {:?}", begun.elapsed());
        read += more;
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert!(begun.elapsed() > limits().idle * 2, "it was taken in {:?}", begun.elapsed());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a4_one_address_has_its_share_and_idle_ones_go_first() {
    let few = DoorLimits { connections: 4, of_one_address: 2, ..DoorLimits::default() };
    let door = door(false, few).await;
    let mut silent = Vec::new();
    for _ in 0..2 {
        silent.push(TcpStream::connect(door.address).await.unwrap());
    }
    tokio::time::sleep(Duration::from_millis(100)).await;
    let mut third = TcpStream::connect(door.address).await.unwrap();
    assert!(ends(&mut third, SOON).await, "a third of one address is closed at once");
    assert_eq!(door.connections().read().refused_share, 1);

    let limits = DoorLimits { connections: 2, ..DoorLimits::default() };
    let door = self::door(false, limits).await;
    let mut first = TcpStream::connect(door.address).await.unwrap();
    tokio::time::sleep(Duration::from_millis(100)).await;
    let _second = TcpStream::connect(door.address).await.unwrap();
    let mut honest = TcpStream::connect(door.address).await.unwrap();
    honest.write_all(b"GET /hello HTTP/1.1\r\nhost: x\r\n\r\n").await.unwrap();
    let mut answer = vec![0; 1024];
    let read = tokio::time::timeout(SOON, honest.read(&mut answer)).await.unwrap().unwrap();
    assert!(String::from_utf8_lossy(&answer[..read]).ends_with("hello"));
    assert!(ends(&mut first, SOON).await, "the one that was idle for longest made room");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a4_an_http2_connection_without_streams_is_ended() {
    // The client answers every ping and asks for nothing.
    let door = door(false, limits()).await;
    let mut stream = TcpStream::connect(door.address).await.unwrap();
    stream.write_all(PREFACE).await.unwrap();
    // An acknowledgement of the settings, so that everything is in order.
    stream.write_all(b"\0\0\0\x04\x01\0\0\0\0").await.unwrap();
    assert!(ends(&mut stream, SOON).await);
}

/// Who writes all of a request before it reads is told, though it was answered before its end.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_that_comes_early_is_read_by_who_is_still_writing() {
    let door = door(false, limits()).await;
    let mut stream = TcpStream::connect(door.address).await.unwrap();
    let head = format!("POST /refused HTTP/1.1\r\nhost: x\r\ncontent-length: {HUGE}\r\n\r\n");
    stream.write_all(head.as_bytes()).await.unwrap();
    stream.write_all(&vec![b'x'; HUGE]).await.expect("it may write all of it");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    let answer = String::from_utf8_lossy(&answer);
    assert!(answer.starts_with("HTTP/1.1 200") && answer.ends_with("too large"), "{answer}");
    // Who never ends is not waited for.
    let mut stream = TcpStream::connect(door.address).await.unwrap();
    stream.write_all(head.as_bytes()).await.unwrap();
    assert!(ends(&mut stream, SOON).await);
    until_nobody(&door).await;
}

async fn until_nobody(door: &OpenDoor) {
    let begun = Instant::now();
    while door.connections().read().held > 0 {
        assert!(begun.elapsed() < SOON * 2, "a connection holds its place for ever");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
