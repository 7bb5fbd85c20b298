//! A web server over TLS.

use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

use futures::future::{BoxFuture, FutureExt};
use quoin_access_point::tls::server_tls;
use quoin_lab::lab::pki::LabPki;
use serde_json::{Value, json};

use super::counterpart::{Counterpart, CounterpartRow, Mood, TakenDocument};
use super::repeated;
use crate::guide::walk;
use crate::https::server::{DocumentServer, ServerAct};
use crate::sftp::server::{Cable, CableAct};
use crate::stage::Stage;

const FIRST: &str = "first-token-of-the-suite";
const SECOND: &str = "second-token-of-the-suite";
const AGAIN: &str = "said+again/of=the&suite";

/// A web server that lets in who has a token, and one that nobody believes.
pub struct WebCounterpart {
    server: DocumentServer,
    stranger: DocumentServer,
    token: Mutex<&'static str>,
    before: Mutex<usize>,
}

impl WebCounterpart {
    fn hook(&self, port: u16) -> Value {
        let token = *self.token.lock().unwrap();
        json!({ "action": self.server.at(port, "/in"), "init": { "bearerToken": token } })
    }

    fn rotate(&self, token: &'static str) {
        *self.token.lock().unwrap() = token;
        self.server.opens_to(&format!("Bearer {token}"));
    }
}

impl Counterpart for WebCounterpart {
    fn start(stage: &Stage) -> BoxFuture<'_, Option<WebCounterpart>> {
        async {
            let other = LabPki::generate("http://127.0.0.1:1", stage.clock.now()).unwrap();
            let open = async |pki: &LabPki| {
                let leaf = pki.server(&["127.0.0.1"]).unwrap();
                let (certificate, key) = (leaf.certificate_pem, leaf.key_pem);
                DocumentServer::open(server_tls(certificate.as_bytes(), key.as_bytes()).unwrap())
                    .await
            };
            let server = open(&stage.around.pki).await;
            let stranger = open(&other).await;
            let made = WebCounterpart {
                server,
                stranger,
                token: Mutex::new(FIRST),
                before: Mutex::new(0),
            };
            made.rotate(FIRST);
            Some(made)
        }
        .boxed()
    }

    fn row(&self) -> CounterpartRow {
        CounterpartRow {
            report: "https",
            unavailable: "https-unavailable",
            refused: "https-refused",
            stranger: "https-tls",
            picture: 15 << 20,
            keeps_connections: true,
            lines: 300,
        }
    }

    fn meets(&self, mood: Mood) -> BoxFuture<'_, Result<Value, &'static str>> {
        async move {
            *self.before.lock().unwrap() = self.server.connections();
            self.server.always(match mood {
                Mood::Refuses => Some(ServerAct::Answer(422, "", "no")),
                Mood::Repeats => Some(ServerAct::Answer(422, "", repeated::said_again(&[AGAIN]))),
                Mood::Later => Some(ServerAct::Answer(503, "", "later")),
                Mood::Full => Some(ServerAct::Answer(507, "", "full")),
                Mood::Slow => Some(ServerAct::Slow(Duration::from_millis(600))),
                Mood::Late => Some(ServerAct::Slow(Duration::from_secs(20))),
                _ => None,
            });
            let port = match mood {
                Mood::CutsBefore => {
                    Cable::lay(self.server.port, &[CableAct::Cut(60_000); 200]).await.port
                }
                Mood::Silent => Cable::lay(self.server.port, &[CableAct::Silent; 200]).await.port,
                Mood::Stranger => self.stranger.port,
                _ => self.server.port,
            };
            match mood {
                Mood::CutsAfter => self.server.will(&[ServerAct::Close]),
                Mood::Rotated => self.rotate(SECOND),
                Mood::Repeats => self.rotate(AGAIN),
                _ => {}
            }
            Ok(self.hook(port))
        }
        .boxed()
    }

    fn documents(&self) -> Vec<TakenDocument> {
        let taken = |got: crate::https::server::GotRequest| TakenDocument {
            key: got.header("idempotency-key").to_owned(),
            content: got.body,
        };
        assert!(self.stranger.got().is_empty(), "a stranger has a document");
        self.server.kept().into_iter().map(taken).collect()
    }

    fn connections(&self) -> usize {
        self.server.connections() - *self.before.lock().unwrap()
    }

    fn secrets(&self) -> Vec<String> {
        vec![FIRST.to_owned(), SECOND.to_owned(), AGAIN.to_owned()]
    }
}

#[test]
fn the_commands_about_https_do_what_the_page_says() {
    let needed = ["/usr/sbin/nginx", "/usr/bin/openssl"];
    match needed.iter().all(|tool| Path::new(tool).exists()) {
        true => walk("https", 5),
        false => quoin_testing::skipped("nginx and openssl"),
    }
}
