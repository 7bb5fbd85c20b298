//! A document that arrived: looked at, and announced to the party.
//!
//! It was accepted from the network and is the party's now: what is wrong with it is told, but
//! never
//! keeps it from the party.

use jiff::tz::TimeZone;
use quoin_delivery::{DocumentId, Event, Family, decide};
use quoin_document::routing::{Clarification, Routing};
use quoin_document::{Flag, Report};
use quoin_store::{Answer, Claim, Completion, Facts, Question, TransactionRecord};

use super::{Hands, StepFault};

/// The reason that makes a payment one in part (OPStatusReason).
pub(crate) const PARTIALLY_PAID: &str = "PPD";

impl Hands {
    /// Looks at a document that arrived and commits the event that announces it.
    pub(super) async fn incoming(
        &self,
        claim: Claim,
        record: TransactionRecord,
    ) -> Result<(), StepFault> {
        let id = record.transaction.id.to_string();
        let document = self.store.document(&record).await?.ok_or(StepFault::Missing(id))?;
        let parsed = quoin_document::read(&document);
        let came_on = record.created_on.to_zoned(TimeZone::UTC).date();
        let report = self.rules.validate(&parsed, came_on);
        let routing = parsed.routing().unwrap_or_default();
        let facts = Facts {
            number: routing.number.clone(),
            country_c4: routing.receiver.country.clone(),
            ..Facts::default()
        };
        let now = self.clock.now();
        let mut transaction = record.transaction.clone();
        transaction.number.clone_from(&facts.number);
        let event = Event::Validated { summary: summary(&report) };
        let mut decision = decide(&transaction, &event, &self.policy, now);
        let answered = self.answered(&record, &routing).await?;
        if let Some((subject, answer)) = &answered {
            let own = &record.transaction.document_id;
            decision = decision.answering(subject, own, answer.status.as_deref());
        }
        let answer = answered.map(|(_, answer)| answer);
        let completion = Completion {
            claim,
            transaction: record.transaction,
            decision,
            facts,
            attempt: None,
            report: serde_json::to_vec(&report).ok().map(Into::into),
            now,
        };
        self.store.commit_answering(completion, answer).await?;
        Ok(())
    }

    /// The document of ours that an arrived one answers, and what it says about it.
    async fn answered(
        &self,
        record: &TransactionRecord,
        routing: &Routing,
    ) -> Result<Option<(DocumentId, Answer)>, StepFault> {
        let Some(answers) = &routing.answers else { return Ok(None) };
        let own = &record.transaction;
        let family = match own.family {
            Family::InvoiceResponse => Family::Invoice,
            Family::Order => Family::Order,
            // A message level status is about an envelope, not about a document's number.
            _ => return Ok(None),
        };
        let question = Question {
            organisation: own.organisation.clone(),
            party: own.party.clone(),
            numbers: answers.numbers.clone(),
            from: own.sender.clone().unwrap_or_default(),
            family,
        };
        let found = self.store.answered(question).await?;
        Ok(found.map(|found| {
            let partial = |one: &Clarification| one.code.as_deref() == Some(PARTIALLY_PAID);
            let answer = Answer {
                subject: found.transaction.id,
                status: answers.status.clone(),
                is_partial: answers.clarifications.iter().any(partial),
                order: None,
            };
            (found.transaction.document_id, answer)
        }))
    }
}

fn summary(report: &Report) -> String {
    let profile = report.detection.profile.as_deref().unwrap_or("a document without a profile");
    let fatal = report.findings.iter().filter(|finding| finding.flag == Flag::Fatal).count();
    if fatal == 0 {
        return format!("Recognised as {profile}; no errors found.");
    }
    let first = report.fatal().next().map(|f| format!("{}: {}", f.rule, f.message));
    format!("Recognised as {profile}; {fatal} errors, the first: {}", first.unwrap_or_default())
}
