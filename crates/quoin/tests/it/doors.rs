//! A door speaks TLS, plain HTTP, keeps its limits and ends in order; the client keeps its own.

use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use axum::Router;
use axum::response::Redirect;
use axum::routing::{get, post};
use bytes::Bytes;
use jiff::Timestamp;
use quoin_access_point::net::{
    AddressRefusal, CallError, Guard, HttpCall, HttpClient, HttpSettings, client_tls,
};
use quoin_access_point::tls::{Door, DoorLimits, OpenDoor, PeerAddress, Shutdown, server_tls};
use quoin_lab::lab::pki::LabPki;
use rustls::pki_types::CertificateDer;

const LIMIT: Duration = Duration::from_secs(10);

fn routes() -> Router {
    Router::new()
        .route("/hello", get(async || "hello"))
        .route("/big", get(async || "x".repeat(100_000)))
        .route("/echo", post(async |body: Bytes| body))
        .route("/moved", get(async || Redirect::temporary("/hello")))
        .route(
            "/peer",
            get(async |axum::Extension(peer): axum::Extension<PeerAddress>| {
                peer.0.ip().to_string()
            }),
        )
        .route(
            "/slow",
            get(async || {
                tokio::time::sleep(Duration::from_millis(400)).await;
                "late"
            }),
        )
}

async fn open(tls: bool, limits: DoorLimits, shutdown: &Shutdown) -> (OpenDoor, HttpSettings) {
    let pki = LabPki::generate("http://127.0.0.1:1", Timestamp::now()).unwrap();
    let leaf = pki.server(&["localhost", "127.0.0.1"]).unwrap();
    let tls =
        tls.then(|| server_tls(leaf.certificate_pem.as_bytes(), leaf.key_pem.as_bytes()).unwrap());
    let door = Door { name: "test", address: "127.0.0.1:0".parse().unwrap(), tls, limits };
    let open = door.open(routes(), shutdown.clone()).await.unwrap();
    let settings = HttpSettings {
        extra_roots: vec![CertificateDer::from(pki.tls.der().to_vec())],
        guard: Guard { any_address: true, ..Guard::default() },
        ..HttpSettings::default()
    };
    (open, settings)
}

async fn text(client: &HttpClient, url: &str) -> Result<String, CallError> {
    let answer = client.call(HttpCall::get(url, LIMIT, 1000)).await?;
    Ok(String::from_utf8(answer.body.to_vec()).unwrap())
}

#[tokio::test]
async fn tls_is_spoken_and_checked() {
    let shutdown = Shutdown::default();
    let (door, settings) = open(true, DoorLimits::default(), &shutdown).await;
    let by_name = format!("https://localhost:{}/peer", door.address.port());
    let client = HttpClient::new(&settings).unwrap();
    assert_eq!(text(&client, &format!("{}/hello", door.url())).await.unwrap(), "hello");
    assert_eq!(text(&client, &by_name).await.unwrap(), "127.0.0.1");
    // Others may speak HTTP/2 to a door.
    let mut tls = client_tls(&settings.extra_roots).unwrap();
    tls.alpn_protocols = vec![b"h2".to_vec()];
    let other = reqwest::Client::builder().tls_backend_preconfigured(tls).build().unwrap();
    let answer = other.get(&by_name).send().await.unwrap();
    assert_eq!(answer.version(), reqwest::Version::HTTP_2);
    assert_eq!(answer.text().await.unwrap(), "127.0.0.1");
    let stranger = HttpSettings { extra_roots: Vec::new(), ..settings };
    let client = HttpClient::new(&stranger).unwrap();
    let error = text(&client, &format!("{}/hello", door.url())).await.unwrap_err();
    assert!(matches!(error, CallError::Tls(_)), "{error:?}");
}

#[tokio::test]
async fn the_client_keeps_its_limits() {
    let shutdown = Shutdown::default();
    let (door, settings) = open(true, DoorLimits::default(), &shutdown).await;
    let client = HttpClient::new(&settings).unwrap();
    let url = |path: &str| format!("{}{path}", door.url());
    let error = text(&client, &url("/big")).await.unwrap_err();
    assert!(matches!(error, CallError::TooLarge(1000)), "{error:?}");
    let moved = client.call(HttpCall::get(&url("/moved"), LIMIT, 1000)).await.unwrap();
    assert_eq!(moved.status, 307, "redirects are not followed");
    let slow = url("/slow");
    let call = HttpCall::get(&slow, Duration::from_millis(100), 1000);
    assert!(matches!(client.call(call).await, Err(CallError::Timeout(_))));
    let body = Some(Bytes::from_static(b"abc"));
    let echo = url("/echo");
    let call =
        HttpCall { method: reqwest::Method::POST, body, ..HttpCall::get(&echo, LIMIT, 1000) };
    assert_eq!(client.call(call).await.unwrap().body, "abc");
    let nobody = "https://127.0.0.1:1/";
    assert!(matches!(text(&client, nobody).await, Err(CallError::Connect(_))));
}

#[tokio::test]
async fn private_addresses_are_refused_by_number_and_by_name() {
    let shutdown = Shutdown::default();
    let (door, settings) = open(true, DoorLimits::default(), &shutdown).await;
    let strict = HttpSettings { guard: Guard::default(), ..settings };
    let client = HttpClient::new(&strict).unwrap();
    for host in ["127.0.0.1", "localhost"] {
        let url = format!("https://{host}:{}/hello", door.address.port());
        let error = text(&client, &url).await.unwrap_err();
        let private = matches!(error, CallError::Refused(AddressRefusal::Private { .. }));
        assert!(private && !error.is_temporary(), "{host}: {error:?}");
    }
}

#[tokio::test]
async fn plain_http_needs_an_exception() {
    let shutdown = Shutdown::default();
    let (door, settings) = open(false, DoorLimits::default(), &shutdown).await;
    let url = format!("{}/hello", door.url());
    let client = HttpClient::new(&settings).unwrap();
    assert!(matches!(
        text(&client, &url).await,
        Err(CallError::Refused(AddressRefusal::Scheme(_)))
    ));
    let hosts_allowed = BTreeSet::from(["127.0.0.1".to_owned()]);
    let guard = Guard { hosts_allowed, ..Guard::default() };
    let client = HttpClient::new(&HttpSettings { guard, ..settings }).unwrap();
    assert_eq!(text(&client, &url).await.unwrap(), "hello");
}

#[tokio::test]
async fn requests_in_flight_are_answered_at_the_end() {
    let shutdown = Shutdown::default();
    let (door, settings) = open(true, DoorLimits::default(), &shutdown).await;
    let client = HttpClient::new(&settings).unwrap();
    let url = format!("{}/slow", door.url());
    let (slow, again) = (url.clone(), client.clone());
    let pending = tokio::spawn(async move { text(&again, &slow).await });
    tokio::time::sleep(Duration::from_millis(200)).await;
    shutdown.now();
    door.closed().await;
    assert_eq!(pending.await.unwrap().unwrap(), "late");
    assert!(text(&client, &url).await.is_err(), "closed for new ones");
}

#[tokio::test]
async fn a_head_that_does_not_come_is_not_waited_for() {
    let shutdown = Shutdown::default();
    let header_timeout = Duration::from_millis(200);
    let limits = DoorLimits { header_timeout, ..DoorLimits::default() };
    let (plain, _) = open(false, limits, &shutdown).await;
    let (tls, _) = open(true, limits, &shutdown).await;
    for address in [plain.address, tls.address] {
        let closed = tokio::task::spawn_blocking(move || {
            let mut stream = TcpStream::connect(address).unwrap();
            stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
            stream.write_all(b"GET / HT").unwrap();
            let mut rest = Vec::new();
            stream.read_to_end(&mut rest).is_ok()
        });
        assert!(closed.await.unwrap(), "the door closes the connection");
    }
}

/// What is answered before its body was read ends its connection, and says so: whoever would go on
/// with it takes another one. A body that was read keeps it.
#[tokio::test]
async fn an_answer_before_the_body_says_that_the_connection_ends() {
    let shutdown = Shutdown::default();
    let (door, _) = open(false, DoorLimits::default(), &shutdown).await;
    let address = door.address;
    let asked = move |path: &'static str, body: usize| {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(LIMIT)).unwrap();
        let head = format!("POST {path} HTTP/1.1\r\nhost: x\r\ncontent-length: {body}\r\n\r\n");
        stream.write_all(head.as_bytes()).unwrap();
        std::thread::sleep(Duration::from_millis(50));
        stream.write_all(&vec![b'x'; body]).unwrap();
        let mut answer = [0; 4096];
        let read = stream.read(&mut answer).unwrap();
        let answer = String::from_utf8_lossy(&answer[..read]).to_ascii_lowercase();
        (answer.contains("connection: close"), answer, stream)
    };
    let done = tokio::task::spawn_blocking(move || {
        for (path, body) in [("/nobody", 6_000), ("/nobody", 2_000_000), ("/hello", 6_000)] {
            let (ends, answer, mut stream) = asked(path, body);
            assert!(ends, "{path} {body}: {answer}");
            let mut rest = Vec::new();
            stream.read_to_end(&mut rest).unwrap();
        }
        let (ends, answer, mut stream) = asked("/echo", 60);
        assert!(!ends && answer.starts_with("http/1.1 200"), "{answer}");
        stream.write_all(b"GET /hello HTTP/1.1\r\nhost: x\r\n\r\n").unwrap();
        let mut again = [0; 4096];
        let read = stream.read(&mut again).unwrap();
        assert!(String::from_utf8_lossy(&again[..read]).ends_with("hello"));
        // Nothing comes of a request without a body that would have to be read.
        assert!(!asked("/nobody", 0).0);
    });
    done.await.unwrap();
}

/// A proxy and a service that each believe another `Host` would see two requests in one.
#[tokio::test]
async fn a_request_that_names_no_host_or_two_is_refused_and_told() {
    let shutdown = Shutdown::default();
    let (door, _) = open(false, DoorLimits::default(), &shutdown).await;
    let address = door.address;
    let asked = move |head: &str| {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(LIMIT)).unwrap();
        stream.write_all(format!("GET /hello {head}\r\n").as_bytes()).unwrap();
        let mut answer = [0; 4096];
        let read = stream.read(&mut answer).unwrap();
        String::from_utf8_lossy(&answer[..read]).into_owned()
    };
    let done = tokio::task::spawn_blocking(move || {
        let refused = [
            ("HTTP/1.1\r\n", "has none"),
            ("HTTP/1.1\r\nhost: a\r\nHost: b\r\n", "has 2"),
            ("HTTP/1.0\r\nhost: a\r\nHost: a\r\n", "has 2"),
            ("HTTP/1.1\r\nhost: a/b\r\n", "no host"),
        ];
        for (head, told) in refused {
            let answer = asked(head);
            let ends = answer.to_ascii_lowercase().contains("connection: close");
            assert!(
                answer.starts_with("HTTP/1.") && answer.contains(" 400 ") && ends,
                "{head}: {answer}"
            );
            assert!(answer.contains("one Host line") && answer.contains(told), "{head}: {answer}");
        }
        for head in ["HTTP/1.1\r\nhost: [::1]:8443\r\n", "HTTP/1.0\r\n"] {
            let answer = asked(head);
            assert!(answer.contains(" 200 ") && answer.ends_with("hello"), "{head}: {answer}");
        }
    });
    done.await.unwrap();
}

#[tokio::test]
async fn connections_over_the_limit_wait() {
    let shutdown = Shutdown::default();
    let limits = DoorLimits { connections: 1, ..DoorLimits::default() };
    let (door, settings) = open(true, limits, &shutdown).await;
    let holder = HttpClient::new(&settings).unwrap();
    let slow = format!("{}/slow", door.url());
    let held = tokio::spawn(async move { text(&holder, &slow).await });
    tokio::time::sleep(Duration::from_millis(150)).await;
    let client = HttpClient::new(&settings).unwrap();
    let url = format!("{}/hello", door.url());
    let hurried = HttpCall::get(&url, Duration::from_millis(100), 1000);
    assert!(client.call(hurried).await.is_err(), "the one place has a request under way");
    assert_eq!(held.await.unwrap().unwrap(), "late");
    let fresh = HttpClient::new(&settings).unwrap();
    assert_eq!(text(&fresh, &url).await.unwrap(), "hello", "the one that is idle made room");
}
