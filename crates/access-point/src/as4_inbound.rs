//! Corner 3's door: other access points deliver here.
//!
//! The door records and answers, nothing else. A message is taken in within its budget and opened,
//! asked whether it is for one of our participants, and stored; only when that is durable is its
//! receipt signed and sent. The receipt is kept as evidence afterwards, beside the answer. A repeat
//! of a message that was stored before gets a receipt again and is not stored again.

use std::net::Ipv4Addr;
use std::path::PathBuf;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::{Extension, Router};
use bytes::Bytes;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use quoin_delivery::{DocumentId, Family, TransactionId};
use quoin_peppol::as4::{
    As4Refusal, EbmsCode, OwnIdentity, ReceivedMessage, error_signal, receipt,
};
use quoin_peppol::identifiers::candidates;
use quoin_peppol::sbdh::Envelope;
use quoin_store::{
    EvidenceKind, NewIncoming, PublishedService, RecordOutcome as Recorded, Store, TransactionFacts,
};
use uuid::Uuid;

use crate::alarms::Alarms;
use crate::budget::{BodyLimits, Budgets, Purpose};
use crate::clock::ClockWatch;
use crate::disk::Disk;
use crate::identity::Rollover;
use crate::metrics::{Metrics, Received};
use crate::provider::Provider;
use crate::tls::{PeerAddress, network};
use crate::trust::TrustService;

mod arrival;
mod consistency;
mod doubted;
mod http_answers;
mod intake;
mod opening;
mod reused;

use arrival::Home;
use consistency::check_consistency;
use http_answers::{RETRY_AFTER, content_type, later, signal, told, too_large};
use intake::{ArrivedMessage, IntakeFailure, MALFORMED};
use opening::{EnvelopedDocument, OpenedMessage};
use reused::{Acknowledged, repeated};

/// Bytes of a message on the wire at most.
pub const MESSAGE_BYTES: u64 = 120 << 20;
/// What a person sees who opens the address in a browser.
const GREETING: &str = "This is a Peppol AS4 access point. Messages are taken by POST.\n";

/// What the door needs.
pub struct As4Door {
    /// Our identity as corner 3.
    pub own: Rollover<Arc<OwnIdentity>>,
    /// Which access points are believed.
    pub trust: Arc<TrustService>,
    /// Where messages are recorded.
    pub store: Store,
    /// Who we are to other providers.
    pub provider: Arc<Provider>,
    /// The right-hand side of our signal message ids.
    pub domain: String,
    /// How much of a request is read, and for how long.
    pub body: BodyLimits,
    /// Whether there is room for what comes in.
    pub disk: Disk,
    /// What a message may cost.
    pub budgets: Budgets,
    /// The folder of messages that are too large for memory while they arrive.
    pub spool: PathBuf,
    /// What is counted.
    pub metrics: Arc<Metrics>,
    /// What whoever runs the service hears.
    pub alarms: Alarms,
    /// Whether the clock here is to be believed.
    pub watch: ClockWatch,
}

/// A message that gets its receipt.
struct Accepted {
    received: ReceivedMessage,
    came: Received,
    /// Where the receipt is to be kept.
    recorded: Option<TransactionId>,
}

/// Why there is no receipt.
enum RejectReason {
    /// The sender broke the protocol, or the message is not for us.
    Refused(As4Refusal),
    /// We failed, or cannot judge the message yet; the sender should try again.
    Failed(InboundFault),
}

/// What keeps us from taking a message for now.
struct InboundFault {
    /// For the log.
    fault: String,
    /// For the sender.
    detail: &'static str,
    /// The message, where its id is known.
    message_id: Option<String>,
}

impl RejectReason {
    /// The same about a known message.
    fn of(self, id: &str) -> RejectReason {
        match self {
            RejectReason::Refused(refusal) => RejectReason::Refused(refusal.of(id)),
            RejectReason::Failed(failure) => {
                RejectReason::Failed(InboundFault { message_id: Some(id.to_owned()), ..failure })
            }
        }
    }
}

impl From<As4Refusal> for RejectReason {
    fn from(refusal: As4Refusal) -> RejectReason {
        RejectReason::Refused(refusal)
    }
}

impl From<quoin_store::Error> for RejectReason {
    fn from(error: quoin_store::Error) -> RejectReason {
        let detail = "the message could not be stored; send it again later";
        RejectReason::Failed(InboundFault { fault: error.to_string(), detail, message_id: None })
    }
}

impl As4Door {
    /// The routes of the door.
    pub fn router(self: Arc<Self>) -> Router {
        Router::new()
            .route("/as4", post(take).get(|| async { GREETING }))
            .with_state(self)
            .layer(axum::middleware::map_response(told))
    }

    /// Takes one message, which has come whole, and says what to answer.
    async fn answer(
        self: &Arc<Self>,
        kind: &str,
        message: ArrivedMessage,
        address: &str,
    ) -> Response {
        match self.take(kind, message, address).await {
            Ok(taken) => {
                self.metrics.as4_received.add(taken.came);
                self.receipt(taken, address).await
            }
            Err(no) => self.refuse(no, address).await,
        }
    }

    async fn refuse(self: &Arc<Self>, no: RejectReason, address: &str) -> Response {
        match self.by_a_clock_that_is_believed(no) {
            RejectReason::Refused(refusal) => {
                self.metrics.as4_received.add(Received::Refused);
                let message_id = &refusal.message_id;
                tracing::info!(message_id, %refusal, "an AS4 message is refused");
                self.error(refusal, StatusCode::OK, address).await
            }
            RejectReason::Failed(InboundFault { fault, detail, message_id }) => {
                self.metrics.as4_received.add(Received::Failed);
                tracing::error!(fault, "an AS4 message could not be taken for now");
                // A signal that names no message is taken for an invalid answer, and that for a
                // final one; without any, 503 says all there is to say.
                let Some(id) = message_id else { return later(detail) };
                let refusal = As4Refusal::new(EbmsCode::DeliveryFailure, detail).of(&id);
                let status = StatusCode::SERVICE_UNAVAILABLE;
                let mut response = self.error(refusal, status, address).await;
                let wait = header::HeaderValue::from_static(RETRY_AFTER);
                response.headers_mut().insert(header::RETRY_AFTER, wait);
                response
            }
        }
    }

    async fn error(
        self: &Arc<Self>,
        refusal: As4Refusal,
        status: StatusCode,
        address: &str,
    ) -> Response {
        let door = self.clone();
        let signed = self.apart(Purpose::As4Open, address, move || {
            let now = door.trust.clock().now();
            error_signal(&refusal, door.own.at(now), &door.signal_id(), now)
        });
        match signed.await {
            Ok(Ok(error)) => signal(error, status),
            Ok(Err(error)) => {
                tracing::error!(%error, "an error signal could not be signed");
                later("the key of the access point cannot be used now")
            }
            Err(_) => later("there is no room to answer"),
        }
    }

    fn signal_id(&self) -> String {
        format!("{}@{}", Uuid::new_v4(), self.domain)
    }

    /// Signs the receipt of a message that is on the disk.
    async fn receipt(self: &Arc<Self>, taken: Accepted, address: &str) -> Response {
        let Accepted { received, recorded, .. } = taken;
        let door = self.clone();
        let signed = self.apart(Purpose::As4Open, address, move || {
            let now = door.trust.clock().now();
            receipt(&received, door.own.at(now), &door.signal_id(), now)
        });
        match signed.await {
            Ok(Ok(receipt)) => {
                if let Some(transaction) = recorded {
                    self.keep(transaction, Bytes::from(receipt.body.clone()));
                }
                signal(receipt, StatusCode::OK)
            }
            Ok(Err(error)) => {
                tracing::error!(%error, "a receipt could not be signed");
                // As below: it asks again.
                later("the key of the access point cannot be used now")
            }
            // The message is kept; its sender asks again and gets its receipt then.
            Err(_) => later("there is no room to sign the receipt"),
        }
    }

    /// Has a receipt kept as evidence. The sender does not wait for that: the message is on the
    /// disk whether it succeeds or not.
    fn keep(&self, transaction: TransactionId, receipt: Bytes) {
        let store = self.store.clone();
        tokio::spawn(async move {
            if let Err(error) = store.keep_receipt(&transaction, receipt).await {
                tracing::error!(%transaction, %error, "a receipt could not be kept as evidence");
            }
        });
    }

    /// Everything up to the commit; the answer means that the message is on the disk.
    async fn take(
        self: &Arc<Self>,
        kind: &str,
        message: ArrivedMessage,
        who: &str,
    ) -> Result<Accepted, RejectReason> {
        let OpenedMessage { mut received, letter, room } = self.open(kind, message, who).await?;
        let Some(letter) = letter else {
            return Ok(Accepted { received, came: Received::Ping, recorded: None });
        };
        let recorded = self.record(&mut received, letter).await;
        drop(room);
        let (came, recorded) = recorded.map_err(|no| no.of(&received.message.message_id))?;
        Ok(Accepted { received, came, recorded })
    }

    /// Stores a message; the answer says what became of it, and whose receipt is to be kept.
    async fn record(
        &self,
        received: &mut ReceivedMessage,
        letter: EnvelopedDocument,
    ) -> Result<Acknowledged, RejectReason> {
        let service = match self.serviced(&letter.envelope).await {
            Ok(service) => service,
            Err(no) => return self.taken_before(received, &letter).await?.ok_or(no),
        };
        let now = self.trust.clock().now();
        let (arrival, home) = self.arrival(received, &letter, &service, now).await?;
        let EnvelopedDocument { envelope, content, .. } = letter;
        let new = incoming(received, &envelope, home, content, now);
        let document = new.document_id.clone();
        let whose = (new.organisation.clone(), new.party.clone());
        let travelled = std::mem::take(&mut received.travelled);
        let evidence = vec![
            (EvidenceKind::Message, Bytes::from(travelled.envelope)),
            (EvidenceKind::Payload, Bytes::from(travelled.payload)),
        ];
        let recorded = self.store.receive_with(new, arrival, evidence).await?;
        match recorded {
            Recorded::Accepted(transaction) => {
                let message_id = &received.message.message_id;
                // It is on record: what cannot be read now keeps it from no receipt.
                let party = self.store.party_name(&whose.0, &whose.1).await.unwrap_or_default();
                tracing::info!(%transaction, %document, party, message_id, "a message is received");
                Ok((Received::Accepted, Some(transaction)))
            }
            Recorded::Known { existing, by, repeat } => {
                if let Some(detail) = repeat.refusal(by) {
                    self.reused(received, &envelope, &existing, &detail).await;
                    return Err(As4Refusal::new(EbmsCode::ValueInconsistent, detail).into());
                }
                Ok(repeated(existing, by))
            }
        }
    }

    /// The registration under which a participant takes this document type and process: exactly
    /// what our SMP publishes (Peppol AS4 profile, section 4). The type is chosen as its sender
    /// chooses it, of all that is published, and has to lead here then.
    async fn serviced(&self, envelope: &Envelope) -> Result<PublishedService, RejectReason> {
        let header = &envelope.sbdh;
        let (process, wanted) = (header.process.to_string(), &header.document_type);
        let now = self.trust.clock().now();
        let on = now.to_zoned(TimeZone::UTC).date();
        if !quoin_identity::is_exchanged(wanted, on) {
            return Err(As4Refusal::not_serviced().into());
        }
        let receiver = header.receiver.folded();
        let services = self.store.services_of(&receiver).await?;
        let redirected = self.store.redirected_types(&receiver).await?;
        let is_published = |id: &String| {
            redirected.contains(id) || services.iter().any(|service| service.document_type == *id)
        };
        let mut types = candidates(wanted).into_iter();
        let best = types.find_map(|id| {
            let found = quoin_identity::is_exchanged(&id, on).then(|| id.to_string());
            found.filter(is_published)
        });
        let best = best.filter(|best| !redirected.contains(best));
        let found = best.and_then(|best| {
            let is_meant = |service: &&PublishedService| {
                service.document_type == best && service.process == process
            };
            services.iter().find(is_meant).filter(|service| service.is_here(now))
        });
        Ok(found.cloned().ok_or_else(As4Refusal::not_serviced)?)
    }
}

fn incoming(
    received: &ReceivedMessage,
    envelope: &Envelope,
    home: Home,
    content: Bytes,
    now: Timestamp,
) -> NewIncoming {
    let header = &envelope.sbdh;
    NewIncoming {
        organisation: home.organisation,
        party: home.party,
        document_id: DocumentId::from_uuid(Uuid::new_v4()),
        family: Family::of(&header.document_type),
        facts: TransactionFacts {
            sender: Some(header.sender.to_string()),
            receiver: Some(header.receiver.to_string()),
            source_document_type: Some(header.document_type.to_string()),
            process: Some(header.process.to_string()),
            country_c1: Some(header.country.as_str().to_owned()),
            ..TransactionFacts::default()
        },
        envelope_sender: header.sender.folded(),
        message_id: received.message.message_id.clone(),
        instance_id: header.instance.clone(),
        access_point: received.signer.common_name.clone(),
        content,
        now,
    }
}

async fn take(
    State(door): State<Arc<As4Door>>,
    peer: Option<Extension<PeerAddress>>,
    request: Request,
) -> Response {
    let kind = match content_type(request.headers()) {
        Ok(kind) => kind,
        Err(refused) => return (StatusCode::UNSUPPORTED_MEDIA_TYPE, refused).into_response(),
    };
    let address = peer.map_or(Ipv4Addr::UNSPECIFIED.into(), |peer| peer.0.0.ip());
    let address = network(address);
    let failed = |why| {
        door.metrics.as4_received.add(Received::Failed);
        later(why)
    };
    if let Some(problem) = door.disk.problem() {
        tracing::warn!(problem, "an AS4 message is put off");
        return failed("there is no room");
    }
    match door.take_in(&kind, request.into_body(), address).await {
        Ok(message) => door.answer(&kind, message, &address.to_string()).await,
        Err(IntakeFailure::TooLarge(most)) => too_large(most),
        Err(IntakeFailure::Refused(no)) => door.refuse(no, &address.to_string()).await,
        Err(IntakeFailure::Malformed) => (StatusCode::BAD_REQUEST, MALFORMED).into_response(),
        // A status of 4xx would be final for the sender, who can do nothing about a slow network.
        Err(IntakeFailure::Later(why)) => later(&why),
        Err(IntakeFailure::Failed) => failed("the message could not be kept"),
    }
}
