//! What answers could be at best: the same bytes from memory and from nginx, and RSA alone.

use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Instant;

use axum::Router;
use axum::routing::get;
use bytes::Bytes;
use quoin_access_point::config::Config;
use quoin_access_point::net::HttpClient;
use quoin_access_point::tls::{Door, DoorLimits, OpenDoor, Shutdown, server_tls};
use quoin_lab::lab::network::Surroundings;
use quoin_xmldsig::keys::{PrivateKey, Signer};

use super::{CALLERS, HOT, KEPT_CALLS, Timed, timed};

const NGINX: &str = "/usr/sbin/nginx";

/// A door with the same TLS and the same client that serves one answer from memory.
pub async fn from_memory(
    around: &Surroundings,
    http: &HttpClient,
    hot: &[String],
    body: Bytes,
) -> Timed {
    let serve = move || {
        let body: Bytes = body.clone();
        async move { ([("content-type", "text/xml; charset=utf-8")], body) }
    };
    let leaf = around.pki.server(&["127.0.0.1", "localhost"]).expect("a certificate");
    let tls = server_tls(leaf.certificate_pem.as_bytes(), leaf.key_pem.as_bytes()).expect("TLS");
    let address = std::net::SocketAddr::from((std::net::Ipv4Addr::LOCALHOST, 0));
    let door = Door { name: "floor", address, tls: Some(tls), limits: DoorLimits::default() };
    let shutdown = Shutdown::default();
    let routes = Router::new().fallback(get(serve));
    let open: OpenDoor = door.open(routes, shutdown.clone()).await.expect("a door");
    let base = open.url();
    timed(http, hot, &base, HOT * 2, CALLERS).await;
    let found = timed(http, hot, &base, KEPT_CALLS, CALLERS).await;
    shutdown.now();
    open.closed().await;
    found
}

/// nginx with the same TLS and the same client, on all cores, that serves one answer from a file;
/// none where it is not installed.
pub async fn nginx(
    around: &Surroundings,
    http: &HttpClient,
    hot: &[String],
    folder: &Path,
    body: &[u8],
) -> Option<Timed> {
    if !Path::new(NGINX).exists() {
        return None;
    }
    let folder = folder.join("nginx");
    let leaf = around.pki.server(&["127.0.0.1", "localhost"]).expect("a certificate");
    std::fs::create_dir_all(&folder).expect("a folder");
    leaf.write(&folder, "server").expect("a certificate");
    std::fs::write(folder.join("answer.xml"), body).expect("an answer");
    let free = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = free.local_addr().expect("a port").port();
    drop(free);
    std::fs::write(folder.join("nginx.conf"), configuration(&folder, port)).expect("written");
    let program = |more: &[&str]| {
        let mut command = Command::new(NGINX);
        command.arg("-c").arg(folder.join("nginx.conf")).arg("-e").arg(folder.join("log"));
        command.args(more).spawn().expect("nginx")
    };
    let mut child = program(&[]);
    let begun = Instant::now();
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        assert!(begun.elapsed().as_secs() < 10, "nginx did not listen within 10 s");
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    let base = format!("https://127.0.0.1:{port}");
    timed(http, hot, &base, HOT * 2, CALLERS).await;
    let found = timed(http, hot, &base, KEPT_CALLS, CALLERS).await;
    program(&["-s", "stop"]).wait().expect("it was told to end");
    child.wait().expect("it ended");
    Some(found)
}

/// As many workers as cores, files kept open, connections kept for ever: nginx at its best.
fn configuration(folder: &Path, port: u16) -> String {
    let at = folder.display();
    let temporary: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .iter()
        .map(|kind| format!("{kind}_temp_path {at}/{kind};\n"))
        .collect();
    format!(
        "daemon off;\nworker_processes auto;\npid {at}/pid;\nerror_log {at}/log;\n\
         events {{ worker_connections 256; }}\nhttp {{\naccess_log off;\n{temporary}\
         keepalive_requests 1000000;\nopen_file_cache max=10;\nsendfile on;\n\
         server {{\nlisten 127.0.0.1:{port} ssl;\nssl_protocols TLSv1.3;\n\
         ssl_certificate {at}/server.pem;\nssl_certificate_key {at}/server.key;\n\
         location / {{ root {at}; default_type text/xml; try_files /answer.xml =404; }}\n\
         }}\n}}\n"
    )
}

/// Signatures a second with the SMP's key, on all cores at once.
pub fn signatures(config: &Config) -> f64 {
    const EACH: usize = 1_000;
    let file = config.smp.key_file.clone().expect("a key");
    let pem = std::fs::read_to_string(file).expect("a key");
    let text: String = pem.lines().filter(|line| !line.starts_with("-----")).collect();
    let der = data_encoding::BASE64.decode(text.as_bytes()).expect("a key");
    let key = Arc::new(PrivateKey::from_pkcs8(&der).expect("a key"));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let begun = Instant::now();
    let threads: Vec<_> = (0..cores)
        .map(|_| {
            let key = key.clone();
            std::thread::spawn(move || {
                for _ in 0..EACH {
                    std::hint::black_box(key.sign_rsa_sha256(b"what is signed").expect("signed"));
                }
            })
        })
        .collect();
    threads.into_iter().for_each(|thread| thread.join().expect("a thread"));
    (EACH * cores) as f64 / begun.elapsed().as_secs_f64()
}
