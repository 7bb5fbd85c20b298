//! The lab's SML: a service of its own, as SMPs meet the real one. It opens to clients with an SMP
//! certificate only, knows each SMP by the certificate that registered it or by its announced
//! successor, gives each participant to one SMP, lets it move with a key, lists page by page, and
//! publishes names in the lab's DNS, at once or some time later. Mishaps can be planned.

mod book;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::{Extension, extract::DefaultBodyLimit};
use jiff::tz::TimeZone;
use quoin_peppol::identifiers::ParticipantId;
use quoin_peppol::pki::Certificate;
use quoin_peppol::sml::dns_name;
use quoin_peppol::sml::soap::{
    FaultKind, MESSAGE_LIMIT, SmlAnswer, SmlFault, SmlOperation, SmlRequest, SmlService,
};

use super::network::ZONE;
use super::sml::LabZone;
use quoin_access_point::clock::Clock;
use quoin_access_point::tls::ClientCertificate;

use book::Book;

/// Where the interface begins, as that of the real one.
pub const BASE: &str = "/edelivery-sml";
/// What a log holds at most.
const LOG: usize = 100_000;

/// Something that goes wrong once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mishap {
    /// The request is not carried out, and answered with this fault.
    Fault(SmlFault),
    /// The request is not carried out, and nothing is answered for so long.
    Silence(Duration),
    /// The request is carried out, and its answer breaks off.
    LostAnswer,
    /// The request is not carried out; what stands before the SML answers this status.
    Status(u16),
}

/// The SML; clones share it.
#[derive(Clone)]
pub struct Locator {
    state: Arc<Mutex<Held>>,
    zone: LabZone,
    clock: Clock,
}

struct Held {
    book: Book,
    delay: Duration,
    mishaps: VecDeque<(Option<SmlOperation>, Mishap)>,
    log: VecDeque<SmlOperation>,
}

impl Locator {
    /// An SML that publishes in a zone; an SMP's next certificate counts by this clock.
    pub fn new(zone: &LabZone, clock: Clock) -> Locator {
        let held = Held {
            book: Book::default(),
            delay: Duration::ZERO,
            mishaps: VecDeque::new(),
            log: VecDeque::new(),
        };
        Locator { state: Arc::new(Mutex::new(held)), zone: zone.clone(), clock }
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// From now on DNS follows so much later.
    pub fn publish_after(&self, delay: Duration) {
        self.held().delay = delay;
    }

    /// Participants in a page of a list from now on.
    pub fn page_size(&self, participants: usize) {
        self.held().book.page = participants.max(1);
    }

    /// Plans a mishap for the next request, or for the next one of an operation.
    pub fn plan(&self, operation: Option<SmlOperation>, mishap: Mishap) {
        self.held().mishaps.push_back((operation, mishap));
    }

    /// The SMP that a participant (in lower case) belongs to.
    pub fn publisher_of(&self, participant: &str) -> Option<String> {
        self.held().book.publisher_of(participant)
    }

    /// How many participants there are.
    pub fn participants(&self) -> usize {
        self.held().book.len()
    }

    /// What was asked so far, the newest last.
    pub fn log(&self) -> Vec<SmlOperation> {
        self.held().log.iter().copied().collect()
    }

    /// The routes of its door, which must ask clients for a certificate.
    pub fn routes(&self) -> Router {
        let publishers = SmlService::Publishers.path();
        let participants = SmlService::Participants.path();
        let certificates = SmlService::Certificates.path();
        Router::new()
            .route(&format!("{BASE}{publishers}"), post(of_publishers))
            .route(&format!("{BASE}{participants}"), post(of_participants))
            .route(&format!("{BASE}{certificates}"), post(of_certificates))
            .layer(DefaultBodyLimit::max(MESSAGE_LIMIT))
            .with_state(self.clone())
    }

    async fn serve(
        self,
        service: SmlService,
        caller: ClientCertificate,
        headers: HeaderMap,
        body: Bytes,
    ) -> Response {
        let request = match SmlRequest::read(&body) {
            Ok(request) => request,
            Err(refusal) => return answer(&bad(&refusal.to_string())),
        };
        let operation = request.operation();
        if let Err(fault) = addressed(service, operation, &headers) {
            return answer(&fault);
        }
        let mishap = self.note(operation);
        match &mishap {
            Some(Mishap::Fault(fault)) => return answer(&SmlAnswer::Fault(fault.clone())),
            Some(Mishap::Silence(time)) => {
                tokio::time::sleep(*time).await;
                return StatusCode::SERVICE_UNAVAILABLE.into_response();
            }
            Some(Mishap::Status(status)) => {
                let status = StatusCode::from_u16(*status).unwrap_or(StatusCode::BAD_GATEWAY);
                return status.into_response();
            }
            Some(Mishap::LostAnswer) | None => {}
        }
        let said = match Certificate::from_der(&caller.0) {
            Ok(certificate) => self.carry_out(&certificate, request),
            Err(error) => bad(&error.to_string()),
        };
        match mishap {
            Some(Mishap::LostAnswer) => broken_off(),
            _ => answer(&said),
        }
    }

    /// Writes the operation to the log; answers the mishap that was planned for it.
    fn note(&self, operation: SmlOperation) -> Option<Mishap> {
        let mut held = self.held();
        if held.log.len() == LOG {
            held.log.pop_front();
        }
        held.log.push_back(operation);
        let meant = |(of, _): &(Option<SmlOperation>, Mishap)| of.is_none_or(|of| of == operation);
        let at = held.mishaps.iter().position(meant)?;
        held.mishaps.remove(at).map(|(_, mishap)| mishap)
    }

    fn carry_out(&self, caller: &Certificate, request: SmlRequest) -> SmlAnswer {
        let today = self.clock.now().to_zoned(TimeZone::UTC).date();
        let (answer, changes, delay) = {
            let mut held = self.held();
            let delay = held.delay;
            match held.book.carry_out(caller, request, today) {
                Ok((answer, changes)) => (answer, changes, delay),
                Err(fault) => return SmlAnswer::Fault(fault),
            }
        };
        if delay.is_zero() {
            self.publish(&changes);
        } else if !changes.is_empty() {
            let own = self.clone();
            tokio::spawn(async move {
                tokio::time::sleep(delay).await;
                own.publish(&changes);
            });
        }
        answer
    }

    /// Brings the names of these participants to what is on record by now.
    fn publish(&self, changed: &[ParticipantId]) {
        let held = self.held();
        for id in changed {
            let name = dns_name(id, ZONE);
            let done = match held.book.address_of(id) {
                Some(address) => self.zone.register(&name, address),
                None => self.zone.unregister(&name),
            };
            if let Err(error) = done {
                tracing::error!(%error, "the lab's SML could not publish a name");
            }
        }
    }
}

/// Whether the request came to the service that has the operation, under its action.
fn addressed(
    service: SmlService,
    operation: SmlOperation,
    headers: &HeaderMap,
) -> Result<(), SmlAnswer> {
    if operation.service() != service {
        return Err(bad(&format!("{operation:?} is an operation of the other service")));
    }
    let action = headers.get("soapaction").and_then(|value| value.to_str().ok());
    if action != Some(operation.soap_action().as_str()) {
        let expected = operation.soap_action();
        return Err(bad(&format!("the SOAPAction is {action:?}, expected {expected}")));
    }
    Ok(())
}

fn bad(text: &str) -> SmlAnswer {
    SmlAnswer::Fault(SmlFault { kind: FaultKind::BadRequest, text: format!("[ERR-106] {text}") })
}

fn answer(said: &SmlAnswer) -> Response {
    let status = match said {
        SmlAnswer::Fault(_) => StatusCode::INTERNAL_SERVER_ERROR,
        SmlAnswer::Done | SmlAnswer::Publisher(_) | SmlAnswer::Page(_) => StatusCode::OK,
    };
    let headers = [(header::CONTENT_TYPE, "text/xml; charset=utf-8")];
    (status, headers, said.to_xml()).into_response()
}

/// An answer whose connection breaks before its end.
fn broken_off() -> Response {
    let parts = [Ok(Bytes::from_static(b"<")), Err(std::io::Error::other("broken off"))];
    Body::from_stream(futures::stream::iter(parts)).into_response()
}

async fn of_publishers(
    State(locator): State<Locator>,
    Extension(caller): Extension<ClientCertificate>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    locator.serve(SmlService::Publishers, caller, headers, body).await
}

async fn of_participants(
    State(locator): State<Locator>,
    Extension(caller): Extension<ClientCertificate>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    locator.serve(SmlService::Participants, caller, headers, body).await
}

async fn of_certificates(
    State(locator): State<Locator>,
    Extension(caller): Extension<ClientCertificate>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    locator.serve(SmlService::Certificates, caller, headers, body).await
}
