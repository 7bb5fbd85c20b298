//! What came of a go is recorded, with what follows from it, in one commit.

use quoin_delivery::decision::STATUS_CODE;
use quoin_delivery::{Decision, Family, Status};
use quoin_store::{Completion, NewAnswer, TransactionRecord};

use super::cleared::issued;
use super::watched;
use crate::channels::OutboundRun;
use crate::step::StepFault;
use crate::worker::Worker;
use crate::worker::tax::InvoiceAsSent;

/// Part of the names of the document types of cancellations.
const CANCELLATIONS: &str = "::OrderCancellation";

impl OutboundRun<'_> {
    /// The decision about a status of the service's own: its events name the document that it is
    /// about, and what it says.
    async fn naming_what_it_is_about(
        &self,
        worker: &Worker,
        mut decision: Decision,
    ) -> Result<Decision, StepFault> {
        let Some(carried) = &self.carried else { return Ok(decision) };
        let own = &self.record.transaction;
        let about = || self.context.store.transaction(&carried.transaction);
        if let Some(about) = worker.insist(&self.claim, about).await? {
            let about = &about.transaction.document_id;
            decision = decision.answering_sent(about, &own.document_id);
        }
        for notice in &mut decision.notices {
            let code = carried.code.map(|code| (STATUS_CODE.to_owned(), code.as_str().to_owned()));
            notice.details.extend(code);
        }
        Ok(decision)
    }

    /// The decision about an invoice that came to its end: where an authority has registered it, or
    /// is owed it, it says so. Whoever sends a failed one anew would issue a second invoice.
    async fn naming_what_is_registered(
        &self,
        worker: &Worker,
        decision: Decision,
    ) -> Result<Decision, StepFault> {
        let issued = match decision.status {
            Status::Delivered => self.issued.clone(),
            Status::Failed if self.now_at.family == Family::Invoice => {
                let own = &self.record.transaction.id;
                let clearance = || self.context.store.clearance_of(own);
                worker.insist(&self.claim, clearance).await?.and_then(issued)
            }
            _ => None,
        };
        Ok(match issued {
            None => decision,
            Some(known) => decision.of_issued(&known),
        })
    }

    /// The document that it is filed with, or will be once this is recorded.
    async fn answered(&self, worker: &Worker) -> Result<Option<TransactionRecord>, StepFault> {
        let (own, store) = (&self.record.transaction.id, self.context.store);
        match &self.beside.answer {
            Some(NewAnswer { subject, .. }) => {
                worker.insist(&self.claim, || store.transaction(subject)).await
            }
            None => worker.insist(&self.claim, || store.answered_by(own)).await,
        }
    }

    /// Whether it takes an order back, and so answers nothing.
    fn is_cancellation(&self) -> bool {
        let kind = self.now_at.source_document_type.as_deref();
        kind.is_some_and(|kind| kind.contains(CANCELLATIONS))
    }

    /// Records what came of it. It may have left: it is not done again because of a fault here.
    pub(super) async fn commit(mut self, worker: &Worker) -> Result<(), StepFault> {
        let Some(mut decision) = self.decided.take() else { return Ok(()) };
        if let Some(ignored) = decision.ignored.as_ref().filter(|_| !decision.status.is_final()) {
            return Err(StepFault::Undecided(ignored.to_string()));
        }
        if decision.status == Status::Rejected {
            // What breaks its rules says nothing.
            self.beside.answer = None;
        }
        let own = &self.record.transaction;
        if self.now_at.family.may_answer()
            && !decision.notices.is_empty()
            && let Some(answered) = self.answered(worker).await?
        {
            let answered = &answered.transaction.document_id;
            decision = match self.is_cancellation() {
                true => decision.following(answered),
                false => decision.answering_sent(answered, &own.document_id),
            };
        }
        let decision = self.naming_what_it_is_about(worker, decision).await?;
        let mut decision = self.naming_what_is_registered(worker, decision).await?;
        if own.family == Family::TaxReport {
            // The report that it carries tells what becomes of it.
            decision.notices.clear();
        }
        let sent = InvoiceAsSent {
            upload: self.upload.as_ref(),
            attempt: self.attempt.as_ref(),
            process: self.facts.process.as_deref(),
        };
        let ended = (&decision, sent);
        self.beside.tax = worker.owed_on_sending(&self.record, &self.now_at, ended).await;
        let (id, ours) = (own.id.clone(), &self.context.provider.organisation);
        let of_ours = (own.organisation == *ours && decision.status.is_final())
            .then(|| (decision.status, ending(&decision)));
        let party = worker.name_of(&own.organisation, &own.party).await;
        let told = (&self.record, party);
        let watched = watched::CommittedStep::of(told, &decision, self.attempt.as_ref());
        let completion = Completion {
            claim: self.claim,
            transaction: self.record.transaction,
            decision,
            facts: self.facts,
            attempt: self.attempt,
            report: None,
            now: self.context.clock.now(),
        };
        let (store, beside) = (self.context.store, self.beside);
        let record = || store.commit_with(completion.clone(), beside.clone());
        worker.insist(&completion.claim, record).await?;
        watched.into_iter().for_each(|watched| watched.tell(self.context.metrics));
        if let Some((status, why)) = of_ours
            && let Some(report) = self.context.store.report_carried_by(&id).await?
        {
            worker.alarm(report, status, false, why.as_deref()).await;
        }
        Ok(())
    }
}

/// How a document ended, in the words of its timeline.
fn ending(decision: &Decision) -> Option<String> {
    decision.timeline.last().map(|entry| entry.description.clone())
}
