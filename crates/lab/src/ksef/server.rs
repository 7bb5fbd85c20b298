//! The listener, what it is set to, and what it remembers of its exchanges.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};

use axum::Router;
use axum::body::to_bytes;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use jiff::{SignedDuration, Timestamp};
use quoin_access_point::clock::Clock;
use quoin_ksef::api::{Availability, AvailabilityMessage};
use quoin_ksef::limits::LIMITS;
use serde::Serialize;
use tokio::net::TcpListener;
use tokio::sync::Notify;

use super::answers::{LabAnswer, LabRequest};
use super::authority::{KsefAuthority, KsefAuthorityError};
use super::faults::KsefFault;
use super::router;
use super::state::{KsefState, RegisteredInvoice};

/// Bytes of a request at most: one part.
const REQUEST_BYTES: usize = 101_000_000;
/// Exchanges that are remembered at most.
const EXCHANGES: usize = 20_000;
/// Bytes of a body that are remembered at most.
const REMEMBERED: usize = 256 << 10;

/// How the system behaves.
#[derive(Debug, Clone)]
pub struct KsefLabSettings {
    /// Whether the limits of calls are kept.
    pub limits: bool,
    /// What a planned 429 says.
    pub retry_after: u64,
    /// How often signing in says that it is not done yet.
    pub auth_polls: u32,
    /// How often a session that is closed says so.
    pub session_polls: u32,
    /// How long an access token is good.
    pub access: SignedDuration,
    /// Invoices of a session at most.
    pub invoices: usize,
    /// Invoices on a page of the receipt of a session.
    pub upo_page: usize,
    /// Rows of an answer to a query at most, before it has to be asked anew.
    pub query_set: usize,
    /// How often a package of invoices is not made yet.
    pub export_polls: u32,
    /// Invoices of a package at most.
    pub export_set: usize,
    /// Bytes of a part of a package at most, before encryption.
    pub export_part: usize,
    /// How long something that was stored may still get company that is older.
    pub settling: SignedDuration,
    /// What links begin with, where it is not the address of the listener.
    pub links: Option<String>,
}

impl Default for KsefLabSettings {
    fn default() -> KsefLabSettings {
        KsefLabSettings {
            limits: true,
            retry_after: 2,
            auth_polls: 1,
            session_polls: 1,
            access: SignedDuration::from_mins(15),
            invoices: quoin_ksef::package::INVOICES,
            upo_page: 10_000,
            query_set: 10_000,
            export_polls: 1,
            export_set: quoin_ksef::export::EXPORT_INVOICES,
            export_part: quoin_ksef::export::EXPORT_PART_BYTES,
            settling: SignedDuration::ZERO,
            links: None,
        }
    }
}

/// One call and its answer.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct KsefExchange {
    /// As in `POST`.
    pub method: String,
    /// Behind the base, with its query.
    pub path: String,
    /// The body, where it is text.
    pub request: Option<String>,
    /// The `Content-Type` of the request.
    pub request_type: Option<String>,
    /// The status.
    pub status: u16,
    /// The `Content-Type` of the answer.
    pub kind: String,
    /// The body of the answer, where it is text.
    pub answer: Option<String>,
}

/// The system. Cheap to clone; clones are the same.
#[derive(Clone)]
pub struct KsefLab(Arc<KsefLabParts>);

struct KsefLabParts {
    address: SocketAddr,
    clock: Clock,
    authority: RwLock<KsefAuthority>,
    settings: KsefLabSettings,
    state: Mutex<KsefState>,
    exchanges: Mutex<Vec<KsefExchange>>,
    go: Notify,
}

/// The system could not be opened. A fault of the lab.
#[derive(Debug, thiserror::Error)]
pub enum KsefLabError {
    /// No port.
    #[error("the lab's KSeF could not be opened: {0}")]
    Open(#[from] std::io::Error),
    /// No certificates.
    #[error(transparent)]
    Authority(#[from] KsefAuthorityError),
}

impl KsefLab {
    /// Opens the system on loopback; port 0 lets the machine choose.
    ///
    /// # Errors
    /// [`KsefLabError`].
    pub async fn open(
        port: u16,
        clock: Clock,
        settings: KsefLabSettings,
    ) -> Result<KsefLab, KsefLabError> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
        let authority = KsefAuthority::generate(clock.now())?;
        let lab = KsefLab(Arc::new(KsefLabParts {
            address: listener.local_addr()?,
            clock,
            authority: RwLock::new(authority),
            settings,
            state: Mutex::default(),
            exchanges: Mutex::default(),
            go: Notify::new(),
        }));
        let router = Router::new().fallback(serve).with_state(lab.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        Ok(lab)
    }

    /// The base of its interface.
    pub fn base(&self) -> String {
        format!("http://{}/v2", self.0.address)
    }

    /// The base of the service that says whether it runs.
    pub fn lighthouse(&self) -> String {
        format!("http://{}/lighthouse", self.0.address)
    }

    /// The base of printed codes.
    pub fn codes(&self) -> String {
        format!("http://{}/qr", self.0.address)
    }

    /// What links for parts and receipts begin with.
    pub(super) fn links(&self) -> String {
        let own = || format!("http://{}", self.0.address);
        self.0.settings.links.clone().unwrap_or_else(own)
    }

    /// How it behaves.
    pub fn settings(&self) -> &KsefLabSettings {
        &self.0.settings
    }

    /// Its authority.
    pub fn authority(&self) -> RwLockReadGuard<'_, KsefAuthority> {
        self.0.authority.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Withdraws the public key for sessions, and has a new one.
    ///
    /// # Errors
    /// [`KsefAuthorityError`].
    pub fn rotate_key(&self) -> Result<(), KsefAuthorityError> {
        let mut authority = self.0.authority.write().unwrap_or_else(PoisonError::into_inner);
        authority.rotate(self.0.clock.now())
    }

    /// Plans something that goes wrong.
    pub fn plan(&self, fault: KsefFault) {
        self.state().faults.add(fault);
    }

    /// Calls that wait go on.
    pub fn let_go(&self) {
        self.0.go.notify_waiters();
    }

    /// Says that the system runs, or why not.
    pub fn announce(&self, status: Availability, messages: Vec<AvailabilityMessage>) {
        let mut state = self.state();
        state.availability = Some(status);
        state.messages = messages;
    }

    /// Lets somebody act for a company: an identifier or a fingerprint (upper case), and its NIP.
    pub fn grant(&self, who: &str, nip: &str) {
        self.state().grants.push((who.to_owned(), nip.to_owned()));
    }

    /// Everything that is registered, in order.
    pub fn registered(&self) -> Vec<RegisteredInvoice> {
        self.state().registered.clone()
    }

    /// Registers an invoice of somebody else, as stored at a time; its number.
    ///
    /// # Errors
    /// Why it is no FA(3), as the system says it.
    pub fn deposit(&self, xml: &str, stored: Timestamp) -> Result<String, String> {
        super::processing::deposit(&mut self.state(), xml.as_bytes(), stored)
    }

    /// Every exchange, in order.
    pub fn exchanges(&self) -> Vec<KsefExchange> {
        self.0.exchanges.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// How many exchanges there were.
    pub fn exchange_count(&self) -> usize {
        self.0.exchanges.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// The most calls of each group that somebody made in an hour, and how many are allowed.
    pub fn most_calls(&self) -> Vec<(&'static str, usize, u32)> {
        let state = self.state();
        let most = |group| {
            let windows = state.windows.iter().filter(|((_, own), _)| *own == group);
            windows.map(|(_, window)| window.count()).max().unwrap_or_default()
        };
        let limited = LIMITS.iter().filter(|(_, limit)| limit.hour > 0);
        limited.map(|(group, limit)| (group.word(), most(*group), limit.hour)).collect()
    }

    fn state(&self) -> MutexGuard<'_, KsefState> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Answers and remembers.
    pub(super) fn exchange(&self, request: &LabRequest) -> LabAnswer {
        let now = self.0.clock.now();
        let answer = router::answer(self, &mut self.state(), request, now);
        let text = |bytes: &[u8]| {
            let short = !bytes.is_empty() && bytes.len() <= REMEMBERED;
            short.then(|| std::str::from_utf8(bytes).ok().map(str::to_owned)).flatten()
        };
        let query: Vec<String> =
            request.query.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let mark = if query.is_empty() { "" } else { "?" };
        let exchange = KsefExchange {
            method: request.method.clone(),
            path: format!("/{}{mark}{}", request.path, query.join("&")),
            request: text(&request.body),
            request_type: request.header("content-type").map(str::to_owned),
            status: answer.status,
            kind: answer.kind.to_owned(),
            answer: text(&answer.body),
        };
        let mut all = self.0.exchanges.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() < EXCHANGES {
            all.push(exchange);
        }
        answer
    }
}

async fn serve(State(lab): State<KsefLab>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let Ok(body) = to_bytes(body, REQUEST_BYTES).await else {
        return StatusCode::PAYLOAD_TOO_LARGE.into_response();
    };
    let path = parts.uri.path().trim_start_matches('/');
    let query = parts.uri.query().unwrap_or_default().split('&').filter(|pair| !pair.is_empty());
    let decode = |text: &str| percent_encoding::percent_decode_str(text).decode_utf8_lossy().into();
    let request = LabRequest {
        method: parts.method.to_string(),
        path: path.strip_prefix("v2/").unwrap_or(path).to_owned(),
        query: query
            .map(|pair| pair.split_once('=').unwrap_or((pair, "")))
            .map(|(name, value)| (decode(name), decode(value)))
            .collect(),
        headers: parts.headers,
        body,
    };
    // Whether it is to wait is asked, and waiting begun, before anybody can let it go.
    let held = lab.clone();
    let go = held.0.go.notified();
    if lab.state().faults.holds(&format!("{} {}", request.method, request.path)) {
        go.await;
    }
    let answered = tokio::task::spawn_blocking(move || lab.exchange(&request)).await;
    let Ok(answer) = answered else { return StatusCode::INTERNAL_SERVER_ERROR.into_response() };
    let mut response = Response::builder().status(answer.status);
    if !answer.kind.is_empty() {
        response = response.header("Content-Type", answer.kind);
    }
    for (name, value) in answer.headers {
        response = response.header(name, value);
    }
    let built = response.body(axum::body::Body::from(answer.body));
    built.unwrap_or_else(|_| StatusCode::INTERNAL_SERVER_ERROR.into_response())
}
