//! The other networks: procurement networks, that of DICO and the collaboration platform, each at
//! its door in the lab behind a cable of its own.

use std::marker::PhantomData;
use std::sync::Mutex;
use std::time::Duration;

use futures::future::{BoxFuture, FutureExt};
use quoin_access_point::tls::server_tls;
use quoin_formats::samples::{SampleKind, document};
use quoin_lab::lab::network::{RECEIVER, SENDER};
use quoin_lab::lab::partner::{PartnerAct, PartnerNetworks, PartnerPost};
use quoin_lab::lab::pki::LabPki;
use serde_json::{Value, json};

use super::counterpart::{Counterpart, CounterpartRow, Mood, TakenDocument};
use super::repeated;
use crate::guide::walk;
use crate::https::server::{DocumentServer, ServerAct};
use crate::https::with_picture;
use crate::networks::with_numbers;
use crate::sftp::server::{Cable, CableAct};
use crate::stage::Stage;

const SECOND: &str = "second-secret-of-the-suite";
const AGAIN: &str = "said+again/of=the&suite";

/// What differs between the networks.
pub trait NetworkKind: Send + Sync + 'static {
    /// The action up to the secret, at `127.0.0.1` and a port.
    fn action(port: u16) -> String;

    /// What the hook has beside its action.
    fn init() -> Value {
        json!({})
    }

    /// What the upload says besides the channel.
    const QUERY: &str = "";

    /// Whether documents arrive as they were uploaded.
    const AS_IT_IS: bool = false;

    /// Bytes of a line of an invoice, where the network takes no files beside it.
    const LINE: Option<usize> = None;
}

/// Procurement network 1.
pub struct Cxml;

impl NetworkKind for Cxml {
    fn action(port: u16) -> String {
        format!("cxml://127.0.0.1:{port}/cxml?from=NetworkID:AN-S&to=NetworkID:AN-B")
    }
}

/// Procurement network 2.
pub struct Accounts;

impl NetworkKind for Accounts {
    fn action(port: u16) -> String {
        format!("tradingnetwork://127.0.0.1:{port}/cxml")
    }

    fn init() -> Value {
        let pair = json!({
            "supplier": SENDER, "supplierAccount": "AN01", "buyer": RECEIVER, "buyerAccount": "AN02",
        });
        json!({ "relationships": [pair] })
    }
}

/// The DICO network.
pub struct Dico;

impl NetworkKind for Dico {
    fn action(port: u16) -> String {
        format!("dico://127.0.0.1:{port}/dico?applicationId=quoin-lab")
    }

    const QUERY: &str = "&allowLosses=BT-10,BT-28,BT-45,BT-160,BT-161";
    const LINE: Option<usize> = Some(1_000);
}

/// The collaboration platform.
pub struct Platform;

impl NetworkKind for Platform {
    fn action(port: u16) -> String {
        format!("collaboration://127.0.0.1:{port}/collaboration?from=-0003:XC1")
    }

    const QUERY: &str = "&sendInstruction=Peppol";
    const AS_IT_IS: bool = true;
}

pub type CxmlCounterpart = PartnerCounterpart<Cxml>;
pub type AccountsCounterpart = PartnerCounterpart<Accounts>;
pub type DicoCounterpart = PartnerCounterpart<Dico>;
pub type PlatformCounterpart = PartnerCounterpart<Platform>;

/// A network that believes a secret, and a door that nobody believes.
pub struct PartnerCounterpart<K> {
    networks: PartnerNetworks,
    port: u16,
    stranger: DocumentServer,
    /// A door that is believed, and says again what it is shown.
    repeats: DocumentServer,
    secrets: Mutex<Vec<String>>,
    cable: Mutex<Option<Cable>>,
    kind: PhantomData<K>,
}

impl<K: NetworkKind> Counterpart for PartnerCounterpart<K> {
    fn start(stage: &Stage) -> BoxFuture<'_, Option<PartnerCounterpart<K>>> {
        async {
            let around = &stage.around;
            let other = LabPki::generate("http://127.0.0.1:1", stage.clock.now()).unwrap();
            let leaf = other.server(&["127.0.0.1"]).unwrap();
            let tls = server_tls(leaf.certificate_pem.as_bytes(), leaf.key_pem.as_bytes());
            let (_, port) = around.partner_host.rsplit_once(':').unwrap();
            Some(PartnerCounterpart {
                networks: around.partner.clone(),
                port: port.parse().unwrap(),
                stranger: DocumentServer::open(tls.unwrap()).await,
                repeats: DocumentServer::beside(stage).await,
                secrets: Mutex::new(vec![around.partner_secret.clone()]),
                cable: Mutex::default(),
                kind: PhantomData,
            })
        }
        .boxed()
    }

    fn row(&self) -> CounterpartRow {
        CounterpartRow {
            report: "partner",
            unavailable: "partner-unavailable",
            refused: "partner-refused",
            stranger: "partner-tls",
            // Lines cost more than a picture does, most of all the page of them in the dossier.
            picture: if K::LINE.is_some() { 600 << 10 } else { 15 << 20 },
            keeps_connections: true,
            lines: 300,
        }
    }

    fn meets(&self, mood: Mood) -> BoxFuture<'_, Result<Value, &'static str>> {
        async move {
            self.networks.always(match mood {
                Mood::Refuses => Some(PartnerAct::Status(422, "no")),
                Mood::Later => Some(PartnerAct::Http(503)),
                Mood::Full => Some(PartnerAct::Http(507)),
                Mood::Slow => Some(PartnerAct::Late(Duration::from_millis(600))),
                Mood::Late => Some(PartnerAct::Late(Duration::from_secs(20))),
                _ => None,
            });
            let acts = match mood {
                Mood::Silent => vec![CableAct::Silent; 200],
                Mood::CutsBefore => vec![CableAct::Cut(20_000); 200],
                _ => Vec::new(),
            };
            match mood {
                Mood::CutsAfter => self.networks.plan(&[PartnerAct::Lost]),
                Mood::Rotated => {
                    self.networks.believe(SECOND);
                    self.secrets.lock().unwrap().push(SECOND.to_owned());
                }
                Mood::Repeats => {
                    let said = repeated::said_again(&[AGAIN]);
                    self.repeats.always(Some(ServerAct::Answer(422, "", said)));
                    self.secrets.lock().unwrap().push(AGAIN.to_owned());
                }
                _ => {}
            }
            let to = match mood {
                Mood::Stranger => self.stranger.port,
                Mood::Repeats => self.repeats.port,
                _ => self.port,
            };
            let cable = Cable::lay(to, &acts).await;
            let action = K::action(cable.port);
            *self.cable.lock().unwrap() = Some(cable);
            let secret = self.secrets.lock().unwrap().last().cloned().unwrap_or_default();
            Ok(json!({ "action": format!("{action}#{secret}"), "init": K::init() }))
        }
        .boxed()
    }

    fn sample(&self, lines: usize) -> String {
        with_numbers(&document(SampleKind::Invoice, SENDER, RECEIVER, "SUITE-1", lines))
    }

    fn large(&self, picture: usize) -> String {
        match K::LINE {
            Some(bytes) => self.sample(picture / 3 * 4 / bytes),
            None => with_numbers(&with_picture(picture)),
        }
    }

    fn query(&self) -> &'static str {
        K::QUERY
    }

    /// Of what was converted, the number and about as many bytes.
    fn is_the_document(&self, came: &[u8], uploaded: &str) -> bool {
        if K::AS_IT_IS {
            return came == uploaded.as_bytes();
        }
        let number = uploaded.split("<cbc:ID>").nth(1).and_then(|rest| rest.split('<').next());
        let text = String::from_utf8_lossy(came);
        number.is_some_and(|number| text.contains(number)) && came.len() > uploaded.len() / 4
    }

    fn documents(&self) -> Vec<TakenDocument> {
        assert!(self.stranger.got().is_empty(), "a stranger has a document");
        let taken = |post: PartnerPost| TakenDocument { key: post.id, content: post.body.to_vec() };
        self.networks.taken().into_iter().map(taken).collect()
    }

    fn arrivals(&self) -> Vec<TakenDocument> {
        let taken = |post: PartnerPost| TakenDocument { key: post.id, content: post.body.to_vec() };
        self.networks.posts().into_iter().filter(|post| post.taken).map(taken).collect()
    }

    fn has_a_form(&self) -> bool {
        !K::AS_IT_IS
    }

    fn connections(&self) -> usize {
        self.cable.lock().unwrap().as_ref().map_or(0, Cable::connections)
    }

    fn secrets(&self) -> Vec<String> {
        self.secrets.lock().unwrap().clone()
    }
}

#[test]
fn the_commands_about_cxml_do_what_the_page_says() {
    walk("cxml", 4);
}

#[test]
fn the_commands_about_dico_do_what_the_page_says() {
    walk("dico", 3);
}

#[test]
fn the_commands_about_the_collaboration_platform_do_what_the_page_says() {
    walk("collaboration", 4);
}
