//! An outgoing document: checked, looked up, sent — in one go where nothing stands in the way.
//!
//! The decisions of the single steps are joined and committed together with the attempt. A crash
//! before that commit does everything again with the same identifiers, which the receiver
//! recognises.

mod exchanged;
mod over_peppol;
mod planned;
mod watched;

use std::collections::BTreeMap;

use bytes::Bytes;
use jiff::Timestamp;
use quoin_delivery::channel::{self, SMTP, UnknownChannel};
use quoin_delivery::hook::Kind;
use quoin_delivery::{
    Channel, Decision, Event, Family, Outcome, Route, Status, Transaction, Way, decide,
};
use quoin_peppol::identifiers::ParticipantId;
use quoin_peppol::lookup::LookupError;
use quoin_store::{
    Attempt, AttemptOutcome, Beside, Claim, Completion, Evidence, Facts, Party, StatusRecord,
    TransactionRecord,
};
use serde::Serialize;

use super::mail::{MailReport, Mailed};
use super::{Hands, StepFault};
use crate::enrolment::spoken;
use crate::lookup::{LookupFailure, LookupReport};
use crate::metrics::Sent;
use crate::plan::{Plan, Planned};
use crate::rules::RuleDesk;
use crate::sending::SendReport;

/// Everything that was seen during an attempt.
#[derive(Debug, Default, Serialize)]
struct AttemptReport<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    lookup: Option<&'a LookupReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    send: Option<&'a SendReport>,
    /// What an access point said that the receiver had left by then.
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<&'a SendReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mail: Option<&'a MailReport>,
}

/// What proves an attempt.
#[derive(Debug, Default)]
struct Proven {
    receipt: Option<Bytes>,
    evidence: Vec<Evidence>,
}

/// What the steps of one go have come to so far.
struct Go<'h> {
    hands: &'h Hands,
    claim: Claim,
    record: TransactionRecord,
    /// The transaction as it will stand after what was decided so far.
    now_at: Transaction,
    decided: Option<Decision>,
    facts: Facts,
    attempt: Option<Attempt>,
    /// The party that sends.
    party: Option<Party>,
    /// The status that the document carries, where it is one that the service gives itself.
    carried: Option<StatusRecord>,
    /// What is recorded beside the step.
    beside: Beside,
    /// Whether there is no place for it now: nothing is recorded, and it comes again.
    aside: bool,
}

impl Hands {
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
        let mut go = Go {
            hands: self,
            claim,
            record,
            now_at,
            decided: None,
            facts: Facts::default(),
            attempt: None,
            carried,
            party,
            beside: Beside::default(),
            aside: false,
        };
        let Planned { known, plan, .. } = go.plan(&document).await?;
        match plan {
            Err(rejected) => {
                go.learn(known.recorded());
                go.decide(&rejected);
            }
            Ok(mut plan) => {
                let document = plan.rewritten.take().map_or(document, Bytes::from);
                go.carry(&plan, document).await?;
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

impl Go<'_> {
    fn decide(&mut self, event: &Event) {
        let decision = decide(&self.now_at, event, &self.hands.policy, self.hands.clock.now());
        self.now_at = self.now_at.after(&decision);
        self.decided = Some(match self.decided.take() {
            Some(before) => before.followed_by(decision),
            None => decision,
        });
    }

    /// From a checked document to a receipt, or to the reason why there is none.
    async fn carry(&mut self, plan: &Plan, document: Bytes) -> Result<(), StepFault> {
        self.learn(plan.known().recorded());
        let channel = self.choose(plan).await?;
        if self.now_at.status == Status::Pending {
            self.decide(&Event::Validated { summary: plan.summary.clone() });
        }
        let started_on = self.hands.clock.now();
        match channel {
            Err(unknown) => {
                let (code, cause) = ("channel".to_owned(), String::new());
                let message = format!("The channel cannot be used: {unknown}.");
                self.decide(&Event::Unroutable { code, message, cause });
                return Ok(());
            }
            Ok(channel) if channel.kind == Kind::Mail => {
                return self.mail(plan, &channel, document, started_on).await;
            }
            Ok(_) => {}
        }
        let lookup = &self.hands.lookup;
        match lookup.find(&plan.receiver, &plan.document_type, &plan.process).await {
            Ok(found) => self.send(plan, document, found, started_on).await,
            Err(failure) if matches!(failure.error, LookupError::Crowded { .. }) => {
                self.aside = true;
                Ok(())
            }
            // A provider that cannot be found yet is looked for again: a failure has to be told.
            Err(failure) if failure.error.is_temporary() || self.carried.is_some() => {
                self.unanswered(&failure, started_on);
                Ok(())
            }
            Err(failure) => {
                let cause = serde_json::to_string(&failure.report).unwrap_or_default();
                let (code, message) = (failure.error.code().to_owned(), unroutable(plan, &failure));
                self.decide(&Event::Unroutable { code, message, cause });
                Ok(())
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
        let channels = match channel::select(&hooks, family, forced) {
            Ok(channels) => channels,
            Err(unknown) => {
                // No channel of the network failed, so nothing falls back from it.
                self.now_at.way.kind = Some(Kind::Mail);
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

    /// Delivers by mail.
    async fn mail(
        &mut self,
        plan: &Plan,
        channel: &Channel,
        document: Bytes,
        started_on: Timestamp,
    ) -> Result<(), StepFault> {
        let payload = plan.payload.clone();
        let open = move |_: &RuleDesk| payload.content(&document);
        let document = self.hands.apart(&self.record, open).await?;
        let key = channel.hook.parse().ok();
        let owner = &self.record.transaction.organisation;
        let hook = match &key {
            Some(key) => self.hands.store.hook_of_key(owner, key).await?,
            None => None,
        };
        let facts = self.facts_of(plan);
        let mailed = self.hands.mail_document(&self.record, hook.as_ref(), facts, &document).await;
        let Mailed { outcome, endpoint, report } = mailed;
        self.decide(&Event::Routed(Route {
            endpoint: endpoint.clone(),
            protocol: SMTP.to_owned(),
            document_type: plan.document_type.to_string(),
            process: plan.process.to_string(),
        }));
        let seen = AttemptReport { mail: Some(&report), ..AttemptReport::default() };
        self.attempted(outcome, started_on, Some(endpoint), &seen, Proven::default());
        Ok(())
    }

    fn facts_of(&self, plan: &Plan) -> BTreeMap<String, String> {
        let mut facts = plan.facts(self.now_at.family);
        let id = self.record.transaction.document_id.to_string();
        facts.insert("documentId".to_owned(), id);
        facts
    }

    /// Notes what a document says about itself. Events of this very go tell it as well.
    fn learn(&mut self, facts: Facts) {
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
    fn attempted(
        &mut self,
        outcome: Outcome,
        started_on: Timestamp,
        endpoint: Option<String>,
        report: &AttemptReport<'_>,
        proof: Proven,
    ) {
        let attempt = self.now_at.attempts + 1;
        let ended_on = self.hands.clock.now();
        let (end, code) = match &outcome {
            Outcome::Delivered(_) => (AttemptOutcome::Delivered, None),
            Outcome::Later(later) => (AttemptOutcome::Later, Some(later.code.clone())),
            Outcome::Never(never) => (AttemptOutcome::Never, Some(never.code.clone())),
        };
        let breaker = endpoint.as_deref().filter(|_| report.send.is_some()).and_then(|url| {
            let document = self.record.transaction.id.as_str();
            self.hands.breakers.note(url, document, code.as_deref(), ended_on)
        });
        self.attempt = Some(Attempt {
            attempt,
            started_on,
            ended_on,
            outcome: end,
            endpoint,
            report: serde_json::to_value(report).unwrap_or_default(),
            receipt: proof.receipt,
            receipt_blob: None,
            code,
            elapsed_ms: report.send.and_then(|send| send.elapsed_ms?.try_into().ok()),
            breaker,
            evidence: proof.evidence,
        });
        self.decide(&Event::Attempted { attempt, outcome });
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

/// What to tell the sender, who can act on it.
fn unroutable(plan: &Plan, failure: &LookupFailure) -> String {
    format!(
        "The document cannot be delivered to {}: {failure}. Check the identifier with \
         queryRecipientParty, or ask the receiver.",
        plan.receiver
    )
}

/// How a document ended, in the words of its timeline.
fn ending(decision: &Decision) -> Option<String> {
    decision.timeline.last().map(|entry| entry.description.clone())
}

fn sent(outcome: &Outcome) -> Sent {
    match outcome {
        Outcome::Delivered(_) => Sent::Delivered,
        Outcome::Later(_) => Sent::Later,
        Outcome::Never(_) => Sent::Never,
    }
}
