//! Reports to tax authorities: written with the end of their invoice ([`ended`]), in a step of
//! their own, or with others in the file of a period ([`filed`]); sent as documents of their own,
//! repeated where nobody answers, and watched until their term.

mod ended;
mod filed;
mod gone;
mod sent;

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};
use quoin_delivery::tax::{TaxAct, TaxState};
use quoin_delivery::{
    AlarmKind, Direction, Family, Notice, OrganisationId, Topic, Transaction, ids,
};
use quoin_peppol::identifiers::ParticipantId;
use quoin_store::{
    Claim, NewOutgoing, TaxFacts, TaxOutcome, TaxReportRecord, TaxStep, TransactionFacts,
    TransactionRecord,
};
use quoin_taxdata::assumed::{REPEATS, TOLD_BEFORE};

use super::Worker;
use crate::rules::RuleLibrary;
use crate::step::StepFault;
use crate::tax::{self, ReportInput, ReportSource, WrittenReport, exchanged};
pub(in crate::worker) use ended::InvoiceAsSent;

/// Which report a message carries, and for whom.
struct CarriedReport<'a> {
    /// The organisation and the party.
    owner: (&'a OrganisationId, &'a str),
    /// The id of the report, and which of its messages this is.
    report: (&'a str, u32),
    /// The number of the invoice.
    number: Option<String>,
}

/// When a report is looked at again that waits for the message of the one before it.
const NOT_YET: SignedDuration = SignedDuration::from_secs(5);
/// The longest that a report is not looked at.
const LONGEST: SignedDuration = SignedDuration::from_hours(30 * 24);
/// When terms are looked at again while the clock is not believed.
const DOUBTED: SignedDuration = SignedDuration::from_mins(5);

impl Worker {
    /// Does what is to be done about a report now.
    pub(super) async fn tax(
        &self,
        claim: Claim,
        report: TaxReportRecord,
        invoice: TransactionRecord,
    ) -> Result<(), StepFault> {
        let now = self.clock.now();
        let mut step = TaxStep {
            claim,
            report,
            outcome: TaxOutcome::Nothing,
            notices: Vec::new(),
            warned: false,
            breached: false,
            next: None,
            now,
        };
        let mut in_the_way = None;
        match step.report.state {
            TaxState::Due => {
                if !self.write_report(&mut step, &invoice).await? {
                    return Ok(());
                }
                if let TaxOutcome::Unwritable(_, reason) = &step.outcome {
                    in_the_way = Some(reason.message.clone());
                }
            }
            TaxState::Gathered => in_the_way = self.write_file(&mut step, &invoice).await?,
            // Its message brings it back where it ends otherwise.
            TaxState::Sending => step.next = self.answer_by(now),
            TaxState::Rejected => {}
            TaxState::Sent => in_the_way = self.await_answer(&mut step).await?,
            TaxState::Failed => in_the_way = Some(step.report.reason.message.clone()),
            TaxState::Accepted | TaxState::NotOwed | TaxState::Replaced => {
                if step.report.warned_on.is_some() {
                    let kind = AlarmKind::TAX_UNREPORTED;
                    self.alarms.end(kind, &step.report.id).await;
                }
                return Ok(self.store.finish_tax(step).await?);
            }
        }
        self.watch_term(&mut step, in_the_way).await;
        Ok(self.store.finish_tax(step).await?)
    }

    /// Writes a report. Answers whether the step goes on: a document that found no place is put
    /// back.
    async fn write_report(
        &self,
        step: &mut TaxStep,
        invoice: &TransactionRecord,
    ) -> Result<bool, StepFault> {
        let report = step.report.clone();
        if report.act == TaxAct::Disregard {
            match self.store.tax_report_before(&report).await?.map(|before| before.state) {
                Some(TaxState::Due | TaxState::Sending) => {
                    step.next = step.now.saturating_add(NOT_YET).ok();
                    return Ok(true);
                }
                Some(TaxState::Sent | TaxState::Accepted | TaxState::Replaced) => {}
                _ => {
                    let why = "The authority does not have what would be taken back.";
                    step.outcome = TaxOutcome::NothingOwed(why.to_owned());
                    return Ok(true);
                }
            }
        }
        if invoice.blob.is_none() {
            self.write_of_gone(step, invoice).await?;
            return Ok(true);
        }
        let Some((document, _room)) = self.counted(&step.claim, invoice).await? else {
            return Ok(false);
        };
        let Some(reporter) = self.reporter(&invoice.transaction).await? else {
            let why = "The invoice names no participant that would be reported for.";
            step.outcome = TaxOutcome::NothingOwed(why.to_owned());
            return Ok(true);
        };
        let travelled = self.travelled(invoice).await?;
        let source = ReportSource { document, travelled };
        let owed_on = self.owed_since(&report).await?;
        let (profiles, now) = (self.tax.clone(), step.now);
        let input = ReportInput {
            wishes: invoice.wishes.clone(),
            direction: report.direction,
            role: report.role,
            act: report.act,
            reporter,
            seat: self.provider.seat.digits().to_owned(),
            envelope: invoice.instance_id.clone(),
            process: invoice.process.clone(),
            uuid: tax::data_uuid(&report.id),
            switch: self.store.tax_switch(&report.organisation, &report.party).await?,
            owed_on,
            day: tax::utc_day(owed_on),
            now,
        };
        let writing = move |rules: &RuleLibrary| tax::write(&source, &input, &profiles, rules);
        let written = self.context().apart(invoice, writing);
        step.outcome = match written.await? {
            WrittenReport::Unasked => TaxOutcome::Unasked,
            WrittenReport::NothingOwed(why) => TaxOutcome::NothingOwed(why),
            WrittenReport::Unwritable(facts, reason) => TaxOutcome::Unwritable(facts, reason),
            WrittenReport::Written(facts, xml) => {
                let message = self.carrying(next_message(&report, invoice), &facts, xml, now)?;
                step.next = self.answer_by(now);
                TaxOutcome::Written(facts, Box::new(message))
            }
            WrittenReport::Gathered(facts, gathered) => {
                step.next = Some(gathered.until);
                TaxOutcome::Gathered(facts, gathered)
            }
        };
        Ok(true)
    }

    /// Since when a report is owed about the invoice: since it was exchanged, which the first one
    /// says. One that is asked for later is about the same exchange, and has no term of its own.
    async fn owed_since(&self, report: &TaxReportRecord) -> Result<Timestamp, StepFault> {
        if report.place == 1 {
            return Ok(report.created_on);
        }
        let all = self.store.tax_reports_of(&report.transaction).await?;
        Ok(exchanged::owed_since(&all).unwrap_or(report.created_on))
    }

    /// A message that carries a report.
    fn carrying(
        &self,
        carried: CarriedReport<'_>,
        facts: &TaxFacts,
        content: impl Into<bytes::Bytes>,
        now: Timestamp,
    ) -> Result<NewOutgoing, StepFault> {
        let (report, turn) = carried.report;
        let id = ids::tax_message_id(report, turn);
        let message = self.provider.outgoing(carried.owner, id, Family::TaxReport, content, now)?;
        let known = TransactionFacts {
            family: Some(Family::TaxReport),
            sender: facts.reporter.clone(),
            receiver: facts.authority.clone(),
            number: carried.number,
            source_document_type: facts.document_type.clone(),
            process: tax::process().map(|process| process.to_string()),
            ..TransactionFacts::default()
        };
        Ok(NewOutgoing { facts: known, channel: facts.channel.clone(), ..message })
    }

    /// Until when something is answered that left then.
    fn answer_by(&self, left_on: Timestamp) -> Option<Timestamp> {
        left_on.saturating_add(self.tax.answer).ok()
    }

    /// Sends a report once more that nobody answered in time. Answers what stands in its way where
    /// that was done often enough.
    async fn await_answer(&self, step: &mut TaxStep) -> Result<Option<String>, StepFault> {
        let report = &step.report;
        // Where its last message is still on its way, nothing was to be answered yet.
        let left_on = report.left_on.unwrap_or(step.now);
        let until = self.answer_by(left_on).unwrap_or(Timestamp::MAX);
        if step.now < until {
            step.next = Some(until);
            return Ok(None);
        }
        if report.messages > REPEATS {
            let why = format!("It was sent {} times, and nobody answered.", report.messages);
            // The timeline tells it once.
            if report.reason.message != why {
                step.outcome = TaxOutcome::Unanswered(why.clone());
            }
            return Ok(Some(format!("{why} It can be made once more.")));
        }
        let last = self.store.tax_message_of(report).await?;
        let content = match &last {
            Some(last) => self.store.document(last).await?,
            None => None,
        };
        let Some((last, content)) = last.zip(content) else {
            return Ok(Some("Nobody answered it, and its message is deleted.".to_owned()));
        };
        let carried = next_message(report, &last);
        let message = self.carrying(carried, &report.facts, content, step.now)?;
        step.outcome = TaxOutcome::Again(Box::new(message));
        step.next = self.answer_by(step.now);
        Ok(None)
    }

    /// Tells of a term that is near or over, and of what stands in the way of a report.
    async fn watch_term(&self, step: &mut TaxStep, in_the_way: Option<String>) {
        let report = step.report.clone();
        let due_on = match &step.outcome {
            TaxOutcome::Unasked | TaxOutcome::NothingOwed(_) => return,
            TaxOutcome::Written(facts, _)
            | TaxOutcome::Unwritable(facts, _)
            | TaxOutcome::Gathered(facts, _) => facts.due_on,
            TaxOutcome::Nothing
            | TaxOutcome::Again(_)
            | TaxOutcome::Unanswered(_)
            | TaxOutcome::Filed(..)
            | TaxOutcome::Unfiled(..) => report.facts.due_on,
        };
        if let Some(why) = &in_the_way
            && report.warned_on.is_none()
        {
            let told = match &step.outcome {
                TaxOutcome::Unwritable(facts, _) => {
                    let (facts, state) = (facts.clone(), TaxState::Failed);
                    TaxReportRecord { facts, state, ..report.clone() }
                }
                _ => report.clone(),
            };
            self.warn(&told, why).await;
            step.warned = true;
        }
        let Some(due_on) = due_on else { return };
        let near = near_term(report.created_on, due_on);
        let Some(now) = self.watch.believed() else {
            let later = step.now.saturating_add(DOUBTED).ok();
            step.next = [step.next, later].into_iter().flatten().min();
            return;
        };
        let tells = if now >= due_on {
            report.breached_on.is_none().then_some((Topic::SERVICE_LEVEL_BREACHED, "was due"))
        } else {
            let is_told = report.warned_on.is_some() || report.state == TaxState::Due;
            (now >= near && !is_told).then_some((Topic::SERVICE_LEVEL_WARNING, "is due"))
        };
        if let Some((topic, is_due)) = tells {
            let what = format!("{is_due} before {due_on}, and the authority has not taken it");
            self.warn(&report, &format!("It {what}.")).await;
            step.notices.push(term_notice(&report, due_on, topic, &what));
            (step.warned, step.breached) = (true, topic == Topic::SERVICE_LEVEL_BREACHED);
        }
        let later = next_of_term((report.created_on, due_on), now);
        step.next = [step.next, later].into_iter().flatten().min();
    }

    async fn warn(&self, report: &TaxReportRecord, why: &str) {
        let facts = &report.facts;
        let party = self.name_of(&report.organisation, &report.party).await;
        let country = facts.country.as_deref().unwrap_or("an authority");
        let (id, state) = (report.id.as_str(), report.state.as_str());
        let message = format!(
            "The tax report {id} to {country} about the document {} of {party} is {state}. {why}",
            report.invoice
        );
        let details = [("taxReportId", id), ("taxState", state)];
        self.alarms.raise(AlarmKind::TAX_UNREPORTED, id, message, &details).await;
    }

    /// The participant that is reported for: corner 1 of what was sent, corner 4 of what came.
    async fn reporter(&self, own: &Transaction) -> Result<Option<ParticipantId>, StepFault> {
        let named = match own.direction {
            Direction::Outgoing => own.sender.clone(),
            Direction::Incoming => own.receiver.clone(),
        };
        let named = match named {
            Some(named) => named,
            None => self.store.party_name(&own.organisation, &own.party).await?,
        };
        Ok(named.parse().ok())
    }
}

/// The next message of a report, about a document of this number.
fn next_message<'a>(report: &'a TaxReportRecord, about: &TransactionRecord) -> CarriedReport<'a> {
    CarriedReport {
        owner: (&report.organisation, &report.party),
        report: (&report.id, report.messages + 1),
        number: about.transaction.number.clone(),
    }
}

/// When it is told that a term is near.
fn near_term(owed_on: Timestamp, due_on: Timestamp) -> Timestamp {
    // One that is asked for behind its term is near it at once.
    let term = due_on.duration_since(owed_on).max(SignedDuration::ZERO);
    due_on.saturating_sub(TOLD_BEFORE.min(term / 2)).unwrap_or(owed_on)
}

/// When a report is looked at next for its term: when it is near, and when it is over.
fn next_of_term((owed_on, due_on): (Timestamp, Timestamp), now: Timestamp) -> Option<Timestamp> {
    let later = [near_term(owed_on, due_on), due_on].into_iter().find(|at| *at > now);
    let month = later.and_then(|_| now.saturating_add(LONGEST).ok());
    [later, month].into_iter().flatten().min()
}

fn term_notice(report: &TaxReportRecord, due_on: Timestamp, topic: Topic, what: &str) -> Notice {
    let facts = [
        ("level", "taxReport".to_owned()),
        ("documentId", report.invoice.to_string()),
        ("taxReportId", report.id.clone()),
        ("taxState", report.state.as_str().to_owned()),
        ("dueOn", due_on.to_string()),
    ];
    let details: BTreeMap<String, String> =
        facts.into_iter().map(|(name, fact)| (name.to_owned(), fact)).collect();
    Notice::new(topic, format!("The tax report about the invoice {what}."), details)
}
