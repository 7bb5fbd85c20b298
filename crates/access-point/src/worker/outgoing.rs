//! An outgoing document: checked, looked up, sent — in one go where nothing stands in the way.
//!
//! The decisions of the single steps are joined and committed together with the attempt. A crash
//! before that commit does everything again with the same identifiers, which the receiver
//! recognises.

mod planned;
mod watched;

use std::collections::BTreeMap;

use bytes::Bytes;
use jiff::Timestamp;
use quoin_delivery::channel::NO_CHANNEL;
use quoin_delivery::choice::{self, UnknownChannel};
use quoin_delivery::decision::STATUS_CODE;
use quoin_delivery::{
    Breaker, Channel, Decision, Event, Family, Outcome, Status, Transaction, Way, decide,
};
use quoin_peppol::identifiers::ParticipantId;
use quoin_store::{
    AttemptOutcome, Claim, Completion, Evidence, Facts, Party, SideEffects, StatusRecord,
    TransactionRecord,
};
use serde::Serialize;

use super::{StepFault, Worker};
use crate::channels::{self, Delivery};
use crate::enrolment::spoken;
use crate::plan::{Plan, Planned};

/// What proves an attempt.
#[derive(Debug, Default)]
pub(crate) struct Proven {
    /// The receipt of the receiver's access point.
    pub(crate) receipt: Option<Bytes>,
    /// What is kept besides it.
    pub(crate) evidence: Vec<Evidence>,
}

/// An attempt that was made, as its channel saw it.
pub(crate) struct Attempt {
    /// What came of it.
    pub(crate) outcome: Outcome,
    /// When it began.
    pub(crate) started_on: Timestamp,
    /// Where it went to.
    pub(crate) endpoint: Option<String>,
    /// Everything that was seen, as it is kept.
    pub(crate) report: serde_json::Value,
    /// How long the other side took, in milliseconds.
    pub(crate) elapsed_ms: Option<u32>,
    /// What it means for the address.
    pub(crate) breaker: Option<Breaker>,
    /// What proves it.
    pub(crate) proof: Proven,
}

impl Attempt {
    /// An attempt of which nothing more is known.
    pub(crate) fn of(outcome: Outcome, started_on: Timestamp) -> Attempt {
        let (report, proof) = (serde_json::Value::default(), Proven::default());
        let (endpoint, elapsed_ms, breaker) = (None, None, None);
        Attempt { outcome, started_on, endpoint, report, elapsed_ms, breaker, proof }
    }

    /// The same with what was seen.
    pub(crate) fn seen(self, report: &impl Serialize) -> Attempt {
        Attempt { report: serde_json::to_value(report).unwrap_or_default(), ..self }
    }
}

/// What the steps of one go have come to so far.
pub struct OutboundRun<'h> {
    pub(crate) hands: &'h Worker,
    pub(crate) claim: Claim,
    pub(crate) record: TransactionRecord,
    /// The transaction as it will stand after what was decided so far.
    pub(crate) now_at: Transaction,
    pub(crate) decided: Option<Decision>,
    pub(crate) facts: Facts,
    pub(crate) attempt: Option<quoin_store::Attempt>,
    /// The party that sends.
    pub(crate) party: Option<Party>,
    /// The status that the document carries, where it is one that the service gives itself.
    pub(crate) carried: Option<StatusRecord>,
    /// What is recorded beside the step.
    pub(crate) beside: SideEffects,
    /// Whether there is no place for it now: nothing is recorded, and it comes again.
    pub(crate) aside: bool,
}

impl Worker {
    /// Takes an outgoing document as far as it goes.
    pub(super) async fn outgoing(
        &self,
        claim: Claim,
        record: TransactionRecord,
    ) -> Result<(), StepFault> {
        if self.is_still_crowded(&claim, &record).await? {
            return Ok(());
        }
        let Some(document) = self.counted(&claim, &record).await? else { return Ok(()) };
        let party = self.party(&record.transaction).await?;
        let carried = self.carried(&record.transaction).await?;
        let now_at = record.transaction.clone();
        let mut go = OutboundRun {
            hands: self,
            claim,
            record,
            now_at,
            decided: None,
            facts: Facts::default(),
            attempt: None,
            carried,
            party,
            beside: SideEffects::default(),
            aside: false,
        };
        let Planned { known, plan, .. } = go.plan(&document).await?;
        match plan {
            Err(rejected) => {
                go.apply_fact(known.recorded());
                go.decide(&rejected);
            }
            Ok(mut plan) => {
                let document = plan.rewritten.take().map_or(document, Bytes::from);
                go.deliver_over(&plan, document).await?;
            }
        }
        if go.aside {
            return self.step_aside(go.claim, &go.record).await;
        }
        go.commit().await
    }

    /// The status that a document of the service's own carries.
    async fn carried(&self, of: &Transaction) -> Result<Option<StatusRecord>, StepFault> {
        if of.family != Family::MessageLevelStatus {
            return Ok(None);
        }
        Ok(self.store.status_carried_by(&of.id).await?)
    }

    /// The party that one of its identifiers names, with those under which it may send: who holds
    /// an identifier may have changed since the document was taken.
    async fn party(&self, of: &Transaction) -> Result<Option<Party>, StepFault> {
        let Ok(main) = of.party.parse::<ParticipantId>() else { return Ok(None) };
        let found = self.store.party_of_identifier(&of.organisation, &main.folded()).await?;
        let Some(party) = found else { return Ok(None) };
        let spoken = spoken(&self.store, &party).await?;
        let identifiers = spoken.iter().map(ParticipantId::folded).collect();
        Ok(Some(Party { identifiers, ..party }))
    }
}

fn identifiers(party: &Party) -> impl Iterator<Item = ParticipantId> {
    party.identifiers.iter().filter_map(|text| text.parse().ok())
}

impl OutboundRun<'_> {
    /// Notes an event and what follows from it.
    pub(crate) fn decide(&mut self, event: &Event) {
        let decision = decide(&self.now_at, event, &self.hands.policy, self.hands.clock.now());
        self.now_at = self.now_at.after(&decision);
        self.decided = Some(match self.decided.take() {
            Some(before) => before.followed_by(decision),
            None => decision,
        });
    }

    /// From a checked document to a receipt, or to the reason why there is none.
    async fn deliver_over(&mut self, plan: &Plan, document: Bytes) -> Result<(), StepFault> {
        self.apply_fact(plan.known().recorded());
        let channel = self.choose(plan).await?;
        if self.now_at.status == Status::Pending {
            self.decide(&Event::Validated { summary: plan.summary.clone() });
        }
        match channel {
            Err(unknown) => {
                let (code, cause) = ("channel".to_owned(), String::new());
                let message = format!("The channel cannot be used: {unknown}.");
                self.decide(&Event::Unroutable { code, message, cause });
                Ok(())
            }
            Ok(channel) => {
                let Some(by) = channels::of(channel.kind) else { return Ok(()) };
                let delivery = Delivery { plan, channel: &channel, document };
                by.deliver(self, delivery).await
            }
        }
    }

    /// The channel for this go, and what comes after it. The one on record is kept as long as it is
    /// there; another one starts with the whole schedule.
    async fn choose(&mut self, plan: &Plan) -> Result<Result<Channel, UnknownChannel>, StepFault> {
        let transaction = &self.record.transaction;
        let (owner, party) = (&transaction.organisation, &transaction.party);
        let mut hooks = self.hands.store.channels_of(owner, party).await?;
        let forced = self.record.channel.as_deref();
        if forced.is_none() {
            let facts = self.facts_of(plan);
            hooks.retain(|hook| hook.wants(&facts));
        }
        let family = self.now_at.family;
        let channels = match choice::select(&hooks, family, forced) {
            Ok(channels) => channels,
            Err(unknown) => {
                // No channel of the network failed, so nothing falls back from it.
                self.now_at.way.kind = Some(NO_CHANNEL);
                return Ok(Err(unknown));
            }
        };
        let recorded = transaction.way.channel.as_deref();
        let Some(current) = channels.current(recorded).cloned() else {
            return Ok(Ok(Channel::peppol()));
        };
        let known = recorded.is_none_or(|id| id == current.hook);
        let name = |channel: Option<&Channel>| channel.map(|channel| channel.hook.clone());
        self.now_at.way = Way {
            channel: Some(current.hook.clone()),
            kind: Some(current.kind),
            attempts_before: match known {
                true => transaction.way.attempts_before,
                false => transaction.attempts,
            },
            unreachable: name(channels.after_unreachable(&current)),
            failed: name(channels.after_failure(&current)),
            output: current.output.clone(),
        };
        Ok(Ok(current))
    }

    /// What filters and mails are told of the document.
    pub(crate) fn facts_of(&self, plan: &Plan) -> BTreeMap<String, String> {
        let mut facts = plan.facts(self.now_at.family);
        let id = self.record.transaction.document_id.to_string();
        facts.insert("documentId".to_owned(), id);
        facts
    }

    /// Notes what a document says about itself. Events of this very go tell it as well.
    fn apply_fact(&mut self, facts: Facts) {
        let transaction = &mut self.now_at;
        if let Some(family) = facts.family {
            transaction.family = family;
        }
        transaction.sender.clone_from(&facts.sender);
        transaction.receiver.clone_from(&facts.receiver);
        transaction.number.clone_from(&facts.number);
        transaction.source_document_type.clone_from(&facts.source_document_type);
        self.facts = facts;
    }

    /// Notes an attempt and what follows from it.
    pub(crate) fn attempted(&mut self, made: Attempt) {
        let attempt = self.now_at.attempts + 1;
        let outcome = made.outcome;
        self.attempt = Some(quoin_store::Attempt {
            attempt,
            started_on: made.started_on,
            ended_on: self.hands.clock.now(),
            outcome: match &outcome {
                Outcome::Delivered(_) => AttemptOutcome::Delivered,
                Outcome::Later(_) => AttemptOutcome::Later,
                Outcome::Never(_) => AttemptOutcome::Never,
            },
            endpoint: made.endpoint,
            report: made.report,
            receipt: made.proof.receipt,
            receipt_blob: None,
            code: outcome.code().map(str::to_owned),
            elapsed_ms: made.elapsed_ms,
            breaker: made.breaker,
            evidence: made.proof.evidence,
        });
        self.decide(&Event::Attempted { attempt, outcome });
    }

    /// The decision about a status of the service's own: its events name the document that it is
    /// about, and what it says.
    async fn naming_what_it_is_about(&self, mut decision: Decision) -> Result<Decision, StepFault> {
        let Some(carried) = &self.carried else { return Ok(decision) };
        let own = &self.record.transaction;
        if let Some(about) = self.hands.store.transaction(&carried.transaction).await? {
            let about = &about.transaction.document_id;
            decision = decision.answering_sent(about, &own.document_id);
        }
        for notice in &mut decision.notices {
            let code = carried.code.map(|code| (STATUS_CODE.to_owned(), code.as_str().to_owned()));
            notice.details.extend(code);
        }
        Ok(decision)
    }

    async fn commit(mut self) -> Result<(), StepFault> {
        let Some(mut decision) = self.decided.take() else { return Ok(()) };
        let own = &self.record.transaction;
        let may_answer = matches!(self.now_at.family, Family::InvoiceResponse | Family::Order);
        if may_answer && !decision.notices.is_empty() {
            let answered = self.hands.store.answered_by(&own.id).await?;
            if let Some(answered) = answered {
                let answered = &answered.transaction.document_id;
                decision = decision.answering_sent(answered, &own.document_id);
            }
        }
        let decision = self.naming_what_it_is_about(decision).await?;
        let (id, ours) = (own.id.clone(), &self.hands.provider.organisation);
        let of_ours = (own.organisation == *ours && decision.status.is_final())
            .then(|| (decision.status, ending(&decision)));
        let watched = watched::Watched::of(own, &decision, self.attempt.as_ref());
        let completion = Completion {
            claim: self.claim,
            transaction: self.record.transaction,
            decision,
            facts: self.facts,
            attempt: self.attempt,
            report: None,
            now: self.hands.clock.now(),
        };
        self.hands.store.commit_with(completion, self.beside).await?;
        watched.into_iter().for_each(|watched| watched.tell(&self.hands.metrics));
        if let Some((status, why)) = of_ours
            && let Some(report) = self.hands.store.report_carried_by(&id).await?
        {
            self.hands.alarm(report, status, false, why.as_deref()).await;
        }
        Ok(())
    }
}

/// How a document ended, in the words of its timeline.
fn ending(decision: &Decision) -> Option<String> {
    decision.timeline.last().map(|entry| entry.description.clone())
}
