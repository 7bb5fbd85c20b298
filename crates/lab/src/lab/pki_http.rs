//! The addresses that the lab's certificates point to: revocation lists, OCSP responders and the
//! certificates of the CAs, over plain HTTP as in the real network.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};

use quoin_access_point::clock::Clock;

use super::pki::{Authority, LabPki, PkiError};

/// What the routes answer from. The port has to be known before the certificates can be made, so
/// the PKI is put in afterwards.
#[derive(Debug, Clone, Default)]
pub struct PkiDoor {
    pki: Arc<std::sync::OnceLock<Arc<LabPki>>>,
    hangs: Arc<AtomicBool>,
    repeats: Arc<AtomicBool>,
    given: Arc<Mutex<BTreeMap<Vec<u8>, Vec<u8>>>>,
    asked: Arc<Mutex<BTreeMap<String, usize>>>,
    clock: Clock,
}

/// How long an answer takes while the door hangs: longer than anybody waits.
const HANGING: Duration = Duration::from_secs(20);

impl PkiDoor {
    /// A door without a PKI: it answers 404 until [`PkiDoor::serve`].
    pub fn new(clock: Clock) -> PkiDoor {
        PkiDoor { clock, ..PkiDoor::default() }
    }

    /// Puts the PKI in; a second one is ignored.
    pub fn serve(&self, pki: Arc<LabPki>) {
        let _ = self.pki.set(pki);
    }

    /// Lets every request hang from now on, or answers again: an outage of the authorities.
    pub fn hang(&self, hangs: bool) {
        self.hangs.store(hangs, Ordering::Relaxed);
    }

    /// Gives the first OCSP answer about each certificate once more from now on: a node that lags
    /// behind its authority.
    pub fn repeat(&self, repeats: bool) {
        self.repeats.store(repeats, Ordering::Relaxed);
    }

    /// How often anything was asked about the certificates of an authority, by its name.
    pub fn asked(&self, authority: &str) -> usize {
        self.counts().get(authority).copied().unwrap_or_default()
    }

    fn counts(&self) -> MutexGuard<'_, BTreeMap<String, usize>> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The routes.
    pub fn routes(&self) -> Router {
        Router::new()
            .route("/crl/{file}", get(crl))
            .route("/crt/{file}", get(crt))
            .route("/ocsp/{name}", post(ocsp))
            .with_state(self.clone())
    }

    async fn answer(
        &self,
        name: &str,
        kind: &'static str,
        make: impl FnOnce(&Authority) -> Result<Vec<u8>, PkiError>,
    ) -> Response {
        *self.counts().entry(name.to_owned()).or_default() += 1;
        if self.hangs.load(Ordering::Relaxed) {
            tokio::time::sleep(HANGING).await;
            return StatusCode::SERVICE_UNAVAILABLE.into_response();
        }
        let Some(authority) = self.pki.get().and_then(|pki| pki.find(name)) else {
            return StatusCode::NOT_FOUND.into_response();
        };
        match make(authority) {
            Ok(bytes) => ([(CONTENT_TYPE, kind)], bytes).into_response(),
            Err(error) => {
                tracing::error!(%error, "the lab's PKI failed");
                StatusCode::INTERNAL_SERVER_ERROR.into_response()
            }
        }
    }
}

async fn crl(State(door): State<PkiDoor>, Path(file): Path<String>) -> Response {
    let name = file.trim_end_matches(".crl");
    door.answer(name, "application/pkix-crl", |authority| authority.crl(door.clock.now())).await
}

async fn crt(State(door): State<PkiDoor>, Path(file): Path<String>) -> Response {
    let name = file.trim_end_matches(".crt");
    door.answer(name, "application/pkix-cert", |authority| Ok(authority.der().to_vec())).await
}

async fn ocsp(State(door): State<PkiDoor>, Path(name): Path<String>, body: Bytes) -> Response {
    let now = door.clock.now();
    let answer = |authority: &Authority| {
        let mut given = door.given.lock().unwrap_or_else(PoisonError::into_inner);
        let repeated = given.get(&*body).filter(|_| door.repeats.load(Ordering::Relaxed));
        if let Some(repeated) = repeated {
            return Ok(repeated.clone());
        }
        let answer = authority.ocsp(&body, now)?;
        given.entry(body.to_vec()).or_insert_with(|| answer.clone());
        Ok(answer)
    };
    door.answer(&name, "application/ocsp-response", answer).await
}
