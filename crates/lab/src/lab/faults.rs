//! Access points that misbehave on purpose: doors beside a real one, published for magic
//! recipients.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::body::{Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use hyper::Method;
use quoin_peppol::as4::{As4Refusal, OwnIdentity, error_signal, parse_mime};
use quoin_xml::tree::{Document, Limits};
use uuid::Uuid;

use quoin_access_point::clock::Clock;
use quoin_access_point::net::{HttpCall, HttpClient};

/// How often the busy door answers 503 to a message before it takes it.
pub const BUSY_TIMES: u32 = 2;
/// Bytes of a message at most.
const MESSAGE_BYTES: usize = 120 << 20;
/// How long the real door may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// The doors.
#[derive(Clone)]
pub struct Faults {
    /// Where messages go that are taken in the end.
    pub real: String,
    /// How they get there.
    pub client: HttpClient,
    /// Signs refusals.
    pub own: Arc<OwnIdentity>,
    /// The time of refusals.
    pub clock: Clock,
    seen: Arc<Mutex<HashMap<String, u32>>>,
}

impl Faults {
    /// Doors beside the access point at `real`.
    pub fn new(real: String, client: HttpClient, own: Arc<OwnIdentity>, clock: Clock) -> Faults {
        Faults { real, client, own, clock, seen: Arc::default() }
    }

    /// `/busy/as4` answers 503 twice to each message and then takes it; `/refusing/as4` answers
    /// that
    /// the recipient is not served.
    pub fn routes(self) -> Router {
        Router::new()
            .route("/busy/as4", post(busy))
            .route("/refusing/as4", post(refusing))
            .with_state(self)
    }

    async fn forward(&self, headers: &HeaderMap, body: Bytes) -> Response {
        let kind = headers.get(header::CONTENT_TYPE).cloned();
        let call = HttpCall {
            method: Method::POST,
            headers: kind.map(|kind| (header::CONTENT_TYPE, kind)).into_iter().collect(),
            body: Some(body),
            ..HttpCall::get(&self.real, PATIENCE, MESSAGE_BYTES)
        };
        match self.client.call(call).await {
            Ok(answer) => {
                let status = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::BAD_GATEWAY);
                let kind = answer.headers.get(header::CONTENT_TYPE).cloned();
                let kind = kind.map(|kind| [(header::CONTENT_TYPE, kind)]);
                match kind {
                    Some(kind) => (status, kind, answer.body).into_response(),
                    None => (status, answer.body).into_response(),
                }
            }
            Err(error) => (StatusCode::BAD_GATEWAY, error.to_string()).into_response(),
        }
    }
}

async fn busy(State(faults): State<Faults>, request: Request) -> Response {
    let (headers, body, id) = match take(request).await {
        Ok(taken) => taken,
        Err(response) => return response,
    };
    let times = {
        let mut seen = faults.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let times = seen.entry(id).or_default();
        *times += 1;
        *times
    };
    if times <= BUSY_TIMES {
        return (StatusCode::SERVICE_UNAVAILABLE, "the lab is busy on purpose").into_response();
    }
    faults.forward(&headers, body).await
}

async fn refusing(State(faults): State<Faults>, request: Request) -> Response {
    let (_, _, id) = match take(request).await {
        Ok(taken) => taken,
        Err(response) => return response,
    };
    let signal_id = format!("{}@lab.quoin.test", Uuid::new_v4());
    let refusal = As4Refusal::not_serviced().of(&id);
    match error_signal(&refusal, &faults.own, &signal_id, faults.clock.now()) {
        Ok(signal) => ([(header::CONTENT_TYPE, signal.content_type)], signal.body).into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

/// Headers, body and AS4 message id of a request.
async fn take(request: Request) -> Result<(HeaderMap, Bytes, String), Response> {
    let (parts, body) = request.into_parts();
    let refuse = |why: &'static str| (StatusCode::BAD_REQUEST, why).into_response();
    let body = to_bytes(body, MESSAGE_BYTES).await.map_err(|_| refuse("too large"))?;
    let kind = parts.headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let id = message_id(kind.unwrap_or_default(), &body).ok_or_else(|| refuse("not AS4"))?;
    Ok((parts.headers, body, id))
}

/// The header of a message travels unencrypted.
fn message_id(content_type: &str, body: &[u8]) -> Option<String> {
    let parts = parse_mime(content_type, body).ok()?;
    let document = Document::parse(&parts.first()?.body, &Limits::default()).ok()?;
    let id = document.root().descendants().find(|element| element.local() == "MessageId")?;
    Some(id.text().trim().to_owned())
}
