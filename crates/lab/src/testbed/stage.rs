//! The other side of the network, played by the testbed: a name server, an SMP and an access point,
//! with one participant for each case.

mod access_point;
mod conformance;
mod enveloped;
pub mod fault;
pub mod names;
mod publisher;
pub mod slot;

use std::sync::Arc;

use axum::Router;
use axum::body::to_bytes;
use axum::extract::{Request, State};
use axum::http::{Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use quoin_peppol::as4::OwnIdentity;
use quoin_peppol::identifiers::ParticipantId;
use quoin_peppol::sml::{UriPolicy, dns_name};

use self::fault::{AnswerFault, SimulatedFault, SmpFault};
use self::names::SimulatedZone;
use self::slot::SimulatedParticipant;
use super::bench::Bench;
use super::case::{CaseMethod, TestCase};
use super::setup::Counterpart;
use super::submission::{self, TestDocument};
use super::test_identities::{TLS, TLS_FOREIGN, TestIdentities};
use crate::lab::name_server::NameServer;
use quoin_access_point::tls::{Door, DoorLimits, OpenDoor, Shutdown, server_tls_from_files};
use quoin_access_point::trust::TrustService;

/// Bytes of a message at most.
const MESSAGE_BYTES: usize = 120 << 20;
/// The participant that collects reports.
const COLLECTOR: &str = "9925:be0848934496";
/// The case under whose id the testbed takes what is told about its own messages (MLS).
pub const STATUS: &str = "H-12b";
/// The document type of that.
const STATUS_TYPE: &str = "busdox-docid-qns::urn:oasis:names:specification:ubl:schema:xsd:\
    ApplicationResponse-2::ApplicationResponse##urn:peppol:edec:mls:1.0::2.1";
/// Its process.
const STATUS_PROCESS: &str = "cenbii-procid-ubl::urn:peppol:edec:mls";

/// The other side of the network.
pub struct SimulatedNetwork {
    slots: Vec<(&'static str, Arc<SimulatedParticipant>)>,
    /// The running name server.
    pub names: NameServer,
    shutdown: Shutdown,
    _doors: Vec<OpenDoor>,
}

/// The name server of a stage before its participants are known, so that the access point under
/// test can be pointed at it first.
pub struct PreparedNetwork {
    /// What the name server answers from.
    pub zone: SimulatedZone,
    /// The running name server.
    pub names: NameServer,
}

impl PreparedNetwork {
    /// Opens the name server.
    ///
    /// # Errors
    /// It cannot be opened, in a sentence.
    pub async fn begin(counterpart: &Counterpart) -> Result<PreparedNetwork, String> {
        let zone = SimulatedZone::new(&counterpart.zone)?;
        let names = zone.open(counterpart.dns_listen).await.map_err(|error| {
            format!("the name server at {} cannot be opened: {error}", counterpart.dns_listen)
        })?;
        Ok(PreparedNetwork { zone, names })
    }

    /// Points a participant to an SMP.
    ///
    /// # Errors
    /// It is no participant.
    pub fn register(&self, zone: &str, participant: &str, smp: &str) -> Result<(), String> {
        let id: ParticipantId = participant.parse().map_err(|e| format!("{participant}: {e}"))?;
        self.zone.point(&dns_name(&id, zone), smp, None)
    }
}

/// Where the parts of a stage are.
#[derive(Debug, Clone)]
struct SimulatedAddresses {
    /// The door that is believed.
    base: String,
    /// The door that nobody believes.
    distrusted: String,
}

impl SimulatedAddresses {
    fn smp(&self, slot: &SimulatedParticipant) -> String {
        let base = match slot.fault {
            SimulatedFault::Smp(SmpFault::UntrustedTls) => &self.distrusted,
            _ => &self.base,
        };
        format!("{base}/smp/{}", slot.key)
    }

    fn as4(&self, slot: &SimulatedParticipant) -> String {
        let base = match slot.fault {
            SimulatedFault::Answer(AnswerFault::UntrustedTls) => &self.distrusted,
            _ => &self.base,
        };
        format!("{base}/as4/{}", slot.key)
    }
}

/// What the doors answer from.
struct Doors {
    slots: Vec<Arc<SimulatedParticipant>>,
    addresses: SimulatedAddresses,
    wardrobe: TestIdentities,
    own: OwnIdentity,
    trust: Arc<TrustService>,
    uris: UriPolicy,
}

impl SimulatedNetwork {
    /// Opens the SMP and the access point, and registers a participant for each case.
    ///
    /// # Errors
    /// What keeps it from opening, in a sentence.
    pub async fn open(bench: &Bench, opening: PreparedNetwork) -> Result<SimulatedNetwork, String> {
        let counterpart = &bench.setup.counterpart;
        let shutdown = Shutdown::default();
        let slots = slots(bench)?;
        let state = Arc::new(std::sync::OnceLock::<Doors>::new());
        let routes = Router::new().fallback(answer).with_state(state.clone());
        let mut doors = Vec::new();
        for (name, at) in [(TLS, counterpart.listen), (TLS_FOREIGN, other_port(counterpart))] {
            let (certificate, key) = bench.wardrobe.files(name);
            let tls = server_tls_from_files(&certificate, &key);
            let tls = Some(tls.map_err(|error| error.to_string())?);
            let limits = DoorLimits::default();
            let door = Door { name: "testbed", address: at, tls, limits };
            let open = door.open(routes.clone(), shutdown.clone()).await;
            doors.push(open.map_err(|error| error.to_string())?);
        }
        let mut urls = doors.iter().map(OpenDoor::url);
        let base = counterpart.public_url.clone().or(urls.next()).unwrap_or_default();
        let distrusted = doors.last().map(OpenDoor::url).unwrap_or_default();
        let addresses =
            SimulatedAddresses { base: base.trim_end_matches('/').to_owned(), distrusted };
        for (_, slot) in &slots {
            let name = dns_name(&slot.participant, &counterpart.zone);
            opening.zone.point(&name, &addresses.smp(slot), Some(slot.clone()))?;
        }
        // Nobody else holds the cell, so it is empty.
        let _ = state.set(Doors {
            slots: slots.iter().map(|(_, slot)| slot.clone()).collect(),
            addresses,
            wardrobe: bench.wardrobe.clone(),
            own: bench.forge.own.clone(),
            trust: bench.trust.clone(),
            uris: UriPolicy { tolerate_http: false, any_port: bench.setup.network.private },
        });
        Ok(SimulatedNetwork { slots, names: opening.names, shutdown, _doors: doors })
    }

    /// The participant of a case.
    pub fn slot(&self, case: &str) -> Option<Arc<SimulatedParticipant>> {
        self.slots.iter().find(|(id, _)| *id == case).map(|(_, slot)| slot.clone())
    }

    /// Closes the doors.
    pub fn close(&self) {
        self.shutdown.now();
    }
}

/// The door that nobody believes is opened at the same address, at a port of its own.
fn other_port(counterpart: &Counterpart) -> std::net::SocketAddr {
    std::net::SocketAddr::new(counterpart.listen.ip(), 0)
}

fn slots(bench: &Bench) -> Result<Vec<(&'static str, Arc<SimulatedParticipant>)>, String> {
    let played = submission::numbered().filter_map(|(number, case)| match &case.run {
        CaseMethod::Send(scenario) => Some(slot(bench, number, case, scenario)),
        _ => None,
    });
    played.chain([status_slot(bench)]).collect()
}

/// The testbed as a provider: what it is told about the messages that it sent.
fn status_slot(bench: &Bench) -> Result<(&'static str, Arc<SimulatedParticipant>), String> {
    let slot = SimulatedParticipant {
        key: STATUS.to_ascii_lowercase(),
        participant: bench.forge.provider().map_err(|error| error.0)?,
        full_type: STATUS_TYPE.parse().map_err(|error| format!("{STATUS}: {error}"))?,
        document_type: STATUS_TYPE.parse().map_err(|error| format!("{STATUS}: {error}"))?,
        process: STATUS_PROCESS.parse().map_err(|error| format!("{STATUS}: {error}"))?,
        fault: SimulatedFault::None,
        unable: None,
        seen: std::sync::Mutex::default(),
    };
    Ok((STATUS, Arc::new(slot)))
}

fn slot(
    bench: &Bench,
    number: usize,
    case: &'static TestCase,
    scenario: &submission::Scenario,
) -> Result<(&'static str, Arc<SimulatedParticipant>), String> {
    let text = |error: &dyn std::fmt::Display| format!("case {}: {error}", case.id);
    let participant = match scenario.document {
        TestDocument::Report => COLLECTOR.to_owned(),
        _ => bench.setup.counterpart.participant(number),
    };
    let (kind, process) = scenario.document.registration();
    let missing = scenario.fault.needs().iter().find_map(|dress| {
        let error = bench.wardrobe.credentials(*dress).err()?;
        Some(error.to_string())
    });
    let slot = SimulatedParticipant {
        key: case.id.to_ascii_lowercase(),
        participant: participant.parse().map_err(|error| text(&error))?,
        full_type: scenario.document.full_type().parse().map_err(|error| text(&error))?,
        document_type: kind.parse().map_err(|error| text(&error))?,
        process: process.parse().map_err(|error| text(&error))?,
        fault: scenario.fault,
        unable: missing,
        seen: std::sync::Mutex::default(),
    };
    Ok((case.id, Arc::new(slot)))
}

async fn answer(
    State(state): State<Arc<std::sync::OnceLock<Doors>>>,
    request: Request,
) -> Response {
    let Some(doors) = state.get() else { return StatusCode::SERVICE_UNAVAILABLE.into_response() };
    let path = request.uri().path().to_owned();
    let below = |kind: &str| {
        let rest = path.strip_prefix(kind)?;
        let (key, rest) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        let slot = doors.slots.iter().find(|slot| slot.key == key)?;
        Some((slot.clone(), rest.to_owned()))
    };
    if let Some((slot, rest)) = below("/smp/") {
        return publisher::answer(doors, &slot, &rest).await;
    }
    let Some((slot, _)) = below("/as4/") else { return StatusCode::NOT_FOUND.into_response() };
    if request.method() != Method::POST {
        return "This is the access point of a testbed. Messages are taken by POST.\n"
            .into_response();
    }
    let kind = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let kind = kind.unwrap_or_default().to_owned();
    match to_bytes(request.into_body(), MESSAGE_BYTES).await {
        Ok(body) => access_point::take(doors, &slot, &kind, &body).await,
        Err(error) => (StatusCode::PAYLOAD_TOO_LARGE, error.to_string()).into_response(),
    }
}
