//! One go of an outgoing document, as its channel sees it: what it works on, and what came of the
//! attempt.

use std::collections::BTreeMap;
use std::future::Future;
use std::time::Duration;

use bytes::Bytes;
use jiff::{SignedDuration, Timestamp};
use quoin_delivery::channel::{self, NETWORK, is_network};
use quoin_delivery::ids::jitter;
use quoin_delivery::{
    Admission, ChannelOption, Decision, DeliveryOutcome, Event, IssuedInvoice, Pause, Route,
    Transaction, decide,
};
use quoin_store::{
    AttemptOutcome, Claim, Evidence, EvidenceKind, Hook, NotedBreaker, PartyRecord, SideEffects,
    StatusRecord, TransactionFacts, TransactionRecord,
};
use serde::Serialize;

use super::queue::CallPlace;
use super::{ChannelContext, protocol};
use crate::budget::Holding;
use crate::budget::bytes::{SENT_WEIGHT, SMALL};
use crate::metrics::Sent;
use crate::plan::Plan;
use crate::sending::{Breakers, HeldProbe};
use crate::step::{LEASE, StepFault};

/// The part of a rest over which the documents that wait for it come back.
const APART: f64 = 0.5;

/// What proves an attempt.
#[derive(Debug, Default)]
pub(crate) struct Proven {
    /// The receipt of the receiver's access point.
    pub(crate) receipt: Option<Bytes>,
    /// What is kept besides it.
    pub(crate) evidence: Vec<Evidence>,
}

/// An attempt that was made, as its channel saw it.
pub(crate) struct ChannelAttempt {
    /// What came of it.
    pub(crate) outcome: DeliveryOutcome,
    /// When it began.
    pub(crate) started_on: Timestamp,
    /// Where it went to.
    pub(crate) endpoint: Option<String>,
    /// Everything that was seen, as it is kept.
    pub(crate) report: serde_json::Value,
    /// How long the other side took, in milliseconds.
    pub(crate) elapsed_ms: Option<u32>,
    /// What it means for the address of an access point; of other destinations it is found where
    /// the attempt is noted.
    pub(crate) breaker: Option<NotedBreaker>,
    /// What proves it.
    pub(crate) proof: Proven,
}

impl ChannelAttempt {
    /// An attempt of which nothing more is known.
    pub(crate) fn of(outcome: DeliveryOutcome, started_on: Timestamp) -> ChannelAttempt {
        let (report, proof) = (serde_json::Value::default(), Proven::default());
        let (endpoint, elapsed_ms, breaker) = (None, None, None);
        ChannelAttempt { outcome, started_on, endpoint, report, elapsed_ms, breaker, proof }
    }

    /// The same with what was seen.
    pub(crate) fn seen(self, report: &impl Serialize) -> ChannelAttempt {
        ChannelAttempt { report: serde_json::to_value(report).unwrap_or_default(), ..self }
    }
}

/// How long a counterpart may take before it is noted that the step goes on.
const AT_ONCE: Duration = Duration::from_secs(1);

/// What the steps of one go have come to so far.
pub struct OutboundRun<'h> {
    pub(crate) context: ChannelContext<'h>,
    pub(crate) claim: Claim,
    pub(crate) record: TransactionRecord,
    /// The transaction as it will stand after what was decided so far.
    pub(crate) now_at: Transaction,
    pub(crate) decided: Option<Decision>,
    pub(crate) facts: TransactionFacts,
    pub(crate) attempt: Option<quoin_store::Attempt>,
    /// The party that sends.
    pub(crate) party: Option<PartyRecord>,
    /// The status that the document carries, where it is one that the service gives itself.
    pub(crate) carried: Option<StatusRecord>,
    /// What became of the document where it was converted, as JSON.
    pub(crate) conversion: Option<Vec<u8>>,
    /// The document in the form that the channel carries, where it was converted for that.
    pub(crate) form: Option<Bytes>,
    /// The invoice as an authority has it, where one registers it before it leaves.
    pub(crate) issued: Option<IssuedInvoice>,
    /// What is recorded beside the step.
    pub(crate) beside: SideEffects,
    /// Whether the hook of its channel is gone, also where another one has its id by now.
    pub(crate) is_hook_gone: bool,
    /// Whether there is no place for it now: nothing is recorded, and it comes again.
    pub(crate) aside: bool,
    /// The host that has no place for it, where one was asked.
    pub(crate) crowded: Option<String>,
    /// Where it is the one document that is sent to an address that was left alone.
    pub(crate) probe: Option<HeldProbe<'h>>,
    /// The document as it was uploaded; a large one is not kept beside what is sent.
    pub(crate) upload: Option<Bytes>,
    /// What the step holds of the memory.
    pub(crate) room: Option<Holding>,
}

impl<'h> OutboundRun<'h> {
    /// One that has just begun, of a document of a party, with the status that it carries.
    pub(crate) fn begun(
        context: ChannelContext<'h>,
        claim: Claim,
        record: TransactionRecord,
        (party, carried): (Option<PartyRecord>, Option<StatusRecord>),
        upload: &Bytes,
    ) -> OutboundRun<'h> {
        OutboundRun {
            context,
            claim,
            now_at: record.transaction.clone(),
            record,
            decided: None,
            facts: TransactionFacts::default(),
            attempt: None,
            carried,
            party,
            issued: None,
            beside: SideEffects::default(),
            conversion: None,
            form: None,
            is_hook_gone: false,
            aside: false,
            crowded: None,
            probe: None,
            upload: Some(upload.clone()).filter(|upload| upload.len() <= SMALL),
            room: None,
        }
    }
}

impl OutboundRun<'_> {
    /// Notes an event and what follows from it.
    pub(crate) fn decide(&mut self, event: &Event) {
        let decision = decide(&self.now_at, event, self.context.policy, self.context.clock.now());
        self.now_at = self.now_at.after(&decision);
        self.decided = Some(match self.decided.take() {
            Some(before) => before.followed_by(decision),
            None => decision,
        });
    }

    /// The hook of a channel as it is now; none where it is off or gone.
    pub(super) async fn hook_of(&self, by: &ChannelOption) -> Result<Option<Hook>, StepFault> {
        if self.is_hook_gone {
            return Ok(None);
        }
        let Ok(key) = by.hook.parse() else { return Ok(None) };
        let owner = &self.record.transaction.organisation;
        let hook = self.context.store.hook_of_key(owner, &key).await?;
        Ok(hook.filter(|hook| hook.is_active))
    }

    /// Whether another channel comes after this one for a document that it does not reach. One that
    /// was tried over it stays with it, since whoever is behind it may have it.
    pub(crate) fn may_pass_on(&self) -> bool {
        let way = &self.now_at.way;
        way.unreachable.is_some() && self.now_at.attempts == way.attempts_before
    }

    /// The channel does not reach the receiver of the document, or has no form of it: where another
    /// one comes after it, the document takes that.
    pub(crate) fn passes_on(&mut self, code: &str, cause: &str) -> bool {
        if !self.may_pass_on() {
            return false;
        }
        let message = format!("{}.", cause.trim_end_matches('.'));
        self.decide(&Event::Unroutable { code: code.to_owned(), message, cause: String::new() });
        true
    }

    /// Waits for a counterpart, and makes sure that nobody else takes the step meanwhile. Most
    /// answer at once: nothing is written for them. A document that had to wait for its destination
    /// lets the next one go first.
    ///
    /// # Errors
    /// [`StepFault`] where the step is somebody else's by now; the counterpart may have it.
    pub(super) async fn kept_while<T>(
        &self,
        patience: Duration,
        counterpart: impl Future<Output = T>,
    ) -> Result<T, StepFault> {
        let left = self.claim.lease_until.duration_since(self.context.clock.now());
        let is_short = left < SignedDuration::try_from(AT_ONCE * 60).unwrap_or_default();
        if is_short || self.claim.destination().is_some() {
            self.keep_for(patience).await?;
            return Ok(counterpart.await);
        }
        let mut counterpart = std::pin::pin!(counterpart);
        if let Ok(done) = tokio::time::timeout(AT_ONCE, &mut counterpart).await {
            return Ok(done);
        }
        self.keep_for(patience).await?;
        Ok(counterpart.await)
    }

    async fn keep_for(&self, patience: Duration) -> Result<(), StepFault> {
        let longest = SignedDuration::try_from(patience).unwrap_or(SignedDuration::ZERO);
        let until = self.context.clock.now().saturating_add(longest.saturating_add(LEASE));
        Ok(self.context.store.extend(&self.claim, until.unwrap_or(Timestamp::MAX)).await?)
    }

    /// A place at a destination, waited for in turn for a moment; without one the document comes
    /// again. It is asked for when nothing but the call is left to do, so that places are held no
    /// longer than calls take.
    pub(super) async fn place_at(&mut self, host: &str) -> Option<CallPlace> {
        if let Some(room) = &mut self.room {
            // Whatever was read of it is gone by now.
            let size = usize::try_from(self.record.size).unwrap_or(usize::MAX);
            room.shrink_to(size.saturating_mul(SENT_WEIGHT));
        }
        let (queue, budgets) = (self.context.queue, self.context.budgets);
        let of = &self.record.transaction;
        let who = (of.organisation.as_str(), self.context.store.weight_of(&of.organisation));
        let place = queue.enter(budgets, host, who, of.id.as_str()).await;
        if place.is_none() {
            self.aside = true;
            self.crowded = Some(host.to_owned());
        }
        place
    }

    /// Notes where the document goes.
    pub(super) fn goes_to(&mut self, endpoint: &str, plan: &Plan, by: &ChannelOption) {
        self.decide(&Event::Routed(Route {
            endpoint: endpoint.to_owned(),
            protocol: protocol(by.kind).to_owned(),
            document_type: plan.document_type.to_string(),
            process: plan.process.to_string(),
        }));
    }

    /// What filters and mails are told of the document.
    pub(crate) fn facts_of(&self, plan: &Plan) -> BTreeMap<String, String> {
        let mut facts = plan.facts(self.now_at.family);
        let id = self.record.transaction.document_id.to_string();
        facts.insert("documentId".to_owned(), id);
        facts
    }

    /// Notes an attempt and what follows from it.
    pub(crate) fn attempted(&mut self, made: ChannelAttempt) {
        let attempt = self.now_at.attempts + 1;
        let outcome = made.outcome;
        let kind = self.now_at.way.kind.unwrap_or(NETWORK.hook.kind);
        let protocol = channel::row(kind).unwrap_or(&NETWORK).protocol;
        self.context.metrics.channel_attempts.add(protocol, counted(&outcome));
        let destination = self.note_destination(made.endpoint.as_deref(), &outcome);
        let losses = self.conversion.iter().cloned();
        let losses = losses.map(|list| (EvidenceKind::Losses, Bytes::from(list)));
        let is_delivered = matches!(outcome, DeliveryOutcome::Delivered(_));
        let form = self.form.clone().filter(|_| is_delivered);
        let form = form.map(|document| (EvidenceKind::Carried, document));
        self.attempt = Some(quoin_store::Attempt {
            attempt,
            started_on: made.started_on,
            ended_on: self.context.clock.now(),
            outcome: match &outcome {
                DeliveryOutcome::Delivered(_) => AttemptOutcome::Delivered,
                DeliveryOutcome::Later(_) => AttemptOutcome::Later,
                DeliveryOutcome::Never(_) => AttemptOutcome::Never,
            },
            endpoint: made.endpoint,
            protocol: Some(protocol.to_owned()),
            report: made.report,
            receipt: made.proof.receipt,
            receipt_blob: None,
            code: outcome.code().map(str::to_owned),
            elapsed_ms: made.elapsed_ms,
            breaker: made.breaker.or(destination),
            evidence: made.proof.evidence.into_iter().chain(losses).chain(form).collect(),
        });
        self.decide(&Event::Attempted { attempt, outcome });
    }

    /// What an attempt means for the address that it went to.
    pub(super) fn breaker(
        &mut self,
        endpoint: &str,
        outcome: &DeliveryOutcome,
    ) -> Option<NotedBreaker> {
        let document = self.record.transaction.id.as_str();
        let now = self.context.clock.now();
        let breaker = self.context.breakers.note(endpoint, document, outcome.code(), now);
        // It said what it was sent for; where it said nothing, the next one is the probe.
        self.probe = None;
        let breaker = breaker?;
        Some(NotedBreaker { place: endpoint.to_owned(), breaker })
    }

    /// Until when the address of an access point is left alone, if it is. Those that wait come back
    /// one after the other.
    pub(super) fn rests(&mut self, endpoint: &str) -> Option<Timestamp> {
        let now = self.context.clock.now();
        let admission = self.context.breakers.admit(endpoint, self.record.created_on, now);
        if admission == Admission::Probe {
            self.probe = Some(HeldProbe::of(self.context.breakers, endpoint));
        }
        let Admission::Wait(until) = admission else { return None };
        let jitter = jitter(self.record.transaction.id.as_str(), self.now_at.attempts);
        let rest = until.duration_since(now).as_secs_f64();
        let apart = SignedDuration::try_from_secs_f64(rest * jitter * APART).unwrap_or_default();
        Some(until.saturating_add(apart).unwrap_or(until))
    }

    /// Whether the destination of a channel is left alone, which is noted.
    pub(super) fn is_left_alone(&mut self, endpoint: &str) -> bool {
        let place = Breakers::place(&self.record.transaction.organisation, endpoint);
        let Some(until) = self.rests(&place) else { return false };
        let (endpoint, why) = (endpoint.to_owned(), Pause::Resting);
        self.decide(&Event::Postponed { endpoint, until, why });
        true
    }

    /// Notes for a channel beside the network how its destination did: for the documents of this
    /// organisation only, so that none keeps those of another one away.
    fn note_destination(
        &mut self,
        endpoint: Option<&str>,
        outcome: &DeliveryOutcome,
    ) -> Option<NotedBreaker> {
        let kind = self.now_at.way.kind;
        let endpoint = endpoint.filter(|_| kind.is_some_and(|kind| !is_network(kind)))?;
        self.breaker(&Breakers::place(&self.record.transaction.organisation, endpoint), outcome)
    }
}

/// What an attempt counts as.
pub(super) fn counted(outcome: &DeliveryOutcome) -> Sent {
    match outcome {
        DeliveryOutcome::Delivered(_) => Sent::Delivered,
        DeliveryOutcome::Later(_) => Sent::Later,
        DeliveryOutcome::Never(_) => Sent::Never,
    }
}
