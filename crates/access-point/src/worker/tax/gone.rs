//! Reports about an invoice that is not kept any more.

use quoin_delivery::tax::{TaxAct, TaxReason, UNSENT};
use quoin_store::{TaxFacts, TaxOutcome, TransactionRecord};

use super::{TaxStep, next_message};
use crate::step::StepFault;
use crate::tax::{self, WrittenReport};
use crate::worker::Worker;

impl Worker {
    /// Writes a report whose invoice is not kept any more: what takes one back is written from the
    /// message that carried that; nothing else can be.
    pub(super) async fn write_of_gone(
        &self,
        step: &mut TaxStep,
        invoice: &TransactionRecord,
    ) -> Result<(), StepFault> {
        let (report, now) = (step.report.clone(), step.now);
        let before = self.store.tax_report_before(&report).await?;
        let facts = before.map_or_else(|| report.facts.clone(), |before| before.facts);
        let message = match report.act {
            TaxAct::Disregard => self.store.tax_message_before(&report).await?,
            _ => None,
        };
        let content = match &message {
            Some(message) => self.store.document(message).await?,
            None => None,
        };
        let written = match content {
            Some(content) => {
                let (facts, uuid) = (facts.clone(), tax::data_uuid(&report.id));
                let writing = move |rules: &_| tax::take_back(&content, facts, (uuid, now), rules);
                self.context().apart(invoice, writing).await?
            }
            None => None,
        };
        step.outcome = match written {
            Some(WrittenReport::Written(facts, xml)) => {
                let message = self.carrying(next_message(&report, invoice), &facts, xml, now)?;
                step.next = self.answer_by(now);
                TaxOutcome::Written(facts, Box::new(message))
            }
            Some(WrittenReport::Unwritable(facts, reason)) => TaxOutcome::Unwritable(facts, reason),
            _ => {
                let message = "The invoice is not kept any more, so that no report can be written \
                               of it. Tell the authority by the means that it has for that.";
                let code = Some(UNSENT.to_owned());
                let reason = TaxReason { code, message: message.to_owned(), findings: Vec::new() };
                TaxOutcome::Unwritable(TaxFacts { data_uuid: None, ..facts }, reason)
            }
        };
        Ok(())
    }
}
