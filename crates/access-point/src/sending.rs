//! One attempt to hand a message to another access point: seal, call, read the answer.
//!
//! The attempt is a value: what came of it, and a report of everything that was seen on the way.
//! Whether there will be another one is decided elsewhere.

mod breakers;
mod failure;
mod heard;
mod on_disk;
mod own;
mod patience;

#[cfg(test)]
mod tests;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use hyper::Method;
use hyper::header::{ACCEPT_ENCODING, CONTENT_TYPE, HeaderValue};
use jiff::Timestamp;
use quoin_delivery::{DeliveryOutcome, Proof};
use quoin_peppol::as4::{
    self, AnswerRefusal, As4Answer, EbmsError, Entropy, HttpMessage, OwnIdentity, Peer, Peers,
    SealedMessage, UserMessage, WireCopy,
};
use quoin_peppol::lookup::REVOCATION_UNKNOWN;
use quoin_peppol::pki::{Certificate, CertificateRole};
use quoin_peppol::sbdh::Sbdh;
use serde::Serialize;

use crate::budget::{Budgets, Holding, Purpose};
use crate::identity::Rollover;
use crate::net::{self, BodySource, CutAnswer, HttpCall, HttpClient};
use crate::trust::TrustService;

pub use breakers::{Breakers, HeldProbe};
use failure::SendFailure;
use on_disk::unparked;
use own::SigningIdentity;
pub use patience::Patience;

/// The largest answer that is read: a receipt has a few kilobytes.
const LARGEST_ANSWER: usize = 128 << 10;
/// The protocol as the interface names it.
pub const PROTOCOL: &str = "As4";

/// What a message is called and whose it is; the same on every attempt.
#[derive(Debug, Clone, Copy)]
pub struct OutboundHeader<'a> {
    /// Whose it is: messages are sealed by organisation, in turn.
    pub organisation: &'a str,
    /// The AS4 message id.
    pub message_id: &'a str,
    /// The header of the envelope, from which the message header is filled.
    pub sbdh: &'a Sbdh,
    /// Whether an earlier attempt may have arrived, although no answer to it did.
    pub unanswered: bool,
}

/// A message to send.
#[derive(Debug)]
pub struct OutboundEnvelope<'a> {
    /// What it is called.
    pub header: OutboundHeader<'a>,
    /// The whole envelope.
    pub envelope: Bytes,
    /// What the step holds of the memory: less, once the message is sealed and on its way.
    pub room: Option<&'a mut Holding>,
    /// Bytes that whoever sends it keeps beside it.
    pub beside: usize,
}

/// Where it goes.
#[derive(Debug, Clone)]
pub struct Destination {
    /// The address of the access point.
    pub url: String,
    /// Its certificate, from the signed SMP answer.
    pub certificate: Certificate,
}

/// What was seen during an attempt; kept with it as JSON.
#[derive(Debug, Clone, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SendReport {
    /// The address that was called.
    pub endpoint: String,
    /// The seat id of its certificate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub access_point: Option<String>,
    /// SHA-256 of its certificate, in hexadecimal.
    pub certificate_sha256: String,
    /// Until when its certificate is valid.
    pub certificate_until: String,
    /// Our AS4 message id.
    pub message_id: String,
    /// The id of the envelope.
    pub instance_identifier: String,
    /// When the message was made, as it says itself (`eb:Timestamp`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sent_on: Option<Timestamp>,
    /// Bytes on the wire.
    pub sent_bytes: usize,
    /// HTTP status of the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub http_status: Option<u16>,
    /// Milliseconds from the first byte out to the last byte in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elapsed_ms: Option<u64>,
    /// The id of the receipt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub receipt_id: Option<String>,
    /// The errors and warnings that the access point reported.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ebms_errors: Vec<String>,
    /// What went wrong, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

/// An attempt that is over.
#[derive(Debug)]
pub struct Attempted {
    /// What came of it.
    pub outcome: DeliveryOutcome,
    /// What was seen.
    pub report: SendReport,
    /// The receipt as it came, the evidence of delivery.
    pub receipt: Option<Bytes>,
    /// The message as it travelled, where the receiver has it.
    pub travelled: Option<WireCopy>,
    /// What the receiver said instead of a receipt, where it has the message.
    pub word: Option<Bytes>,
}

/// Sends messages as corner 2.
#[derive(Clone)]
pub struct Sender {
    own: SigningIdentity,
    trust: Arc<TrustService>,
    http: HttpClient,
    patience: Patience,
    budgets: Budgets,
    /// The folder of messages that are too large for memory while they are sent.
    spool: Arc<Path>,
}

impl Sender {
    /// A sender with our identity, as it is at the time of each attempt.
    pub fn new(
        own: Rollover<Arc<OwnIdentity>>,
        trust: Arc<TrustService>,
        http: HttpClient,
        patience: Patience,
        (budgets, spool): (Budgets, Arc<Path>),
    ) -> Sender {
        Sender { own: SigningIdentity::of(own), trust, http, patience, budgets, spool }
    }

    /// How long an attempt with an envelope of so many bytes may take.
    pub fn patience(&self, bytes: usize) -> Duration {
        self.patience.of(bytes)
    }

    /// Makes one attempt.
    pub async fn attempt(&self, shipment: OutboundEnvelope<'_>, to: &Destination) -> Attempted {
        let mut report = SendReport {
            endpoint: to.url.clone(),
            certificate_sha256: data_encoding::HEXLOWER.encode(to.certificate.fingerprint()),
            certificate_until: to.certificate.not_after().to_string(),
            message_id: shipment.header.message_id.to_owned(),
            instance_identifier: shipment.header.sbdh.instance.clone(),
            ..SendReport::default()
        };
        let (mut receipt, mut travelled) = (None, None);
        let proof = (&mut receipt, &mut travelled);
        let outcome = match self.exchange(shipment, to, &mut report, proof).await {
            Ok(proof) => DeliveryOutcome::Delivered(proof),
            Err(failure) => {
                report.problem = Some(failure.message.clone());
                failure.into_outcome(to, report.http_status)
            }
        };
        let word = if report.receipt_id.is_none() { receipt.take() } else { None };
        Attempted { outcome, report, receipt, travelled, word }
    }

    async fn exchange(
        &self,
        mut shipment: OutboundEnvelope<'_>,
        to: &Destination,
        report: &mut SendReport,
        (receipt, travelled): (&mut Option<Bytes>, &mut Option<WireCopy>),
    ) -> Result<Proof, SendFailure> {
        let peer = self.peer(&to.certificate).await?;
        report.access_point = Some(peer.common_name.clone());
        let sent_on = self.trust.clock().now();
        report.sent_on = Some(sent_on);
        let host = net::host(&to.url);
        let OutboundEnvelope { header: OutboundHeader { unanswered, .. }, beside, .. } = shipment;
        let mut room = shipment.room.take();
        let (http, mut sent) = self.seal(shipment, peer, sent_on).await?;
        report.sent_bytes = http.body.len();
        let parked = self.parked(&mut sent, &host).await;
        let held = sent.travelled.payload.len() + beside;
        let answer = self.call(http, &to.url, (room.as_deref_mut(), held)).await?;
        report.http_status = Some(answer.status);
        report.elapsed_ms = u64::try_from(answer.elapsed.as_millis()).ok();
        let sent = Arc::new(sent);
        let read = self.read(&answer, &sent, &host).await?;
        // A receipt that verifies is whole, whatever became of the connection.
        if let (Some(cut), false) = (&answer.cut, matches!(read, Ok(As4Answer::Receipt { .. }))) {
            return Err(SendFailure::unheard(cut));
        }
        report.ebms_errors = heard::errors(&read).iter().map(EbmsError::to_string).collect();
        let receipt_id = heard::judged(&answer, read, unanswered || answer.repeated, sent_on)?;
        report.receipt_id = Some(receipt_id.clone()).filter(|id| !id.is_empty());
        *receipt = Some(answer.body);
        let sent = Arc::unwrap_or_clone(sent);
        *travelled = match parked {
            None => Some(sent.travelled),
            Some(parked) => unparked(parked, room, sent.travelled).await,
        };
        Ok(Proof {
            endpoint: to.url.clone(),
            protocol: PROTOCOL.to_owned(),
            message_id: sent.message_id,
            returned_message_id: receipt_id,
            remark: None,
        })
    }

    /// The certificate is checked at every attempt (checklist B-09).
    async fn peer(&self, certificate: &Certificate) -> Result<Arc<Peer>, SendFailure> {
        self.trust.prepare(certificate.der(), CertificateRole::AccessPoint).await;
        if let Err(refusal) = self.trust.judge(certificate.der(), CertificateRole::AccessPoint) {
            let message =
                format!("The certificate of the receiver's access point is refused: {refusal}.");
            let again = refusal.is_temporary() || refusal.is_too_early();
            let code = if refusal.is_temporary() { REVOCATION_UNKNOWN } else { "AP-CERTIFICATE" };
            return Err(SendFailure { again, ..SendFailure::new(code, message) });
        }
        self.trust
            .access_point(certificate.der())
            .map_err(|refusal| SendFailure::new("AP-CERTIFICATE", refusal.reason))
    }

    /// Seals a message on a thread of its own; answers what goes over the wire apart from what it
    /// is compared with afterwards.
    async fn seal(
        &self,
        shipment: OutboundEnvelope<'_>,
        peer: Arc<Peer>,
        timestamp: Timestamp,
    ) -> Result<(HttpMessage, SealedMessage), SendFailure> {
        let fault = |problem: String| SendFailure {
            again: true,
            ..SendFailure::new("SEAL", format!("The message could not be sealed: {problem}."))
        };
        let OutboundHeader { organisation, sbdh, message_id, .. } = shipment.header;
        let own = self.own.at(timestamp).map_err(fault)?.clone();
        let message = UserMessage {
            message_id: message_id.to_owned(),
            conversation_id: sbdh.instance.clone(),
            timestamp,
            from: own.seat_id.clone(),
            to: peer.common_name.clone(),
            service: sbdh.process.value().to_owned(),
            service_type: sbdh.process.scheme().to_owned(),
            action: format!("{}::{}", sbdh.document_type.scheme(), sbdh.document_type.value()),
            original_sender: sbdh.sender.to_string(),
            final_recipient: sbdh.receiver.to_string(),
        };
        let mut random = [0; Entropy::BYTES];
        aws_lc_rs::rand::fill(&mut random).map_err(|_| fault("no random bytes".to_owned()))?;
        let entropy = Entropy::from_bytes(&random);
        let envelope = shipment.envelope;
        let seal = move || {
            let compressed = as4::gzip(&envelope)?;
            // Where nobody else has it its memory is free.
            drop(envelope);
            as4::seal_compressed(&message, compressed, &own, &peer, &entropy)
        };
        let sealed = self.budgets.pool.run(Purpose::Seal, organisation, seal).await;
        let sealed = sealed.map_err(|busy| fault(busy.to_string()))?;
        let mut sent = sealed.map_err(|error| fault(error.to_string()))?;
        let nothing = HttpMessage { content_type: String::new(), body: Vec::new() };
        Ok((std::mem::replace(&mut sent.http, nothing), sent))
    }

    /// Sends a message, a large one from the disk: whatever the other side takes, only what proves
    /// the message stays in memory meanwhile.
    async fn call(
        &self,
        message: HttpMessage,
        url: &str,
        (room, held): (Option<&mut Holding>, usize),
    ) -> Result<net::HttpAnswer, SendFailure> {
        let content_type = HeaderValue::from_str(&message.content_type)
            .map_err(|_| SendFailure::new("SEAL", "The content type cannot be sent.".to_owned()))?;
        let patience = self.patience(message.body.len());
        let mut body = Some(Bytes::from(message.body));
        let spooled = self.spooled(body.as_ref(), &net::host(url)).await;
        let spooled = spooled.map(|spool| Arc::new(spool) as Arc<dyn BodySource>);
        if spooled.is_some() {
            body = None;
        }
        // The other side may be this service, which needs room to take the message.
        if let Some(room) = room {
            room.shrink_to(held + body.as_ref().map_or(0, Bytes::len));
        }
        let call = HttpCall {
            method: Method::POST,
            headers: vec![
                (CONTENT_TYPE, content_type),
                (ACCEPT_ENCODING, HeaderValue::from_static("identity")),
            ],
            body,
            spooled,
            // The same bytes under the same ids: a receiver recognises the repeat.
            repeatable: true,
            cut_answer: CutAnswer::Signed,
            ..HttpCall::get(url, patience, LARGEST_ANSWER)
        };
        self.http.call(call).await.map_err(|error| SendFailure::unheard(&error))
    }

    /// A receipt may be signed with another certificate of the same seat; what is needed to judge
    /// that one is fetched before it is read again.
    async fn read(
        &self,
        answer: &net::HttpAnswer,
        sent: &Arc<SealedMessage>,
        host: &str,
    ) -> Result<Result<As4Answer, AnswerRefusal>, SendFailure> {
        let kind = answer.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
        let kind: Arc<str> = kind.unwrap_or_default().into();
        if let Err(packed) = heard::plain(&answer.headers) {
            return Ok(Err(packed));
        }
        for prepared in [false, true] {
            let (kind, body) = (kind.clone(), answer.body.clone());
            let (sent, trust) = (sent.clone(), self.trust.clone());
            let read = move || {
                let read = as4::read_answer(&kind, &body, &sent, trust.as_ref());
                let unproven = matches!(&read, Err(refusal) if refusal.is_unproven());
                let ask = unproven && !prepared;
                let claimed = ask.then(|| as4::claimed_answer_signer(&kind, &body)).flatten();
                (read, claimed)
            };
            let done = self.budgets.pool.run(Purpose::Answer, host, read).await;
            let (read, claimed) = done.map_err(|busy| {
                let message = format!("The answer of the access point could not be read: {busy}.");
                SendFailure { again: true, ..SendFailure::new("NO-RECEIPT", message) }
            })?;
            match claimed {
                Some(signer) => self.trust.prepare(&signer, CertificateRole::AccessPoint).await,
                None => return Ok(read),
            }
        }
        Ok(Err(AnswerRefusal::Missing))
    }
}
