//! The network: finding the receiver, and one attempt over AS4, or the reason why none is made now.

mod exchanged;
mod manual;
mod moved;
mod sent_as;
mod unreached;

use bytes::Bytes;
use futures::future::{BoxFuture, FutureExt};
use jiff::Timestamp;
use quoin_delivery::channel::UNREACHABLE;
use quoin_delivery::hook::ActionKind;
use quoin_delivery::{DeliveryOutcome, Event, Family, Later, Never, Pause, Route, fate};
use quoin_peppol::as4::WireCopy;
use quoin_peppol::lookup::LookupError;
use quoin_peppol::sbdh::{self, Sbdh};
use quoin_store::blobs::BlobId;
use quoin_store::{Evidence, EvidenceKind, TimelineLine};
use serde::Serialize;

use crate::lookup::{LookupFailure, LookupReport, ResolvedReceiver};
use crate::net;
use crate::plan::Plan;
use crate::rules::RuleLibrary;
use crate::sending::{
    Attempted, Destination, OutboundEnvelope, OutboundHeader, PROTOCOL, SendReport, Sender,
};
use crate::step::StepFault;

use crate::budget::LinePlace;
use crate::budget::bytes::SMALL;

pub(crate) use sent_as::{SentAs, may_have_arrived};
pub(crate) use unreached::unroutable;

use super::manual::ChannelManual;
use super::run::counted;
use super::{Allowed, Channel, ChannelAttempt, OutboundDelivery, OutboundRun, Proven};

/// Everything that was seen during an attempt.
#[derive(Debug, Default, Serialize)]
struct PeppolAttemptReport<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    lookup: Option<&'a LookupReport>,
    /// What the document was sent as, where it was converted and may have arrived.
    #[serde(skip_serializing_if = "Option::is_none")]
    converted: Option<SentAs>,
    #[serde(skip_serializing_if = "Option::is_none")]
    send: Option<&'a SendReport>,
    /// What an access point said that the receiver had left by then.
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<&'a SendReport>,
}

/// The network.
pub(super) struct Peppol;

impl Channel for Peppol {
    fn kind(&self) -> ActionKind {
        ActionKind::Peppol
    }

    fn manual(&self) -> &'static ChannelManual {
        &manual::MANUAL
    }

    fn check(&self, _action: &str, _allowed: &Allowed) -> Result<(), String> {
        Ok(())
    }

    fn deliver<'a>(
        &'a self,
        go: &'a mut OutboundRun<'_>,
        delivery: OutboundDelivery<'a>,
    ) -> BoxFuture<'a, Result<(), StepFault>> {
        let OutboundDelivery { plan, document, found, .. } = delivery;
        go.over_peppol(plan, document, found).boxed()
    }
}

impl OutboundRun<'_> {
    async fn over_peppol(
        &mut self,
        plan: &Plan,
        document: Bytes,
        found: Option<Result<ResolvedReceiver, LookupFailure>>,
    ) -> Result<(), StepFault> {
        let started_on = self.context.clock.now();
        let lookup = self.context.lookup;
        let found = match found {
            Some(found) => found,
            None => lookup.find(&plan.receiver, &plan.document_type, &plan.process).await,
        };
        match found {
            Ok(found) => self.send(plan, document, found, started_on).await,
            Err(failure) if matches!(failure.error, LookupError::Crowded { .. }) => {
                self.aside = true;
                Ok(())
            }
            // A provider that cannot be found yet is looked for again: a failure has to be told.
            Err(failure) if failure.error.is_temporary() || self.is_owed_to_others() => {
                self.unanswered(&failure, started_on);
                Ok(())
            }
            Err(failure) => {
                let cause = serde_json::to_string(&failure.report).unwrap_or_default();
                let code = failure.error.code().to_owned();
                let message = self.unreached_as(plan, &failure).await;
                self.decide(&Event::Unroutable { code, message, cause });
                Ok(())
            }
        }
    }

    /// Whether it is a message of the service's own that somebody is owed.
    fn is_owed_to_others(&self) -> bool {
        self.carried.is_some() || self.now_at.family == Family::TaxReport
    }

    async fn send(
        &mut self,
        plan: &Plan,
        document: Bytes,
        found: ResolvedReceiver,
        started_on: Timestamp,
    ) -> Result<(), StepFault> {
        let sender = self.context.sender.ok_or(StepFault::NoAccessPoint)?;
        let endpoint = found.endpoint.address.clone();
        self.decide(&routed(plan, &endpoint));
        if let Some(until) = self.rests(&endpoint) {
            self.decide(&Event::Postponed { endpoint, until, why: Pause::Resting });
            return Ok(());
        }
        let instance = self.record.instance_id.clone().unwrap_or_default();
        // The time of recording, so that every attempt sends the same bytes.
        let sbdh = plan.sbdh(instance, self.record.created_on);
        // What is sent again where no answer comes; an upload is on record.
        let form = self.conversion.is_some().then(|| document.clone());
        let (envelope, is_upload) = match self.enclosed(plan, &sbdh, document).await? {
            Ok(enclosed) => enclosed,
            Err(refusal) => {
                self.unenveloped(&refusal, &found.report, started_on);
                return Ok(());
            }
        };
        let Some(place) = self.place_at(&net::host(&endpoint)).await else { return Ok(()) };
        let beside = form.as_ref().map_or(0, Bytes::len);
        if !self.keeps(beside).await {
            return Ok(());
        }
        let unanswered = self.may_have_arrived().await?;
        let message_id = self.record.message_id.clone().unwrap_or_default();
        let bytes = envelope.len();
        // A second attempt follows only where the first one went by a kept answer. A large document
        // is read again for it.
        let spare = (found.report.is_kept() && !is_upload).then(|| envelope.clone());
        let mut room = self.room.take();
        let organisation = self.record.transaction.organisation.clone();
        let header = OutboundHeader {
            organisation: organisation.as_str(),
            message_id: &message_id,
            sbdh: &sbdh,
            unanswered,
        };
        let mut found = found;
        let to = destination(&found);
        let shipment = OutboundEnvelope { header, envelope, room: room.as_mut(), beside };
        let mut attempted = self.attempt(sender, shipment, &to).await?;
        let mut refused = None;
        if let Some(moved) = self.moved(plan, &found, &attempted).await {
            let Some(_there) = self.goes_on(place, &attempted, &moved) else { return Ok(()) };
            let envelope = match spare {
                Some(spare) => Some(spare),
                None => self.enclosed_again(plan, &sbdh, room.as_mut()).await?,
            };
            if let Some(envelope) = envelope {
                found = moved;
                let to = destination(&found);
                let room = room.as_mut();
                let shipment = OutboundEnvelope { header, envelope, room, beside };
                let again = self.attempt(sender, shipment, &to).await?;
                refused = Some(std::mem::replace(&mut attempted, again).report);
            }
        }
        self.room = room;
        let sent = SentAttempt { plan, found, attempted, refused, bytes, form };
        self.sent(sent, started_on).await
    }

    /// Whether there is room for what is kept beside the envelope; else it is done later.
    async fn keeps(&mut self, beside: usize) -> bool {
        let Some(room) = &mut self.room else { return true };
        self.aside = room.ask(beside, LinePlace::MORE).await.is_err();
        !self.aside
    }

    /// One attempt, with what it says of whoever was called.
    async fn attempt(
        &self,
        sender: &Sender,
        shipment: OutboundEnvelope<'_>,
        to: &Destination,
    ) -> Result<Attempted, StepFault> {
        let patience = sender.patience(shipment.envelope.len());
        let attempted = self.kept_while(patience, sender.attempt(shipment, to)).await?;
        // Where it came to a call: a certificate that is not taken says nothing of the machine.
        if attempted.report.sent_bytes > 0 {
            self.context.queue.heard(&net::host(&to.url), attempted.report.elapsed_ms);
        }
        Ok(attempted)
    }

    /// A document in its envelope, and whether it is a large one that goes as it was uploaded. The
    /// document itself is gone then.
    async fn enclosed(
        &self,
        plan: &Plan,
        header: &Sbdh,
        document: Bytes,
    ) -> Result<Result<(Bytes, bool), sbdh::WrapRefusal>, StepFault> {
        let (payload, header) = (plan.payload.clone(), header.clone());
        let recorded = self.record.sha256;
        let enclose = move |_: &RuleLibrary| {
            let is_upload = document.len() > SMALL && BlobId::of(&document) == recorded;
            payload.enclosed(&header, &document).map(|envelope| (envelope, is_upload))
        };
        self.context.apart(&self.record, enclose).await
    }

    /// Notes what came of an attempt.
    async fn sent(
        &mut self,
        sent: SentAttempt<'_>,
        started_on: Timestamp,
    ) -> Result<(), StepFault> {
        let SentAttempt { plan, found, attempted, refused, bytes, form } = sent;
        let Attempted { outcome, report, receipt, travelled, word } = attempted;
        if let Some(until) = self.reconnects(&outcome).await? {
            // A probe that was refused keeps the others away, though it was no attempt yet.
            if self.probe.is_some() {
                self.breaker(&report.endpoint, &outcome);
            }
            let (endpoint, why) = (report.endpoint.clone(), Pause::Refused);
            self.decide(&Event::Postponed { endpoint, until, why });
            return Ok(());
        }
        if matches!(outcome, DeliveryOutcome::Delivered(_)) {
            let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
            self.exchanged(plan, &report, bytes, receipt.is_some());
        }
        self.context.metrics.as4_sent.add(counted(&outcome));
        if !matches!(outcome, DeliveryOutcome::Delivered(_)) {
            // The endpoint or its certificate may have moved: the next attempt asks anew.
            self.context.lookup.forget(&plan.receiver);
        }
        let code = outcome.code();
        let is_open = code.is_some_and(|code| fate::may_have_arrived(code, report.http_status));
        let form = form.filter(|_| is_open);
        let seen = PeppolAttemptReport {
            lookup: Some(&found.report),
            converted: form.is_some().then(|| SentAs::planned(plan)),
            send: Some(&report),
            refused: refused.as_ref(),
        };
        let mut evidence = match receipt.as_ref().or(word.as_ref()) {
            Some(_) => evidence(travelled, &found.report, word),
            None => Vec::new(),
        };
        evidence.extend(form.map(|form| (EvidenceKind::Carried, form)));
        let proof = Proven { receipt, evidence };
        let breaker = self.breaker(&report.endpoint, &outcome);
        self.attempted(ChannelAttempt {
            endpoint: Some(report.endpoint.clone()),
            report: serde_json::to_value(&seen).unwrap_or_default(),
            elapsed_ms: report.elapsed_ms.and_then(|elapsed| elapsed.try_into().ok()),
            breaker,
            proof,
            ..ChannelAttempt::of(outcome, started_on)
        });
        Ok(())
    }

    fn unenveloped(
        &mut self,
        refusal: &sbdh::WrapRefusal,
        lookup: &LookupReport,
        started_on: Timestamp,
    ) {
        let message = format!("The document could not be enveloped: {refusal}.");
        let never = Never { code: "ENVELOPE".to_owned(), message, ..Never::default() };
        let seen = PeppolAttemptReport { lookup: Some(lookup), ..PeppolAttemptReport::default() };
        self.attempted(ChannelAttempt::of(DeliveryOutcome::Never(never), started_on).seen(&seen));
    }

    /// Whether an attempt with the same identifiers may have reached the receiver unheard: one
    /// whose answer left that open, or one that a crash kept from being recorded, of this step or
    /// of one before it.
    async fn may_have_arrived(&self) -> Result<bool, StepFault> {
        if self.claim.claims > 1 {
            return Ok(true);
        }
        if self.record.transaction.attempts == 0 {
            return Ok(false);
        }
        let attempts = self.context.store.attempts_of(&self.record.transaction.id).await?;
        Ok(attempts.iter().any(may_have_arrived))
    }

    /// When a refused connection is tried again, where that does not count as an attempt yet.
    async fn reconnects(&self, outcome: &DeliveryOutcome) -> Result<Option<Timestamp>, StepFault> {
        let refused = matches!(outcome, DeliveryOutcome::Later(later) if later.code == UNREACHABLE);
        if !refused || self.context.policy.reconnect.is_empty() {
            return Ok(None);
        }
        let lines = self.context.store.timeline_of(&self.record.transaction.id).await?;
        let waited = |line: &&TimelineLine| {
            line.name == "Postponed" && line.code.as_deref() == Some(UNREACHABLE)
        };
        let tried = lines.iter().rev().take_while(waited).count();
        Ok(self.context.policy.reconnect(tried, self.context.clock.now()))
    }

    /// A look-up without an answer is an attempt that failed for now.
    pub(crate) fn unanswered(&mut self, failure: &LookupFailure, started_on: Timestamp) {
        let later = Later {
            code: failure.error.code().to_owned(),
            message: format!("{failure}."),
            ..Later::default()
        };
        let seen =
            PeppolAttemptReport { lookup: Some(&failure.report), ..PeppolAttemptReport::default() };
        self.attempted(ChannelAttempt::of(DeliveryOutcome::Later(later), started_on).seen(&seen));
    }
}

/// An attempt that was made, after one that a former access point of the receiver refused.
struct SentAttempt<'a> {
    plan: &'a Plan,
    found: ResolvedReceiver,
    attempted: Attempted,
    refused: Option<SendReport>,
    bytes: usize,
    /// What the document was converted to, where it was.
    form: Option<Bytes>,
}

/// The way that was found for a document.
fn routed(plan: &Plan, endpoint: &str) -> Event {
    Event::Routed(Route {
        endpoint: endpoint.to_owned(),
        protocol: PROTOCOL.to_owned(),
        document_type: plan.document_type.to_string(),
        process: plan.process.to_string(),
    })
}

fn destination(found: &ResolvedReceiver) -> Destination {
    Destination {
        url: found.endpoint.address.clone(),
        certificate: found.endpoint.certificate.certificate().clone(),
    }
}

/// What is kept of a delivery besides the receipt.
fn evidence(
    travelled: Option<WireCopy>,
    report: &LookupReport,
    word: Option<Bytes>,
) -> Vec<Evidence> {
    let answers = [EvidenceKind::SmpAnswer, EvidenceKind::RedirectedAnswer];
    let answers = answers.into_iter().zip(report.answers.iter().cloned());
    let message = travelled.into_iter().flat_map(|travelled| {
        [
            (EvidenceKind::Message, Bytes::from(travelled.envelope)),
            (EvidenceKind::Payload, Bytes::from(travelled.payload)),
        ]
    });
    let word = word.map(|word| (EvidenceKind::Word, word));
    message.chain(answers).chain(word).collect()
}
