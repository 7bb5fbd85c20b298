//! A document that arrived: looked at, and announced to the party.
//!
//! It was accepted from the network and is the party's now: what is wrong with it is told, to the
//! party and as a status to the provider that sent it, but never keeps it from the party.

pub(super) mod answered;

use jiff::tz::TimeZone;
use quoin_delivery::mls::{self, Issue};
use quoin_delivery::{Event, decide};
use quoin_formats::routing::Routing;
use quoin_identity::Announced;
use quoin_model::Flag;
use quoin_peppol::identifiers::DocumentTypeId;
use quoin_rules::{Report, Verdict};
use quoin_store::{Claim, Completion, SideEffects, TransactionFacts, TransactionRecord};

use super::mls_inbound::{StatusMatch, again, in_turn, telling};
use super::{Worker, status};
use crate::plan::told;
use crate::step::StepFault;

use answered::{AnsweredAs, SeenArrival};

impl Worker {
    /// Looks at a document that arrived and commits the event that announces it.
    pub(super) async fn incoming(
        &self,
        claim: Claim,
        record: TransactionRecord,
    ) -> Result<(), StepFault> {
        let turn = self.turn_of(&record);
        let Some((document, room)) = self.counted(&claim, &record).await? else { return Ok(()) };
        // Who it is about is asked before it is judged: one that waits is not judged each time.
        let told = self.told(&record, &document).await?;
        let told = in_turn(turn.as_ref(), told, self.clock.now()).await;
        if let StatusMatch::TooEarly(subject) = told {
            // Its place is kept before anybody can look at it again.
            turn.into_iter().for_each(|turn| turn.waits(subject.clone()));
            let later = again(record.created_on, self.clock.now());
            return Ok(self.store.put_back(claim, later).await?);
        }
        let came_on = record.created_on.to_zoned(TimeZone::UTC).date();
        let (announced, is_answered) = (announced(&record), is_answered(&record));
        let reportable = self.report_on_arrival(&record).await;
        let looked = self.context().apart(&record, move |rules| {
            let parsed = quoin_formats::read(&document);
            // What it came as decides, not what it says of itself.
            let identity = quoin_identity::decide(parsed.detection(), &announced, came_on);
            let report = rules.validate(&parsed, &identity, came_on);
            let found = status::inspected(&report);
            // Nothing is told to an authority of what is rejected.
            let reportable = reportable.filter(|_| !(is_answered && rejects(&found.issues)));
            let tax = reportable.and_then(|reportable| reportable.write(&parsed, rules));
            let answers = AnsweredAs::of(&parsed);
            (report, found, (parsed.routing().unwrap_or_default(), answers), tax)
        });
        let (report, found, (routing, answers), tax) = looked.await?;
        drop(room);
        let now = self.clock.now();
        let facts = facts(&record, &routing);
        let mut transaction = record.transaction.clone();
        transaction.number.clone_from(&facts.number);
        let event = judged(&record, &report, &found.issues);
        let mut decision = decide(&transaction, &event, &self.policy, now);
        let own = &record.transaction.document_id;
        let arrived =
            SeenArrival { record: &record, routing: &routing, status: decision.status, now };
        let about = self.about(arrived, answers).await?;
        decision = telling(about.told(decision, own), own, &told);
        let owed = self.store.status_of(&record.transaction.id).await?;
        let (given, look) = self.found(&record, owed.as_ref(), found, now)?;
        let beside = SideEffects {
            answer: about.answer,
            early: about.early,
            order: about.order,
            told: match told {
                StatusMatch::About(_, told) => Some(told),
                _ => None,
            },
            given,
            look,
            tax: self.owed_on_arrival((&record, &transaction), &decision, tax),
            ..SideEffects::default()
        };
        let completion = Completion {
            claim,
            transaction: record.transaction.clone(),
            decision,
            facts,
            attempt: None,
            report: serde_json::to_vec(&report).ok().map(Into::into),
            now,
        };
        Ok(self.store.commit_with(completion, beside).await.map(drop)?)
    }
}

/// What a document says of itself that is recorded.
fn facts(record: &TransactionRecord, routing: &Routing) -> TransactionFacts {
    TransactionFacts {
        number: routing.number.clone().or_else(|| record.transaction.number.clone()),
        country_c4: routing.receiver.country.clone(),
        issued_on: routing.issue_date.map(|date| date.to_string()),
        type_code: routing.type_code.clone(),
        ..TransactionFacts::default()
    }
}

/// What follows for the document: one that is wrong is rejected, so that its sender and its party
/// hear the same. A status is never rejected, since nobody could be told.
fn judged(record: &TransactionRecord, report: &Report, issues: &[Issue]) -> Event {
    let summary = summary(report);
    if !is_answered(record) || !rejects(issues) {
        return Event::Validated { summary };
    }
    Event::Rejected { summary, findings: told(report) }
}

/// Whether somebody is told what was found of a document.
fn is_answered(record: &TransactionRecord) -> bool {
    let kind = record.transaction.source_document_type.as_deref();
    let kind = kind.and_then(|kind| kind.parse::<DocumentTypeId>().ok());
    kind.is_none_or(|kind| mls::is_answered(&kind))
}

fn rejects(issues: &[Issue]) -> bool {
    issues.iter().any(|issue| issue.reason.rejects())
}

/// The type and the process of the envelope in which a document came.
fn announced(record: &TransactionRecord) -> Announced {
    let document_type = record.transaction.source_document_type.as_deref();
    Announced {
        document_type: document_type.and_then(|text| text.parse().ok()),
        process: record.process.as_deref().and_then(|text| text.parse().ok()),
    }
}

fn summary(report: &Report) -> String {
    let profile = report.profile.as_deref().unwrap_or("a document without a profile");
    let fatal = report.findings.iter().filter(|finding| finding.flag == Flag::Fatal).count();
    match report.verdict() {
        Verdict::NotJudged => {
            return format!(
                "Recognised as {profile}; not judged: this service has no rules for it."
            );
        }
        Verdict::Valid => return format!("Recognised as {profile}; no errors found."),
        Verdict::Unroutable | Verdict::NotValid => {}
    }
    let first = report.fatal().next().map(|f| format!("{}: {}", f.rule, f.message));
    let first = first.unwrap_or_default();
    match fatal {
        1 => format!("Recognised as {profile}; one error: {first}"),
        many => format!("Recognised as {profile}; {many} errors, the first: {first}"),
    }
}
