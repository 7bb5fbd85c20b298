//! The file of a period, in which many invoices are told: written by the step of the first of them,
//! in one commit with all.

use quoin_store::{TaxOutcome, TransactionRecord};
use quoin_taxdata::assumed::FLUX_10_INVOICES;

use super::{CarriedReport, TaxStep};
use crate::step::StepFault;
use crate::tax::{self, FrenchText};
use crate::worker::Worker;

use jiff::SignedDuration;

/// When one looks again that waits for the first of its file.
const BEHIND: SignedDuration = SignedDuration::from_secs(30);
/// When one looks again that nobody is asked to tell any more.
const UNASKED: SignedDuration = SignedDuration::from_hours(24);

impl Worker {
    /// Writes the file that a report waits for, once its period is over. Answers what stands in
    /// its way.
    pub(super) async fn write_file(
        &self,
        step: &mut TaxStep,
        invoice: &TransactionRecord,
    ) -> Result<Option<String>, StepFault> {
        let now = step.now;
        let Some(until) = step.report.gathered.as_ref().map(|gathered| gathered.until) else {
            return Ok(Some("What would be told of it is not on record.".to_owned()));
        };
        if now < until {
            step.next = Some(until);
            return Ok(None);
        }
        let members = self.store.gathered_with(&step.report, FLUX_10_INVOICES).await?;
        if members.first().is_none_or(|first| first.id != step.report.id) {
            step.next = now.saturating_add(BEHIND).ok();
            return Ok(None);
        }
        let day = tax::utc_day(self.owed_since(&step.report).await?);
        let is_file = |text: FrenchText| matches!(text, FrenchText::Flux10(_));
        let profile = self.tax.french(step.report.role, day).find(|row| is_file(row.text));
        let Some(profile) = profile.cloned() else {
            step.next = now.saturating_add(UNASKED).ok();
            let why = "No profile of the configuration asks for the file of its period any more.";
            return Ok(Some(why.to_owned()));
        };
        let (read, written_by) = (members.clone(), profile.clone());
        let written =
            self.context().apart(invoice, move |_| tax::write_file(&read, &written_by, now));
        step.outcome = match written.await? {
            Err(reason) => TaxOutcome::Unfiled(members, reason),
            Ok(xml) => {
                let report = &step.report;
                let carried = CarriedReport {
                    owner: (&report.organisation, &report.party),
                    report: (&report.id, report.messages + 1),
                    number: None,
                };
                let message = self.carrying(carried, &report.facts, xml, now)?;
                step.next = self.answer_by(now);
                TaxOutcome::Filed(members, Box::new(message))
            }
        };
        Ok(None)
    }
}
