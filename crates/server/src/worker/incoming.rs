//! A document that arrived: looked at, and announced to the party.
//!
//! It was accepted from the network and is the party's now: what is wrong with it is told, but
//! never
//! keeps it from the party.

use jiff::tz::TimeZone;
use quoin_delivery::{Event, decide};
use quoin_document::{Flag, Report};
use quoin_store::{Claim, Completion, Facts, TransactionRecord};

use super::{Hands, StepFault};

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
        let header = parsed.header();
        let facts = Facts {
            number: header.as_ref().and_then(|header| header.number.clone()),
            country_c4: header.and_then(|header| header.buyer_country),
            ..Facts::default()
        };
        let now = self.clock.now();
        let mut transaction = record.transaction.clone();
        transaction.number.clone_from(&facts.number);
        let event = Event::Validated { summary: summary(&report) };
        let decision = decide(&transaction, &event, &self.policy, now);
        let completion = Completion {
            claim,
            transaction: record.transaction,
            decision,
            facts,
            attempt: None,
            report: serde_json::to_vec(&report).ok().map(Into::into),
            now,
        };
        self.store.commit(completion).await?;
        Ok(())
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
