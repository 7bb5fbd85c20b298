//! nginx with mutual TLS as the server: files that are put into its folder, and what it refuses.

use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use quoin_lab::lab::network::RECEIVER;
use quoin_lab::lab::pki::{LabPki, LeafRole, LeafValidity};
use serde_json::{Value, json};

use super::{faults, is_delivered, put, send, upload, with_picture};
use crate::stage::{PATIENCE, Play, Stage, until};

const NGINX: &str = "/usr/sbin/nginx";

/// nginx on loopback, with authorities that nobody knows.
pub struct Nginx {
    pub port: u16,
    /// What a hook has to show and to believe.
    pub init: Value,
    folder: PathBuf,
    child: Child,
}

impl Nginx {
    /// Starts it; none, and the test counts as skipped, where it is not installed.
    pub fn start(folder: &Path) -> Option<Nginx> {
        if !Path::new(NGINX).exists() {
            quoin_testing::skipped("nginx");
            return None;
        }
        let folder = folder.join("nginx");
        std::fs::create_dir_all(folder.join("in")).unwrap();
        let pki = LabPki::generate("http://127.0.0.1:1", jiff::Timestamp::now()).unwrap();
        pki.server(&["127.0.0.1"]).unwrap().write(&folder, "server").unwrap();
        let clients = format!("{}{}", pki.ap.pem(), pki.root.pem());
        std::fs::write(folder.join("clients.pem"), clients).unwrap();
        let client = pki.leaf(LeafRole::AccessPoint, "POP000009", LeafValidity::Current).unwrap();
        let init = json!({ "method": "PUT", "serverAuthorities": pki.tls.pem(),
            "clientCertificate": client.certificate_pem, "clientKey": client.key_pem });
        let (port, child) = (0..5).find_map(|_| listening(&folder)).expect("an nginx that listens");
        Some(Nginx { port, init, folder, child })
    }

    pub fn inbox(&self) -> PathBuf {
        self.folder.join("in")
    }

    pub fn url(&self, path: &str) -> String {
        format!("https://127.0.0.1:{}{path}", self.port)
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// One at a port that was free a moment ago; none where somebody else took it.
fn listening(folder: &Path) -> Option<(u16, Child)> {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let at = folder.display();
    let temporary: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .iter()
        .map(|kind| format!("{kind}_temp_path {at}/{kind};\n"))
        .collect();
    let config = format!(
        "daemon off;\nmaster_process off;\npid {at}/pid;\nerror_log {at}/log;\n\
         events {{ worker_connections 256; }}\nhttp {{\naccess_log off;\n{temporary}\
         client_max_body_size 40m;\nserver {{\nlisten 127.0.0.1:{port} ssl;\n\
         ssl_certificate {at}/server.pem;\nssl_certificate_key {at}/server.key;\n\
         ssl_client_certificate {at}/clients.pem;\nssl_verify_client on;\nssl_verify_depth 2;\n\
         location /in/ {{ root {at}; dav_methods PUT; }}\n\
         location /busy/ {{ return 503; }}\nlocation /moved/ {{ return 301 /in/; }}\n}}\n}}\n"
    );
    std::fs::write(folder.join("nginx.conf"), config).unwrap();
    let mut child = Command::new(NGINX)
        .arg("-c")
        .arg(folder.join("nginx.conf"))
        .args(["-e", &folder.join("log").display().to_string()])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let begun = Instant::now();
    while begun.elapsed() < PATIENCE {
        if child.try_wait().unwrap().is_some() {
            println!("{}", std::fs::read_to_string(folder.join("log")).unwrap_or_default());
            return None;
        }
        if TcpStream::connect(("127.0.0.1", port)).is_ok() {
            return Some((port, child));
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let _ = child.kill();
    let _ = child.wait();
    None
}

async fn play() -> Option<(Play, Nginx)> {
    let stage = Stage::set().await;
    let nginx = Nginx::start(stage.folder.path())?;
    let play = stage.play_with(|one, _| one.retry.delivery_seconds = vec![0.2; 150]).await;
    Some((play, nginx))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_is_put_into_the_folder_of_an_nginx_that_knows_us() {
    let Some((play, nginx)) = play().await else { return };
    let sender = play.sender().await;
    put(&sender, &nginx.url("/in/"), &["Send*"], &nginx.init).await;
    let (id, document) = send(&play, 10, "?channel=posts").await;
    let report = is_delivered(&play, &id).await;
    assert_eq!((&report["status"], &report["method"]), (&json!(201), &json!("PUT")));
    assert!(report["headers"]["server"].as_str().unwrap().starts_with("nginx"), "{report}");
    let file = nginx.inbox().join(format!("{id}.xml"));
    assert_eq!(std::fs::read_to_string(file).unwrap(), document);
    // A large one, which nginx writes into a file of its own first.
    let (id, document) = upload(&play, with_picture(15 << 20), "?channel=posts").await;
    is_delivered(&play, &id).await;
    let file = nginx.inbox().join(format!("{id}.xml"));
    assert_eq!(std::fs::read_to_string(file).unwrap(), document);
    let found = sender.get(&format!("/api/v1/queryRecipientParty?identifier={RECEIVER}")).await;
    assert_eq!(found.json["alternatives"], json!(["posts"]), "{}", found.json);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_nginx_that_does_not_know_us_gets_nothing_and_one_that_says_no_is_heard() {
    let Some((play, nginx)) = play().await else { return };
    let sender = play.sender().await;
    let without = json!({ "method": "PUT", "serverAuthorities": nginx.init["serverAuthorities"] });
    put(&sender, &nginx.url("/in/"), &["Send*"], &without).await;
    let (waiting, _) = send(&play, 2, "?channel=posts").await;
    // It answers 400: No required SSL certificate was sent. That can be put right meanwhile.
    let unknown = async || faults(&play, &waiting).await.into_iter().next();
    let (code, fault) = until("an attempt", unknown).await;
    assert_eq!(code, "https-tls");
    assert!(fault.contains("SSL certificate"), "{fault}");
    put(&sender, &nginx.url("/busy/"), &["Send*"], &nginx.init).await;
    let (id, document) = send(&play, 2, "?channel=posts").await;
    let busy = async || faults(&play, &id).await.into_iter().next();
    let (code, fault) = until("an attempt", busy).await;
    assert_eq!(code, "https-unavailable");
    assert!(fault.contains("answered 503"), "{fault}");
    put(&sender, &nginx.url("/in/"), &["Send*"], &nginx.init).await;
    is_delivered(&play, &id).await;
    is_delivered(&play, &waiting).await;
    let file = nginx.inbox().join(format!("{id}.xml"));
    assert_eq!(std::fs::read_to_string(file).unwrap(), document);
    put(&sender, &nginx.url("/moved/"), &["Send*"], &nginx.init).await;
    let (id, _) = send(&play, 2, "?channel=posts").await;
    let told = play.ending(&id).await;
    assert!(told.text("message").contains("redirects are not followed"), "{told:#?}");
}
