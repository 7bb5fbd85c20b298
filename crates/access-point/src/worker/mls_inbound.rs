//! Statuses that arrive: which document of ours they are about, and what they say. Whatever cannot
//! be linked is kept and visible as a document of its own.

use bytes::Bytes;
use jiff::{SignedDuration, Timestamp};
use quoin_delivery::{Decision, DocumentId, Family, TransactionId};
use quoin_formats::DocumentKind;
use quoin_store::{IssueRecord, StatusTold, SubjectSearch, TransactionRecord};

use super::Worker;
use super::mls_turns::StatusTurn;
use crate::rules::RuleLibrary;
use crate::step::StepFault;

/// How long a status waits for the first attempt of the document that it is about, whose end it
/// overtook: longer than any attempt takes.
const OVERTAKEN: SignedDuration = SignedDuration::from_mins(10);

/// After how long a status is looked at again that overtook its document, first and at most.
const AGAIN: [SignedDuration; 2] =
    [SignedDuration::from_millis(500), SignedDuration::from_secs(30)];

/// When a status is looked at again that overtook its document: it waits each time as long as it
/// waited before, so that many of them cost little.
pub(super) fn again(came_on: Timestamp, now: Timestamp) -> Timestamp {
    let [first, most] = AGAIN;
    let wait = now.duration_since(came_on).clamp(first, most);
    now.saturating_add(wait).unwrap_or(Timestamp::MAX)
}

/// What became of an arrived status.
pub(super) enum StatusMatch {
    /// It is no status, or about nothing that we sent.
    Nothing,
    /// This document, which it is about, is still being sent for the first time, or an earlier
    /// status about it waits for that: look again. Those about others do not wait for it meanwhile.
    TooEarly(TransactionId),
    /// It comes from another provider than the document went to; it is not believed.
    Foreign,
    /// It is about this document.
    About(DocumentId, StatusTold),
}

impl Worker {
    /// The place of a status among those that are looked at; other documents have none.
    pub(super) fn turn_of(&self, record: &TransactionRecord) -> Option<StatusTurn> {
        let TransactionRecord { transaction: own, created_on, .. } = record;
        let is_status = own.family == Family::MessageLevelStatus;
        is_status.then(|| self.turns.enter(&own.organisation, (*created_on, &own.id)))
    }

    /// Finds what an arrived status is about. One about a document that was offered to its provider
    /// is taken however far that is: the store keeps it until there is something to settle.
    pub(super) async fn told(
        &self,
        record: &TransactionRecord,
        document: &Bytes,
    ) -> Result<StatusMatch, StepFault> {
        let own = &record.transaction;
        if own.family != Family::MessageLevelStatus {
            return Ok(StatusMatch::Nothing);
        }
        let document = document.clone();
        let read = move |_: &RuleLibrary| quoin_formats::read(&document).message_status();
        let status = self.context().apart(record, read).await?;
        let Some(status) = status else { return Ok(StatusMatch::Nothing) };
        let Some(subject) = self.subject(record, &status.references).await? else {
            return Ok(StatusMatch::Nothing);
        };
        let provider = record.access_point.clone().unwrap_or_default();
        if !self.went_to(&subject, &provider).await? {
            let age = self.clock.now().duration_since(record.created_on);
            let is_under_way = !subject.transaction.status.is_final();
            return Ok(match is_under_way && age < OVERTAKEN {
                true => StatusMatch::TooEarly(subject.transaction.id),
                false => StatusMatch::Foreign,
            });
        }
        // Those of today alone count for service levels, not those of the generation before.
        let document_type = own.source_document_type.as_deref();
        let document_type = document_type.and_then(|text| text.parse().ok());
        let document_type = document_type.as_ref().and_then(quoin_identity::kind_of);
        let issue = |issue: quoin_formats::MessageIssue| IssueRecord {
            place: issue.place,
            reason: issue.reason,
            text: issue.text,
        };
        let told = StatusTold {
            subject: subject.transaction.id,
            provider,
            description: status.description.unwrap_or_default(),
            code: status.code,
            issues: status.issues.into_iter().map(issue).collect(),
            counts: document_type.is_some_and(|own| own == DocumentKind::MessageLevelStatus),
            told_on: record.created_on,
        };
        Ok(StatusMatch::About(subject.transaction.document_id, told))
    }

    /// The document that was sent in an envelope of this name, or in older statuses under this
    /// number, by the organisation that the status came to.
    async fn subject(
        &self,
        record: &TransactionRecord,
        references: &[String],
    ) -> Result<Option<TransactionRecord>, StepFault> {
        let own = &record.transaction;
        for reference in references {
            let found = self.store.sent_in_envelope(&own.organisation, reference).await?;
            if found.is_some() {
                return Ok(found);
            }
        }
        for family in [Family::Invoice, Family::Order, Family::InvoiceResponse, Family::Document] {
            let question = SubjectSearch::sent(own, family, references.to_vec());
            let found = self.store.answered(question).await?;
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// Whether a document was handed, or at least offered, to this provider.
    async fn went_to(
        &self,
        subject: &TransactionRecord,
        provider: &str,
    ) -> Result<bool, StepFault> {
        let attempts = self.store.attempts_of(&subject.transaction.id).await?;
        Ok(attempts.iter().any(|attempt| attempt.provider() == Some(provider)))
    }
}

/// Waits until the statuses about the same document are done that came before this one. Where one
/// of them is to be looked at again, this one is, too.
pub(super) async fn in_turn(
    turn: Option<&StatusTurn>,
    told: StatusMatch,
    now: Timestamp,
) -> StatusMatch {
    let (Some(turn), StatusMatch::About(_, about)) = (turn, &told) else { return told };
    match turn.of(&about.subject, now).await {
        true => told,
        false => StatusMatch::TooEarly(about.subject.clone()),
    }
}

/// The decision about a status, told under the document that it is about.
pub(super) fn telling(decision: Decision, own: &DocumentId, told: &StatusMatch) -> Decision {
    let (mut decision, message, facts) = match told {
        StatusMatch::Nothing | StatusMatch::TooEarly(_) => return decision,
        StatusMatch::Foreign => {
            let message = "A status came from another provider than the document went to; it is \
                           kept, and does not count.";
            (decision, message.to_owned(), Vec::new())
        }
        StatusMatch::About(document, told) => {
            let decision = decision.answering(document, own, told.code.as_deref());
            let code = told.code.as_deref().unwrap_or("no code");
            let message = match told.description.trim() {
                "" => format!("{} says {code}.", told.provider),
                words => format!("{} says {code}: {words}", told.provider),
            };
            let lines: Vec<String> = told.issues.iter().map(line).collect();
            let facts = vec![("provider", told.provider.clone()), ("findings", lines.join("\n"))];
            (decision, message, facts)
        }
    };
    for notice in &mut decision.notices {
        notice.message.clone_from(&message);
        let facts = facts.iter().filter(|(_, fact)| !fact.is_empty());
        notice.details.extend(facts.map(|(name, fact)| ((*name).to_owned(), fact.clone())));
    }
    decision
}

fn line(issue: &IssueRecord) -> String {
    let parts = [&issue.reason, &issue.place, &issue.text];
    let parts: Vec<&str> = parts.into_iter().flatten().map(String::as_str).collect();
    parts.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_that_waits_is_looked_at_less_and_less() {
        let came_on = Timestamp::UNIX_EPOCH;
        let mut looks = vec![came_on];
        while let Some(last) = looks.last()
            && last.duration_since(came_on) < OVERTAKEN
        {
            looks.push(again(came_on, *last));
        }
        let second = SignedDuration::from_secs(1);
        assert!(looks[1].duration_since(came_on) < second, "the receipt is often there at once");
        assert!(looks.len() < 32, "{looks:?}");
    }
}
