//! The lab's Directory: SMPs tell it by mutual TLS whose business card is new; it finds the SMP of
//! the participant through DNS, fetches card and service group there, and lets itself be searched.
//! It keeps trying for a while where the SMP does not answer, and answers the indexer call at once,
//! as the real one does (Peppol Directory 1.1.1).

mod search;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::routing::{get, put};
use quoin_peppol::identifiers::{DocumentTypeId, ParticipantId};
use quoin_peppol::lookup::base;
use quoin_peppol::sml::{SmpBase, UriPolicy, dns_name};
use quoin_peppol::smp::{self, BusinessCard};

use super::network::ZONE;
use quoin_access_point::net::{Dns, HttpCall, HttpClient, NaptrAnswer};

/// The largest answer of an SMP that is read, in bytes.
const LARGEST: usize = 1 << 20;
/// Time for one call.
const CALL_TIME: Duration = Duration::from_secs(10);
/// Waits between tries; after the last the entry is given up.
const WAITS: &[u64] = &[50, 100, 200, 400, 800, 1_600, 3_200, 6_400];

/// What the Directory knows of a participant.
#[derive(Debug, Clone)]
struct DirectoryEntry {
    card: BusinessCard,
    /// The card as it was fetched.
    bytes: Bytes,
    document_types: Vec<DocumentTypeId>,
}

/// The Directory. Cheap to clone; clones are the same.
#[derive(Clone)]
pub struct LabDirectory(Arc<DirectoryState>);

struct DirectoryState {
    entries: Mutex<BTreeMap<String, DirectoryEntry>>,
    dns: Dns,
    client: HttpClient,
}

impl LabDirectory {
    /// An empty Directory that asks these servers.
    pub fn new(dns: Dns, client: HttpClient) -> LabDirectory {
        LabDirectory(Arc::new(DirectoryState { entries: Mutex::default(), dns, client }))
    }

    /// The interface that SMPs call.
    pub fn indexer(&self) -> Router {
        Router::new()
            .route("/indexer/1.0/", put(announce))
            .route("/indexer/1.0/{participant}", get(is_known).delete(remove))
            .with_state(self.clone())
    }

    /// The interface that anybody may call.
    pub fn searching(&self) -> Router {
        search::routes(self.clone())
    }

    /// The business card that it has of a participant.
    pub fn card(&self, participant: &str) -> Option<Bytes> {
        self.entries().get(participant).map(|entry| entry.bytes.clone())
    }

    fn entries(&self) -> MutexGuard<'_, BTreeMap<String, DirectoryEntry>> {
        self.0.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn index(self, participant: ParticipantId) {
        for wait in WAITS {
            match self.fetch(&participant).await {
                Ok(entry) => {
                    self.entries().insert(participant.folded(), entry);
                    return;
                }
                Err(why) => tracing::debug!(%participant, why, "not indexed yet"),
            }
            tokio::time::sleep(Duration::from_millis(*wait)).await;
        }
        tracing::warn!(%participant, "the Directory gave up");
    }

    async fn fetch(&self, participant: &ParticipantId) -> Result<DirectoryEntry, String> {
        let smp = self.smp_of(participant).await?;
        let bytes = self.get(&smp::business_card_url(&smp, participant)).await?;
        let card = smp::read_business_card(&bytes).map_err(|error| error.to_string())?;
        if card.participant != *participant {
            return Err(format!("the card is of {}", card.participant));
        }
        let group = self.get(&smp::service_group_url(&smp, participant)).await?;
        let group = smp::read_service_group(&group, participant);
        let group = group.map_err(|error| error.to_string())?;
        let types = group.references.into_iter().filter_map(|reference| reference.document_type);
        Ok(DirectoryEntry { card, bytes, document_types: types.collect() })
    }

    async fn smp_of(&self, participant: &ParticipantId) -> Result<SmpBase, String> {
        let name = dns_name(participant, ZONE);
        self.0.dns.forget(&name);
        let policy = UriPolicy { tolerate_http: false, any_port: true };
        match self.0.dns.naptr(&name, CALL_TIME).await {
            NaptrAnswer::Records(records) => {
                base(&records, &name, policy).map_err(|error| error.to_string())
            }
            _ => Err(format!("{name} leads to no SMP")),
        }
    }

    async fn get(&self, url: &str) -> Result<Bytes, String> {
        let answer = self.0.client.call(HttpCall::get(url, CALL_TIME, LARGEST)).await;
        match answer {
            Ok(answer) if answer.status == 200 => Ok(answer.body),
            Ok(answer) => Err(format!("{url} answered {}", answer.status)),
            Err(error) => Err(error.to_string()),
        }
    }
}

async fn announce(State(directory): State<LabDirectory>, body: String) -> StatusCode {
    // Not encoded, with its scheme: so the interface has it.
    match body.strip_prefix("iso6523-actorid-upis::").map(str::parse::<ParticipantId>) {
        Some(Ok(participant)) => {
            tokio::spawn(directory.index(participant));
            StatusCode::NO_CONTENT
        }
        _ => StatusCode::BAD_REQUEST,
    }
}

async fn is_known(State(directory): State<LabDirectory>, Path(text): Path<String>) -> StatusCode {
    let known = text
        .parse::<ParticipantId>()
        .is_ok_and(|participant| directory.entries().contains_key(&participant.folded()));
    if known { StatusCode::NO_CONTENT } else { StatusCode::NOT_FOUND }
}

async fn remove(State(directory): State<LabDirectory>, Path(text): Path<String>) -> StatusCode {
    let Ok(participant) = text.parse::<ParticipantId>() else { return StatusCode::BAD_REQUEST };
    directory.entries().remove(&participant.folded());
    StatusCode::NO_CONTENT
}
