//! Reports that are written with the end of their invoice, by the worker that has it in hand: what
//! is recorded of them goes into the commit of that end. Whatever keeps a report from being written
//! there leaves it to a step of its own, and never the invoice waiting.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use jiff::Timestamp;
use quoin_delivery::tax::{TaxAct, TaxRole};
use quoin_delivery::{Decision, Direction, Family, Status, Transaction, ids};
use quoin_formats::ParsedDocument;
use quoin_store::{Attempt, TaxOutcome, TaxOwed, TransactionRecord};

use super::{CarriedReport, sent};
use crate::budget::Purpose;
use crate::rules::RuleLibrary;
use crate::tax::exchanged::{came_by_access_point, owed_of_delivered};
use crate::tax::{self, ReportInput, ReportSource, TaxProfiles, WrittenReport};
use crate::worker::Worker;

/// How long a report waits for a thread before a step of its own writes it: its invoice, which was
/// delivered, is not on record as such yet.
const PATIENCE: Duration = Duration::from_secs(2);

/// A report that can be written while its invoice is looked at.
pub(in crate::worker) struct ArrivalReport {
    input: ReportInput,
    profiles: Arc<TaxProfiles>,
}

/// What an invoice was sent as.
pub(in crate::worker) struct InvoiceAsSent<'a> {
    /// As it was uploaded, where that is at hand.
    pub(in crate::worker) upload: Option<&'a Bytes>,
    /// Its last attempt.
    pub(in crate::worker) attempt: Option<&'a Attempt>,
    /// The process in which it left.
    pub(in crate::worker) process: Option<&'a str>,
}

/// What came of it.
pub(in crate::worker) struct EndReport {
    input: ReportInput,
    written: WrittenReport,
}

impl ArrivalReport {
    /// Writes it of an invoice that was read; none where that fails, which a step of its own tells.
    pub(in crate::worker) fn write(
        self,
        parsed: &ParsedDocument,
        rules: &RuleLibrary,
    ) -> Option<EndReport> {
        let ArrivalReport { input, profiles } = self;
        let writing = || tax::write_read(parsed, &input, &profiles, rules);
        let written = catch_unwind(AssertUnwindSafe(writing)).ok()?;
        Some(EndReport { input, written })
    }
}

impl Worker {
    /// In which corner a document may have to be reported that has come to this end, and as what.
    fn owes_report(&self, document: &Transaction, status: Status) -> Option<(TaxRole, TaxAct)> {
        let now = self.clock.now();
        let is_undelivered = document.family == Family::Invoice
            && (document.direction, status) == (Direction::Outgoing, Status::Failed);
        let owed = match owed_of_delivered(document, status) {
            Some(role) => (role, TaxAct::Submit),
            None if is_undelivered && self.tax.asks_of_undelivered(now) => {
                (TaxRole::Sender, TaxAct::Undelivered)
            }
            None => return None,
        };
        self.tax.asks(owed.0, now).then_some(owed)
    }

    /// What the report of an invoice that came is written from, where one may be owed once nothing
    /// is found wrong with it.
    pub(in crate::worker) async fn report_on_arrival(
        &self,
        record: &TransactionRecord,
    ) -> Option<ArrivalReport> {
        let own = &record.transaction;
        let owed =
            self.owes_report(own, Status::Delivered).filter(|_| came_by_access_point(record))?;
        let input = self.input_at_end((record, own), owed, None).await?;
        Some(ArrivalReport { input, profiles: self.tax.clone() })
    }

    /// What is recorded of the report of an invoice that came.
    pub(in crate::worker) fn owed_on_arrival(
        &self,
        (record, ended): (&TransactionRecord, &Transaction),
        decision: &Decision,
        written: Option<EndReport>,
    ) -> Option<TaxOwed> {
        if decision.ignored.is_some() || !came_by_access_point(record) {
            return None;
        }
        let (role, act) = self.owes_report(ended, decision.status)?;
        let fits = |report: &EndReport| (report.input.role, report.input.act) == (role, act);
        let owed = written.filter(fits).and_then(|report| self.owed(ended, report));
        Some(owed.unwrap_or_else(|| TaxOwed::later(role, act)))
    }

    /// What is recorded of the report of an invoice that was sent: written now, where there is a
    /// thread for it.
    pub(in crate::worker) async fn owed_on_sending(
        &self,
        record: &TransactionRecord,
        ended: &Transaction,
        (decision, sent): (&Decision, InvoiceAsSent<'_>),
    ) -> Option<TaxOwed> {
        if decision.ignored.is_some() {
            return None;
        }
        let owed = self.owes_report(ended, decision.status)?;
        let written = self.written_on_sending((record, ended), owed, &sent).await;
        let found = written.and_then(|report| self.owed(ended, report));
        Some(found.unwrap_or_else(|| TaxOwed::later(owed.0, owed.1)))
    }

    async fn written_on_sending(
        &self,
        (record, ended): (&TransactionRecord, &Transaction),
        owed: (TaxRole, TaxAct),
        sent: &InvoiceAsSent<'_>,
    ) -> Option<EndReport> {
        let document = sent.upload?.clone();
        let source = ReportSource { document, travelled: sent.attempt.and_then(sent::travelled) };
        let input = self.input_at_end((record, ended), owed, sent.process).await?;
        let (rules, profiles) = (self.rules.clone(), self.tax.clone());
        let who = record.transaction.organisation.as_str();
        let writing = move || {
            let written = tax::write(&source, &input, &profiles, &rules);
            EndReport { input, written }
        };
        let written = self.budgets.pool.run_within(Purpose::Validate, who, PATIENCE, writing).await;
        if let Err(busy) = &written {
            tracing::info!(document = %record.transaction.id, %busy, "its tax report is written later");
        }
        written.ok()
    }

    async fn input_at_end(
        &self,
        (record, ended): (&TransactionRecord, &Transaction),
        (role, act): (TaxRole, TaxAct),
        process: Option<&str>,
    ) -> Option<ReportInput> {
        let reporter = match self.reporter(ended).await {
            Ok(reporter) => reporter?,
            Err(error) => {
                tracing::warn!(%error, "the party that is reported for could not be read");
                return None;
            }
        };
        let switch = match self.store.tax_switch(&ended.organisation, &ended.party).await {
            Ok(switch) => switch,
            Err(error) => {
                tracing::warn!(%error, "whether a party is reported for could not be read");
                return None;
            }
        };
        let now = self.clock.now();
        Some(ReportInput {
            wishes: record.wishes.clone(),
            direction: ended.direction,
            role,
            act,
            reporter,
            seat: self.provider.seat.digits().to_owned(),
            envelope: record.instance_id.clone(),
            process: process.or(record.process.as_deref()).map(str::to_owned),
            uuid: tax::data_uuid(&ids::tax_report_id(&ended.id, 1).to_string()),
            switch,
            owed_on: now,
            day: tax::utc_day(now),
            now,
        })
    }

    /// What is recorded of a report that was written now.
    fn owed(&self, ended: &Transaction, report: EndReport) -> Option<TaxOwed> {
        let EndReport { input, written } = report;
        let id = ids::tax_report_id(&ended.id, 1).to_string();
        let now = input.now;
        let mut next = None;
        let outcome = match written {
            WrittenReport::Unasked => TaxOutcome::Unasked,
            WrittenReport::NothingOwed(why) => TaxOutcome::NothingOwed(why),
            WrittenReport::Unwritable(facts, reason) => {
                // A step of its own warns of it.
                next = Some(now);
                TaxOutcome::Unwritable(facts, reason)
            }
            WrittenReport::Written(facts, xml) => {
                let carried = CarriedReport {
                    owner: (&ended.organisation, &ended.party),
                    report: (&id, 1),
                    number: ended.number.clone(),
                };
                let message = self.carrying(carried, &facts, xml, now).ok()?;
                next = self.term_looked_at(facts.due_on, now, self.answer_by(now));
                TaxOutcome::Written(facts, Box::new(message))
            }
            WrittenReport::Gathered(facts, gathered) => {
                next = Some(gathered.until);
                TaxOutcome::Gathered(facts, gathered)
            }
        };
        Some(TaxOwed { role: input.role, act: input.act, outcome, next })
    }

    /// When a report is looked at again that was written then: for an answer, or for its term.
    fn term_looked_at(
        &self,
        due_on: Option<Timestamp>,
        now: Timestamp,
        answer: Option<Timestamp>,
    ) -> Option<Timestamp> {
        let term = due_on.and_then(|due_on| super::next_of_term((now, due_on), now));
        [answer, term].into_iter().flatten().min()
    }
}
